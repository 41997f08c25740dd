"""Whoever reads Chinese meets no English sentence, and whoever reads English no Chinese one."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from ccc.base.canvas import Canvas
from ccc.base.errors import CccError
from ccc.base.messages import msg, said
from ccc.fleet import view
from ccc.model import Outcome
from ccc.record.events import Examined, StopAllowed
from ccc.record.words import outcome_word, span, waiting
from ccc.showing import logs
from ccc.showing.statusline import OUTCOMES
from ccc.showing.watch import Screen
from tests.commands.test_mistakes import paths
from tests.sessions import Sessions
from tests.typed import Typed
from tests.world import World

CJK = re.compile("[\u3000-\u9fff]")
# Three English words in a row make a sentence; a command, a path or a variable does not.
ENGLISH = re.compile(r"(?<![\w./-])(?!ccc )[A-Za-z]?[a-z]+(?: [a-z]{2,}){2,}(?![\w/-])")
COMMANDS = re.compile(r"`[^`]*`|(?:ccc|rm|pip|python|type|eval|export|chmod)\b[^，。；）\n]*|\"[^\"\n]*\"|\[[^\]\n]*\]")


def english(text: str) -> list[str]:
    return ENGLISH.findall(COMMANDS.sub("", text))


@pytest.mark.parametrize("path", paths(), ids=" ".join)
def test_help_is_in_one_language(typed: Typed, path: tuple[str, ...]) -> None:
    chinese = typed(*path, "--help", CCC_LANG="zh").out
    assert CJK.search(chinese)
    assert english(chinese) == []
    assert not CJK.search(typed(*path, "--help", CCC_LANG="en").out)


@pytest.mark.parametrize(
    "words",
    [
        ["off"],
        ["on"],
        ["providers"],
        ["validate", "login"],
        ["hooks", "status"],
        ["hooks", "remove"],
        ["checks", "list"],
        ["checks", "run"],
        ["doctor", "--no-self-test"],
        ["status"],
        ["logs"],
        ["evidence", "--transcript", "transcript.jsonl"],
        ["clean"],
        ["allow"],
        ["uninstall"],
        ["init"],
        ["stauts"],
        ["status", "--nope"],
        ["report", "nosuch"],
        ["checks", "remove", "nosuch"],
        ["checks", "add", "false"],
        ["fleet", "status"],
        ["completion"],
    ],
    ids=" ".join,
)
def test_what_a_command_says_is_in_one_language(world: World, typed: Typed, words: list[str]) -> None:
    world.write_config({"broken": {"env": {"ANTHROPIC_AUTH_TOKEN": "${NO}"}}, "login": {}}, current_provider="login")
    Sessions(world.state).allow("one", project=str(world.project), mode="hooks", provider="login")
    hooked = {"type": "command", "command": "python3 -m ccc supervisor-hook"}
    entry = {event: [{"hooks": [hooked]}] for event in ("Stop", "StopFailure")}
    (world.config / "settings.json").write_text(json.dumps({"hooks": entry}))
    (world.project / "transcript.jsonl").write_text(
        '{"type":"user","message":{"role":"user","content":"你好"},"uuid":"u","sessionId":"s","timestamp":"2026-01-01T00:00:00Z"}\n'
    )
    run = typed(*words, CCC_LANG="zh")
    told = (run.out + run.err).replace("look at it", "")  # what the sample reviewer said is data
    assert CJK.search(told), told
    assert english(told) == [], told
    (world.project / "transcript.jsonl").write_text(
        '{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","sessionId":"s","timestamp":"2026-01-01T00:00:00Z"}\n'
    )
    run = typed(*words, CCC_LANG="en")
    assert not CJK.search(run.out + run.err)


def test_an_answer_that_is_no_choice_is_told_so_in_one_language(world: World) -> None:
    for lang, told in (
        ("zh", "ccc：'kimi2' 不在其中；你是不是想输入 kimi？"),
        ("en", "ccc: 'kimi2' is none of these; did you mean"),
    ):
        run = world.warm("init", env=world.env(CCC_LANG=lang), stdin=b"kimi2\n")
        assert told.replace("ccc：", "ccc: ") in run.err
        assert "Error" not in run.err


def test_what_a_key_of_watch_meets_is_told_in_the_persons_language(world: World) -> None:
    def fails(_: str) -> str:
        raise CccError(msg("no browser was found"), msg("open it yourself: {page}", page="/p.html"))

    Sessions(world.state).allow("one", project=str(world.project))
    screen = Screen(world.state, Canvas(width=80), "zh", fails, lambda: datetime.now(UTC))
    screen.look()
    screen.obey("report")
    assert CJK.search(screen.view.message)
    assert english(screen.view.message) == []


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_has_its_word_wherever_it_is_shown(outcome: Outcome) -> None:
    for word in (outcome_word(outcome, "zh"), said(view.word(outcome.value), "zh"), OUTCOMES["zh"][outcome.value]):
        assert re.fullmatch("[\u4e00-\u9fff]+", word)


def test_the_story_names_what_was_examined_and_repeats_no_outcome() -> None:
    examined = logs.told(Examined(tool_calls=2, edited="a.py", commands=1, last_check="passed"), "zh").headline
    assert examined == "工具调用：2 · 改过：a.py · 命令：1 · 最后的检查：通过"
    ended = logs.told(StopAllowed(Outcome.INTERRUPTED, "interrupted"), "en").headline
    assert ended == "interrupted"


def test_no_unit_is_left_in_english() -> None:
    assert [said(span(each), "zh") for each in (3, 60, 3660)] == ["3 秒", "1 分钟", "1 小时 1 分钟"]
    now = datetime.now(UTC)
    assert "马上" in said(waiting("network", "glm", now, now), "zh")
    assert "(at once)" in waiting("network", "glm", now, now)


def test_one_is_not_several(world: World, typed: Typed) -> None:
    world.write_config({"login": {}}, current_provider="login")
    (world.config / "settings.json").write_text("{}")
    told = typed("doctor", "--no-self-test", CCC_LANG="en").out
    assert "1 provider, current login" in told
    assert "1 file, and it is not in the way" in told
