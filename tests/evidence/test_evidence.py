from __future__ import annotations

import orjson
import pytest

from ccc.claude import conversation
from ccc.claude.conversation import Asked, Call, Conversation, Fate, Moment, Said, Told
from ccc.claude.stream import Finished, Text, ToolResult, ToolUse, Usage, UserText
from ccc.evidence import facts as evidence
from ccc.evidence.briefing import facts
from ccc.evidence.facts import Evidence, as_json
from ccc.evidence.files import is_code, is_runnable
from ccc.evidence.outcomes import Outcome
from ccc.model import Aside, Tally


def bash(command: str, output: str = "", code: int = 0, fate: Fate | None = None) -> Call:
    return Call("Bash", {"command": command}, fate or (Fate.FAILED if code else Fate.DONE), output, code)


def edit(path: str, old: str = "a", new: str = "b", fate: Fate = Fate.DONE) -> Call:
    return Call("Edit", {"file_path": path, "old_string": old, "new_string": new}, fate)


def seen(*moments: Moment, request: str = "fix it") -> Evidence:
    return evidence.of(Conversation((Asked(request), *moments)))


# --- files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["a.py", "a/b.TS", "x.go", "m.rs", "run.sh", "q.sql", "index.html", "s.css", "App.vue"]
)
@pytest.mark.parametrize("folder", ["", "/home/user/", "C:\\x\\"])
def test_a_file_is_code_by_its_ending(folder: str, path: str) -> None:
    assert is_code(folder + path)


@pytest.mark.parametrize("path", ["Makefile", "Dockerfile", "Dockerfile.dev", "CMakeLists.txt", "Jenkinsfile", "x.mk"])
def test_source_files_are_code(path: str) -> None:
    assert is_code(path)


@pytest.mark.parametrize(
    "path",
    [
        "a.json",
        "b.yaml",
        "c.yml",
        "d.toml",
        "go.mod",
        "go.sum",
        "README.md",
        "notes.txt",
        "x.csv",
        ".env",
        "LICENSE",
        "",
    ],
)
def test_configuration_and_documents_are_not(path: str) -> None:
    assert not is_code(path)


def test_a_script_without_an_ending_is_code() -> None:
    assert is_code("bin/deploy", "#!/bin/sh\n")
    assert not is_code("bin/deploy", "hello")


def test_not_all_code_can_be_run_where_it_is_written() -> None:
    assert is_runnable("a.py")
    assert not is_runnable("style.css")


# --- edits and commands ------------------------------------------------------------------------------------------


def test_an_edit_counts_when_it_went_through() -> None:
    found = seen(
        edit("a.py"), edit("b.py", fate=Fate.REFUSED), edit("c.py", fate=Fate.NOT_RUN), edit("a.py"), edit("r.md")
    )
    assert found.edited_files == ("a.py", "r.md")
    assert found.code_edited
    assert len(found.tools) == 5
    assert [denial.tool for denial in found.denials] == ["Edit"]


def test_notebooks_and_multiple_edits_count() -> None:
    notebook = Call("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "x"}, Fate.DONE)
    several = Call("MultiEdit", {"file_path": "m.py", "edits": [{"old_string": "a", "new_string": "b"}]}, Fate.DONE)
    assert seen(notebook, several).edited_files == ("n.ipynb", "m.py")


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((edit("a.py"),), False),
        ((edit("a.py"), bash("ls")), True),
        ((bash("ls"), edit("a.py")), False),
        ((edit("a.py"), bash("ls", fate=Fate.REFUSED)), False),
        ((edit("a.py"), bash("ls", fate=Fate.NOT_RUN)), False),
        ((edit("a.py"), bash("pytest", code=1)), True),
        ((edit("a.py"), bash("pytest", fate=Fate.STARTED)), True),
        ((edit("a.py"), bash("ls"), edit("b.md")), True),
        ((edit("b.md"), bash("ls")), False),
        ((bash("ls"),), False),
    ],
)
def test_a_command_after_the_last_edit_of_code(moments: tuple[Moment, ...], expected: bool) -> None:
    assert seen(*moments).command_after_last_edit is expected


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((), None),
        ((bash("ls"),), None),
        ((bash("pytest -q", "3 passed in 0.1s"),), Outcome.PASSED),
        ((bash("pytest -q", "1 failed in 0.1s", 1),), Outcome.FAILED),
        ((bash("pytest -q", "1 failed in 0.1s", 1), bash("ls")), Outcome.FAILED),
        ((bash("pytest -q", "1 failed in 0.1s", 1), bash("pytest -q", "3 passed in 0.1s")), Outcome.PASSED),
        ((bash("pytest -q", "3 passed in 0.1s"), bash("pytest -q", fate=Fate.REFUSED)), Outcome.PASSED),
        ((bash("pytest -q", "3 passed in 0.1s"), bash("pytest -q", fate=Fate.STARTED)), None),
    ],
)
def test_the_last_check(moments: tuple[Moment, ...], expected: Outcome | None) -> None:
    assert seen(*moments).last_check is expected


def test_a_check_between_stash_and_pop_is_a_baseline() -> None:
    found = seen(bash("git stash"), bash("pytest", "1 failed in 0.1s", 1), bash("git stash pop"), bash("pytest", "", 1))
    assert [each.check.baseline for each in found.checks if each.check] == [True, False]


@pytest.mark.parametrize(
    ("old", "new", "prose"),
    [
        ("# alt\nx = 1", "# neu\nx = 1", True),
        ("// a\nlet x;", "// b\n// c\nlet x;", True),
        ("def f():\n    return 1", 'def f():\n    """Give\n    one."""\n    return 1', True),
        ("/* a\n   b */\nint x;", "int x;", True),
        ("x = 1", "x = 2", False),
        ("# x = 1", "x = 1", False),
        ('x = """a\nb"""', 'x = """a\nc"""', False),
        ("#include <a>", "#include <b>", False),
        ("*p = 1;", "*p = 2;", False),
        ("    x = 1", "x = 1", False),
    ],
)
def test_an_edit_of_comments_is_prose(old: str, new: str, prose: bool) -> None:
    assert seen(edit("a.py", old, new)).edits[0].prose is prose


# --- words -------------------------------------------------------------------------------------------------------


def test_only_asked_needs_a_question_and_no_tool_call() -> None:
    assert seen(Said("Shall I?")).only_asked
    assert not seen(Said("Done.")).only_asked
    assert not seen(bash("ls"), Said("Shall I?")).only_asked
    assert not seen(bash("ls", fate=Fate.REFUSED), Said("Shall I?")).only_asked


def test_the_final_message_is_what_was_said_last() -> None:
    assert seen(Said("Shall I?"), Told(), Said("Done.")).last_message == "Done."
    assert seen(Said("Let me look."), bash("ls")).last_message == ""
    assert seen(Said("Done."), Told(), Asked("later", meanwhile=True)).last_message == "Done."


def test_words_typed_meanwhile_do_not_move_the_request() -> None:
    found = seen(bash("ls"), Asked("and the docs", meanwhile=True), Said("ok"))
    assert (found.request, found.meanwhile) == ("fix it", ("and the docs",))


# --- what others read --------------------------------------------------------------------------------------------


def test_the_json_has_the_promised_keys() -> None:
    told = as_json(seen(edit("a.py"), bash("pytest -q | tail", "1 failed in 0.1s"), Said("Done.")))
    assert {key: told[key] for key in ("request", "code_edited", "edited_files", "command_after_last_edit")} == {
        "request": "fix it",
        "code_edited": True,
        "edited_files": ["a.py"],
        "command_after_last_edit": True,
    }
    assert (told["last_check"], told["only_asked"], told["tool_calls"]) == ("failed", False, 2)
    assert told["checks"] == [
        {
            "command": "pytest -q | tail",
            "kind": "test",
            "outcome": "failed",
            "line": "1 failed in 0.1s",
            "after_last_edit": True,
        }
    ]
    assert orjson.loads(orjson.dumps(told)) == told


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_facts_stay_short_and_on_their_lines(lang: str) -> None:
    many = [edit(f"f{n}.py\x1b[31m\nnew line") for n in range(50)]
    checks = [bash(f"pytest -k {n}\n", "FAILED t.py::x - a\n1 failed in 0.1s", 1) for n in range(50)]
    denied = [bash("rm -rf /\n", fate=Fate.REFUSED) for _ in range(50)]
    told = facts(seen(*many, *checks, *denied), lang)
    lines = told.split("\n")
    assert len(lines) <= 15
    assert all(line.startswith("- ") and len(line) < 1000 for line in lines)
    assert "\x1b" not in told


def test_facts_name_what_ran_and_what_did_not() -> None:
    told = facts(seen(bash("pytest -q", "3 passed in 0.1s"), edit("a.py"), bash("ls")), "en")
    assert told.split("\n") == [
        "- Edited files: a.py",
        "- 2 commands ran, 1 of them checks.",
        "- Passed: `pytest -q` (code was edited since)",
        "- No check ran after the last edit of code (a.py).",
        "- After the last edit of code only this ran, which shows nothing about it: ls.",
    ]


def test_facts_about_nothing() -> None:
    assert facts(seen(Said("hi")), "zh") == "- 没有用编辑工具改过文件。\n- 没有运行过任何命令。"


# --- from the live stream ----------------------------------------------------------------------------------------


def test_a_stream_gives_the_same_evidence_as_a_transcript() -> None:
    events = [
        Text("I look."),
        ToolUse("1", "Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}),
        ToolResult("1", False, "updated"),
        ToolUse("9", "Bash", {"command": "pytest"}, subagent=True),
        ToolResult("9", False, "5 passed in 0.1s", subagent=True),
        Text("subagent?", subagent=True),
        ToolUse("2", "Bash", {"command": "pytest -q"}),
        ToolResult("2", True, "Exit code 1\n1 failed in 0.1s"),
        Text("Shall I?"),
        Finished(usage=Usage(1, 2, 3, 4)),
        UserText("Stop hook feedback:\ngo on"),
        Text("Failed."),
        Finished(usage=Usage(1, 0, 0, 0)),
    ]
    found = evidence.of(conversation.of_stream("fix it", events))
    assert found.request == "fix it"
    assert found.edited_files == ("a.py",)
    assert found.last_check is Outcome.FAILED
    assert found.tools == ("Edit", "Bash")
    assert found.last_message == "Failed."
    assert found.tokens == 11


def test_a_live_reader_takes_words_typed_meanwhile() -> None:
    reader = conversation.StreamReader()
    reader.asked("fix it")
    reader.feed(Text("ok"))
    reader.asked("and the docs")
    found = evidence.of(reader.conversation())
    assert (found.request, found.meanwhile) == ("fix it", ("and the docs",))


def test_a_turn_that_ends_in_an_error_is_marked() -> None:
    assert evidence.of(conversation.of_stream("x", [Finished(is_error=True, result="API Error: 529")])).api_failed


def test_subagents_weigh_what_their_model_costs_beside_the_agents_own() -> None:
    asides = {"a1": Aside(9, 60, 50.0, "claude-haiku-4-5"), "a2": Aside(9, 40, 40.0, "glm-9")}
    tally = Tally(tokens=5, weight=7.0, model="claude-opus-5", asides=asides)
    found = evidence.counted(Evidence("do it", tokens=1), tally)
    assert (found.tokens, found.weight) == (105, pytest.approx(17.0))
