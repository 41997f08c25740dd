"""Record `ccc demo` as a picture for the README: `make pictures`."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ccc import demo_screen

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "demo.svg"


def main() -> None:
    console = Console(record=True, width=132, highlight=False, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    console.print(Text("$ ccc demo", style="bold"))
    demo_screen.run({**os.environ, "CCC_LANG": "en"}, console=console)
    svg = console.export_svg(title="ccc demo", clear=False)
    # Where this machine keeps its files is nobody's business, and rich would have fonts fetched.
    svg = re.sub(r"/[\w/.-]*claude_agent_sdk[\w/.-]*", "claude", svg)
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    PICTURE.write_text(re.sub(r"/tmp/ccc-demo-\w+", "/tmp/ccc-demo", svg))


if __name__ == "__main__":
    main()
