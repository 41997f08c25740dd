from __future__ import annotations

import pytest

from ccc.providers import choosing, fallback
from ccc.providers.config import ConfigError
from tests.providers.test_providers import GOOD, config


@pytest.mark.parametrize(
    ("given", "expected"),
    [(None, ()), ("kimi", ("kimi",)), (["kimi", "b"], ("kimi", "b")), ([], ())],
)
def test_a_fallback_is_a_name_or_several(given: object, expected: tuple[str, ...]) -> None:
    own = GOOD if given is None else {**GOOD, "fallback": given}
    # Of two that stand in for each other each is the other's fallback, and that is all.
    found = config({"glm": own, "kimi": {**GOOD, "fallback": "glm"}, "b": GOOD})
    assert fallback.of(found, "glm") == expected
    assert "fallback" not in choosing.resolve(found, "glm", {}).settings


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("kimmi", "providers.glm.fallback: no provider is called 'kimmi': did you mean kimi?"),
        (["kimi", "zzz"], "no provider is called 'zzz': there is glm, kimi."),
        ("glm", "providers.glm.fallback names glm itself; name another provider"),
        (["kimi", "kimi"], "providers.glm.fallback names kimi twice; leave one out"),
        (7, "providers.glm.fallback must be a provider's name or a list of names, not a number"),
        ({"kimi": True}, "must be a provider's name or a list of names, not an object"),
        (["kimi", None], "must be a provider's name or a list of names, not a list"),
        ("", "no provider is called ''"),
        ("\x1b[2Jkimi", r"no provider is called '\x1b[2Jkimi'"),
    ],
)
def test_a_fallback_that_is_none_is_told_in_one_line(given: object, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        fallback.of(config({"glm": {**GOOD, "fallback": given}, "kimi": GOOD}), "glm")
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
