from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ccc.base import jsontext
from ccc.base.errors import CccError
from ccc.providers import config
from ccc.providers.config import Config
from ccc_hooks import before, merged
from ccc_hooks.settings import Hook, hooks_of_ours
from tests.world import World

HOOK = Hook("/usr/local/bin/ccc supervisor-hook", 600, "reviewing")
BROUGHT: dict[str, Any] = {
    "model": "glm-5",
    "permissions": {"allow": ["WebFetch", "Read"], "defaultMode": "plan"},
    "spinner": {"tips": {"on": True}},
    "big": 10**30,
}
OTHER: dict[str, Any] = {"model": "kimi", "permissions": {"deny": ["Bash"]}, "spinner": 5}


def found_in(world: World, **providers: object) -> Config:
    world.write_config(providers)
    return config.load(world.env())


def written(found: Config, settings: dict[str, Any], said: list[str] | None = None) -> None:
    told: list[str] = [] if said is None else said
    before.write(found, settings, HOOK, found.directory / "ccc", told.append)


def removed(found: Config, said: list[str] | None = None) -> bool:
    told: list[str] = [] if said is None else said
    return before.remove(found, found.directory / "ccc", told.append)


TEXTS = {
    "plain": '{\n  "theme": "dark"\n}\n',
    "no line": '{"theme":"dark"}',
    "tabs and CRLF": '{\r\n\t"theme" :  "dark"\r\n}',
    "empty holders": '{"hooks": { }, "permissions":{ "allow" : [ ] }, "spinner": {}}',
    "empty lists of hooks": '{"hooks": {"Stop": [ ]}}',
    "the same keys": '{\n  "model": "mine", "permissions": {"allow": ["Bash"], "defaultMode": "default"}\n}',
    "odd numbers": '{"model": 1e400, "big": 1.0, "spinner": -0, "zeta": 9223372036854775809, "e": 1E+2}',
    "a long number": '{"model": ' + "9" * 5000 + "}",
    "doubled keys": '{"model": 1, "model": 2.0, "permissions": {"allow": [1], "allow": [ 1e400, {"a": 1, "a": 2} ]}}',
    "escapes": '{"model": "\\ud83d\\u0041\\/", "\\u0074heme": "é 好"}',
    "spaces around": '\n\n  {"theme": "dark"}  \n\n',
    "already there": '{"permissions": {"allow": ["Read"], "defaultMode": "plan"}}',
    "nothing": "",
    "a blank": " \n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("providers", [[{}], [BROUGHT], [BROUGHT, OTHER], [OTHER, BROUGHT, BROUGHT, {}]], ids=len)
def test_the_users_bytes_come_back(world: World, text: str, providers: list[dict[str, Any]]) -> None:
    found, path = found_in(world), world.config / "settings.json"
    path.write_bytes(text.encode())
    for settings in providers:
        if "spinner" in text and "spinner" in settings and not text.count('"spinner": {'):
            settings = {key: value for key, value in settings.items() if key != "spinner"}
        written(found, settings)
        assert "model" not in settings or jsontext.parse(path.read_text())["model"] == settings["model"]
    assert hooks_of_ours(path.read_text(), path) == [HOOK.command]
    assert removed(found)
    assert path.read_bytes() == text.encode()
    assert not before.record_of(path).exists()
    assert not removed(found)


def test_a_file_that_was_not_there_holds_nothing_afterwards(world: World) -> None:
    found, path = found_in(world), world.config / "settings.json"
    for settings in (BROUGHT, OTHER):
        written(found, settings)
    assert removed(found)
    assert path.read_text() == "{}\n"


json_texts = st.recursive(
    st.sampled_from(["1e400", "1.0", "-0", "9223372036854775809", "1E5", "true", "null", '"x"', '"\\ud83d"', '"é"']),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda each: "[ " + " ,".join(each) + " ]")
        | st.lists(st.tuples(st.sampled_from(["a", "b", "model", "allow"]), inner), max_size=3).map(
            lambda each: "{" + ", ".join(f'"{key}" :{value}' for key, value in each) + "}"
        )
    ),
    max_leaves=8,
)
documents = st.lists(st.tuples(st.sampled_from(["a", "b", "c", "model"]), json_texts), max_size=4).map(
    lambda each: "{" + ",\n".join(f'"{key}": {value}' for key, value in each) + "}"
)
values = st.recursive(
    st.sampled_from([1, 1.0, True, None, "x", 10**30]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "allow"]), inner, max_size=3)
    ),
    max_leaves=6,
)
settings_values = st.dictionaries(st.sampled_from(["a", "b", "c", "model", "new"]), values, max_size=3)


@given(documents, settings_values)
def test_any_text_comes_back_from_any_merge(text: str, settings: dict[str, Any]) -> None:
    try:
        new, changes = merged.done(text, settings)
    except jsontext.JsonError:
        return
    steps = [text, *(each for each, _ in merged.steps_of(text, settings))]
    assert before.unspliced(new, before.splices(steps)) == text
    again = merged.changes_from(json.loads(json.dumps([change.stored() for change in changes])))
    assert again == changes
    assert json.dumps(jsontext.parse(merged.undone(new, again))) == json.dumps(jsontext.parse(text))


@given(st.lists(st.text(alphabet="ab", max_size=6), min_size=1, max_size=5))
def test_edits_can_be_taken_back_in_order(texts: list[str]) -> None:
    assert before.unspliced(texts[-1], before.splices(texts)) == texts[0]


@given(st.text(alphabet="ab"), st.text(alphabet="ab"), st.text(alphabet="ab"))
def test_edits_of_another_text_are_not_taken_back(old: str, new: str, other: str) -> None:
    back = before.unspliced(other, before.splices([old, new]))
    assert back is None or isinstance(back, str)


# ---- somebody has changed the file since ----


def changed(world: World, old: str, new: str) -> None:
    path = world.config / "settings.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_what_the_user_changed_since_stays_and_the_rest_comes_back_in_its_spelling(world: World) -> None:
    found = found_in(world)
    users = '{\n  "model": 1e400,\n  "big": 1.0,\n  "theme": "dark"\n}\n'
    (world.config / "settings.json").write_text(users)
    written(found, BROUGHT)
    changed(world, '"dark"', '"light"')
    changed(world, '"defaultMode": "plan"', '"defaultMode": "mine"')
    assert removed(found)
    text = (world.config / "settings.json").read_text()
    assert text.startswith('{\n  "model": 1e400,\n  "big": 1.0,\n  "theme": "light"')
    assert json.loads(text)["permissions"] == {"defaultMode": "mine"}
    assert set(json.loads(text)) == {"model", "big", "theme", "permissions"}


def test_a_list_that_the_client_has_added_to_loses_only_what_the_provider_brought(world: World) -> None:
    found = found_in(world)
    world.write_settings({"permissions": {"allow": ["Bash", "WebFetch"]}})
    written(found, BROUGHT)
    changed(world, '"Read"', '"Read",\n      "Edit"')
    assert removed(found)
    text = (world.config / "settings.json").read_text()
    assert json.loads(text) == {"permissions": {"allow": ["Bash", "WebFetch", "Edit"]}}


def test_a_list_that_the_provider_made_keeps_what_the_client_has_added(world: World) -> None:
    found = found_in(world)
    world.write_settings({})
    written(found, {"permissions": {"allow": ["Read"]}})
    changed(world, '"Read"', '"Read", "Edit"')
    assert removed(found)
    assert json.loads((world.config / "settings.json").read_text()) == {"permissions": {"allow": ["Edit"]}}


def test_settings_that_a_program_has_written_anew_lose_what_the_provider_brought(world: World) -> None:
    found, path = found_in(world), world.config / "settings.json"
    users = {"model": "mine", "permissions": {"allow": ["Bash"]}, "theme": "dark"}
    world.write_settings(users)
    written(found, {**BROUGHT, "big": 1})
    path.write_text(json.dumps(json.loads(path.read_bytes()), separators=(",", ":")))
    assert removed(found)
    assert json.loads(path.read_bytes()) == users


def test_a_value_of_the_users_that_equals_the_providers_stays(world: World) -> None:
    found = found_in(world)
    path = world.write_settings({"model": "glm-5", "spinner": {"tips": {"on": True}}})
    bytes_before = path.read_bytes()
    written(found, BROUGHT)
    changed(world, '"reviewing"', '"looking"')
    assert removed(found)
    assert json.loads(path.read_bytes()) == json.loads(bytes_before)


def test_true_is_not_taken_for_one(world: World) -> None:
    found = found_in(world)
    path = world.write_settings({"n": 1})
    written(found, {"n": True})
    assert json.loads(path.read_bytes())["n"] is True
    changed(world, '"reviewing"', '"looking"')
    changed(world, "true", "1")
    assert removed(found)
    assert path.read_text() == '{\n  "n": 1\n}'


# ---- the record ----


def test_the_record_stands_beside_the_settings_and_is_private(world: World) -> None:
    found = found_in(world)
    world.write_settings({"env": {"SECRET": "sk-canary"}, "model": "mine"})
    written(found, BROUGHT)
    record = world.config / "settings.json.ccc-before"
    assert record.stat().st_mode & 0o777 == 0o600
    assert b"canary" not in record.read_bytes()  # what was not replaced is not copied
    assert b"mine" in record.read_bytes()


def test_without_the_state_folder_the_way_back_is_still_known(world: World) -> None:
    found = found_in(world)
    path = world.write_settings({"model": "mine"})
    bytes_before = path.read_bytes()
    written(found, BROUGHT)
    before.remove(replace(found), world.root / "moved" / "ccc", lambda _: None)
    assert path.read_bytes() == bytes_before


def test_a_start_that_changes_nothing_writes_no_record_anew(world: World) -> None:
    found = found_in(world)
    world.write_settings({"model": "mine"})
    written(found, BROUGHT)
    first = before.record_of(world.config / "settings.json").stat().st_ino
    written(found, BROUGHT)
    assert before.record_of(world.config / "settings.json").stat().st_ino == first


def first_version(world: World, stored: object) -> Path:
    world.state.mkdir(mode=0o700, exist_ok=True)
    path = world.state / "merged-settings.json"
    path.write_text(json.dumps(stored))
    return path


FIRST = [
    {"where": ["model"], "now": "glm-5", "was": "mine"},
    {"where": ["spinner"], "now": {"tips": {"on": True}}},
    {"where": ["big"], "now": 2, "was": float("inf")},
]


@pytest.mark.parametrize("settings", [None, OTHER], ids=["removed at once", "another provider first"])
def test_a_record_of_version_0_1_is_honoured(world: World, settings: dict[str, Any] | None) -> None:
    found, path = found_in(world), world.config / "settings.json"
    record = first_version(world, FIRST)
    path.write_text(json.dumps({"model": "glm-5", "spinner": {"tips": {"on": True}}, "big": 2, "theme": "dark"}))
    if settings is not None:
        written(found, {**settings, "spinner": {"tips": 1}})
        assert not record.exists()
    assert removed(found)
    assert jsontext.parse(path.read_text()) == {"model": "mine", "big": float("inf"), "theme": "dark"}
    assert not record.exists()


def test_a_lost_record_is_told_with_what_it_would_have_taken_back(world: World) -> None:
    found = found_in(
        world, glm={"env": {"X": "y"}, **{key: BROUGHT[key] for key in ("model", "permissions")}}, plain={}
    )
    said: list[str] = []
    world.write_settings({"theme": "dark"})
    written(found, BROUGHT, said)
    assert said == []
    record = before.record_of(world.config / "settings.json")
    record.unlink()
    assert removed(found, said)
    [line] = said
    assert line.startswith(f"{record} is gone: ")
    assert "(model, permissions.allow, permissions.defaultMode)" in line


def test_a_hook_without_a_record_is_nothing_to_tell_where_no_provider_brings_anything(world: World) -> None:
    found, said = found_in(world, glm={"env": {"X": "y"}}), list[str]()
    world.write_settings({"theme": "dark"})
    written(found, {}, said)
    before.record_of(world.config / "settings.json").unlink()
    written(found, {}, said)
    assert removed(found, said)
    assert said == []


BAD = ["", "{", "[]", "5", "null", "{}", '{"written": 5}', '{"written": [5]}', '{"written": [{}]}', "[" * 100_000]


@pytest.mark.parametrize("content", BAD, ids=lambda text: text[:30])
def test_a_record_that_cannot_be_read_is_told_and_kept(world: World, content: str) -> None:
    found, said = found_in(world), list[str]()
    world.write_settings({"theme": "dark"})
    written(found, BROUGHT)
    record = before.record_of(world.config / "settings.json")
    record.write_text(content)
    assert removed(found, said)
    assert len(said) == 1
    assert f"{record} cannot be read and is now {record}.corrupt" in said[0]
    assert Path(f"{record}.corrupt").read_text() == content
    assert hooks_of_ours((world.config / "settings.json").read_text(), record) == []


@pytest.mark.parametrize(
    "stored",
    [
        [{"where": ["a"], "after": "{", "holders": 0, "added": []}],
        [{"where": [1], "after": "1", "holders": 0, "added": []}],
        [{"where": [], "after": "1", "holders": 0, "added": []}],
        [{"where": ["a"], "after": "1", "before": 5, "holders": 0, "added": []}],
        [{"where": ["a"], "after": "1", "holders": 0, "added": [5]}],
    ],
    ids=str,
)
def test_a_change_that_ccc_could_not_have_stored_is_left_out(stored: object) -> None:
    assert merged.changes_from(stored) == []


def test_a_holder_of_another_kind_is_one_line_and_nothing_is_changed(world: World) -> None:
    found = found_in(world)
    path = world.write_settings({"permissions": "x"})
    bytes_before = path.read_bytes()
    with pytest.raises(CccError, match=r"settings\.json cannot be changed .*an object is expected here.*; mend it"):
        written(found, BROUGHT)
    assert path.read_bytes() == bytes_before
