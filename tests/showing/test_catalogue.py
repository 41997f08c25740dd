"""Every line that ccc says has a Chinese form, with the same facts and the same command to type."""

from __future__ import annotations

import ast
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc.base import documents, files, process
from ccc.providers import config
from ccc.showing import catalogue
from ccc.showing.catalogue import SLOT, chinese
from tests.world import World, provider

ROOT = Path(__file__).parents[2]
SOURCES = [path for part in ("src", "hooks", "legacy") for path in sorted((ROOT / part).rglob("*.py"))]
TREES = {path: ast.parse(path.read_text()) for path in SOURCES}
CJK = re.compile("[\u4e00-\u9fff]")
SPEAKING = {"say", "_fail", "told"}
# These speak with the words of their own tables, in both languages, or with what the specification fixes.
BILINGUAL = {"clean.py", "logs.py", "report.py", "gate.py"}


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def error_names() -> set[str]:
    """CccError and whatever inherits from it."""
    nodes = [node for tree in TREES.values() for node in ast.walk(tree)]
    bases = [(node.name, {_last(base) for base in node.bases}) for node in nodes if isinstance(node, ast.ClassDef)]
    found = {"CccError"}
    while more := {name for name, parents in bases if parents & found} - found:
        found |= more
    return found


ERRORS = error_names()


def _texts(node: ast.AST) -> Iterator[ast.expr]:
    """The outermost strings and f-strings in it."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def _rendered(node: ast.expr) -> tuple[str, set[str]]:
    """The text with a value of its own for each expression in it, and these values."""
    if isinstance(node, ast.Constant):
        return str(node.value), set()
    assert isinstance(node, ast.JoinedStr)
    values: dict[str, str] = {}
    text = ""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            text += values.setdefault(ast.dump(part.value), f"Zq{len(values)}")
        else:
            assert isinstance(part, ast.Constant)
            text += str(part.value)
    return text, set(values.values())


def _spoken(path: Path, tree: ast.Module) -> Iterator[ast.expr]:
    """Every text that ends as a line for a person."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and _last(node.exc.func).islower():
            yield from (arg for arg in node.exc.args[:1] if isinstance(arg, ast.JoinedStr))  # kind(f"…")
        if isinstance(node, ast.ClassDef) and node.name in ERRORS:
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__":
                    yield from _texts(call)
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name, first = _last(node.func), node.args[0]
        if name in ERRORS or (name in SPEAKING and path.name not in BILINGUAL):
            if isinstance(first, ast.JoinedStr | ast.Constant):
                yield first
            else:
                yield from _made_elsewhere(tree, first)


def _made_elsewhere(tree: ast.Module, told: ast.expr) -> Iterator[ast.expr]:
    """The f-strings of the function whose result is said, at once or in a loop."""
    if isinstance(told, ast.Name):
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and _last(node.target) == told.id]
        makers = [_last(node.iter.func) for node in loops if isinstance(node.iter, ast.Call)]
    else:
        makers = [_last(told.func)] if isinstance(told, ast.Call) else []
    for maker in makers:
        for other in TREES.values():
            for node in ast.walk(other):
                if isinstance(node, ast.FunctionDef) and node.name == maker and _returns_text(node):
                    texts = [text for text in _texts(node) if isinstance(text, ast.JoinedStr)]
                    yield from (text for text in texts if len(_rendered(text)[0].split()) > 2)


def _returns_text(function: ast.FunctionDef) -> bool:
    return function.returns is not None and ast.unparse(function.returns) in ("str", "list[str]")


def spoken() -> list[tuple[str, str, frozenset[str]]]:
    found = {}
    for path, tree in TREES.items():
        for node in _spoken(path, tree):
            text, values = _rendered(node)
            found[text] = (f"{path.relative_to(ROOT)}:{node.lineno}", text, frozenset(values))
    return list(found.values())


def test_the_sources_are_read() -> None:
    texts = {text for _, text, _ in spoken()}
    assert len(texts) > 90
    assert {"ConfigError", "UnknownProvider", "ClaudeNotFound", "BadCriteria", "CannotStart", "Untrusted"} <= ERRORS
    assert "cannot Zq0 Zq1: Zq2; Zq3" in texts  # raise kind(…)
    assert "Zq0 has no hook of ccc's" in texts  # _say(placement.remove(…))
    assert "Zq0 sets Zq1: Zq2; ccc leaves it as it is" in texts  # for warning in _warnings(…): say(warning)
    assert any(text.startswith("unexpected ") for text in texts)  # _fail(_unexpected(…), 1)
    assert "Write this?" in texts


@pytest.mark.parametrize(("where", "text", "values"), spoken(), ids=lambda given: given if ".py:" in given else "")
def test_every_line_has_chinese(where: str, text: str, values: frozenset[str]) -> None:
    shown = chinese(text)
    add = f"{where}: add this line and its Chinese to src/ccc/catalogue.zh.txt: {text!r}"
    assert CJK.search(shown), add
    assert all(value in shown for value in values), f"{add} (its Chinese loses a value: {shown!r})"


@pytest.mark.parametrize(("english", "translated"), catalogue.pairs(), ids=lambda text: text[:40])
def test_both_languages_name_the_same_things(english: str, translated: str) -> None:
    assert set(SLOT.findall(english)) == set(SLOT.findall(translated))
    assert not re.search(r"\}\{[a-z]", english), "nothing tells where the first ends"
    for command in re.findall(r"(?:ccc|chmod|pipx?|export) [a-z-]+(?: --[a-z-]+)*", english.partition(";")[2]):
        if re.search(rf"(?::|or|with:|type) {command}", english):
            assert command in translated


def test_no_line_is_translated_twice() -> None:
    english = [line for line, _ in catalogue.pairs()]
    assert len(english) == len(set(english))


@pytest.mark.parametrize(
    "part",
    [
        *files._WHAT_TO_DO.values(),
        *process.ADVICE.values(),
        *config._WANTED.values(),
        *map(documents.kind, (True, 1, 1.5, "", [], {}, None)),
    ],
)
def test_the_parts_of_lines_are_translated(part: str) -> None:
    assert CJK.search(chinese(part)), part


def test_parts_are_translated_inside_a_line() -> None:
    line = "/c.json is not valid JSON (line 3, column 7: Expecting value); mend it, or move it away and run: ccc init"
    assert chinese(line) == "/c.json 不是合法的 JSON（第 3 行第 7 列：此处应有一个值）；请改正，或移走后运行：ccc init"
    assert chinese("cannot move away /a b: Permission denied; check its owner and permissions") == (
        "无法移走 /a b：权限不够；请检查它的所有者和权限"
    )


def test_names_and_paths_are_not_translated() -> None:
    assert "（null）" in chinese("the last stop was not reviewed (null); the log tells more")
    assert chinese("no session begins with null; `ccc status` shows the recent ones").startswith("没有以 null 开头")


@pytest.mark.parametrize("line", ["", "{path}", "hello", "ccc", "\0", "\udc80", "没有名为 'x' 的提供商"])
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert chinese(line) == line


def test_a_slot_may_hold_what_looks_like_a_slot() -> None:
    assert chinese("written: {path} {name} \\1; edit it, it is what reviews go by").startswith(
        "已写入：{path} {name} \\1；"
    )


def test_hostile_lines_cost_nothing() -> None:
    pieces = sorted({literal for template in catalogue._templates() for literal in template.literals if literal})
    chance = random.Random(0)
    lines = [piece * (10_000 // len(piece)) for piece in (": ", "; ", " must be ", "cannot ", " or ", "x")]
    lines += ["".join(chance.choices(pieces, k=400)) for _ in range(20)]
    lines += ["x" + "; it is now y, and the session counts from 0" * 250]
    begun = time.perf_counter()
    for line in lines:
        assert isinstance(chinese(line), str)
    assert time.perf_counter() - begun < 2


def told(world: World, *args: str, **env: str) -> str:
    run = world.ccc(*args, env=world.env(**env))
    assert run.code != 0
    assert not run.out
    return run.err


@pytest.mark.parametrize("env", [{"CCC_LANG": "zh"}, {"LANG": "zh_CN.UTF-8"}, {"LC_ALL": "zh_TW.UTF-8"}])
def test_whoever_reads_chinese_is_told_in_chinese(world: World, env: dict[str, str]) -> None:
    found = world.config / "ccc.json"
    assert told(world, "validate", **env) == f"ccc: {found} 里没有配置提供商；请运行：ccc init\n"
    world.write_config({"glm": provider("https://glm.example"), "gm": {}})
    assert told(world, "gml", **env) == (
        "ccc: 没有名为 'gml' 的提供商：您是不是想输入 gm 或 glm？要把这个词交给 claude：ccc -- gml\n"
    )
    found.write_text('{"providers": ')
    assert told(world, "glm", **env) == (
        f"ccc: {found} 不是合法的 JSON（第 1 行第 15 列：此处应有一个值）；请改正，或移走后运行：ccc init\n"
    )
    assert told(world, "init", "--nope", **env).startswith("ccc: 没有选项 ")


@pytest.mark.parametrize("env", [{"CCC_LANG": "en", "LANG": "zh_CN.UTF-8"}, {"LANG": "C"}, {"LANG": "de_DE.UTF-8"}])
def test_everybody_else_in_english(world: World, env: dict[str, str]) -> None:
    found = world.config / "ccc.json"
    assert told(world, "validate", **env) == f"ccc: no provider is configured in {found}; run: ccc init\n"
    assert told(world, "gml", **env).startswith("ccc: no provider is called 'gml': ")
    assert not CJK.search(world.ccc("--help", env=world.env(**env)).out)


def test_the_help_has_the_same_commands_in_both_languages(world: World) -> None:
    ours = world.ccc("--help", env=world.env(CCC_LANG="zh")).out
    theirs = world.ccc("--help", env=world.env(CCC_LANG="en")).out
    assert CJK.search(ours)
    commands = re.compile(r"^  (?:CCC_SUPERVISOR=1 )?(ccc(?: [a-z-]+)*)", re.MULTILINE)
    assert commands.findall(ours) == commands.findall(theirs), "bring HELP of the catalogue in line with the cli's"
    assert len(ours.splitlines()) == len(theirs.splitlines())
    for name in re.findall(r"CCC_[A-Z]+|ccc\.json", theirs):
        assert name in ours


def test_init_asks_in_chinese(world: World) -> None:
    run = world.ccc("init", env=world.env(CCC_LANG="zh"), stdin=b"anthropic\ny\n")
    assert run.code == 0
    for words in (
        "提供商",
        "写入吗？",
        "不含密钥：使用客户端自己的登录",
        "接下来：ccc validate anthropic，然后：ccc anthropic",
    ):
        assert words in run.err, run.err
