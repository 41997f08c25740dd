from __future__ import annotations

import errno
import fcntl
import os
import resource
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ccc.base import files
from ccc.base.errors import CccError
from tests.world import other_disk

SECRET = b"sk-canary-0123456789"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def litter(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".ccc-")]


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777], ids="umask {0:04o}".format)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    old = os.umask(request.param)
    yield request.param
    os.umask(old)


# Reading


def test_a_missing_file_reads_as_none(tmp_path: Path) -> None:
    assert files.read_text(tmp_path / "settings.json") is None
    assert files.read_own(tmp_path / "state.json", limit=10) is None


def test_text_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes('{\r\n\t"a": "继续 é"}\r\n\n'.encode())
    assert files.read_text(path) == '{\r\n\t"a": "继续 é"}\r\n\n'


def test_reading_follows_a_link_of_the_user_but_not_one_among_our_own_files(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text("{}")
    link = tmp_path / "settings.json"
    link.symlink_to("dotfiles.json")
    assert files.read_text(link) == "{}"
    with pytest.raises(files.Unfit, match=r"settings\.json"):
        files.read_own(link, limit=10)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        "{}".encode("utf-16-le"),
        b'{"a": "\0"}',
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        b"\xc0\x80",
    ],
    ids=["BOM", "UTF-16", "UTF-16 without BOM", "NUL", "Latin-1", "surrogate", "overlong NUL"],
)
def test_what_is_not_utf8_is_refused_without_a_word_of_it(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "ccc.json"
    path.write_bytes(SECRET + data if data[:1] not in (b"\xef", b"\xff") else data + SECRET)
    with pytest.raises(CccError) as caught:
        files.read_text(path)
    assert str(path) in str(caught.value)
    assert "UTF-8" in str(caught.value)
    assert "canary" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_the_limit_is_the_largest_size_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ccc.json"
    path.write_bytes(b"x" * 100_000)
    assert files.read_text(path, limit=100_000) == "x" * 100_000
    with pytest.raises(files.Unfit, match="larger than 99999 bytes"):
        files.read_text(path, limit=99_999)


def special(path: Path, kind: str) -> Path:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "directory":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "link to itself":
            path.symlink_to(path.name)
    return path


SPECIAL = ["pipe", "directory", "device", "link to itself"]


@pytest.mark.timeout(2)
@pytest.mark.parametrize("kind", SPECIAL)
def test_only_plain_files_are_read_and_nothing_waits(tmp_path: Path, kind: str) -> None:
    path = special(tmp_path / "settings.json", kind)
    with pytest.raises(files.Unfit, match=r"settings\.json"):
        files.read_text(path)


@pytest.mark.timeout(2)
@pytest.mark.parametrize("kind", SPECIAL)
def test_only_plain_files_are_replaced_and_nothing_waits(tmp_path: Path, kind: str) -> None:
    path = special(tmp_path / "settings.json", kind)
    before = path.lstat()
    with pytest.raises(files.Unfit):
        files.replace(path, b"{}")
    after = path.lstat()
    assert (after.st_ino, after.st_mode, after.st_mtime_ns) == (before.st_ino, before.st_mode, before.st_mtime_ns)
    assert litter(tmp_path) == []


# Replacing


def test_replace_writes_exactly_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for data in (b"", b"{}", b"x" * 3_000_000):
        files.replace(path, data)
        assert path.read_bytes() == data
    assert litter(tmp_path) == []


def test_a_new_file_is_0600_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    files.replace(tmp_path / "settings.json", SECRET)
    assert mode(tmp_path / "settings.json") == 0o600


@pytest.mark.parametrize("old", [0o600, 0o640, 0o644, 0o660, 0o700])
def test_an_old_file_keeps_its_mode(tmp_path: Path, umask: int, old: int) -> None:
    path = tmp_path / "settings.json"
    path.touch()
    path.chmod(old)
    files.replace(path, b"{}")
    assert mode(path) == old


def test_a_read_only_file_is_refused_with_the_command_that_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(CccError, match=r"read-only.*chmod u\+w"):
        files.replace(path, b"new")
    assert (path.read_bytes(), mode(path)) == (b"old", 0o444)


def test_the_group_of_an_old_file_is_kept_or_loses_its_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.touch()
    path.chmod(0o664)
    found = path.lstat()
    elsewhere = os.stat_result((*found[:5], found.st_gid + 1, *found[6:10]))
    monkeypatch.setattr(Path, "lstat", lambda _: elsewhere)
    asked: list[tuple[int, int]] = []

    def fchown(fd: int, uid: int, gid: int) -> None:
        asked.append((uid, gid))
        raise PermissionError(errno.EPERM, "not yours")

    monkeypatch.setattr(os, "fchown", fchown)
    files.replace(path, b"{}")
    assert asked == [(found.st_uid, found.st_gid + 1)]
    assert mode(path) == 0o600


def test_a_file_of_another_user_is_refused_when_it_would_not_stay_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"theirs")
    found = path.lstat()
    theirs = os.stat_result((*found[:4], found.st_uid + 1, *found[5:10]))
    monkeypatch.setattr(Path, "lstat", lambda _: theirs)

    def fchown(*_: int) -> None:
        raise PermissionError(errno.EPERM, "not yours")

    monkeypatch.setattr(os, "fchown", fchown)
    with pytest.raises(CccError, match=r"belongs to another user.*sudo chown"):
        files.replace(path, b"{}")
    assert path.read_bytes() == b"theirs"
    assert litter(tmp_path) == []


def acl(*entries: tuple[int, int, int]) -> bytes:
    """As the kernel stores it: version 2, then tag, rights and id of each."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NOBODY, ALL = 65534, 0xFFFFFFFF
SHARED = acl((1, 6, ALL), (2, 4, NOBODY), (4, 0, ALL), (0x10, 4, ALL), (0x20, 0, ALL))
ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"


def test_attributes_and_the_list_of_who_may_read_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    os.setxattr(path, "user.note", b"mine\0")
    os.setxattr(path, ACCESS, SHARED)
    before = mode(path)
    files.replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert (os.getxattr(path, "user.note"), os.getxattr(path, ACCESS), mode(path)) == (b"mine\0", SHARED, before)


@pytest.mark.parametrize("old", [None, 0o600, 0o644])
def test_what_a_folder_grants_to_new_files_is_not_granted_to_this_one(tmp_path: Path, old: int | None) -> None:
    path = tmp_path / "settings.json"
    if old is not None:
        path.touch()
        path.chmod(old)
    os.setxattr(tmp_path, DEFAULT, SHARED)
    files.replace(path, b"{}")
    assert ACCESS not in os.listxattr(path)
    assert mode(path) == (old or 0o600)


def test_an_attribute_that_cannot_be_kept_is_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    os.setxattr(path, "user.note", b"mine")

    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "setxattr", refused)
    with pytest.raises(CccError, match=r"the attribute user\.note, which cannot be kept .*setfattr -x user\.note"):
        files.replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert litter(tmp_path) == []


def test_a_file_with_a_second_name_is_refused_with_the_command_that_parts_them(tmp_path: Path) -> None:
    path, other = tmp_path / "settings.json", tmp_path / "dotfiles.json"
    path.write_bytes(b"old")
    other.hardlink_to(path)
    with pytest.raises(CccError, match="has 2 names") as caught:
        files.replace(path, b"new")
    assert (path.read_bytes(), path.stat().st_ino) == (b"old", other.stat().st_ino)
    subprocess.run(["sh", "-c", str(caught.value).rpartition("run: ")[2]], check=True)
    files.replace(path, b"new")
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"old")


def test_a_snapshot_of_our_own_files_by_hard_links_is_no_hindrance(tmp_path: Path) -> None:
    path, other = tmp_path / "state.json", tmp_path / "backup.json"
    path.write_bytes(b"old")
    other.hardlink_to(path)
    files.replace_own(path, b"new", scratch=tmp_path)
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"old")


@pytest.mark.parametrize("target", ["dotfiles/real.json", "dotfiles/absent.json", "dotfiles/chain.json"])
@pytest.mark.parametrize("absolute", [False, True])
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path, target: str, absolute: bool) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "real.json").write_bytes(b"old")
    (dotfiles / "chain.json").symlink_to("real.json")
    link = tmp_path / "settings.json"
    link.symlink_to(tmp_path / target if absolute else target)
    files.replace(link, b"new")
    assert link.is_symlink()
    assert link.read_bytes() == b"new"
    assert (dotfiles / "chain.json").is_symlink()
    assert litter(tmp_path) == litter(dotfiles) == []


def test_a_link_into_another_file_system_is_written_through(tmp_path: Path) -> None:
    target = other_disk(tmp_path) / f"ccc-test-{os.getpid()}.json"
    link = tmp_path / "settings.json"
    link.symlink_to(target)
    try:
        files.replace(link, b"{}")
        assert target.read_bytes() == b"{}"
    finally:
        target.unlink(missing_ok=True)
    assert link.is_symlink()


def test_a_failed_rename_leaves_the_old_bytes_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        files.replace(path, SECRET)
    assert path.read_bytes() == b"old"
    assert litter(tmp_path) == []


def test_an_error_names_the_path_the_cause_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "settings.json"
    with pytest.raises(CccError, match=r"cannot write .*settings\.json: No such file or directory; check"):
        files.replace(path, SECRET)


def test_a_temp_name_that_is_taken_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", bytes)
    taken = tmp_path / f".ccc-{os.getpid()}-00000000.tmp"
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    taken.symlink_to(victim)
    with pytest.raises(CccError, match="File exists"):
        files.replace(tmp_path / "settings.json", b"{}")
    assert victim.read_bytes() == b"precious"
    assert taken.is_symlink()


def test_our_own_file_never_follows_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "state.json").symlink_to(victim)
    with pytest.raises(files.Unfit):
        files.replace_own(tmp_path / "state.json", b"{}", scratch=tmp_path)
    assert victim.read_bytes() == b"precious"


def test_setting_aside_moves_a_link_and_not_its_target(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "state.json").symlink_to(victim)
    assert files.set_aside(tmp_path / "state.json") == tmp_path / "state.json.corrupt"
    assert (tmp_path / "state.json.corrupt").is_symlink()
    assert victim.read_bytes() == b"precious"


def test_a_disk_that_fills_half_way_leaves_the_old_bytes_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    with file_size_limit(10_000), pytest.raises(CccError, match="File too large"):
        files.replace(path, b"x" * 20_000)
    assert path.read_bytes() == b"old"
    assert litter(tmp_path) == []


# Appending


def test_lines_are_appended_to_a_private_file(tmp_path: Path) -> None:
    log = tmp_path / "hook-invocation.log"
    old = os.umask(0)
    try:
        assert files.append_line(log, b"one\n")
        assert files.append_line(log, b"two\n")
    finally:
        os.umask(old)
    assert log.read_bytes() == b"one\ntwo\n"
    assert mode(log) == 0o600


def test_appending_stops_at_the_limit(tmp_path: Path) -> None:
    log = tmp_path / "hook-invocation.log"
    assert files.append_line(log, b"12345", limit=8)
    assert not files.append_line(log, b"6789", limit=8)
    assert files.append_line(log, b"678", limit=8)
    assert log.read_bytes() == b"12345678"


@pytest.mark.timeout(2)
@pytest.mark.parametrize("kind", [*SPECIAL, "link", "no folder"])
def test_a_log_that_is_no_plain_file_is_not_written(tmp_path: Path, kind: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    log = special(tmp_path / "log", kind)
    if kind == "link":
        log.symlink_to(victim)
    assert not files.append_line(log / "absent" / "log" if kind == "no folder" else log, b"line\n")
    assert victim.read_bytes() == b"precious"


def test_a_log_with_a_reader_at_its_other_end_is_still_no_log(tmp_path: Path) -> None:
    log = special(tmp_path / "log", "pipe")
    reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK)
    assert not files.append_line(log, b"line\n")
    assert os.read(reader, 10) == b""
    os.close(reader)


def test_a_full_disk_while_appending_is_no_exception(tmp_path: Path) -> None:
    with file_size_limit(10):
        results = [files.append_line(tmp_path / "log", b"12345678\n") for _ in range(3)]
    assert results == [True, False, False]


# Folders


def test_a_folder_and_its_parents_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    files.private_directory(tmp_path / "a" / "b" / "c")
    assert {mode(tmp_path / name) for name in ("a", "a/b", "a/b/c")} == {0o700}


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    files.private_directory(tmp_path)
    assert mode(tmp_path) == 0o755


@pytest.mark.parametrize("shared", [0o777, 0o1777, 0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path, shared: int) -> None:
    tmp_path.chmod(shared)
    with pytest.raises(CccError, match="chmod go-w"):
        files.private_directory(tmp_path)


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    with pytest.raises(CccError, match="another user"):
        files.private_directory(tmp_path)


@pytest.mark.parametrize("name", ["file", "file/below", "dangling"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(CccError, match=str(tmp_path / name)):
        files.private_directory(tmp_path / name)


def test_a_link_of_ours_to_a_folder_of_ours_will_do(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")
    files.private_directory(tmp_path / "link")


# Locks


def test_a_lock_has_one_holder_and_is_free_afterwards(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    busy = pytest.raises(files.Busy, match=rf"process {os.getpid()} \(")
    with files.locked(lock, wait=0), busy, files.locked(lock, wait=0):
        pass
    with files.locked(lock, wait=0):
        pass
    assert mode(lock) == 0o600


def test_an_error_under_the_lock_frees_it_and_is_not_disguised(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with pytest.raises(FileNotFoundError), files.locked(lock, wait=0):
        (tmp_path / "absent").read_bytes()
    with files.locked(lock, wait=0):
        pass


def test_a_waiting_process_gets_the_lock_when_it_is_freed(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    waiter = (
        "import sys, pathlib; from ccc.base import files; print('waiting', flush=True)\n"
        "with files.locked(pathlib.Path(sys.argv[1]), wait=60): print('mine', flush=True)"
    )
    with files.locked(lock, wait=0):
        command = [sys.executable, "-c", waiter, str(lock)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "waiting\n"
    assert child.communicate()[0] == "mine\n"
    assert child.returncode == 0


def waited(lock: Path, *waits: float) -> float:
    begun = time.monotonic()
    for wait in waits:
        with pytest.raises(files.Busy), files.locked_once(lock, wait=wait):
            pass
    return time.monotonic() - begun


def test_a_lock_that_stays_held_is_waited_for_once_and_anew_after_it_was_free(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with files.locked(lock, wait=0):
        assert 0.5 <= waited(lock, 0.3, 0.3, 0.3, 0.5) < 0.8
    with files.locked_once(lock, wait=0), files.locked_once(tmp_path / "another", wait=0):
        assert waited(lock, 0.1) >= 0.1


@pytest.mark.timeout(2)
@pytest.mark.parametrize("kind", SPECIAL)
def test_only_a_plain_file_is_a_lock(tmp_path: Path, kind: str) -> None:
    with pytest.raises(files.Unfit), files.locked(special(tmp_path / "lock", kind), wait=0):
        pass


# Leftovers


def leftover(folder: Path, age: float, name: str = ".ccc-1-0123abcd.tmp") -> Path:
    path = folder / name
    path.touch()
    os.utime(path, (1e9 - age, 1e9 - age))
    return path


def test_leftovers_are_swept_after_an_hour(tmp_path: Path) -> None:
    old = [leftover(tmp_path, 3601, f".ccc-{pid}-0123abcd.tmp") for pid in range(500)]
    kept = [
        leftover(tmp_path, 3599, f".ccc-{os.getpid()}-0123abcd.tmp"),
        leftover(tmp_path, 3599, ".ccc-0-76543210.tmp"),
        leftover(tmp_path, 9999, ".ccc-1-0123abcd.tmp.txt"),
        leftover(tmp_path, 9999, "settings.json"),
        leftover(tmp_path, 9999, ".ccc-x-0123abcd.tmp"),
    ]
    files.sweep(tmp_path, 1e9)
    assert not any(path.exists() for path in old)
    assert all(path.exists() for path in kept)


def gone_pid() -> int:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    return process.pid


@pytest.mark.parametrize("pid", ["gone", "9" * 30])
def test_what_a_writer_left_that_is_gone_is_swept_at_once(tmp_path: Path, pid: str) -> None:
    left = leftover(tmp_path, 0, f".ccc-{gone_pid() if pid == 'gone' else pid}-0123abcd.tmp")
    files.sweep(tmp_path, 1e9)
    assert not left.exists()


def test_what_somebody_still_writes_is_no_leftover_though_its_number_means_nobody_here(tmp_path: Path) -> None:
    """As a container sees the file of a writer outside it."""
    path = leftover(tmp_path, 9999, f".ccc-{gone_pid()}-0123abcd.tmp")
    with path.open() as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        files.sweep(tmp_path, 1e9)
        assert path.exists()
    files.sweep(tmp_path, 1e9)
    assert not path.exists()


def test_every_write_sweeps_its_own_folder_first(tmp_path: Path) -> None:
    left = leftover(tmp_path, 0, f".ccc-{gone_pid()}-0123abcd.tmp")
    files.replace(tmp_path / "settings.json", b"{}")
    assert not left.exists()


@pytest.mark.parametrize("code", [errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL])
def test_a_disk_without_unnamed_files_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    real = os.open

    def without(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(code, os.strerror(code))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", without)
    files.replace(tmp_path / "settings.json", b"{}")
    assert (tmp_path / "settings.json").read_bytes() == b"{}"
    assert mode(tmp_path / "settings.json") == 0o600
    assert litter(tmp_path) == []


@pytest.mark.parametrize("code", [errno.ENOENT, errno.EPERM, errno.EXDEV])
def test_a_system_that_names_no_unnamed_file_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", refused)
    files.replace(tmp_path / "settings.json", b"{}")
    assert (tmp_path / "settings.json").read_bytes() == b"{}"
    assert litter(tmp_path) == []


def test_a_link_that_looks_like_a_leftover_is_left_alone(tmp_path: Path) -> None:
    victim = leftover(tmp_path, 9999, "victim")
    link = tmp_path / ".ccc-1-0123abcd.tmp"
    link.symlink_to(victim)
    files.sweep(tmp_path, time.time() + 9999)
    assert link.is_symlink()
    assert victim.exists()


def test_a_killed_writer_leaves_what_the_sweep_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "unlink", lambda _: None)
    monkeypatch.setattr(Path, "replace", lambda *_: os.close(-1))
    with pytest.raises(CccError):
        files.replace(tmp_path / "settings.json", b"{}")
    monkeypatch.undo()
    assert len(litter(tmp_path)) == 1
    files.sweep(tmp_path, time.time() + 3601)
    assert litter(tmp_path) == []


def test_sweeping_what_is_not_there_is_no_error(tmp_path: Path) -> None:
    files.sweep(tmp_path / "absent", 0)
