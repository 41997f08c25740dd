from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.errors import CccError
from ccc_hooks import merged
from ccc_hooks.settings import (
    Hook,
    MalformedHooks,
    foreign_hooks,
    hook_command,
    hooks_of_ours,
    is_ours,
    own_program,
    with_hook,
    without_hook,
)
from tests.world import World

PATH = Path("/home/me/.claude/settings.json")
OURS = Hook("/usr/local/bin/ccc supervisor-hook", 600, "reviewing")
THEIRS = {"type": "command", "command": "/home/me/notify.sh"}


def dumped(settings: object) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.spec("H3", "H4")
@pytest.mark.parametrize("text", ["", "{}", "{}\n", dumped({"theme": "dark"}), dumped({"hooks": {}})])
def test_the_hook_is_added_to_any_settings(text: str) -> None:
    settings = json.loads(with_hook(text, OURS, PATH))
    assert settings["hooks"]["Stop"] == [
        {
            "hooks": [
                {
                    "type": "command",
                    "command": "/usr/local/bin/ccc supervisor-hook",
                    "timeout": 600,
                    "statusMessage": "reviewing",
                }
            ]
        }
    ]


USERS = {
    "zeta": 9223372036854775809,
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [THEIRS]}],
        "Stop": [{"hooks": [THEIRS]}, {"matcher": "", "hooks": [{"type": "prompt", "prompt": "?"}]}],
    },
    "alpha": "中文 \u00e9",
}


def test_other_hooks_keys_and_their_order_survive() -> None:
    text = dumped(USERS)
    merged_text = with_hook(text, OURS, PATH)
    assert merged_text.startswith(text[: text.index('"Stop"')])
    settings = json.loads(merged_text)
    assert list(settings) == ["zeta", "hooks", "alpha"]
    assert settings["hooks"]["Stop"][:2] == USERS["hooks"]["Stop"]  # type: ignore[index]
    assert foreign_hooks(merged_text, PATH) == 2
    assert hooks_of_ours(merged_text, PATH) == [OURS.command]


def test_writing_twice_gives_the_same_bytes() -> None:
    once = with_hook(dumped(USERS), OURS, PATH)
    assert with_hook(once, OURS, PATH) == once


def test_adding_and_removing_gives_the_users_bytes_back() -> None:
    text = dumped(USERS)
    assert without_hook(with_hook(text, OURS, PATH), PATH) == text


def test_a_hook_of_an_older_installation_is_replaced_where_it_stands() -> None:
    old = {"type": "command", "command": "/old/ccc supervisor-hook --state-dir x", "timeout": 1}
    text = dumped({"hooks": {"Stop": [{"hooks": [old, THEIRS]}, {"hooks": [old]}, {"hooks": [THEIRS]}]}})
    settings = json.loads(with_hook(text, OURS, PATH))
    assert settings["hooks"]["Stop"] == [{"hooks": [OURS.entry(), THEIRS]}, {"hooks": [THEIRS]}]


def test_removing_takes_ours_and_what_only_held_it() -> None:
    text = with_hook("{}\n", OURS, PATH)
    assert json.loads(without_hook(text, PATH)) == {}


@pytest.mark.parametrize(
    "hooks", [[], None, "x", {"Stop": {}}, {"Stop": None}, {"Stop": ["x"]}, {"Stop": [[]]}], ids=str
)
def test_malformed_hooks_are_refused_and_left_alone(hooks: object) -> None:
    with pytest.raises(MalformedHooks, match="mend it, ccc will not overwrite it"):
        with_hook(dumped({"hooks": hooks}), OURS, PATH)


@pytest.mark.parametrize("text", ["{", "[]", "null", '"x"', "\ufeff{}", '{"a": NaN}', "{} {}"])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(CccError, match=r"settings\.json"):
        with_hook(text, OURS, PATH)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text().filter(lambda key: key != "hooks"), json_values), st.sampled_from([None, 2, "\t"]))
def test_everything_but_our_hook_is_as_it_was(settings: dict[str, object], indent: int | None) -> None:
    text = json.dumps(settings, indent=indent, ensure_ascii=False)
    hooked = with_hook(text, OURS, PATH)
    found = json.loads(hooked)
    del found["hooks"]
    assert found == settings
    assert json.loads(without_hook(hooked, PATH)) == settings


@pytest.mark.spec("H4", "C12")
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("/usr/local/bin/ccc", "/usr/local/bin/ccc supervisor-hook"),
        ("/home/a b/ccc", "'/home/a b/ccc' supervisor-hook"),
        ("/o'h/ccc", "'/o'\"'\"'h/ccc' supervisor-hook"),
        ("/$HOME/ccc", "'/$HOME/ccc' supervisor-hook"),
        ("/a;b/ccc", "'/a;b/ccc' supervisor-hook"),
        ("/中文/ccc", "'/中文/ccc' supervisor-hook"),
    ],
)
def test_the_command_is_quoted_for_the_shell(program: str, expected: str) -> None:
    command = hook_command(program)
    assert command == expected
    assert shlex.split(command) == [program, "supervisor-hook"]
    assert is_ours(command)


@pytest.mark.parametrize("name", ["a b", 'q"q', "d$d", "s;s", "o'o", "中文"])
def test_the_quoted_command_runs_under_a_shell(world: World, name: str) -> None:
    folder = world.root / name
    folder.mkdir()
    program = folder / "ccc"
    program.write_text('#!/bin/sh\nprintf "%s" "$1"\n')
    program.chmod(0o755)
    done = subprocess.run(["sh", "-c", hook_command(str(program))], capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"supervisor-hook")


def test_a_line_break_in_the_path_is_refused() -> None:
    with pytest.raises(CccError, match="line break"):
        hook_command("/a\nb/ccc")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/x/ccc supervisor-hook", True),
        ("CCC_SUPERVISOR=1 ccc supervisor-hook --state-dir d", True),
        ("/x/ccc status", False),
        ("/x/notccc supervisor-hook", False),
        ("echo 'ccc supervisor-hook'", False),
        ("ccc 'unbalanced", False),
        (5, False),
        (None, False),
    ],
)
def test_our_hook_is_recognised(command: object, expected: bool) -> None:
    assert is_ours(command) is expected


@pytest.mark.spec("C12")
def test_the_program_is_named_by_its_absolute_path(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    program = world.root / "bin" / "ccc"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.chdir(world.root)
    assert own_program("bin/ccc", "/usr/bin/python3") == str(program)
    monkeypatch.setenv("PATH", str(program.parent))
    assert own_program("ccc", "/usr/bin/python3") == str(program)
    assert own_program("/site-packages/ccc/__main__.py", str(program.parent / "python3")) == str(program)


PROVIDER = {"model": "glm-5", "permissions": {"allow": ["WebFetch"], "defaultMode": "plan"}}


@pytest.mark.parametrize(
    "before",
    [{}, {"model": "mine"}, {"permissions": {"allow": ["Bash"]}, "x": 1}, {"permissions": {"defaultMode": "plan"}}],
    ids=str,
)
def test_what_a_provider_brought_leaves_with_it(before: dict[str, object]) -> None:
    text = dumped(before)
    changed, changes = merged.done(text, PROVIDER)
    assert json.loads(changed)["model"] == "glm-5"
    assert "WebFetch" in json.loads(changed)["permissions"]["allow"]
    stored = merged.changes_from(json.loads(json.dumps([change.stored() for change in changes])))
    assert json.loads(merged.undone(changed, stored)) == before


def test_what_the_user_changed_meanwhile_is_the_users() -> None:
    text, changes = merged.done(dumped({"model": "mine"}), PROVIDER)
    text = text.replace("glm-5", "changed by hand")
    assert json.loads(merged.undone(text, changes))["model"] == "changed by hand"


def test_merging_twice_is_merging_once() -> None:
    once, changes = merged.done(dumped({"permissions": {"allow": ["Bash"]}}), PROVIDER)
    again, none = merged.done(once, PROVIDER)
    assert (again, none) == (once, [])
    assert changes


@pytest.mark.parametrize("stored", [None, 5, "x", {}, [1], [{}], [{"where": "x"}], [{"now": 1}]], ids=str)
def test_a_record_that_cannot_be_read_undoes_nothing(stored: object) -> None:
    assert merged.changes_from(stored) == []
