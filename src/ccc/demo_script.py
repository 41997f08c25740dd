"""What the scripted model says in `ccc demo`: the agent's part and the reviewer's part.

Rule: data only. Every command in it really runs, so the failure and the fix are real.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Story:
    request: str
    rules: tuple[Mapping[str, Any], ...]
    permissions: tuple[str, ...] = ("Bash(python3 *)",)


@dataclass(frozen=True, slots=True)
class _Lines:
    """The words of one language."""

    request: str
    plan: str
    claim: str
    first_look: str
    feedback: str
    runs: str
    fixes: str
    proof: str
    second_look: str


def _told(lines: _Lines) -> Story:
    agent, reviewer = {"without_tool": "StructuredOutput"}, {"tool": "StructuredOutput"}
    done = {"name": "StructuredOutput", "input": {"allow_stop": True, "feedback": ""}}
    not_done = {"name": "StructuredOutput", "input": {"allow_stop": False, "feedback": lines.feedback}}
    run = {"name": "Bash", "input": {"command": TEST_COMMAND, "description": "run the tests"}}
    fix = {"file_path": "slug.py", "old_string": '.split(" ")', "new_string": ".split()"}
    return Story(
        request=lines.request,
        rules=(
            {
                **agent,
                "replies": [
                    {
                        "text": lines.plan,
                        "delay": 0.8,
                        "tools": [_write("slug.py", BROKEN), _write("test_slug.py", TEST)],
                    },
                    {"text": lines.claim, "delay": 0.8},
                    {"text": lines.runs, "delay": 0.8, "tools": [run]},
                    {"text": lines.fixes, "delay": 0.8, "tools": [{"name": "Edit", "input": fix}]},
                    {"delay": 0.4, "tools": [run]},
                    {"text": lines.proof, "delay": 0.8},
                ],
            },
            {
                **reviewer,
                "replies": [
                    {"text": lines.first_look, "delay": 1.0, "tools": [not_done]},
                    {"text": lines.second_look, "delay": 0.8, "tools": [run]},
                    {"delay": 0.6, "tools": [done]},
                ],
            },
        ),
    )


def _write(name: str, content: str) -> Mapping[str, Any]:
    return {"name": "Write", "input": {"file_path": name, "content": content}}


STORIES: Mapping[str, Story] = {
    "en": _told(
        _Lines(
            request="Write slug.py with a function slug(title), and a test for it.",
            plan="I write the function and its test.",
            claim="Done! slug.py is complete and all tests pass.",
            first_look="The agent says that all tests pass, but the conversation shows no command that ran them.",
            feedback=(
                "Not done: you say that the tests pass, but nothing was run.\n"
                f"Do this: run `{TEST_COMMAND}` here and mend what fails, in slug.py, not in the test.\n"
                "Verify: the same command ends with OK."
            ),
            runs="True, I have not run it. Running the tests now.",
            fixes="One test fails: repeated spaces become empty words. split() without an argument drops them.",
            proof=f"Fixed: `{TEST_COMMAND}` ran 2 tests, OK.",
            second_look="The agent shows a passing run. I run the tests myself.",
        )
    ),
    "zh": _told(
        _Lines(
            request="写 slug.py，里面有函数 slug(title)，并给它写一个测试。",
            plan="我来写这个函数和它的测试。",
            claim="完成了！slug.py 已写好，测试全部通过。",
            first_look="Agent 说测试全部通过，但对话里没有任何一条运行测试的命令。",
            feedback=(
                "未完成：你说测试通过，但什么都没有运行。\n"
                f"请执行：在项目目录里运行 `{TEST_COMMAND}`，修好失败的地方，改 slug.py，不要改测试。\n"
                "验证：同一条命令以 OK 结束。"
            ),
            runs="确实没有运行过。现在运行测试。",
            fixes="有一个测试失败：连续的空格变成了空词。不带参数的 split() 会丢掉它们。",
            proof=f"已修复：`{TEST_COMMAND}` 运行了 2 个测试，OK。",
            second_look="Agent 给出了一次通过的运行。我自己再运行一遍。",
        )
    ),
}
