"""No folder, file, model or setting can act on a terminal or forge a log: there is one way out."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import sink
from ccc.base.text import visible
from tests import warm
from tests.base.test_text import FORBIDDEN, HOSTILE
from tests.pty_desk import DONE
from tests.pty_desk import Desk as PtyDesk
from tests.stops import CLAUDE, ID
from tests.test_architecture import modules
from tests.world import CCC, World, fake_claude, provider

ODD = "\x1b]52;c;aGk=\x07\x9b31m\n\u202e\x85\x7f end"
# A folder name may hold any byte but these two; 0x9b and 0xff alone are no UTF-8.
FOLDER = os.fsdecode(b"odd " + ODD.encode() + b" \x9b2J \xff")
READABLE = f"odd {ODD}"  # ccc starts no client in a folder that the client cannot spell
UTF8 = {"LANG": "C.UTF-8", "CCC_LANG": "en"}
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "CCC_LANG": "zh"}


# ---- the real commands, in a world of odd names ----


@dataclass(frozen=True)
class Said:
    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True)
class OddWorld:
    world: World
    client: Path
    log: Path

    def ccc(self, *words: str, stdin: bytes = b"", **env: str) -> Said:
        fake = {"CCC_CLAUDE": str(self.client), "FAKE_CLAUDE_LOG": str(self.log), "FAKE_CLAUDE_CCC": str(CCC)}
        whole, cwd = self.world.env(**{**fake, **env}), self.world.project
        if words[0] != "supervisor-hook" and warm.serves(whole):
            return Said(*warm.answer(CCC, [words], whole, cwd, stdin))
        done = subprocess.run(self.world.command(*words), env=whole, input=stdin, cwd=cwd, capture_output=True)
        return Said(done.returncode, done.stdout, done.stderr)

    @property
    def transcript(self) -> Path:
        return self.world.project / "transcript.jsonl"

    @property
    def sick(self) -> Path:
        """A folder with a ccc.json that is refused."""
        return self.world.root / "sick"


def odd_settings() -> dict[str, object]:
    hook = {"type": "command", "command": f"'/no{ODD}/ccc' supervisor-hook", "timeout": 1}
    other = {"type": "command", "command": f"other {ODD}"}
    return {
        "env": {f"CCC_{ODD}": "1", "CCC_\ud83d": "1", f"ANTHROPIC_{ODD}": "x"},
        "disableAllHooks": True,
        "hooks": {"Stop": [{"hooks": [hook, other]}]},
        "enabledPlugins": {f"ccc@{ODD}": True},
    }


def odd_config() -> dict[str, object]:
    return {
        "providers": {
            "glm": provider("http://127.0.0.1:9"),
            "url": provider(f"http://127.0.0.1:9/{ODD}", model=f"model {ODD}"),
            "key": {"env": {f"ANTHROPIC_{ODD}": "x"}},
        },
        "current_provider": "glm",
        "supervisor": {f"max{ODD}": 1},
        f"unknown{ODD}": 1,
    }


def odd_transcript() -> Iterator[dict[str, object]]:
    """A request with an edit, a command, and a tool that was refused."""

    def used(name: str, given: object, answer: str, *, is_error: bool = False) -> Iterator[dict[str, object]]:
        block = {"type": "tool_use", "id": name, "name": name, "input": given}
        result = {"type": "tool_result", "tool_use_id": name, "content": answer, "is_error": is_error}
        yield {"type": "assistant", "message": {"role": "assistant", "content": [block]}}
        yield {"type": "user", "message": {"role": "user", "content": [result]}}

    yield {"type": "user", "message": {"role": "user", "content": f"do it {ODD} \ud83d"}}
    yield from used("Edit", {"file_path": f"/src/{ODD}.py", "old_string": "a", "new_string": "b"}, "ok")
    yield from used("Bash", {"command": f"pytest -q '{ODD}'"}, f"1 failed {ODD} in 0.1s", is_error=True)
    denied = f"Permission to use Write with command {ODD} has been denied."
    yield from used("Write", {"file_path": f"/etc/{ODD}"}, denied, is_error=True)
    said = {"type": "text", "text": f"Done. {ODD}"}
    yield {"type": "assistant", "message": {"role": "assistant", "content": [said]}}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> OddWorld:
    return odd_world(tmp_path_factory.mktemp("odd"), FOLDER)


@pytest.fixture(scope="module")
def readable(tmp_path_factory: pytest.TempPathFactory) -> OddWorld:
    return odd_world(tmp_path_factory.mktemp("readable"), READABLE)


def odd_world(root: Path, folder: str) -> OddWorld:
    log = root / "claude-log"
    log.mkdir()
    made = OddWorld(World(root / folder).make(), CLAUDE, log)
    world = made.world
    (world.config / "ccc.json").write_text(json.dumps(odd_config()))  # others can read it, which is told
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "settings.json").write_text(json.dumps(odd_settings()))
    made.sick.mkdir()
    (made.sick / "ccc.json").write_text(json.dumps({"providers": {f"glm{ODD}": {}}}))
    made.transcript.write_text("".join(json.dumps(line) + "\n" for line in odd_transcript()))
    assert made.ccc("checks", "add", f"false '{ODD}'").code == 0
    event = {
        "session_id": ID,
        "hook_event_name": "Stop",
        "last_assistant_message": f"Done. {ODD}",
        "background_tasks": [],
    }
    reviewed = made.ccc("off"), made.ccc("on"), made.ccc("supervisor-hook", stdin=json.dumps(event).encode())
    assert {said.code for said in reviewed} == {0}
    return made


COMMANDS = """
--help
off
on
off --session nosuch
checks
checks add true
checks list
checks list --json
checks remove true
checks remove ODD
status
status --json
logs
logs abc
logs ODD
evidence
evidence --json
evidence --transcript FILE
evidence --transcript FILE --json
evidence --transcript ODD
providers
providers --json
validate
validate url
validate --all --json
validate ODD
hooks
hooks status
hooks remove
doctor --no-self-test
doctor --no-self-test --json
report
report --all
report nosuch
clean --older-than 1h
clean --older-than ODD
eval ODD --provider glm
eval . --provider glm
init glm --yes
init glm
init --from-settings --yes
init ODD --yes
init --supervisor-md
nosuch
ODD
--mode ODD
--supervisor glm --settings ODD
glm --settings ODD
glm
url
key
statusline
watch
status --watch
supervisor-hook
""".strip().split("\n")


def words(odd: OddWorld, line: str) -> list[str]:
    meant = {"ODD": ODD, "FILE": str(odd.transcript)}
    return [meant.get(word, word) for word in line.split()]


def assert_harmless(data: bytes, where: str) -> None:
    text = data.decode()
    assert not FORBIDDEN.search(text), (where, text)


def assert_told(said: Said) -> None:
    assert_harmless(said.out, "stdout")
    assert_harmless(said.err, "stderr")
    assert b"Traceback" not in said.err
    assert b"unexpected " not in said.err


@pytest.mark.parametrize("env", [UTF8, ASCII], ids=["utf-8", "ascii"])
@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_lets_a_name_act_on_the_terminal(odd: OddWorld, line: str, env: dict[str, str]) -> None:
    said = odd.ccc(*words(odd, line), **env)
    assert_told(said)
    if "--json" in line and said.out:
        json.loads(said.out)


@pytest.mark.parametrize("env", [UTF8, ASCII], ids=["utf-8", "ascii"])
@pytest.mark.parametrize("line", ["glm", "--supervisor --mode hooks glm", "--supervisor glm -- task", "url"])
def test_no_supervised_start_lets_a_name_act_on_the_terminal(odd: OddWorld, line: str, env: dict[str, str]) -> None:
    said = odd.ccc(*words(odd, line), **env, CCC_SUPERVISOR="1", FAKE_CLAUDE="allow")
    assert_told(said)


@pytest.mark.parametrize("line", ["providers", "doctor --no-self-test", "glm", "off", "checks add true", "nosuch"])
def test_an_error_about_a_config_names_what_is_wrong_in_it_harmlessly(odd: OddWorld, line: str) -> None:
    assert_told(odd.ccc(*words(odd, line), CCC_CONFIG_DIR=str(odd.sick)))


@pytest.mark.parametrize("env", [UTF8, ASCII], ids=["utf-8", "ascii"])
def test_a_program_reads_the_odd_value_as_it_is(odd: OddWorld, env: dict[str, str]) -> None:
    said = json.loads(odd.ccc(*words(odd, "evidence --transcript FILE --json"), **env).out)
    assert said["edited_files"] == [f"/src/{ODD}.py"]


def test_what_was_odd_can_be_seen(odd: OddWorld, readable: OddWorld) -> None:
    checks = json.loads(odd.ccc("checks", "list", "--json", **UTF8).out)
    assert f"false '{ODD}'" in [check["command"] for check in checks]
    said = odd.ccc("off", **UTF8).out.decode()
    assert r"odd \x1b]52;c;aGk=\x07\x9b31m\n\u202e\x85\x7f end \x9b2J \xff" in said
    started = readable.ccc("glm", CCC_SUPERVISOR="1", **UTF8).err.decode()
    assert r"sets CCC_\x1b]52;c;aGk=\x07\x9b31m\n\u202e\x85\x7f end, CCC_" in started
    assert odd.ccc("on", **UTF8).code == 0


def test_the_log_and_the_story_of_a_review_hold_nothing_odd(readable: OddWorld) -> None:
    texts = {
        "FAKE_CLAUDE_TEXT": json.dumps(f"I look {ODD}"),
        "FAKE_CLAUDE_FEEDBACK": json.dumps(f"go on {ODD}"),
    }
    event = {"session_id": "odd-1", "hook_event_name": "Stop", "last_assistant_message": f"Done. {ODD}"}
    (readable.world.project / ".claude" / "settings.json").write_text(json.dumps({**odd_settings(), "env": {}}))
    for number, steps in enumerate(("block", "quota", "allow")):
        told = json.dumps({**event, "prompt_id": f"{number}{ODD}"}).encode()
        said = readable.ccc("supervisor-hook", stdin=told, FAKE_CLAUDE=steps, **texts, **UTF8)
        assert_harmless(said.out, "stdout")
        assert_harmless(said.err, "stderr")
    state = readable.world.state
    stories = [*state.glob("*-story.jsonl")]
    assert len(stories) == 2
    for path in (state / "hook-invocation.log", *stories):
        assert path.stat().st_size
        assert_harmless(path.read_bytes(), path.name)
    told = [json.loads(line) for line in (state / "supervisor-odd-1-story.jsonl").read_text().split("\n") if line]
    assert told[0]["last_message"] == f"Done. {ODD}"


@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["screen", "json"])
def test_pty_mode_shows_nothing_odd(world: World, flags: tuple[str, ...]) -> None:
    named = World(world.root / READABLE).make()
    desk = PtyDesk(named).make()
    (named.project / ".claude").mkdir()
    (named.project / ".claude" / "settings.json").write_text(json.dumps({**odd_settings(), "env": {}}))
    steps = [["say", f"look {ODD}"], ["raw", f"{ODD}\n"], ["result", {"result": f"look {ODD}"}]]
    desk.turns(steps).reviews(DONE)
    done = subprocess.run(
        named.command("--supervisor", "glm", "--trust-project", *flags, "--", "task"),
        env=desk.env(),
        cwd=named.project,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert_told(Said(done.returncode, done.stdout, done.stderr))
    assert b"look" in done.stdout


# ---- the sink itself ----


@given(HOSTILE)
def test_a_line_is_one_line_and_harmless(text: str) -> None:
    out = visible(text)
    assert not FORBIDDEN.search(out)
    assert len(out.replace("\t", " ").splitlines()) <= 1
    for made in (sink.log_line(text), sink.lines(text), sink.json_line({text: text})):
        assert not FORBIDDEN.search(made.decode())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, 中文 and 🎉\ttab", "plain, 中文 and 🎉\ttab"),
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\r\nb\x85\u2028", r"a\r\nb\x85\u2028"),
        ("\u202eb\udcff\ud83d", r"\u202eb\xff\ud83d"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.recursive(st.text() | st.none() | st.booleans(), lambda inner: st.dictionaries(st.text(), inner)))
def test_json_means_the_same_and_holds_no_control_character(value: object) -> None:
    text = sink.json_text(value, indent=2)
    assert json.loads(text) == value
    assert not FORBIDDEN.search(text)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "gbk", "utf-16"])
@given(text=HOSTILE)
def test_no_encoding_makes_a_stream_raise(encoding: str, text: str) -> None:
    before, data = sys.stdout, io.BytesIO()
    sys.stdout = io.TextIOWrapper(data, encoding)
    try:
        sink.show(text)
        sink.show_json({text: text})
        sys.stdout.seek(0)
        _, _, document = sys.stdout.read().partition("\n")
    finally:
        sys.stdout = before
    cleaned = re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert json.loads(document) == {cleaned: cleaned}


def test_a_closed_stream_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    sink.show("a")
    sink.show("a", err=True)
    sink.show_json([])


def test_own_colours_stay_and_foreign_ones_go() -> None:
    red = sink.styled("a\x1b[2Jb", "31")
    assert red == "\x1b[31mab\x1b[0m"
    assert sink.joined(red, "\x1b[32mc") == "\x1b[31mab\x1b[0mc"
    assert sink.lines(red, f"{red}") == b"\x1b[31mab\x1b[0m\nab\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_stream_that_passes_through_means_the_same_in_any_chunks(size: int, capfdbinary: object) -> None:
    value = {"text": f"中 {ODD} 🎉"}
    wire = (json.dumps(value, ensure_ascii=False) + "\r\n").encode() * 2 + b"(node) \x1b[31mno JSON\xff\r\n"
    wire += b'\x1b[?25h\n[1]\n\x1b[0m{"half": "\\ud83d"}\n{"torn": 1'
    odd: list[tuple[str, int]] = []
    relay = sink.Relay(lambda *told: odd.append(told))
    for at in range(0, len(wire), size):
        relay(wire[at : at + size])
    for last in (b"", json.dumps(value).encode(), b""):  # the next writer's first line is its own
        relay(last)
    out = capfdbinary.readouterr().out  # type: ignore[attr-defined]
    assert_harmless(out, "stdout")
    assert [json.loads(line) for line in out.decode().split("\n")[:-1]] == [value, value, {"half": "\ufffd"}, value]
    assert odd == [("not JSON", 21), ("not an object", 3), ("not JSON", 10)]


def test_what_waits_on_its_way_goes_on_when_its_writer_is_gone(capfdbinary: object) -> None:
    waits: list[Mapping[str, object]] = []

    def rest() -> list[Mapping[str, object]]:
        kept, waits[:] = waits[:], []
        return kept

    relay = sink.Relay(lambda *_: None, "ccc", lambda value: waits.append(value) or [], rest)
    for data in (b'{"a": 1}\n{"b": 2}', b"", b""):
        relay(data)
    assert capfdbinary.readouterr().out == b'{"a": 1}\n{"b": 2}\n'  # type: ignore[attr-defined]


PRETENDING = (
    b'{"type": "ccc"}',
    b'{"a": 1, "type" : "ccc", "event": "outcome"}',
    b'{"type": "assistant", "type": "ccc"}',
    b'{"type": "ccc", "type": "assistant"}',
    b'{"\\u0074ype": "\\u0063cc"}',
    b'{"Type": "CCC"}',
    b'{"type": "ccc", "half": "\\ud83d"}',
    b'\x1b[0m{"type": "ccc"}',
    b'{"type": "ccc", "deep": ' + b"[" * 900 + b'"\\u0041"' + b"]" * 900 + b"}",
)


def test_no_line_of_another_program_passes_for_one_of_ours(capfdbinary: object) -> None:
    odd: list[tuple[str, int]] = []
    relay = sink.Relay(lambda *told: odd.append(told), "ccc")
    for line in PRETENDING:
        relay(line + b"\n")
    assert [why for why, _ in odd] == ["pretends to be of ccc"] * len(PRETENDING)
    inner = {"type": "user", "message": {"type": "ccc", "text": 'a\n{"type":"ccc"}'}}
    relay(json.dumps(inner).encode() + b"\n")
    relay(b'{"type": "user", "x":\r{"type": "ccc"}\r}\n')
    out = capfdbinary.readouterr().out  # type: ignore[attr-defined]
    assert [json.loads(line) for line in out.splitlines()] == [inner, {"type": "user", "x": {"type": "ccc"}}]


def test_a_line_without_an_end_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch, capfdbinary: object) -> None:
    monkeypatch.setattr(sink.Relay, "LINE_LIMIT", 1000)
    odd: list[tuple[str, int]] = []
    relay = sink.Relay(lambda *told: odd.append(told))
    for piece in (*[b"x" * 100] * 50, b"\n", b'{"a": 1}\n'):
        relay(piece)
    assert odd == [("too long", 5000)]
    assert capfdbinary.readouterr().out == b'{"a": 1}\n'  # type: ignore[attr-defined]


def test_a_canvas_cleans_what_is_drawn_and_keeps_its_own_colours() -> None:
    from rich.table import Table
    from rich.text import Text

    from ccc.base.canvas import Canvas

    canvas = Canvas(width=80)
    table = Table(ODD)
    table.add_row(Text(ODD, style="red"))
    with canvas.capture() as drawn:
        canvas.print(table)
        canvas.print(ODD, Text(ODD))
    assert not FORBIDDEN.search(re.sub(r"\x1b\[[0-9;]*m", "", drawn.get()))


@given(st.text())
def test_a_sign_to_the_terminal_ends_where_it_should(text: str) -> None:
    for kind in sink.SIGNS:
        made = sink.sign(kind, text).decode()
        assert made.endswith("\a")
        assert not FORBIDDEN.search(made[1:-1])
        assert made.count(";") == {"bell": 0, "osc9": 1, "osc777": 3}[kind]


# ---- nobody else writes ----

FUNCTIONS = {"print", "input", "breakpoint"}
DOTTED = {
    *(f"click.{name}" for name in ("echo", "secho", "echo_via_pager", "prompt", "confirm", "pause", "clear")),
    *("os.write", "os.writev", "os.pwrite", "getpass.getpass", "rich.print"),
    *("traceback.print_exc", "traceback.print_exception", "traceback.print_stack", "sys.excepthook"),
    *("sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"),
}
MADE = {"Console", "PromptSession", "Safe", "Styled", "StreamHandler", "basicConfig", "append_line"}
ASKED = {"isatty", "fileno", "flush"}  # of a stream, without writing to it
STREAMS = {"sys.stdout", "sys.stderr"}
ALLOWED = {
    # words that ccc has made safe, or that hold nothing foreign
    ("ccc.__main__", "put", "os.write"): "the guard imports nothing; what it says is constant",
    ("ccc.commands.voice", "ask", "click.prompt"): "click asks; the words come from _question",
    ("ccc.commands.voice", "confirm", "click.prompt"): "click asks; the words come from _question",
    ("ccc.judging.report", "Reader.read", "os.write"): "takes Safe; does not wait for a reader who is not there",
    ("ccc.record.log", "_write", "os.write"): "takes Safe; the same story, for the process that shows it",
    ("ccc.record.log", "Log.tell", "files.append_line"): "Safe from sink.json_line",
    ("ccc.record.log", "append", "files.append_line"): "takes Safe",
    ("ccc.trial.comparison", "_append", "files.append_line"): "takes Safe",
    ("ccc_legacy.prompt", "Typist._made", "sys.stdout"): "prompt_toolkit draws; it gets cleaned text",
    ("ccc_legacy.guard", "_keep", "os.write"): "one constant, to put a terminal back",
    # a protocol for a program
    ("ccc_hooks.call", "put", "os.write"): "the hook's one answer: JSON, for the client",
    ("ccc.judging.sdk_engine", "run", "sys.stdout"): "the SDK's messages, for ccc's own stream parser",
    (
        "ccc.judging.hearing",
        "Hearing._append",
        "files.append_line",
    ): "the reviewer's stream, raw as the specification wants it",
    ("ccc.commands.cli", "_written", "sys.stdout"): "nothing new: what was held back goes out",
    # neither a terminal nor a log
    ("ccc.base.process", "_Keeper.dismiss", "os.write"): "a socket to the keeper",
    ("ccc.base.process", "_tell", "os.write"): "a socket from the keeper",
    ("ccc.base.files", "append_line", "os.write"): "a file; its callers are listed here",
    ("ccc.base.files", "_write_all", "os.write"): "a file that appears whole",
    ("ccc_legacy.terminal", "Child.write", "os.write"): "the agent's input",
    ("ccc_legacy.guard", "guarded", "os.write"): "a pipe to the keeper",
}


def dotted(node: ast.AST) -> str:
    named = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    return ast.unparse(node) if named else ""


def ways_out(tree: ast.AST, within: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every mention of something that writes, called or handed on, and the function that it stands in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from ways_out(node, (*within, node.name))
            continue
        here, name = ".".join(within), dotted(node)
        if isinstance(node, ast.Attribute) and node.attr in ASKED and dotted(node.value) in STREAMS:
            continue
        if isinstance(node, ast.ImportFrom):
            yield from ((here, f"{node.module}.{a.name}") for a in node.names if f"{node.module}.{a.name}" in DOTTED)
        elif name in FUNCTIONS | DOTTED:
            yield here, name
        elif isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in MADE:
            yield here, dotted(node.func)
        yield from ways_out(node, within)


def test_whoever_writes_to_a_terminal_or_a_log_does_it_through_the_sink() -> None:
    found = {
        (name, where, what)
        for name, path in modules().items()
        if name != "ccc.base.sink"
        for where, what in ways_out(ast.parse(path.read_text()))
    }
    assert found - set(ALLOWED) == set()
    assert set(ALLOWED) - found == set(), "an exception that nobody needs any more"


@pytest.mark.parametrize(
    "code",
    [
        "print('x')",
        "say = print",
        "def f(): click.echo(x, err=True)",
        "run(say=click.echo)",
        "click.confirm('?')",
        "sys.stdout.write('x')",
        "sys.stderr.buffer.write(b'x')",
        "out = sys.stdout",
        "print_to(file=sys.stderr)",
        "os.write(1, data)",
        "os.write(fd, data)",
        "Console(width=3).print('x')",
        "rich.console.Console()",
        "from click import echo",
        "from sys import stderr",
        "from os import write",
        "sink.Safe(b'x')",
        "Styled('x')",
    ],
)
def test_a_way_around_the_sink_is_noticed(code: str) -> None:
    assert list(ways_out(ast.parse(code)))


@pytest.mark.parametrize("code", ["sys.stdout.isatty()", "sys.stdout.fileno()", "path.write_bytes(b'')", "x: Console"])
def test_what_does_not_write_is_no_way_out(code: str) -> None:
    assert not list(ways_out(ast.parse(code)))


def test_a_client_that_says_odd_things_of_itself_is_named_harmlessly(world: World) -> None:
    client = fake_claude(world.root / "bin", [f"printf '%b' '2.1 {ODD.encode('unicode_escape').decode()}'"])
    run = world.ccc("doctor", "--no-self-test", env=world.env(CCC_CLAUDE=str(client)))
    assert_harmless(run.out.encode(), "stdout")
