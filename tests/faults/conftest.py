"""What the hook's faults share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.stops import Desk
from tests.world import World


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Faults are tried at every call and every moment there is, which takes its time: `make test-long`."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.long)


@pytest.fixture
def desk(world: World) -> Iterator[Desk]:
    """A desk that nobody outlives."""
    desk = Desk(world).make()
    yield desk
    for pid in desk.living():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
