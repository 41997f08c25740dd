"""What the tests with the real client share: ccc has met it before, as on every day but the first.

Rule: what a client can do is asked once for each process that runs tests, and lies in every world as ccc would have
put it there. The first day is `tests/real/test_demo.py`'s and the guide's, whose homes are empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ccc.base import files
from ccc.claude import program
from tests.world import SHORT_LIVED_CLIENT, World

REMEMBERED = ("clients.json", "state.key")


@pytest.fixture(scope="session")
def met(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The files in which ccc keeps what the client has told of itself."""
    world = World(tmp_path_factory.mktemp("met")).make()
    files.private_directory(world.state)
    client, cache = program.find(world.env(), world.project), world.state / "clients.json"
    program.abilities(client, cache, world.env())
    program.told_version(client, cache, world.env())
    return {name: (world.state / name).read_bytes() for name in REMEMBERED}


@pytest.fixture
def world(tmp_path: Path, met: Mapping[str, bytes]) -> World:
    made = World(tmp_path, SHORT_LIVED_CLIENT).make()
    files.private_directory(made.state)
    for name, content in met.items():
        path = made.state / name
        path.touch(mode=0o600)
        path.write_bytes(content)
    return made
