"""The entry of `ccc`, and the guard that keeps a reviewer from being reviewed.

Rule: nothing is imported before the guard has spoken; a reviewer's own Stop costs an interpreter start and no more.
"""

import sys

GUARD_ANSWER = b'{"decision":"","":""}'


def main() -> int:
    # The reviewer is claude too, so its own stop fires our hook again. This is
    # what ends that recursion; keep it first and free of imports.
    if sys.argv[1:2] == ["supervisor-hook"]:
        import os

        if os.environ.get("CCC_SUPERVISOR_HOOK") == "1":
            os.write(1, GUARD_ANSWER)
            return 0
    from ccc.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
