"""Which programs a command line runs, and which of them its exit status speaks for.

Rule: pure; knows shells and what wraps a program, not what any program does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.base.patterns import Lazy
from ccc.evidence.shell import parse
from ccc.evidence.shell_parts import Function, Group, Part, Pipeline, Script, Simple, Statement, Words
from ccc.evidence.shell_words import DEPTH_LIMIT

PIPE_LIMIT = 8
CALL_LIMIT = 32
RUN_LIMIT = 10_000


class Run(Struct, frozen=True):
    """One program of a command line, without what only wraps it.

    `tells`: when the whole line succeeded, so did this. `then` is what its output is piped into, `on_success` and
    `on_failure` are what the line echoes behind `&&` and `||`, `given` is the here-document that it reads.
    """

    words: Words
    tells: bool
    then: tuple[Words, ...] = ()
    muted: bool = False
    on_success: Words = ()
    on_failure: Words = ()
    given: str = ""

    @property
    def program(self) -> str:
        return name_of(self.words[0]) if self.words else ""


def runs(command: str) -> tuple[Run, ...]:
    """Every program the line would run, in order."""
    return tuple(islice(_runs(parse(command), _Mode(), 0), RUN_LIMIT))


@lru_cache(4096)  # a session runs the same few programs thousands of times
def name_of(word: str) -> str:
    """The program's name: no folder, no extension of Windows."""
    name = re.split(r"[\\/]", word)[-1]
    return re.sub(r"\.(exe|cmd|bat)$", "", name, flags=re.IGNORECASE)


# --- status ------------------------------------------------------------------------------------------------------


class _Mode(Struct, frozen=True):
    """How a script runs. `calls` bounds what functions that call each other may add to a line."""

    tells: bool = True
    errexit: bool = False
    pipefail: bool = False
    then: tuple[Words, ...] = ()
    muted: bool = False
    functions: Mapping[str, Group] = field(default_factory=dict)
    arguments: Words | None = None
    calls: Iterator[int] = field(default_factory=lambda: iter(range(CALL_LIMIT)))


def _runs(script: Script, mode: _Mode, depth: int) -> Iterator[Run]:
    if depth > DEPTH_LIMIT:
        return
    for number, statement in enumerate(script):
        last = number == len(script) - 1
        tells = mode.tells and not statement.background and (last or mode.errexit)
        yield from _chain_runs(statement.chain, _telling(mode, tells), depth)
        mode = _after(statement, mode)


def _telling(mode: _Mode, tells: bool) -> _Mode:
    return mode if mode.tells == tells else replace(mode, tells=tells)


def _chain_runs(chain: tuple[tuple[str, Pipeline], ...], mode: _Mode, depth: int) -> Iterator[Run]:
    fallbacks = [n for n, (operator, pipeline) in enumerate(chain) if operator == "||" and not _gives_up(pipeline)]
    since = fallbacks[-1] if fallbacks else 0
    success, failure = _echoes(chain)
    for number, (_, pipeline) in enumerate(chain):
        speaks = (success or failure) and len(pipeline.parts) == 1
        for run in _pipeline_runs(pipeline, _telling(mode, mode.tells and number >= since), depth):
            yield replace(run, on_success=success, on_failure=failure) if speaks else run


def _pipeline_runs(pipeline: Pipeline, mode: _Mode, depth: int) -> Iterator[Run]:
    for number, part in enumerate(pipeline.parts):
        if isinstance(part, Function):
            continue
        rest = pipeline.parts[number + 1 :]
        tells = mode.tells and not pipeline.negated and (not rest or mode.pipefail)
        then = tuple(words for other in rest[:PIPE_LIMIT] if (words := _first_words(other))) + mode.then
        inside = replace(mode, tells=tells, then=then, muted=mode.muted or part.muted)
        for inner in part.inner:
            yield from _runs(inner, _telling(inside, False), depth + 1)
        if isinstance(part, Group):
            yield from _runs(part.body, _telling(inside, tells and not part.loose), depth + 1)
        else:
            yield from _simple_runs(part, inside, depth)


def _simple_runs(part: Simple, mode: _Mode, depth: int) -> Iterator[Run]:
    words = unwrapped(_with_arguments(part.words, mode.arguments))
    script = _script_in(words)
    if script is None and part.heres and _reads_script(words):
        script = part.heres[-1].text
    if script is not None:
        yield from _runs(parse(script), _in_shell(words, mode), depth + 1)
    elif words and words[0] in mode.functions and next(mode.calls, None) is not None:
        yield from _call(words, mode, depth)
    elif words:
        yield Run(words, mode.tells, mode.then, mode.muted, given=part.heres[-1].text if part.heres else "")


def _call(words: Words, mode: _Mode, depth: int) -> Iterator[Run]:
    body = mode.functions[words[0]]
    others = {name: other for name, other in mode.functions.items() if name != words[0]}
    inside = replace(mode, functions=others, arguments=words[1:], muted=mode.muted or body.muted)
    return _runs(body.body, _telling(inside, mode.tells and not body.loose), depth + 1)


def _in_shell(words: Words, mode: _Mode) -> _Mode:
    """How the script of a shell of its own runs: strict if it is told to be or the outer one is."""
    flags = " ".join(words[:-1])
    return replace(
        mode,
        errexit=mode.errexit or bool(re.search(r"(^|\s)-[a-z]*e", flags)),
        pipefail=mode.pipefail or "pipefail" in flags,
        functions={},
        arguments=None,
    )


def _first_words(part: Part) -> Words:
    """What reads a pipe: the command, or the first one of a group."""
    while isinstance(part, Group):
        firsts = [
            other for statement in part.body[:1] for _, pipeline in statement.chain[:1] for other in pipeline.parts
        ]
        if not firsts:
            return ()
        part = firsts[0]
    return part.words if isinstance(part, Simple) else ()


def _with_arguments(words: Words, arguments: Words | None) -> Words:
    """The words in a function, with those of its call in their places."""
    if arguments is None:
        return words
    return tuple(word for given in words for word in _with_argument(given, arguments))


def _with_argument(word: str, arguments: Words) -> Words:
    if word in ("$@", "${@}", "$*", "${*}"):
        return arguments
    joined = re.sub(r"\$[@*]|\$\{[@*]\}", lambda _: " ".join(arguments), word)
    return (_POSITIONAL.sub(lambda found: "".join(arguments[int(found[1] or found[2]) - 1 :][:1]), joined),)


_POSITIONAL = Lazy(r"\$(?:([1-9])|\{([1-9])\})")


def _after(statement: Statement, mode: _Mode) -> _Mode:
    """How the script runs on after this statement."""
    for _, pipeline in statement.chain:
        match pipeline.parts:
            case (Simple(words=("set", *options)),):
                joined = " ".join(options)
                mode = replace(
                    mode,
                    errexit=mode.errexit or bool(re.search(r"(^|\s)-[a-z]*e|errexit", joined)),
                    pipefail=mode.pipefail or "pipefail" in joined,
                )
            case (Simple(words=("shift",)),) if mode.arguments:
                mode = replace(mode, arguments=mode.arguments[1:])
            case (Function(name=name, body=Group() as body),):
                mode = replace(mode, functions={**mode.functions, name: body})
    return mode


def _gives_up(pipeline: Pipeline) -> bool:
    """Whether this way out keeps the status of a failure: `|| exit 1`, `|| { echo no; false; }`."""
    match pipeline.parts[-1:]:
        case (Simple(words=("false",)),):
            return True
        case (Simple(words=("exit" | "return", *code)),):
            return code != ["0"]
        case (Group(body=(*_, Statement(chain=((_, last),))), loose=False),):
            return _gives_up(last)
    return False


def _echoes(chain: tuple[tuple[str, Pipeline], ...]) -> tuple[Words, Words]:
    """What the chain says of itself: the literal words behind `&& echo` and `|| echo`."""
    said: dict[str, list[str]] = {"&&": [], "||": []}
    for operator, pipeline in chain:
        match pipeline.parts:
            case (Simple(words=("echo", *words)),) if operator in said:
                said[operator].append(" ".join(word for word in words if not re.fullmatch(r"-[neE]+", word)))
            case (
                Group(
                    body=(Statement(chain=((_, Pipeline(parts=(Simple(words=("echo", *words)),))),)), *_), loose=False
                ),
            ):
                if operator in said:
                    said[operator].append(" ".join(words))
    return tuple(said["&&"]), tuple(said["||"])


# --- wrappers ----------------------------------------------------------------------------------------------------

_ASSIGNMENT = Lazy(r"\A[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
# A program that runs another, and its options that take a value of their own.
_WRAPPERS: dict[str, frozenset[str]] = {
    **{name: frozenset() for name in ("nohup", "setsid", "command", "exec", "builtin", "unbuffer", "chronic")},
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
    """The words of the program itself: no assignments, no sudo, no timeout, no env, while anything is behind them."""
    wrapper: Words = ()
    for _ in range(DEPTH_LIMIT):
        while words and _ASSIGNMENT.match(words[0]):
            words = words[1:]
        behind = _behind_wrapper(words)
        if behind is None:
            break
        wrapper, words = words, behind
    return words or wrapper


def _behind_wrapper(words: Words) -> Words | None:
    name = name_of(words[0]) if words else ""
    if name in _LIMITERS:
        return _without_options(words[1:], _LIMITERS[name])[1:]
    if name not in _WRAPPERS or (name == "command" and words[1:2] in (("-v",), ("-V",))):
        return None
    words = _without_options(words[1:], _WRAPPERS[name])
    return _without_options(words[1:], frozenset())[1:] if _SUBCOMMANDS.get(name) in words[:1] else words


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


def _reads_script(words: Words) -> bool:
    """Whether a shell is to read its script from its input."""
    shells = [number for number, word in enumerate(words) if name_of(word) in _SHELLS]
    elsewhere = bool(words) and name_of(words[0]) in _CONTAINERS | _TAKES_SCRIPT
    if not shells or (shells[0] and not elsewhere):
        return False
    return all(word.startswith("-") for word in words[shells[0] + 1 :])


def _script_in_container(words: Words) -> str | None:
    for shell, flag, script in zip(words, words[1:], words[2:], strict=False):
        if name_of(shell) in _SHELLS and re.fullmatch(r"-[a-z]*c", flag):
            return script
    return None
