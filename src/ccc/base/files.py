"""Files appear whole or not at all.

Rule: nothing is opened that could block or lead elsewhere (a pipe, a device, a planted link), a failed
write leaves the old bytes, what a killed one leaves is gone after the next, what else belongs to a file (mode, owner,
attributes) is kept or the write refused, and an error names the path and never the content.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice, takewhile
from pathlib import Path

from msgspec import Struct

from ccc.base import processes
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.base.patterns import pattern
from ccc.base.processes import Holder

CONFIG_LIMIT = 16 * 2**20
LOG_LIMIT = 64 * 2**20

# O_NONBLOCK: a pipe without a partner would hold the open for ever, before fstat could refuse it.
_SAFELY = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NOT_PLAIN = frozenset({errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.ENODEV})
_POLL_SECONDS = 0.005
_MEMORY_SECONDS = 5.0

# What a disk or a sandbox says that can make no file without a name, or give none to it afterwards.
_NO_UNNAMED = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOSYS})
_NO_NAMING = frozenset({*_NO_UNNAMED, errno.ENOENT, errno.EPERM, errno.EACCES, errno.EXDEV, errno.ELOOP})

_LEFTOVER = pattern(r"\.ccc-(\d+)-[0-9a-f]{8}\.tmp")
_LEFTOVER_SECONDS = 3600
_SWEEP_AT_MOST = 1000

_LOCAL_DISK = msg("this disk has no file locks: set CCC_WORK_DIR to a folder on a local disk")
_AWAY = msg("move it away")
_PERMISSIONS = msg("check its owner and permissions")
_WHAT_TO_DO = {
    errno.ENOSPC: msg("free some space and try again"),
    errno.EDQUOT: msg("free some of your quota and try again"),
    errno.EROFS: msg("make the disk writable or choose another folder"),
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    **dict.fromkeys(_NOT_PLAIN, _AWAY),
    errno.ENOLCK: _LOCAL_DISK,
    errno.EOPNOTSUPP: _LOCAL_DISK,
    errno.ENOSYS: _LOCAL_DISK,
}


class Unfit(CccError):
    """What stands at the path is not a plain file that can be used."""


class Busy(CccError):
    """Another process held the lock for the whole wait; `holder` is who, where the kernel tells."""

    def __init__(self, path: Path, holder: Holder | None) -> None:
        super().__init__(
            msg("{path} is held by {name}", path=path, name=holder.name if holder else msg("another ccc")),
            msg("try again when that one has finished"),
        )
        self.path, self.holder = path, holder


def read_text(path: Path, *, limit: int = CONFIG_LIMIT) -> str | None:
    """The text of a file that people edit, links followed; None when there is none."""
    data = _read(path, 0, limit)
    return None if data is None else _decoded(path, data)


def read_bytes(path: Path, *, limit: int = CONFIG_LIMIT) -> bytes | None:
    """The bytes of a file that somebody else writes, links followed; None when there is none."""
    return _read(path, 0, limit)


def to_read(path: Path, *, follow: bool) -> int | None:
    """A descriptor for a plain file, however large; None when it is not there, not ours, or something else."""
    try:
        return _open_plain(path, os.O_RDONLY | (0 if follow else os.O_NOFOLLOW))
    except (OSError, ValueError, Unfit):  # ValueError: no path at all
        return None


def read_own(path: Path, *, limit: int) -> bytes | None:
    """The bytes of a file that only ccc writes; a link there is refused. None when there is none."""
    return _read(path, os.O_NOFOLLOW, limit)


def replace(path: Path, data: bytes) -> None:
    """Make a file that people edit hold exactly `data`. A link stays a link; its target is replaced."""
    with _explained(msg("write"), path):
        target = Path(os.path.realpath(path))
        _refuse_hard_links(target)
        sweep(target.parent, time.time())
        _replace(target, data, scratch=target.parent)


class Own(Struct, frozen=True):
    """A file that only ccc writes, and when the kernel last saw it change: 0 where another has just taken its place."""

    data: bytes
    changed: int  # nanoseconds


def read_dated(path: Path, *, limit: int) -> Own | None:
    """Like `read_own`, with the moment of its last change; None when there is none."""
    found: list[int] = []
    data = _read(path, os.O_NOFOLLOW, limit, lambda fd: found.append(_changed(os.fstat(fd))))
    return None if data is None else Own(data, found[0])


def clock(folder: Path) -> int:
    """The moment by which that folder's disk dates its files, in nanoseconds: another machine's, maybe."""
    with _explained(msg("write"), folder):
        fd = _unnamed(folder)
        if fd is None:
            temp = folder / f".ccc-{os.getpid()}-{os.urandom(4).hex()}.tmp"
            fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            temp.unlink()
        try:
            return os.fstat(fd).st_ctime_ns
        finally:
            _close_quietly(fd)


def replace_own(path: Path, data: bytes, *, scratch: Path) -> None:
    """Like `replace` for a file that only ccc writes: no link is followed, temp files go to `scratch`."""
    with _explained(msg("write"), path):
        _replace(path, data, scratch=scratch)


def update_own(path: Path, change: Callable[[bytes | None], bytes], *, limit: int, scratch: Path) -> None:
    """Replace a small file of ccc's by what `change` makes of it; no other process comes between."""
    update_dated(path, lambda found: change(found.data if found else None), limit=limit, scratch=scratch)


def update_dated(
    path: Path, change: Callable[[Own | None], bytes], *, limit: int, scratch: Path, wait: float = _MEMORY_SECONDS
) -> None:
    """Like `update_own`, for whom it matters when the file was last changed."""
    with remembering(path.parent, scratch, wait=wait):
        replace_own(path, change(read_dated(path, limit=limit)), scratch=scratch)


@contextmanager
def remembering(folder: Path, scratch: Path, *, wait: float = _MEMORY_SECONDS) -> Iterator[None]:
    """Hold what every small file of ccc's in this folder is changed under."""
    private_directory(folder)
    private_directory(scratch)
    with locked_once(memory_lock(folder), wait=wait):
        yield


def memory_lock(folder: Path) -> Path:
    return folder / "memory.lock"


def set_aside(path: Path) -> Path:
    """Rename what is at `path`, a link itself rather than its target, to `path`.corrupt."""
    aside = path.with_name(f"{path.name}.corrupt")
    with _explained(msg("move away"), path):
        path.replace(aside)
    return aside


def append_line(path: Path, data: bytes, *, limit: int = LOG_LIMIT) -> bool:
    """Append a line, newline included, in one write; False when it was not, or not wholly, written."""
    try:
        fd = _open_plain(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW)
    except (OSError, Unfit):  # a log that cannot be written must not change the decision
        return False
    try:
        return os.fstat(fd).st_size + len(data) <= limit and os.write(fd, data) == len(data)
    except OSError:  # as above
        return False
    finally:
        _close_quietly(fd)


def scratch_folder(folder: Path) -> Path:
    """For temp files, apart from what stays: sweeping up lists a handful of files and not all of them."""
    return folder / "tmp"


def private_directory(path: Path) -> None:
    """Make the folder and its missing parents 0700; refuse one that others own or may write to."""
    with _explained(msg("use"), path):
        _make_missing(path)
        _refuse_shared(path)


@contextmanager
def locked(path: Path, *, wait: float) -> Iterator[None]:
    """Hold the lock, or raise Busy after `wait` seconds. The kernel frees it when its holder dies."""
    with _explained(msg("lock"), path):
        fd = _open_plain(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
    try:
        _acquire(fd, path, wait)
        yield
    finally:
        _close_quietly(fd)


@contextmanager
def locked_once(path: Path, *, wait: float) -> Iterator[None]:
    """The same, less what this process has waited for it in vain: one that stays held costs one wait, not several."""
    begun, spent = time.monotonic(), _in_vain.get(path, 0.0)
    with ExitStack() as held:
        try:
            held.enter_context(locked(path, wait=max(0.0, wait - spent)))
        except Busy:
            _in_vain[path] = spent + time.monotonic() - begun
            raise
        _in_vain.pop(path, None)
        yield


_in_vain: dict[Path, float] = {}  # seconds


def was_freed(path: Path) -> bool:
    """Whether the lock was taken once and nobody holds it now."""
    fd = to_read(path, follow=False)
    if fd is None:  # never taken
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def sweep(directory: Path, now: float) -> None:
    """Remove what killed writers left in the folder, and what is older than an hour though its number lives again."""
    with suppress(OSError), os.scandir(directory) as entries:  # litter is not worth an error
        for entry in islice(entries, _SWEEP_AT_MOST):
            if left := _LEFTOVER.fullmatch(entry.name):
                _remove_if_left(entry, int(left[1][:20]), now)


@contextmanager
def _explained(doing: str, path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise explained(error, doing, path) from None


def explained(error: OSError, doing: str, path: object) -> CccError:
    """What the system has refused, and what to do about it."""
    kind = Unfit if error.errno in _NOT_PLAIN else CccError
    advice = _WHAT_TO_DO.get(error.errno or 0, msg("check the path"))
    return kind(msg("cannot {doing} {path}: {reason}", doing=doing, path=path, reason=foreign(error.strerror)), advice)


def require_open(folder: Path) -> None:
    """Refuse a folder whose files nobody here may look at: they are not gone, and nobody has changed them."""
    with _explained(msg("read"), folder), suppress(FileNotFoundError, NotADirectoryError):
        (folder / "any").stat()  # that there is none is an answer too


def _open_plain(path: Path, flags: int) -> int:
    fd = os.open(path, flags | _SAFELY, 0o600)
    try:
        _refuse_unless_plain(path, os.fstat(fd))
    except BaseException:
        _close_quietly(fd)
        raise
    return fd


def _refuse_unless_plain(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unfit(msg("{path} is not a plain file", path=path), _AWAY)


def _close_quietly(fd: int) -> None:
    with suppress(OSError):  # nothing written through this descriptor waits for its close
        os.close(fd)


def _changed(found: os.stat_result) -> int:
    return found.st_ctime_ns if found.st_nlink else 0


def _read(path: Path, flags: int, limit: int, look: Callable[[int], object] = lambda _: None) -> bytes | None:
    with _explained(msg("read"), path):
        try:
            fd = _open_plain(path, os.O_RDONLY | flags)
        except FileNotFoundError:
            return None
        try:
            look(fd)  # before anything is read: whoever writes anew changes this file as well, by taking its name away
            data = _read_up_to(fd, limit + 1)
        finally:
            _close_quietly(fd)
    if len(data) > limit:
        raise Unfit(
            msg("{path} is larger than {limit} bytes", path=path, limit=limit), msg("make it smaller or move it away")
        )
    return data


def _read_up_to(fd: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (piece := os.read(fd, min(size - len(data), 65536))):
        data += piece
    return bytes(data)


def _decoded(path: Path, data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:  # its own message quotes the bytes, and they may be a key
        text = "\0"
    if "\0" in text or text.startswith("\ufeff"):
        raise Unfit(msg("{path} is not plain UTF-8 text", path=path), msg("save it as UTF-8 without a byte order mark"))
    return text


def _replace(target: Path, data: bytes, *, scratch: Path) -> None:
    old = _replaceable(target)
    temp = scratch / f".ccc-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    if not _replaced_unnamed(target, data, old, temp):
        _replace_named(target, data, old, temp)
    _sync_directory(target.parent)


def _replaced_unnamed(target: Path, data: bytes, old: _Old | None, temp: Path) -> bool:
    """Written without a name, which a kill leaves nothing of; False where there is no such thing."""
    fd = _unnamed(temp.parent)
    if fd is None:
        return False
    try:
        _fill(fd, data, old)
        if not _named(fd, temp):
            return False
        _put(temp, target)
    finally:
        _close_quietly(fd)
    return True


def _replace_named(target: Path, data: bytes, old: _Old | None, temp: Path) -> None:
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with _unlinked_on_error(temp):
            _fill(fd, data, old)
        _put(temp, target)
    finally:
        _close_quietly(fd)


def _unnamed(folder: Path) -> int | None:
    try:
        return os.open(folder, os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o600) if _HAS_UNNAMED else None
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return None
        raise


_HAS_UNNAMED = hasattr(os, "O_TMPFILE")


def _named(fd: int, temp: Path) -> bool:
    """A name for the file behind `fd`: a rename wants one, and only a rename can take the place of another file."""
    folder = os.open(temp.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.link(f"/proc/self/fd/{fd}", temp.name, dst_dir_fd=folder)  # a folder's fd makes Python follow the link
    except OSError as error:
        if error.errno in _NO_NAMING:
            return False
        raise
    finally:
        _close_quietly(folder)
    return True


def _put(temp: Path, target: Path) -> None:
    with _unlinked_on_error(temp):
        temp.replace(target)


@contextmanager
def _unlinked_on_error(temp: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):  # the first error is the one to tell
            temp.unlink()
        raise


class _Old(Struct, frozen=True):
    """What stood there: its owner, mode and attributes go over to the new file."""

    path: Path
    found: os.stat_result
    attributes: Mapping[str, bytes]


def _refuse_hard_links(target: Path) -> None:
    """A rename would leave the file's other names with the old bytes, and nobody would be told."""
    try:
        names = target.lstat().st_nlink
    except FileNotFoundError:
        return
    if names > 1 and target.is_file():
        again = f"cp -p {target} {target}.one && mv {target}.one {target}"
        raise CccError(
            msg("{path} has {count} names (hard links), and a change would part them", path=target, count=names),
            msg("to part them run: {command}", command=again),
        )


def _replaceable(target: Path) -> _Old | None:
    try:
        old = target.lstat()
    except FileNotFoundError:
        return None
    _refuse_unless_plain(target, old)
    if not old.st_mode & stat.S_IWUSR:
        # A rename would get past this mode, but somebody set it so that the file stays as it is.
        raise CccError(
            msg("{path} is read-only", path=target), msg("to let ccc change it, run: chmod u+w {path}", path=target)
        )
    return _Old(target, old, dict(_attributes(target)))


def _attributes(target: Path) -> Iterator[tuple[str, bytes]]:
    try:
        names = os.listxattr(target, follow_symlinks=False) if hasattr(os, "listxattr") else []
    except OSError:  # a disk without attributes
        return
    for name in names:
        # The others belong to the bytes (a signature), or are the system's to give.
        if name.startswith("user.") or name == _ACL:
            yield name, os.getxattr(target, name, follow_symlinks=False)


_ACL = "system.posix_acl_access"


def _fill(fd: int, data: bytes, old: _Old | None) -> None:
    with suppress(OSError):  # a disk without locks; then an hour has to pass
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until the close: so a sweep can tell that somebody writes
    _write_all(fd, data)
    _drop_inherited(fd)
    os.fchmod(fd, 0o600 if old is None else _inherited_mode(fd, old))
    for name, value in old.attributes.items() if old else ():
        _keep(fd, name, value, old.path if old else Path())
    os.fsync(fd)


def _drop_inherited(fd: int) -> None:
    """The folder's default list of who may do what would open the file to others as soon as it has its mode."""
    with suppress(OSError, AttributeError):  # mostly there is none
        os.removexattr(fd, _ACL)


def _keep(fd: int, name: str, value: bytes, target: Path) -> None:
    try:
        os.setxattr(fd, name, value)
    except OSError as error:
        advice = msg("take it off with: setfattr -x {name} {path}", name=name, path=target)
        raise CccError(
            msg(
                "{path} has the attribute {name}, which cannot be kept ({error})",
                path=target,
                name=name,
                error=foreign(error.strerror),
            ),
            advice,
        ) from None


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _inherited_mode(fd: int, old: _Old) -> int:
    mode, owner, group = old.found.st_mode & 0o777, old.found.st_uid, old.found.st_gid
    new = os.fstat(fd)
    if (new.st_uid, new.st_gid) == (owner, group):
        return mode
    try:
        os.fchown(fd, owner, group)
    except PermissionError:
        if new.st_uid != owner:
            fix = msg("take it over with: sudo chown")
            raise CccError(
                msg("{path} belongs to another user, which a change would end", path=old.path),
                msg("{advice} $USER {again}", advice=fix, again=old.path),
            ) from None
        return mode & 0o700  # or the group bits would open the file to another group
    return mode


def _sync_directory(folder: Path) -> None:
    # The new file is in place and whole; a folder that cannot be synced puts only its date of
    # arrival at risk, and an error here would claim that nothing was written.
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _make_missing(path: Path) -> None:
    missing = list(takewhile(lambda folder: not folder.exists(), (path, *path.parents)))
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)  # a umask may take away the owner's own bits


def _refuse_shared(path: Path) -> None:
    found = path.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise CccError(msg("{path} is not a folder", path=path), _AWAY)
    if {found.st_uid, path.lstat().st_uid} != {os.geteuid()}:
        raise CccError(msg("{path} belongs to another user", path=path), msg("choose a folder of your own"))
    if found.st_mode & 0o022:
        raise CccError(msg("others may write to {path}", path=path), msg("run: chmod go-w {path}", path=path))


def _acquire(fd: int, path: Path, wait: float) -> None:
    begun = time.monotonic()
    while not _try_lock(fd, path):
        waited = time.monotonic() - begun
        if waited >= wait or _is_told_to_stop():
            raise Busy(path, processes.holder(path))
        time.sleep(_POLL_SECONDS / (1 + waited))  # who came first looks more often, or many others starve him


def _is_told_to_stop() -> bool:
    from ccc.base import senders  # in here: hardly a lock is waited for

    return senders.is_waiting()


def _try_lock(fd: int, path: Path) -> bool:
    with _explained(msg("lock"), path):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _remove_if_left(entry: os.DirEntry[str], pid: int, now: float) -> None:
    with suppress(OSError):  # another sweep may have been faster
        found = entry.stat(follow_symlinks=False)
        old = now - found.st_mtime > _LEFTOVER_SECONDS
        if stat.S_ISREG(found.st_mode) and (old or not _lives(pid)) and _nobody_writes(entry.path, otherwise=old):
            Path(entry.path).unlink()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid or 1, 0)  # 0 would mean ourselves
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Dead, but its parent has not asked for it yet; in a container perhaps never."""
    try:
        told = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:  # no such system, or gone meanwhile
        return False
    return told.rpartition(b")")[2].split()[:1] == [b"Z"]


def _nobody_writes(path: str, *, otherwise: bool) -> bool:
    """A writer holds its file's lock, in whatever container its number counts; `otherwise` where locks cannot tell."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | _SAFELY)
    except OSError:
        return otherwise
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return otherwise
    finally:
        _close_quietly(fd)
    return True
