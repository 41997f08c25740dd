from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from ccc.base.errors import CccError
from ccc.record import switch
from ccc.showing import watch
from ccc.showing.watch import View, keys, pressed
from tests.real.screen import Screen
from tests.sessions import HOSTILE, Sessions
from tests.world import World

PROGRAM = """
import os, sys
from pathlib import Path
from ccc.showing import watch
from ccc.base.errors import CccError

def report(session_id):
    if session_id.startswith("fails"):
        raise CccError("the disk is full; free some space")
    if session_id.startswith("breaks"):
        raise RuntimeError("unexpected")
    Path("opened").write_text(session_id)
    return f"written: /tmp/{session_id}.html"

Path("pid").write_text(str(os.getpid()))
sys.exit(watch.run(Path(sys.argv[1]), env=os.environ, open_report=report))
"""
# The shell tells how the terminal was before and is afterwards.
SHELL = 'stty -g > before; "$@"; echo "code=$?"; stty -g > after; echo over'


class Person(Screen):
    """Somebody who watches."""

    def __init__(self, world: World, *, columns: int = 100, lines: int = 24, **env: str) -> None:
        self.folder = world.project
        command = [sys.executable, "-c", PROGRAM, str(world.state)]
        super().__init__(
            ["/bin/sh", "-c", SHELL, "sh", *command],
            env=world.env(**env),
            cwd=world.project,
            columns=columns,
            lines=lines,
        )

    def send(self, text: str) -> None:
        self._child.send(text)

    def wait_until_gone(self, text: str) -> None:
        self.wait_until(lambda: text not in self.text, f"the end of {text!r}")

    def resize(self, columns: int, lines: int) -> None:
        self._screen.reset()
        self._screen.resize(lines, columns)
        self._child.setwinsize(lines, columns)

    @property
    def selected(self) -> str:
        marked = [line for line in self.text.splitlines() if line.startswith("▸")]
        return marked[0].split()[1] if len(marked) == 1 else ""

    def wait_for_selected(self, session_id: str) -> None:
        self.wait_until(lambda: self.selected == session_id, f"{session_id} being selected")

    def signal(self, number: signal.Signals) -> None:
        os.kill(int((self.folder / "pid").read_text()), number)

    def leaves_clean(self, code: int) -> str:
        """Wait for the end and hold the terminal against what it was; returns what came last."""
        rest = self._child.read()
        self._stream.feed(rest)
        text = rest.decode("utf-8", "replace")
        assert f"code={code}\r\n" in text
        assert text.rstrip().endswith("over")
        assert (self.folder / "after").read_text() == (self.folder / "before").read_text()
        assert not self._screen.cursor.hidden
        assert text.rindex("\x1b[?1049l") > text.rfind("\x1b[?1049h")
        return text


@pytest.fixture
def sessions(world: World) -> Sessions:
    return Sessions(world.state)


def test_moving_between_sessions(world: World, sessions: Sessions) -> None:
    for session_id in ("one", "two", "three"):
        sessions.block(session_id, f"words of {session_id}")
    with Person(world) as person:
        person.wait_for_selected("three")
        assert "3 sessions" in person.text
        for key, chosen in [
            ("j", "two"),
            ("\x1b[B", "one"),
            ("j", "one"),
            ("k", "two"),
            ("\x1b[A", "three"),
            ("\x1bOB", "two"),
            ("k", "three"),
            ("k", "three"),
            ("G", "one"),
            ("g", "three"),
        ]:
            person.send(key)
            person.wait_for_selected(chosen)
        person.send("q")
        person.leaves_clean(0)


def test_the_story_of_the_selected_session_and_back(world: World, sessions: Sessions) -> None:
    sessions.block("one", "\n".join(f"finding {number}" for number in range(30)))
    sessions.allow("two")
    with Person(world) as person:
        person.wait_for_selected("two")
        person.send("j")
        person.wait_for_selected("one")
        person.wait_for("finding 29")  # the end of its story stands below the table
        person.send("\r")
        person.wait_for("ccc watch · one")
        assert "finding 29" in person.text
        assert "finding 3\n" not in person.text
        for _ in range(25):
            person.send("k")
        person.wait_for("stop       1/10 · done")
        person.send("j")
        person.wait_until_gone("stop       1/10 · done")
        person.send("\x1b")
        person.wait_for_selected("one")
        person.send("l")
        person.wait_for("ccc watch · one")
        sessions.block("one", "news while it is read")
        person.wait_for("news while it is read")
        person.send("q")
        person.leaves_clean(0)


def test_a_new_session_appears_and_the_selected_one_stays_selected(world: World, sessions: Sessions) -> None:
    with Person(world) as person:
        person.wait_for("no supervised session yet")
        sessions.block("one")
        person.wait_for_selected("one")
        sessions.block("two")
        person.wait_for_selected("two")  # nobody has chosen yet: the newest
        person.send("j")
        person.wait_for_selected("one")
        sessions.allow("three")
        person.wait_for("completed")
        assert person.selected == "one"
        person.send("q")
        person.leaves_clean(0)


def test_a_report_is_written_and_opened(world: World, sessions: Sessions) -> None:
    sessions.allow("one")
    sessions.allow("fails")
    with Person(world) as person:
        person.wait_for_selected("fails")
        person.send("r")
        person.wait_for("the disk is full; free some space")
        person.send("j")
        person.wait_for_selected("one")
        person.wait_until_gone("the disk is full")
        person.send("r")
        person.wait_for("written: /tmp/one.html")
        person.wait_for("Enter story")  # the keys are still there
        assert (world.project / "opened").read_text() == "one"
        person.send("q")
        person.leaves_clean(0)


def test_reviews_are_switched_off_and_on(world: World, sessions: Sessions) -> None:
    sessions.block("one", project="/p")
    with Person(world) as person:
        person.wait_for_selected("one")
        person.send("o")
        person.wait_for("reviews are off for one")
        assert switch.is_off(world.state, Path("/p"), session_id="one")
        person.send("o")
        person.wait_for("reviews are on again for one")
        assert not switch.is_off(world.state, Path("/p"), session_id="one")
        switch.turn(world.state, switch.PROJECTS, "/p", off=True)
        person.wait_for("reviews off")
        person.send("o")
        person.wait_for("switch them on there: ccc on")
        assert json.loads((world.state / "off.json").read_text())["sessions"] == []
        person.send("q")
        person.leaves_clean(0)


def test_it_follows_the_size_of_the_window(world: World, sessions: Sessions) -> None:
    for number in range(30):
        sessions.block(f"session{number}", "words " * 30)
    # A shell that exports its size must not freeze ours.
    with Person(world, COLUMNS="100", LINES="24") as person:
        person.wait_for("q quit")
        for columns, lines in [(60, 12), (140, 50), (30, 6), (100, 24)]:
            person.resize(columns, lines)
            full = f"q quit at the bottom of {columns}x{lines}"
            person.wait_until(lambda: "q quit" in person._screen.display[-1], full)
            person.wait_for("ccc watch")
            person.wait_until(lambda: bool(person.selected), "a selected row")
        person.send("G")
        person.wait_for_selected("session0")
        person.resize(10, 2)
        person.wait_for("the windo…")
        person.resize(100, 24)
        person.wait_for_selected("session0")
        person.send("q")
        person.leaves_clean(0)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131), (signal.SIGINT, 0)],
)
def test_whatever_ends_it_the_terminal_is_as_before(
    world: World, sessions: Sessions, number: signal.Signals, code: int
) -> None:
    sessions.allow("one")
    with Person(world) as person:
        person.wait_for_selected("one")
        person.signal(number)
        person.leaves_clean(code)


def test_an_unexpected_error_leaves_the_terminal_as_before(world: World, sessions: Sessions) -> None:
    sessions.allow("breaks")
    with Person(world) as person:
        person.wait_for_selected("breaks")
        person.send("r")
        text = person.leaves_clean(1)
        assert "RuntimeError: unexpected" in text[text.rindex("\x1b[?1049l") :]


def test_a_terminal_that_is_closed_ends_it(world: World, sessions: Sessions) -> None:
    sessions.allow("one")
    with Person(world) as person:
        person.wait_for_selected("one")
        watcher = os.pidfd_open(int((world.project / "pid").read_text()))
        try:
            person._child.ptyproc.fileobj.close()  # type: ignore[attr-defined]
            assert select.select([watcher], [], [], 30)[0], "it still runs"
        finally:
            os.close(watcher)


def test_ctrl_z_gives_the_shell_its_terminal_and_fg_comes_back(world: World, sessions: Sessions) -> None:
    sessions.allow("one")
    script = world.project / "watch.py"
    script.write_text(PROGRAM)
    env = world.env(PS1="prompt> ", BASH_SILENCE_DEPRECATION_WARNING="1")
    argv = ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"]
    with Screen(argv, env=env, cwd=world.project, columns=200) as shell:
        child: pexpect.spawn[bytes] = shell._child
        child.expect_exact("prompt> ")
        child.sendline("stty -g > before")
        child.expect_exact("prompt> ")
        child.sendline(f"{sys.executable} watch.py {world.state}")
        child.expect_exact("▸".encode())
        child.send("\x1a")
        child.expect_exact("\x1b[?1049l")
        child.expect_exact("prompt> ")
        child.sendline("stty -g > after")
        child.expect_exact("prompt> ")
        assert (world.project / "after").read_text() == (world.project / "before").read_text()
        child.sendline("fg")
        child.expect_exact("\x1b[?1049h")
        child.expect_exact("▸".encode())
        child.send("q")
        child.expect_exact("\x1b[?1049l")
        child.expect_exact("prompt> ")
        child.sendline("stty -g > end")
        child.expect_exact("prompt> ")
        assert (world.project / "end").read_text() == (world.project / "before").read_text()


def test_hostile_words_do_nothing_to_the_screen(world: World, sessions: Sessions) -> None:
    sessions.block("one", HOSTILE * 3, says=HOSTILE, last_message=HOSTILE, project=f"/{HOSTILE}", provider=HOSTILE)
    with Person(world, columns=140) as person:
        person.wait_for_selected("one")
        person.wait_for("<script>[bold red]gnp.exe")
        person.send("l")
        person.wait_for("ccc watch · one")
        assert "q quit" in person._screen.display[-1]
        assert "owned" not in person._screen.title
        person.send("q")
        person.leaves_clean(0)


def test_in_a_narrow_window_every_key_is_told_and_a_story_stays_below_its_text(
    world: World, sessions: Sessions
) -> None:
    sessions.block("a", "words " * 30)
    with Person(world, columns=40, lines=30) as person:
        person.wait_for("q quit")
        assert "o reviews off/on" in person.text
        story = person.text.partition("the work is not")[2].partition("sent back  by")[0].splitlines()[1:]
        texts = [line for line in story if "words" in line]
        assert len(texts) > 5
        assert {len(line) - len(line.lstrip(" ")) for line in texts} == {20}
        person.send("q")


def test_in_chinese(world: World, sessions: Sessions) -> None:
    sessions.allow("one")
    with Person(world, CCC_LANG="zh") as person:
        person.wait_for("1 个会话")
        person.wait_for("已完成")
        person.send("q")
        person.leaves_clean(0)


def test_without_a_terminal_it_is_refused_with_a_way_out(world: World) -> None:
    with pytest.raises(CccError, match="ccc status --json"):
        watch.run(world.state, env={}, open_report=str)


# ---- keys ----

TYPED = b"jk\x1b[A\x1bOB\x1b[5~\x1b[1;5Cx\xc3\xa4\r\x1b\x1b[Blroq\x1a\n"
MEANT = ["down", "up", "up", "down", "page up", "open", "back", "down", "open", "report", "switch", "quit", "suspend"]


@pytest.mark.parametrize("size", range(1, len(TYPED) + 1))
def test_chunk_size_never_matters(size: int) -> None:
    got: list[str] = []
    rest = b""
    for start in range(0, len(TYPED), size):
        found, rest = keys(rest + TYPED[start : start + size])
        got += found
    assert (got, rest) == ([*MEANT, "open"], b"")


def test_a_lone_escape_waits_for_what_may_follow() -> None:
    assert keys(b"\x1b") == ([], b"\x1b")
    assert keys(b"\x1b[") == ([], b"\x1b[")
    assert keys(b"\x1bq") == (["back", "quit"], b"")


@pytest.mark.parametrize(
    ("view", "key", "after"),
    [
        (View(), "down", View("b")),
        (View(), "up", View("a")),
        (View("b"), "up", View("a")),
        (View("c"), "down", View("c")),
        (View("gone"), "down", View("b")),
        (View("a"), "last", View("c")),
        (View("c"), "page up", View("a")),
        (View("b"), "open", View("b", story=True)),
        (View("b", story=True), "open", View("b")),
        (View("b", story=True, up=3), "back", View("b")),
        (View("b", story=True, up=3), "up", View("b", story=True, up=4)),
        (View("b", story=True, up=3), "page down", View("b", story=True, up=0)),
        (View("b", message="said"), "nothing", View("b")),
    ],
)
def test_what_a_key_does_to_the_view(view: View, key: str, after: View) -> None:
    assert pressed(view, key, ["a", "b", "c"], 10) == after


@pytest.mark.parametrize("key", ["up", "down", "open", "back", "first", "page down"])
def test_without_sessions_no_key_does_anything(key: str) -> None:
    assert pressed(View(), key, [], 10) == View()
