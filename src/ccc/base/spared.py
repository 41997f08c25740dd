"""What a run leaves to the next one, so that it need not be done again: compiled expressions, and modules in one file.

Rule: written when whoever waits has what he waits for, or before this process becomes another program, and no reason to
fail.
"""

from __future__ import annotations

import sys


def keep() -> None:
    if "ccc.base.files" not in sys.modules:  # and with it all that compiles anything
        return
    from ccc.base import bytecode, compiled, files

    compiled.keep(files.replace)
    bytecode.keep(files.replace)
