"""Every sentence that ccc says has a Chinese form, with the same facts and the same command to type."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import documents, files, process
from ccc.base import messages as spoken
from ccc.base.catalogue import Catalogue
from ccc.base.errors import CccError
from ccc.base.messages import Message, Phrases, foreign, msg, record, recorded, said
from ccc.base.text import encodable
from ccc.commands import usage
from ccc.providers import config
from ccc.record.outside import WORDS as OUTSIDE
from ccc.record.outside import Kind
from ccc.showing.statusline import OUTCOMES
from tests import messages
from tests.tables import each
from tests.world import World, provider

CJK = re.compile("[\u4e00-\u9fff]")
SLOT = re.compile(r"\{([a-z_]+)[^}]*\}")
ROOT = Path(__file__).parents[2]


@cache
def trees() -> dict[Path, ast.Module]:
    parts = [ROOT / part for part in ("src", "hooks", "legacy")]
    return {path: ast.parse(path.read_text()) for part in parts for path in part.rglob("*.py")}


@cache
def known() -> dict[tuple[str | None, str], str]:
    return {(each.context, each.id): each.string for each in messages.translated() if each.id}


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


@cache
def error_names() -> set[str]:
    """CccError and whatever inherits from it."""
    nodes = [node for tree in trees().values() for node in ast.walk(tree)]
    bases = [(node.name, {_last(base) for base in node.bases}) for node in nodes if isinstance(node, ast.ClassDef)]
    found = {"CccError"}
    while more := {name for name, parents in bases if parents & found} - found:
        found |= more
    return found


def spoken_otherwise() -> Iterator[str]:
    """Texts that go to a person without being a sentence of the catalogue."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _last(node.func) in {*error_names(), "say", "_fail"}:
                for given in node.args[:2]:
                    if isinstance(given, ast.JoinedStr) or (
                        isinstance(given, ast.Constant) and isinstance(given.value, str)
                    ):
                        yield f"{path.name}:{node.lineno}: {ast.unparse(given)}"


def test_whoever_speaks_to_a_person_speaks_in_messages() -> None:
    assert {
        "ConfigError",
        "UnknownProvider",
        "ClaudeNotFound",
        "BadCriteria",
        "CannotStart",
        "Untrusted",
    } <= error_names()
    assert list(spoken_otherwise()) == []


def test_the_words_of_a_message_are_written_where_it_is_made() -> None:
    """A template that is put together elsewhere could not be found."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "msg":
                assert list(messages._literals(node.args[0])), f"{path.name}:{node.lineno}"


def test_a_phrase_is_looked_up_by_the_name_it_is_kept_under() -> None:
    """Of a class and of a member of an enumeration that is what the source has; of a constant it is not."""
    calls = [
        node
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Phrases" and len(node.args) > 1
    ]
    keys = [key for call in calls if isinstance(call.args[1], ast.Dict) for key in call.args[1].keys]
    assert keys
    assert [key.id for key in keys if isinstance(key, ast.Name) and key.id.isupper()] == []


def test_a_phrase_can_be_handed_on_by_who_does_not_know_the_language() -> None:
    told = msg("{outcome} ({cost})", outcome=OUTCOMES.message("needs_human"), cost="$1.00")
    assert (str(told), said(told, "zh")) == ("needs you ($1.00)", "需要你（$1.00）")


def test_the_catalogue_has_every_sentence_and_no_other() -> None:
    catalogue = messages.in_line(messages.translated())
    assert messages.PO.read_bytes() == messages.po_bytes(catalogue), "run: python -m tests.messages"
    assert messages.MO.read_bytes() == messages.mo_bytes(catalogue), "run: python -m tests.messages"
    assert len(known()) > 500


@each("context, english", known)
def test_every_sentence_has_chinese_with_the_same_things_in_it(context: str | None, english: str) -> None:
    chinese = known()[context, english]
    assert chinese
    assert set(SLOT.findall(english)) == set(SLOT.findall(chinese))
    assert "，\n" not in chinese  # a line ends where a sentence does
    for command in [] if "\n" in english else re.findall(r"(?:ccc|chmod|pipx?|export) [a-z-]+(?: --[a-z-]+)*", english):
        if re.search(rf"(?:: |or |with: |type ){command}", english):
            assert command in chinese


@cache
def filled() -> set[str]:
    """The sentences that are made with values; in all others a brace is a brace."""
    calls = [
        node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Call) and node.keywords
    ]
    return {text for call in calls if _last(call.func) == "msg" for text in messages._literals(call.args[0])}


def fields(template: str) -> set[tuple[str, str | None, str | None]]:
    """What `format` fills in, by its own account, and how."""
    return {(name, how, turned) for _, name, how, turned in Formatter().parse(template) if name is not None}


@each("context, english", lambda: [key for key in known() if key[0] is None and key[1] in filled()])
def test_a_translation_is_filled_with_exactly_what_its_sentence_is(context: str | None, english: str) -> None:
    assert fields(known()[context, english]) == fields(english)


@pytest.mark.parametrize("broken", ["{…} {path}", "{0}", "{", "{path.x}", "{path[0]}{path[x]}", "{path:d}", "{path!z}"])
def test_a_broken_translation_is_english(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    class Broken(Catalogue):
        def said(self, english: str, context: str = "") -> str:
            return broken

    monkeypatch.setattr("ccc.base.messages._catalogue", lambda _: Broken(b""))
    assert said(msg("look at {path}", path="/x"), "zh") == "look at /x"


@pytest.mark.parametrize("content", [{"providers": {"mine": {"env": "x"}}}, {"supervisor": []}, {"providers": []}])
def test_a_wrong_kind_in_the_configuration_is_told_in_chinese(world: World, content: dict[str, object]) -> None:
    world.write_config({}).write_text(json.dumps(content))
    run = world.ccc("providers", env=world.env(CCC_LANG="zh"))
    assert (run.code, "必须是对象 {…}，而不是" in run.err) == (1, True)


@pytest.mark.parametrize(
    "part",
    [
        *files._WHAT_TO_DO.values(),
        *process.ADVICE.values(),
        *config._WANTED.values(),
        *map(documents.kind, (True, 1, 1.5, "", [], {}, None)),
        *map(foreign, map(os.strerror, (errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EISDIR))),
    ],
)
def test_the_parts_of_lines_are_translated(part: str) -> None:
    assert CJK.search(said(part, "zh")), part


def test_parts_are_translated_inside_a_line() -> None:
    broken = json_error("{\n\n  1")
    assert said(broken.message, "zh").startswith("/c.json 不是合法的 JSON（第 3 行第 3 列：")
    moved = msg(
        "cannot {doing} {path}: {reason}",
        doing=msg("move away"),
        path=Path("/a b"),
        reason=foreign("Permission denied"),
    )
    both = CccError(moved, msg("check its owner and permissions"))
    assert said(both.message, "zh") == "无法移走 /a b：权限不够；请检查它的所有者和权限"
    assert str(both) == "cannot move away /a b: Permission denied; check its owner and permissions"


def json_error(text: str) -> CccError:
    with pytest.raises(CccError) as caught:
        documents.parsed(text, Path("/c.json"))
    return caught.value


def test_an_error_has_what_happened_and_what_to_do() -> None:
    error = CccError("it broke", "mend it")
    assert (error.what, error.fix, str(error)) == ("it broke", "mend it", "it broke; mend it")
    assert str(CccError("it broke")) == "it broke"


def test_names_and_paths_are_not_translated() -> None:
    assert said(msg("no session begins with {prefix}", prefix="null"), "zh").endswith("null 开头的会话")


@pytest.mark.parametrize("line", ["", "{path}", "hello", "ccc", "\0", "\udc80", "没有名为 'x' 的提供商"])
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert said(line, "zh") == said(line, "en") == line == said(foreign(line), "zh")


@given(st.text(), st.text())
def test_a_message_reads_as_its_english_text(template: str, value: str) -> None:
    whole = template.replace("{", "{{").replace("}", "}}") + "{value}"
    made = msg(whole, value=value)
    assert isinstance(made, Message)
    assert made == template + value == said(made, "zh")
    assert json.loads(json.dumps(made)) == made


def test_a_value_may_hold_what_looks_like_a_slot() -> None:
    told = msg("written: {path}; edit it, it is what reviews go by", path="{path} {name} \\1")
    assert said(told, "zh").startswith("已写入：{path} {name} \\1；")


def test_phrases_of_one_english_differ_by_their_context() -> None:
    one, other = Phrases("logs", {"failed": "failed"}), Phrases("report", {"failed": "failed"})
    assert one["en"]["failed"] == other["en"]["failed"]
    assert one["zh"]["failed"] != other["zh"]["failed"]


@pytest.mark.parametrize(
    ("line", "chinese"),
    [
        ("No such option '--nope'.", "没有选项 '--nope'"),
        ("Invalid value for '--limit': 'x' is not a valid integer.", "'--limit'"),
        ("Missing argument 'COMMAND'.", "'COMMAND'"),
        ("Invalid value for '--state-dir': Directory 'x' does not exist.", "目录 'x' 不存在"),
        ("Directory 'x' is a file.", "'x' 是文件"),
    ],
)
def test_what_click_says_is_told_in_chinese(line: str, chinese: str) -> None:
    assert usage.said(line, "en") == line
    assert chinese in usage.said(line, "zh")
    assert CJK.search(usage.said(line, "zh"))


@given(st.text(alphabet="No suchptina'.:{}x ", max_size=200))
def test_any_line_of_click_is_told(line: str) -> None:
    assert isinstance(usage.said(line, "zh"), str)


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
        "ccc: 没有名为 'gml' 的命令或提供商：你是不是想输入 gm 或 glm？要把这个词交给 claude：ccc -- gml\n"
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
    assert told(world, "gml", **env).startswith("ccc: no command or provider is called 'gml': ")
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
        "接下来：ccc anthropic",
    ):
        assert words in run.err, run.err


@pytest.mark.parametrize("kept", [0, 3, 4, 10, 27, 28, 400, -1])
def test_a_catalogue_that_is_cut_off_says_less(kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = messages.MO.read_bytes()
    cut = tmp_path / "zh/LC_MESSAGES/ccc.mo"
    cut.parent.mkdir(parents=True)
    cut.write_bytes(whole[:kept])
    monkeypatch.setattr(spoken, "LOCALE", str(tmp_path))
    first, *_ = sorted(english for context, english in known() if not context)
    assert spoken._catalogue.__wrapped__("zh").said(first) in (first, known()[None, first])
    cut.write_bytes(whole)
    assert spoken._catalogue.__wrapped__("zh").said(first) == known()[None, first]


@pytest.mark.parametrize(
    "made",
    [
        msg("switched off by the person"),
        msg("{count:.0f} of {limit:g} minutes used", count=3.2, limit=5.0),
        msg("{what}; {fix}", what=msg("{path} is read-only", path=Path("/x")), fix=msg("rename it")),
        OUTSIDE.message(Kind.HOOK),
        msg("{path} is read-only", path="/h\udcff"),
        "no sentence at all",
    ],
)
def test_a_sentence_that_was_written_down_can_be_said_in_another_language(made: str) -> None:
    told = json.loads(json.dumps(record(made, str(made)), ensure_ascii=False).encode())
    english = encodable(str(made))  # as a file has it
    found = recorded(english, told)
    assert (found, said(found, "en"), said(found, "zh")) == (english, english, encodable(said(made, "zh")))
    assert isinstance(found, Message) is isinstance(made, Message)


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        {"english": "another", "template": "rename it"},
        {"english": "x", "template": 5},
        {"english": "x", "template": "{x.__class__:>999999999}", "values": {"x": 1}},
        {"english": "x", "template": "{path} is read-only", "values": {"other": 1}},
        {"english": "x", "template": "{count:.0f} of {limit:g} minutes used", "values": {"count": "a", "limit": []}},
        {"english": "x", "template": "rename it", "values": [], "context": 1},
    ],
)
def test_what_somebody_else_has_written_down_stays_as_it_is(told: object) -> None:
    assert said(recorded("x", told), "zh") == "x"
