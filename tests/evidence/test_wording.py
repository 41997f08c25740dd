from __future__ import annotations

import pytest

from ccc.evidence.answers import asks, offers_to_start
from ccc.evidence.wording import calls_off, is_chinese, wish

WORK = """
Fix the login bug in auth.py
Add a summary line to report.py
Implement the following plan:⏎1. do x
修复登录失败的问题
给 utils.py 添加单元测试
把按钮颜色改成蓝色
实现方案二
分析日志并修复 bug
Investigate and fix the flaky test
Write a function that reverses a string in util.py
Please add a --json flag to the cli
重构 src/app.ts，拆成两个模块
corrige el error en main.go
исправь ошибку в main.py
バグを修正してください
로그인 버그를 고쳐줘
Füge einen Test hinzu
The login page crashes when the password is empty. Please fix.
Run the tests and fix whatever fails
帮我把这个函数重命名为 foo
让测试通过
"""
NO_WORK = """
What does this function do?
Can you fix the login bug?
Explain how to add a flag
Write a haiku about spring
Fix the grammar in this sentence: he go
Plan the migration to postgres
给出修复方案
写一个重构方案，先不要改代码
为什么测试失败？
看看这段代码有什么问题
Don't change anything, just tell me why it fails
Review src/a.py
先问我几个问题再实现登录功能
Ask me questions before you implement the parser
continue
yes
How should we implement this?
帮我写一封邮件
翻译这段话
能不能把按钮改成蓝色？
Implement it, but first show me the plan
thanks!
设计一个缓存方案
I think the tests are failing
Let's brainstorm features to add
Should we add caching?
hello
Fix it
修复一下
Update me on the status
Run me through the code
I'm trying to fix the login bug
已经修复了，谢谢
我修复了登录的问题
npm ERR! Fix the upstream dependency conflict, or retry
I have to update the docs tomorrow
"""
ANSWERS = """
What does this function do?
Explain how to add a flag
为什么测试失败？
Plan the migration to postgres
给出修复方案
Don't change anything, just tell me why it fails
Review src/a.py
看看这段代码有什么问题
How should we implement this?
Run the tests? no code please
"""
NOT_ONLY_ANSWERS = """
Can you fix the login bug?
能不能把按钮改成蓝色？
帮我看看为什么测试失败并修复
continue
yes
Why does it fail? Fix it.
Review src/a.py and fix the bugs
Fix the test without changing the public API
修复 bug，不要改测试
"""
ASKS = """
Should I proceed?
要我继续吗？
Which database would you like?⏎⏎- A⏎- B
I can do X or Y. Which one do you prefer? Both are fine.
**Which approach?**
请确认是否继续。
Let me know which option you prefer.
需要我开始实现吗
どちらにしますか。
Soll ich anfangen?
1. Which port?⏎2. Which host?
您希望使用哪种方案？我建议方案一。
Do you want A or B? (default: A)
"""
DOES_NOT_ASK = """
Done. All tests pass.
I fixed it.⏎```js⏎const a = b ? c : d⏎```
The button says "Are you sure?" now.
See https://x.y/?a=b
Why does this happen? Because the cache is stale.
## What changed?⏎⏎The parser.
Use `a?.b` here.
Let me know if you have any questions.
完成了。为什么会这样？因为缓存过期。
> Should I?⏎⏎That was your question.
The regex is a?b+.
"""


def rows(table: str) -> list[str]:
    return [line.replace("⏎", "\n") for line in table.strip().split("\n")]


@pytest.mark.parametrize("request_", rows(WORK))
def test_work_is_wanted(request_: str) -> None:
    assert wish(request_).work
    assert not wish(request_).answer


@pytest.mark.parametrize("request_", rows(NO_WORK))
def test_work_is_not_wanted_beyond_doubt(request_: str) -> None:
    assert not wish(request_).work


@pytest.mark.parametrize("request_", rows(ANSWERS))
def test_words_are_all_that_is_wanted(request_: str) -> None:
    assert wish(request_).answer


@pytest.mark.parametrize("request_", rows(NOT_ONLY_ANSWERS))
def test_more_than_words_may_be_wanted(request_: str) -> None:
    assert not wish(request_).answer


@pytest.mark.parametrize(
    "request_",
    [
        "fix a.py, don't run the tests",
        "改 a.py，不用跑测试",
        "add x; I'll test it myself",
        "revert that",
        "translate the comments",
    ],
)
def test_nothing_must_be_run(request_: str) -> None:
    assert wish(request_).unverified


@pytest.mark.parametrize(
    "request_", ["write a failing test for it", "reproduce issue 3", "写一个失败的测试", "复现这个问题"]
)
def test_a_failure_may_be_what_is_wanted(request_: str) -> None:
    assert wish(request_).red
    assert not wish("fix the failing tests").red


def test_repair_is_about_something_broken() -> None:
    assert wish("make the tests pass").repair
    assert wish("修复失败的测试").repair
    assert not wish("Run the failing test again").repair
    assert not wish("Fix the links in the README").repair


@pytest.mark.parametrize("message", rows(ASKS))
def test_a_question_is_found_wherever_it_stands(message: str) -> None:
    assert asks(message)


@pytest.mark.parametrize("message", rows(DOES_NOT_ASK))
def test_code_quotes_addresses_and_rhetoric_do_not_ask(message: str) -> None:
    assert not asks(message)


def test_an_offer_to_start_is_not_an_offer_of_more() -> None:
    assert offers_to_start("Would you like me to apply it?")
    assert not offers_to_start("Would you like another variant as well?")


def test_words_that_call_the_work_off() -> None:
    assert calls_off("stop here")
    assert calls_off("先这样吧")
    assert not calls_off("use exponential backoff")


def test_japanese_is_not_chinese() -> None:
    assert is_chinese("修复 bug")
    assert not is_chinese("バグを修正して")
    assert not is_chinese("fix it")


@pytest.mark.parametrize(
    "piece",
    [
        "fix ",
        "修复",
        "a?",
        "`",
        "```\n",
        '"',
        "don't ",
        "把",
        "x. ",
        "> ",
        "请",
        "\n#",
        "make ",
        "\n",
        " ",
        " \n",
        "- ",
        "1. ",
    ],
)
def test_long_texts_take_little_time(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    wish(text)
    asks(text)
    offers_to_start(text)
