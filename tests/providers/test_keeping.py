"""Which variables a client is started without: by what they hold, unless the person has said otherwise."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from ccc.claude.settings import Source
from ccc.providers import choosing, config, keeping
from tests.tables import each
from tests.world import World, provider

GLM, KIMI = "sk-of-glm-0123456789abc", "sk-of-kimi-0123456789abc"
ENV = {"GLM_API_KEY": GLM, "KIMI_API_KEY": KIMI, "PATH": os.defpath}
BOTH = {"GLM_API_KEY", "KIMI_API_KEY"}
CASES: Mapping[str, tuple[Mapping[str, str], set[str]]] = {
    "what ccc.json refers to": ({}, BOTH),
    "a copy, whatever it is called": ({"A": KIMI, "B": f"Bearer {KIMI}"}, {*BOTH, "A", "B"}),
    "a key that stands in ccc.json itself": ({"C": "sk-of-deep-0123456789abc"}, {*BOTH, "C"}),
    "a short one, and not where it is a part of something": ({"D": "deep-key", "E": "/home/deep-key/x"}, {*BOTH, "D"}),
    "another value": ({"F": "sk-of-nobody-0123456789abc"}, BOTH),
    "the client's own": ({"ANTHROPIC_API_KEY": KIMI, "CCC_KEY_0123456789abcdef": GLM}, BOTH),
    "the cloud's, which no provider refers to": ({"AWS_SECRET_ACCESS_KEY": "aws-0123456789abcdef"}, BOTH),
    "what leads somewhere": ({"https_proxy": f"http://x:{KIMI}@corp"}, BOTH),
    "what the provider sets": ({"Z_AI_API_KEY": GLM}, BOTH),
    "what no program does without": ({"HOME": "deep-key"}, BOTH),
}


@pytest.fixture
def world(world: World) -> World:
    glm = provider("https://glm", "${GLM_API_KEY}")
    glm["env"]["Z_AI_API_KEY"] = "${GLM_API_KEY}"  # type: ignore[index]
    deep = {"env": {"ANTHROPIC_API_KEY": "sk-of-deep-0123456789abc", "SOME_TOKEN": "deep-key"}}
    world.write_config({"glm": glm, "kimi": provider("https://kimi", "${KIMI_API_KEY}"), "deep": deep})
    return world


def held(world: World, env: Mapping[str, str], *found: Source, name: str = "glm") -> set[str]:
    conf = config.load(world.env())
    return set(keeping.names(conf, choosing.resolve(conf, name, env), env, world.project, found))


@each("case", CASES)
def test_a_variable_is_kept_by_what_it_holds(case: str, world: World) -> None:
    more, kept = CASES[case]
    assert held(world, {**ENV, **more}) == kept


def test_without_a_provider_nothing_is_kept(world: World) -> None:
    assert keeping.names(config.load(world.env()), None, ENV, world.project) == frozenset()


def test_nor_where_nobody_would_find_it_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)
    assert held(world, ENV) == set()
    monkeypatch.undo()
    monkeypatch.delattr(os, "memfd_create")
    assert held(world, ENV) == set()


SAID: Mapping[str, tuple[str, object, bool]] = {
    "settings of the person's": ("user", {"hooks": {"Stop": [{"hooks": [{"command": "notify $KIMI_API_KEY"}]}]}}, True),
    "the administrator's": ("managed", {"otelHeadersHelper": "echo ${KIMI_API_KEY}"}, True),
    "what is given by --settings": ("given", {"env": {"KIMI_API_KEY": "x"}}, True),
    "a server of the person's": ("global", {"mcpServers": {"x": {"env": {"A": "${KIMI_API_KEY:-}"}}}}, True),
    "a server for one folder": ("global", {"projects": {"/x": {"mcpServers": {"x": ["${KIMI_API_KEY}"]}}}}, True),
    "what was typed once": ("global", {"projects": {"/x": {"history": ["KIMI_API_KEY"]}}}, False),
    "a part of another name": ("user", {"env": {"MY_KIMI_API_KEY": "x", "KIMI_API_KEYS": "x"}}, False),
    "the project's": ("project", {"env": {"A": "KIMI_API_KEY"}}, False),
    "the project's servers": ("servers", {"mcpServers": {"x": ["${KIMI_API_KEY}"]}}, False),
}


@each("case", SAID)
def test_what_the_persons_own_files_name_is_not_kept(case: str, world: World) -> None:
    kind, settings, named = SAID[case]
    source = Source(kind, Path("/x"), json.loads(json.dumps(settings)))
    assert held(world, ENV, source) == (BOTH - {"KIMI_API_KEY"} if named else BOTH)


def test_what_the_person_allows_is_not_kept_and_is_told(world: World) -> None:
    env = world.env(**ENV, CCC_LANG="en")
    line = "{name}: holds a key of your ccc.json, so claude is started without it\n"
    assert world.warm("allow", env=env).out.endswith("".join(line.format(name=name) for name in sorted(BOTH)))
    run = world.warm("allow", "KIMI_API_KEY", env=env)
    assert "claude is started with KIMI_API_KEY here from now on" in run.err
    assert held(world, ENV) == {"GLM_API_KEY"}
    assert "KIMI_API_KEY" not in world.warm("allow", env=env).out
    world.warm("allow", "--remove", "KIMI_API_KEY", env=env)
    assert held(world, ENV) == BOTH
    assert world.warm("allow", "NOWHERE", env=env).code == 2


def test_what_a_command_of_the_configuration_names_is_kept_from_all_but_the_client_whose_helper_it_is(
    world: World,
) -> None:
    helped = {"env": {"ANTHROPIC_BASE_URL": "https://x"}}
    world.write_config(
        {name: {**helped, "apiKeyHelper": f"echo ${name.upper()}_API_KEY"} for name in ("glm", "kimi")},
        supervisor={"notify": {"command": "send $NTFY_TOKEN"}, "on_outcome": 'send "${SLACK_TOKEN}"'},
        checks={str(world.project): [{"command": "test $NPM_TOKEN"}]},
    )
    told = {name: f"{name}-0123456789abc" for name in ("NTFY_TOKEN", "SLACK_TOKEN", "NPM_TOKEN")}
    env = world.env(**ENV, **told)
    conf = config.load(env)
    for name, own in (("glm", "GLM_API_KEY"), ("kimi", "KIMI_API_KEY")):
        kept = keeping.names(conf, choosing.resolve(conf, name, env), env, world.project)
        assert kept == {*BOTH, *told} - {own}
