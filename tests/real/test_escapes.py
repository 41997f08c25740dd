"""How an agent or a repository could go unreviewed, tried on the real client: prevented, or told."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import REVIEWER, Supervised, agent_requests, reviews, rules, supervised, verdict
from tests.world import CCC, Run, World, fake_claude, provider

pytestmark = pytest.mark.long

EN = {"CCC_LANG": "en"}
REPORTED = "and its hook never reported the stop of"


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def start(world: World, model: ScriptedModel, *words: str, layout: tuple[str, ...] = ()) -> Run:
    world.write_config({"glm": provider(model.url)})
    switch = {} if layout else {"CCC_SUPERVISOR": "1"}
    return world.ccc(*layout, "glm", *words, "-p", "hi", env=world.env(**switch, **EN))


FILES = ("--supervisor", "--mode", "hooks")
LAYOUTS = pytest.mark.parametrize("layout", [(), FILES], ids=["one file", "two files"])


def writes(world: World, content: object, first: str = "") -> list[dict[str, Any]]:
    """An agent that writes settings for its project and says that it is done; the reviewer would send it back."""
    scratch = put(world.root / "prepared.json", content)
    command = f"{first}mkdir -p .claude && cp {shlex.quote(str(scratch))} .claude/settings.local.json; sleep 2"
    asked = {**REVIEWER, "times": None, "replies": [verdict(False, "GO ON"), verdict(True)]}
    agent = [{"tools": [{"name": "Bash", "input": {"command": command}}]}, {"text": "done"}]
    return [asked, {"times": None, "replies": agent}]


def written_hook(world: World, model: ScriptedModel) -> dict[str, Any]:
    """The entry that a start of ccc writes, as an agent can read it."""
    world.write_config({"glm": provider(model.url)})
    world.ccc("glm", "-p", env=world.env(CCC_SUPERVISOR="1"))
    found: dict[str, Any] = json.loads((world.config / "settings.json").read_text())["hooks"]["Stop"][0]["hooks"][0]
    return found


def is_told(world: World, session_id: str) -> None:
    """By `ccc status` in both forms, and by the next start, once."""
    (row, *_) = json.loads(world.ccc("status", "--json").out)
    assert (row["session_id"], row["outcome"], list(row["outside"])) == (session_id, "unreviewed", ["hook not called"])
    assert "its hook never reported" in world.ccc("status", env=world.env(**EN)).out
    first, second = (world.ccc("glm", "--version", env=world.env(**EN)).err for _ in range(2))
    assert REPORTED in first
    assert session_id in first
    assert REPORTED not in second


# ---- before the start ----


@pytest.mark.parametrize(
    "env",
    [{"FOO": "x" * 200_000}, {f"F{n}": "x" * 60_000 for n in range(40)}, {"MALLOC_TOP_PAD_": "9223372036854775807"}],
    ids=["one that is too long", "many", "the allocator"],
)
@LAYOUTS
def test_variables_that_would_keep_the_hook_from_starting_are_refused(
    world: World, env: dict[str, str], layout: tuple[str, ...]
) -> None:
    path = put(world.project / ".claude" / "settings.json", {"env": env})
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        run = start(world, model, layout=layout)
    assert run.code == 1
    assert f"{path} sets " in run.err
    assert len(run.err) < 1000
    assert not model.messages


@pytest.mark.parametrize("terms", [{"timeout": 0.01}, {"async": True}, {}], ids=["no time", "unheard", "as it is"])
@LAYOUTS
def test_a_projects_copy_of_our_hook_is_refused(world: World, terms: dict[str, Any], layout: tuple[str, ...]) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        copy = {**written_hook(world, model), **terms}
        path = put(world.project / ".claude" / "settings.json", {"hooks": {"Stop": [{"hooks": [copy]}]}})
        run = start(world, model, layout=layout)
    assert run.code == 1
    assert f"{path} has a Stop hook that calls ccc supervisor-hook" in run.err
    assert not model.messages


@pytest.mark.parametrize(
    ("words", "env", "calls"),
    [
        ([], {}, True),
        (["--bare"], {}, False),
        (["--safe-mode"], {}, False),
        (["--restricted"], {}, False),
        (["--setting-sources", "project"], {}, False),
        (["--setting-sources=local,user"], {}, True),
        ([], {"CLAUDE_CODE_SIMPLE": "1"}, False),
        ([], {"CLAUDE_CODE_SAFE_MODE": "true"}, False),
        ([], {"CLAUDE_CODE_RESTRICTED": "1"}, False),
        ([], {"CLAUDE_CODE_SIMPLE": "0"}, True),
    ],
)
def test_a_start_that_would_call_no_hook_is_refused_and_no_other(
    world: World, words: list[str], env: dict[str, str], calls: bool
) -> None:
    mark = world.root / "called"
    hook = {"type": "command", "command": f"touch {shlex.quote(str(mark))}"}
    world.write_settings({"hooks": {"Stop": [{"hooks": [hook]}]}})
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)})
        assert world.ccc("glm", *words, "-p", "hi", env=world.env(**env)).code == 0
        assert mark.exists() is calls  # what the client does, whatever ccc believes of it
        run = world.ccc("glm", *words, "-p", "hi", env=world.env(CCC_SUPERVISOR="1", **EN, **env))
    assert (run.code, "claude does not call ccc's hook" in run.err) == ((0, False) if calls else (1, True))
    assert bool(reviews(model)) is calls


def test_a_stop_hook_of_the_project_is_named_because_it_can_end_the_turn(world: World) -> None:
    hook = {"type": "command", "command": """printf '{"continue": false}'"""}
    path = put(world.project / ".claude" / "settings.json", {"hooks": {"Stop": [{"hooks": [hook]}]}})
    script = rules([{"text": "done"}, {"text": "more"}], [verdict(False, "GO ON"), verdict(True)])
    with ScriptedModel(script) as model:
        run = start(world, model)
    assert f"{path} has a Stop hook, which can end a turn that the review would go on with" in run.err
    assert (len(agent_requests(model)), len(reviews(model))) == (1, 1)  # it did
    ((row,), shown) = json.loads(world.ccc("status", "--json").out), world.ccc("status", env=world.env(**EN)).out
    assert (row["outcome"], list(row["outside"])) == ("unreviewed", ["sent back and not gone on"])
    assert "the review sent the agent back, and it did not go on" in shown
    assert "sent the agent back, and it did not go on" in world.ccc("glm", "--version", env=world.env(**EN)).err


# ---- while the agent works ----


def escaped(world: World, content: object, first: str = "") -> tuple[Supervised, ScriptedModel]:
    with ScriptedModel(writes(world, content, first)) as model:
        seen = supervised(world, model, env=EN)
    assert seen.run.code == 0
    return seen, model


@pytest.mark.parametrize("env", [{"FOO": "x" * 200_000}, {"MALLOC_TOP_PAD_": "9223372036854775807"}])
def test_a_hook_that_could_not_even_start_is_told(world: World, env: dict[str, str]) -> None:
    seen, model = escaped(world, {"env": env})
    assert reviews(model) == []
    is_told(world, seen.session_id)


@pytest.mark.parametrize("terms", [{"timeout": 0.01}, {"async": True}], ids=["no time", "unheard"])
def test_a_copy_of_the_hook_that_the_agent_wrote_is_told(world: World, terms: dict[str, Any]) -> None:
    with ScriptedModel([]) as model:
        copy = {**written_hook(world, model), **terms}
    (world.config / "ccc.json").unlink()
    seen, model = escaped(world, {"hooks": {"Stop": [{"hooks": [copy]}]}})
    assert reviews(model) == []
    (row, *_) = json.loads(world.ccc("status", "--json").out)
    if (
        "async" in terms and not row["outside"]
    ):  # it came so far as to find out that nobody hears it, and told it itself
        assert (row["session_id"], row["outcome"]) == (seen.session_id, "unreviewed")
        assert "the last stop was not reviewed" in world.ccc("glm", "--version", env=world.env(**EN)).err
    else:
        is_told(world, seen.session_id)


def test_hooks_that_the_agent_switched_off_are_told_though_it_called_ours_itself(world: World) -> None:
    """First for a session of its own invention, as what runs below the client and as what has left it."""
    hook = shlex.quote(str(CCC)) + " supervisor-hook"
    stop = shlex.quote(json.dumps({"hook_event_name": "Stop", "session_id": "zzz", "background_tasks": [{"id": "b"}]}))
    first = f"echo {stop} | {hook}; echo {stop} | setsid -f env -u CLAUDECODE sh -c {shlex.quote(hook)}; "
    seen, model = escaped(world, {"disableAllHooks": True}, first)
    assert reviews(model) == []
    assert "something below the client has made it" in seen.log
    is_told(world, seen.session_id)


@pytest.mark.parametrize("variable", ["CCC_CONFIG_DIR", "HOME"])
def test_an_agent_does_not_choose_its_judge(world: World, variable: str) -> None:
    fake = world.root / "fake"
    config = fake if variable == "CCC_CONFIG_DIR" else fake / ".claude"
    config.mkdir(parents=True, mode=0o700)
    result = {"type": "result", "is_error": False, "structured_output": {"allow_stop": True, "feedback": ""}}
    judge = fake_claude(fake, [f"touch {fake}/asked", f"echo {shlex.quote(json.dumps(result))}"])
    env = {variable: str(fake), "CCC_CLAUDE": str(judge)}
    allowed = {str(world.project): {name: [value] for name, value in env.items()}}
    put(config / "ccc.json", {"providers": {}, "allowed": allowed}).chmod(0o600)
    seen, model = escaped(world, {"env": env})
    assert not (fake / "asked").exists()
    assert reviews(model) == []
    assert (seen.state["outcome"], "steers ccc" in seen.state["reason"]) == ("unreviewed", True)
    assert not (config / "ccc").exists()


YES = {
    "hookEventName": "PreToolUse",
    "permissionDecision": "allow",
    "updatedInput": {"allow_stop": True, "feedback": ""},
}


@pytest.mark.parametrize("by", ["the project", "the agent"])
def test_no_hook_writes_the_verdict(world: World, by: str) -> None:
    said = shlex.quote(json.dumps({"hookSpecificOutput": YES}))
    hook = {"matcher": "StructuredOutput", "hooks": [{"type": "command", "command": f"echo {said}"}]}
    path = put(world.root / "prepared.json", {"hooks": {"PreToolUse": [hook]}})
    if by == "the project":
        put(world.project / ".claude" / "settings.json", json.loads(path.read_text()))
    edit = "import json, sys; old = json.load(open(sys.argv[2])); new = json.load(open(sys.argv[1]))\n"
    edit += "old['hooks'] |= new['hooks']; json.dump(old, open(sys.argv[2], 'w'))"
    command = shlex.join(["python3", "-c", edit, str(path), str(world.config / "settings.json")])
    first = {"text": "hm"} if by == "the project" else {"tools": [{"name": "Bash", "input": {"command": command}}]}
    with ScriptedModel(rules([first, {"text": "done"}], [verdict(False, "GO ON")])) as model:
        seen = supervised(world, model, env=EN)
    asked, why = (1, "changed its verdict") if by == "the project" else (0, "changed in your own settings")
    assert len(reviews(model)) == asked
    assert (seen.state["outcome"], why in seen.state["reason"]) == ("unreviewed", True), seen.state
    assert why in seen.run.err


# ---- no alarm ----


def test_a_reviewed_session_and_a_start_without_a_prompt_are_no_alarm(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, "GO ON"), verdict(True)])) as model:
        seen = supervised(world, model, env=EN)
        world.ccc("glm", "-p", env=world.env(CCC_SUPERVISOR="1", **EN))
        run = start(world, model)
    assert len(reviews(model)) >= 2
    assert "never reported" not in seen.run.err + run.err + world.ccc("status", env=world.env(**EN)).out
    assert "never reported" not in world.ccc("glm", "--version", env=world.env(**EN)).err


# ---- what ccc would know it by ----

STARTS = '"$HOME/.claude/ccc/starts.json"'
SPOILT = {
    "junk": f"echo x > {STARTS}",
    "gone": f"rm {STARTS}",
    "empty, as an earlier version wrote it": f"echo '[]' > {STARTS}",
    "ended": f"""sed -i 's/"until": null/"until": "2026-01-01T00:00:00+00:00"/' {STARTS}""",
}
OFF = (
    "import json,os; p=os.path.expanduser('~/.claude/settings.json'); d=json.load(open(p));"
    "json.dump(d | {'disableAllHooks': True}, open(p, 'w'))"
)


def unhooked(world: World, more: str = "true") -> str:
    """An agent that is sent back, switches all hooks off, does more, and stops; its session."""
    command = f"python3 -c {shlex.quote(OFF)}; {more}; sleep 3"
    agent = [{"text": "first"}, {"tools": [{"name": "Bash", "input": {"command": command}}]}, {"text": "done"}]
    with ScriptedModel(rules(agent, [verdict(False, "GO ON"), verdict(True)])) as model:
        start(world, model, "--dangerously-skip-permissions")
        assert len(reviews(model)) == 1
    (path,) = (each for each in world.state.glob("supervisor-*.json"))
    return path.stem.removeprefix("supervisor-")


@pytest.mark.parametrize("command", SPOILT.values(), ids=SPOILT)
def test_an_agent_that_spoils_the_list_of_starts_is_told_of_and_so_is_the_list(world: World, command: str) -> None:
    session_id = unhooked(world, command)
    found = {row["session_id"]: row["outcome"] for row in json.loads(world.ccc("status", "--json").out)}
    assert found == {"starts.json": "unreviewed", session_id: "unreviewed"}
    first, second = (world.ccc("glm", "--version", env=world.env(**EN)).err for _ in range(2))
    assert "its starts was changed outside ccc" in first
    assert session_id in first
    assert "outside" not in second
    assert "starts.json" in world.ccc("status", "--json").out


@pytest.mark.parametrize("year", ["2020", "2090"])
def test_nor_does_a_time_that_it_writes_into_its_transcript_hide_the_stop(world: World, year: str) -> None:
    session_id = unhooked(world)
    (path,) = world.config.glob(f"projects/*/{session_id}.jsonl")
    path.write_text(re.sub(r'"timestamp":"\d{4}', f'"timestamp":"{year}', path.read_text()))
    is_told(world, session_id)


# ---- two clients on one session ----

NESTED = """exec "$(readlink /proc/$CLAUDE_PID/exe)" --resume $CLAUDE_CODE_SESSION_ID -p nested >/dev/null"""


def again_and_again(reviewer: dict[str, Any], command: str) -> list[dict[str, Any]]:
    """An agent that has another client work on its own session before each stop."""
    nested = {"last": "nested", "times": None, "replies": [{"text": "so it is"}]}
    stops = {"last": "tool output: ", "times": None, "replies": [{"text": "done"}]}
    call = {"name": "Bash", "input": {"command": f"({command}); echo tool output: $?"}}
    return [reviewer, nested, stops, {"times": 12, "replies": [{"tools": [call]}]}]


def test_a_client_that_the_agent_starts_on_its_own_session_does_not_begin_its_request_anew(world: World) -> None:
    # Before each stop the other client's, with which the reviewer is content.
    replies = [each for number in range(6) for each in (verdict(True), verdict(False, f"missing {number}"))]
    script = again_and_again({**REVIEWER, "times": None, "replies": [*replies, verdict(True)]}, NESTED)
    with ScriptedModel(script) as model:
        seen = supervised(world, model, supervisor={"max_iterations": 2}, env=EN)
    assert "2 of 2 reviews used" in seen.run.err
    assert (seen.state["count"], seen.state["outcome"]) == (2, "limit")


def test_the_line_about_an_unreviewed_stop_goes_where_ccc_was_started_whatever_the_agent_writes(world: World) -> None:
    with ScriptedModel(writes(world, {"env": {"CCC_STDERR": "1:2"}})) as model:
        seen = supervised(world, model, env=EN)
    assert "this stop was not reviewed" in seen.run.err
