"""What a session's record has of the person's words, before the agent goes on in it."""

from __future__ import annotations

import json

import pytest

from ccc.base import messages
from ccc.claude import transcript
from ccc.claude.own_words import CUT_OFF
from ccc_legacy import earlier
from tests.sessions import Sessions
from tests.world import World

OLD, NEW = "old-session", "new-session"


@pytest.fixture
def spoken(world: World) -> World:
    """With one session, in which the agent was sent back once and cut off twice."""
    cut_off = messages.said(CUT_OFF, "zh")
    said = ["build it", "  run the\ttests ", cut_off, f"{cut_off}\n\nand the docs"]
    lines = [{"type": "user", "uuid": str(at), "message": {"content": text}} for at, text in enumerate(said)]
    path = world.config / "projects" / "x" / f"{OLD}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    world.state.mkdir(mode=0o700, exist_ok=True)
    Sessions(world.state).block(OLD, "run the tests")
    return world


def recalled(world: World, session: str, args: list[str]) -> tuple[str, ...]:
    return earlier.words(session, args=args, env=world.env(), state=world.state)


@pytest.mark.parametrize(
    ("session", "args"),
    [
        (OLD, []),
        (NEW, ["--resume", OLD, "--fork-session"]),
        (NEW, ["--model", "m", "-r", OLD, "--fork-session"]),
        (NEW, [f"--resume={OLD}"]),
    ],
)
def test_what_ccc_said_itself_is_none_of_them(spoken: World, session: str, args: list[str]) -> None:
    assert recalled(spoken, session, args) == ("build it", "and the docs")


@pytest.mark.parametrize("args", [[], ["-c", "--fork-session"], ["--resume"], ["--resume", "../../x/*"]])
def test_a_new_session_has_none(spoken: World, args: list[str]) -> None:
    assert recalled(spoken, NEW, args) == ()


@pytest.mark.parametrize(
    ("args", "session"),
    [
        (["--resume", OLD], OLD),
        ([f"-r={OLD}"], OLD),
        (["-c"], OLD),
        (["--continue", "--fork-session"], None),
        (["--fork-session", "--resume", OLD], None),
        (["--resume", NEW], None),
        (["--resume", "../../x/*"], None),
        (["--resume"], None),
        ([], None),
    ],
)
def test_the_session_that_is_gone_on_with_is_known_before_the_agent_names_it(
    spoken: World, args: list[str], session: str | None
) -> None:
    folder = spoken.config / "projects" / transcript.named_after(spoken.project)
    (spoken.config / "projects" / "x").rename(folder)
    assert earlier.session(args, cwd=spoken.project, env=spoken.env()) == session
