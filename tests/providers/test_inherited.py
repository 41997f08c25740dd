"""Below a client: what of its variables counts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from ccc.claude.above import Above
from ccc.claude.variables import KEPT
from ccc.commands import here
from ccc.providers import config, inherited
from ccc.providers.config import Config
from tests.tables import each
from tests.world import World

STARTED = {"PATH": "/bin", "HTTPS_PROXY": "http://corp", "KIMI_URL": "https://kimi", "CLAUDE_CODE_X": "1"}
# What the client hands on, and what is left of it.
CASES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "nothing was brought": (STARTED, STARTED),
    "a path": ({**STARTED, "PATH": "/evil:/bin"}, STARTED),
    "a proxy, in whatever spelling": ({**STARTED, "Http_proxy": "http://evil"}, STARTED),
    "a blank in the place of a proxy": ({**STARTED, "HTTPS_PROXY": ""}, STARTED),
    "certificates": ({**STARTED, "SSL_CERT_FILE": "/evil"}, STARTED),
    "what ccc.json refers to": ({**STARTED, "KIMI_URL": "http://evil"}, STARTED),
    "what leads nowhere": ({**STARTED, "DATABASE_URL": "x"}, {**STARTED, "DATABASE_URL": "x"}),
    "where a project's checks have their database": (
        {**STARTED, "PGHOST": "db", "PGDATABASE": "tests"},
        {**STARTED, "PGHOST": "db", "PGDATABASE": "tests"},
    ),
    "the client's own": (
        {**STARTED, "CLAUDECODE": "1", "CLAUDE_PID": "7", "GIT_EDITOR": "true"},
        {**STARTED, "CLAUDECODE": "1", "CLAUDE_PID": "7", "GIT_EDITOR": "true"},
    ),
    "the client's own in other words": ({**STARTED, "GIT_EDITOR": "evil"}, STARTED),
}


@pytest.fixture
def conf(world: World) -> Config:
    world.write_config({"kimi": {"env": {"ANTHROPIC_BASE_URL": "${KIMI_URL}", "ANTHROPIC_AUTH_TOKEN": "k"}}})
    return config.load(world.env())


@each("case", CASES)
def test_what_leads_elsewhere_is_as_the_client_was_started(case: str) -> None:
    given, kept = CASES[case]
    bare = replace(config.bare({"HOME": "/nonexistent"}), named=frozenset({"KIMI_URL"}))
    assert inherited.settled(bare, Path("/"), given, Above(STARTED, given)) == kept


def test_what_was_typed_since_stays(conf: Config, world: World) -> None:
    typed = {**STARTED, "KIMI_URL": "https://typed", "HTTPS_PROXY": "http://typed"}
    brought = {**STARTED, "KIMI_URL": "http://evil"}
    assert inherited.settled(conf, world.project, typed, Above(STARTED, brought)) == typed


def test_what_the_person_has_said_stays(conf: Config, world: World) -> None:
    world.write_settings({"env": {"PATH": "/mine:/bin", "NODE_OPTIONS": "--mine"}})
    allowed = replace(conf, allowed={str(world.project): {"PYTHONPATH": ["src"], "MAX_OPTS": [3]}})
    env = {**STARTED, "PATH": "/mine:/bin", "PYTHONPATH": "src", "MAX_OPTS": "3"}
    assert inherited.settled(allowed, world.project, env, Above(STARTED, env)) == env
    other = {**env, "PATH": "/evil:/bin", "PYTHONPATH": "evil"}
    kept = {**STARTED, "MAX_OPTS": "3"}
    assert inherited.settled(allowed, world.project, other, Above(STARTED, other)) == kept


def test_nor_does_a_file_of_the_projects_speak_for_the_person(conf: Config, world: World) -> None:
    for name in ("settings.json", "settings.local.json"):
        (world.project / ".claude").mkdir(exist_ok=True)
        (world.project / ".claude" / name).write_text(json.dumps({"env": {"PATH": "/evil"}}))
    env = {**STARTED, "PATH": "/evil"}
    assert inherited.settled(conf, world.project, env, Above(STARTED, env)) == STARTED


def test_where_nobody_is_above_everything_stays(conf: Config, world: World) -> None:
    env = {**STARTED, "CLAUDECODE": "1", "CLAUDE_PID": "1"}
    assert inherited.settled(conf, world.project, env, Above()) == env
    environ = dict(env)
    inherited.settle(environ)
    assert environ == env


def test_a_command_has_what_its_client_was_started_without_unless_a_start_has_come_since(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"KIMI_API_KEY": "k", "GLM_API_KEY": "g"}
    told = {**world.env(), KEPT: "/proc/7/fd/4"}
    monkeypatch.setattr("ccc.claude.above.of", lambda _: Above({**told, **kept}, told, 7, kept))
    environ = {**told, "KIMI_API_KEY": "typed"}
    inherited.settle(environ)
    assert environ == {**told, **kept, "KIMI_API_KEY": "typed"}
    later = world.env()
    inherited.settle(later)
    assert later == world.env()


def test_whoever_opens_a_store_goes_to_no_database_that_a_project_names(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its address leaves open libpq takes from the process, and a password goes there."""
    started = {**world.env(), "PGUSER": "me", "PGPORT": "5432"}
    env = {**started, "PGUSER": "evil", "PGHOSTADDR": "6.6.6.6", "PGDATABASE": "mine", "DATABASE_URL": "x"}
    world.write_settings({"env": {"PGDATABASE": "mine"}})
    monkeypatch.setattr("ccc.claude.above.of", lambda _: Above(started, env, 7))
    monkeypatch.setattr(os, "environ", environ := dict(env))
    kept = {**started, "PGDATABASE": "mine", "DATABASE_URL": "x"}
    assert here.store_address().postgres == ""
    assert environ == env
    assert here.store_address("postgresql://me@/fleet").postgres
    assert environ == kept
    environ["PGHOSTADDR"] = "5.5.5.5"  # typed in front of the command
    assert here.store_address("postgresql://me@/fleet").postgres
    assert environ == {**kept, "PGHOSTADDR": "5.5.5.5"}
