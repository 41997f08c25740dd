"""The entry of every command; the one place that turns errors into a line and an exit code.

Rule: loads what is called and nothing else, because every start of ccc pays for what stands up here: who starts claude
has no use for click.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ccc.base import lean
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.commands import index


def run(args: Sequence[str]) -> int:
    """Run ccc; every expected failure ends here as one line on stderr."""
    try:
        code = _called(args)
        _written()
        return code
    except CccError as error:
        return _fail(error.message, error.exit_code)
    except KeyboardInterrupt:
        return _fail(msg("interrupted"), 130)
    except BrokenPipeError:
        _give_up_stdout()  # whoever read our output has left
        return 141
    except Exception as error:
        if os.environ.get("CCC_DEBUG"):
            return _whole_story()
        return _fail(_of_system(error) if isinstance(error, OSError) else _unexpected(error), 1)


def _called(args: Sequence[str]) -> int:
    if os.environ.get("CLAUDECODE") == "1":
        lean.load_msgspec()
        from ccc.providers import inherited

        inherited.settle(os.environ)
    asked = COMPLETION in os.environ
    if tuple(args) in index.PLAIN and not asked:
        _load_quickly()
        from ccc.commands import plain

        return plain.CALLS[tuple(args)]()
    if index.is_bare_start(args) and not asked:
        _load_quickly()
        from ccc.commands import start

        return start.begin(start.Options(), tuple(args))
    from ccc.commands import router

    return router.run(args)


def _load_quickly() -> None:
    """For what is called again and again: what follows comes out of one file."""
    from ccc.base import bytecode

    bytecode.use()
    lean.load_msgspec()


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
COMPLETION = "_CCC_COMPLETE"  # by which a shell asks click what could follow


def _fail(line: str, code: int) -> int:
    from ccc.commands import voice

    voice.say(line)
    return code


def _written() -> None:
    """What is still held back fails here, where it can be told, and not when Python ends."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def _of_system(error: OSError) -> str:
    """What the system has refused is no mistake of ccc's."""
    from ccc.base import files

    if isinstance(error.filename, str | bytes):
        return files.explained(error, msg("use"), os.fsdecode(error.filename)).message
    if error.errno in FULL:  # whoever writes a file of ccc's names it, so this is what we print
        _give_up_stdout()
        return files.explained(error, msg("write"), msg("the output")).message
    return _unexpected(error)


def _give_up_stdout() -> None:
    """A second error while Python closes it would tell nobody anything."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _whole_story() -> int:
    from traceback import format_exc

    from ccc.commands import voice

    voice.show(*format_exc().splitlines(), err=True)
    return 1


def _unexpected(error: Exception) -> str:
    frame = error.__traceback__
    while frame and frame.tb_next:
        frame = frame.tb_next
    where = f"{Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}" if frame else "?"
    # The message of a foreign exception may hold anything, a key included; its type and place do not.
    return msg(
        "unexpected {type} at {place}; please report it (CCC_DEBUG=1 shows the whole story)",
        type=type(error).__name__,
        place=where,
    )
