from __future__ import annotations

import io
import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.model import Mode, Unreviewed, Verdict
from ccc.providers import config
from ccc.record.events import KINDS, Checked, Event, Examined, SentBack
from ccc.record.outside import Kind
from ccc.record.store import story_path
from ccc.showing import logs, status, statusline
from ccc.showing.logs import LABELS, WORDS, told
from ccc.showing.report import page
from tests.real.screen import Screen
from tests.sessions import HOSTILE, NOON, Sessions, happened
from tests.world import World

PROGRAM = """
import os, sys
from pathlib import Path
from ccc.showing import logs
from ccc.base.errors import CccError
try:
    code = logs.run(
        Path(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else None, follow=sys.argv[2] == "-f",
        cwd=Path.cwd(), env=os.environ, say=lambda line: print(line, file=sys.said, flush=True),
    )
except CccError as error:
    sys.exit(str(error))
sys.exit(code)
"""


@pytest.fixture
def sessions(world: World) -> Sessions:
    return Sessions(world.state)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def argv(world: World, *words: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, str(world.state), *words]


@dataclass(frozen=True)
class Done:
    out: str
    said: str


@pytest.fixture
def run(world: World, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def run(session: str | None = None, cwd: Path = world.project, **env: str) -> Done:
        said: list[str] = []
        assert logs.run(world.state, session, follow=False, cwd=cwd, env=env, say=said.append) == 0
        return Done(capsys.readouterr().out, "\n".join(said))

    return run


def test_the_story_of_a_session_in_readable_lines(world: World, sessions: Sessions, run: Callable[..., Done]) -> None:
    sessions.block("a", "Run the tests.\n\n  - all of them", cost=0.25, tokens=1234, last_message="I am done.")
    event = sessions.event("a")
    sessions.report.tell(event, Checked("pytest -q", passed=False, code=1, seconds=2.345))
    sessions.report.tell(event, Checked("make", passed=True, code=0, seconds=10))
    sessions.report.tell(event, SentBack("check", feedback="mend it"))
    sessions.report.tell(event, Examined(tool_calls=3, edited="a.py", commands=2))
    sessions.allow("a", project=str(world.project))
    lines = run().out.splitlines()
    assert lines[:2] == ["session a", "2026-03-01"]
    assert [re.sub(r"^\d\d:\d\d:\d\d  ", "", line) for line in lines[2:]] == [
        "stop       1/10 · I am done.",
        "review     a fork of the session looks at the work · cli · claude-x",
        "reviewer   I look at it",
        "reviewer   ⚙ Bash pytest -q",
        "verdict    the work is not complete · $0.2500 · 1,234 tokens",
        "                     Run the tests.",
        "                     ",
        "                       - all of them",
        "sent back  by the reviewer",
        "check      failed · pytest -q · exit code 1 · 2.3 s",
        "check      passed · make · 10.0 s",
        "sent back  by a check",
        "                     mend it",
        "evidence   tool calls: 3 · edited: a.py · commands: 2",
        "stop       2/10 · done",
        "review     a fork of the session looks at the work · cli · claude-x",
        "reviewer   I look at it",
        "reviewer   ⚙ Bash pytest -q",
        "verdict    the work is complete",
        "may stop   completed · agent unknown, reviews $0.2500",
    ]


def test_in_chinese_by_variable_or_locale(world: World, sessions: Sessions, run: Callable[..., Done]) -> None:
    sessions.block("a", "运行测试", project=str(world.project))
    sessions.stop("a", Unreviewed("529"))
    for env in ({"CCC_LANG": "zh"}, {"LANG": "zh_CN.UTF-8"}):
        out = run(**env).out
        for words in (
            "会话 a",
            "停止       1/10",
            "结论       工作尚未完成",
            "运行测试",
            "没有结论   529",
            "未经审查 · 529",
        ):
            assert words in out
    assert "session a" in run(CCC_LANG="en", LANG="zh_CN.UTF-8").out


def test_why_the_agent_may_stop_is_told_in_the_language_of_whoever_looks(
    world: World, sessions: Sessions, run: Callable[..., Done]
) -> None:
    sessions.limit = 1
    sessions.block("a")
    sessions.block("a")
    sessions.stop("b", Verdict(True, ""), off=Kind.OFF)
    sessions.stop("c", Unreviewed(msg("{path} was changed or is gone", path="/x")))
    conf = config.load(world.env())
    for session_id, english, chinese in (
        ("a", "1 of 1 reviews used", "已用 1/1 次审查"),
        ("b", "switched off by the person", "用户已关闭审查"),
        ("c", "/x was changed or is gone", "/x 被改动或已不在"),
    ):
        in_chinese, in_english = run(session_id, CCC_LANG="zh").out, run(session_id, CCC_LANG="en").out
        assert (chinese in in_chinese, english in in_chinese, english in in_english) == (True, False, True)
        row = status.row(world.state, session_id)
        assert row
        assert row.reason == english
        assert session_id == "b" or chinese in status._cells(row, NOON, "zh")[6][0]
        line = statusline.line(json.dumps({"session_id": session_id}).encode(), world.env(CCC_LANG="zh"))
        assert english not in line
        env = world.env(CCC_LANG="zh")
        page_ = page.report(session_id, output=None, conf=conf, env=env, cwd=world.project).read_text()
        assert (chinese in page_, english in page_) == (True, False)


def test_a_report_of_several_requests_has_the_cost_of_them_all(world: World, sessions: Sessions) -> None:
    conf, env = config.load(world.env()), world.env(CCC_LANG="en")
    sessions.allow("a", cost=0.5, agent_cost_usd=1.0, mode=Mode.PTY)
    made = page.report("a", output=None, conf=conf, env=env, cwd=world.project)
    assert "Whole session" not in made.read_text()
    sessions.allow("a", cost=0.25, agent_cost_usd=2.0, prompt="q")
    text = page.report("a", output=None, conf=conf, env=env, cwd=world.project).read_text()
    assert "<dt>Whole session</dt><dd>agent $3.00, reviews $0.7500</dd>" in text
    assert "whole session: agent $3.00, reviews $0.7500" in page.report_all(output=None, conf=conf, env=env).read_text()


@pytest.mark.parametrize(
    ("opinion", "words"),
    [
        (Verdict(False, "which?", needs_human=True), "may stop   needs you · which?"),
        (Unreviewed("529"), "no verdict 529"),
        (Unreviewed("bye", interrupted=True), "may stop   interrupted · bye"),
    ],
)
def test_endings(sessions: Sessions, run: Callable[..., Done], opinion: Verdict | Unreviewed, words: str) -> None:
    sessions.stop("a", opinion)
    assert words in run("a").out


def test_a_stop_that_waits_has_no_outcome() -> None:
    assert told(happened("stop allowed", None, {"why": "background work"}), "en").headline.startswith("for now")


# ---- which session ----


def test_without_a_session_the_newest_of_this_project(
    world: World, sessions: Sessions, run: Callable[..., Done]
) -> None:
    sessions.allow("mine", project=str(world.project))
    sessions.allow("other", project="/elsewhere")
    done = run()
    assert done.out.startswith("session mine\n")
    assert done.said == ""
    (world.project / ".git").mkdir()
    (world.project / "src").mkdir()
    assert run(cwd=world.project / "src").out.startswith("session mine\n")


def test_else_the_newest_of_all_with_a_note(world: World, sessions: Sessions, run: Callable[..., Done]) -> None:
    sessions.allow("a")
    sessions.allow("b", project="/elsewhere")
    done = run()
    assert done.out.startswith("session b\n")
    assert str(world.project) in done.said


def test_no_session_at_all_is_an_error_that_helps(run: Callable[..., Done]) -> None:
    with pytest.raises(CccError, match="CCC_SUPERVISOR=1 ccc PROVIDER"):
        run()


def test_the_beginning_of_an_id_is_enough(world: World, sessions: Sessions, run: Callable[..., Done]) -> None:
    sessions.allow("abc-1")
    sessions.allow("abd-2")
    assert run("abc").out.startswith("session abc-1\n")
    with pytest.raises(CccError, match="several"):
        run("ab")
    with pytest.raises(CccError, match="no session begins"):
        run("x")


# ---- what comes from a model ----


def lines_of(event: Event, lang: str = "en") -> str:
    file = io.StringIO()
    console = Console(file=file, color_system=None, width=100)
    for line in logs.lines(event, lang, with_day=True):
        console.print(line, soft_wrap=True)
    return file.getvalue()


NAMES = [str(kind.__struct_config__.tag) for kind in KINDS]
values = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES) | st.text(), st.dictionaries(st.text(), values), values, values)
def test_any_event_is_told_harmlessly(name: str, fields: dict[str, object], one: object, two: object) -> None:
    known = {"feedback": one, "text": two, "limit": one, "count": two, "seconds": one, "tokens": two, "cost_usd": one}
    known |= {"tool": one, "on": two, "why": one, "outcome": two, "command": one, "by": two, "last_message": one}
    for lang in ("en", "zh"):
        text = lines_of(happened(name, None, known | fields), lang)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text.replace("\t", ""))


@pytest.mark.parametrize("name", NAMES)
def test_no_field_forges_a_line_of_the_story(name: str) -> None:
    keys = ("feedback", "text", "why", "on", "tool", "by", "outcome", "command", "last_message", "model", "reason")
    text = lines_of(happened(name, None, dict.fromkeys(keys, "x\n12:00:00  may stop   completed")))
    assert not re.search(r"^12:00:00", text, re.MULTILINE)
    assert "\x1b" not in lines_of(happened(name, None, dict.fromkeys(keys, HOSTILE)))


def test_endless_feedback_is_cut_and_says_so() -> None:
    text = lines_of(happened("verdict", None, {"allow_stop": False, "feedback": "line\n" * 1000}))
    assert text.count("line\n") == logs.LINES_SHOWN
    assert "… 960 more lines" in text


def test_both_languages_have_the_same_words() -> None:
    assert set(LABELS["en"]) == set(LABELS["zh"])
    assert set(WORDS["en"]) == set(WORDS["zh"])


# ---- colours ----


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_on_a_terminal_unless_unwanted(
    world: World, sessions: Sessions, env: dict[str, str], coloured: bool
) -> None:
    sessions.block("a")
    with Screen(argv(world, "", "a"), env=world.env(**env), cwd=world.project) as screen:
        shown = screen._child.read()
    assert b"run the tests" in shown
    assert (b"\x1b[" in shown) is coloured


def test_no_colours_in_a_pipe(sessions: Sessions, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    sessions.block("a")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in run("a", FORCE_COLOR="1").out


def test_long_lines_stay_whole_in_a_pipe(world: World, sessions: Sessions, run: Callable[..., Done]) -> None:
    sessions.block("a", "word " * 100)
    assert ("word " * 100).strip() in run("a").out


# ---- -f ----


class Steps:
    """Plays what happens between two looks; ends the following after the last."""

    def __init__(self, *steps: object) -> None:
        self.steps = iter(steps)

    def __call__(self) -> bool:
        step = next(self.steps, None)
        if callable(step):
            step()
        return step is not None


def followed(world: World, session: str | None, steps: Steps, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    said: list[str] = []
    code = logs.run(
        world.state, session, follow=True, cwd=world.project, env={"CCC_LANG": "en"}, say=said.append, wait=steps
    )
    assert code == 0
    return capsys.readouterr().out, "\n".join(said)


def test_following_tells_what_comes(world: World, sessions: Sessions, capsys: pytest.CaptureFixture[str]) -> None:
    sessions.block("a", "first words")
    out, said = followed(world, "a", Steps(lambda: sessions.allow("b"), lambda: sessions.block("a", "more")), capsys)
    assert out.count("first words") == 1
    assert out.index("first words") < out.index("more")
    assert "session b" not in out
    assert said == ""


def test_following_survives_a_story_that_is_cut_or_replaced(
    world: World, sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions.block("a", "first words")
    path = story_path(world.state, "a")

    def cut() -> None:
        path.write_bytes(b"")

    def replaced() -> None:
        path.rename(path.with_suffix(".old"))
        sessions.block("a", "third words")

    out, _ = followed(world, "a", Steps(cut, lambda: sessions.block("a", "second words"), replaced), capsys)
    for words in ("first words", "second words", "third words"):
        assert out.count(words) == 1


def test_following_a_project_takes_in_sessions_that_begin_meanwhile(
    world: World, sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    here = str(world.project)
    sessions.block("a", project=here)
    steps = Steps(
        lambda: sessions.block("b", "of b", project=here),
        lambda: sessions.block("c", "of c", project="/elsewhere"),
        lambda: sessions.block("a", "of a", project=here),
    )
    out, _ = followed(world, None, steps, capsys)
    assert re.findall("^session .*", out, re.MULTILINE) == ["session a", "session b", "session a"]
    assert "of c" not in out


def test_following_waits_for_the_first_session(
    world: World, sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    out, said = followed(world, None, Steps(lambda: None, lambda: sessions.block("a", "of a")), capsys)
    assert "of a" in out
    assert "waiting for the first stop" in said


def test_an_unknown_session_is_not_waited_for(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CccError, match="no session begins"):
        followed(world, "a", Steps(), capsys)


def test_ctrl_c_is_how_following_ends(world: World, sessions: Sessions) -> None:
    sessions.block("a", "first words")
    with Screen(argv(world, "-f", "a"), env=world.env(), cwd=world.project) as screen:
        screen.wait_for("first words")
        sessions.allow("a")
        screen.wait_for("completed")
        screen._child.sendintr()
        rest = screen._child.read()
        assert b"Traceback" not in rest
        assert screen._child.wait() == 0


def test_following_ends_when_nobody_reads_any_more(world: World, sessions: Sessions) -> None:
    sessions.block("a", "first words")
    read, write = os.pipe()
    with subprocess.Popen(argv(world, "-f", "a"), env=world.env(), cwd=world.project, stdout=write) as follower:
        os.close(write)
        select.select([read], [], [], 30)
        os.close(read)
        assert follower.wait(30) in (0, 1)


@pytest.mark.parametrize("width", [40, 80])
def test_on_a_terminal_words_are_whole_and_go_on_below_themselves_and_a_pipe_gets_whole_lines(width: int) -> None:
    said = "one word after another " * 12
    rows = {}
    for terminal in (True, False):
        out = io.StringIO()
        console = Console(file=out, width=width, force_terminal=terminal, color_system=None)
        logs.Printer(console, "en").show("abc", [SentBack(feedback=said, by="check")])
        rows[terminal] = [row for row in out.getvalue().splitlines() if " word" in row or "another" in row]
    assert len(rows[False]) == 1
    assert len(rows[True]) > 1
    assert all(len(row) <= width and row.startswith("  ") for row in rows[True])
    assert " ".join(" ".join(rows[True]).split()) == " ".join(rows[False][0].split())
