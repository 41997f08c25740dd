"""A program that ends with whoever started it: the kernel tells it so, and then it becomes that program.

Rule: runs on its own, before anything else, with nothing imported but the system's; `tied PID PROGRAM WORD…`.
"""

import os
import signal
import sys


def main() -> None:
    parent, *words = sys.argv[1:]
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):  # another kernel; then a pipe that breaks has to do
        pass
    if os.getppid() != int(parent):  # it was quicker
        sys.exit(143)
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
