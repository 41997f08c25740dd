"""What a project's files would start in a reviewer, against what they had at the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccc.base.errors import CccError
from ccc.claude import unasked
from ccc.claude.settings import PLUGIN_OF_PROJECT, Source


def local(settings: dict[str, object]) -> list[Source]:
    return [Source("local", Path("settings.local.json"), settings)]


def plugins(**listed: object) -> list[Source]:
    return local({"enabledPlugins": {f"{name}@m": value for name, value in listed.items()}})


def plugged(**content: str) -> list[Source]:
    return [Source(PLUGIN_OF_PROJECT, Path(name), {"plugins": {name: digest}}) for name, digest in content.items()]


@pytest.mark.parametrize(
    "now",
    [
        plugins(old=True, new=True),
        plugins(old=True, new=["^1.0"]),
        plugins(old=["^2.0"]),
        local({"enabledPlugins": ["odd"]}),
        local({"hooks": {"Stop": [{"hooks": []}]}}),
        local({"agent": "mild"}),
        plugged(x="another"),
        plugged(x="one", y="one"),
    ],
)
def test_what_was_not_there_at_the_start_keeps_a_reviewer_from_starting(now: list[Source]) -> None:
    with pytest.raises(CccError, match="that were not here at the start"):
        unasked.refuse_new(now, unasked.started([*plugins(old=True, off=False), *plugged(x="one")]))


@pytest.mark.parametrize(
    "now", [plugins(old=True), plugins(old=False), plugins(new=False), local({"model": "opus"}), plugged(x="one")]
)
def test_what_goes_or_is_switched_off_starts_nothing(now: list[Source]) -> None:
    unasked.refuse_new(now, unasked.started([*plugins(old=True, off=False), *plugged(x="one")]))


def shared(settings: dict[str, object]) -> list[Source]:
    return [Source("project", Path("settings.json"), settings)]


ON, OFF = {"enabledPlugins": {"p@m": True}}, {"enabledPlugins": {"p@m": False}}
HOOKS: dict[str, object] = {"hooks": {"SessionStart": [{"hooks": [{"command": "x"}]}]}}
AMONG_SKILLS = Source(PLUGIN_OF_PROJECT, Path("x"), {"plugins": {"x": "one"}, "name": "n"})


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ([*shared(ON), *local(OFF)], shared(ON)),
        ([*shared(HOOKS), *local({"disableAllHooks": True})], shared(HOOKS)),
        ([AMONG_SKILLS, *local({"enabledPlugins": {"n@skills-dir": False}})], [AMONG_SKILLS]),
        # Not by the name of its folder, which the client does not heed.
        ([], [AMONG_SKILLS, *local({"enabledPlugins": {"x@skills-dir": False}})]),
    ],
    ids=["a plugin", "hooks", "a plugin among the skills", "another name"],
)
def test_what_the_person_had_switched_off_is_new_when_that_is_gone(before: list[Source], now: list[Source]) -> None:
    with pytest.raises(CccError, match="that were not here at the start"):
        unasked.refuse_new(now, unasked.started(before))
    unasked.refuse_new(now, unasked.started(now))


def test_what_is_still_switched_off_keeps_nobody() -> None:
    off = [*shared(ON), *local(OFF), AMONG_SKILLS, *local({"enabledPlugins": {"n@skills-dir": False}})]
    unasked.refuse_new(off, unasked.started(off))
