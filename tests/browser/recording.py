"""Pictures of `ccc demo`, `ccc status` and `ccc watch` for the docs: `make pictures`."""

from __future__ import annotations

import os
import re
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ccc.trial import demo_screen
from tests.real.screen import Screen
from tests.sessions import Sessions
from tests.world import CCC, World

PICTURES = Path(__file__).parents[2] / "docs" / "images"
STORIES = (
    ("7d1f0c52-parser", "parser", ("The tests for empty input are missing.", "")),
    ("a9c4be10-shop", "shop", ("Run pytest and mend test_cart.",)),
    ("c03e88aa-website", "website", ("",)),
)


def main() -> None:
    demo_picture()
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        _sessions(world)
        terminal_picture(world, "status")
        terminal_picture(world, "watch")


def demo_picture() -> None:
    console = Console(record=True, width=132, highlight=False, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    console.print(Text("$ ccc demo", style="bold"))
    demo_screen.run({**os.environ, "CCC_LANG": "en"}, console=console)
    svg = console.export_svg(title="ccc demo", clear=False)
    # Where this machine keeps its files is nobody's business, and rich would have fonts fetched.
    svg = re.sub(r"/[\w/.-]*claude_agent_sdk[\w/.-]*", "claude", svg)
    _write("demo", re.sub(r"/[\w/.-]*/ccc-trials/demo-\w+", "/tmp/ccc-demo", svg))


def terminal_picture(world: World, command: str) -> None:
    """What a real terminal shows, character by character."""
    with Screen([str(CCC), command], env=world.env(CCC_LANG="en"), cwd=world.project, columns=132, lines=24) as screen:
        screen.wait_for("completed")
        lines = [line.rstrip() for line in screen.text.split("\n")]
    console = Console(record=True, width=132, highlight=False, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    console.print(Text(f"$ ccc {command}", style="bold"))
    for line in lines:
        console.print(Text(line), soft_wrap=True)
    _write(command, console.export_svg(title=f"ccc {command}"))


def _sessions(world: World) -> None:
    now = datetime.now(UTC)
    sessions = Sessions(world.state, now=now - timedelta(minutes=30))
    for session, project, opinions in STORIES:
        about = {"project": f"/home/you/{project}", "mode": "hooks", "provider": "glm"}
        for feedback in opinions:
            if feedback:
                sessions.block(session, feedback, cost=0.021, tokens=21_000, **about)
            else:
                sessions.allow(session, cost=0.018, tokens=19_000, **about)


def _write(name: str, svg: str) -> None:
    (PICTURES / f"{name}.svg").write_text(re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL))


if __name__ == "__main__":
    main()
