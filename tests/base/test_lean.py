"""Modules are loaded without what they bring along, and nobody notices."""

from __future__ import annotations

import json
import subprocess
import sys

SPARED = {"urllib.parse", "ipaddress", "uuid", "decimal", "msgspec.inspect", "msgspec._json_schema"}
LOAD = "from ccc.base import lean; lean.load_pathlib(); lean.load_msgspec()\n"


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout


def test_what_they_bring_along_is_not_loaded() -> None:
    loaded = json.loads(run(LOAD + "import json, sys; print(json.dumps([*sys.modules]))"))
    assert {"pathlib", "msgspec"} <= {*loaded}
    assert not SPARED & {*loaded}


def test_a_path_still_knows_its_address() -> None:
    assert run(LOAD + "import pathlib; print(pathlib.Path('/a b/é').as_uri())").strip() == "file:///a%20b/%C3%A9"


def test_whoever_asks_afterwards_gets_the_real_ones() -> None:
    told = run(
        LOAD + "import decimal, urllib.parse, uuid\n"
        "print(urllib.parse.urlsplit('http://a/b').netloc, decimal.Decimal('1') + 1, uuid.UUID(int=1).version)"
    )
    assert told.split() == ["a", "2", "None"]


def test_those_who_were_loaded_before_stay() -> None:
    told = run("import urllib.parse, decimal, pathlib\nkept = urllib.parse\n" + LOAD + "import urllib.parse as now\n"
        "print(kept is now, hasattr(now, 'urlsplit'), decimal.Decimal(2))")  # fmt: skip
    assert told.split() == ["True", "True", "2"]
