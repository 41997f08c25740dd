from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccc
import ccc_hooks
import ccc_legacy
from ccc.base import interpreter
from ccc.base.errors import CccError
from ccc_hooks import merged, program
from ccc_hooks.program import Program
from ccc_hooks.settings import (
    OR_ELSE,
    Hook,
    MalformedHooks,
    foreign_hooks,
    hook_command,
    hooks_of_ours,
    is_ours,
    mentioned,
    mentions_ours,
    tells_failures,
    with_hook,
    without_hook,
)
from tests.world import CCC, World

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


FAILURES = msgspec.structs.replace(OURS, failures=True)


@pytest.mark.parametrize("failure", [{}, {"StopFailure": [{"matcher": "rate_limit", "hooks": [THEIRS]}]}])
def test_a_client_that_tells_failures_gets_a_hook_for_them_beside_the_users(failure: dict[str, object]) -> None:
    text = dumped({"hooks": {"Stop": [{"hooks": [THEIRS]}], **failure}})
    hooked = with_hook(text, FAILURES, PATH)
    *theirs, ours = json.loads(hooked)["hooks"]["StopFailure"]
    assert theirs == failure.get("StopFailure", [])
    assert ours == {
        "hooks": [{"type": "command", "command": "trap '' TERM; /usr/local/bin/ccc supervisor-hook", "timeout": 60}]
    }
    assert (hooks_of_ours(hooked, PATH), tells_failures(hooked, PATH)) == ([OURS.command], True)
    assert with_hook(hooked, FAILURES, PATH) == hooked
    assert without_hook(hooked, PATH) == text


def test_a_client_that_does_not_know_the_event_finds_none_in_the_file() -> None:
    """Up to 2.1.77 it would drop the whole file, and the Stop hook with it."""
    text = dumped(USERS)
    assert with_hook(with_hook(text, FAILURES, PATH), OURS, PATH) == with_hook(text, OURS, PATH)
    assert not tells_failures(with_hook(text, OURS, PATH), PATH)


def test_removing_takes_ours_and_what_only_held_it() -> None:
    text = with_hook("{}\n", OURS, PATH)
    assert json.loads(without_hook(text, PATH)) == {}


@pytest.mark.parametrize(
    "hooks",
    [[], None, "x", {"Stop": {}}, {"Stop": None}, {"Stop": ["x"]}, {"Stop": [[]]}, {"StopFailure": {}}],
    ids=str,
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
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
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
    command = hook_command(Program(program))
    assert command == expected
    assert shlex.split(command) == [program, "supervisor-hook"]
    assert is_ours(command)


AS_CCC = "-c 'from ccc.__main__ import hook; hook()'"
FORMS = {
    "isolated": (
        Program("/v/bin/ccc", ("/v/bin/python", "-I")),
        f"/v/bin/python -I {AS_CCC} /v/bin/ccc supervisor-hook{OR_ELSE}",
    ),
    "for this user alone": (
        Program("/h/.local/bin/ccc", ("/usr/bin/python3", "-E", "-P")),
        f"/usr/bin/python3 -E -P {AS_CCC} /h/.local/bin/ccc supervisor-hook{OR_ELSE}",
    ),
    "a path with blanks": (
        Program("/a b/ccc", ("/a b/python", "-I")),
        f"'/a b/python' -I {AS_CCC} '/a b/ccc' supervisor-hook{OR_ELSE}",
    ),
    "a wrapper": (Program("/opt/ccc", clears=True), f"{interpreter.cleared()} /opt/ccc supervisor-hook{OR_ELSE}"),
    "found by PYTHONPATH alone": (Program("/opt/ccc"), "/opt/ccc supervisor-hook"),
}


@pytest.mark.spec("H4", "C12")
@pytest.mark.parametrize(("called", "expected"), FORMS.values(), ids=FORMS)
def test_every_form_of_the_command_is_the_path_of_ccc_and_its_subcommand(called: Program, expected: str) -> None:
    assert hook_command(called) == expected
    assert is_ours(expected)
    words = shlex.split(expected)
    assert words[words.index(called.path) + 1 :] in (["supervisor-hook"], ["supervisor-hook", *shlex.split(OR_ELSE)])


@pytest.mark.parametrize("written", [form for _, form in FORMS.values()])
@pytest.mark.parametrize("stored", [form for _, form in FORMS.values()])
def test_each_form_takes_the_place_of_each_other_and_can_be_taken_out(written: str, stored: str) -> None:
    text = dumped(USERS)
    old = with_hook(text, Hook(stored, 600, "reviewing"), PATH)
    new = with_hook(old, Hook(written, 600, "reviewing"), PATH)
    assert hooks_of_ours(new, PATH) == [written]
    assert without_hook(new, PATH) == text


def launcher(folder: Path, *lines: str) -> str:
    path = folder / "ccc"
    path.write_text("\n".join((*lines, "")))
    path.chmod(0o755)
    return str(path)


PYTHON = f"#!{sys.executable}"
MAIN = "from ccc.__main__ import main; import sys; sys.exit(main())"
LAUNCHERS = {
    "a Python script": ((PYTHON, MAIN), "isolated"),
    "with options of its own": ((f"{PYTHON} -s", MAIN), "isolated"),
    "a shell script": (("#!/bin/sh", f'exec {CCC} "$@"'), "cleared"),
    "for a long path": (("#!/bin/sh", f"'''exec' {sys.executable} \"$0\" \"$@\"", "' '''", MAIN), "cleared"),
    "of whichever Python is first": ((f"#!/usr/bin/env {sys.executable}", MAIN), "cleared"),
    "with a Python that is not there": (("#!/no/such/python3", MAIN), "as it is"),
    "that needs PYTHONPATH": (("#!/bin/sh", 'test -n "$PYTHONPATH"'), "as it is"),
}


@pytest.mark.parametrize(("lines", "kind"), LAUNCHERS.values(), ids=LAUNCHERS)
def test_how_ccc_is_called_follows_from_its_launcher(world: World, lines: tuple[str, ...], kind: str) -> None:
    called = program.found(launcher(world.root, *lines))
    assert called.python == ((sys.executable, "-I") if kind == "isolated" else ())
    assert called.clears == (kind == "cleared")


RUNNING = {name: lines for name, (lines, kind) in LAUNCHERS.items() if kind != "as it is"}


@pytest.mark.parametrize("lines", RUNNING.values(), ids=RUNNING)
def test_no_variable_brings_other_code_into_the_hook(world: World, lines: tuple[str, ...]) -> None:
    planted = world.project / "planted"
    (planted / "ccc").mkdir(parents=True)
    for name in ("sitecustomize", "usercustomize", "json", "os", "ccc/__init__"):
        (planted / f"{name}.py").write_text(f"open({str(world.root / 'ran')!r}, 'w')\n")
    hostile = {
        **dict.fromkeys(("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX"), str(planted)),
        **dict.fromkeys(("PYTHONHASHSEED", "PYTHONUTF8", "PYTHONMALLOC", "PYTHONINTMAXSTRDIGITS"), "odd"),
        "PYTHONWARNINGS": "error",
    }
    command = hook_command(program.found(launcher(world.root, *lines)))
    env = world.env(CCC_SUPERVISOR_HOOK="1", **hostile)
    done = subprocess.run(["/bin/sh", "-c", command], env=env, cwd=planted, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"decision":"","":""}', b"")
    assert not (world.root / "ran").exists()


def test_a_ccc_that_is_installed_for_one_user_is_found_and_nothing_else_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = sys._base_executable  # type: ignore[attr-defined]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = world.home / ".local" / "lib" / version / "site-packages"
    site.mkdir(parents=True)
    homes = {str(Path(str(module.__file__)).parents[1]) for module in (ccc, ccc_hooks, ccc_legacy, msgspec, click)}
    (site / "ccc.pth").write_text("\n".join(sorted(homes)))
    monkeypatch.setenv("HOME", str(world.home))
    called = program.found(launcher(world.root, f"#!{bare}", MAIN))
    assert called.python == (bare, "-E", "-P")
    env = world.env(CCC_SUPERVISOR_HOOK="1", PYTHONPATH=str(world.project), PYTHONHOME="/no")
    (world.project / "sitecustomize.py").write_text("raise SystemExit(2)")
    done = subprocess.run(["/bin/sh", "-c", hook_command(called)], env=env, cwd=world.project, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b'{"decision":"","":""}')


@pytest.mark.parametrize("python", [sys._base_executable, "/gone/python"])  # type: ignore[attr-defined]
def test_a_ccc_that_has_been_taken_away_holds_nobody(world: World, python: str) -> None:
    """Nor does a Python that is gone; 2 would send the agent back for ever; 1 is shown, 0 is not."""
    command = hook_command(Program("/gone/ccc", (python, "-I")))
    for supervised, code in (({}, 0), ({"CCC_PROVIDER": "glm"}, 1)):
        env = world.env(**supervised)
        assert subprocess.run(["/bin/sh", "-c", command], env=env, capture_output=True).returncode == code


@pytest.mark.parametrize(("path", "expected"), [("/src", {"PYTHONPATH": "/src"}), ("", {})])
def test_what_a_shell_cleared_for_ccc_is_there_for_the_programs_it_starts(path: str, expected: dict[str, str]) -> None:
    env = {"PYTHONPATH": path, "PYTHONHASHSEED": "5", "OTHER": "", "PATH": "/usr/bin:/bin"}
    shell = ["/bin/sh", "-c", f"{interpreter.cleared()} env"]
    told = subprocess.run(shell, env=env, capture_output=True, text=True, check=True).stdout
    seen = {name: value for name, _, value in (line.partition("=") for line in told.splitlines())}
    assert (seen["PYTHONPATH"], seen["PYTHONHASHSEED"]) == ("", "")
    found = interpreter.restored(seen)
    assert {key: found[key] for key in found if key.startswith(("PYTHON", "CCC_"))} == expected
    assert found["OTHER"] == ""


@pytest.mark.parametrize("name", ["a b", 'q"q', "d$d", "s;s", "o'o", "中文"])
def test_the_quoted_command_runs_under_a_shell(world: World, name: str) -> None:
    folder = world.root / name
    folder.mkdir()
    program = folder / "ccc"
    program.write_text('#!/bin/sh\nprintf "%s" "$1"\n')
    program.chmod(0o755)
    done = subprocess.run(["sh", "-c", hook_command(Program(str(program)))], capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"supervisor-hook")


def test_a_line_break_in_the_path_is_refused() -> None:
    with pytest.raises(CccError, match="line break"):
        hook_command(Program("/a\nb/ccc"))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/x/ccc supervisor-hook", True),
        ("CCC_SUPERVISOR=1 ccc supervisor-hook --state-dir d", True),
        ("/x/ccc supervisor-hook --settings /s.json --state-dir '/a b'", True),
        ("/v/python -I /x/ccc supervisor-hook || exit 1", True),
        (f'/v/python -I {AS_CCC} /x/ccc supervisor-hook || test -z "${{CCC_PROVIDER+x}}"', True),
        (f'/v/python {AS_CCC} /x/ccc supervisor-hook || test -z "${{CCC_PROVIDER+x}}"', False),
        ("""/v/python -I -c 'import os' /x/ccc supervisor-hook || test -z "${CCC_PROVIDER+x}\"""", False),
        ('/v/python -I /x/ccc supervisor-hook || test -z "${CCC_PROVIDER+x}"', True),
        ('PYTHON_GIL= /x/ccc supervisor-hook || test -z "${CCC_PROVIDER+x}"', True),
        ("PYTHONPATH= PYTHON_GIL= /x/ccc supervisor-hook", True),
        ("notify-send hi; /x/ccc supervisor-hook", False),
        ("foo && ccc supervisor-hook | tee log", False),
        ("/x/ccc supervisor-hook; notify-send hi", False),
        ("/x/ccc supervisor-hook && notify-send hi", False),
        ("/x/ccc supervisor-hook || notify-send hi", False),
        ("/x/ccc supervisor-hook || exit 1", False),
        ("/x/ccc supervisor-hook &", False),
        ("/x/ccc supervisor-hook > /tmp/log", False),
        ("/x/ccc supervisor-hook\nnotify-send hi", False),
        ("/x/ccc supervisor-hook # mine", False),
        ("$HOME/bin/ccc supervisor-hook", False),
        ("~/bin/ccc supervisor-hook", False),
        ("$(which ccc) supervisor-hook", False),
        ("/x/ccc supervisor-hook --state-dir `pwd`", False),
        ("/x/ccc supervisor-hook --verbose", False),
        ("/x/ccc supervisor-hook --state-dir a --state-dir b", False),
        ("CCC_LANG=en /x/ccc supervisor-hook", False),
        ("CCC_SUPERVISOR=$(evil) /x/ccc supervisor-hook", False),
        ("env CCC_SUPERVISOR=1 /x/ccc supervisor-hook", False),
        ("timeout 60 /x/ccc supervisor-hook", False),
        ("/v/python -X dev /x/ccc supervisor-hook || exit 1", False),
        ("/v/python -I /x/ccc supervisor-hook", False),
        ("sh -c '/x/ccc supervisor-hook'", False),
        ("supervisor-hook", False),
        ("", False),
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


CALLING = ["notify-send hi; /x/ccc supervisor-hook", "foo && ccc supervisor-hook | tee log", "'/x/ccc' supervisor-hook"]


@pytest.mark.parametrize("command", CALLING)
def test_a_hook_that_only_mentions_ours_is_the_users(command: str) -> None:
    text = dumped({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
    hooked = with_hook(text, OURS, PATH)
    assert (hooks_of_ours(hooked, PATH), foreign_hooks(hooked, PATH)) == ([OURS.command], 1)
    assert without_hook(hooked, PATH) == without_hook(text, PATH) == text
    assert mentioned(json.loads(text))


@pytest.mark.parametrize("command", [OURS.command, "/home/me/notify.sh", "ccc status", 5, None])
def test_other_hooks_are_not_taken_for_a_call_of_ours(command: object) -> None:
    assert not mentioned({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})


@pytest.mark.parametrize(
    "hooks", [None, [], {"Stop": 5}, {"Stop": [5]}, {"Stop": [{"hooks": 5}]}, {"Stop": [{"hooks": [5]}]}]
)
def test_whatever_stands_at_hooks_can_be_looked_through(hooks: object) -> None:
    assert not mentioned({"hooks": hooks})


@given(st.text(alphabet="/xc -=|&;'\"$PYTHON_supervisor-hook\n1"), st.text(alphabet="/xc -=|&;'\"$\n1"))
def test_nothing_around_a_call_of_ours_is_ours(before: str, after: str) -> None:
    for command in (before + OURS.command, OURS.command + after):
        if is_ours(command):
            words = shlex.split(command)
            assert words[-1] == "supervisor-hook"
            assert all(re.fullmatch("CCC_SUPERVISOR=1|PYTHON[A-Z0-9_]*=", word) for word in words[:-2])


@pytest.mark.timeout(5)
@pytest.mark.parametrize("piece", ["PYTHONPATH= ", "CCC_SUPERVISOR=1 ", "PYTHON", "'", "ccc ", "ccc supervisor-hook "])
def test_a_hostile_command_costs_one_pass(piece: str) -> None:
    command = piece * (1_000_000 // len(piece))
    assert (is_ours(command), is_ours(f"{command} |")) == (False, False)
    mentions_ours(command)


@pytest.mark.spec("C12")
def test_the_program_is_named_by_its_absolute_path(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    path = world.root / "bin" / "ccc"
    path.parent.mkdir()
    path.write_text("")
    path.chmod(0o755)
    monkeypatch.chdir(world.root)
    assert program.own_path("bin/ccc", "/usr/bin/python3") == str(path)
    monkeypatch.setenv("PATH", str(path.parent))
    assert program.own_path("ccc", "/usr/bin/python3") == str(path)
    assert program.own_path("/site-packages/ccc/__main__.py", str(path.parent / "python3")) == str(path)


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
