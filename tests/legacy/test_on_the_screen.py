"""What somebody at a terminal sees of the agent: each thing on the rows where it belongs, and none of it lost."""

from __future__ import annotations

import re

import pytest

from tests.pty_desk import SESSION, Desk, Steps
from tests.stops import eventually
from tests.terminals import Terminal
from tests.tmux import Tmux
from tests.world import World

pytestmark = pytest.mark.long

TALK: Steps = [["say", "I think it is done"], ["result"]]
COUNT = 10


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def rows(terminal: Terminal) -> list[str]:
    """Of the first turn, and what came after it."""
    return terminal.text.partition("[agent]\n")[2].split("\n")


def leave(terminal: Terminal) -> None:
    terminal.press("ctrl-d")
    assert terminal.wait_for_end() == 0


def called(name: str, given: dict[str, object], output: str, *, failed: bool = False) -> Steps:
    return [["tool", "1", name, given], ["returns", "1", failed, output]]


@pytest.mark.parametrize("columns", [40, 120])
def test_a_row_that_is_too_long_ends_with_its_mark_and_takes_no_second_row(desk: Desk, columns: int) -> None:
    long = "x" * 300
    desk.turns([*called("Bash", {"command": f"echo {long}"}, f"{long}\nlast"), ["result"]])
    with desk.terminal("--", "do it", columns=columns) as terminal:
        terminal.wait_for("[completed]")
        call, output, last, *_ = rows(terminal)
        assert re.fullmatch(r"⚙ Bash echo x+…  ok [\d.]+ s", call)
        assert (output, last) == (f"    {'x' * (columns - 6)}…", "    last")
        leave(terminal)


def test_a_table_loses_nothing_in_a_narrow_window(desk: Desk) -> None:
    table = "| case | what |\n|---|---|\n| 两个苹果 | 两倍的价格，本来就应该如此 |\n| src/shop/cart.py | twice |"
    desk.turns([["say", table], ["result"]])
    with desk.terminal("--", "do it", columns=40) as terminal:
        terminal.wait_for("[completed]")
        shown = "".join("".join(rows(terminal)).split())
        assert "…" not in shown
        assert "两倍的价格，本来就应" in shown
        leave(terminal)


def test_what_the_person_said_stands_below_its_beginning(desk: Desk) -> None:
    words = "please look at all of the apples in the cart and at the pears as well"
    with desk.terminal(columns=40) as terminal:
        terminal.wait_for("your turn")
        terminal.send(words)
        terminal.wait_for("as well")
        terminal.press("enter")
        terminal.wait_for("[completed]")
        leave(terminal)
        told = terminal.text.split("\n")
    at = told.index("> please look at all of the apples in")
    assert told[at + 1] == "  the cart and at the pears as well"
    assert desk.told == [words]


def test_a_window_that_gets_narrower_twice_is_folded_as_if_once(desk: Desk) -> None:
    notice = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    desk.turns([["put", {"type": "system", "subtype": "informational", "content": notice}], *TALK])
    with desk.terminal("--", "do it", columns=110) as terminal:
        terminal.wait_for("[completed]")
        for columns, at in ((70, 62), (60, 55), (50, 48)):
            terminal.resize(columns, 40)
            first, second = notice[:at], notice[at + 1 :]
            terminal.wait_until(lambda a=first, b=second: below(terminal, a, b), f"whole rows of {columns} columns")  # type: ignore[misc]
        leave(terminal)


def below(terminal: Terminal, *rows: str) -> bool:
    """Whether these rows stand below each other, and nothing beside them."""
    shown = "\n".join(row.rstrip() for row in terminal.screen.display)
    return "\n" + "\n".join(rows) + "\n" in shown


def test_a_question_of_the_agents_is_broken_between_its_words(desk: Desk) -> None:
    option = {
        "label": "datetime",
        "description": "from the standard library, always there, and somewhat verbose to use",
    }
    asked = {"questions": [{"question": "Which library shall I use for all of the dates?", "options": [option]}]}
    desk.turns([["ask", "1", "AskUserQuestion", asked], *TALK])
    with desk.terminal("--", "do it", columns=40) as terminal:
        terminal.wait_for("A number, or your own words")
        assert rows(terminal)[:6] == [
            "? Which library shall I use for all",
            "? of the dates?",
            "    1. datetime — from the",
            "    ┆ standard library, always there,",
            "    ┆ and somewhat verbose to use",
            "A number, or your own words",
        ]
        terminal.type("1")
        terminal.wait_for("[completed]")
        leave(terminal)


def test_a_stop_that_does_not_count_is_no_round_and_what_follows_has_its_heading(desk: Desk) -> None:
    changed = {"type": "system", "subtype": "background_tasks_changed"}
    task = {"task_id": "b1", "description": "dev server"}
    init = {"type": "system", "subtype": "init", "session_id": SESSION}
    goes_on: Steps = [["put", {**changed, "tasks": []}], ["put", init], ["say", "the server has ended"], ["result"]]
    desk.turns([["put", {**changed, "tasks": [task]}], *TALK, ["until", "go"], *goes_on])
    with desk.terminal("--", "do it") as terminal:
        terminal.wait_for("waits for background work")
        desk.tell("go")
        terminal.wait_for("[completed]")
        shown = rows(terminal)
        assert shown[shown.index("the server has ended") - 1] == "[agent]"
        assert any(row.startswith("— 1 round · ") for row in shown)
        leave(terminal)


def test_the_bar_tells_from_the_start_what_the_agent_may_do_unasked(desk: Desk) -> None:
    with desk.terminal("--permission-mode", "plan") as terminal:
        terminal.wait_for("your turn · plans only · supervised")
        terminal.send("/he")
        terminal.wait_for("> /he")
        terminal.press("tab")
        terminal.wait_for("> /help")
        terminal.press("ctrl-c")
        leave(terminal)


def test_whoever_only_looks_at_a_session_is_told_the_way_back_too(desk: Desk) -> None:
    record = desk.world.config / "projects" / "x" / f"{SESSION}.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text("")
    with desk.terminal("--resume", SESSION) as terminal:
        terminal.wait_for(f"{SESSION} · /help")
        leave(terminal)
        assert f"to come back: ccc --supervisor glm --resume {SESSION}" in terminal.text


def test_what_an_edit_would_take_away_and_bring_is_asked_about_in_colours(desk: Desk) -> None:
    edit = {"file_path": "/x.py", "old_string": "return one\nreturn two", "new_string": "return three"}
    desk.turns([["ask", "1", "Edit", edit], *TALK])
    with desk.terminal("--", "do it") as terminal:
        terminal.wait_for("Allow Edit?")
        assert rows(terminal)[:6] == [
            *("? Edit", "    file_path: /x.py", "    old_string:", "    │ return one", "    │ return two"),
            "    new_string: return three",
        ]
        assert [colour(terminal, words) for words in ("/x.py", "one", "two", "three")] == [
            "default",
            "red",
            "red",
            "green",
        ]
        terminal.type("y")
        terminal.wait_for("[completed]")
        leave(terminal)


def colour(terminal: Terminal, words: str) -> str:
    """Of the first of these words on the screen."""
    row, line = next((row, line) for row, line in enumerate(terminal.screen.display) if words in line)
    return str(terminal.screen.buffer[row][line.index(words)].fg)


def test_a_prompt_that_fills_the_window_is_not_kept_to_be_scrolled_back_to(desk: Desk) -> None:
    said = [part for number in range(COUNT) for part in (f"Paragraph {number} ", *["goes on and on "] * 12, "\n\n")]
    steps = [step for part in said for step in (["partial", part], ["rest", 0.02])]  # so that what grows is drawn
    desk.turns([*steps, ["say", "".join(said)], ["result"]])
    argv = desk.world.command("--supervisor", "glm")
    with Tmux(desk.world.root, argv, env=desk.env(), cwd=desk.world.project) as tmux:
        assert eventually(lambda: "your turn" in tmux.text, 40), tmux.text
        tmux("resize-window", "-y3")
        tmux("send-keys", "do it", "Enter")
        assert eventually(lambda: "[completed]" in all_of(tmux), 40), all_of(tmux)
        assert eventually(lambda: "your turn" in tmux.text, 40), tmux.text
        shown = all_of(tmux).partition("[agent]\n")[2].split("\n")
    assert [int(row.split()[1]) for row in shown if row.startswith("Paragraph")] == [*range(COUNT)]
    assert sum("supervised" in row for row in shown) == 1


def all_of(tmux: Tmux) -> str:
    """With what can be scrolled back to."""
    return tmux("capture-pane", "-p", "-S", "-")
