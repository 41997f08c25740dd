"""Which programs a command line runs, and which of them its exit status speaks for.

Rule: pure; knows shells and what wraps a program, not what any program does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ccc.evidence.shell import DEPTH_LIMIT, Group, Pipeline, Simple, Statement, Words, parse

PIPE_LIMIT = 8


@dataclass(frozen=True, slots=True)
class Run:
    """One program of a command line, without what only wraps it.

    `tells`: when the whole line succeeded, so did this. `then` is what its output is piped into, `on_success` and
    `on_failure` are what the line echoes behind `&&` and `||`.
    """

    words: Words
    tells: bool
    then: tuple[Words, ...] = ()
    muted: bool = False
    on_success: Words = ()
    on_failure: Words = ()

    @property
    def program(self) -> str:
        return name_of(self.words[0]) if self.words else ""


def runs(command: str) -> tuple[Run, ...]:
    """Every program the line would run, in order."""
    return tuple(_runs(parse(command), _Mode(), 0))


def name_of(word: str) -> str:
    """The program's name: no folder, no extension of Windows."""
    name = re.split(r"[\\/]", word)[-1]
    return re.sub(r"\.(exe|cmd|bat)$", "", name, flags=re.IGNORECASE)


# --- status ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mode:
    tells: bool = True
    errexit: bool = False
    pipefail: bool = False
    then: tuple[Words, ...] = ()
    muted: bool = False


def _runs(script: tuple[Statement, ...], mode: _Mode, depth: int) -> Iterator[Run]:
    if depth > DEPTH_LIMIT:
        return
    for number, statement in enumerate(script):
        last = number == len(script) - 1
        tells = mode.tells and not statement.background and (last or mode.errexit)
        yield from _chain_runs(statement.chain, replace(mode, tells=tells), depth)
        mode = _after_set(statement, mode)


def _chain_runs(chain: tuple[tuple[str, Pipeline], ...], mode: _Mode, depth: int) -> Iterator[Run]:
    fallbacks = [n for n, (operator, pipeline) in enumerate(chain) if operator == "||" and not _gives_up(pipeline)]
    since = fallbacks[-1] if fallbacks else 0
    success, failure = _echoes(chain)
    for number, (_, pipeline) in enumerate(chain):
        tells = mode.tells and number >= since
        for run in _pipeline_runs(pipeline, replace(mode, tells=tells), depth):
            yield replace(run, on_success=success, on_failure=failure) if len(pipeline.parts) == 1 else run


def _pipeline_runs(pipeline: Pipeline, mode: _Mode, depth: int) -> Iterator[Run]:
    for number, part in enumerate(pipeline.parts):
        rest = pipeline.parts[number + 1 :]
        tells = mode.tells and not pipeline.negated and (not rest or mode.pipefail)
        then = tuple(other.words for other in rest[:PIPE_LIMIT] if isinstance(other, Simple)) + mode.then
        inside = replace(mode, tells=tells, then=then, muted=mode.muted or part.muted)
        if isinstance(part, Group):
            yield from _runs(part.body, inside, depth + 1)
        else:
            yield from _simple_runs(part, inside, depth)


def _simple_runs(part: Simple, mode: _Mode, depth: int) -> Iterator[Run]:
    mode = replace(mode, tells=mode.tells and not part.loose)
    for inner in part.inner:
        yield from _runs(parse(inner), replace(mode, tells=False), depth + 1)
    words = unwrapped(part.words)
    script = _script_in(words)
    if script is not None:
        flags = " ".join(words[:-1])
        strict = replace(
            mode,
            errexit=mode.errexit or bool(re.search(r"(^|\s)-[a-z]*e", flags)),
            pipefail=mode.pipefail or "pipefail" in flags,
        )
        yield from _runs(parse(script), strict, depth + 1)
    elif words:
        yield Run(words, mode.tells, mode.then, mode.muted)


def _after_set(statement: Statement, mode: _Mode) -> _Mode:
    for _, pipeline in statement.chain:
        match pipeline.parts:
            case (Simple(words=("set", *options)),):
                joined = " ".join(options)
                mode = replace(
                    mode,
                    errexit=mode.errexit or bool(re.search(r"(^|\s)-[a-z]*e|errexit", joined)),
                    pipefail=mode.pipefail or "pipefail" in joined,
                )
    return mode


def _gives_up(pipeline: Pipeline) -> bool:
    """Whether this way out keeps the status of a failure: `|| exit 1`, `|| { echo no; false; }`."""
    match pipeline.parts[-1:]:
        case (Simple(words=("false",)),):
            return True
        case (Simple(words=("exit" | "return", *code)),):
            return code != ["0"]
        case (Group(body=(*_, Statement(chain=((_, last),)))),):
            return _gives_up(last)
    return False


def _echoes(chain: tuple[tuple[str, Pipeline], ...]) -> tuple[Words, Words]:
    """What the chain says of itself: the literal words behind `&& echo` and `|| echo`."""
    said: dict[str, list[str]] = {"&&": [], "||": []}
    for operator, pipeline in chain:
        match pipeline.parts:
            case (Simple(words=("echo", *words)),) if operator in said:
                said[operator].append(" ".join(word for word in words if not re.fullmatch(r"-[neE]+", word)))
            case (Group(body=(Statement(chain=((_, Pipeline(parts=(Simple(words=("echo", *words)),))),)), *_)),):
                if operator in said:
                    said[operator].append(" ".join(words))
    return tuple(said["&&"]), tuple(said["||"])


# --- wrappers ----------------------------------------------------------------------------------------------------

_ASSIGNMENT = re.compile(r"\A[A-Za-z_]\w*\+?=")
# A program that runs another, and its options that take a value of their own.
_WRAPPERS: dict[str, frozenset[str]] = {
    **{name: frozenset() for name in ("nohup", "setsid", "command", "exec", "builtin", "unbuffer", "chronic", "then")},
    "time": frozenset({"-f", "-o"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "sudo": frozenset({"-u", "-g", "-h", "-p", "-C", "-D"}),
    "doas": frozenset({"-u"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "xvfb-run": frozenset({"-s", "-n", "-e", "-f"}),
    "caffeinate": frozenset({"-t", "-w"}),
    "dotenv": frozenset({"-f", "-e"}),
    "direnv": frozenset(),
    "xargs": frozenset({"-n", "-P", "-I", "-L", "-d", "-s", "-a", "-E"}),
}
_LIMITERS: dict[str, frozenset[str]] = {
    "timeout": frozenset({"-k", "-s"}),
    "gtimeout": frozenset({"-k", "-s"}),
    "flock": frozenset({"-w", "-E"}),
    "taskset": frozenset(),
}
_CONTAINERS = frozenset({"docker", "docker-compose", "podman", "kubectl"})
_TAKES_SCRIPT = frozenset({"ssh", "su", "script", "nix-shell", "wsl"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
# What stands between the wrapper and the program it runs.
_SUBCOMMANDS = {"direnv": "exec"}


def unwrapped(words: Words) -> Words:
    """The words of the program itself: no assignments, no sudo, no timeout, no env."""
    for _ in range(DEPTH_LIMIT):
        while words and _ASSIGNMENT.match(words[0]):
            words = words[1:]
        name = name_of(words[0]) if words else ""
        if name in _LIMITERS:
            words = _without_options(words[1:], _LIMITERS[name])[1:]
        elif name in _WRAPPERS and not (name == "command" and words[1:2] in (("-v",), ("-V",))):
            words = _without_options(words[1:], _WRAPPERS[name])
            if _SUBCOMMANDS.get(name) in words[:1]:
                words = _without_options(words[1:], frozenset())[1:]
        else:
            break
    return words


def _without_options(words: Words, valued: frozenset[str]) -> Words:
    while words and words[0].startswith("-") and words[0] != "-":
        if words[0] == "--":
            return words[1:]
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _script_in(words: Words) -> str | None:
    """The command line that this program is given as one word, if it is such a program."""
    name = name_of(words[0]) if words else ""
    if name == "eval":
        return " ".join(words[1:])
    if name in _SHELLS:
        for number, word in enumerate(words[1:-1], 1):
            if re.fullmatch(r"-[a-z]*c", word):
                return words[number + 1]
            if not word.startswith("-") and word != "pipefail":
                return None
    if name in _CONTAINERS:
        return _script_in_container(words)
    return words[-1] if name in _TAKES_SCRIPT and " " in words[-1] else None


def _script_in_container(words: Words) -> str | None:
    for shell, flag, script in zip(words, words[1:], words[2:], strict=False):
        if name_of(shell) in _SHELLS and re.fullmatch(r"-[a-z]*c", flag):
            return script
    return None
