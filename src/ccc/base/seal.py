"""Whether what ccc remembers is as ccc wrote it: a keyed checksum beside the words, the key in a file of its own.

Rule: shows a foreign hand and stops none, because whoever runs under the person's user can read the key as well; what
was written before there was a key is believed; looking never raises and changes nothing. No date counts that anybody
can set: neither a file's own, nor that of the key's file, which any touch moves on; the key itself tells since when
there is one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ccc.base import checksum, files, strictjson
from ccc.base.errors import CccError

Content = Mapping[str, object]
Foreign = Callable[[Content, int | None], bool]  # whether a content, last changed then, is another's than ccc's

FIELD = "seal"
DATE = "sealed_at"
KEY_BYTES = 32
LOCK_WAIT = 5.0
# Between the seal and the end of the writing: a busy disk takes its time. So far back, and no further, can be put back
# what was true once.
WRITING_NS = 10 * 10**9


def sealed(content: Content, state: Path, scratch: Path) -> dict[str, object]:
    """The content with its checksum; the key is made where there is none."""
    bare = {name: value for name, value in content.items() if name != FIELD}
    return {**bare, FIELD: _checksum(bare, _made(state, scratch))}


def dated(content: Content, state: Path, scratch: Path) -> dict[str, object]:
    """Sealed with the moment, for what fills a file of its own: a copy that is put back later was changed later."""
    return sealed({**content, DATE: files.clock(scratch)}, state, scratch)


def is_foreign(content: Content, state: Path, changed: int | None = None) -> bool:
    """Whether the content is another's than ccc's; `changed` is when the kernel last saw its file change."""
    return foreign_to(state)(content, changed)


def foreign_to(state: Path) -> Foreign:
    """The same for many contents: the key is read once."""
    key = key_of(state)
    return lambda content, changed: _is_foreign(content, key, changed)


def _is_foreign(content: Content, key: bytes | None, changed: int | None) -> bool:
    if content.get(FIELD) is None:
        return key is not None and not _is_older(changed, key)
    return key is None or not fits(content, key) or _is_put_back(content, changed)


def fits(content: Content, key: bytes) -> bool:
    """Whether the content has the checksum that this key gives it."""
    told = content.get(FIELD)
    bare = {name: value for name, value in content.items() if name != FIELD}
    return bool(told) and told == _checksum(bare, key)


def believed(content: Content, state: Path) -> dict[str, object]:
    """The content without its checksum, for what is easily had anew: nothing where ccc has not sealed just this."""
    if FIELD not in content or is_foreign(content, state):
        return {}
    return {name: value for name, value in content.items() if name != FIELD}


def _key_path(state: Path) -> Path:
    return state / "state.key"


def _is_older(changed: int | None, key: bytes) -> bool:
    """Whether the file was last touched before there was a key. The moment is a part of the key: whoever writes another
    one there makes everything foreign that was sealed."""
    made = key.strip().rpartition(b".")[2] if b"." in key else b""
    return changed is not None and made.isdigit() and changed <= int(made)


def _is_put_back(content: Content, changed: int | None) -> bool:
    at = content.get(DATE)
    return isinstance(at, int) and changed is not None and changed > at + WRITING_NS


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
    with files.locked_once(state / f"{path.name}.lock", wait=LOCK_WAIT):
        known = key_of(state)
        if known:
            return known
        if os.path.lexists(path):
            files.set_aside(path)
        made = b"%s.%d" % (os.urandom(KEY_BYTES).hex().encode(), files.clock(scratch))
        files.replace_own(path, made, scratch=scratch)
    return made


def _checksum(content: Content, key: bytes) -> str:
    """Over the values and not the bytes: a file that was only laid out anew says the same."""
    try:
        data = strictjson.dumps(strictjson.loads(strictjson.dumps(content)), sort_keys=True)
    except ValueError:  # nothing that ccc could have stored
        return ""
    return checksum.keyed(data, key)
