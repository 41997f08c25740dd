"""A glance tells what store, switch, config and claude tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.program import project_directory
from ccc.model import Unreviewed, Verdict
from ccc.providers import config
from ccc.record import glance, session, store, switch
from tests.sessions import Sessions
from tests.world import World

ID = "6f1b2c3d-0000-4000-8000-0123456789ab"


@pytest.mark.parametrize(
    "opinion",
    [Verdict(True, ""), Verdict(False, "more"), Verdict(False, "which?", needs_human=True), Unreviewed("529")],
)
def test_a_session_is_the_one_of_the_store(world: World, opinion: Verdict | Unreviewed) -> None:
    Sessions(world.state).stop(ID, opinion)
    found, known = glance.session(world.env(), ID), store.seen(world.state, ID)
    assert known
    request = known.request
    assert (found.count, found.limit) == (known.count, request.limit)
    assert (found.phase, found.outcome or None, found.reason) == (request.phase, request.outcome, request.reason)
    assert found.findings == request.findings


def test_off_is_the_one_of_the_switch(world: World) -> None:
    for kind, name in ((switch.SESSIONS, ID), (switch.PROJECTS, str(world.project))):
        for off in (True, False):
            switch.turn(world.state, kind, name, off=off)
            known = switch.is_off(world.state, project_directory(world.project), session_id=ID)
            assert glance.is_off(world.env(), ID, str(world.project)) is known is off


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"CCC_CONFIG_DIR": "/c"},
        {"CLAUDE_CONFIG_DIR": "~/c"},
        {"CCC_CONFIG_DIR": "~"},
        {"CCC_CONFIG_DIR": "/c", "CLAUDE_CONFIG_DIR": "/d", "CCC_WORK_DIR": "/w"},
        {"CCC_WORK_DIR": "relative"},
        {"CCC_WORK_DIR": "~user/x", "CCC_CONFIG_DIR": ""},
    ],
)
@pytest.mark.parametrize("home", [{"HOME": "/home/me"}, {}], ids=["home", "no home"])
def test_the_state_folder_is_the_one_of_config(env: dict[str, str], home: dict[str, str]) -> None:
    assert Path(glance.state_folder(env | home)).absolute() == config.state_directory(env | home)


@given(st.text() | st.from_regex(r"\A[A-Za-z0-9._-]{1,130}\n?\Z") | st.none() | st.integers())
def test_a_valid_id_is_the_one_of_session(session_id: object) -> None:
    assert glance.is_valid(session_id) == session.valid_session_id(session_id)


def test_the_project_is_the_one_of_claude(tmp_path: Path) -> None:
    deep = tmp_path / "one" / "two"
    deep.mkdir(parents=True)
    for _ in range(2):
        assert glance.project(str(deep)) == str(project_directory(deep))
        (tmp_path / "one" / ".git").write_text("gitdir: elsewhere")
