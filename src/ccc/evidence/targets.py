"""What a check was about: its kind, its tool and what of the project it looked at; and whether a later one covers it.

Rule: pure; a doubt is told as one, so that nobody takes it for a yes or a no.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import pairwise

from msgspec import Struct

from ccc.base.patterns import pattern
from ccc.evidence.checks_known import Kind, kind_of, names
from ccc.evidence.shell_parts import Words
from ccc.evidence.shell_status import Run, name_of


class Cover(IntEnum):
    NO = 0
    PARTLY = 1
    YES = 2


class Target(Struct, frozen=True):
    """`tool` is empty where a task of the project decides what runs; `scope` is what the check was narrowed to, and
    `task` the words of that task's name."""

    kind: Kind
    tool: str
    folder: str = ""
    scope: tuple[str, ...] = ()
    everything: bool = False  # a task that by its name runs all kinds
    task: frozenset[str] = frozenset()
    package: str = ""  # the part of a repository of many that it was confined to

    def may_reach(self, path: str) -> bool:
        """Whether a check of this target can have looked at a file."""
        inside = "/" + path.replace("\\", "/").lstrip("/")
        part = _PART.search(inside)
        if self.package and part:
            return part[1] in self.package or self.package.rsplit("/", 1)[-1] in part[1]
        if not self.folder or ".." in self.folder or "$" in self.folder or "~" in self.folder:
            return True
        folder = self.folder.strip("./")
        return not folder or inside.startswith(f"{self.folder.rstrip('/')}/") or f"/{folder}/" in inside


def targets(ran: Sequence[Run]) -> tuple[Target, ...]:
    return tuple(_targets(ran))


def covers(later: Iterable[Target], earlier: Iterable[Target], failing: Iterable[str] = ()) -> Cover:
    """Whether what passed later shows that what failed earlier is mended; `failing` are the names of what failed."""
    names = tuple(failing)
    found = (_covers(new, old, names) for new in later for old in earlier)
    return max(found, default=Cover.NO)


def _targets(ran: Sequence[Run]) -> Iterator[Target]:
    folder = ""
    for run in ran:
        if run.program == "cd" and len(run.words) > 1:
            folder = _joined(folder, run.words[1])
        elif kind := kind_of(run.words):
            yield _target(run.words, kind, folder)


def _target(words: Words, kind: Kind, folder: str) -> Target:
    tool, args = _tool(words)
    inside = next((value for flag, value in pairwise(args) if flag in _FOLDER_FLAGS), "")
    task = "" if tool else " ".join(words[1:3])
    scope = tuple(word for word in _scope(args) if word not in _WHOLE)
    return Target(
        kind=kind,
        tool=tool,
        folder=_joined(folder, inside),
        scope=scope if tool else (),
        everything=bool(_EVERYTHING.search(task)),
        task=frozenset() if tool else _task(args),
        package=_package(words),
    )


def _task(args: Words) -> frozenset[str]:
    """`run test:e2e` → test, e2e; `:app:lintDebug` → app, lint, debug."""
    named = [arg for arg in args if not arg.startswith("-") and arg not in _RUNNING and not _is_path(arg)]
    words = re.findall(r"[A-Z]?[a-z0-9]+", named[0]) if named else ["test"]
    return frozenset(word.lower().rstrip("s") for word in words)


def _package(words: Words) -> str:
    """`--filter web`, `--workspace=web`, `yarn workspace web test`."""
    for flag, value in pairwise(words):
        if flag in ("--filter", "-F", "--workspace", "-w", "workspace", "--scope", "--project"):
            return value
        if found := re.match(r"--(?:filter|workspace|scope|project)=(.+)", flag):
            return found[1]
    return ""


# Where repositories of many packages keep them.
_PART = pattern(r"/(?:packages|apps|libs|services|modules|crates|projects|plugins)/([^/]+)/")


_FOLDER_FLAGS = frozenset({"-C", "--prefix", "--cwd", "--dir", "--directory"})
_EVERYTHING = pattern(r"\b(?:check|checks|ci|verify|all|validate|precommit|pre-commit|preflight)\b")
_WHOLE = frozenset({".", "./", "./...", "...", "src", "tests", "test", "all", "*", "--"})
_RUNNING = frozenset({"npx", "bunx", "pnpx", "uvx", "pipx", "exec", "run", "x", "dlx", "-m", "-q", "tool"})
_TASKS = frozenset({"npm", "yarn", "pnpm", "bun", "make", "gmake", "just", "task", "rake", "mise", "nx", "turbo"})
_TASKS |= frozenset({"tox", "nox", "hatch", "poe", "invoke", "inv", "composer", "grunt", "gulp", "lerna", "moon"})
_PREFIXES = frozenset({"uv", "poetry", "pdm", "pipenv", "rye", "conda", "bundle", "docker", "podman", "kubectl"})
_PREFIXES |= frozenset({"python", "python3", "py", "node", "docker-compose", "xcrun", "rtk", "fvm"})
# What has one thing to say under several names.
_ALIKE = {"py.test": "pytest", "unittest": "pytest", "vue-tsc": "tsc", "gradlew": "gradle", "mvnw": "mvn"}
# A test of these builds what it tests.
_BUILDING = frozenset(
    {"go", "cargo", "mvn", "gradle", "dotnet", "swift", "sbt", "mix", "zig", "stack", "cabal", "dune"}
)
_BUILDING |= frozenset({"bazel", "lein", "gleam", "flutter", "dart", "xcodebuild", "forge", "rustc", "crystal", "nim"})


def _tool(words: Words) -> tuple[str, Words]:
    """The program that checks, and its arguments; no name where a task or a script of the project decides."""
    for number, word in enumerate(words[:8]):
        name = re.sub(r"(?<=[a-z])-?\d[\d.]*$", "", name_of(word))
        if name in _TASKS:
            rest = _behind(words[number + 1 :])
            return _tool(rest) if rest and name_of(rest[0]) in _KNOWN_TOOLS else ("", words[number + 1 :])
        if name in _KNOWN_TOOLS:
            return _ALIKE.get(name, name), words[number + 1 :]
        if not (name in _PREFIXES or word in _RUNNING or word.startswith("-")):
            return ("", words[number + 1 :]) if number == 0 else (_ALIKE.get(name, name), words[number + 1 :])
    return "", words[1:]


_KNOWN_TOOLS = names(
    """
    pytest py.test unittest nose2 jest vitest mocha ava playwright cypress karma rspec phpunit pest go cargo dotnet
    swift mvn mvnw gradle gradlew sbt mix tsc vue-tsc eslint mypy pyright ruff flake8 pylint rubocop phpstan psalm
    clippy golangci-lint ctest gcc g++ clang clang++ javac rustc webpack vite rollup esbuild next ng deno zig stack
    cabal dune flutter dart bazel xcodebuild svelte-check stylelint shellcheck biome py_compile compileall
    """
)


def _behind(words: Words) -> Words:
    while words and (words[0].startswith("-") or words[0] in _RUNNING):
        words = words[1:]
    return words


_NARROWING = frozenset(
    {"-k", "-t", "-run", "--run", "--filter", "--tests", "--test", "--grep", "-g", "-p", "--package"}
)
_NARROWING |= frozenset({"--only", "--testNamePattern", "--testPathPattern", "-e", "--example", "-m"})
_VALUED = frozenset(
    {"-n", "-j", "-c", "--config", "-o", "--project", "-W", "-timeout", "--timeout", "-count", "--reporter"}
)
_SUBCOMMANDS = frozenset(
    {"test", "build", "check", "run", "lint", "vet", "clippy", "compile", "nextest", "install", "t"}
)


def _scope(args: Words) -> Iterator[str]:
    skip = ""
    for arg in args:
        if skip:
            if skip in _NARROWING:
                yield arg
            skip = ""
        elif arg in _NARROWING or arg in _VALUED or arg in _FOLDER_FLAGS:
            skip = arg
        elif arg.startswith("-"):
            if re.match(r"--?(?:D?test|filter|tests|run|grep|testNamePattern|Dtest)=", arg):
                yield arg.partition("=")[2]
        elif arg not in _SUBCOMMANDS:
            yield arg


def _joined(folder: str, inside: str) -> str:
    if inside.startswith(("/", "~", "$")) or not folder:
        return inside.rstrip("/")
    return f"{folder}/{inside}".rstrip("/") if inside else folder


# --- relation ----------------------------------------------------------------------------------------------------


def _covers(new: Target, old: Target, failing: Sequence[str]) -> Cover:
    kind = _kind_covers(new, old)
    if kind is Cover.NO or _are_apart(new.folder, old.folder):
        return Cover.NO
    if new.tool and old.tool and new.tool != old.tool:
        return Cover.NO if new.kind is old.kind is Kind.TEST else Cover.PARTLY
    if bool(new.tool) != bool(old.tool):
        # A task of the project may run this very tool, or another.
        return min(kind, Cover.YES if not new.scope else Cover.PARTLY)
    if new.task != old.task:
        # `test:unit` and `test:e2e` are two things, and `test` may be either.
        apart = new.task - old.task and old.task - new.task
        return Cover.NO if apart else Cover.PARTLY
    return min(kind, _scope_covers(new.scope, old.scope, failing))


def _kind_covers(new: Target, old: Target) -> Cover:
    if new.kind is old.kind:
        return Cover.YES
    if new.everything or old.everything:
        return Cover.PARTLY
    if new.kind is Kind.TEST and old.kind in (Kind.BUILD, Kind.TYPES):
        return Cover.YES if new.tool in _BUILDING and new.tool == old.tool else Cover.NO
    if {new.kind, old.kind} == {Kind.BUILD, Kind.TYPES}:
        return Cover.PARTLY
    return Cover.NO


def _are_apart(one: str, other: str) -> bool:
    """Whether two folders are told and neither lies in the other."""
    if not one or not other or one == other:
        return False
    first, second = (path.strip("/").split("/") for path in (one, other))
    short, long = sorted((first, second), key=len)
    return long[: len(short)] != short and long[-len(short) :] != short


def _scope_covers(new: Sequence[str], old: Sequence[str], failing: Sequence[str]) -> Cover:
    if not new or tuple(new) == tuple(old):
        return Cover.YES
    if not old:
        named = [name for name in failing if any(_within(name, part) for part in new)]
        return Cover.YES if failing and len(named) == len(failing) else Cover.PARTLY
    if all(any(_within(part, other) for other in new) for part in old):
        return Cover.YES
    if any(_within(part, other) or _within(other, part) for part in old for other in new):
        return Cover.PARTLY
    # Two names of tests may mean the same; two paths that share nothing do not.
    return Cover.NO if all(map(_is_path, (*new, *old))) else Cover.PARTLY


def _within(name: str, part: str) -> bool:
    """Whether the path or name `name` lies in `part`."""
    name, part = (text.removeprefix("./").removesuffix("/...").rstrip("/") for text in (name, part))
    return name == part or name.startswith((f"{part}/", f"{part}::", f"{part}.", f"{part} ", f"{part}:"))


def _is_path(word: str) -> bool:
    return "/" in word or bool(re.search(r"\.\w{1,5}(?:::|:|$)", word))
