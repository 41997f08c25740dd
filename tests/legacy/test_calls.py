"""A tool call in a person's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.stream import ToolUse
from ccc_legacy.calls import LONG, SHORT, Row, about, changes, outcome
from ccc_legacy.todos import Todos


@pytest.mark.parametrize(
    ("given_input", "what"),
    [
        ({"command": "make test", "description": "d"}, "make test"),
        ({"file_path": "/a/b.py", "old_string": "x"}, "/a/b.py"),
        ({"file_path": "/home/you/shop/b.py"}, "b.py"),
        ({"pattern": "TODO", "path": ""}, "TODO"),
        ({"pattern": "TODO", "path": "/home/you/shop/src"}, "TODO · /home/you/shop/src"),
        ({"url": "https://x.example"}, "https://x.example"),
        ({}, ""),
        ({"command": ["odd"]}, "['odd']"),
        ({"command": "a\nb" + "c" * 200}, "a ⏎ b" + "c" * 94 + "…"),
    ],
)
def test_a_call_is_about_one_thing(given_input: dict[str, object], what: str) -> None:
    assert about(given_input, "/home/you/shop") == what


def test_a_file_that_was_read_is_counted_and_one_that_was_written_is_shown() -> None:
    assert outcome(ToolUse("1", "Read", {}), "a\nb", is_error=False, amount=SHORT) == ([], "2 lines")
    numbered = "".join(f"{number}\tx\n" for number in range(1, 4))  # as the client tells of a file of three lines
    assert outcome(ToolUse("1", "Read", {}), f"{numbered}4\t", is_error=False, amount=SHORT) == ([], "3 lines")
    assert outcome(ToolUse("1", "Read", {}), "a", is_error=False, amount=LONG) == ([Row("dim", "a")], None)
    write = ToolUse("1", "Write", {"content": "a\nb"})
    assert outcome(write, "created", is_error=False, amount=SHORT) == (
        [Row("new", "+ a", 2), Row("new", "+ b", 2)],
        None,
    )


def test_an_output_that_the_client_keeps_elsewhere_shows_its_beginning() -> None:
    told = "<persisted-output>\nOutput too large (9KB). Full output saved to: /x\n\nPreview (first 2KB):\na\nb\n...\n"
    rows, rest = outcome(ToolUse("1", "Bash", {}), f"{told}</persisted-output>", is_error=False, amount=SHORT)
    assert ([row.text for row in rows], rest) == (
        ["a", "b"],
        "… and more, all of it in a file of the client's (9KB)",
    )
    told = told.replace("a\nb\n", "line\n" * 50)  # of a preview, and of how many lines nobody knows
    _, rest = outcome(ToolUse("1", "Bash", {}), f"{told}</persisted-output>", is_error=False, amount=SHORT)
    assert rest == "… and more, all of it in a file of the client's (9KB)"


def test_what_says_nothing_is_left_out_and_an_error_is_whole() -> None:
    def told(name: str, text: str, *, is_error: bool = False) -> list[str]:
        rows, _ = outcome(ToolUse("1", name, {}), text, is_error=is_error, amount=SHORT)
        return [row.text for row in rows]

    assert told("Bash", "(Bash completed with no output)") == []
    assert told("AskUserQuestion", "Your questions have been answered: …") == []
    assert told("X", "<tool_use_error>Error: no such tool</tool_use_error>", is_error=True) == ["Error: no such tool"]
    assert told("Bash", "x" * 900, is_error=True) == ["x" * 900]


def test_a_subagent_in_the_background_is_told_in_our_words() -> None:
    told = "Async agent launched successfully. (This tool result is internal metadata)\nagentId: a7e9"
    assert outcome(ToolUse("1", "Task", {}), told, is_error=False, amount=LONG) == ([], "works in the background")


def test_several_edits_are_shown_one_after_another_and_a_large_one_without_comparing() -> None:
    edits = {"edits": [{"old_string": "a", "new_string": "b"}, "odd", {"old_string": "c", "new_string": ""}]}
    assert [row.text for row in changes(edits)] == ["- a", "+ b", "- c"]
    large = {"old_string": "x\n" * 5000, "new_string": "y\n" * 5000}
    assert len(list(changes(large))) == 10_000


@given(
    st.dictionaries(
        st.sampled_from(["todos", "edits", "old_string", "content", "taskId", "subject", "status"]),
        st.recursive(
            st.none() | st.text(max_size=3) | st.integers(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["content", "status", "old_string"]), inner, max_size=3)
            ),
        ),
        max_size=4,
    )
)
def test_any_input_is_shown_somehow(given_input: dict[str, object]) -> None:
    for name in ("Edit", "Bash", "TodoWrite", "TaskCreate", "TaskUpdate"):
        use = ToolUse("1", name, given_input)
        outcome(use, "x", is_error=False, amount=SHORT)
        todos = Todos()
        todos.returned(use, "x")
        assert len(list(todos.rows(9))) <= 9


def test_tasks_that_are_made_one_by_one_are_a_list_too() -> None:
    todos = Todos()
    for number, subject in ((1, "look"), (2, "mend")):
        made = ToolUse("1", "TaskCreate", {"subject": subject, "description": "d"})
        todos.returned(made, f"Task #{number} created successfully: {subject}")
    todos.returned(ToolUse("1", "TaskUpdate", {"taskId": "1", "status": "completed"}), "Updated task #1 status")
    todos.returned(ToolUse("1", "TaskUpdate", {"taskId": "2", "status": "in_progress"}), "Updated task #2 status")
    assert (list(todos.rows(9)), todos.summary) == (["☑ look", "▶ mend"], "1 of 2 done · now: mend")
    assert list(todos.rows(1)) == ["▶ mend"]
    todos.returned(ToolUse("1", "TaskUpdate", {"taskId": "2", "status": "deleted"}), "")
    assert not todos.is_open
