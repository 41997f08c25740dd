"""What the hook's faults share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.stops import Desk
from tests.world import World


@pytest.fixture
def desk(world: World) -> Iterator[Desk]:
    """A desk that nobody outlives."""
    desk = Desk(world).make()
    yield desk
    for pid in desk.living():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
