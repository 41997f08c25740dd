"""Who judges: chosen from ccc.json, with the judge's own address and key and nobody else's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.claude import variables
from ccc.claude.settings import Source
from ccc.model import OWN, Juror
from ccc.providers import config, judges
from tests.world import World, fake_claude, provider

PROVIDERS = {"glm": provider("http://g", "g-key", "glm-9"), "kimi": provider("http://k", "k-key", "kimi-k9")}


def configured(world: World, **more: object) -> config.Config:
    world.write_config(PROVIDERS, **more)
    return config.load(world.env())


@pytest.mark.parametrize(
    ("judge", "jurors"),
    [
        (None, (OWN,)),
        ([], (OWN,)),
        ("kimi", (Juror("kimi"),)),
        ({"provider": "kimi", "model": "k2"}, (Juror("kimi", "k2"),)),
        ({"model": "haiku"}, (Juror(model="haiku"),)),
        (["glm", {"model": "haiku"}], (Juror("glm"), Juror(model="haiku"))),
    ],
)
def test_a_judge_is_named_in_the_configuration(world: World, judge: object, jurors: tuple[Juror, ...]) -> None:
    here, there = Path("/a"), Path("/b")
    assert configured(world, supervisor={"judge": judge}).jurors(here) == jurors
    both = configured(world, supervisor={"judge": "glm"}, judges={str(here): judge})
    assert both.jurors(here) == (jurors if judge else (Juror("glm"),))
    assert both.jurors(there) == (Juror("glm"),)


@pytest.mark.parametrize(
    "judge", ["nobody", "", 1, {}, {"modle": "x"}, {"model": ""}, {"model": 1}, ["kimi"] * 6, [[]]]
)
def test_what_names_no_judge_is_an_error_in_one_line(world: World, judge: object) -> None:
    for more in ({"supervisor": {"judge": judge}}, {"judges": {"/a": judge}}):
        with pytest.raises(CccError) as refused:
            configured(world, **more)
        assert "\n" not in refused.value.message


def test_what_the_agents_client_is_not_told_a_judge_is_told_only_if_its_provider_speaks_of_it(world: World) -> None:
    kimi = {**PROVIDERS["kimi"], "env": {**PROVIDERS["kimi"]["env"], "A": "1"}, "statusLine": {"command": "echo $B"}}  # type: ignore[dict-item]
    world.write_config({**PROVIDERS, "kimi": kimi})
    conf = config.load(world.env())
    assert judges.seated(conf, Juror("kimi"), "glm", {}).untold(["A", "B", "C"]) == {"C"}
    assert judges.seated(conf, OWN, "glm", {}).untold(["A", "B", "C"]) == {"A", "B", "C"}


def test_nothing_of_the_agents_provider_is_left_for_the_judge(world: World) -> None:
    chair = judges.seated(configured(world), Juror("kimi"), "glm", {})
    started = {
        "PATH": "/bin",
        "ANTHROPIC_AUTH_TOKEN": "g-key",
        "ANTHROPIC_API_KEY": "old",
        "ANTHROPIC_BASE_URL": "http://g",
    }
    env = chair.environment(started)
    assert chair.provider
    own = {chair.provider.key_variable: "k-key", "CCC_BELOW": "kimi"}
    assert env == {"PATH": "/bin", **dict(PROVIDERS["kimi"]["env"]), **own}  # type: ignore[call-overload]
    assert (chair.model("glm-9"), chair.is_own) == ("kimi-k9", False)
    given = {"model": "glm-9", "permissions": {"allow": ["Read"]}, "env": {"ANTHROPIC_AUTH_TOKEN": "g-key", "A": "1"}}
    user = Source("user", Path("settings.json"), {"env": {"ANTHROPIC_BASE_URL": "http://g"}})
    told = chair.settings(given, [user], {**started, "HTTPS_PROXY": "http://mine"}, secrets=True)
    assert told["permissions"] == {"allow": ["Read"]}
    own = PROVIDERS["kimi"]["env"]
    shell = {"CLAUDE_ENV_FILE": str(variables.KEY_FOR_COMMANDS), "CCC_ENV_KEY": chair.provider.key_variable}
    set_ = {name: value for name, value in told["env"].items() if value}  # type: ignore[attr-defined]
    assert set_ == {"A": "1", "HTTPS_PROXY": "http://mine", "CLAUDE_CODE_DISABLE_AGENT_VIEW": "1", **shell, **own}  # type: ignore[dict-item]
    assert "g-key" not in json.dumps(told)
    lasting = json.dumps(chair.settings(given, [], started, secrets=False))
    assert ("k-key" in lasting, chair.provider.key_variable in lasting) == (False, True)


def test_whatever_variable_the_agents_provider_brings_is_none_of_the_judges(world: World) -> None:
    brought = {"HTTPS_PROXY": "http://of-glm", "GLM_EXTRA": "g", "PATH": "/opt/glm:/bin"}
    glm = {"env": {**PROVIDERS["glm"]["env"], **brought}}  # type: ignore[dict-item]
    world.write_config({"glm": glm, "kimi": PROVIDERS["kimi"]}, settings={"env": {"SHARED": "1"}})
    chair = judges.seated(config.load(world.env()), Juror("kimi"), "glm", {})
    env = chair.environment({**brought, "SHARED": "1", "NO_PROXY": "mine"})
    assert {name: env.get(name) for name in (*brought, "SHARED", "NO_PROXY")} == {
        "HTTPS_PROXY": None,
        "GLM_EXTRA": None,
        "PATH": "/opt/glm:/bin",  # nothing would start without one
        "SHARED": "1",
        "NO_PROXY": "mine",
    }


def test_a_variable_that_holds_the_agents_key_is_none_of_the_judges_unless_it_has_the_same(world: World) -> None:
    glm = {"env": {"ANTHROPIC_BASE_URL": "http://g", "ANTHROPIC_AUTH_TOKEN": "${GLM_KEY}", "A_ZONE": "${ZONE}"}}
    kimi = {"env": {"ANTHROPIC_BASE_URL": "http://k", "ANTHROPIC_AUTH_TOKEN": "${KIMI_KEY}", "A_ZONE": "${ZONE}"}}
    world.write_config({"glm": glm, "kimi": kimi})
    started = {"GLM_KEY": "g-key", "KIMI_KEY": "k-key", "ZONE": "here"}
    env = judges.seated(config.load(world.env()), Juror("kimi"), "glm", started).environment(started)
    assert "g-key" not in env.values()
    assert (env["ANTHROPIC_AUTH_TOKEN"], env["A_ZONE"]) == ("k-key", "here")


def test_a_key_that_refers_to_a_variable_never_means_the_agents(world: World) -> None:
    kimi = {"env": {"ANTHROPIC_BASE_URL": "http://k", "ANTHROPIC_AUTH_TOKEN": "${ANTHROPIC_AUTH_TOKEN}"}}
    world.write_config({"glm": PROVIDERS["glm"], "kimi": kimi})
    with pytest.raises(CccError, match="ANTHROPIC_AUTH_TOKEN, which is not set"):
        judges.seated(config.load(world.env()), Juror("kimi"), "glm", {"ANTHROPIC_AUTH_TOKEN": "g-key"})


def test_the_agents_own_provider_keeps_its_cache_and_its_environment(world: World) -> None:
    for juror in (OWN, Juror("glm")):
        chair = judges.seated(configured(world), juror, "glm", {})
        assert (chair.is_own, chair.environment({"A": "1"}), chair.model("glm-9")) == (True, {"A": "1"}, "glm-9")
    other = judges.seated(configured(world), Juror(model="haiku"), "glm", {})
    given = other.settings({"a": 1}, (), {}, secrets=True)
    assert (other.is_own, other.model("glm-9"), given) == (False, "haiku", {"a": 1})


@pytest.mark.parametrize(
    ("version", "able"), [("2.1.100", False), ("2.1.199", False), ("2.1.200", True), ("2.1.325", True)]
)
def test_a_client_that_cannot_change_providers_is_refused_before_it_starts(
    tmp_path: Path, version: str, able: bool
) -> None:
    client = fake_claude(tmp_path, [f"echo '{version} (Claude Code)'"])

    def refused(*jurors: Juror) -> str:
        try:
            judges.refuse_unable(client, jurors, "glm", tmp_path / "clients.json", {"PATH": "/usr/bin:/bin"})
        except CccError as error:
            return error.message
        return ""

    assert ("kimi" in refused(OWN, Juror("kimi"))) is not able
    assert not refused(OWN, Juror("glm"), Juror(model="haiku"))
