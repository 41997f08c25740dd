"""How ccc was installed here, and so what adds a package beside it or takes it away again.

Rule: looks at the marks that an installer leaves in its environment; every line is one that can be typed as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = "ccc-supervisor"


def adding(package: str, prefix: Path | None = None) -> str:
    """The command that puts a package where this ccc finds it."""
    prefix = prefix or Path(sys.prefix)
    if _is_pipx(prefix):
        return f"pipx inject {PACKAGE} {package}"
    return f"{_pip(prefix, 'install')} {package}"


def removing(prefix: Path | None = None) -> str:
    """The command that takes ccc itself away."""
    prefix = prefix or Path(sys.prefix)
    if _is_pipx(prefix):
        return f"pipx uninstall {PACKAGE}"
    if _is_uv_tool(prefix):
        return f"uv tool uninstall {PACKAGE}"
    return f"{_pip(prefix, 'uninstall')} {PACKAGE}"


def _pip(prefix: Path, what: str) -> str:
    import shlex  # in here: no start of ccc pays for it

    python = shlex.quote(str(prefix / "bin" / "python"))
    if not (prefix / "pyvenv.cfg").exists():
        return f"{shlex.quote(sys.executable)} -m pip {what}"
    return f"uv pip {what} --python {python}" if _is_uv(prefix) else f"{python} -m pip {what}"


def _is_pipx(prefix: Path) -> bool:
    return (prefix / "pipx_metadata.json").exists()


def _is_uv_tool(prefix: Path) -> bool:
    return (prefix / "uv-receipt.toml").exists()


def _is_uv(prefix: Path) -> bool:
    """An environment that uv made has no pip in it."""
    try:
        return any(line.split("=")[0].strip() == "uv" for line in (prefix / "pyvenv.cfg").read_text().splitlines())
    except (OSError, ValueError):
        return False
