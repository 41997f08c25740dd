"""What the real client makes of a document with one odd value, and what ccc knows of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ccc.claude import loading, program
from tests.world import World

HOOK = {"type": "command", "command": "true"}
TAKEN: tuple[Mapping[str, object], ...] = (
    {"env": {"A": "b", "C": 1, "D": True, "E": 1.5}},
    {"permissions": {"allow": ["Bash(x:*)"], "deny": ["no such tool("], "ask": [], "additionalDirectories": ["/a"]}},
    {"model": "", "outputStyle": "x", "apiKeyHelper": "echo x", "cleanupPeriodDays": 36_500},
    {"includeCoAuthoredBy": False, "alwaysThinkingEnabled": True, "disableAllHooks": False},
    {"enableAllProjectMcpServers": True, "cleanupPeriodDays": 1},
)
DROPPED: Mapping[str, object] = {
    "model": 5,
    "cleanupPeriodDays": 0,
    "permissions": {"defaultMode": "yolo"},
    "apiKeyHelper": True,
}


def test_what_ccc_knows_by_itself_the_client_takes_as_well(world: World) -> None:
    client = program.find(world.env(), world.project)
    for settings in TAKEN:
        assert loading.loads(client, settings, world.state / "clients.json", {}) is True
    whole = loading.document({key: value for each in TAKEN for key, value in each.items()})
    assert loading.asked(client, whole, world.state, world.env()) is True


@pytest.mark.parametrize("name", DROPPED)
def test_a_value_that_the_client_drops_a_document_for_is_known_by_its_name(world: World, name: str) -> None:
    client, cache = program.find(world.env(), world.project), world.state / "clients.json"
    assert loading.loads(client, {name: DROPPED[name]}, cache, world.env()) is False
    # A key that nobody knows does no harm.
    settings = {"includeCoAuthoredBy": False, "of the future": {"x": []}, name: DROPPED[name]}
    assert loading.rejected(client, settings, cache, world.env()) == [name]


def test_the_client_is_asked_once_and_starts_nothing_meanwhile(world: World) -> None:
    client, cache, ran = program.find(world.env(), world.project), world.state / "clients.json", world.root / "ran"
    touch = {"type": "command", "command": f"touch {ran}"}
    hooks = {event: [{"hooks": [touch]}] for event in ("SessionStart", "Setup", "Stop")}
    settings = {"hooks": hooks, "apiKeyHelper": f"touch {ran}; echo x", "statusLine": touch}
    assert loading.rejected(client, settings, cache, world.env()) == []
    assert not ran.exists()
    assert loading.rejected(client, settings, cache, {**world.env(), "PATH": "/nowhere"}) == []
    assert list((world.state / "tmp").iterdir()) == []


def test_a_client_that_cannot_be_asked_leaves_it_open(world: World) -> None:
    from tests.world import fake_claude

    client = fake_claude(world.root / "bin", ["echo '  --print  print'"])
    cache = world.state / "clients.json"
    assert loading.rejected(client, {"odd": 1}, cache, world.env()) is None
    assert loading.rejected(client, {"model": "glm"}, cache, world.env()) == []


@pytest.mark.parametrize("odd", [float("inf"), "half a character: \ud83d"])
def test_what_json_can_hardly_say_is_handed_over_in_a_spelling_that_the_client_reads(world: World, odd: object) -> None:
    """Bytes that are no JSON would make it drop the provider's address with the rest."""
    client = program.find(world.env(), world.project)
    assert loading.asked(client, loading.document({"of the future": odd}), world.state, world.env()) is True
