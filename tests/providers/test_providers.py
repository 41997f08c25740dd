from __future__ import annotations

import re
from pathlib import Path

import pytest

from ccc.claude import variables
from ccc.providers import choosing
from ccc.providers.choosing import UnknownProvider
from ccc.providers.config import Config, ConfigError, SupervisorOptions


def config(all_providers: dict[str, dict[str, object]], **more: object) -> Config:
    return Config(
        path=Path("/c/ccc.json"),
        settings=more.get("settings", {}),  # type: ignore[arg-type]
        providers=all_providers,
        current=more.get("current"),  # type: ignore[arg-type]
        claude_args=(),
        supervisor=SupervisorOptions(),
    )


def env(**values: object) -> dict[str, object]:
    return {"env": values}


GOOD = env(ANTHROPIC_BASE_URL="https://a.example", ANTHROPIC_AUTH_TOKEN="t")


@pytest.mark.spec("C1")
@pytest.mark.parametrize(
    ("named", "current", "expected"),
    [(None, None, "kimi"), (None, "glm", "glm"), ("kimi", "glm", "kimi"), ("glm", None, "glm")],
)
def test_named_beats_current_beats_first(named: str | None, current: str | None, expected: str) -> None:
    assert choosing.choose(config({"kimi": {}, "glm": {}}, current=current), named) == expected


def test_no_provider_at_all_means_the_logged_in_client() -> None:
    assert choosing.choose(config({})) is None


def test_an_unknown_current_provider_names_file_key_and_fix() -> None:
    with pytest.raises(ConfigError, match=r"/c/ccc.json: current_provider is 'gml'.*choose one with: ccc NAME \(glm\)"):
        choosing.choose(config({"glm": {}}, current="gml"))


@pytest.mark.parametrize(
    ("names", "hint"), [(["glm", "kimi"], "did you mean glm"), (["zzz"], "there is zzz"), ([], "run: ccc init")]
)
def test_an_unknown_name_comes_with_the_nearest_ones(names: list[str], hint: str) -> None:
    with pytest.raises(UnknownProvider, match=hint):
        choosing.choose(config({name: {} for name in names}), "gml")


def test_provider_settings_win_over_base_settings_key_by_key() -> None:
    found = config(
        {"glm": {"env": {"B": "own", "C": 3}, "permissions": {"deny": ["x"]}}},
        settings={"env": {"A": "base", "B": "base"}, "permissions": {"allow": ["y"]}, "model": "m"},
    )
    provider = choosing.resolve(found, "glm", {})
    assert provider.env == {"A": "base", "B": "own", "C": "3"}
    assert provider.settings == {"permissions": {"allow": ["y"], "deny": ["x"]}, "model": "m"}


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        (env(ANTHROPIC_BASE_URL="not a url", ANTHROPIC_AUTH_TOKEN="s3cret"), "ANTHROPIC_BASE_URL is not a http"),
        (env(ANTHROPIC_BASE_URL="", ANTHROPIC_AUTH_TOKEN="s3cret"), "ANTHROPIC_BASE_URL is not a http"),
        (env(ANTHROPIC_BASE_URL="ftp://h/x", ANTHROPIC_AUTH_TOKEN="s3cret"), "ANTHROPIC_BASE_URL is not a http"),
        (env(ANTHROPIC_BASE_URL="https://", ANTHROPIC_AUTH_TOKEN="s3cret"), "ANTHROPIC_BASE_URL is not a http"),
        (env(ANTHROPIC_BASE_URL="https://h:x1", ANTHROPIC_AUTH_TOKEN="s3cret"), "ANTHROPIC_BASE_URL is not a URL"),
        (env(ANTHROPIC_BASE_URL="https://u:s3cret@h", ANTHROPIC_AUTH_TOKEN="t"), "holds a user name or password"),
        (env(ANTHROPIC_BASE_URL="https://h\n", ANTHROPIC_AUTH_TOKEN="s3cret"), "ANTHROPIC_BASE_URL holds a line break"),
        (env(ANTHROPIC_BASE_URL="https://h", ANTHROPIC_AUTH_TOKEN="s3cret\nx: y"), "ANTHROPIC_AUTH_TOKEN holds a line"),
        (env(ANTHROPIC_BASE_URL="https://h", ANTHROPIC_AUTH_TOKEN="s3cret\x7f"), "ANTHROPIC_AUTH_TOKEN holds a line"),
        (env(ANTHROPIC_BASE_URL="https://h"), "has a base URL but no key"),
        (env(ANTHROPIC_AUTH_TOKEN=True), "ANTHROPIC_AUTH_TOKEN must be a string"),
        (env(ANTHROPIC_AUTH_TOKEN="${NOWHERE}"), "NOWHERE, which is not set"),
        (env(**{"BAD NAME": "x"}), "'BAD NAME', which is no variable name"),
    ],
)
def test_what_would_end_in_a_wrong_request_is_refused_without_the_secret(own: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(problem)) as failure:
        choosing.resolve(config({"glm": own}), "glm", {})
    assert str(failure.value).startswith("/c/ccc.json: providers.glm.env")
    assert "s3cret" not in str(failure.value)


def test_quotes_in_a_token_are_part_of_it() -> None:
    provider = choosing.resolve(config({"glm": env(ANTHROPIC_AUTH_TOKEN="a\"b'c")}), "glm", {})
    assert provider.env["ANTHROPIC_AUTH_TOKEN"] == "a\"b'c"


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("ANTHROPIC_BASE_URL", True),
        ("ANTHROPIC_DEFAULT_HAIKU_MODEL", True),
        ("CLAUDE_CODE_USE_BEDROCK", True),
        ("CLAUDE_CODE_OAUTH_TOKEN", True),
        ("API_TIMEOUT_MS", False),
        ("CLAUDE_CODE_MAX_RETRIES", False),
        ("PATH", False),
        ("MY_ANTHROPIC_KEY", False),
    ],
)
def test_what_decides_provider_account_or_model_is_known(key: str, expected: bool) -> None:
    assert variables.is_identity(key) is expected


def test_an_agents_patience_is_not_its_reviewers() -> None:
    watchdog = {"CLAUDE_CODE_RETRY_WATCHDOG": "1", "CLAUDE_CODE_RETRY_WATCHDOG_MAX_WAIT_MS": "9"}
    agent = variables.waited_for({"PATH": "/bin", **watchdog})
    assert agent == {"PATH": "/bin", **watchdog, "CLAUDE_CODE_MAX_RETRIES": "3"}
    assert not watchdog.keys() & variables.reviewer_environment(agent).keys()


def test_a_persons_own_number_of_retries_stays() -> None:
    own = {"CLAUDE_CODE_MAX_RETRIES": "7"}
    assert variables.waited_for(own) == own
    assert variables.reviewer_environment(own)["CLAUDE_CODE_MAX_RETRIES"] == "7"


def test_ten_thousand_providers_are_looked_up_exactly() -> None:
    many: dict[str, dict[str, object]] = {f"p{n}": {} for n in range(10_000)}
    assert choosing.choose(config(many), "p9999") == "p9999"
