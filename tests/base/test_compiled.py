"""What is kept of a compiled pattern makes the same pattern again, and whatever else lies there is passed over."""

from __future__ import annotations

import importlib
import marshal
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import ccc
import ccc_hooks
import ccc_legacy
from ccc.base import compiled, files, patterns
from tests.base.test_patterns import tables
from tests.world import World

WORDS = ("fix|mend", "(?P<a>修)|x", r"(a)(b)?\2", "(?m)^x$", "[\u4e00-\u9fff]+", "(?i)straße", r"\d{2,}+(?>a|b)")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of this test's own, as a fresh process finds it."""
    path = tmp_path / "kept.patterns"
    monkeypatch.setattr(compiled, "place", lambda: str(path))
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    forgotten(monkeypatch)
    return path


def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_kept", None)
    monkeypatch.setattr(compiled, "_new", {})


def asked(source: str | bytes, flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
    return compiled.of((source, int(flags)), lambda: source, flags)


def not_to_be_asked() -> str:
    raise AssertionError("it was compiled anew")


@pytest.mark.parametrize("source", [*WORDS, b"[\x80-\xff]+"])
@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.MULTILINE | re.VERBOSE])
def test_what_is_kept_is_the_same_pattern(
    source: str | bytes, flags: int, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asked(source, flags)
    compiled.keep(files.replace)
    forgotten(monkeypatch)
    again = compiled.of((source, int(flags)), not_to_be_asked, flags)
    assert again == made == re.compile(source, flags)
    assert (again.groups, again.groupindex, again.flags) == (made.groups, made.groupindex, made.flags)


def every_pattern() -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    for package in (ccc, ccc_hooks, ccc_legacy):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                yield from of_module(importlib.import_module(found.name))


def of_module(module: ModuleType) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    for value in vars(module).values():
        if isinstance(value, patterns._Pattern):
            yield re.compile(value._source, value._flags)
        for each in tables(value):
            yield from (each.pattern, each.plain)


def test_this_python_lets_every_pattern_of_the_house_be_kept() -> None:
    found = set(every_pattern())
    assert len(found) > 400
    assert not [each for each in found if compiled._taken_apart(each) is None]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no marshal",
        marshal.dumps(None),
        marshal.dumps(((0, 4, "little", "another Python"), {("a", 0): ()})),
        marshal.dumps((compiled._WRITTEN_BY, [])),
        marshal.dumps((compiled._WRITTEN_BY, {("a", 0): None})),
        marshal.dumps((compiled._WRITTEN_BY, {("a", 0): ("a", 32, b"\xff" * 8, 0, {}, (None,))})),
        marshal.dumps((compiled._WRITTEN_BY, {("a", 0): ("a", 32, b"odd", 0, {}, (None,))})),
    ],
    ids=range(8),
)
def test_whatever_else_lies_there_is_passed_over_and_replaced(
    data: bytes, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside.write_bytes(data)
    assert asked("a") == re.compile("a")
    compiled.keep(files.replace)
    forgotten(monkeypatch)
    assert compiled.of(("a", 0), not_to_be_asked, 0) == re.compile("a")


def test_a_cut_off_file_is_no_harm_at_any_length(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked("fix|mend")
    compiled.keep(files.replace)
    whole = beside.read_bytes()
    for length in range(len(whole)):
        beside.write_bytes(whole[:length])
        forgotten(monkeypatch)
        assert asked("fix|mend") == re.compile("fix|mend")


def test_two_runs_keep_what_either_has_compiled(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("one", "two"):
        forgotten(monkeypatch)
        compiled._kept = {}  # both began before either had ended
        asked(source)
        compiled.keep(files.replace)
    forgotten(monkeypatch)
    for source in ("one", "two"):
        compiled.of((source, 0), not_to_be_asked, 0)


def test_what_grows_too_large_begins_anew(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "LIMIT", 1_000)
    for number in range(30):
        forgotten(monkeypatch)
        asked(f"word{number}" * 5)
        compiled.keep(files.replace)
    assert beside.stat().st_size <= 1_000


def test_a_place_that_cannot_be_written_changes_nothing(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    asked("a")
    compiled.keep(refused)
    assert not beside.exists()
    monkeypatch.setattr(compiled, "place", lambda: None)
    assert asked("b") == re.compile("b")
    compiled.keep(files.replace)


def test_a_command_of_ccc_leaves_its_patterns_for_the_next(world: World) -> None:
    path = compiled.place()
    assert path
    Path(path).unlink(missing_ok=True)
    world.ccc("doctor", "--no-self-test")
    assert compiled._read(path)
