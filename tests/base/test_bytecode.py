"""Modules come from one file as they would come from their own, or from their own."""

from __future__ import annotations

import json
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

TELL = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from ccc.base import bytecode
bytecode.use()
def put(path, data):
    made = f"{path}.new"
    open(made, "wb").write(data)
    os.replace(made, path)
told = {}
try:
    import pack.mod as mod
    told = {"value": mod.VALUE, "from": type(mod.__loader__).__name__, "file": mod.__file__, "cached": mod.__cached__}
    told |= {"inside": sys.modules["pack"].__path__, "origin": mod.__spec__.origin, "package": mod.__package__}
except ModuleNotFoundError as error:
    told = {"missing": error.name}
bytecode.keep(put)
print(json.dumps(told))
"""


class Shop:
    """A package of somebody's, and a place for the bytecode of a Python of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bytecode = folder / "source", folder / "bytecode"
        self.module = self.folder / "pack" / "mod.py"
        self.module.parent.mkdir(parents=True)
        (self.module.parent / "__init__.py").write_text("")
        self.write("VALUE = 1\n", 1_000_000_000)

    def write(self, source: str, date: int) -> None:
        self.module.write_text(source)
        os.utime(self.module, (date, date))

    def run(self, *flags: str, code: str = TELL) -> subprocess.CompletedProcess[str]:
        words = ["-I", "-X", f"pycache_prefix={self.bytecode}", *flags, "-c", code, str(self.folder)]
        return subprocess.run([sys.executable, *words], capture_output=True, text=True)

    def typed(self) -> None:
        words = ["-X", f"pycache_prefix={self.bytecode}", "-c", TELL, str(self.folder)]
        subprocess.run([sys.executable, *words], check=True, capture_output=True, env={})

    def told(self, *flags: str) -> dict[str, object]:
        done = self.run(*flags)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    @property
    def file(self) -> Path:
        (found,) = self.bytecode.rglob("*.modules")
        return found

    @property
    def isolated(self) -> Path:
        (found,) = self.bytecode.rglob("*.isolated.modules")
        return found


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


FROM = {"from": "_Loader"}


def test_the_second_run_takes_the_same_module_from_the_one_file(shop: Shop) -> None:
    first, second = shop.told(), shop.told()
    assert first["from"] == "SourceFileLoader"
    assert second == first | FROM
    assert second["value"] == 1


def test_a_run_that_had_nothing_to_look_for_writes_nothing(shop: Shop) -> None:
    shop.told(), shop.told()
    before = shop.file.stat().st_ino
    shop.told()
    assert shop.file.stat().st_ino == before


@pytest.mark.parametrize(("source", "date"), [("VALUE = 22\n", 1_000_000_000), ("VALUE = 2\n", 1_000_000_001)])
def test_a_changed_source_is_loaded_anew_and_kept(shop: Shop, source: str, date: int) -> None:
    shop.told()
    shop.write(source, date)
    anew, again = shop.told(), shop.told()
    assert (anew["value"], anew["from"]) == (int(source[8:]), "SourceFileLoader")
    assert again == anew | FROM


def test_a_module_that_is_gone_is_missing(shop: Shop) -> None:
    shop.told()
    shop.module.unlink()
    assert shop.told() == {"missing": "pack.mod"}


@pytest.mark.parametrize("kept", [0, 4, 8, 9, 100, -1])
def test_a_file_that_is_cut_off_costs_nothing_but_time(shop: Shop, kept: int) -> None:
    first = shop.told()
    shop.file.write_bytes(shop.file.read_bytes()[:kept])
    assert shop.told() | FROM == first | FROM
    assert shop.told() | FROM == first | FROM


@pytest.mark.parametrize("content", [b"", b"\xff" * 40, bytes(40), (9).to_bytes(8, "little") + b"i\0\0\0\0" * 9])
def test_any_other_file_in_its_place_is_none(shop: Shop, content: bytes) -> None:
    first = shop.told()
    shop.file.write_bytes(content)
    assert shop.told() == first
    assert shop.told() == first | FROM


def test_bytecode_that_python_knows_by_another_sign_is_left_to_python(shop: Shop) -> None:
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    first = shop.told()
    shop.file.unlink()
    py_compile.compile(str(shop.module), str(first["cached"]), invalidation_mode=mode)
    assert shop.told()["from"] == "SourceFileLoader"
    before = shop.file.stat().st_ino
    assert [shop.told()["from"] for _ in range(3)] == ["SourceFileLoader"] * 3
    assert shop.file.stat().st_ino == before
    shop.write("VALUE = 3\n", 1_000_000_000)  # the same date and size, and Python still sees it
    assert shop.told()["value"] == 3


def test_what_was_found_on_another_path_is_not_taken(shop: Shop, tmp_path: Path) -> None:
    shop.told()
    other = Shop(tmp_path / "other")
    other.write("VALUE = 5\n", 1_000_000_000)
    other.bytecode = shop.bytecode
    assert other.told()["value"] == 5


def test_nothing_is_written_for_whoever_keeps_no_bytecode(shop: Shop) -> None:
    shop.told("-B")
    assert not [*shop.bytecode.rglob("*.modules")]


def test_a_mistake_in_a_kept_module_is_told_with_its_line(shop: Shop) -> None:
    shop.write("VALUE = 1\ndef broken():\n    return 1 / 0\n", 1_000_000_000)
    shop.told()
    done = shop.run(code=TELL + "mod.broken()\n")
    assert json.loads(done.stdout)["from"] == "_Loader"
    assert 'mod.py", line 3, in broken\n    return 1 / 0\n' in done.stderr


def test_it_takes_the_place_of_no_closed_stream(shop: Shop) -> None:
    shop.told()
    words = ["-I", "-X", f"pycache_prefix={shop.bytecode}", "-c", TELL, str(shop.folder)]
    closed = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, preexec_fn=lambda: os.close(0))
    assert json.loads(closed.stdout)["from"] == "SourceFileLoader"


CLOSED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from ccc.base import bytecode
bytecode.use()
fd = bytecode._shelf._fd
os.close(fd)
with open(sys.argv[1] + "/other", "wb") as file:
    file.write(b"(aaaa" * 1000)
other = os.open(sys.argv[1] + "/other", os.O_RDONLY)
import pack.mod as mod
print(other == fd, mod.VALUE, type(mod.__loader__).__name__)
"""


def test_a_file_that_has_got_the_number_of_ours_is_not_taken_for_it(shop: Shop) -> None:
    """As in a process that has closed all that it was given, and goes on."""
    shop.told(), shop.told()
    done = shop.run(code=CLOSED)
    assert (done.stdout.split(), done.stderr) == (["True", "1", "SourceFileLoader"], "")


def test_a_hook_and_a_command_that_is_typed_keep_a_file_each(shop: Shop) -> None:
    shop.told(), shop.told()
    before = shop.file.stat().st_ino
    shop.typed()
    assert sorted(path.name.rsplit(".", 2)[1] for path in shop.bytecode.rglob("*.modules")) == ["isolated", "typed"]
    assert shop.isolated.stat().st_ino == before
    assert shop.told()["from"] == "_Loader"
