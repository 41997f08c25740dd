"""ccc as people have it: a wheel, in an environment that `python -m venv` has just made, with the pip that comes along.

An editable installation looks for its modules in more places, and a new pip writes a leaner launcher.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(made), str(ROOT)]
    subprocess.run(pip, check=True, stdout=subprocess.DEVNULL)
    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", str(made / "venv")], check=True)
    own = [str(made / "venv/bin/python"), "-m", "pip", "install", "--quiet", *map(str, made.glob("*.whl"))]
    subprocess.run(own, check=True, stdout=subprocess.DEVNULL)
    return made / "venv" / "bin"


def ccc() -> str:
    return str(folder() / "ccc")


def python() -> str:
    return str(folder() / "python")
