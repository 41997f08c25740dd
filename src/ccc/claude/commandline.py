"""The client's command line as values: the agent of pty mode, the reviewers, and the person's own words among them.

Rule: every fact about the client's flags is in this file; foreign text is one word behind `--`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from ccc.base.patterns import pattern
from ccc.claude import mentions

PERMISSION_MODES = frozenset({"default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"})


# Bites for Edit, Write and the shell's own redirections, everywhere, and leaves the list of tools as the agent's.
NO_EDITS = "--disallowedTools=Edit(//**)"


class Judge(Struct, frozen=True):
    """What a reviewer is started with, apart from the client."""

    conversation: str  # a session's id, or the file that it is kept in
    prompt: str
    schema: str | None = None  # None: the verdict is asked for in words
    model: str | None = None
    permission_mode: str | None = None
    settings: str | None = None  # a path, or JSON
    system: str | None = None  # a system prompt of its own, in pty mode; None: the agent's, so that the cache serves it
    fork: bool = True  # False: the session is a reviewer's own fork, and is asked once more
    # What the person has said of the agent's system prompt, to make it anew; None: it stays as the conversation has it.
    said: tuple[str, ...] | None = None


# What ccc says itself when it runs the agent, and what a person may therefore not say; True: a value follows.
_AGENT_OWN_FLAGS = {"-p": False, "--print": False, "--output-format": True, "--input-format": True, "--verbose": False}


SNAPSHOT = "--system-prompt-snapshot"
_OF_SYSTEM = dict.fromkeys(("--system-prompt", "--append-system-prompt"), True)
_SYSTEM_FILES = dict.fromkeys(("--system-prompt-file", "--append-system-prompt-file", SNAPSHOT), True)


_SESSION_FLAGS = {
    **dict.fromkeys(("-c", "--continue", "--fork-session"), False),
    **dict.fromkeys(("-r", "--resume", "--session-id", "--from-pr", "--teleport"), True),
}


NEW_SESSION = ""  # where a session to resume could stand: begin another one, whatever the person's words chose

_MODEL_FLAGS = dict.fromkeys(("--model", "--fallback-model"), True)


# Words, and the variables they stand for, with which the client calls no hook of a settings file, measured on 2.1.325.
_HOOKLESS = {"--bare": "CLAUDE_CODE_SIMPLE", "--safe-mode": "CLAUDE_CODE_SAFE_MODE"}
# … and with which it leaves the user's own settings file unread; one that is given by --settings is read all the same.
_USERLESS = {"--restricted": "CLAUDE_CODE_RESTRICTED"}
_SOURCES = "--setting-sources"
_NO = frozenset({"", "0", "false", "no", "off"})
# With these the client works in a folder, or takes settings from one, that is not the one it was started in.
_LEADING_AWAY = ("--project-config-root", "--deep-link-cwd-b64", "--cwd")
# With these the client leaves the session to another process, which gets its words and not its environment.
_DETACHING = ("--bg", "--background", "--routine", "--tmux")
_TEAMMATES, _TOGETHER = "--teammate-mode", "in-process"
# Short options may be written together, with the value behind the last one.
_WORKTREE = pattern(r"--worktree(=(?P<long>.*))?|-(?P<others>[A-Za-vx-z]*)w(?P<short>.*)", re.DOTALL)


# Anywhere among the options these make the client print something and end, measured on 2.1.325.
_ENDING = frozenset({"-h", "--help", "-v", "--version"})


class Worktree(Struct, frozen=True):
    """The person wants the client to work in a worktree of its own."""

    name: str | None  # empty: a new one; None: any, as far as the words say


_INPUT, _FED = "--input-format", "stream-json"
_AGENT_STREAM = ("--print", "--verbose", "--output-format", "stream-json", "--input-format", "stream-json")


def without_own_flags(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """The person's words for the agent, and those that ccc has to drop because it says them itself."""
    return _without(args, _AGENT_OWN_FLAGS)


def without_session_flags(args: Sequence[str]) -> list[str]:
    """The person's words without those that choose a session, for a start that resumes the one they chose."""
    return _without(args, _SESSION_FLAGS)[0]


def of_system(args: Sequence[str]) -> tuple[str, ...] | None:
    """What these words make of the system prompt of a new conversation; None where they do not tell: the conversation
    began earlier, or a file says it, which may say something else by now."""
    words = _options(args)
    if {*_without(words, _SESSION_FLAGS | _SYSTEM_FILES)[1]} - {"--session-id"}:
        return None
    return tuple(f"{name}={value}" for name in _OF_SYSTEM for value in _values(words, name)[-1:])


def permission_mode(args: Sequence[str]) -> str | None:
    """What the agent may do unasked, by the person's own words."""
    found = "bypassPermissions" if "--dangerously-skip-permissions" in args else None
    for at, word in enumerate(args):
        name, equals, value = word.partition("=")
        if name == "--permission-mode":
            found = value if equals else next(iter(args[at + 1 : at + 2]), None)
    return found


def resumed(args: Sequence[str]) -> str | None:
    """The session that the person named; None where they named none, or left the choice to the client."""
    for at, word in enumerate(args):
        name, equals, value = word.partition("=")
        if name in ("-r", "--resume"):
            return value if equals else next(iter(args[at + 1 : at + 2]), None)
    return None


def chosen(args: Sequence[str]) -> str:
    """The words by which the person goes on with a session that must be there; empty where they begin a new one."""
    named = resumed(args)
    if named is not None:
        return "--resume" if named.startswith("-") else f"--resume {named}"
    return "--continue" if continued(args) else ""


def continued(args: Sequence[str]) -> bool:
    """Whether the person goes on with the last session of this folder."""
    return any(word in ("-c", "--continue") for word in args)


def forks(args: Sequence[str]) -> bool:
    """Whether a session that the person goes on with is to stay as it is."""
    return "--fork-session" in args


def without_model(args: Sequence[str]) -> list[str]:
    """The person's words without the models they named: those are of one provider, and this start is another's."""
    return _without(args, _MODEL_FLAGS)[0]


def model(args: Sequence[str]) -> str | None:
    """The model that the person named."""
    return next(reversed(_values(_options(args), "--model")), None)


def is_fed(args: Sequence[str]) -> bool:
    """Whether a program gives this client its messages: it lets a turn end before a hook in the background has."""
    return _values(_options(args), _INPUT)[-1:] == [_FED]


def prints(args: Sequence[str]) -> bool:
    """Whether the person has asked for a client without a screen."""
    return any(word in ("-p", "--print") for word in _options(args))


def hookless(args: Sequence[str], env: Mapping[str, str], *, in_user_file: bool) -> str | None:
    """The word or variable that keeps the client from calling ccc's hook, if the person gave one."""
    keeping = _HOOKLESS | (_USERLESS if in_user_file else {})
    words = list(args)[: list(args).index("--")] if "--" in args else list(args)
    found = next((word for word in words if word in keeping), None)
    chosen = _chosen_sources(words) if in_user_file else None
    if found is None and chosen is not None and "user" not in chosen:
        found = _SOURCES
    return found or next((name for name in keeping.values() if env.get(name, "").strip().lower() not in _NO), None)


def _chosen_sources(words: Sequence[str]) -> list[str] | None:
    """What --setting-sources names; of several the client heeds the last."""
    values = _values(words, _SOURCES)
    return [name.strip() for name in values[-1].split(",")] if values else None


def _values(words: Sequence[str], flag: str) -> list[str]:
    """What an option is given, in either spelling."""
    spelled = [f"{word}={following}" if word == flag else word for word, following in pairwise((*words, ""))]
    return [word.partition("=")[2] for word in spelled if word.startswith(f"{flag}=")]


def _without(args: Sequence[str], flags: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    dropped: list[str] = []
    words = list(args)
    while words:
        word = words.pop(0)
        name = word.partition("=")[0]
        if name not in flags:
            kept.append(word)
            continue
        dropped.append(name)
        if flags[name] and "=" not in word and words and not words[0].startswith("-"):
            words.pop(0)
    return kept, dropped


def worktree(args: Sequence[str]) -> Worktree | None:
    """Whether these words ask for a worktree; more of them count than the client takes for such."""
    words = _options(args)
    found = [(at, match) for at, word in enumerate(words) if (match := _WORKTREE.fullmatch(word))]
    if not found:
        return None
    at, match = found[0]
    if len(found) > 1 or match["others"]:
        return Worktree(None)
    following = words[at + 1 : at + 2]
    return Worktree(match["long"] or match["short"] or "".join(word for word in following if word[:1] != "-"))


def leads_away(args: Sequence[str]) -> str | None:
    """The first option that would have the client read another folder than the one it is started in."""
    names = [word.partition("=")[0] for word in _options(args)]
    return next((name for name in names if name in _LEADING_AWAY), None)


def detaches(args: Sequence[str]) -> str | None:
    """The first option that would have the session, or teammates, run in a process that ccc has not started."""
    words = _options(args)
    mode = _values(words, _TEAMMATES)[-1:]
    detaching = _DETACHING if mode in ([], [_TOGETHER]) else (*_DETACHING, _TEAMMATES)
    return next((name for word in words if (name := word.partition("=")[0]) in detaching), None)


def ends_at_once(args: Sequence[str], commands: Callable[[], Collection[str]]) -> str | None:
    """The word that makes this no session: the client prints something, or runs one of its own commands, and ends."""
    words = _options(args)
    ending = next((word for word in words if word in _ENDING), None)
    if ending or not words or not re.fullmatch(r"[a-z][a-z-]*", words[0]):
        return ending
    return words[0] if words[0] in commands() else None


def _options(args: Sequence[str]) -> list[str]:
    words = list(args)
    return words[: words.index("--")] if "--" in words else words


def agent_command(
    client: Path, args: Sequence[str], flags: Collection[str], *, resume: str | None, asks: bool
) -> tuple[str, ...]:
    """The agent of pty mode: one live process that takes messages on a pipe. `resume`: a session, a new one, or None
    for the one that `args` choose. `asks`: a person grants permissions."""
    argv = [str(client), *_AGENT_STREAM]
    argv += ["--include-partial-messages"] if "--include-partial-messages" in flags else []
    argv += ["--permission-prompt-tool", "stdio"] if asks else []
    if resume is None:
        return (*argv, *args)
    return (*argv, *(("--resume", resume) if resume else ()), *without_session_flags(args))


def pty_reviewer_command(client: Path, judge: Judge, flags: Collection[str]) -> tuple[str, ...]:
    """The fork of pty mode: the criteria are its system prompt or, in a long conversation, a part of its prompt."""
    argv = [str(client), "--print", *_session(judge), "--verbose", "--output-format", "stream-json"]
    argv += [*_instructed(judge, flags), *_common(judge, flags)]
    return (*argv, "--", mentions.as_words(judge.prompt))


def as_json(judge: Judge, flags: Collection[str]) -> str:
    """The review as the SDK engine reads it."""
    import json

    said = [word.removeprefix("--").partition("=") for word in judge.said or ()]
    anew = {SNAPSHOT.removeprefix("--"): "off"} | {name: value for name, _, value in said}
    extra = anew if SNAPSHOT in flags and judge.said is not None else {}
    told = {**asdict(judge), "prompt": mentions.as_words(judge.prompt), "extra": extra}
    return json.dumps(told, ensure_ascii=False)


def reviewer_command(client: Path, judge: Judge, flags: Collection[str]) -> tuple[str, ...]:
    """The fork that judges: sees what the agent saw, may read and run, may not edit."""
    argv = [str(client), *_session(judge), "--verbose", "--output-format", "stream-json"]
    if judge.schema and "--json-schema" in flags:
        argv += ["--json-schema", judge.schema]
    argv += [*_instructed(judge, flags), *_common(judge, flags)]
    return (*argv, "--", mentions.as_words(judge.prompt))


def _session(judge: Judge) -> list[str]:
    return [*(["--fork-session"] if judge.fork else []), "--resume", judge.conversation]


def _instructed(judge: Judge, flags: Collection[str]) -> list[str]:
    """From 2.1.2xx on a resumed conversation keeps the system prompt that stands in it, where anybody can write another
    one, and the client ignores ours without a word."""
    anew = [SNAPSHOT, "off"] if SNAPSHOT in flags else []
    if judge.system is not None:
        return ["--system-prompt", judge.system, *anew]
    return [*anew, *judge.said] if anew and judge.said is not None else []


def _common(judge: Judge, flags: Collection[str]) -> list[str]:
    """What holds for a reviewer in either mode: the agent's model and rights, and no edits."""
    argv: list[str] = []
    if judge.model and "--model" in flags:
        argv += ["--model", judge.model]
    if judge.permission_mode in PERMISSION_MODES and "--permission-mode" in flags:
        argv += ["--permission-mode", str(judge.permission_mode)]
    if "--disallowedTools" in flags:
        argv += [NO_EDITS]
    if judge.settings:
        argv += ["--settings", judge.settings]
    return argv


def servers_given(args: Sequence[str]) -> list[str]:
    """The files of servers, or their JSON, that the person names."""
    named, follow = [], False
    for word in args:
        flag, equals, value = word.partition("=")
        if word.startswith("-"):
            follow = flag == "--mcp-config"
        if follow and (equals or not word.startswith("-")):
            named.append(value if word.startswith("-") else word)
    return named


def split_settings(args: Sequence[str]) -> tuple[list[str], str | None]:
    """Take the person's own --settings out of the arguments; of several the client heeds the last."""
    rest: list[str] = []
    value: str | None = None
    words = iter(args)
    for word in words:
        if word == "--":
            return [*rest, word, *words], value
        if word == "--settings":
            value = next(words, None)
        elif word.startswith("--settings="):
            value = word.partition("=")[2]
        else:
            rest.append(word)
    return rest, value
