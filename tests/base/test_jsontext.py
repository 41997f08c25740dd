from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.base import jsontext
from ccc.base.jsontext import JsonError, parse, remove, set_value

SETTINGS = """{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "env": {"ANTHROPIC_AUTH_TOKEN": "sk-canary", "X": "1"},
  "big": 9223372036854775809,  "huge": 1e400, "float": 1.10, "exp": 1E+2,
  "env": {"X": "2"},
  "名字": "继续 \\u00e9 \\/",

  "hooks": {
    "PreToolUse": [ {"matcher": "Bash"} ],
    "Stop": [
      {"hooks": [{"type": "command", "command": "mine"}]}
    ]
  },
  "last": null
}
"""

UNHURRIED = settings(deadline=None)  # a busy machine is not a fault


# Reading


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("9223372036854775809", 2**63 + 1),
        ("1e400", float("inf")),
        ("-" + "9" * 5000, float("-inf")),
        (' \t\r\n"\\ud83d\\ude00" ', "😀"),
        ('"\\ud800"', "\ud800"),
        ('"NaN [[[ Infinity"', "NaN [[[ Infinity"),
        ("[" * 200 + "]" * 200, reduce(lambda inner, _: [inner], range(199), list[Any]())),
    ],
)
def test_json_is_read_as_javascript_reads_it(text: str, value: object) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("sk-canary", 1, 1),
        ('{"sk-canary": 1,}', 1, 17),
        ('{\n  "sk-canary": NaN\n}', 2, 16),
        ('{"a": [1, -Infinity]}', 1, 12),
        ('{\r\n"a": sk-canary}', 2, 6),
        ("{'sk-canary': 1}", 1, 2),
        ('{"a": "sk-canary', 1, 7),
        ('{"a": "\\sk-canary"}', 1, 8),
        ('{"a": "\tsk-canary"}', 1, 8),
        ('{"a": 01}', 1, 8),
        ('{"a": 1} sk-canary', 1, 10),
        ("// sk-canary\n{}", 1, 1),
        ("\ufeff{}", 1, 1),
        ("[" * 201 + "]" * 201, 1, 201),
        ('{"a":' * 100_000, 1, 1001),
        ("[" * 100_000, 1, 201),
    ],
)
def test_what_is_not_json_is_an_error_with_a_place_and_no_content(text: str, line: int, column: int) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert str(error).startswith(f"line {line}, column {column}: ")
    assert "canary" not in str(error)
    assert error.__context__ is None
    assert error.__cause__ is None


@pytest.mark.parametrize("text", ['"' + '\\"' * 500_000, '"' * 1_000_001, '["' + "\\" * 1_000_001, "[" * 1_000_000])
def test_hostile_quotes_cost_linear_time(text: str) -> None:
    with pytest.raises(JsonError):
        parse(text)


@UNHURRIED
@given(st.text(alphabet='{}[]",:\\ \n0-1eE.+tfnu"NaIy', max_size=40))
def test_reading_is_total(text: str) -> None:
    try:
        ours = parse(text)
    except JsonError:
        with pytest.raises(ValueError):
            json.loads(text, parse_constant=int)
    else:
        assert ours == json.loads(text)


# Setting


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("", ("a",), 1, '{\n  "a": 1\n}\n'),
        (" \n", ("a",), 1, '{\n  "a": 1\n}\n'),
        ("{}", ("a",), 1, '{\n  "a": 1\n}'),
        ("{ }\n", ("a",), [], '{\n  "a": []\n}\n'),
        ('{"a": 1}', ("a",), 2, '{"a": 2}'),
        ('{"a": 1}', ("b",), {"c": [1, 2]}, '{"a": 1, "b": {"c": [1, 2]}}'),
        ('{"a":1}', ("b",), {"c": [1, 2]}, '{"a":1,"b":{"c":[1,2]}}'),
        ('{"a": {}}', ("a", "b"), 1, '{"a": {"b": 1}}'),
        ('{"a":{}}', ("a", "b"), 1, '{"a":{"b":1}}'),
        ('{\n    "a": 1\n}\n', ("b",), {"c": 1}, '{\n    "a": 1,\n    "b": {\n        "c": 1\n    }\n}\n'),
        ('{\n\t"a": 1\n}', ("b",), [1], '{\n\t"a": 1,\n\t"b": [\n\t\t1\n\t]\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', ("b", "c"), 1, '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n'),
        ('{\n "a": {}\n}', ("a", "b"), 1, '{\n "a": {\n  "b": 1\n }\n}'),
        ('{\n  "a": 1,\n\n  "b": 2\n\n}', ("c",), 3, '{\n  "a": 1,\n\n  "b": 2,\n  "c": 3\n\n}'),
        ('{\n  "a": {"x": 1}\n}', ("a", "y"), [2], '{\n  "a": {"x": 1, "y": [2]}\n}'),
        ('{"a": 1, "a": 2}', ("a",), 3, '{"a": 1, "a": 3}'),
        ('{"a": {"x": 1}, "a": {"x": 2}}', ("a", "x"), 3, '{"a": {"x": 1}, "a": {"x": 3}}'),
        ('{"\\u0061": 1}', ("a",), 2, '{"\\u0061": 2}'),
        ('{"a": 1}', ("名",), "继续", '{"a": 1, "名": "继续"}'),
        ('{"a": 1}', ('q"\\\n',), 2, '{"a": 1, "q\\"\\\\\\n": 2}'),
        ('{"a": [1]}', ("a", 1), 2, '{"a": [1, 2]}'),
        ('{"a": [1, 2]}', ("a", 0), 3, '{"a": [3, 2]}'),
        ('{"a": [{"b": 1}]}', ("a", 0, "b"), 2, '{"a": [{"b": 2}]}'),
        ('{\n  "a": [\n    1\n  ]\n}', ("a", 1), {"b": 2}, '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ]\n}'),
        ('{"x": 1}', ("a", "b", 0), 2, '{"x": 1, "a": {"b": [2]}}'),
        ("[]", (0,), 1, "[\n  1\n]"),
    ],
)
def test_a_value_is_set_in_the_style_around_it(
    before: str, path: tuple[str | int, ...], value: object, after: str
) -> None:
    assert set_value(before, path, value) == after
    assert set_value(after, path, value) == after


def test_the_hook_is_added_and_every_other_byte_stays() -> None:
    hook = {"hooks": [{"type": "command", "command": "ccc supervisor-hook"}]}
    after = set_value(SETTINGS, ("hooks", "Stop", 1), hook)
    added = after.replace(SETTINGS[: SETTINGS.index("\n    ]\n")], "", 1).removesuffix(
        SETTINGS[SETTINGS.index("\n    ]\n") :]
    )
    assert parse("[0" + added + "]") == [0, hook]
    assert added.startswith(",\n      {\n        ")
    assert remove(after, ("hooks", "Stop", 1)) == SETTINGS


def test_a_value_that_is_there_already_keeps_its_form() -> None:
    assert set_value(SETTINGS, ("env",), {"X": "2"}) == SETTINGS
    assert set_value(SETTINGS, ("hooks", "Stop"), parse(SETTINGS)["hooks"]["Stop"]) == SETTINGS
    assert set_value(SETTINGS, ("huge",), float("inf")) == SETTINGS


@pytest.mark.parametrize(("old", "new"), [("1", True), ("true", 1), ("1", 1.0), ("0", False), ('"1"', 1)])
def test_values_that_python_calls_equal_are_still_told_apart(old: str, new: object) -> None:
    after = parse(set_value(f'{{"a": {old}}}', ("a",), new))["a"]
    assert (after, type(after)) == (new, type(new))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[]", ("a",)),
        ("null", ("a",)),
        ('"sk-canary"', ("a",)),
        ('{"hooks": null}', ("hooks", "Stop")),
        ('{"hooks": ["sk-canary"]}', ("hooks", "Stop")),
        ('{"hooks": {"Stop": {}}}', ("hooks", "Stop", 0)),
        ('{"hooks": {"Stop": []}}', ("hooks", "Stop", 1)),
        ('{"hooks": {"Stop": []}}', ("hooks", "Stop", -1)),
        ('{"a": ', ("a",)),
    ],
)
def test_a_parent_of_another_kind_is_refused(text: str, path: tuple[str | int, ...]) -> None:
    with pytest.raises(JsonError, match=r"line 1, column \d+") as caught:
        set_value(text, path, 1)
    assert "canary" not in str(caught.value)


def test_a_value_that_was_read_is_written_so_that_it_is_read_the_same() -> None:
    for text in ("1e400", '[-1e400, "Infinity"]', '{"a": "\\ud83d"}', "9" * 5000, "1.0", '"é"'):
        assert jsontext.parse(jsontext.written(jsontext.parse(text))) == jsontext.parse(text)
        jsontext.written(jsontext.parse(text)).encode()


@pytest.mark.parametrize(
    ("text", "path", "spelling"),
    [
        ('{"a": 1e400, "b": 2}', ("a",), "1e400"),
        ('{"a": 1, "a": 2.0}', ("a",), "2.0"),
        ('{"a": {"b": [ 1 ,"x"]}}', ("a", "b"), '[ 1 ,"x"]'),
        ('{"a": {"b": [ 1 ,"x"]}}', ("a", "b", 1), '"x"'),
        ('{"a": 1}', ("b",), None),
        ('{"a": 1}', ("a", "b"), None),
        ("", ("a",), None),
    ],
)
def test_a_value_is_known_by_its_spelling(text: str, path: tuple[str | int, ...], spelling: str | None) -> None:
    assert jsontext.spelled(text, path) == spelling
    if spelling is not None:
        assert jsontext.respelled(jsontext.set_value(text, path, "other"), path, spelling) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_what_json_cannot_say_is_not_written(value: object) -> None:
    with pytest.raises(ValueError):
        set_value("{}", ("a",), value)


def test_half_a_surrogate_pair_is_written_so_that_utf8_can_hold_it() -> None:
    text = set_value("{}", ("\udc00",), "a\ud800é")
    assert text.encode() == '{\n  "\\udc00": "a\\ud800é"\n}'.encode()
    assert parse(text) == {"\udc00": "a\ud800é"}


# Removing


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("", ("a",), ""),
        ("{}", ("a",), "{}"),
        ('{"a": 1}', ("a",), "{}"),
        ('{\n  "a": 1\n}\n', ("a",), "{}\n"),
        ('{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
        ('{"a": 1, "b": 2}', ("b",), '{"a": 1}'),
        ('{"a": 1 , "b": 2 , "c": 3}', ("b",), '{"a": 1 , "c": 3}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ("b",), '{\n  "a": 1,\n  "c": 3\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}', ("b",), '{\n  "a": 1\n}'),
        ('{"a": 1, "b": 2, "a": 3}', ("a",), '{"b": 2}'),
        ('{"a": 1, "a": 3}', ("a",), "{}"),
        ('{"a": {"b": 1}}', ("a", "b"), '{"a": {}}'),
        ('{"a": [1, 1, 2]}', ("a", 0), '{"a": [1, 2]}'),
        ('{"a": [1]}', ("a", 1), '{"a": [1]}'),
        ('{"a": null}', ("a", "b"), '{"a": null}'),
        ('{"a": [1]}', ("a", "b"), '{"a": [1]}'),
        ('{"a": {"0": 1}}', ("a", 0), '{"a": {"0": 1}}'),
        ("[]", ("a",), "[]"),
    ],
)
def test_a_member_goes_with_its_comma_and_its_line(before: str, path: tuple[str | int, ...], after: str) -> None:
    assert remove(before, path) == after


def test_removing_from_what_is_not_json_is_an_error() -> None:
    with pytest.raises(JsonError):
        remove('{"a": 1', ("a",))


# Any object in any layout


@dataclass(frozen=True)
class Written:
    """An object as text, and where in the text each member and its value is."""

    text: str
    value: dict[str, Any]
    members: tuple[tuple[str, int, int, int], ...]


BLANKS = st.text(alphabet=" \t\n\r", max_size=4)
NAMES = st.text(alphabet=st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["a", "b", "hooks"])
NUMBERS = st.sampled_from(["0", "-0", "1E+2", "1.10", str(2**63 + 1), "1e400", "-0.0e-7"])


STRINGS = st.builds(json.dumps, NAMES, ensure_ascii=st.booleans())
LEAVES = st.sampled_from(["null", "true", "false"]) | NUMBERS | STRINGS


@st.composite
def padded(draw: st.DrawFn, item: st.SearchStrategy[str]) -> str:
    return draw(BLANKS) + draw(item) + draw(BLANKS)


@cache
def values(depth: int) -> st.SearchStrategy[str]:
    if depth == 0:
        return LEAVES
    items = st.lists(padded(values(depth - 1)), min_size=1, max_size=3).map(",".join) | BLANKS
    return LEAVES | items.map("[{}]".format) | objects(depth - 1).map(lambda written: written.text)


@cache
def objects(depth: int = 2) -> st.SearchStrategy[Written]:
    return written_objects(values(depth))


@st.composite
def written_objects(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> Written:
    text, value, members = "{", dict[str, Any](), list[tuple[str, int, int, int]]()
    for number in range(draw(st.integers(0, 4))):
        text += ("," if number else "") + draw(BLANKS)
        start = len(text)
        name = draw(STRINGS)
        text += name + draw(BLANKS) + ":" + draw(BLANKS)
        at = len(text)
        text += draw(inner)
        value[json.loads(name)] = json.loads(text[at:])
        members.append((json.loads(name), start, at, len(text)))
        text += draw(BLANKS)
    return Written(text + (draw(BLANKS) if not members else "") + "}", value, tuple(members))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def same(left: object, right: object) -> bool:
    return json.dumps(left) == json.dumps(right)


@UNHURRIED
@given(objects(), BLANKS, BLANKS, NAMES, PLAIN)
def test_setting_changes_one_value_and_no_other_byte(
    written: Written, before: str, after: str, name: str, value: object
) -> None:
    text = before + written.text + after
    result = set_value(text, (name,), value)
    assert same(parse(result), written.value | {name: value})
    assert set_value(result, (name,), value) == result
    spans = [(at, end) for known, _, at, end in written.members if known == name]
    first, last = spans[-1] if spans else (0, 0)
    if not spans and written.members:
        first = last = written.members[-1][3]
    if not spans and not written.members:
        first, last = 1, len(written.text) - 1
    assert result.startswith(text[: len(before) + first])
    assert result.endswith(text[len(before) + last :])
    if not spans and written.members:
        assert remove(result, (name,)) == text


@UNHURRIED
@given(objects(), BLANKS, NAMES)
def test_removing_takes_one_member_and_no_other_byte(written: Written, after: str, name: str) -> None:
    text = written.text + after
    names = [known for known, *_ in written.members]
    name = names[0] if names and name not in names else name
    result = remove(text, (name,))
    assert same(parse(result), {key: value for key, value in written.value.items() if key != name})
    assert remove(result, (name,)) == result
    kept = [re.escape(text[start:end]) for known, start, _, end in written.members if known != name]
    blank = r"[ \t\r\n]*"
    between = f"{blank},{blank}".join(kept)
    assert re.fullmatch(rf"{{{blank}{between}{blank}}}{re.escape(after)}", result)
    if name not in names:
        assert result == text


@UNHURRIED
@given(objects(), NAMES, NAMES, PLAIN)
def test_setting_in_depth_changes_only_that_branch(written: Written, outer: str, inner: str, value: object) -> None:
    branch = written.value.get(outer, {})
    if not isinstance(branch, dict):
        with pytest.raises(JsonError):
            set_value(written.text, (outer, inner), value)
        return
    result = set_value(written.text, (outer, inner), value)
    assert same(parse(result), written.value | {outer: branch | {inner: value}})
    assert set_value(result, (outer, inner), value) == result
    others = [written.text[start:end] for known, start, _, end in written.members if known != outer]
    position = 0
    for other in others:
        position = result.index(other, position) + len(other)


@UNHURRIED
@given(st.lists(values(1), max_size=4), BLANKS, PLAIN)
def test_a_list_grows_at_its_end(items: list[str], blank: str, value: object) -> None:
    text = "[" + ("," + blank).join(items) + blank + "]"
    result = set_value(text, (len(items),), value)
    assert same(parse(result), [*map(json.loads, items), value])
    assert remove(result, (len(items),)) == (text if items else "[]")


def test_the_depth_that_is_read_can_be_edited() -> None:
    inner = jsontext.MAX_DEPTH - 1
    text = '{"a": ' + "[" * inner + "]" * inner + "}"
    assert parse(set_value(text, ("b",), 1))["b"] == 1
    assert remove(text, ("a",)) == "{}"
