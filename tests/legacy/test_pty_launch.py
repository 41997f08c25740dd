"""`ccc --supervisor` from its first word to its exit code, with the scripted client."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from tests.pty_desk import DONE, SESSION, Desk, Steps
from tests.stops import eventually
from tests.world import World, provider

TALK: Steps = [["say", "I think it is done"], ["result"]]
HOOK = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "evil"}]}]}}


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def ended(stops: int) -> str:
    return f"[completed]: reviewed and done · stop {stops}/10 · agent $0, reviews $0"


# --- start ---


@pytest.mark.spec("T1", "T5", "C2", "C18", "C19")
def test_supervisor_with_a_provider_runs_the_agent_to_its_outcome(desk: Desk) -> None:
    run = desk.run("--", "do", "it")
    *lines, summary, last = run.out.splitlines()
    assert lines == ["Supervisor mode enabled", "[agent]", "│ ok", "— 0.0 s", "[review 1/10]"]
    assert (summary.startswith("— 1 round · "), last) == (True, ended(1))
    assert (run.code, run.err, desk.told) == (0, desk.world.criteria_line, ["do it"])
    [agent] = desk.started("agent")
    assert agent["env"]["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"
    assert agent["cwd"] == str(desk.world.project)


def test_no_words_of_the_agent_read_like_a_line_of_cccs_where_no_colours_tell(desk: Desk) -> None:
    fake = ["[review 1/10]", "", "[completed]: reviewed and done · stop 1/10 · agent $0.0004, reviews $0.0001"]
    desk.turns([["say", "\n".join(fake)], ["result"]])
    lines = desk.run("--", "do it").out.splitlines()
    assert lines[2:5] == [f"│ {line}".rstrip() for line in fake]
    assert [line for line in lines if line.startswith("[")] == ["[agent]", "[review 1/10]", ended(1)]


@pytest.mark.spec("C1", "C18")
@pytest.mark.parametrize(("current", "url"), [("kimi", "http://127.0.0.1:7"), (None, "http://127.0.0.1:9")])
def test_supervisor_alone_takes_the_current_provider_or_the_first(desk: Desk, current: str | None, url: str) -> None:
    both = {"glm": provider("http://127.0.0.1:9"), "kimi": provider("http://127.0.0.1:7")}
    desk.world.write_config(both, **({"current_provider": current} if current else {}))
    run = desk.world.ccc("--supervisor", "--", "do it", env=desk.env())
    assert (run.code, desk.told) == (0, ["do it"])
    assert desk.started("agent")[0]["env"]["ANTHROPIC_BASE_URL"] == url
    assert desk.started("reviewer")[0]["env"]["ANTHROPIC_BASE_URL"] == url


@pytest.mark.spec("C3")
def test_other_words_go_to_the_agent_and_what_ccc_says_itself_is_dropped_with_a_line(desk: Desk) -> None:
    desk.world.write_config({"glm": provider("http://127.0.0.1:9")}, claude_args=["--verbose", "--add-dir", "/x"])
    run = desk.run("--output-format", "json", "--model", "opus", "-p", "do it")
    dropped = "ccc: --output-format, -p, --verbose: dropped, ccc runs the agent with its own\n"
    assert run.err == dropped + desk.world.criteria_line
    [agent] = desk.started("agent")
    assert agent["argv"][-4:] == ["--add-dir", "/x", "--model", "opus"]
    assert (agent["argv"].count("--verbose"), agent["argv"].count("--output-format")) == (1, 1)
    assert desk.told == ["do it"]


def test_the_task_can_come_on_stdin(desk: Desk) -> None:
    run = desk.run(stdin="做这件事\nand that\n".encode())
    assert (run.code, desk.told) == (0, ["做这件事\nand that"])


def test_nothing_to_do_is_an_error_that_says_how(desk: Desk) -> None:
    run = desk.run()
    assert run.code == 2
    assert run.err == 'ccc: nothing to do: type ccc --supervisor PROVIDER -- "…", or give the task on stdin\n'
    assert desk.started("agent") == []


def test_json_is_the_stream_and_what_ccc_makes_of_it_and_nothing_else(desk: Desk) -> None:
    desk.turns([["raw", "(node) warning\n"], ["complain", "a word\n"], *TALK]).reviews("more", DONE)
    run = desk.run("--json", "--", "do it")
    told = [json.loads(line) for line in run.out.split("\n")[:-1]]
    assert [one["type"] for one in told if one["type"] != "ccc"] == ["system", "assistant", "result"] * 2
    own = {one["event"]: one for one in told if one["type"] == "ccc"}
    assert own["bad line"]["reason"] == "not JSON"
    assert own["stderr"]["text"] == "a word"
    assert own["sent back"]["feedback"] == "more"
    assert own["stop allowed"]["outcome"] == "completed"
    assert [one["event"] for one in told if one["type"] == "ccc"][-1] == "outcome"
    assert {key: told[-1][key] for key in ("outcome", "exit_code", "session_id", "agent_cost_usd")} == {
        "outcome": "completed",
        "exit_code": 0,
        "session_id": SESSION,
        "agent_cost_usd": 0.0,
    }
    assert (run.code, run.err) == (0, f"{desk.world.criteria_line}ccc: {ended(2)}\n")


def test_a_line_that_a_killed_agent_left_unfinished_spoils_none_of_the_next_ones(desk: Desk) -> None:
    desk.turns([["raw", '{"type":"assi'], ["kill", 9]], TALK).reviews("more", DONE)
    run = desk.run("--json", "--", "do it")
    told = [json.loads(line) for line in run.out.split("\n")[:-1]]
    assert [one["subtype"] for one in told if one["type"] == "system"] == ["init", "init"]
    assert told[-1]["outcome"] == "completed"


def test_an_agent_that_complains_without_end_is_heard_and_goes_on(desk: Desk) -> None:
    desk.turns([*[["complain", "word " * 10_000 + "\n"]] * 20, ["complain", "[claude-code:x] {}\n"], *TALK])
    run = desk.run("--", "do it")
    assert run.code == 0
    assert 1 <= run.out.count("claude: word word") <= 20
    assert "[claude-code:x]" not in run.out


def test_an_agent_that_cannot_start_ends_with_what_it_said_to_a_person(desk: Desk) -> None:
    desk.starts(*[[["complain", "error: unknown option '--x'\n"], ["exit", 1]]] * 9)
    run = desk.run("--", "do it")
    assert "error: unknown option '--x'" in run.err


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_are_for_terminals_that_want_them(desk: Desk, no_color: str, coloured: bool) -> None:
    with desk.terminal("--", "do it", NO_COLOR=no_color) as terminal:
        terminal.wait_for("[completed]")
        assert (b"\x1b[32m[completed]" in bytes(terminal.raw)) is coloured


# --- SUPERVISOR.md ---


@pytest.mark.spec("T9", "T12")
def test_the_projects_criteria_are_the_reviewers_system_prompt(desk: Desk) -> None:
    (desk.world.config / "SUPERVISOR.md").write_text("global criteria\n")
    desk.run("--", "do it")
    [reviewer] = desk.started("reviewer")
    argv = reviewer["argv"]
    assert argv[:4] == ["--print", "--fork-session", "--resume", SESSION]
    assert argv[4:8] == ["--verbose", "--output-format", "stream-json", "--system-prompt"]
    assert argv[8].startswith("The work must be tested.\n\n## Answer format")
    assert argv[9:11] == ["--system-prompt-snapshot", "off"]
    assert argv[-2] == "--"
    assert "What the user typed for this request:\n\n1. do it\n" in argv[-1]
    assert reviewer["env"]["CCC_SUPERVISOR_HOOK"] == "1"


@pytest.mark.spec("T13")
def test_without_criteria_in_the_project_those_of_the_config_folder_hold(desk: Desk) -> None:
    (desk.world.project / "SUPERVISOR.md").rename(desk.world.config / "SUPERVISOR.md")
    assert desk.run("--", "do it").code == 0
    assert desk.started("reviewer")[0]["argv"][8].startswith("The work must be tested.")


@pytest.mark.spec("T14")
def test_without_any_criteria_nothing_starts_and_both_places_are_named(desk: Desk) -> None:
    here, there = desk.world.project / "SUPERVISOR.md", desk.world.config / "SUPERVISOR.md"
    here.unlink()
    run = desk.run("--", "do it")
    assert run.code == 1
    assert run.err == f"ccc: there is no {here} and no {there}; write a good one with: ccc init --supervisor-md\n"
    assert desk.notes("started") == []
    assert desk.world.ccc("init", "--supervisor-md", env=desk.env()).code == 0
    assert desk.run("--", "do it").code == 0


def test_criteria_that_the_agent_changes_do_not_count(desk: Desk) -> None:
    desk.turns([["until", "go"], *TALK])
    argv = desk.world.command("--supervisor", "glm", "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.DEVNULL) as ccc:
        assert eventually(lambda: desk.told, 30)
        (desk.world.project / "SUPERVISOR.md").write_text("Anything goes.\n")
        desk.tell("go")
        assert ccc.wait(60) == 0
    assert desk.started("reviewer")[0]["argv"][8].startswith("The work must be tested.")


# --- trust ---


@pytest.fixture
def powerful(desk: Desk) -> Desk:
    (desk.world.project / ".claude").mkdir()
    (desk.world.project / ".claude" / "settings.json").write_text(json.dumps(HOOK))
    return desk


def test_a_project_with_powers_of_its_own_is_not_started_unseen(powerful: Desk) -> None:
    run = powerful.run("--", "do it")
    assert run.code == 1
    assert "ccc: this project brings its own settings.json: hooks (Stop)" in run.err
    assert "--trust-project" in run.err
    assert powerful.notes("started") == []
    assert powerful.run("--trust-project", "--", "do it").code == 0
    assert "brings its own" not in powerful.run("--", "do it").err


@pytest.mark.parametrize(("answer", "started"), [("y", True), ("", False), ("no", False)])
def test_a_person_is_asked_whether_to_trust(powerful: Desk, answer: str, started: bool) -> None:
    with powerful.terminal("--", "do it") as terminal:
        terminal.wait_for("Trust this project? [y/N]")
        terminal.send(f"{answer}\n")
        terminal.wait_for("[completed]" if started else "not started")
    assert bool(powerful.started("agent")) is started


# --- the provider's settings ---


def test_agent_reviewer_and_client_all_get_the_providers_settings(desk: Desk) -> None:
    desk.world.write_settings({"env": {"ANTHROPIC_BASE_URL": "http://evil.example", "ANTHROPIC_AUTH_TOKEN": "old"}})
    desk.starts([["settings"]], [["settings"]])
    desk.reviews([["settings"], ["result", {"result": DONE}]])
    other = SESSION.replace("1", "2")
    left = f"Resume this session with:\r\nclaude --resume {other}\r\n"
    desk.opened([["settings"], ["show", "the client"], ["raw", left]])
    with desk.terminal("--", "do it") as terminal:
        terminal.wait_for("[completed]")
        terminal.type("/open")
        terminal.wait_for("the client [40, 110]")
        terminal.resize(100, 30)
        terminal.press("enter")
        terminal.wait_for("[30, 100]")
        terminal.wait_for("back in ccc")
        terminal.wait_for("your turn")
        terminal.type("second")
        terminal.wait_for("[completed]", times=2)
        terminal.press("ctrl-d")
        assert terminal.wait_for_end() == 0
    wanted = {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "token"}}
    assert [{name: each["env"][name] for name in wanted["env"]} for each in desk.notes("settings")] == [
        wanted["env"]
    ] * 4
    assert "token" not in json.dumps([one["argv"] for one in desk.notes("started")])
    first, second = desk.started("agent")
    [client] = desk.started("client")
    assert client["argv"][-2:] == ["--resume", SESSION]
    assert other in second["argv"]  # /clear or /resume was typed there
    assert client["env"]["CCC_SUPERVISOR"] == "0"
    assert (client["stdin"], client["stdout"]) == (True, True)
    assert first["pid"] != second["pid"]
    assert desk.told == ["do it", "second"]


@pytest.mark.parametrize("chosen", [["--continue"], ["--resume", "an-old-one", "--fork-session"], ["-c"]])
def test_a_session_that_the_person_chose_is_chosen_once(desk: Desk, chosen: list[str]) -> None:
    desk.turns([["say", "half"], ["kill", 9]], TALK).reviews("go on", DONE)
    desk.run("--model", "opus", *chosen, "--", "do it")
    first, second = desk.started("agent")
    assert first["argv"][-len(chosen) :] == chosen
    assert second["argv"][-2:] == ["--model", "opus"]
    assert [word for word in second["argv"] if word in (*chosen, "--resume", SESSION)] == ["--resume", SESSION]


UNKNOWN = "00000000-0000-0000-0000-000000000000"
# What the client says of an id that it does not know, before any turn; the session it names is nobody's.
NOT_FOUND = {
    "type": "result",
    "subtype": "error_during_execution",
    "is_error": True,
    "session_id": "99999999-2222-4333-8444-555555555555",
    "errors": [f"No conversation found with session ID: {UNKNOWN}"],
}
LOST: Steps = [["put", NOT_FOUND], ["exit", 1]]


def test_a_session_that_the_client_does_not_know_ends_the_run_with_what_to_type(desk: Desk) -> None:
    desk.starts(LOST, LOST)
    run = desk.run("--resume", UNKNOWN, "--", "hi")
    assert (run.code, len(desk.started("agent"))) == (1, 1)
    assert run.err == desk.world.criteria_line + (
        f"ccc: claude cannot go on with this session (No conversation found with session ID: {UNKNOWN}); "
        f"type an id that ccc status shows, or leave out --resume {UNKNOWN} for a new session\n"
    )
    assert "No conversation found" not in run.out


def test_a_chosen_session_that_is_lost_later_is_followed_by_a_new_one_once(desk: Desk) -> None:
    desk.starts([], LOST).turns([["say", "half"], ["kill", 9]], TALK).reviews("go on", DONE)
    run = desk.run("--resume", "an-old-one", "--model", "opus", "--", "do it")
    assert (run.code, run.out.count("(this session cannot be resumed; a new one begins)")) == (0, 1)
    _, _, third = desk.started("agent")
    assert (third["argv"][-2:], "--resume" in third["argv"]) == (["--model", "opus"], False)


def test_a_start_that_fails_without_a_session_is_not_tried_for_ever(desk: Desk) -> None:
    desk.starts(*[LOST] * 9)
    run = desk.run("--", "do it")
    assert (run.code, len(desk.started("agent"))) == (4, 1)
    assert "a new one begins" not in run.out


@pytest.mark.parametrize("chosen", [["--resume", UNKNOWN], ["--continue"]])
def test_nobody_is_sent_back_to_a_session_that_is_not_there(desk: Desk, chosen: list[str]) -> None:
    desk.starts(LOST, LOST)
    with desk.terminal(*chosen, "--", "hi", columns=300) as terminal:
        terminal.wait_for(f"leave out {' '.join(chosen)}")
        assert terminal.wait_for_end() == 1
        assert "to come back" not in terminal.text


# --- the review as a process ---


def test_what_the_project_calls_ccc_is_not_run(desk: Desk) -> None:
    for name in ("ccc", "json", "click"):
        (desk.world.project / name).mkdir()
        (desk.world.project / name / "__init__.py").write_text("raise SystemExit('the project was here')\n")
    run = desk.run("--", "do it")
    assert (run.code, run.out.splitlines()[-1]) == (0, ended(1))


@pytest.mark.parametrize(
    ("review", "code", "told"),
    [
        ("The key is missing.\n[NEEDS_HUMAN]", 5, "[needs_human]: this needs you: The key is missing."),
        ([["result", {"is_error": True, "result": "API Error: 529"}]], 4, "the reviewer failed: API Error: 529"),
        ([["exit", 7]], 4, "the reviewer ended with exit code 7"),
    ],
)
def test_what_comes_of_a_review_is_the_exit_code(desk: Desk, review: str | Steps, code: int, told: str) -> None:
    desk.reviews(review, review)
    run = desk.run("--", "do it")
    assert run.code == code
    assert told in run.out.splitlines()[-1]


@pytest.mark.parametrize("phase", ["agent", "review"])
def test_an_interrupted_run_is_130_and_leaves_nobody(desk: Desk, phase: str) -> None:
    hangs: Steps = [["note", "hangs"], ["hang"]]
    desk.turns(hangs if phase == "agent" else TALK).reviews(hangs)
    argv = desk.world.command("--supervisor", "glm", "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.DEVNULL) as ccc:
        assert eventually(lambda: desk.notes("hangs"), 30)
        ccc.send_signal(signal.SIGINT)
        assert ccc.wait(10) == 130
    assert desk.is_alone()


def test_a_review_that_waits_for_its_provider_is_told_and_ends_with_ccc(desk: Desk) -> None:
    limit = {"is_error": True, "result": "API Error: try again in 1 hour", "api_error_status": 429}
    desk.turns(TALK).reviews([["result", limit]])
    argv = desk.world.command("--supervisor", "glm", "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.PIPE) as ccc:
        state = desk.world.state / f"supervisor-{SESSION}.json"
        assert eventually(lambda: state.exists() and b"held_up" in state.read_bytes(), 30)
        [row] = json.loads(desk.world.ccc("status", "--json", env=desk.env()).out)
        assert (row["phase"], row["held_by"]) == ("held_up", "limit")
        assert "waiting for the limit of glm until " in desk.world.ccc("status", env=desk.env()).out
        ccc.send_signal(signal.SIGINT)
        assert ccc.wait(10) == 130
        assert ccc.stdout
        assert b"  \xe2\x80\xa6 waiting for the limit of glm until " in ccc.stdout.read()
    assert desk.is_alone()


def test_whoever_is_away_hears_of_a_long_wait_and_of_an_end_that_no_review_has_found(desk: Desk) -> None:
    limit = {"is_error": True, "result": "API Error: try again in 1 hour", "api_error_status": 429}
    told, ended = desk.world.root / "told", desk.world.root / "ended"
    supervisor = {"notify": f"cat >> {told}; echo >> {told}", "on_outcome": f"cat > {ended}"}
    desk.world.write_config({"glm": provider("http://127.0.0.1:9", "canary-4711")}, supervisor=supervisor)
    desk.turns([["result", limit]])
    argv = desk.world.command("--supervisor", "glm", "--", "do it")
    with subprocess.Popen(argv, env=desk.env(), cwd=desk.world.project, stdout=subprocess.DEVNULL) as ccc:
        assert eventually(lambda: told.exists() and told.read_text().count("\n") == 1, 30)
        ccc.send_signal(signal.SIGINT)
        assert ccc.wait(10) == 130
    assert eventually(lambda: told.read_text().count("\n") == 2, 30)
    assert eventually(lambda: ended.exists() and ended.read_text().endswith("}"), 30)
    waits, outcome = map(json.loads, told.read_text().splitlines())
    assert (waits["event"], waits["provider"], waits["mode"]) == ("waiting", "glm", "pty")
    assert waits["why"].startswith("waiting for the limit of glm until ")
    assert (outcome["event"], outcome["outcome"]) == ("outcome", "interrupted")
    assert json.loads(ended.read_text())["outcome"] == "interrupted"
    assert "canary" not in told.read_text() + ended.read_text()
    assert desk.is_alone(seconds=30)


# --- another provider ---


def limited(seconds: int) -> Steps:
    said = f"API Error: try again in {seconds} seconds"
    return [["result", {"is_error": True, "result": said, "api_error_status": 429}]]


LIMITED, LIMITED_LONGER = limited(2), limited(30)


def with_fallback(desk: Desk, **more: object) -> None:
    glm = {"env": {**GLM_ENV, "ONLY_GLMS": "x", "ANTHROPIC_AUTH_TOKEN": "token-of-glm"}, "fallback": "kimi", **more}
    kimi = {"env": {**GLM_ENV, "ANTHROPIC_AUTH_TOKEN": "token-of-kimi", "ANTHROPIC_MODEL": "k3"}}
    desk.world.write_config({"glm": glm, "kimi": kimi}, supervisor={"fallback_after_minutes": 0})


GLM_ENV = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


def test_no_variable_of_one_provider_reaches_the_client_of_another(desk: Desk) -> None:
    """In the agent, in a reviewer that is asked after the change, and in one that is asked in the midst of a review."""
    with_fallback(desk)
    # A conflict: what stands in the settings has to be beaten, by each provider with values of its own.
    desk.world.write_settings({"env": {"ANTHROPIC_AUTH_TOKEN": "old", "ANTHROPIC_MODEL": "old"}})
    desk.turns([["settings"], *LIMITED], [["settings"], *TALK], TALK)
    desk.reviews([*LIMITED_LONGER], DONE)  # so that glm is back first, whatever chance adds to either
    run = desk.run("--model", "glm-5", "--", "do it")
    assert run.code == 0, run.out
    assert run.out.count("↪ ") == 2
    agents, reviewers = desk.started("agent"), desk.started("reviewer")
    for one, own, foreign in (
        (agents[0], "token-of-glm", "token-of-kimi"),
        (agents[1], "token-of-kimi", "token-of-glm"),
        (reviewers[0], "token-of-kimi", "token-of-glm"),
        (reviewers[1], "token-of-glm", "token-of-kimi"),
    ):
        assert one["env"]["ANTHROPIC_AUTH_TOKEN"] == own
        assert foreign not in str(one)
        assert ("ONLY_GLMS" in one["env"]) == (own == "token-of-glm")
    assert ["glm-5" in one["argv"] for one in agents] == [True, False]
    assert [one["env"]["ANTHROPIC_AUTH_TOKEN"] for one in desk.notes("settings")] == [
        "token-of-glm",
        "token-of-kimi",
    ]


def test_a_client_that_cannot_change_providers_is_told_and_only_waits(desk: Desk) -> None:
    with_fallback(desk)
    desk.turns(LIMITED, TALK)
    run = desk.run("--", "do it", env=desk.env(PTY_CLAUDE_VERSION="2.1.100 (Claude Code)"))
    told = "ccc: claude 2.1.100 (Claude Code) cannot go on with another provider in the same session, so kimi will not"
    assert told in run.err
    assert (run.code, len(desk.started("agent"))) == (0, 1)
    assert "waiting for the limit of glm until " in run.out


@pytest.mark.parametrize(
    ("fallback", "told"),
    [
        ("glm", "providers.glm.fallback names glm itself"),
        (["kimmi"], "no provider is called 'kimmi': did you mean kimi?"),
        ("late", "providers.late.env.ANTHROPIC_AUTH_TOKEN names the variable NOT_SET, which is not set"),
    ],
)
def test_what_is_wrong_with_a_fallback_is_told_before_anything_starts(desk: Desk, fallback: object, told: str) -> None:
    late = {"env": {**GLM_ENV, "ANTHROPIC_AUTH_TOKEN": "${NOT_SET}"}}
    glm = {**provider("http://127.0.0.1:9"), "fallback": fallback}
    desk.world.write_config({"glm": glm, "kimi": provider("http://127.0.0.1:9"), "late": late})
    run = desk.run("--", "do it")
    assert (run.code, run.err.count("\n"), desk.started("agent")) == (1, 1, [])
    assert told in run.err


def test_an_unreviewed_stop_is_told_again_at_the_next_start(desk: Desk) -> None:
    desk.reviews([["result", {"is_error": True, "result": "API Error: 529"}]], DONE)
    desk.run("--", "do it")
    assert "the last stop was not reviewed" in desk.run("--", "do it").err
    assert desk.run("--", "do it").err == desk.world.criteria_line


def test_the_reviews_files_are_those_of_hooks_mode(desk: Desk) -> None:
    desk.reviews("more", DONE)
    desk.run("--", "do it")
    state = json.loads((desk.world.state / f"supervisor-{SESSION}.json").read_text())
    assert (state["count"], state["outcome"]) == (2, "completed")
    assert (desk.world.state / f"supervisor-{SESSION}-output.jsonl").exists()
    assert "sent back" in (desk.world.state / "hook-invocation.log").read_text()


def test_the_outcome_is_announced_while_ccc_goes_on(desk: Desk) -> None:
    slow = "cat >announced; until [ -e go ]; do sleep 0.01; done; touch finished"
    desk.world.write_config({"glm": provider("http://127.0.0.1:9")}, supervisor={"on_outcome": slow})
    with desk.terminal("--", "do it") as terminal:
        terminal.wait_for("[completed]")
        terminal.wait_until(lambda: (desk.world.project / "announced").exists(), "the announcement")
        terminal.type("/status")
        terminal.wait_for("your turn · supervised", times=2)
        terminal.press("ctrl-d")
        (desk.world.project / "go").touch()
        assert terminal.wait_for_end() == 0
    assert json.loads((desk.world.project / "announced").read_text())["outcome"] == "completed"
    assert (desk.world.project / "finished").exists()


def test_no_token_is_anywhere_but_where_it_must_be(desk: Desk) -> None:
    desk.world.write_config({"glm": provider("http://127.0.0.1:9", token="canary-4711")})
    desk.world.write_settings({"env": {"ANTHROPIC_AUTH_TOKEN": "old"}})
    run = desk.run("--", "do it")
    assert "canary-4711" not in run.out + run.err
    files = [path for path in desk.world.root.rglob("*") if path.is_file() and b"canary-4711" in path.read_bytes()]
    assert {path.name for path in files} == {"ccc.json", "started.jsonl"}  # the latter is the client's environment


def test_closed_streams_are_filled_and_get_nothing_that_is_not_theirs(desk: Desk) -> None:
    line = " ".join(desk.world.command("--supervisor", "glm", "--", "do-it"))
    done = subprocess.run(
        ["sh", "-c", f"{line} <&- >&- 2>&-; echo $?"], env=desk.env(), cwd=desk.world.project, capture_output=True
    )
    assert done.stdout == b"0\n"
    assert desk.told == ["do-it"]
    written = [path.read_bytes() for path in desk.world.root.rglob("*") if path.is_file()]
    assert not [data for data in written if b"Supervisor mode" in data]


def test_a_missing_client_is_told_before_anything_starts(desk: Desk) -> None:
    run = desk.run("--", "do it", env=desk.env() | {"CCC_CLAUDE": "/no/such/claude"})
    assert run.code == 1
    assert "CCC_CLAUDE" in run.err
    assert run.err.count("\n") == 1
