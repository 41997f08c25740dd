"""Permission counts only as the last thing said, unquoted and uncontradicted: the forms that tell it from the rest."""

# ruff: noqa: RUF001

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ccc.claude.stream import Finished
from ccc.judging.verdict import HUMAN_MARKER, MARKER, marker_verdict, verdict_of, words_of
from ccc.model import Verdict
from tests.tables import each

OBJECT = '{"allow_stop": true, "feedback": ""}'
BROAD = '{\n  "allow_stop": true,\n  "feedback": ""\n}'
OBJECTS = [OBJECT, BROAD, '{"completed": true, "feedback": "well done"}']


def by_object(text: str) -> Verdict:
    verdict = verdict_of(Finished(result=text))
    assert verdict is not None
    return verdict


def in_both(forms: list[str]) -> list[str]:
    assert all("@" in form for form in forms)
    return forms


# In each form @ stands for the permission: the marker, or the JSON object. One grammar serves both.

ALONE = ["@", " @", "@ ", "\n\n@\n\n", "\t@\r\n", "\ufeff@", "\x1b[32m@\x1b[0m", "　@　"]
DECORATED = [
    *("**@**", "*@*", "__@__", "_@_", "`@`", "``@``", "***@***", "**`@`**", "** @ **"),
    *("# @", "### @", "- @", "* @", "+ @", "• @", "1. @", "- [x] @", "- **@**", "## **@**"),
    *("✅ @", "@ ✅", "✅ **@** 🎉", "✔️ @", "☑ @", "👍 @", "- ✅ @", "# ✅ @"),
    *("@.", "@。", "@!", "@！", "**@**.", "@ 。", "`@`。", "@\n\n✅", "@\n---", "---\n@", "@ !"),
]
AFTER_SENTENCES = [
    *("All is well. @", "All is well! @", "Is it done? Yes. @", "**All is well.** @", "**All is well. @**"),
    *("一切达标。 @", "一切达标。@", "全部测试通过！@", "任务已完成。**@**", "没有发现问题。@", "没有未完成的项。@"),
    *("Alles ist geprüft. @", "すべて完了しました。@", "Todo está hecho. @", "Tout est vérifié. @", "सब ठीक है। @"),
    *("No issues found. @", "Nothing is missing. @", "I cannot find a defect. @", "No test fails any more. @"),
    *("0 failed, 42 passed. @", "12 tests pass. @", "Version 1.2.3 is out. @", "It says `ok.` now. @"),
    *('The log says "done." @', "日志写着“完成”。@", "(All of it was run.) @", "All good. ✅ @", "1. All is well. @"),
    *("There is nothing left to do. @", "未发现任何问题。@", "問題はありません。@", "Fixed; it works (seen twice). @"),
]
# Words of refusal that refuse nothing: each is an ordinary last sentence of a review that lets the agent stop.
ORDINARY = [
    *(
        "Result: failed tests 0.\n@",
        "Fix verified.\n\n@",
        "结论：通过。\n\n@",
        "Status: complete.\n@",
        "Nothing fails.\n@",
    ),
    *(
        "The 2 failing tests now pass.\n\n@",
        "None of the 12 tests fail.\n@",
        "0 of 12 tests fail. @",
        "No findings remain.\n@",
    ),
    *(
        "I did not accept the agent's word; I ran it.\n\n@",
        "I will allow it to stop.\n\n@",
        "Refused connections are handled.\n@",
    ),
    *(
        "It works, and the server does not allow empty names.\n\n@",
        "It no longer exits too early.\n@",
        "It works, and it does not write to stdout.\n\n@",
    ),
    *(
        "上次指出的未完成项均已解决。\n\n@",
        "之前未完成的文档已补齐。\n@",
        "两个模块分别写了测试。@",
        "程序正常，不会输出乱码。\n\n@",
    ),
    *(
        "原来的 3 个失败测试已全部通过。\n\n@",
        "12 个测试无一失败。@",
        "没有未通过的测试。\n@",
        "0 个失败，12 个通过。\n\n@",
    ),
    *("Es gibt keine Fehler mehr. @", "エラーはありません。\n@", "No hay errores. @", "Il n'y a pas d'erreur. @"),
]
AFTER_LINES = [
    *("All done.\n@", "All done.\n\n@", "I ran make.\nIt passes.\n\n@", "Done!\n@", "Was it run? Yes.\n@"),
    *("我运行了测试。\n全部通过。\n\n@", "已核对。\n@", "Geprüft.\n\n@", "確認しました。\n@", "Comprobado.\n@"),
    *(
        "- tests pass\n- lint is clean\n\n@",
        "- tests pass\n- lint is clean\n@",
        "* a\n* b\n\n**@**",
        "1. run\n2. seen\n\n@",
    ),
    *(
        "- [x] tests\n- [x] docs\n\n@",
        "- 测试通过\n- 文档齐全\n\n@",
        "- no error when offline\n- no warning if empty\n\n@",
    ),
    *("## Checks\n- a passes\n\n## Verdict\n@", "# Conclusion\n\n@", "### 结论\n@", "**Verdict**\n\n@", "**结论**\n@"),
    *(
        "Verdict:\n@",
        "Verdict:\n\n@",
        "**Verdict:**\n@",
        "Conclusion:\n\n@",
        "My final verdict:\n@",
        "Here is my verdict:\n@",
    ),
    *("结论：\n@", "结论：\n\n@", "**审查结论：**\n@", "最终结论:\n@", "结论如下：\n@", "审查结果：\n\n@"),
    *(
        "Fazit:\n@",
        "Ergebnis:\n\n@",
        "結論：\n@",
        "最終判定：\n@",
        "Conclusión:\n@",
        "Veredicto:\n\n@",
        "Résultat :\n@",
    ),
    *("Verdict: @", "**Verdict:** @", "**Verdict**: @", "结论：@", "All pass. Verdict: @", "## Verdict: @", "Fazit: @"),
    *("| a | ok |\n|---|---|\n| b | ok |\n\n@", "| a | if empty |\n@", "```\n$ make\n```\n@", "```sh\nmake\n```\n\n@"),
    *(
        "All tests pass\n@",
        "LGTM\n@",
        "任务已完成\n@",
        "结论：通过\n@",
        "Verdict: PASS\n@",
        "All good ✅\n@",
        "没问题\n@",
    ),
    *(
        "All tests pass\n\n@",
        "Every box is ticked\n\n@",
        "检查完毕\n\n@",
        "Alles in Ordnung\n@",
        "完了しました\n@",
        "Verdict\n@",
    ),
    *("3 tests failed at first.\nThey were mended.\n\n@", "Not done at the first look. It is now.\n\n@", "`make`\n@"),
    *(
        "The README was incomplete.\n\nNow it has all of it.\n\n@",
        "You said it was not done.\n\nIt is.\n@",
        "> so it was\n\n@",
    ),
    *(
        "The agent wrote:\n> all done\n\nThat is true.\n\n@",
        "> a quotation.\n\n@",
        "He said: fine.\n@",
        "```make```\n@",
    ),
    *(
        "Tests: 12 passed.\nLint: clean.\n@",
        "Ran it:\n```\nok\n```\n@",
        "Checked a.py, b.py, etc.\n@",
        "Why? Because it runs.\n@",
    ),
]
FENCED = [
    *(
        "```\n@\n```",
        "```\n@\n```\n",
        "~~~\n@\n~~~",
        "````\n@\n````",
        "```text\n@\n```",
        "```json\n@\n```",
        "```\n\n@\n\n```",
    ),
    *(
        "All done.\n```\n@\n```",
        "All done.\n\n```\n@\n```\n\n",
        "Verdict:\n```\n@\n```",
        "结论：\n\n```\n@\n```",
        "```\n@",
    ),
    *("```\nmake\n```\n\n```\n@\n```", "- ok\n\n```\n@\n```"),
]
NAMED = [
    *(
        "**Verdict:** ✅ **@**",
        "Task status: @",
        "審查結論：@",
        "Verdetto: @",
        "Conclusie: @",
        "Werdykt: @",
        "Karar: @",
    ),
    *(
        "Kết luận: @",
        "الحكم: @",
        "Вердикт: @",
        "Therefore, @",
        "综上所述，@",
        "Thus: @",
        "Donc, @",
        "Daher: @",
        "因此，\n@",
    ),
    *('The 24" monitor works.\n@', "Based on the above, my verdict is:\n\n@"),
]
# What was wrong and is so no longer, what is meant to be so, and what is said of a thing that is not the work.
MENDED = [
    *("The agent fixed the 3 tests that fail on main.\n\n@", "2 warnings remain, which is fine.\n\n@"),
    *("3 tests remain skipped by design.\n\n@", "It handles the case in which a job is not ready.\n\n@"),
    *("Uploads that are incomplete are rejected as specified.\n\n@", "The build no longer fails.\n@"),
    *(
        "Fixed problems:\n\n- the login bug\n- a crash\n\n@",
        "已解决的问题：\n- 登录失败\n\n@",
        "The tests pass. Good!\n\n@",
    ),
    *("The test failed. It is fixed now.\n\n@", "- [x] a\n- [x] b\n\n@", "| a | PASS |\n|---|---|\n| b | PASS |\n\n@"),
    *("1. fixed\n\n    @", "Was it run?\nYes.\n@", "Ran it:\n```\n0 failed\n```\n\n@"),
]
# The forms of good news: none of what could be wrong, all of what should be right.
GOOD_FORMS = [
    *(
        "Failures: 0, Errors: 0.\n\n@",
        "失败：0\n\n@",
        "失敗は0件です。\n@",
        "34개 통과, 0개 실패.\n@",
        "Sin fallos.\n@",
        "12/12 tests pass.\n@",
    ),
    *(
        "Outstanding: nothing\n\n@",
        "### Action items\n\nNone\n\n@",
        "**Blocking issues**\n\n- none\n\n@",
        "Offen: nichts\n\n@",
    ),
    *("Decision: allow\n\n@", "Score: 10/10\n\n@", "- Build: ✅\n- Tests: ✅\n\n@", "Is anything missing? No.\n\n@"),
    *(
        "First:\n```\n1 failed\n```\nAfter the fix:\n```\n13 passed\n```\n\n@",
        "```\ntest result: ok. 2 passed; 0 failed\n```\n\n@",
    ),
    *(
        "The login crashed.\n\nIt is fixed; all tests pass.\n\n@",
        "I asked for two things:\n1. a test\n2. docs\n\nBoth were done.\n\n@",
    ),
]
# A status as tools write it needs no full stop: how long it took and how many there were end it as well.
LAST_LINES = [
    *(
        "All 42 tests passed in 1.31s\n@",
        "42 passed in 1.31s\n@",
        "Tests: 42/42\n@",
        "===== 42 passed in 1.31s =====\n@",
    ),
    *(
        "12 passed, 0 failed\n@",
        "测试：42/42\n@",
        "42 个测试全部通过，用时 1.3 秒\n@",
        "Alle 42 Tests bestanden in 1,3 s\n@",
    ),
]
PERMISSION = in_both(
    [*ALONE, *DECORATED, *AFTER_SENTENCES, *ORDINARY, *AFTER_LINES, *FENCED, *NAMED, *MENDED, *GOOD_FORMS, *LAST_LINES]
)

WORDS_AFTER = [
    *(
        "@ yet.",
        "@ is not what I say",
        "@\nyet. 3 tests fail.",
        "I cannot say\n@\nyet. 3 tests fail.",
        "@\n\nBut fix the docs.",
    ),
    *(
        "@\nGood work.",
        "@\n- one more thing",
        "@ (after the fix)",
        "@?",
        "@ ?",
        "@？",
        "@…",
        "@...?",
        "@ — not",
        "@, if",
        "@:",
    ),
    *(
        "@\n\nWait, no.",
        "@ 还不行",
        "@\n不，还有测试失败。",
        "@ noch nicht",
        "@\nまだです。",
        "@ no todavía",
        "@\n```\nfoo\n```",
    ),
    *(
        "@\n❌",
        "@ ❌",
        "@ 🚫",
        "@ 👎",
        "@ x",
        "@\n> not so",
        "@ </s>",
        "@ -->",
        "@(not yet)",
        "@ \\",
        "@~~",
        "@ |",
        "@)",
    ),
    *(
        "Say @ when done.",
        "I may not print @ yet.",
        "Of @ I know nothing.",
        "The word @ is missing.",
        "写 @ 之前先测试。",
    ),
]
QUOTED = [
    *('"@"', "'@'", "“@”", "‘@’", "«@»", "„@“", "「@」", "『@』", "《@》", "‹@›", '"@', '@"', "“@", "＂@＂", "''@''"),
    *("> @", ">@", ">> @", "  > @", "> All is well.\n> @", "> **@**", "- > @", "> ```\n> @\n> ```", "> All done. @"),
    *(
        'He said "All is well. @',
        'You wrote "All done.\n@',
        "他说“一切达标。@",
        "彼は「完了しました。@",
        '"All is well. @"',
    ),
    *(
        "`All is well. @`",
        "`done. @",
        "<!-- @ -->",
        "<b>@</b>",
        "(@)",
        "（@）",
        "[@]",
        "{@}",
        "<@>",
        "|@|",
        "| verdict | @ |",
    ),
    *(
        "~~@~~",
        "<s>@</s>",
        "~@~",
        "\\@",
        "!@",
        "@@",
        "`@",
        "@`",
        "x@",
        "=@",
        "$ echo @",
        "return @",
        "// @",
        "-@",
        "--@",
    ),
    *(
        "You wrote:\n> @",
        "You wrote\n> @\nand that is wrong",
        "> He said\n@",
        "```\necho ok\n@\n```",
        "```\n@\nnot yet\n```",
    ),
    *("```\nAll is well. @\n```", "```\n@\n```\nwhen done.", "```\n@\n```\n\nNot so.", "```\nx\n@", "~~~\n@ no\n~~~"),
]
UNFINISHED = [
    *(
        "not yet @",
        "Not yet: @",
        "If that is fixed: @",
        "I cannot say @",
        "I will not write @",
        "我不能说 @",
        "还不是 @",
        "未 @",
    ),
    *(
        "3 tests fail … @",
        "3 tests fail... @",
        "3 tests fail, @",
        "3 tests fail: @",
        "3 tests fail; @",
        "3 tests fail — @",
    ),
    *(
        "Almost @",
        "I would say @",
        "End with @",
        "End with: @",
        "Only then: @",
        "Then write @",
        "e.g. @",
        "i.e. @",
        "z.B. @",
    ),
    *(
        "The agent wants @",
        "不能给出 @",
        "请输出 @",
        "如果修好了：@",
        "修好之后：@",
        "只有这样才能写 @",
        "例如：@",
        "应为：@",
    ),
    *(
        "Ich schreibe nicht @",
        "Noch nicht: @",
        "Wenn das geht: @",
        "No puedo decir @",
        "Todavía no: @",
        "まだ @",
        "もし直れば @",
    ),
    *(
        "Expected: @",
        "Example: @",
        "Example verdict: @",
        "Verdict if fixed: @",
        "My verdict would be: @",
        "Not my verdict: @",
    ),
    *(
        "Missing: @",
        "Format: @",
        "Marker: @",
        "Later: @",
        "TODO: @",
        "- [ ] @",
        "[ ] @",
        "❌ @",
        "🚫 @",
        "? @",
        "... @",
        "… @",
    ),
    *(
        "非 @",
        "¬ @",
        "no @",
        "NOT @",
        "never @",
        "isn't @",
        "All is well, but @",
        "一切达标，但 @",
        "To be @",
        "not\t@",
        "- not @",
    ),
]
INTRODUCED = [
    *(
        "I will not write:\n@",
        "I will not write:\n\n@",
        "End with:\n@",
        "Only then will I say\n@",
        "Only then will I say:\n\n@",
    ),
    *(
        "When it is done, write\n@",
        "When it is done, write\n\n@",
        "I cannot say\n@",
        "I cannot say\n\n@",
        "Not yet\n@",
        "Not\n@",
    ),
    *(
        "The answer would be:\n\n@",
        "Example:\n@",
        "Expected:\n\n```\n@\n```",
        "Print\n```\n@\n```",
        "Write this:\n```\n@\n```",
    ),
    *(
        "Never closed:\n```\n@",
        "1. Print\n    ```\n    @\n    ```",
        "- then write\n  @",
        "- then write\n@",
        "- write:\n  @",
    ),
    *(
        "我不会写：\n@",
        "完成后请输出：\n\n@",
        "只有测试通过才能说\n@",
        "我还不能说\n\n@",
        "等修好以后再写\n@",
        "格式：\n@",
    ),
    *(
        "Ich schreibe nicht:\n@",
        "Wenn alles geht, schreibe ich\n\n@",
        "No voy a escribir:\n@",
        "まだ言えません：\n@",
        "直ったら書きます\n@",
    ),
    *(
        "Remaining:\n- fix the tests\n- @",
        "1. Run the tests.\n2. Fix them.\n3. @",
        "- not yet\n- @",
        "- a\n- b\n- @",
        "Steps:\n1. @",
    ),
    *(
        "Do not write:\n---\n@",
        "Do not write:\n***\n\n@",
        "I refuse to say,\n@",
        "This is what I miss —\n\n@",
        "He says “\n@",
    ),
    *(
        "If all passed I would say\n\n@",
        "The agent claims that all is done\n@",
        "It is supposed to be done\n@",
        "Almost done\n@",
    ),
    *(
        "All done but the docs\n@",
        "It works, except that it does not\n@",
        "I expect\n@",
        "The marker is\n\n@",
        "so, instead of\n@",
    ),
    *(
        "I cannot say\n@\n@",
        "The next line is not mine...\n@",
        "I would write…\n\n@",
        "Look at this (\n@",
        "Examples:\n\nAll done. @",
    ),
]
CONTRADICTED = [
    *(
        "Verdict: FAIL\n\n@",
        "Verdict: FAIL.\n\n@",
        "Verdict: rejected. @",
        "结论：未通过。\n@",
        "结论：不通过\n@",
        "Verdict: not\n@",
    ),
    *(
        "Please fix test_a.\n\n@",
        "Fix the tests first. @",
        "请先修复测试。\n@",
        "Work remains.\n@",
        "It fails. @",
        "A run is needed for\n\n@",
    ),
    *(
        "I would give it once they pass. @",
        "We don't call this done. @",
        "还有几处问题。\n@",
        "3 个测试未通过。@",
        "Only then may I say it. @",
    ),
    *(
        "先不放行。\n@",
        "目前还不能算完成。\n\n@",
        "4 findings are still open.\n@",
        "I must withhold it. @",
        "It's premature. @",
    ),
    *(
        "This is not done. @",
        "Not yet. @",
        "Not done. @",
        "I cannot say this yet. @",
        "I will not write it. @",
        "Don't say it. @",
    ),
    *(
        "3 tests fail. @",
        "2 of the tests still fail. @",
        "The task is incomplete. @",
        "It is far from done. @",
        "I refuse. @",
    ),
    *(
        "还没有完成。@",
        "任务未完成。@",
        "我不能这样说。@",
        "尚未达标。@",
        "有 3 个测试失败。@",
        "拒绝给出结论。@",
        "仍有问题。@",
    ),
    *(
        "Das ist noch nicht fertig. @",
        "Todavía no está. @",
        "No está terminado. @",
        "まだです。@",
        "Pas encore. @",
        "아직. @",
    ),
    *(
        "If that is fixed, it is done. @",
        "Once it passes. @",
        "Only when CI is green. @",
        "Unless it fails. @",
        "如果修好就行。@",
    ),
    *(
        "This is not done.\n@",
        "Not yet.\n@",
        "I cannot say it yet.\n@",
        "3 tests fail.\n@",
        "还没有完成。\n@",
        "Noch nicht.\n@",
    ),
    *(
        "This is not done.\n\n@",
        "I will write it once the tests pass.\n\n@",
        "Do not write this.\n@",
        "まだ終わっていません。\n\n@",
    ),
    *(
        "## Not done\n@",
        "- 3 tests fail\n@",
        "It isn't finished. Sorry. @",
        "That is too early. @",
        "I would say it then. @",
    ),
]
# The block before it: a list, a table, a heading, code, a program's output, a paragraph.
STRUCTURE = [
    *("Remaining problems:\n\n- test_login\n- docs\n\n@", "What is left:\n\n1. run it\n\n2. push\n\n@"),
    *("- [x] parser\n- [ ] tests\n\n@", "✅ parser\n❌ tests\n\n@", "- ✗ tests\n\n@", "- a\n- test_b fails\n\n@"),
    *("| a | b |\n|---|---|\n| tests | FAIL |\n\n@", "| a | b |\n|---|---|\n| 测试 | 未通过 |\n\n@"),
    *(
        "## 审查未通过\n\n@",
        "## Rejected\n\n@",
        "# ❌ Tests are failing\n\n@",
        "Status: ❌\n\n@",
        "Not done.\n\n## Verdict\n\n@",
    ),
    *("It reads so.\n\n    All done.\n    @", "It reads so.\n\n\t@", "It reads so.\n\n    All done.\n\n    @"),
    *("I refuse to say the following:\n```\nok\n```\n\n@", "The last run:\n```\n3 failed\n```\n\n@"),
    *(
        "He wrote “I ran it.\nIt passes.\nDone.\n@",
        "~~All is well.\nIt passes.\n@",
        "(An example.\nOf what one says.\n@",
    ),
    *("<pre>\nAll is well.\n@", "<details>\nAll is well.\n\n@", "Is it done?\n@", "Should I write it?\n\n@"),
    *(
        "The work is NOT done. Good effort though.\n\n@",
        "任务没有完成。辛苦了。\n\n@",
        "It is not done.\nThank you.\n\n@",
    ),
    *(
        "When all tests pass, I will write it.\n@",
        "The line below is only an example.\n@",
        "The bug is fixed, but a test fails.\n\n@",
    ),
]
# What contradicts by its form, whatever its words.
FORMS = [
    *(
        "allow_stop: false\n\n@",
        "completed=false\n\n@",
        "Decision: block\n\n@",
        "**Verdict:** no\n\n@",
        "Score: 6/10\n\n@",
    ),
    *(
        "<verdict>block</verdict>\n\n@",
        "Status: 60% complete\n\n@",
        "9 of 10 tests pass.\n\n@",
        "Outcome: sent back\n\n@",
    ),
    *(
        "| a | met |\n|---|---|\n| x | yes |\n| y | partially |\n\n@",
        "- API: ok\n- Docs: later\n\n@",
        "✅ a\n⬜ b\n\n@",
    ),
    *("| a | met |\n|---|---|\n| x | ✓ |\n| y | |\n\n@", "Step 1 ✓\nStep 2 ✓\nStep 3 (later)\n\n@"),
    *(
        "### Action items\n\n- wire the router\n\n@",
        "改进意见：\n1. 补充边界测试\n\n@",
        "To fix before merge:\n- the race\n\n@",
    ),
    *(
        "```\nmake: *** [test] Error 2\n```\n\n@",
        "```\nnot ok 3 - parses\n```\n\n@",
        "```\ncat: a: No such file or directory\n```\n\n@",
    ),
    *("```\n5 passed\n```\nLater:\n```\n2 failed, 3 passed\n```\n\n@", "error TS2304: Cannot find name 'x'.\n\n@"),
    *("Is anything missing? Yes, the docs.\n\n@", "Is it complete? No\n\n@"),
]
# Read to its beginning: what comes after a finding and is not about the work settles nothing.
EARLIER = [
    *(
        "Two problems:\n\n1. login is broken\n2. no tests\n\nMy review is complete.\n\n@",
        "问题：\n1. 没有测试\n\n审查完毕。\n\n@",
    ),
    *(
        "3 tests fail.\n\nThank you.\n\n@",
        "Login is broken.\n\n```\n$ ls\n```\n\n@",
        "### Problems\n\nLogin returns 500.\n\n@",
    ),
    *("Login works.\n\nLogout throws a KeyError and fails.\n\nRegistration works.\n\n@",),
]
# Something is said, and nothing good: a description could be of either.
UNSURE = [
    *(
        "Half of the endpoints return 500.\n\n@",
        "The agent wrote a plan.\n\n@",
        "Return to sender.\n\n@",
        "Expected 42, got 41.\n\n@",
    ),
    *("The server does not allow empty names.\n\n@", "It does not write to stdout.\n\n@", "程序不会输出乱码。\n\n@"),
    *("Read a.py, b.py, etc.\n@", "- Rename the column\n- Backfill old rows\n\n@", "Praca nie jest skończona.\n\n@"),
    *(
        "The tests pass because they were disabled.\n\n@",
        "Most tests pass.\n\n@",
        "All tests pass apart from one.\n\n@",
    ),
]
# A fault that is still there, what nobody can confirm, what a run ended in, one more pass.
STILL_OPEN = [
    *("Le bug est toujours présent.\n\n@", "El bug sigue presente.\n\n@", "O bug continua presente.\n\n@"),
    *(
        "Il bug è ancora presente.\n\n@",
        "Der Fehler ist immer noch vorhanden.\n\n@",
        "De bug is nog steeds aanwezig.\n\n@",
    ),
    *(
        "我无法验证结果是否正确。\n\n@",
        "无法确认测试是否通过。\n\n@",
        "Ich kann nicht prüfen, ob es funktioniert.\n\n@",
    ),
    *("I could not verify that the bug is fixed.\n\n@", "Impossible de vérifier que les tests passent.\n\n@"),
    *("Ran the binary: segmentation fault.\n\n@", "Ran it: core dumped.\n\n@", "I ran it: killed by SIGKILL.\n\n@"),
    *("Another pass is warranted.\n\n@", "Tests: 41/42\n@", "41 passed, 1 failed in 1.31s\n@", "0 passed in 0.01s\n@"),
    *("I will say so once all 42 tests passed in 1.31s\n@", "The output must be 42 passed in 1.31s\n@"),
]
NOT_PERMISSION = in_both(
    [
        *(*WORDS_AFTER, *QUOTED, *UNFINISHED, *INTRODUCED, *CONTRADICTED),
        *(*STRUCTURE, *FORMS, *EARLIER, *UNSURE, *STILL_OPEN),
    ]
)

# What looks like the marker.
NOT_THE_MARKER = [
    *(
        "[task_completed]",
        "[Task_Completed]",
        "TASK_COMPLETED",
        "［TASK_COMPLETED］",
        "【TASK_COMPLETED】",
        "[ TASK_COMPLETED ]",
    ),
    *(
        "[TASK COMPLETED]",
        "[TASK-COMPLETED]",
        "[TASK_COMPLETE]",
        "[TASK_COMPLETED",
        "TASK_COMPLETED]",
        "[TASK_COMPLETED ]",
    ),
    *(
        "[[TASK_COMPLETED]]",
        "(TASK_COMPLETED)",
        "{TASK_COMPLETED}",
        "[TASK\\_COMPLETED]",
        "[TASK_\nCOMPLETED]",
        "[ТASK_COMPLETED]",
    ),
    *(
        "[TASK_COMP\u200dLETED]",
        "[TASK_COMPLETED]\u0336",
        "[TASK_COMPLETED](x)",
        "[TASK_COMPLETED]: x",
        "\\[TASK_COMPLETED\\]",
    ),
    *(
        "[T A S K _ C O M P L E T E D]",
        "[TASK_COMPLETED_NOT]",
        "[NOT_TASK_COMPLETED]",
        "[TASK_UNCOMPLETED]",
        "done",
        "OK",
        "完成",
    ),
]

# What looks like permission in JSON.
NOT_THE_OBJECT = [
    *(
        f"[{OBJECT}]",
        f'{{"verdict": {OBJECT}}}',
        f"{{verdict: {OBJECT}}}",
        f"[1, {OBJECT}]",
        f"{OBJECT},",
        f"{OBJECT};",
    ),
    *(
        f"{OBJECT}]",
        f"({OBJECT})",
        f"verdict = {OBJECT}",
        f"f({OBJECT})",
        f"{OBJECT}{OBJECT[:-1]}",
        f"{OBJECT} // not yet",
    ),
    '{"allow_stop": true, "needs_human": true}',
    '{"allow_stop": true, "feedback": "", "needs_human": true}',
    'All is well.\n{"allow_stop": true, "feedback": "", "needs_human": true}',
    '{"allow_stop": true, "completed": false, "feedback": ""}',
    '{"allow_stop": true, "completed": null, "feedback": ""}',
    '{"allow_stop": "true", "feedback": ""}',
    '{"allow_stop": tr\x00ue, "feedback": ""}',
    'All is well.\n{"allow_stop": tr\x00ue, "feedback": ""}',
    f'First {{"allow_stop": false, "feedback": "x"}}.\n{OBJECT}',
    f'{OBJECT}\n{{"allow_stop": false, "feedback": "x"}}',
    f'{OBJECT}\n\n{{"completed": false, "feedback": "x"}}',
    f'```json\n{{"allow_stop": false, "feedback": "x"}}\n```\n{OBJECT}',
    f"I will not answer {OBJECT} because 3 tests fail.",
]


# @ as it was written is not what cleaning makes of it.
@pytest.mark.parametrize(
    "form",
    [
        *(
            "@\x1b]0; no, wait: three tests fail",
            "@\x9d but three tests fail",
            "@\x1b_ but three tests fail",
            "@\u200b",
        ),
        *("\x1b]0;not\x07@", "not\x1b]0;\x07 @", "All is well.\n\x1bP no\x1b\\@", "@\x1b[8m no\x1b[0m", "@\x1b[2J"),
    ],
)
def test_what_cleaning_takes_away_beside_permission_counts_against_it(form: str) -> None:
    assert not marker_verdict(form.replace("@", MARKER)).allow_stop
    assert not by_object(form.replace("@", OBJECT)).allow_stop


@pytest.mark.parametrize("within", ["\u200b", "\u202e", "\x00", "\x1b]0;x\x07", "\x1b[2J"])
def test_a_marker_that_only_cleaning_makes_is_none(within: str) -> None:
    assert not marker_verdict(f"[TASK_{within}COMPLETED]").allow_stop
    assert not marker_verdict(f"{MARKER}\n[TASK_{within}COMPLETED]").allow_stop


def test_the_table_is_broad() -> None:
    forms = {*PERMISSION, *NOT_PERMISSION, *NOT_THE_MARKER, *NOT_THE_OBJECT}
    assert len(forms) == sum(map(len, (PERMISSION, NOT_PERMISSION, NOT_THE_MARKER, NOT_THE_OBJECT))) >= 400


@pytest.mark.spec("T10")
@each("form", PERMISSION)
def test_the_marker_as_the_last_word_is_permission(form: str) -> None:
    assert marker_verdict(form.replace("@", MARKER)) == Verdict(True, "")


@pytest.mark.spec("T10", "T11")
@each("form", NOT_PERMISSION)
def test_the_marker_in_any_other_place_is_feedback(form: str) -> None:
    verdict = marker_verdict(form.replace("@", MARKER))
    assert not verdict.allow_stop
    assert verdict.feedback
    assert not verdict.needs_human


@pytest.mark.spec("H6")
@each("object_", OBJECTS)
@each("form", PERMISSION)
def test_the_object_as_the_last_word_is_permission(form: str, object_: str) -> None:
    assert by_object(form.replace("@", object_)) == Verdict(True, "")


@pytest.mark.spec("H28")
@each("object_", OBJECTS)
@each("form", NOT_PERMISSION)
def test_the_object_in_any_other_place_is_feedback(form: str, object_: str) -> None:
    verdict = by_object(form.replace("@", object_))
    assert not verdict.allow_stop
    assert verdict.feedback


@each("text", NOT_THE_MARKER)
def test_what_only_looks_like_the_marker_is_feedback(text: str) -> None:
    assert not marker_verdict(text).allow_stop
    assert not marker_verdict(f"All is well.\n{text}").allow_stop


@each("text", NOT_THE_OBJECT)
def test_what_only_looks_like_permission_in_json_is_feedback(text: str) -> None:
    verdict = by_object(text)
    assert not verdict.allow_stop
    assert verdict.feedback


# --- answers built from the grammar, and what a change makes of them ---

SENTENCE = st.sampled_from(
    [
        *(
            "All is well.",
            "I ran make; 12 tests pass.",
            "Nothing is missing!",
            "一切达标。",
            "Alles geprüft.",
            "完了しました。",
        )
    ]
)
LINE = st.one_of(
    SENTENCE,
    st.lists(SENTENCE, min_size=2, max_size=3).map(" ".join),
    SENTENCE.map("- {}".format),
    st.sampled_from(["## Checks", "| a | ok |", "---", "", "- tests pass", "> it was said.\n", "```\n$ make\nok\n```"]),
)
LABEL = st.sampled_from(["", "Verdict: ", "**结论：**", "Fazit: ", "✅ ", "# "])
WRAP = st.sampled_from(["{}", "**{}**", "`{}`", "__{}__", "{}。", "{}.", "{} ✅", "**{}**!", "{}\n", "{}\n\n---\n"])
BLOCK = st.sampled_from(["{}", "{}", "```\n{}\n```", "~~~text\n\n{}\n~~~\n"])


@st.composite
def endings(draw: st.DrawFn) -> str:
    """The last words of an answer, with @ for what permits."""
    if (block := draw(BLOCK)) != "{}":
        return block.format("@")
    return draw(LABEL) + draw(WRAP).format("@")


BODY = st.lists(LINE, max_size=6).map("\n".join)
ANSWER = st.builds("{}\n{}".format, BODY, endings())
SPOILED = st.sampled_from(
    [
        *(
            "{}\nNot so.",
            "{}\n\nyet.",
            "{} ?",
            "{}\n- more",
            '"{}"',
            "“{}”",
            "> {}",
            "{}\n还没有完成",
            "{}\n```\nx\n```",
        ),
        *("{}\n[NEEDS_HUMAN]", "{}\n{{}}", "{}\nx", "{}\n@ no"),
    ]
)
LED = st.sampled_from(
    [
        *("I will not write:", "Only then will I say", "End with:", "Not yet.", "3 tests fail.", "This is not done."),
        *(
            "我不能说：",
            "还没有完成。",
            "只有这样才能写",
            "Noch nicht.",
            "まだです。",
            "You wrote “",
            "It is so, but",
            "e.g.",
        ),
    ]
)


@settings(max_examples=600, deadline=None)
@given(ANSWER)
def test_whatever_the_grammar_builds_is_permission(answer: str) -> None:
    assert marker_verdict(answer.replace("@", MARKER)).allow_stop
    assert by_object(answer.replace("@", OBJECT)).allow_stop


@settings(max_examples=600, deadline=None)
@given(ANSWER, SPOILED)
def test_a_word_after_it_or_quotation_marks_undo_permission(answer: str, spoiled: str) -> None:
    *before, ending = answer.rstrip().rpartition("\n")
    assume("@" in ending)
    text = "".join((*before, spoiled.format(ending)))
    assert not marker_verdict(text.replace("@", MARKER)).allow_stop
    assert not by_object(text.replace("@", OBJECT)).allow_stop


@settings(max_examples=600, deadline=None)
@given(BODY, LED, st.sampled_from(["\n", "\n\n", "\n---\n"]), endings())
def test_what_leads_up_to_it_or_denies_it_undoes_permission(body: str, led: str, gap: str, ending: str) -> None:
    text = f"{body}\n{led}{gap}{ending}"
    assume(not ("```" in body and body.count("```") % 2))
    assert not marker_verdict(text.replace("@", MARKER)).allow_stop
    assert not by_object(text.replace("@", OBJECT)).allow_stop


PIECES = [
    MARKER,
    HUMAN_MARKER,
    OBJECT,
    *'\n\n\n*_`>#-"“”「」()[]{}.。!?:：, ',
    "```",
    "~~~",
    "not",
    "done",
    "x",
    "不",
    "✅",
]


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("")
def test_permission_is_always_at_the_end(text: str) -> None:
    ends = re.compile(r"(?:[\s*_`.!。✅~=-])*\Z")
    if marker_verdict(text).allow_stop:
        assert ends.match(text, text.rindex(MARKER) + len(MARKER))
    if by_object(text).allow_stop:
        assert ends.match(text, text.rindex("}") + 1)
    assert MARKER in text or marker_verdict(text).feedback
    words_of(text)


@settings(max_examples=500, deadline=None)
@given(st.text(st.characters(), max_size=30), st.text(st.characters(), max_size=30))
def test_no_text_around_a_marker_makes_it_raise(before: str, after: str) -> None:
    for marker in (MARKER, HUMAN_MARKER, OBJECT):
        marker_verdict(before + marker + after)
        by_object(before + marker + after)
        words_of(before + marker + after)


# --- the second marker ---


@pytest.mark.spec("T10", "T11")
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The key is missing.\n**[NEEDS_HUMAN]**", Verdict(False, "The key is missing.", needs_human=True)),
        ("The key is missing. [NEEDS_HUMAN]", Verdict(False, "The key is missing.", needs_human=True)),
        ("缺少密钥。[NEEDS_HUMAN]。", Verdict(False, "缺少密钥。", needs_human=True)),
        ("[NEEDS_HUMAN]\nThe key is missing.", Verdict(False, "The key is missing.", needs_human=True)),
        ("```\n[NEEDS_HUMAN]\n```\nKey?", Verdict(False, "```\n```\nKey?", needs_human=True)),
        ("Decide.\n[TASK_COMPLETED]\n[NEEDS_HUMAN]", Verdict(False, "Decide.", needs_human=True)),
        ("Decide. [NEEDS_HUMAN] [TASK_COMPLETED]", Verdict(False, "Decide. [TASK_COMPLETED]", needs_human=True)),
        ("[TASK_COMPLETED] [NEEDS_HUMAN]", Verdict(False, "请继续完成任务", needs_human=True)),
        ("[NEEDS_HUMAN]\nAll is well.\n[TASK_COMPLETED]", Verdict(False, "All is well.", needs_human=True)),
        ("I cannot say\n[NEEDS_HUMAN]\nyet.", Verdict(False, "I cannot say\nyet.")),
        ("“[NEEDS_HUMAN]”", Verdict(False, "“[NEEDS_HUMAN]”")),
        ("Never write:\n[NEEDS_HUMAN]", Verdict(False, "Never write:")),
    ],
)
def test_a_person_is_called_by_the_same_grammar(text: str, verdict: Verdict) -> None:
    assert marker_verdict(text) == verdict


@pytest.mark.parametrize(
    ("text", "needs_human"),
    [
        ('{"allow_stop": false, "feedback": "f", "needs_human": true}', True),
        ('{"allow_stop": true, "feedback": "f", "needs_human": true}', True),
        ('Stuck.\n{"allow_stop": false, "feedback": "f", "needs_human": true}', True),
        ('{"allow_stop": false, "feedback": "f", "needs_human": true}\nSorry.', True),
        ('I do not say {"allow_stop": false, "feedback": "f", "needs_human": true} here.', False),
        ('"{"allow_stop": false, "feedback": "f", "needs_human": true}"', False),
    ],
)
def test_a_person_is_called_in_json_by_the_same_grammar(text: str, needs_human: bool) -> None:
    assert by_object(text) == Verdict(False, "f", needs_human=needs_human)


# --- the words that go on ---


@pytest.mark.parametrize(
    "text",
    [
        f"I will not answer {OBJECT} because 3 tests fail.",
        'I will not answer {"allow_stop": true, "feedback": "fine"} because 3 tests fail.',
        f"{OBJECT}\n\nBut the docs are missing.",
        f"Only then:\n{OBJECT}",
    ],
)
def test_permission_that_was_not_given_goes_on_with_all_its_words(text: str) -> None:
    assert by_object(text) == Verdict(False, text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Fine.\n[TASK_COMPLETED]", "Fine."),
        ("Fine. **[TASK_COMPLETED]**", "Fine."),
        ("Fine.\n- ✅ [TASK_COMPLETED]。", "Fine."),
        ("Ask.\n[NEEDS_HUMAN]\nNow.", "Ask.\nNow."),
        ("[TASK_COMPLETED]", ""),
        ("I cannot say\n[TASK_COMPLETED]\nyet.", "I cannot say\n[TASK_COMPLETED]\nyet."),
        ("> [TASK_COMPLETED]", "> [TASK_COMPLETED]"),
        ("End with:\n[TASK_COMPLETED]", "End with:\n[TASK_COMPLETED]"),
        ("Never write:\n[NEEDS_HUMAN]", "Never write:\n[NEEDS_HUMAN]"),
        ("> [TASK_COMPLETED]\n\nTrue.\n[TASK_COMPLETED]", "> [TASK_COMPLETED]\n\nTrue."),
        ("\x1b[2Jno marker", "no marker"),
    ],
)
def test_a_marker_is_hidden_only_where_it_counts(text: str, shown: str) -> None:
    assert words_of(text) == shown


# --- hostile answers ---


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        *(
            "@" * 100_000,
            "@\n" * 100_000 + "x",
            "@ " * 100_000 + "x",
            "[" * 100_000 + "@",
            "`" * 100_000 + "x@",
            '"' * 99_999 + "@",
        ),
        *(
            "“" * 99_999 + "\n@",
            "```\n" * 100_001 + "x@",
            "```\n@\n```\n" * 30_000 + "x",
            ">" * 100_000 + "@",
            "> " * 100_000 + "@",
        ),
        *(
            "```\n" + "\n" * 50_000 + "@\n" * 50_000,
            "not " * 100_000 + "@",
            "I will not " * 50_000 + "\n@",
            "不" * 100_000 + "\n@",
        ),
        *(
            "- = _ " * 100_000 + "x\n@?",
            "#" * 100_000 + "@",
            "- " * 100_000 + "x@",
            "`\n" * 100_000 + "x@",
            "a. " * 100_000 + "@?",
        ),
        *("1,1 s " * 50_000 + "\n@", "=" * 100_000 + "x\n@", "bug a " * 50_000 + "\n@"),
    ],
    ids=range(23),
)
def test_hostile_text_around_a_marker_is_read_once(text: str) -> None:
    for marker in (MARKER, HUMAN_MARKER):
        assert not marker_verdict(text.replace("@", marker)).allow_stop
        words_of(text.replace("@", marker))
    assert not by_object(text[:60_000].replace("@", OBJECT) + "x").allow_stop
