"""Every command of ccc by its name, and where it is made.

Rule: no imports; a command's module is loaded when it is called.
"""

from __future__ import annotations

from collections.abc import Sequence

COMMANDS = {
    "pty-review": ("starting", "pty_review"),
    "launch": ("starting", "launch"),
    "demo": ("starting", "demo"),
    "providers": ("setup", "providers"),
    "validate": ("setup", "validate"),
    "init": ("setup", "init"),
    "completion": ("completing", "completion"),
    "hooks": ("setup", "hooks"),
    "uninstall": ("setup", "uninstall"),
    "doctor": ("setup", "doctor"),
    "checks": ("steering", "checks_group"),
    "allow": ("steering", "allow"),
    "off": ("steering", "off"),
    "on": ("steering", "on"),
    "fleet": ("fleet", "fleet"),
    "eval": ("measuring", "evaluate"),
    "status": ("seeing", "status"),
    "logs": ("seeing", "logs"),
    "watch": ("seeing", "watch"),
    "report": ("seeing", "report"),
    "evidence": ("seeing", "evidence"),
    "clean": ("seeing", "clean"),
    "statusline": ("seeing", "statusline"),
}
# What is mostly typed of them, and can do without click (`plain`).
PLAIN = frozenset(
    {("status",), ("status", "--json"), ("doctor",), ("doctor", "--json"), ("doctor", "--no-self-test")},
)
SPELLINGS = {"-h": "--help", "help": "--help", "version": "--version"}


HIDDEN = frozenset({"launch", "pty-review"})  # nobody types them


def offered() -> list[str]:
    """What a person may have meant by a word that is nearly one of them."""
    return [name for name in (*COMMANDS, *SPELLINGS) if name not in HIDDEN and not name.startswith("-")]


def is_bare_start(words: Sequence[str]) -> bool:
    """Whether these start claude and hold no option of ccc's, which stand at the beginning."""
    return not words or not (words[0].startswith("-") or words[0] in names())


def names() -> frozenset[str]:
    """What the first word may be to mean a command of ccc's, and no provider may be called."""
    return frozenset(COMMANDS) - {"launch"} | {"supervisor-hook", *SPELLINGS} - {"-h"}  # the hook is __main__'s
