"""Whether what ccc remembers is as ccc wrote it: a keyed checksum beside the words, the key in a file of its own.

Rule: shows a foreign hand and stops none, because whoever runs under the person's user can read the key as well; what
was written before there was a key is believed; looking never raises and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ccc.base import checksum, files, strictjson
from ccc.base.errors import CccError

FIELD = "seal"
KEY_BYTES = 32
LOCK_WAIT = 5.0


def sealed(content: Mapping[str, object], state: Path, scratch: Path) -> dict[str, object]:
    """The content with its checksum; the key is made where there is none."""
    bare = {name: value for name, value in content.items() if name != FIELD}
    return {**bare, FIELD: _checksum(bare, _made(state, scratch))}


def is_foreign(content: Mapping[str, object], state: Path, path: Path) -> bool:
    """Whether the content of this file is another's than ccc's."""
    key = key_of(state)
    if content.get(FIELD) is None:
        return key is not None and not _is_older(path, _key_path(state))
    return key is None or not fits(content, key)


def fits(content: Mapping[str, object], key: bytes) -> bool:
    """Whether the content has the checksum that this key gives it."""
    told = content.get(FIELD)
    bare = {name: value for name, value in content.items() if name != FIELD}
    return bool(told) and told == _checksum(bare, key)


def believed(content: Mapping[str, object], state: Path, path: Path) -> dict[str, object]:
    """The content without its checksum, for what is easily had anew: nothing where ccc has not sealed just this."""
    if FIELD not in content or is_foreign(content, state, path):
        return {}
    return {name: value for name, value in content.items() if name != FIELD}


def _key_path(state: Path) -> Path:
    return state / "state.key"


def _is_older(path: Path, key: Path) -> bool:
    """Whether the file was last touched before there was a key. Any other date could be set back."""
    try:
        return path.lstat().st_ctime_ns <= key.lstat().st_ctime_ns
    except OSError:  # taken away meanwhile
        return True


def key_of(state: Path) -> bytes | None:
    try:
        found = files.read_own(_key_path(state), limit=1024)
    except CccError:  # nothing that ccc wrote
        return None
    return found if found and len(found) >= KEY_BYTES else None


def _made(state: Path, scratch: Path) -> bytes:
    known = key_of(state)
    if known:
        return known
    path = _key_path(state)
    # Two that begin at once must end with one key, or each would take the other's seals for foreign.
    with files.locked(state / f"{path.name}.lock", wait=LOCK_WAIT):
        known = key_of(state)
        if known:
            return known
        if os.path.lexists(path):
            files.set_aside(path)
        made = os.urandom(KEY_BYTES).hex().encode()
        files.replace_own(path, made, scratch=scratch)
    return made


def _checksum(content: Mapping[str, object], key: bytes) -> str:
    """Over the values and not the bytes: a file that was only laid out anew says the same."""
    try:
        data = strictjson.dumps(strictjson.loads(strictjson.dumps(content)), sort_keys=True)
    except ValueError:  # nothing that ccc could have stored
        return ""
    return checksum.keyed(data, key)
