"""The front page: what `ccc --help` shows, every command by an example and a few words.

Rule: an entry is what is typed and what it gets; each is a sentence of its own, so that one more changes no other.
"""

from __future__ import annotations

from ccc.base import sink
from ccc.base.folding import folded
from ccc.base.messages import msg
from ccc.base.text import columns_of
from ccc.commands import voice

COLUMN = 33
HEAD = msg("ccc: let Claude Code work on its own until the task is really done, with any provider.")
SECTIONS = (
    (
        "",
        (
            ("ccc glm", msg("start claude with the provider glm (and remember it)")),
            ("ccc", msg("… with the one used last")),
            (msg('ccc glm -p "fix the tests"'), msg("what follows the provider goes to claude, unchanged")),
            ("ccc -- doctor", msg("claude's own command, where ccc has one of that name")),
            ("ccc demo", msg("see it work: real client, no account, no key")),
        ),
    ),
    (
        msg("Supervised"),
        (
            (
                "CCC_SUPERVISOR=1 ccc glm",
                msg("hooks mode: every stop of the agent is reviewed, in Claude's own UI"),
            ),
            (
                msg('ccc --supervisor glm -- "task"'),
                msg("pty mode: the agent is run by ccc itself, which reviews its stops"),
            ),
            (
                "  --mode hooks",
                msg("… hooks mode, with settings files of its own (`ccc --supervisor --help`)"),
            ),
            ("ccc evidence", msg("what the transcript proves")),
            ("ccc eval --provider glm", msg("how good the judge is, on labelled cases")),
            ('ccc checks add "pytest -q"', msg("done is what this command says, in this project")),
            ("ccc allow NAME", msg("let this project's settings decide what only you should")),
            ("ccc fleet add tasks.md", msg("hand over a list: each task in a worktree and on a branch of its own")),
            ("ccc fleet run --drain", msg("… work on it until nothing is left to do (`ccc fleet --help`)")),
            ("ccc off, ccc on", msg("your word, from the very next stop")),
            ("ccc hooks status|remove", msg("the Stop hook in settings.json")),
        ),
    ),
    (
        msg("Seeing"),
        (
            ("ccc status, ccc watch", msg("every session: phase, count, verdict, cost, outcome")),
            ("ccc logs -f", msg("the story while it happens")),
            ("ccc report --open", msg("one page to keep or to show")),
            ("ccc doctor", msg("what could keep supervision from working here")),
            ("ccc clean --older-than 30d", msg("remove old state and logs")),
            ("ccc statusline", msg("for Claude Code's statusLine setting")),
        ),
    ),
    (
        msg("First use"),
        (
            ("ccc init", msg("make ccc.json from a preset, or from your settings.json")),
            ("ccc providers", msg("what is configured, never a key")),
            ("ccc validate --all", msg("one real request to each provider")),
            ("ccc completion bash|zsh|fish", msg("let your shell complete what follows ccc")),
            ("ccc uninstall", msg("take it all out again: tells first, does it with --yes")),
        ),
    ),
    (msg("Options"), (("--version, --help", msg("`ccc COMMAND --help` tells more of a command")),)),
)
FILES = msg(
    "Files: ccc.json in ~/.claude (CCC_CONFIG_DIR), state in its ccc/ (CCC_WORK_DIR). "
    "CCC_CLAUDE: client; CCC_LANG: zh, en"
)


def page() -> str:
    """In the person's language, as wide as the terminal."""
    sink.ready()  # click itself prints this, and it is not ASCII
    width = sink.columns()
    return "".join(f"{row}\n" for line in _lines() for row in folded(line, width))


def _lines() -> list[str]:
    lines = [voice.told(HEAD)]
    for title, entries in SECTIONS:
        lines += ["", *([voice.told(title)] if title else [])]
        lines += [_entry(voice.told(typed), voice.told(gets)) for typed, gets in entries]
    return [*lines, "", voice.told(FILES)]


def _entry(typed: str, gets: str) -> str:
    return f"  {typed}{' ' * max(2, COLUMN - columns_of(typed))}{gets}"
