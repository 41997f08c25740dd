"""What the scripted model says in `ccc demo`: the agent's part and the reviewer's part.

Rule: data only. Every command in it really runs, so the failure and the fix are real.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ccc.judging import prompts
from ccc.judging.verdict import MARKER

TEST_COMMAND = "python3 -m unittest -q"

BROKEN = '''def slug(title: str) -> str:
    """A title as it may stand in a web address."""
    return "-".join(title.lower().split(" "))
'''
TEST = """import unittest

from slug import slug


class SlugTest(unittest.TestCase):
    def test_words_are_joined(self) -> None:
        self.assertEqual(slug("Hello World"), "hello-world")

    def test_spaces_around_and_between_do_not_count(self) -> None:
        self.assertEqual(slug("  Hello   World "), "hello-world")


if __name__ == "__main__":
    unittest.main()
"""


class Story(Struct, frozen=True):
    mode: str
    request: str
    rules: tuple[Mapping[str, Any], ...]
    criteria: str = ""  # SUPERVISOR.md, which pty mode needs
    permissions: tuple[str, ...] = ("Bash(python3 *)",)

    @property
    def typed(self) -> str:
        """What a person would type for it."""
        if self.mode == "hooks":
            return 'CCC_SUPERVISOR=1 ccc scripted -p "…"'
        return 'ccc --supervisor scripted -- "…"'

    @property
    def args(self) -> tuple[str, ...]:
        if self.mode == "pty":
            return ("--supervisor", "scripted", "--permission-mode", "acceptEdits", "--", self.request)
        stream = ("--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits")
        return ("scripted", "-p", self.request, *stream)


class _Lines(Struct, frozen=True):
    """The words of one language."""

    request: str
    plan: str
    claim: str
    runs: str
    fixes: str
    proof: str
    look: str
    satisfied: str


def story(lang: str, mode: str) -> Story:
    lines = _LINES[lang]
    rules = (_judge(lines) if mode == "hooks" else _marker_judge(lines), _agent(lines))
    return Story(mode, lines.request, rules, criteria="" if mode == "hooks" else prompts.supervisor_md(lang))


_RUN = {"name": "Bash", "input": {"command": TEST_COMMAND, "description": "run the tests"}}
_FIX = {"file_path": "slug.py", "old_string": '.split(" ")', "new_string": ".split()"}


def _agent(lines: _Lines) -> Mapping[str, Any]:
    writes = [_write("slug.py", BROKEN), _write("test_slug.py", TEST)]
    return {
        "without_tool": "StructuredOutput",
        "replies": [
            {"text": lines.plan, "delay": 1.0, "tools": writes},
            {"text": lines.claim, "delay": 1.0},
            {"text": lines.runs, "delay": 1.0, "tools": [_RUN]},
            {"text": lines.fixes, "delay": 1.0, "tools": [{"name": "Edit", "input": _FIX}]},
            {"delay": 0.6, "tools": [_RUN]},
            {"text": lines.proof, "delay": 1.0},
        ],
    }


def _judge(lines: _Lines) -> Mapping[str, Any]:
    done = {"name": "StructuredOutput", "input": {"allow_stop": True, "feedback": ""}}
    return {
        "tool": "StructuredOutput",
        "replies": [
            {"text": lines.look, "delay": 1.0, "tools": [_RUN]},
            {"text": lines.satisfied, "delay": 1.0, "tools": [done]},
        ],
    }


def _marker_judge(lines: _Lines) -> Mapping[str, Any]:
    return {
        "system": MARKER,
        "replies": [
            {"text": lines.look, "delay": 1.0, "tools": [_RUN]},
            {"text": permission(lines.satisfied), "delay": 1.0},
        ],
    }


def permission(words: str) -> str:
    """A reviewer's answer that needs no second question: plainly good words and the marker."""
    return f"{words}\n\n{MARKER}"


def _write(name: str, content: str) -> Mapping[str, Any]:
    return {"name": "Write", "input": {"file_path": name, "content": content}}


_LINES: Mapping[str, _Lines] = {
    "en": _Lines(
        request="Write slug.py with a function slug(title), and a test for it.",
        plan="I write the function and its test.",
        claim="Done! slug.py is complete and all tests pass.",
        runs="True, I have not run it. Running the tests now.",
        fixes="One test fails: repeated spaces become empty words. split() without an argument drops them.",
        proof=f"Fixed: `{TEST_COMMAND}` ran 2 tests, OK.",
        look="The agent shows a passing run after its last edit. I run the tests myself.",
        satisfied="All tests pass. The task is complete.",
    ),
    "zh": _Lines(
        request="写 slug.py，里面有函数 slug(title)，并给它写一个测试。",
        plan="我来写这个函数和它的测试。",
        claim="完成了！slug.py 已写好，测试全部通过。",
        runs="确实没有运行过。现在运行测试。",
        fixes="有一个测试失败：连续的空格变成了空词。不带参数的 split() 会丢掉它们。",
        proof=f"已修复：`{TEST_COMMAND}` 运行了 2 个测试，OK。",
        look="Agent 给出了最后一次改动之后的一次通过。我自己再运行一遍。",
        satisfied="所有测试都通过了。任务已完成。",
    ),
}
