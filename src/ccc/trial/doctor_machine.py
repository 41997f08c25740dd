"""The doctor's look at the machine: variables, state folder, disk, terminal, Python.

Rule: as in doctor.py; the only thing written is one file in the state folder, which is gone before its name is known.
"""

from __future__ import annotations

import difflib
import fcntl
import os
import shlex
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.installation import PACKAGE
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude.variables import KEY_OF_ONE
from ccc.record import starts, switch
from ccc.trial.doctor import Finding, Level, Place, from_error, run

MEGABYTE = 2**20
LITTLE_SPACE, NO_SPACE = 200 * MEGABYTE, 20 * MEGABYTE
ELSEWHERE = run('export CCC_WORK_DIR="$HOME/.ccc" && mkdir -p -m 700 "$HOME/.ccc"')
# What a person sets, and what ccc sets itself for its hook.
VARIABLES = (
    *("CCC_CLAUDE", "CCC_CONFIG_DIR", "CCC_DEBUG", "CCC_FLEET_STORE", "CCC_LANG", "CCC_MACHINE", "CCC_SUPERVISOR"),
    "CCC_WORK_DIR",
)
OWN_VARIABLES = (
    "CCC_OUTCOME",
    "CCC_PROVIDER",
    "CCC_BELOW",
    "CCC_BROUGHT",
    "CCC_ENV_FILE",
    "CCC_ENV_KEY",
    "CCC_KEPT",
    "CCC_PROJECT",
    "CCC_PTY",
    "CCC_SERVED",
    "CCC_SHAPED",
    "CCC_STDERR",
    "CCC_STEERING",
    "CCC_PYTHONPATH",
    "CCC_SUPERVISOR_HOOK",
    "CCC_SUPERVISOR_PROMPT",
    "CCC_TASK",
)


def variables(place: Place) -> list[Finding]:
    inside = place.env.get("CLAUDECODE") == "1"  # then ccc's own variables belong here
    names = sorted(name for name in place.env if name.startswith("CCC_"))
    told = [finding for name in names for finding in _variable(name, place, inside)]
    return told or [Finding("variables", Level.OK, ", ".join(names) or msg("no CCC_… is set"))]


def _variable(name: str, place: Place, inside: bool) -> Iterator[Finding]:
    value = place.env[name]
    shown = one_line(value, 60)
    match name:
        case "CCC_SUPERVISOR_HOOK":
            text = msg("CCC_SUPERVISOR_HOOK is set: every hook takes its agent for a reviewer and lets it go")
            yield Finding("variables", Level.BROKEN, text, run(f"unset {name}"))
        case "CCC_PROVIDER" | "CCC_PTY" | "CCC_SUPERVISOR_PROMPT" if not inside:
            text = msg("{name} is for ccc's own use; in a shell it can lead a hook astray", name=name)
            yield Finding("variables", Level.WARNING, text, run(f"unset {name}"))
        case "CCC_SUPERVISOR" if value not in ("", "0", "1"):
            text = msg("CCC_SUPERVISOR={value} does not switch reviews on; only 1 does", value=shown)
            yield Finding("variables", Level.WARNING, text, run("export CCC_SUPERVISOR=1"))
        case "CCC_LANG" if value and not value.lower().startswith(("en", "zh")):
            text = msg("CCC_LANG={shown} is no language of ccc's; there is en and zh", shown=shown)
            yield Finding("variables", Level.WARNING, text, run("export CCC_LANG=en"))
        case "CCC_CONFIG_DIR" | "CCC_WORK_DIR" if value:
            yield from _folder_variable(name, value, place.cwd)
        case _ if name not in (*VARIABLES, *OWN_VARIABLES) and not name.startswith(KEY_OF_ONE):
            close = difflib.get_close_matches(name, VARIABLES, n=1)
            meant = msg("; did you mean {name}?", name=close[0]) if close else ""
            text = msg("{name} is no variable of ccc's{meant}", name=one_line(name, 40), meant=meant)
            yield Finding("variables", Level.WARNING, text, run(f"unset {shlex.quote(name)}"))


def _folder_variable(name: str, value: str, cwd: Path) -> Iterator[Finding]:
    path = Path(value).expanduser()
    shown = one_line(value, 200)
    if not path.is_absolute():
        text = msg("{name}={shown} means another folder wherever you are", name=name, shown=shown)
        yield Finding("variables", Level.WARNING, text, run(f"export {name}={shlex.quote(str(cwd / path))}"))
    elif path.exists() and not path.is_dir():
        yield Finding(
            "variables",
            Level.BROKEN,
            msg("{name}={shown} is not a folder", name=name, shown=shown),
            run(f"unset {name}"),
        )
    elif not path.exists():
        text = msg("{name}={shown} does not exist yet", name=name, shown=shown)
        yield Finding("variables", Level.WARNING, text, run(f"mkdir -p -m 700 {shlex.quote(str(path))}"))


def state_folder(place: Place) -> list[Finding]:
    folder = place.state
    if not folder.exists():
        return [_missing_state(folder)]
    found, quoted = folder.stat(), shlex.quote(str(folder))
    if not stat.S_ISDIR(found.st_mode):
        return [_bad_state(msg("{folder} is not a folder", folder=folder), run(f"mv {quoted} {quoted}.old"))]
    if found.st_uid != os.geteuid():
        return [_bad_state(msg("{folder} belongs to another user", folder=folder), ELSEWHERE)]
    if found.st_mode & 0o022:
        return [
            _bad_state(
                msg("others may write to {folder}, so ccc refuses it", folder=folder), run(f"chmod 700 {quoted}")
            )
        ]
    problem = _trial(folder)
    if problem:
        fix = run(f"chmod 700 {quoted}") if isinstance(problem, PermissionError) else ELSEWHERE
        return [_bad_state(msg("{folder} cannot be used ({strerror})", folder=folder, strerror=problem.strerror), fix)]
    forgetful = _memory(folder)
    if forgetful:
        return [from_error("state", forgetful)]
    if found.st_mode & 0o055:
        text = msg("others can look into {folder}, which holds what was said in sessions", folder=folder)
        return [Finding("state", Level.WARNING, text, run(f"chmod 700 {quoted}"))]
    return [
        Finding("state", Level.OK, msg("{folder} is yours alone, and locks work there", folder=folder)),
        *_off(place),
    ]


def _missing_state(folder: Path) -> Finding:
    above = next(each for each in folder.parents if each.exists())
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return Finding(
            "state", Level.OK, msg("{folder} is not there yet; the first supervised start makes it", folder=folder)
        )
    return _bad_state(
        msg("{folder} cannot be made: {above} is not a folder of yours", folder=folder, above=above), ELSEWHERE
    )


def _bad_state(text: str, fix: str) -> Finding:
    return Finding("state", Level.BROKEN, text, fix)


def _trial(folder: Path) -> OSError | None:
    """Write, lock and remove a file, as every Stop will; returns what went wrong."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".ccc-doctor-") as trial:
            trial.write(b"x" * 4096)
            trial.flush()
            fcntl.flock(trial.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error
    return None


def _memory(folder: Path) -> CccError | None:
    """What keeps a start from being kept in ccc's list, where anything stands in the place of its lock."""
    if not os.path.lexists(files.memory_lock(folder)):
        return None
    try:
        with files.remembering(folder, files.scratch_folder(folder)):
            return None
    except CccError as error:
        return starts.unkept(folder, error)


def _off(place: Place) -> Iterator[Finding]:
    try:
        off = switch.is_off(place.state, place.project, session_id="")
    except CccError:
        record = place.state / "off.json"
        text = msg("{record} cannot be read, so nobody knows whether reviews are off", record=record)
        yield Finding("switch", Level.BROKEN, text, run(f"rm {shlex.quote(str(record))}"))
        return
    if off:
        yield Finding(
            "switch", Level.WARNING, msg("reviews are off for {project}", project=place.project), run("ccc on")
        )


def disk(place: Place) -> list[Finding]:
    folder = next(each for each in (place.state, *place.state.parents) if each.exists())
    left = place.free(folder)
    text = msg("{left:,} MB free at {folder}", left=left // MEGABYTE, folder=folder)
    if left >= LITTLE_SPACE:
        return [Finding("disk", Level.OK, text)]
    level = Level.BROKEN if left < NO_SPACE else Level.WARNING
    return [Finding("disk", level, text, run("ccc clean --older-than 30d"))]


def terminal(place: Place) -> list[Finding]:
    term = place.env.get("TERM", "")
    if term in ("", "dumb") and sys.stdout.isatty():
        text = msg("TERM is {term}: claude's own screen needs more", term=term or msg("not set"))
        return [Finding("terminal", Level.WARNING, text, run("export TERM=xterm-256color"))]
    locale = place.env.get("LC_ALL") or place.env.get("LC_CTYPE") or place.env.get("LANG") or ""
    if not locale.lower().replace("-", "").endswith("utf8"):
        text = msg(
            "the locale {locale} is not UTF-8: words beyond ASCII may come out wrong", locale=locale or msg("(none)")
        )
        name = "LC_ALL" if place.env.get("LC_ALL") else "LC_CTYPE" if place.env.get("LC_CTYPE") else "LANG"
        return [Finding("terminal", Level.WARNING, text, run(f"export {name}=C.UTF-8"))]
    return [Finding("terminal", Level.OK, f"{term or 'no TERM'}, {locale}")]


def versions(python: Sequence[int] = sys.version_info[:3], library: str = msgspec.__version__) -> list[Finding]:
    shown = ".".join(map(str, python[:3]))
    if tuple(python[:2]) < (3, 11):
        fix = run(f"pipx install --python python3.11 {PACKAGE}")
        return [Finding("python", Level.BROKEN, msg("Python {shown} is too old; ccc needs 3.11", shown=shown), fix)]
    system = (
        "" if sys.platform == "linux" else msg("; no PDEATHSIG here: a killed ccc may leave a reviewer for a moment")
    )
    return [
        Finding(
            "python",
            Level.OK,
            msg("Python {shown}, msgspec {library}{system}", shown=shown, library=library, system=system),
        )
    ]
