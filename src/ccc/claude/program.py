"""Claude Code as a program: where it is, and what it knows.

Rule: asks the client for nothing but --help and --version, once for each file; nothing here reads its output stream.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from ccc.base import files, seal
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.base.messages import msg

# Commands of the client that a person may type after `ccc`; the client's own --help adds the ones it has today.
WELL_KNOWN_COMMANDS = frozenset(
    {"agents", "attach", "auth", "auto-mode", "config", "doctor", "import", "install", "logs", "mcp", "plugin"}
    | {"plugins", "purge", "rm", "setup-token", "stop", "update", "upgrade"}
)


SDK = "claude-agent-sdk"  # the package on PyPI, which brings a client along
CACHE_LIMIT = 2**20
CLIENTS_KEPT = 16
ASK_SECONDS = 30
# Older ones (2.0.76 and 2.1.77 were tried) drop a whole settings file, and a plugin's hooks, for one event they do not
# know: then not even the Stop hook in it is called.
STOP_FAILURE_SINCE = (2, 1, 78)
# 2.1.200 and 2.1.325 take the signed thinking of one provider out of what they send to another; 2.1.100 sends it, and
# the other one refuses the conversation.
OTHER_PROVIDER_SINCE = (2, 1, 200)
# A hook with `asyncRewake` is known from 2.1.69 on, but only a client that names the prompt of a Stop, and in its
# `sessions` folder the conversation that it is in, lets a late verdict be told from a timely one (2.1.200, 2.1.326).
WAKES_SINCE = (2, 1, 200)


class ClaudeNotFound(CccError):
    """No usable client."""


class Abilities(Struct, frozen=True):
    """What one client knows, asked of it once."""

    flags: tuple[str, ...]
    commands: tuple[str, ...]


def find(env: Mapping[str, str], *folders: Path) -> Path:
    """The client: CCC_CLAUDE, else PATH, unless it is of a project that one of the folders is in, else the one that
    comes with claude-agent-sdk."""
    named = env.get("CCC_CLAUDE")
    if named:
        return _named(named)
    import shutil

    on_path = shutil.which("claude", path=env.get("PATH", os.defpath))
    if on_path:
        return _outside_projects(Path(os.path.abspath(on_path)), folders)  # noqa: PTH100
    bundled = _bundled()
    if bundled:
        return bundled
    from ccc.base import installation  # no Stop pays for what only a missing client needs

    raise ClaudeNotFound(
        msg("claude is not on PATH"),
        msg("install Claude Code, or: {command}, or set CCC_CLAUDE", command=installation.adding(SDK)),
    )


def project_directory(cwd: Path) -> Path:
    """The nearest folder with .git, else the working directory."""
    return next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)


def abilities(client: Path, cache: Path, env: Mapping[str, str]) -> Abilities:
    """Flags and commands of this very file, remembered until it changes."""
    key = _key(client)
    known = _remembered(cache, key)
    if known is None:
        known = parse_help(_ask(client, "--help", env))
        if not known.flags:  # a client that cannot say what it knows must not be run without what it needs
            raise ClaudeNotFound(
                msg("{path} --help names no options", path=client), msg("reinstall Claude Code or set CCC_CLAUDE")
            )
        _remember(cache, key, asdict(known))
    return known


def remembered_abilities(client: Path, cache: Path) -> Abilities | None:
    """What every start goes by; None where this very file has not been asked yet."""
    return _remembered(cache, _key(client))


def tells_failures(client: Path, cache: Path, env: Mapping[str, str]) -> bool:
    """Whether this client calls a hook when the API has ended a turn."""
    return version(told_version(client, cache, env)) >= STOP_FAILURE_SINCE


def wakes(client: Path, cache: Path, env: Mapping[str, str]) -> bool:
    """Whether this client lets a Stop hook go on in the background, and the agent be woken by it."""
    return version(told_version(client, cache, env)) >= WAKES_SINCE


def changes_provider(said: str) -> bool:
    """Whether a client that calls itself so can go on with another provider in the same session."""
    return version(said) >= OTHER_PROVIDER_SINCE


def told_version(client: Path, cache: Path, env: Mapping[str, str]) -> str:
    """What `--version` says; remembered like its abilities."""
    key = f"{_key(client)}|version"
    known = _content(_read(cache), cache).get(key)
    if not isinstance(known, str):
        known = _ask(client, "--version", env)[:VERSION_LENGTH]
        _remember(cache, key, known)
    return known


def remembered(client: Path, cache: Path, what: str, find: Callable[[], object]) -> object:
    """What this very file has once answered; None is no answer."""
    key = f"{_key(client)}|{what}"
    known = _content(_read(cache), cache).get(key)
    if known is None and (known := find()) is not None:
        _remember(cache, key, known)
    return known


VERSION_LENGTH = 100


def version(said: str) -> tuple[int, ...]:
    """What `--version` says, to be compared; () when that is nothing of the kind."""
    found = re.match(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", said.strip())
    return tuple(map(int, found.groups())) if found else ()


def _key(client: Path) -> str:
    stat = client.stat()
    return f"{client}|{stat.st_size}|{stat.st_mtime_ns}"


def parse_help(text: str) -> Abilities:
    options, _, commands = text.partition("\nCommands:")
    flags = re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]*)", "\n".join(_option_heads(options)), re.IGNORECASE)
    names = re.findall(r"^  ([a-z][\w|-]*)", commands, re.MULTILINE)
    return Abilities(
        flags=tuple(dict.fromkeys(flags)),
        commands=tuple(dict.fromkeys(word for name in names for word in name.split("|"))),
    )


def _named(named: str) -> Path:
    path = Path(named).expanduser()
    if path.is_file() and os.access(path, os.X_OK):
        return Path(os.path.abspath(path))  # noqa: PTH100
    raise ClaudeNotFound(
        msg("CCC_CLAUDE is {path}, which is no program that can be run", path=f"{named!r}"),
        msg("correct it or unset it"),
    )


def _outside_projects(client: Path, folders: Iterable[Path]) -> Path:
    projects = [project_directory(folder) for folder in folders]
    places = [*projects, *(project.resolve() for project in projects)]
    for candidate in (client, client.resolve()):
        if any(candidate.is_relative_to(place) for place in places):
            raise ClaudeNotFound(
                msg(
                    "PATH finds claude inside this project ({client}), which the project could have put there",
                    client=client,
                ),
                msg("if you mean it: export CCC_CLAUDE={client}", client=client),
            )
    return client


def _bundled() -> Path | None:
    from importlib.util import find_spec

    spec = find_spec("claude_agent_sdk")  # finds the folder; importing the package takes a second
    for folder in spec.submodule_search_locations or [] if spec else []:
        client = Path(folder) / "_bundled" / "claude"
        if os.access(client, os.X_OK):
            return client
    return None


def _ask(client: Path, flag: str, env: Mapping[str, str]) -> str:
    from ccc.base import process  # asked once per client; no Stop pays for it

    told = {"client": client, "flag": flag}
    try:
        ended, said = process.answer(process.Command((str(client), flag), env, Path()), ASK_SECONDS)
    except process.CannotStart as error:
        raise ClaudeNotFound(
            msg("{client} {flag} does not answer ({error})", error=error, **told), msg("reinstall Claude Code")
        ) from None
    if ended.reason is not process.Reason.EXITED:
        silent = msg("{client} {flag} does not answer within {seconds} seconds", seconds=ASK_SECONDS, **told)
        raise ClaudeNotFound(silent, msg("reinstall Claude Code"))
    return said.decode("utf-8", "replace")


def _option_heads(text: str) -> Iterator[str]:
    """The part of each option line before its description; descriptions mention flags of other commands."""
    for line in text.splitlines():
        if re.match(r"  (-\w, )?--\w", line):
            yield re.split(r"\s{2,}", line.strip())[0]


def _remembered(cache: Path, key: str) -> Abilities | None:
    found = _content(_read(cache), cache).get(key)
    try:
        return Abilities(tuple(found["flags"]), tuple(found["commands"])) if found else None
    except (KeyError, TypeError):
        return None


def _read(cache: Path) -> bytes | None:
    try:
        return files.read_own(cache, limit=CACHE_LIMIT)
    except CccError:  # a memory that cannot be read is an empty one
        return None


def _content(data: bytes | None, cache: Path) -> dict[str, Any]:
    """What ccc itself wrote down: an agent could have its reviewer started without what keeps it from edits."""
    import json

    try:
        stored = json.loads(data or b"{}")
    except (ValueError, RecursionError):  # as above
        return {}
    return seal.believed(stored, cache.parent) if isinstance(stored, dict) else {}


def _remember(cache: Path, key: str, known: object) -> None:
    import json

    def with_this(data: bytes | None) -> bytes:
        others = dict(list(_content(data, cache).items())[-CLIENTS_KEPT:])
        sealed = seal.sealed({**others, key: known}, cache.parent, scratch_folder(cache.parent))
        return json.dumps(sealed, indent=1).encode()

    try:
        files.update_own(cache, with_this, limit=CACHE_LIMIT, scratch=scratch_folder(cache.parent))
    except CccError:  # a read-only home costs one more question next time
        return
