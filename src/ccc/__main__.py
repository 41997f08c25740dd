"""The entry of `ccc`, and the guards that keep a hook from costing anything where nothing is to be reviewed.

Rule: nothing is imported before the guards have spoken; whoever is not supervised pays an interpreter start, no more.
"""

import sys

GUARD_ANSWER = b'{"decision":"","":""}'


def main() -> int:
    if sys.argv[1:2] == ["supervisor-hook"]:
        return supervisor_hook()
    collect_rarely()
    if sys.argv[1:] == ["statusline"]:  # drawn again and again, so it does without the command line
        import os

        from ccc.showing.statusline import main as line

        return line(os.environ)
    from ccc.base import lean

    lean.load_pathlib()
    from ccc.commands.cli import run

    code = run(sys.argv[1:])
    from ccc.base import spared

    spared.keep()
    return code


def collect_rarely() -> None:
    """A start makes a hundred thousand objects and drops hardly any; looking for those is an eighth of its time."""
    import gc

    gc.set_threshold(100_000)


def hook() -> None:
    """As the line in the settings calls it: Python's own word first, then the path of ccc and what it is to do."""
    del sys.argv[0]
    program()


def program() -> None:
    leave(main())


def leave(code: int) -> None:
    """End at once. Python would first take apart, one by one, all that it has made: a tenth of a Stop, for nobody."""
    import os

    threading, atexit = sys.modules.get("threading"), sys.modules.get("atexit")
    if not (threading and threading.active_count() > 1) and not (atexit and atexit._ncallbacks()):
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except Exception:  # closed, or nobody reads it: Python knows what to make of that
            sys.exit(code)
        os._exit(code)
    sys.exit(code)


def supervisor_hook() -> int:
    import os

    # Only an agent that ccc started under supervision has this, and no reviewer of it: whatever a settings file that
    # was written since then says in the variables below, its stops are looked at.
    supervised = "CCC_PROVIDER" in os.environ
    # The reviewer is claude too, so its own stop fires our hook again. This is
    # what ends that recursion; keep it first and free of imports.
    if os.environ.get("CCC_SUPERVISOR_HOOK") == "1" and not supervised and started_with(b"CCC_SUPERVISOR_HOOK=1"):
        # Of a person's prompt there is nothing to say: what stood on stdout would be read to the reviewer.
        put(1, b"" if "--asked" in sys.argv else GUARD_ANSWER)
        return 0
    # In pty mode ccc itself sees the agent stop; the plugin would say CCC_SUPERVISOR=1 all the same.
    if os.environ.get("CCC_PTY") == "1" and not supervised and started_with(b"CCC_PTY=1"):
        return 0
    # The hook in settings.json is called by every client on this machine; only those that ccc started are reviewed.
    if os.environ.get("CLAUDECODE") == "1" and os.environ.get("CCC_SUPERVISOR") != "1" and not supervised:
        return 0
    collect_rarely()
    try:
        load_quickly()
        from ccc_hooks.handler import main as handle

        code = handle(sys.argv[2:], os.environ)
        from ccc.base import spared

        spared.keep()
        return code
    except Exception as error:  # even a broken installation must not hold the agent
        why = type(error).__name__.encode("ascii", "replace")
        put(2, b"ccc supervisor-hook: %s\n" % why)
        put(1, b'{"systemMessage":"ccc: this stop was not reviewed: %s in ccc; try: ccc --version"}' % why)
    except BaseException:  # interrupted: nobody waits for an answer
        pass
    return 0


def load_quickly() -> None:
    """Have what follows come out of one file, and without what it would bring along."""
    from ccc.base import bytecode

    bytecode.use()
    from ccc.base import lean

    lean.load_pathlib()
    lean.load_msgspec()


def started_with(variable: bytes) -> bool:
    """Whether the client itself was, or nobody can tell: a project's settings reach its hooks as well."""
    import os

    pid = os.environ.get("CLAUDE_PID", "")
    if not pid.isdecimal():  # no client called us, or an older one
        return True
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:  # noqa: PTH123  (pathlib is an import)
            return variable in environ.read().split(b"\0")
    except OSError:
        return True


def put(fd: int, data: bytes) -> None:
    import os

    try:
        os.write(fd, data)
    except OSError:  # closed, or nobody reads it
        return


if __name__ == "__main__":
    program()
