"""A reviewer with the real client that permits, and says or does something else as well."""

from __future__ import annotations

from ccc.trial.scripted import ScriptedModel
from tests.real.hooks_world import rules, supervised, verdict
from tests.real.test_pty_mode import bash
from tests.world import World

DONE = {"times": None, "replies": [{"text": "I am done."}]}
PERMISSION = '{"allow_stop": true}'


def test_a_permission_from_before_a_look_is_none_when_a_hook_of_the_persons_sends_the_reviewer_on(world: World) -> None:
    """It permits, looks, sees a failure, and ends without a word; the hook asks for one."""
    hook = world.root / "stop.sh"
    hook.write_text(
        '#!/bin/sh\n[ -n "$CCC_SUPERVISOR_HOOK" ] || exit 0\n'
        "if grep -q stop_hook_active.:true; then exit 0; fi\necho 'say something' >&2; exit 2\n"
    )
    hook.chmod(0o755)
    own = {"Stop": [{"hooks": [{"type": "command", "command": str(hook)}]}]}
    guard = {"PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "true"}]}]}
    world.write_settings({"hooks": {**own, **guard}})  # the second one keeps a person's hooks on in the reviewer
    script = [
        {"last": "say something", "times": None, "replies": [{"text": "It is not done: two fail."}]},
        {"last": "two fail", "times": None, "replies": [{"thinking": "so it is not done"}]},
        {"last": "allow_stop", "times": None, "replies": [{"text": PERMISSION, **bash("echo two fail; false")}]},
        DONE,
    ]
    with ScriptedModel(script) as model:
        seen = supervised(world, model, supervisor={"verdict": "text", "max_iterations": 1})
    assert seen.state["outcome"] == "limit"
    assert seen.feedback[0] == "Stop hook feedback:\nIt is not done: two fail."


VERDICT = {"name": "StructuredOutput", "input": {"allow_stop": True, "feedback": ""}}
CALLS = {"name": "StructuredOutput", "input": {"allow_stop": True, "feedback": "key?", "needs_human": True}}
HINTS = {"name": "StructuredOutput", "input": {"allow_stop": True, "feedback": "", "done": False}}
LOOK = {"name": "Bash", "input": {"command": "sleep 1; false", "description": "a look"}}


def test_a_verdict_that_is_not_the_only_word_of_its_author_is_asked_about(world: World) -> None:
    """Beside a look that has not come, beside another verdict, and with a name that the schema does not have."""
    doubtful = ([[LOOK, VERDICT]], [[VERDICT, LOOK]], [[CALLS, VERDICT]], [[HINTS]])
    wanted = [f"mend {number}" for number in range(len(doubtful))]
    reviewer = [
        reply
        for messages, feedback in zip(doubtful, wanted, strict=True)
        for reply in (*({"tools": tools} for tools in messages), verdict(False, feedback))
    ]
    with ScriptedModel(rules([{"text": "I am done."}], [*reviewer, verdict(True)])) as model:
        seen = supervised(world, model)
    assert seen.feedback == [f"Stop hook feedback:\n{feedback}" for feedback in wanted]
    assert (seen.state["outcome"], seen.state["count"]) == ("completed", len(doubtful) + 1)


def test_a_refusal_in_words_is_not_taken_back_when_the_client_asks_for_the_tool(world: World) -> None:
    with ScriptedModel(
        rules(
            [{"text": "I am done."}],
            [{"text": "Not done: the tests are missing."}, verdict(True), verdict(False, "add tests"), verdict(True)],
        )
    ) as model:
        seen = supervised(world, model)
    assert seen.feedback == ["Stop hook feedback:\nadd tests"]
    assert (seen.state["outcome"], seen.state["count"]) == ("completed", 2)


def test_a_verdict_whose_author_the_api_cut_off_is_asked_about(world: World) -> None:
    """What it had begun to say behind it might have taken it back."""
    cut = [{"tools": [VERDICT], "stop_reason": reason} for reason in ("max_tokens", "model_context_window_exceeded")]
    reviewer = [cut[0], verdict(False, "mend 0"), cut[1], verdict(False, "mend 1"), cut[0], verdict(True)]
    with ScriptedModel(rules([{"text": "I am done."}], reviewer)) as model:
        seen = supervised(world, model)
    assert seen.feedback == [f"Stop hook feedback:\nmend {number}" for number in range(2)]
    assert (seen.state["outcome"], seen.state["count"]) == ("completed", 3)


def test_a_verdict_is_asked_about_whose_stream_ends_behind_it(world: World) -> None:
    """The client keeps what was whole, and says itself that more may have come."""
    lost = {"tools": [VERDICT, {"name": "StructuredOutput", "input": {"allow_stop": False, "feedback": "x" * 400}}]}
    reviewer = [{**lost, "short": True}, verdict(False, "mend it"), verdict(True)]
    with ScriptedModel(rules([{"text": "I am done."}], reviewer)) as model:
        seen = supervised(world, model)
    assert seen.feedback == ["Stop hook feedback:\nmend it"]
    assert (seen.state["outcome"], seen.state["count"]) == ("completed", 2)
