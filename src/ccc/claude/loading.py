"""Whether the client loads a document of settings: for one value that it does not like it drops all of them.

Rule: ccc knows by itself only a few values that every client takes; about any other the client is asked, in an empty
folder and with nothing of the person's, and its answer is remembered until either changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ccc.base import checksum, files, handed
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.claude import program
from ccc.claude.settings import spelt

SECONDS = 30
# A variable by which the client says that it has heard of it, and what it then says.
_MARK, _HEARD = {"CLAUDE_CODE_USE_BEDROCK": "1"}, b'"bedrock"'
_ASKING = {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_AUTH_TOKEN": "none",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}


def rejected(client: Path, settings: Json, cache: Path, env: Mapping[str, str]) -> list[str] | None:
    """The names that make the client drop all of them; None when nobody can tell."""
    if loads(client, settings, cache, env):
        return []
    alone = {key: loads(client, {key: value}, cache, env) for key, value in settings.items()}
    return [key for key, answer in alone.items() if answer is False] or (None if None in alone.values() else [*alone])


def loads(client: Path, settings: Json, cache: Path, env: Mapping[str, str]) -> bool | None:
    if all(key in _TAKEN and _TAKEN[key](value) for key, value in settings.items()):
        return True
    whole = document(settings)
    if not _is_env(settings.get("env", {})) or "auth" not in program.abilities(client, cache, env).commands:
        return None
    answer = program.remembered(
        client, cache, f"loads {checksum.of(whole)}", lambda: asked(client, whole, cache.parent, env)
    )
    return answer if isinstance(answer, bool) else None


def reads_memory(client: Path, cache: Path, env: Mapping[str, str]) -> bool:
    """Whether it takes a document that is no file. Some look where its link leads, and find nothing there (2.1.200);
    one that cannot be asked is older, and does."""
    if not handed.has_memory():
        return False
    try:
        can_be_asked = "auth" in program.abilities(client, cache, env).commands
    except CccError:  # told by whoever needs to know
        return True
    return (
        not can_be_asked
        or program.remembered(client, cache, "reads memory", lambda: _reads(client, cache, env)) is True
    )


def _reads(client: Path, cache: Path, env: Mapping[str, str]) -> bool:
    return asked(client, document({}), cache.parent, env) is True


def document(settings: Json) -> bytes:
    """These settings with the mark."""
    return spelt({**settings, "env": _MARK})


def asked(client: Path, whole: bytes, state: Path, env: Mapping[str, str]) -> bool | None:
    """`auth status` starts no hook, no helper and no server, and needs no network."""
    import tempfile  # no known value pays for it

    scratch = scratch_folder(state)
    files.private_directory(scratch)
    fd = handed.document("ccc-asks", whole)  # it may hold a secret
    try:
        with tempfile.TemporaryDirectory(prefix="asks-", dir=scratch) as folder:
            path = Path(folder) / "asked.json"
            if fd is None:
                path.write_bytes(whole)
            bare = {"PATH": env.get("PATH", ""), "HOME": folder, "CLAUDE_CONFIG_DIR": folder, **_ASKING}
            words = ("--settings", str(path) if fd is None else handed.place(fd), "auth", "status", "--json")
            said = _answer((str(client), *words), bare, folder)
    finally:
        if fd is not None:
            os.close(fd)
    return _HEARD in said if b'"apiProvider"' in said else None


def _answer(words: Sequence[str], env: Mapping[str, str], folder: str) -> bytes:
    from ccc.base import process

    try:
        return process.answer(process.Command(tuple(words), env, Path(folder)), SECONDS)[1]
    except process.CannotStart:  # then nobody can tell
        return b""


def _is_env(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str | int | float) for each in value.values())


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_days(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 36_500


def _is_permissions(value: object) -> bool:
    return isinstance(value, dict) and all(
        key in ("allow", "deny", "ask", "additionalDirectories") and _is_list(each) for key, each in value.items()
    )


# Held against the client in tests/claude/test_loading.py.
_TAKEN: Mapping[str, Callable[[object], bool]] = {
    "env": _is_env,
    "permissions": _is_permissions,
    "model": _is_text,
    "outputStyle": _is_text,
    "apiKeyHelper": _is_text,
    "includeCoAuthoredBy": _is_switch,
    "alwaysThinkingEnabled": _is_switch,
    "disableAllHooks": _is_switch,
    "enableAllProjectMcpServers": _is_switch,
    "cleanupPeriodDays": _is_days,
}
