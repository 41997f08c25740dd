from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import anyjson
from ccc.base.anyjson import MAX_DEPTH, beginning, loads, mended, objects


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


DAMAGED = {
    "half an emoji": (rb'"\ud83d"', "\ufffd"),
    "the other half": (rb'"\uDE00 x"', "\ufffd x"),
    "two halves in the wrong order": (rb'"\ude00\ud83d"', "\ufffd\ufffd"),
    "a half before a whole one": (rb'"\ud83d\ud83d\ude00"', "\ufffd😀"),
    "a whole one": (rb'"\ud83d\ude00", "\ud83d"', "😀"),
    "a backslash and letters": (rb'"\\ud83d", "\ud83d"', r"\ud83d"),
    "a backslash and a half": (rb'"\\\ud83d"', "\\\ufffd"),
    "no UTF-8": (b'"a\xff\xfeb"', "a\ufffd\ufffdb"),
    "a surrogate in bytes": (b'"\xed\xa0\xbd"', "\ufffd" * 3),
    "a control character": (b'"a\x00b\x1bc"', "a b c"),
    "NaN": (b"NaN", None),
    "Infinity": (b"Infinity", None),
    "-Infinity": (b"-Infinity", None),
    "the word NaN": (b'"NaN", NaN', "NaN"),
    "no double": (b"1e400", None),
    "no double below zero": (b"-1E+999", None),
    "a double beside none": (b"1e300, 1e400", 1e300),
    "5000 digits": (b"9" * 5000, None),
}


@pytest.mark.parametrize(("written", "read"), DAMAGED.values(), ids=DAMAGED)
def test_what_cannot_be_is_replaced_and_the_rest_is_read(written: bytes, read: object) -> None:
    found = loads(b'{"before": 1, "odd": [' + written + b'], "after": "x"}')
    assert isinstance(found, dict)
    assert (found["before"], found["odd"][0], found["after"]) == (1, read, "x")


@pytest.mark.parametrize("levels", [MAX_DEPTH, 1_100, 100_000])
def test_a_value_that_is_nested_too_deep_hides_nothing_beside_it(levels: int) -> None:
    found = loads(b'{"deep": ' + deep(levels) + b', "again": {"x": ' + deep(levels) + b'}, "after": NaN, "end": "x"}')
    assert isinstance(found, dict)
    assert (list(found), found["end"]) == (["deep", "again", "after", "end"], "x")
    assert json.dumps(found)  # shallow enough for whoever handles it


def test_a_mark_of_byte_order_is_no_part_of_it() -> None:
    assert loads(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    "data", [b"", b" ", b"x", b"{", b'{"a": 1', b"{} {}", b"[" * 1_000_000, b'{"a":' * 100_000, b'"' * 9_999]
)
def test_what_is_no_json_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):
        loads(data)


def test_what_is_too_large_to_mend_is_a_value_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anyjson, "SIZE_LIMIT", 20)
    assert loads(b'["' + b"x" * 30 + b'"]') == ["x" * 30]
    with pytest.raises(ValueError, match="mended"):
        loads(b'["\\ud83d' + b"x" * 30 + b'"]')


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def possible(value: object) -> object:
    """The value as it can be in JSON and UTF-8."""
    match value:
        case str():
            return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in value)
        case float() if not math.isfinite(value):
            return None
        case list():
            return [possible(item) for item in value]
        case dict():
            return {possible(key): possible(item) for key, item in value.items()}
    return value


@given(values)
def test_it_reads_whatever_the_standard_library_writes(value: object) -> None:
    text = json.dumps(value)
    assert loads(text.encode()) == possible(json.loads(text))


@given(st.binary())
def test_no_bytes_make_it_raise_anything_else(data: bytes) -> None:
    for read in (loads, objects, beginning, mended):
        try:
            read(data)
        except ValueError:
            assert read is loads


def test_objects_that_are_glued_together_are_all_read() -> None:
    assert objects(b'{"a": 1}{"b": "\\ud83d"} x {"c": NaN}{"d') == [{"a": 1}, {"b": "\ufffd"}, {"c": None}]


BEGINNINGS = {
    b'{"a": 1, "b": "x"}': {"a": 1, "b": "x"},
    b'{"a": 1, "b": "x\\n y': {"a": 1, "b": "x\n y"},
    b'{"a": 1, "b": "x\\ud83d\\ud': {"a": 1, "b": "x\ufffd"},
    b'{"a": {"b": [1]}, "c": {"d": "x': {"a": {"b": [1]}},
    b'{"a": "\xe4\xb8': {"a": "\ufffd"},
    b'{"a": 1, "b"': {"a": 1},
    b'{"a"': {},
    b'{"a": 1, "\\b\\q": 2, "c': {"a": 1},
    b'{"a": 1, "b": "x\\q y': {"a": 1},
    b"{": {},
    b'["a": 1': {},
    b'"a": 1': {},
    b"": {},
    b"[" * 100_000: {},
    b'{"a":' * 100_000: {},
}


@pytest.mark.parametrize(("data", "members"), BEGINNINGS.items(), ids=range(len(BEGINNINGS)))
def test_an_object_without_its_end_tells_what_came_before(data: bytes, members: dict[str, object]) -> None:
    assert beginning(data) == members


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text())), st.integers(0))
def test_of_a_cut_object_no_member_is_invented(whole: dict[str, object], cut: int) -> None:
    text = json.dumps(whole).encode()
    found = beginning(text[: cut % (len(text) + 1)])
    assert set(found) <= set(whole)
    assert all(found[name] == whole[name] for name in list(found)[:-1])  # the last one may be cut
