"""Somebody sits in front of it for hours: no torn line, no stray escape, no lost key, whatever happens at once."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.pty_desk import Desk, Steps
from tests.terminals import Terminal
from tests.world import World, provider

pytestmark = pytest.mark.long

TALK: Steps = [["say", "I think it is done"], ["result"]]
COUNT = 80
KEYS = "the quick brown fox jumps over the lazy dog"


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def sit(desk: Desk, *args: str) -> Terminal:
    return desk.terminal(*args, columns=120)


def leave(terminal: Terminal) -> None:
    terminal.press("ctrl-d")
    assert terminal.wait_for_end() == 0


def works(count: int = COUNT) -> list[list[object]]:
    """Words, a tool call and its output, again and again."""
    steps: list[list[object]] = []
    for number in range(count):
        words = f"Paragraph {number} has **bold** words and `code`.\n\n"
        steps += [["partial", words[:20]], ["partial", words[20:]], ["say", words]]
        steps += [["tool", str(number), "Bash", {"command": f"make part-{number}"}]]
        steps += [["returns", str(number), False, f"output {number}, first\noutput {number}, second"], ["rest", 0.005]]
    return steps


def assert_whole(terminal: Terminal, count: int = COUNT) -> None:
    """All of it is there, once and in order, and nothing beside it."""
    lines = terminal.text.split("\n")
    wanted = [f"Paragraph {number} has bold words and code." for number in range(count)]
    assert [line for line in lines if line.startswith("Paragraph")] == wanted
    calls = [line.partition("  ok")[0] for line in lines if line.startswith("⚙ Bash make")]
    assert calls == [f"⚙ Bash make part-{number}" for number in range(count)]
    outputs = [line for line in lines if line.startswith("    output")]
    assert outputs == [f"    output {number}, {part}" for number in range(count) for part in ("first", "second")]
    assert not re.search(r"\x1b|\^\[|\[\?\d+[hl]|\[\d+;\d+R|\[\d*m", terminal.text)
    assert "too small" not in terminal.text


def test_keys_typed_while_the_agent_streams_arrive_one_by_one(desk: Desk) -> None:
    desk.turns([["note", "works"], *works(), ["until", "go"], ["result"]], TALK)
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("works"), "the agent")
        for key in KEYS:
            terminal.send(key)
            terminal.look()
        terminal.wait_for(f"> {KEYS}")
        terminal.wait_for(f"output {COUNT - 1}, second")
        terminal.press("enter")
        terminal.wait_for(f"(queued: {KEYS})")
        desk.tell("go")
        terminal.wait_for("[completed]")
        assert_whole(terminal)
        leave(terminal)
    assert desk.told == ["do it", KEYS]


def test_a_window_that_changes_while_the_agent_streams_loses_nothing(desk: Desk) -> None:
    desk.turns([["note", "works"], *works(), ["until", "go"], ["result"]])
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("works"), "the agent")
        for at, columns in enumerate([130, 150, 140, 100, 120], 1):
            terminal.wait_for(f"Paragraph {at * 10} has")
            terminal.send(str(at))
            terminal.resize(columns, 40)
        terminal.wait_for(f"output {COUNT - 1}, second")
        terminal.wait_for("> 12345")
        desk.tell("go")
        terminal.wait_for("[completed]")
        rows = [row for row in terminal.text.split("\n") if row.startswith("Paragraph")]
        # A narrower window is drawn anew, so that what it showed last may stand above it once more.
        last = [*dict.fromkeys(reversed(rows))]
        assert last[::-1] == [f"Paragraph {number} has bold words and code." for number in range(COUNT)]
        assert not re.search(r"\x1b|\^\[|\[\?\d+[hl]", terminal.text)
        terminal.press("ctrl-c")
        leave(terminal)


def test_a_question_comes_while_somebody_types_and_the_agent_goes_on(desk: Desk) -> None:
    ask: Steps = [["ask", "1", "Bash", {"command": "rm x"}], *works(30), ["until", "go"], ["result"]]
    desk.turns([["note", "works"], *works(20), *ask], TALK)
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("works"), "the agent")
        terminal.send("half a ")
        terminal.wait_for("[a]lways (every Bash with this command, until ccc ends)")
        terminal.wait_for("your answer")
        terminal.type("/help")
        terminal.wait_for("have the work reviewed now")
        terminal.type("y")
        terminal.wait_for("> half a")
        terminal.send("sentence")
        terminal.wait_for("> half a sentence")
        terminal.wait_for("output 29, second")
        terminal.press("enter")
        terminal.wait_for("(queued: half a sentence)")
        desk.tell("go")
        terminal.wait_for("[completed]")
        leave(terminal)
    [answer] = [one["response"]["response"] for one in desk.notes("heard") if one["type"] == "control_response"]
    assert (answer["behavior"], desk.told) == ("allow", ["do it", "half a sentence"])


def test_a_paste_while_the_reviewer_speaks_is_kept_whole(desk: Desk) -> None:
    said: Steps = [["say", f"point {number} of the review"] for number in range(100)]
    desk.turns(TALK, TALK).reviews([["note", "judging"], *said, ["until", "go"], ["result", {"result": "More."}]])
    text = "\n".join(f"pasted line {number}" for number in range(100))
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("judging"), "the review")
        terminal.paste(text)
        terminal.wait_for("pasted line 99")
        terminal.wait_for("point 99 of the review")
        terminal.press("enter")
        terminal.wait_for("queued: pasted line 0")
        desk.tell("go")
        terminal.wait_for("the agent goes on with what you typed")
        terminal.wait_for("[completed]")
        points = [row.strip() for row in terminal.text.split("\n") if row.startswith("  point")]
        assert points == [f"point {number} of the review" for number in range(100)]
        leave(terminal)
    assert desk.told == ["do it", text]


def test_a_key_that_ends_a_review_while_it_speaks_is_not_lost(desk: Desk) -> None:
    """What was being printed for the review ends with it, and what comes after is printed all the same."""
    said: Steps = [
        [name, value] for number in range(400) for name, value in (("say", f"point {number}"), ("rest", 0.01))
    ]
    desk.reviews([["note", "judging"], *said, ["hang"]])
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_for("[review 1/10]")
        terminal.answers = False  # a terminal that is asked for the place of its cursor may be slow to say it
        terminal.wait_for("point 9")
        terminal.press("escape")
        terminal.wait_for("[interrupted]")
        terminal.type("still there?")
        terminal.wait_for("[completed]")
        leave(terminal)


def test_what_people_expect_of_a_line_to_type_on(desk: Desk) -> None:
    (desk.world.project / "cart_of_apples.py").touch()
    subprocess.run(["git", "init", "-q"], cwd=desk.world.project, check=True)
    with sit(desk) as terminal:
        terminal.wait_for("your turn")
        for number, key in enumerate(("alt-enter", "ctrl-j"), 1):
            terminal.send(f"line {number}")
            terminal.press(key)
        terminal.send("line 3\\")
        terminal.wait_for("line 3\\")
        terminal.press("enter")
        terminal.send("look at @cart_o")
        terminal.wait_for("look at @cart_o")
        terminal.press("tab")
        terminal.wait_for("look at @cart_of_apples.py")
        terminal.press("enter")
        terminal.wait_for("[completed]")
        terminal.send("/sta")
        terminal.wait_for("> /sta")
        terminal.press("tab")
        terminal.wait_for("> /status")
        terminal.press("enter")
        terminal.send("/owl")
        terminal.wait_for("> /owl")
        terminal.press("tab")
        terminal.wait_for("> /owl:feed")
        terminal.press("ctrl-c")
        terminal.press("ctrl-r")
        terminal.wait_for("search back:")
        terminal.send("apples")
        terminal.wait_for("line 3", times=2)
        terminal.press("enter")
        terminal.press("enter")
        terminal.wait_for("[completed]", times=2)
        terminal.press("ctrl-l")
        terminal.wait_until(lambda: "line 3" not in "".join(terminal.screen.display), "a clear screen")
        leave(terminal)
        assert "to come back: ccc --supervisor glm --resume 11111111-2222" in terminal.text
    message = "line 1\nline 2\nline 3\nlook at @cart_of_apples.py"
    assert desk.told == [message, message]


@pytest.mark.parametrize("by", ["/now", "keys"])
def test_the_agent_can_be_steered_at_once(desk: Desk, by: str) -> None:
    desk.turns([["say", "working"], ["interruption"]], [["say", "so be it"], ["result"]])
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_for("working")
        if by == "keys":
            terminal.send("use the owl")
            terminal.wait_for("> use the owl")
            terminal.send("\x1b")
            terminal.send("\x1b")
        else:
            terminal.type("/now use the owl")
        terminal.wait_for("so be it")
        terminal.wait_for("[completed]")
        assert "[interrupted]" not in terminal.text
        leave(terminal)
    assert desk.told == ["do it", "use the owl"]
    assert (len(desk.started("agent")), len(desk.started("reviewer"))) == (1, 1)


def test_more_is_shown_for_whoever_wants_it(desk: Desk) -> None:
    output = "\n".join(f"row {number}" for number in range(3000))
    desk.turns([["tool", "1", "Bash", {"command": "seq"}], ["returns", "1", False, output], ["result"]])
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_for("… 2,996 more lines")
        terminal.wait_for("[completed]")
        terminal.press("ctrl-o")
        terminal.wait_for("row 399")
        terminal.wait_for("(more is shown; Ctrl-O: less)")
        terminal.type("/verbose")
        terminal.wait_for("(less is shown; Ctrl-O: more)")
        leave(terminal)


def test_a_terminal_that_only_takes_lines_gets_only_lines(desk: Desk) -> None:
    desk.turns(
        [
            ["partial", "# Ti"],
            ["partial", "tle\n"],
            ["say", "# Title\n"],
            ["ask", "1", "Bash", {"command": "ls"}],
            ["result"],
        ]
    )
    with desk.terminal("--", "do it", TERM="dumb") as terminal:
        terminal.wait_for("# Title")
        terminal.wait_for("[y]es")
        terminal.send("/status\r")
        terminal.wait_for("your answer · supervised")
        terminal.send("y\r")
        terminal.wait_for("[completed]")
        terminal.send("and that\r")
        terminal.wait_for("[completed]", times=2)
        leave(terminal)
        assert b"\x1b" not in terminal.raw
    assert desk.told == ["do it", "and that"]


@pytest.mark.parametrize(("lang", "there", "ended"), [("en", "your turn", "[completed]"), ("zh", "轮到你", "[已完成]")])
def test_the_whole_screen_is_in_one_language(desk: Desk, lang: str, there: str, ended: str) -> None:
    from tests.commands.test_one_language import CJK, english

    desk.turns(
        [
            ["tool", "1", "Bash", {"command": "ls"}],
            ["returns", "1"],
            ["ask", "2", "Bash", {"command": "ls"}],
            ["result"],
        ]
    )
    with sit_in(desk, lang) as terminal:
        terminal.wait_for(there)
        for word in ("x1", "y", "/help", "/status", "/off", "/on", "/review", "/verbose", "/verbose"):
            seen = terminal.text
            terminal.type(word)
            terminal.wait_until(lambda seen=seen: terminal.text != seen, "an answer")  # type: ignore[misc]
            if word == "x1":
                terminal.wait_for("[y]")
            if word == "y":
                terminal.wait_for(ended)
        terminal.wait_for(ended, times=2)
        terminal.press("ctrl-d")
        terminal.wait_for_end()
        told = terminal.text
    if lang == "en":
        assert not CJK.search(told)
    else:
        assert english(told) == []


def sit_in(desk: Desk, lang: str) -> Terminal:
    argv = desk.world.command("--supervisor", "glm")
    return Terminal(argv, env={**desk.env(), "CCC_LANG": lang}, cwd=desk.world.project, columns=120)


def test_an_answer_of_200_kilobytes_is_drawn_whole_and_the_line_stays_free(desk: Desk) -> None:
    blocks = [f"## Part {number}\n\n{'word ' * 65}end-{number}\n\n- a\n- b\n\n" for number in range(600)]
    answer = "".join(blocks)
    assert len(answer) > 200_000
    pieces: Steps = [["partial", answer[at : at + 200]] for at in range(0, len(answer), 200)]
    desk.turns([["note", "works"], *pieces, ["say", answer], ["until", "go"], ["result"]])
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_until(lambda: desk.notes("works"), "the agent")
        terminal.send("meanwhile")
        terminal.wait_for("> meanwhile")
        shown = lambda: "end-599" in "\n".join(terminal.screen.display)  # noqa: E731
        terminal.wait_until(shown, "the end of the answer", 100)
        desk.tell("go")
        terminal.wait_until(lambda: "[completed]" in "\n".join(terminal.screen.display), "the end")
        text = terminal.text
        assert [int(number) for number in re.findall(r"^Part (\d+)$", text, re.MULTILINE)] == list(range(600))
        assert len(re.findall(r"end-\d+", text)) == 600
        terminal.press("ctrl-c")
        leave(terminal)


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (None, []),
        ("bell", [b"\a", b"\a"]),
        ("osc9", [b"\x1b]9;the agent asks: Bash\a", b"\x1b]9;[completed]: reviewed and done"]),
        ("osc777", [b"\x1b]777;notify;ccc;the agent asks: Bash\a", b"\x1b]777;notify;ccc;[completed]"]),
    ],
)
def test_the_terminal_calls_the_person_only_where_they_want_it(desk: Desk, kind: str | None, sent: list[bytes]) -> None:
    config = {"supervisor": {"notify": {"terminal": kind}}} if kind else {}
    desk.world.write_config({"glm": provider("http://127.0.0.1:9")}, **config)
    desk.turns([["ask", "1", "Bash", {"command": "ls"}], ["result"]])
    with sit(desk, "--", "do it") as terminal:
        terminal.wait_for("[y]es")
        terminal.type("y")
        terminal.wait_for("[completed]")
        leave(terminal)
        raw = bytes(terminal.raw)
    assert (b"\a" in raw) is bool(kind)
    for each in sent:
        before, found, raw = raw.partition(each)
        assert found, before


@pytest.mark.parametrize("columns", [40, 80])
def test_no_word_of_a_question_is_broken_and_a_narrower_window_breaks_none_either(desk: Desk, columns: int) -> None:
    words = "a paragraph of plain words that no window may ever break in the midst of a single one of them"
    ask: Steps = [["ask", "1", "Bash", {"command": "ls"}], ["result"]]
    desk.turns([["say", f"{words} one\n\n{words} two\n"], *ask])
    with desk.terminal("--", "do it", columns=columns) as terminal:
        terminal.wait_for("Allow Bash?")
        for narrower in (columns, columns - 7):
            terminal.resize(narrower, 40)
            terminal.wait_until(lambda: _whole(terminal, f"{words} two"), f"whole words in {narrower} columns")
            terminal.wait_until(
                lambda: _whole(terminal, "Allow Bash? [y]es [n]o [a]lways (every Bash with this command"), "a question"
            )
        terminal.type("y")
        terminal.wait_for("[completed]")
        leave(terminal)


def _whole(terminal: Terminal, words: str) -> bool:
    """Whether the rows of the screen hold these words, each of them on one row."""
    return words in " ".join(" ".join(terminal.screen.display).split())
