"""The bytecode of many modules in one file: to find, open and check two hundred of them takes a tenth of a Stop.

Rule: a module comes from here only as long as its source is the one that was compiled, by the sign that Python itself
goes by, its date and size; all that is in doubt is loaded as ever. The file stands beside ccc's own bytecode, so
whoever can change it can change ccc.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader, spec_from_file_location

# Not from typing: nothing is loaded here that others could have from this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from _frozen_importlib import ModuleSpec
    from collections.abc import Callable
    from pathlib import Path
    from types import CodeType
    from typing import TypeAlias

    Sign: TypeAlias = tuple[int, int]  # the date of a file, and its size
    Taken: TypeAlias = tuple[str, Sign, bool, bytes]  # where its source is, the sign of that, a package?, its bytecode
    # The same with the place of the bytecode in the file and its length, which is 0 where Python goes by another sign.
    Kept: TypeAlias = tuple[str, Sign, bool, int, int]

FORMAT = 2  # of our file; of another one nothing is read
LIMIT = 16_000_000
_HEADER = 16  # of the bytecode that Python keeps
_FRONT = 8  # the length of the list that comes first in our file

_shelf: _Shelf | None = None


class _Shelf:
    """Finds modules before Python looks for them; says of any other that it knows of none."""

    def __init__(self, kept: dict[str, Kept], fd: int = -1, begin: int = 0) -> None:
        self.kept, self._fd, self._begin = kept, fd, begin
        self._file = _identity(fd)
        self.others = frozenset(sys.modules)  # they came before, and are no matter of this file

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        kept = self.kept.get(name)
        if kept is None or not kept[4] or _sign(kept[0]) != kept[1]:
            return None
        source, _, is_package, at, length = kept
        inside = [os.path.dirname(source)] if is_package else None  # noqa: PTH120  (pathlib is an import)
        loader = _Loader(name, source)
        try:
            loader.code = self._code(at, length)
        except OSError:  # somebody has closed all that was open, and may have opened something else
            return None
        return spec_from_file_location(name, source, loader=loader, submodule_search_locations=inside)

    def leaves_to_python(self, name: str) -> bool:
        """Whether only Python can tell if its bytecode is good, which is known already."""
        kept = self.kept.get(name)
        return kept is not None and not kept[4] and _sign(kept[0]) == kept[1]

    def everything(self) -> dict[str, Taken]:
        return {name: (*about, self._code(at, length)) for name, (*about, at, length) in self.kept.items()}  # type: ignore[misc]

    def _code(self, at: int, length: int) -> bytes:
        if _identity(self._fd) != self._file:
            raise OSError("another file has its number")
        return os.pread(self._fd, length, self._begin + at)


class _Loader(SourceFileLoader):
    code: bytes

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            made = marshal.loads(self.code)
        except (EOFError, ValueError, TypeError, MemoryError):
            return super().get_code(fullname)
        return made if isinstance(made, _CODE) else super().get_code(fullname)


_CODE = type(_Loader.get_code.__code__)


def use() -> None:
    """From here on modules come from the file, as far as it has them."""
    global _shelf
    if _shelf is None:
        _shelf = _opened(place())
        sys.meta_path.insert(0, _shelf)


def keep(put: Callable[[Path, bytes], None]) -> None:
    """Have `put` write down for the next run what had to be looked for; without a place, or leave, that is all."""
    path = place()
    if _shelf is None or path is None or sys.dont_write_bytecode or not os.access(os.path.dirname(path), os.W_OK):  # noqa: PTH120
        return
    try:
        new = {name: taken for name in _looked_for(_shelf) if (taken := _taken(name))}
        if new:
            _put_beside(path, new, put)
    except Exception:  # of use to the next run, and no matter of this one
        return


def _put_beside(path: str, new: dict[str, Taken], put: Callable[[Path, bytes], None]) -> None:
    from pathlib import Path

    data = _written({**_opened(path).everything(), **new})
    put(Path(path), data if len(data) <= LIMIT else _written(new))


def place() -> str | None:
    """Where this Python keeps the bytecode of this file, if it does. A hook is isolated, and a command that is typed is
    not: each would find the other's modules of no use to it, and write its own in their place."""
    cached = globals().get("__cached__")
    return f"{cached}.{'isolated' if sys.flags.safe_path else 'typed'}.modules" if cached else None


def _written_by() -> tuple[object, ...]:
    return (FORMAT, MAGIC_NUMBER, sys.version, sys.flags.optimize, tuple(sys.path))


def _identity(fd: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _opened(path: str | None) -> _Shelf:
    """Nothing is on it if the file is not of this very Python, or would take the place of a closed stream."""
    try:
        fd = os.open(path or "", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return _Shelf({})
    try:
        length = int.from_bytes(os.pread(fd, _FRONT, 0), "little")
        by, kept = marshal.loads(os.pread(fd, min(length, LIMIT), _FRONT))
        if fd > 2 and by == _written_by() and isinstance(kept, dict):
            return _Shelf(kept, fd, _FRONT + length)
    except (OSError, EOFError, ValueError, TypeError):
        pass
    os.close(fd)
    return _Shelf({})


def _written(taken: dict[str, Taken]) -> bytes:
    """The list, and behind it the bytecode of which it tells the places."""
    places: dict[str, object] = {}
    at = 0
    for name, (source, sign, is_package, code) in taken.items():
        places[name] = (source, sign, is_package, at, len(code))
        at += len(code)
    front = marshal.dumps((_written_by(), places))  # type: ignore[arg-type]
    return b"".join((len(front).to_bytes(_FRONT, "little"), front, *(each[-1] for each in taken.values())))


def _looked_for(shelf: _Shelf) -> list[str]:
    """What came since from files of its own."""
    since = {
        name: getattr(module, "__spec__", None) for name, module in sys.modules.items() if name not in shelf.others
    }
    return [
        name
        for name, spec in since.items()
        if spec and type(spec.loader) is SourceFileLoader and not shelf.leaves_to_python(name)
    ]


def _taken(name: str) -> Taken | None:
    """The module as Python has kept it, if it has; without its code where only Python can tell whether that is good."""
    spec = sys.modules[name].__spec__
    if spec is None or not isinstance(spec.origin, str) or not isinstance(spec.cached, str):
        return None
    sign, is_package = _sign(spec.origin), spec.submodule_search_locations is not None
    try:
        with open(spec.cached, "rb") as file:  # noqa: PTH123  (as above)
            header, code = file.read(_HEADER), file.read()
    except OSError:
        return None
    if sign is None or not header.startswith(MAGIC_NUMBER):
        return None
    flags, *named = (int.from_bytes(header[at : at + 4], "little") for at in (4, 8, 12))
    return spec.origin, sign, is_package, code if not flags and tuple(named) == sign else b""


def _sign(source: str) -> Sign | None:
    try:
        found = os.stat(source)  # noqa: PTH116  (as above)
    except OSError:
        return None
    return int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF
