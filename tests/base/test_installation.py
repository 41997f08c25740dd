"""What is offered can be typed as it is, however ccc came here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ccc.base import installation

MARKS = {
    "pipx": {"pyvenv.cfg": "home = /usr/bin\n", "pipx_metadata.json": "{}"},
    "uv tool": {"pyvenv.cfg": "home = /usr/bin\nuv = 0.9.1\n", "uv-receipt.toml": ""},
    "uv venv": {"pyvenv.cfg": "uv = 0.9.1\n"},
    "pip": {"pyvenv.cfg": "home = /usr/bin\nversion = 3.11\n"},
    "no environment": {},
}


@pytest.mark.parametrize(
    ("how", "adding", "removing"),
    [
        ("pipx", "pipx inject ccc-supervisor sdk", "pipx uninstall ccc-supervisor"),
        ("uv tool", "uv pip install --python '{}/bin/python' sdk", "uv tool uninstall ccc-supervisor"),
        (
            "uv venv",
            "uv pip install --python '{}/bin/python' sdk",
            "uv pip uninstall --python '{}/bin/python' ccc-supervisor",
        ),
        ("pip", "'{}/bin/python' -m pip install sdk", "'{}/bin/python' -m pip uninstall ccc-supervisor"),
        (
            "no environment",
            f"{sys.executable} -m pip install sdk",
            f"{sys.executable} -m pip uninstall ccc-supervisor",
        ),
    ],
)
def test_each_way_of_installing_has_its_own_commands(tmp_path: Path, how: str, adding: str, removing: str) -> None:
    prefix = tmp_path / "an env"
    prefix.mkdir()
    for name, text in MARKS[how].items():
        (prefix / name).write_text(text)
    assert installation.adding("sdk", prefix) == adding.format(prefix)
    assert installation.removing(prefix) == removing.format(prefix)


def test_here_it_is_the_python_that_runs_the_tests() -> None:
    assert installation.adding("sdk").startswith(str(Path(sys.prefix) / "bin" / "python"))
