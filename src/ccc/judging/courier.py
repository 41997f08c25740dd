"""Carries one notice to the person: to a command, to an address, to the desktop.

Rule: a process of its own that ends by itself within half a minute, says nothing to anybody else and logs nothing: the
address it posts to may be a secret.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

SECONDS = 5
COMMAND_SECONDS = 10
IN_ALL = 30
LINE = 200


def main() -> int:
    signal.alarm(IN_ALL)
    order = json.loads(sys.stdin.buffer.read())
    notify, notice, cwd = order["notify"], order["notice"], order["cwd"]
    body = json.dumps(notice, ensure_ascii=False).encode("utf-8", "replace")
    ways: list[tuple[object, Callable[[], object]]] = [
        (notify.get("url"), lambda: post(notify["url"], body)),
        (notify.get("desktop"), lambda: show(notice)),
        (notify.get("command"), lambda: run(notify["command"], body, cwd)),
    ]
    for wanted, carry in ways:
        if wanted:
            with suppress(Exception):  # nobody is there to be told, and the next way may work
                carry()
    return 0


def post(url: str, body: bytes) -> None:
    from urllib.request import Request

    from ccc.base import web

    request = Request(url, body, {"Content-Type": "application/json", "User-Agent": "ccc"})
    with web.opener(os.environ).open(request, timeout=SECONDS):
        pass


def show(notice: Mapping[str, Any]) -> None:
    for argv in desktop(notice):
        with suppress(OSError):  # not this desktop's
            subprocess.run(argv, timeout=SECONDS, check=False)
            return


def desktop(notice: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    """The programs that may be there; what is shown is a word of its own to each, and never a part of a script."""
    title = (
        f"ccc: {notice.get('outcome') or notice.get('event')} · {notice.get('provider') or notice.get('mode') or ''}"
    )
    body = str(notice.get("why") or notice.get("project") or "")[:LINE]
    script = ("on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run")
    spoken = [word for line in script for word in ("-e", line)]
    return (("notify-send", "--", title, body), ("osascript", *spoken, title, body))


def run(command: str, body: bytes, cwd: str) -> None:
    subprocess.run(["/bin/sh", "-c", command], input=body, cwd=cwd, timeout=COMMAND_SECONDS, check=False)


if __name__ == "__main__":
    sys.exit(main())
