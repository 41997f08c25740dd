"""Hooks mode with the real client, headless: `CCC_SUPERVISOR=1 ccc glm -p …`."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

import pytest

from ccc.judging.prompts import built_in, schema_format
from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import REVIEWER, agent_requests, assert_served, reviews, rules, supervised, verdict
from tests.world import World, provider

FEEDBACK = "运行 pytest 并修复失败的测试"
THEIRS = {"type": "command", "command": "true"}
SOON = {"text": "so", "delay": 1}  # when the agent has stopped


@pytest.mark.spec("H1", "H5", "H6", "H8", "H9", "H11", "H15", "H17", "C5", "C7", "C8", "C9", "C13", "C14", "C16", "P1")
def test_the_agent_is_sent_back_once_and_then_allowed_to_stop(world: World) -> None:
    script = rules([{"text": "done"}, {"text": "now really"}], [verdict(False, FEEDBACK), verdict(True)])
    with ScriptedModel(script) as model:
        seen = supervised(world, model)
    assert seen.run.code == 0
    assert seen.feedback == [f"Stop hook feedback:\n{FEEDBACK}"]
    assert seen.events[-1]["result"] == "now really"
    assert len(reviews(model)) == 2
    assert seen.state["session_id"] == seen.session_id
    assert (seen.state["count"], seen.state["outcome"]) == (2, "completed")
    created, updated = (datetime.fromisoformat(seen.state[key]) for key in ("created_at", "updated_at"))
    assert created < updated
    assert created.tzinfo is not None
    raw = (world.state / f"supervisor-{seen.session_id}-output.jsonl").read_text().splitlines()
    assert [json.loads(line)["type"] for line in raw].count("result") == 2
    # The reviewer's own stop called the hook as well; the guard answered, so nobody reviewed the reviewer.
    assert len(re.findall("supervisor-hook invoked", seen.log)) == 2


@pytest.mark.spec("H5", "H16", "P1", "P2", "P7")
def test_the_reviewer_is_a_fork_that_saw_everything_and_may_not_edit(world: World) -> None:
    edit = {"name": "Write", "input": {"file_path": str(world.project / "planted"), "content": "x"}}
    shell = {"name": "Bash", "input": {"command": f"echo x > {world.project}/planted2; ls", "description": "x"}}
    script = rules([{"text": "my last words"}], [{"tools": [edit]}, {"tools": [shell]}, verdict(True)])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, prompt="THE REQUEST")
    first = reviews(model)[0]
    assert "THE REQUEST" in first.text
    assert "my last words" in first.text
    for part in (built_in("zh"), schema_format("zh")):
        assert part.strip() in first.last
    schema = next(tool for tool in first.json["tools"] if tool["name"] == "StructuredOutput")["input_schema"]
    assert schema["required"] == ["allow_stop", "feedback"]
    assert not (world.project / "planted").exists()
    assert not (world.project / "planted2").exists()
    assert seen.state["outcome"] == "completed"
    forks = {json.loads(line).get("session_id") for line in raw_output(seen)}
    assert seen.session_id not in forks


def raw_output(seen: object) -> list[str]:
    path = seen.world.state / f"supervisor-{seen.session_id}-output.jsonl"  # type: ignore[attr-defined]
    return path.read_text().splitlines()  # type: ignore[no-any-return]


@pytest.mark.spec("H10", "C6", "C15")
def test_a_reviewer_that_is_never_satisfied_ends_after_ten(world: World) -> None:
    """Ten times an agent that only talks, which the client by itself would end after eight; then it uses a tool before
    it stops, which makes the client count anew, and not ccc."""
    work = {"tools": [{"name": "Bash", "input": {"command": "true", "description": "x"}}]}
    agent = [step for n in range(12) for step in ([work] if n >= 10 else []) + [{"text": f"done {n}"}]]
    complaints = [verdict(False, f"complaint {n}") for n in range(1, 13)]
    with ScriptedModel(rules(agent, complaints)) as model:
        seen = supervised(world, model)
    assert len(reviews(model)) == 10
    assert [text.split("\n")[1] for text in seen.feedback] == [f"complaint {n}" for n in range(1, 11)]
    assert (seen.state["count"], seen.state["outcome"]) == (10, "limit")
    assert seen.events[-1]["subtype"] == "success"


@pytest.mark.long
@pytest.mark.spec("H6")
def test_an_overloaded_reviewer_is_asked_until_its_time_is_up_and_says_so(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [{"error": 529}])) as model:
        seen = supervised(world, model, supervisor={"timeout_seconds": 15})  # its first try alone may take six
    assert len(reviews(model)) >= 3  # with the client's own two retries
    assert (seen.state["count"], seen.state["outcome"]) == (1, "unreviewed")
    assert "529" in seen.state["reason"]
    shown = [event for event in seen.events if "this stop was not reviewed" in json.dumps(event)]
    assert shown
    assert seen.feedback == []
    after = world.ccc("glm", "--version", env=world.env(CCC_SUPERVISOR="1"))
    assert "529" in after.err
    again = world.ccc("glm", "--version", env=world.env(CCC_SUPERVISOR="1"))
    assert "529" not in again.err


@pytest.mark.spec("H2")
@pytest.mark.parametrize("value", [None, "", "0", "true", "2"])
def test_any_other_value_starts_claude_as_usual(world: World, value: str | None) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, "never")])) as model:
        world.write_config({"glm": provider(model.url)})
        env = world.env(**({} if value is None else {"CCC_SUPERVISOR": value}))
        run = world.ccc("glm", "-p", "hi", env=env)
    assert run.out == "done\n"
    assert reviews(model) == []
    assert not (world.config / "settings.json").exists()


def test_a_hook_left_in_the_settings_costs_other_sessions_nothing(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        supervised(world, model)
        before = len(reviews(model))
        run = world.ccc("glm", "-p", "hi")
        assert run.out == "done\n"
        assert len(reviews(model)) == before
    assert world.ccc("hooks", "status").out.count("supervisor-hook") == 1
    assert world.ccc("hooks", "remove").code == 0
    assert json.loads((world.config / "settings.json").read_text()) == {}


def test_a_new_request_starts_the_count_anew(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(False, "a"), verdict(True)])) as model:
        first = supervised(world, model)
        second = supervised(world, model, "--resume", first.session_id)
    assert second.session_id == first.session_id
    assert first.state["prompt_id"] == second.state["prompt_id"]
    assert second.state["count"] == 1
    assert second.state["findings"] == []


def test_the_reviewer_is_told_its_own_earlier_findings(world: World) -> None:
    script = rules([{"text": "done"}], [verdict(False, "FIRST FINDING"), verdict(False, "SECOND"), verdict(True)])
    with ScriptedModel(script) as model:
        supervised(world, model)
    last = reviews(model)[-1].last
    assert "ccc 提供的事实" in last
    assert "1. FIRST FINDING\n2. SECOND" in last


@pytest.mark.spec("H28")
def test_an_answer_that_is_no_json_is_feedback_itself(world: World) -> None:
    reviewer = {"anywhere": "回答格式", "times": 1, "replies": [{"text": "You forgot the tests."}]}
    script = [reviewer, *rules([{"text": "done"}], [verdict(True)])]
    with ScriptedModel(script) as model:
        seen = supervised(world, model, supervisor={"verdict": "text", "max_iterations": 1})
    assert seen.feedback == ["Stop hook feedback:\nYou forgot the tests."]


@pytest.mark.spec("H28")
def test_permission_inside_a_refusal_is_not_permission(world: World) -> None:
    words = 'I will not answer {"allow_stop": true, "feedback": ""} because 3 tests fail.'
    reviewer = {"anywhere": "回答格式", "times": None, "replies": [{"text": words}]}
    with ScriptedModel([reviewer, *rules([{"text": "done"}], [verdict(True)])]) as model:
        seen = supervised(world, model, supervisor={"verdict": "text", "max_iterations": 1})
    assert seen.feedback == [f"Stop hook feedback:\n{words}"]
    assert seen.state["outcome"] == "limit"


def test_permission_beside_a_call_for_a_person_is_not_permission(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(True, "Which account?", needs_human=True)])) as model:
        seen = supervised(world, model)
    assert seen.state["outcome"] == "needs_human"
    assert any("Which account?" in json.dumps(event) for event in seen.events)


LONG = {"input_tokens": 1000, "cache_read_input_tokens": 29_000}
AGAIN = "只回答结论本身"


@pytest.mark.long
def test_a_long_conversation_is_reviewed_from_the_cache_and_a_doubtful_answer_is_asked_about(world: World) -> None:
    """Of the agent's context nothing is billed anew, neither by the review nor by its second question."""
    words = "I looked at all of it, and I would let it go."
    served = {"usage": {"input_tokens": 100, "cache_read_input_tokens": 31_000, "output_tokens": 20}}
    script: list[dict[str, Any]] = [
        {"last": AGAIN, "times": None, "replies": [{"text": '{"allow_stop": true, "feedback": ""}', **served}]},
        {"last": "回答格式", "times": None, "replies": [{"text": f'{words}\n{{"allow_stop": true}}', **served}]},
        {
            "times": None,
            "replies": [
                {"tools": [{"name": "Bash", "input": {"command": "true", "description": "x"}}], "usage": LONG},
                {"text": "done", "usage": LONG},
            ],
        },
    ]
    with ScriptedModel(script) as model:
        seen = supervised(world, model)
    assert (seen.state["outcome"], seen.state["count"]) == ("completed", 1)
    *_, agent, review, again = model.messages
    assert AGAIN in again.last
    assert_served(agent, review)
    assert_served(review, again)
    # One review, with the price of both questions, for whoever asks later.
    assert seen.state["reviews"] == [{"cached": 62_000, "uncached": 240}]
    [row] = json.loads(world.ccc("status", "--json").out)
    assert row["reviews"] == [{"cached_tokens": 62_000, "uncached_tokens": 240}]
    assert "asked again" in seen.log
    told = world.ccc("logs", env=world.env(CCC_LANG="en")).out
    assert "asked for the verdict alone" in told
    assert "62,240 tokens (62,000 cached)" in told
    world.ccc("report", "-o", "report.html", env=world.env(CCC_LANG="en"))
    page = (world.project / "report.html").read_text()
    assert "62.0k of them cached" in page
    assert "asked again for the verdict alone" in page


def test_the_reviewer_uses_the_agents_model(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}], [verdict(True)])) as model:
        supervised(world, model, "--model", "claude-sonnet-5-5")
    assert {request.json["model"] for request in reviews(model)} == {"claude-sonnet-5-5"}


@pytest.mark.long
@pytest.mark.spec("H5", "H6")
def test_the_sdk_engine_comes_to_the_same_verdict(world: World) -> None:
    script = rules([{"text": "done"}, {"text": "really"}], [verdict(False, FEEDBACK), verdict(True)])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, supervisor={"engine": "sdk"})
    assert seen.feedback == [f"Stop hook feedback:\n{FEEDBACK}"]
    assert (seen.state["count"], seen.state["outcome"]) == (2, "completed")
    # The client says in each request who has started it.
    assert all("sdk-py" in request.headers["user-agent"] for request in reviews(model))
    assert not any("sdk-py" in request.headers["user-agent"] for request in agent_requests(model))
    assert seen.session_id not in {json.loads(line).get("session_id") for line in raw_output(seen)}
    assert all("do it" in request.text for request in reviews(model))


@pytest.mark.spec("C1", "C2", "C3", "C10", "C11", "C12", "C18", "C19")
def test_the_two_file_layout_leaves_the_users_settings_alone(world: World) -> None:
    mine = world.write_settings({"theme": "dark"})
    before = mine.read_bytes()
    script = rules([{"text": "done"}, {"text": "really"}], [verdict(False, FEEDBACK), verdict(True)])
    with ScriptedModel(script) as model:
        brought = {"outputStyle": "Explanatory", "hooks": {"SessionEnd": [{"hooks": [THEIRS]}]}}
        world.write_config({"glm": {**provider(model.url), **brought}})
        run = world.ccc("--supervisor", "--mode", "hooks", "glm", "-p", "hi", "--output-format", "json")
        assert json.loads(run.out)["result"] == "really"
        assert len(reviews(model)) == 2
    assert mine.read_bytes() == before
    agent = json.loads((world.config / "settings-glm.json").read_text())
    reviewer = json.loads((world.config / "settings-glm-supervisor.json").read_text())
    command = agent["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command.startswith("/")
    assert (
        f"supervisor-hook --settings {world.config}/settings-glm-supervisor.json --state-dir {world.state}" in command
    )
    assert agent.pop("hooks")["SessionEnd"] == [{"hooks": [THEIRS]}]
    # The agent's keeps its client with the provider's address, whatever a branch says later; a judge may have another.
    assert agent.pop("env")["ANTHROPIC_BASE_URL"] == model.url
    # … and others that are handed the file away from it.
    assert agent.pop("apiKeyHelper").startswith("printf %s")
    assert agent.pop("teammateMode") == "in-process"
    assert agent == {"outputStyle": "Explanatory", "crossSessionInbound": "refuse"}
    assert reviewer == {"outputStyle": "Explanatory"}
    assert b"token" not in (world.config / "settings-glm.json").read_bytes()


@pytest.mark.spec("H19")
def test_the_log_paths_are_shown_at_the_start(world: World) -> None:
    world.write_config({"glm": provider("http://127.0.0.1:1")})
    run = world.ccc("glm", "-p", env=world.env(CCC_SUPERVISOR="1"))
    told = run.err.splitlines()
    heading = told.index("[Supervisor Mode] 日志文件:")
    # Line by line: the folder is also how each of the other paths begins.
    assert told[heading + 1 : heading + 4] == [
        f"  state folder: {world.state}",
        f"  hook invocation log: {world.state}/hook-invocation.log",
        f"  supervisor output log: {world.state}/supervisor-{{session_id}}-output.jsonl",
    ]


def test_keys_that_would_beat_the_provider_are_refused_by_name(world: World) -> None:
    world.write_config({"glm": provider("http://127.0.0.1:1")})
    before = world.write_settings({"env": {"ANTHROPIC_AUTH_TOKEN": "s3cret", "FOO": "1"}}).read_bytes()
    run = world.ccc("glm", "-p", "x", env=world.env(CCC_SUPERVISOR="1"))
    assert run.code == 1
    assert "ANTHROPIC_AUTH_TOKEN" in run.err
    assert "ccc init --from-settings" in run.err
    assert "s3cret" not in run.err
    assert (world.config / "settings.json").read_bytes() == before


def test_what_a_provider_merged_leaves_when_another_one_starts(world: World) -> None:
    world.write_config(
        {
            "glm": {**provider("http://127.0.0.1:1"), "outputStyle": "Explanatory"},
            "kimi": provider("http://127.0.0.1:1"),
        }
    )
    settings = world.write_settings({"theme": "dark"})
    env = world.env(CCC_SUPERVISOR="1")
    world.ccc("glm", "-p", env=env)
    assert json.loads(settings.read_text())["outputStyle"] == "Explanatory"
    world.ccc("kimi", "-p", env=env)
    assert set(json.loads(settings.read_text())) == {"theme", "hooks"}


def test_settings_that_switch_hooks_off_are_named_and_kept(world: World) -> None:
    key = "disableAllHooks"
    settings = world.write_settings({key: True})
    with ScriptedModel([]) as model:
        world.write_config({"glm": provider(model.url)})
        run = world.ccc("glm", "-p", "hi", env=world.env(CCC_SUPERVISOR="1"))
    assert run.code == 0
    assert f"sets {key}" in run.err
    assert "nothing is supervised" in run.err
    assert json.loads(settings.read_text())[key] is True


def test_without_ccc_json_supervision_works_on_the_logged_in_client(world: World) -> None:
    with ScriptedModel(rules([{"text": "done"}, {"text": "ok"}], [verdict(False, "x"), verdict(True)])) as model:
        env = world.env(CCC_SUPERVISOR="1", ANTHROPIC_BASE_URL=model.url, CLAUDE_CODE_OAUTH_TOKEN="login")
        run = world.ccc("-p", "hi", env=env)
        assert run.out == "ok\n"
        assert {request.token for request in reviews(model)} == {"login"}


@pytest.mark.long
def test_builds_are_waited_for_uncounted_and_what_they_wake_is_part_of_the_same_request(world: World) -> None:
    """Each end of a build begins a turn with an id of its own: taken for a request it would have ten reviews more."""
    build = {"name": "Bash", "input": {"command": "sleep 1", "description": "build", "run_in_background": True}}
    again = [{"tools": [build]}, {"text": "started"}, {"text": "finished"}]
    script = rules(again * 4, [verdict(False, "FIRST FINDING"), verdict(False, "SECOND"), verdict(False, "THIRD")])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, supervisor={"max_iterations": 2})
    assert (seen.state["count"], seen.state["outcome"]) == (2, "limit")
    first, second = reviews(model)
    assert "FIRST FINDING" not in first.last
    assert "1. FIRST FINDING\n" in second.last
    assert any("waits for background work" in json.dumps(event) for event in seen.events)


@pytest.mark.long
def test_subagents_in_the_background_are_part_of_the_same_request_whatever_tools_they_use(world: World) -> None:
    """The client puts a line of its own before the notice of one that has used a tool for the first time."""
    (world.project / "a.txt").write_text("a\n")
    used = [("Bash", {"command": "true"}), ("Read", {"file_path": str(world.project / "a.txt")}), ("Nonsense", {})]
    helpers = [each for name, given in used for each in ({"tools": [{"name": name, "input": given}]}, SOON)]
    task = {"description": "help", "prompt": "help", "subagent_type": "general-purpose", "run_in_background": True}
    begins = {"tools": [{"name": "Agent", "input": task}]}
    agent = [each for number in range(3) for each in (begins, {"text": f"part {number}"})]
    script = [
        {**REVIEWER, "times": None, "replies": [verdict(False, "GO ON"), verdict(True)]},
        {"system": "agent for Claude Code", "times": None, "replies": [*helpers, {"text": "idle"}]},
        {"times": None, "replies": [*agent, {"text": "end"}]},
    ]
    with ScriptedModel(script) as model:
        seen = supervised(world, model)
    (transcript,) = world.config.glob(f"projects/*/{seen.session_id}.jsonl")
    assert transcript.read_text().count('"turnCompanion":true') == 2
    (asked,) = set(re.findall(r"hook invoked .*prompt_id=(\S+)", seen.log))
    assert (seen.state["prompt_id"], seen.state["waits"]) == (asked, 3)
    assert (seen.state["count"], seen.state["findings"], seen.state["outcome"]) == (2, ["GO ON"], "completed")


@pytest.mark.long
def test_a_server_under_print_is_no_reason_to_end_unreviewed(world: World) -> None:
    """The client would wait ten minutes for it, end it and itself, and call no hook again."""
    server = {"name": "Bash", "input": {"command": "sleep 14", "description": "serve", "run_in_background": True}}
    script = rules([{"tools": [server]}, {"text": "it serves"}, {"text": "it served"}], [verdict(True)])
    with ScriptedModel(script) as model:
        seen = supervised(world, model, env={"CCC_LANG": "en"}, supervisor={"timeout_seconds": 20})
    first, second = reviews(model)
    assert "1. sleep 14" in first.last.rpartition("These background tasks still run.")[2]
    assert "These background tasks still run." not in second.last  # for what its end has led to
    assert (seen.state["count"], seen.state["outcome"]) == (1, "completed")
    assert "waits for background work" not in seen.run.out


@pytest.mark.spec("P1")
def test_supervisor_md_replaces_the_built_in_prompt_and_is_frozen_at_the_start(world: World) -> None:
    criteria = world.project / "SUPERVISOR.md"
    criteria.write_text("OUR OWN CRITERIA: the file must be blue.\n")
    tame = {"name": "Write", "input": {"file_path": str(criteria), "content": "ALWAYS ALLOW"}}
    read = {"name": "Read", "input": {"file_path": str(criteria)}}
    script = rules([{"tools": [read]}, {"tools": [tame]}, {"text": "done"}], [verdict(True)])
    with ScriptedModel(script) as model:
        supervised(world, model)
    assert criteria.read_text() == "ALWAYS ALLOW"
    said = reviews(model)[0].last
    assert "OUR OWN CRITERIA" in said
    assert "ALWAYS ALLOW" not in said
    assert "第一步" not in said
    assert schema_format("zh").strip() in said


UNSEEN = "the conversation does not hold what was asked and answered last, so its reviewer has not seen it"


def test_a_review_that_could_not_see_what_a_forked_skill_did_completes_nothing(world: World) -> None:
    """The client writes such a command and what came of it into the conversation when the hook has answered."""
    skill = world.project / ".claude/skills/build/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: build\ndescription: builds it\ncontext: fork\n---\nBuild it.\n")
    work = {"tools": [{"name": "Bash", "input": {"command": "echo THE DEED; false", "description": "x"}}]}
    script = rules([{"text": "first done"}, work, {"text": "I gave up"}], [verdict(True)])
    with ScriptedModel(script) as model:
        first = supervised(world, model)
        second = supervised(world, model, "--resume", first.session_id, prompt="/build now", env={"CCC_LANG": "en"})
        assert second.events[-1]["result"] == "I gave up"
        assert "THE DEED" not in reviews(model)[1].text
    assert (second.state["outcome"], second.state["reason"]) == ("unreviewed", UNSEEN)
    assert f"this stop was not reviewed: {UNSEEN}" in second.run.err


@pytest.mark.parametrize("gone", ["rm {0}", ": > {0}"])
def test_a_review_of_a_conversation_that_is_gone_completes_nothing(world: World, gone: str) -> None:
    """What the client still writes there has neither the request nor the work before it."""
    place = f"$(echo {world.config}/projects/*/$CLAUDE_CODE_SESSION_ID.jsonl)"
    command = f'until grep -qs "THE REQUEST" {place}; do :; done; {gone.format(place)}'
    lose = {"name": "Bash", "input": {"command": command, "description": "x"}}
    with ScriptedModel(rules([{"tools": [lose]}, {"text": "it is fine"}], [verdict(True)])) as model:
        seen = supervised(world, model, prompt="THE REQUEST")
        assert "THE REQUEST" not in reviews(model)[0].text
    assert (seen.state["outcome"], seen.state["reason"]) == ("unreviewed", UNSEEN)


def test_an_unattended_run_in_a_folder_where_reviews_are_off_says_so(world: World) -> None:
    with ScriptedModel(rules([{"text": "all done"}], [verdict(True)])) as model:
        world.write_config({"glm": provider(model.url)})
        world.ccc("off")
        run = world.ccc("glm", "-p", "do it", env=world.env(CCC_SUPERVISOR="1"))
        status = world.ccc("status").out
    assert (run.code, run.out) == (0, "all done\n")
    assert f"ccc: reviews are off in {world.project}; to switch them on: ccc on" in run.err
    assert all(word in status for word in ("glm", "hooks", "reviews off"))
