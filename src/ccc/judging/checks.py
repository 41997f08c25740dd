"""Checks that ccc runs itself: done is what a command proves, not what a sentence says.

Rule: which checks a project has is read from the user's ccc.json, never from the project; a check's process belongs to
process.py; a pass is remembered for exactly the files it was seen with, as the kernel tells them and not git, whose
index and ignore rules the agent may write. Nothing of the project runs here but the checks.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ccc.base import documents, files, jsontext, seal
from ccc.base.documents import Json
from ccc.base.errors import CccError, Misuse
from ccc.base.files import scratch_folder
from ccc.base.messages import Message, msg, said
from ccc.base.text import heard, one_line
from ccc.claude.variables import is_identity
from ccc.model import Check, Ran
from ccc.providers import config
from ccc.providers.config import Bare, Config, ConfigError

if TYPE_CHECKING:
    from ccc.base.process import Ended

OUTPUT_KEPT = 16_000
OUTPUT_SHOWN = 3_000
LINES_SHOWN = 20
FILES_LOOKED_AT = 50_000
CONTENT_LOOKED_AT = 200_000_000  # bytes of what is on no disk
# What tools fill by the ten thousand and nobody edits; git's objects change only together with its refs or index.
PASSED_OVER = frozenset({"node_modules", "__pycache__", ".venv", ".pytest_cache", ".mypy_cache", ".ruff_cache"})
OBJECTS = "objects"


class Interrupted(Exception):
    """The person or the client wants an end, not a result."""


def of_project(conf: Config, *folders: Path) -> tuple[Check, ...]:
    """The project's checks as the user set them, for whichever of its folders."""
    return tuple(dict.fromkeys(check for each in folders for check in _listed(conf, conf.checks, each)[1]))


def _listed(conf: Config, checks: Json, project: Path) -> tuple[str, tuple[Check, ...]]:
    """How the project is written there, and its checks."""
    name, path = conf.spelling(checks, project), conf.path
    given = checks.get(name, [])
    if not isinstance(given, list):
        raise ConfigError(
            msg("{path}: checks.{project} must be a list", path=path, project=project), msg("see: ccc checks add")
        )
    return name, tuple(_check(item, project, path) for item in given)


def add(conf: Config, project: Path, check: Check) -> None:
    if not check.command.strip() or config.UNSAYABLE.search(check.command):
        raise Misuse(msg("a check needs a command, such as: ccc checks add 'pytest -q'"))
    config.edit(conf.path, lambda text: _with_check(text, conf, project, check))


def remove(conf: Config, project: Path, command: str) -> None:
    config.edit(conf.path, lambda text: _without_check(text, conf, project, command))


class Runner(Struct, frozen=True):
    """Runs a project's checks."""

    project: Path
    state: Path
    bare: Bare
    deadline: float  # monotonic
    hangup_fd: int | None = None
    caller: int | None = None  # who waits for the answer: nobody else interrupts

    def each(self, checks: Sequence[Check]) -> Iterator[Ran]:
        """All of them, whatever was seen before."""
        return map(self._one, checks)

    def run(self, checks: Sequence[Check]) -> tuple[Ran, ...]:
        """Up to the first that fails; one that cannot be run proves nothing, and the others still may."""
        done: list[Ran] = []
        seen = fingerprint(self.project)
        for check in checks:
            known = seen is not None and _passed(self.state, self.project).get(check.command) == seen
            done.append(Ran(check, 0, again=False, folder=str(self.project)) if known else self._one(check))
            if done[-1].failed:
                break
            if not known:
                before, seen = seen, fingerprint(self.project)
                # What somebody else wrote while it ran it may not have seen.
                if done[-1].passed and seen == before:
                    _remember(self.state, self.project, check.command, seen)
        return tuple(done)

    def _one(self, check: Check) -> Ran:
        kept, begun = bytearray(), time.monotonic()

        def keep(data: bytes) -> bool:
            kept.extend(data)
            del kept[:-OUTPUT_KEPT]
            return False

        left = max(1.0, min(check.timeout, self.deadline - begun))
        ended = self._process(check, keep, left)
        output = heard(kept, OUTPUT_KEPT)
        seconds = time.monotonic() - begun
        code = ended.exit_code if ended.reason.name == "EXITED" else None
        why = "" if code is not None else msg("{why} ({seconds:.0f} s)", why=ended.reason.told, seconds=left)
        return Ran(check, code, output, seconds, why=why, folder=str(self.project))

    def _process(self, check: Check, on_output: Callable[[bytes], bool], seconds: float) -> Ended:
        # Here, because most Stops have no check to run.
        from ccc.base import process
        from ccc.base.process import Command, Limits, Reason

        limits = Limits(deadline_seconds=seconds, idle_seconds=seconds)
        argv = ("/bin/sh", "-c", 'exec /bin/sh -c "$1" 2>&1', "sh", check.command)
        command = Command(argv, _environment(self.bare(check.command)), self.project)
        ended = process.run(command, on_output=on_output, limits=limits, hangup_fd=self.hangup_fd, caller=self.caller)
        if ended.reason is Reason.BROKEN_OFF:
            raise CccError(ended.reason.told)
        if ended.reason in (Reason.HUNG_UP, Reason.INTERRUPTED):
            raise Interrupted
        return ended


def feedback(ran: Ran, lang: str) -> str:
    """What the agent is told of a check that did not pass."""
    end = ran.output.strip()[-OUTPUT_SHOWN:]
    code = ran.why or msg("exit code {code}", code=ran.code)
    named = {"command": ran.check.command, "folder": _folder(ran), "code": code}
    if not end:
        told = msg(
            "ccc ran the check `{command}` in {folder}; it did not pass ({code}) and wrote nothing."
            " Mend the cause, do not work around the check.",
            **named,
        )
        return said(told, lang)
    told = msg(
        "ccc ran the check `{command}` in {folder}; it did not pass ({code})."
        " Mend the cause, do not work around the check. The end of its output:",
        **named,
    )
    return f"{said(told, lang)}\n\n{end}"


def likeness(feedback: str) -> str:
    """Equal for the same failure: numbers (seconds, ports, process ids) differ from run to run."""
    return _digest(re.sub(r"[0-9]+", "0", feedback).encode("utf-8", "replace"))[:24]


def facts(ran: Sequence[Ran], lang: str) -> list[str]:
    """One line for the reviewer about each check that passed or could not be run."""
    return [said(_fact(each), lang) for each in ran if each.passed or each.impossible]


def _fact(ran: Ran) -> Message:
    if ran.passed:
        return msg(
            "ccc ran it itself in {folder}, and it passed there: `{command}`",
            folder=_folder(ran),
            command=ran.check.command,
        )
    return msg(
        "ccc could not run the check `{command}` in {folder} (exit code {code}: {words}); it proves nothing either way",
        command=ran.check.command,
        folder=_folder(ran),
        code=ran.code,
        words=last_line(ran),
    )


def _folder(ran: Ran) -> str:
    """By a name that the agent can have chosen."""
    return one_line(ran.folder, 1000)


def told(ran: Ran) -> Iterator[str]:
    """For the person who tries it: a line, and the end of what a failed one has said."""
    from ccc.record.words import took  # in here, because no Stop needs it

    taken = took(ran.seconds)
    if ran.passed:
        yield msg("passed: {command} ({seconds})", command=ran.check.command, seconds=taken)
        return
    code = ran.why or msg("exit code {code}", code=ran.code)
    yield msg("did not pass: {command} ({code}, {seconds})", command=ran.check.command, code=code, seconds=taken)
    yield from (f"  {line}" for line in ran.output.strip()[-OUTPUT_SHOWN:].splitlines()[-LINES_SHOWN:])


def cannot_run(ran: Ran) -> Message:
    """For the person, who alone can mend it."""
    import shlex  # in here, because hardly any Stop needs it

    return msg(
        "the check `{command}` cannot be run here (exit code {code}: {words});"
        " mend it, or type: ccc checks remove {quoted}",
        command=ran.check.command,
        code=ran.code,
        words=last_line(ran),
        quoted=shlex.quote(ran.check.command),
    )


def last_line(ran: Ran) -> str:
    """The last thing that it said."""
    lines = ran.output.strip().splitlines()
    return one_line(lines[-1], 200) if lines else msg("no output")


def _with_check(text: str, conf: Config, project: Path, check: Check) -> str:
    name, known = _known(text, conf, project)
    text = _without_items(text, name, [number for number, each in enumerate(known) if each == check.command])
    place = len(known) - known.count(check.command)
    value = {"command": check.command, "timeout": check.timeout}
    return jsontext.set_value(text, ("checks", name, place), value)


def _without_check(text: str, conf: Config, project: Path, command: str) -> str:
    name, known = _known(text, conf, project)
    if command not in known:
        raise Misuse(
            msg("{project} has no check {command}", project=project, command=f"{command!r}"),
            msg("it has: {names}", names="; ".join(known) or msg("none")),
        )
    if set(known) == {command}:
        return jsontext.remove(text, ("checks", name))
    return _without_items(text, name, [number for number, each in enumerate(known) if each == command])


def _known(text: str, conf: Config, project: Path) -> tuple[str, list[str]]:
    """How the project is written there, and the commands of its checks."""
    name, known = _listed(conf, config.part(text, "checks", conf.path), project)
    return name, [each.command for each in known]


def _without_items(text: str, name: str, numbers: Sequence[int]) -> str:
    for number in reversed(numbers):
        text = jsontext.remove(text, ("checks", name, number))
    return text


def _check(item: object, project: Path, path: Path) -> Check:
    item = item if isinstance(item, dict) else {}
    command = item.get("command")
    if isinstance(command, str) and command.strip() and not config.UNSAYABLE.search(command):
        timeout = item.get("timeout", Check("").timeout)
        if isinstance(timeout, int) and not isinstance(timeout, bool) and timeout > 0:
            return Check(command, timeout)
    raise ConfigError(
        msg(
            '{path}: checks.{project} needs entries like {{"command": "pytest -q", "timeout": 300}}',
            path=path,
            project=project,
        )
    )


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    """A check is the project's code: it gets no key, and does not think that it runs inside the client."""
    return {key: value for key, value in env.items() if not is_identity(key) and not re.match("CLAUDE|CCC_", key)}


def fingerprint(project: Path) -> str | None:
    """What the project's files are now, of which any later write tells; None when that cannot be told: too many of
    them, a folder elsewhere, or one that changes meanwhile."""
    from ccc.base import mapped  # in here, because most Stops have no check to run

    seen, look = [], _Look(mapped.kinds(), CONTENT_LOOKED_AT)
    try:
        for path, stamps in _everything(project, look):
            seen.append((os.fsencode(path), *stamps))
            if len(seen) > FILES_LOOKED_AT:
                return None
    except _Untold:
        return None
    return _digest(repr(seen).encode())


class _Untold(Exception):
    """Nobody could say what has changed here: behind a link to what is not walked, or in a file that is not at rest."""


def _untold(error: OSError) -> None:
    """Of a folder that cannot be listed, or is gone by now."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise _Untold


Stamp = tuple[object, ...] | None


class _Look(Struct):
    """At each file of one walk."""

    kinds: Mapping[int, str]  # of the devices
    room: int

    def at(self, path: Path) -> tuple[Stamp, Stamp]:
        """The file, and what a link leads to. A date can be set back, but not that of the inode."""
        own = _found(path.lstat)
        led = _found(path.stat) if own and stat.S_ISLNK(own.st_mode) else None
        return self._stamp(path, own), self._stamp(path, led)

    def _stamp(self, path: Path, found: os.stat_result | None) -> Stamp:
        if found is None or not stat.S_ISREG(found.st_mode):
            return _dated(found) if found else None
        try:
            return *_dated(found), self._beside_its_date(path, found)
        except PermissionError:  # no check can read it either
            return _dated(found)
        except OSError:
            raise _Untold from None

    def _beside_its_date(self, path: Path, found: os.stat_result) -> str:
        from ccc.base import mapped

        kind = self.kinds.get(found.st_dev, "")
        if kind in mapped.DISKLESS:
            self.room -= found.st_size
            if self.room < 0:
                raise _Untold
            return _digest(mapped.content(path, found.st_size))
        if mapped.may_be_behind(found):
            mapped.write_out(path, kind)
            if _dated(path.stat()) != _dated(found):
                raise _Untold
        return ""


def _everything(project: Path, look: _Look) -> Iterator[tuple[Path, tuple[object, ...]]]:
    for top in (project, *_git_folder(project)):
        for place, folders, names in os.walk(top, onerror=_untold):
            here = Path(place)
            linked = [name for name in folders if (here / name).is_symlink()]
            if not all(_is_walked(here / name, project) for name in linked):
                raise _Untold
            installed = (path for name in sorted(PASSED_OVER & {*folders}) for path in _of_packages(here / name))
            yield from ((path, look.at(path)) for path in installed)
            folders[:] = sorted(name for name in folders if not _is_passed_over(here / name, project))
            # By its mode: its date tells of files in it that are passed over, too.
            yield from ((here / name, _mode(here / name)) for name in folders)
            yield from ((here / name, look.at(here / name)) for name in sorted((*names, *linked)))


def _is_passed_over(folder: Path, project: Path) -> bool:
    return folder.name in PASSED_OVER or (folder.name == OBJECTS and _is_of_git(folder.parent, project))


def _is_of_git(folder: Path, project: Path) -> bool:
    """Whether git keeps its objects there: below a `.git`, as that of a worktree or a submodule is, too."""
    within = folder.relative_to(project) if folder.is_relative_to(project) else folder
    return ".git" in within.parts and (folder / "HEAD").is_file() and (folder / "refs").is_dir()


def _of_packages(passed_over: Path) -> Iterator[Path]:
    """What tells of a folder that is not walked when a package was put there or taken away."""
    if passed_over.name == "node_modules":
        yield from (passed_over, passed_over / ".package-lock.json")
    if passed_over.name == ".venv":
        yield from sorted(passed_over.glob("lib*/python*/site-packages"))


def _is_walked(link: Path, project: Path) -> bool:
    """Whether what it leads to is in the project, and passed over only where the link is."""
    led, top = Path(os.path.realpath(link)), Path(os.path.realpath(project))
    if not led.is_relative_to(top):
        return False
    above = (led, *led.parents)[: len(led.parts) - len(top.parts)]
    return link.name in PASSED_OVER or not any(_is_passed_over(each, top) for each in above)


def _git_folder(project: Path) -> Iterator[Path]:
    """Where HEAD and index of a worktree or a submodule stand, and its branches; a plain `.git` is walked with the
    project."""
    try:
        pointer = files.read_text(project / ".git", limit=4096) or ""
    except CccError:  # a folder, or nothing that git could read
        return
    if pointer.startswith("gitdir:"):
        own = project / pointer.removeprefix("gitdir:").strip()
        yield own
        with suppress(CccError):
            shared = files.read_text(own / "commondir", limit=4096)
            yield from (own / shared.strip() / name for name in ("refs", "reftable")) if shared else ()


def _mode(folder: Path) -> tuple[int, int] | tuple[()]:
    """With when it was moved, if nothing has been put into it since: as one that was exchanged, and then back."""
    found = _found(folder.lstat)
    moved = found.st_ctime_ns if found and found.st_ctime_ns != found.st_mtime_ns else 0
    return (found.st_mode, moved) if found else ()


def _dated(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _found(look: Callable[[], os.stat_result]) -> os.stat_result | None:
    try:
        return look()
    except OSError:  # gone meanwhile, or a link into nowhere
        return None


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _record(state: Path, project: Path) -> Path:
    return state / f"passed-{_digest(os.fsencode(project))[:24]}.json"


def _passed(state: Path, project: Path) -> dict[str, object]:
    try:
        return _content(files.read_own(_record(state, project), limit=documents.FILE_LIMIT), state)
    except CccError:  # then it is run again
        return {}


def _content(data: bytes | None, state: Path) -> dict[str, object]:
    """What ccc itself wrote down: the agent could write that a check has passed."""
    try:
        stored = json.loads(data or b"{}")
    except (ValueError, RecursionError):  # as above
        return {}
    return seal.believed(stored, state) if isinstance(stored, dict) else {}


def _remember(state: Path, project: Path, command: str, seen: str | None) -> None:
    def with_this(data: bytes | None) -> bytes:
        known = _content(data, state) | {command: seen}
        return json.dumps(seal.sealed(known, state, scratch_folder(state))).encode()

    try:
        files.update_own(
            _record(state, project),
            with_this,
            limit=documents.FILE_LIMIT,
            scratch=scratch_folder(state),
        )
    except CccError:  # then it is run again
        return
