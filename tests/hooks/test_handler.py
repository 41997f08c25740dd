"""One Stop as the client sees it: real `ccc supervisor-hook` processes and a scripted claude."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ccc.judging.prompts import built_in, schema_format
from ccc.judging.verdict import SCHEMA
from ccc.record.session import decoded
from tests.stops import ID, Desk, eventually, shell
from tests.world import CCC, World

GUARD = '{"decision":"","":""}'
RULE = "=" * 60


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world).make()


def block(reason: str) -> dict[str, str]:
    return {"decision": "block", "reason": reason}


# ---- what the person reads ----


def head(iteration: int) -> list[str]:
    return [RULE, "[SUPERVISOR HOOK] 开始执行", f"session_id: {ID}", f"迭代次数: {iteration}/10", RULE]


REVIEWING = ["[SUPERVISOR] 正在审查工作...", "请在新窗口查看日志文件了解详情"]


@pytest.mark.spec("H22", "H23", "H24", "C9", "C17", "H6", "H17")
def test_not_complete_is_told_in_the_specified_words(desk: Desk) -> None:
    run = desk.stop("block", env={"FAKE_CLAUDE_FEEDBACK": '"运行 pytest\\n并修复"', "FAKE_CLAUDE_TEXT": '"我看一下"'})
    ending = ["[SUPERVISOR] 任务未完成", "运行 pytest", "并修复", "Agent 将根据反馈继续工作"]
    assert run.err.splitlines() == [*head(1), *REVIEWING, "我看一下", *ending]
    assert (json.loads(run.out), run.code) == (block("运行 pytest\n并修复"), 0)


@pytest.mark.spec("H22", "H23", "H25", "C8")
def test_complete_is_told_in_the_specified_words(desk: Desk) -> None:
    run = desk.stop("allow")
    assert run.err.splitlines() == [*head(1), *REVIEWING, "I look at it", "[SUPERVISOR] 任务已完成", "允许停止"]
    assert (run.out, run.code) == ("", 0)


@pytest.mark.spec("H10", "C6", "C15")
def test_at_the_limit_nobody_is_called_and_nothing_is_printed(desk: Desk) -> None:
    desk.begin(10)
    run = desk.stop("block")
    assert run.err.splitlines() == [*head(10), "[SUPERVISOR] 已达到迭代次数上限", "允许停止"]
    assert (run.out, run.code, desk.starts) == ("", 0, [])
    assert (desk.state()["count"], desk.state()["outcome"]) == (10, "limit")


@pytest.mark.spec("H10", "C6", "C8", "C15")
@pytest.mark.parametrize("by_client", [False, True], ids=["by anybody", "by a client"])
@pytest.mark.parametrize(
    ("steps", "count", "word"),
    [
        ("allow", 3, "ccc: reviewed and done · stop 4/10 · agent unknown, reviews $"),
        ("block", 10, "ccc: the limit is reached, so this last stop was not reviewed (10 of 10 reviews used) · agent "),
    ],
)
def test_a_client_is_told_how_the_request_ended_and_nobody_else(
    desk: Desk, by_client: bool, steps: str, count: int, word: str
) -> None:
    """Nothing on stdout, as the specification has it, unless a client calls."""
    desk.begin(count)
    hook = f"{shlex.quote(str(CCC))} supervisor-hook"
    run = (
        desk.client(hook, steps, CCC_SUPERVISOR="1")
        if by_client
        else shell(desk, '"$0" supervisor-hook; exit $?', steps)
    )
    assert run.returncode == 0
    assert json.loads(run.stdout)["systemMessage"].startswith(word) if by_client else run.stdout == b""


def test_the_same_in_english(desk: Desk) -> None:
    blocked = desk.stop("block", env={"CCC_LANG": "en"}).err
    allowed = desk.stop("allow", env={"CCC_LANG": "en_GB.UTF-8"}).err
    for words in ("[SUPERVISOR HOOK] started", "iteration: 1/10", "the task is not complete", "goes on with this"):
        assert words in blocked
    assert "[SUPERVISOR] the task is complete\nthe agent may stop\n" in allowed
    assert blocked.isascii()
    assert desk.started[0].argv[-1].startswith(built_in("en")[:200])


@pytest.mark.spec("H6", "H17")
def test_a_stop_without_a_verdict_is_told_in_the_client_too(desk: Desk) -> None:
    run = desk.stop("quota")
    told = json.loads(run.out)
    assert set(told) == {"systemMessage"}
    assert "was not reviewed: the reviewer failed: API Error: 402 quota exceeded" in told["systemMessage"]
    assert str(desk.world.state / "hook-invocation.log") in told["systemMessage"]
    assert run.err.splitlines()[-2:] == [told["systemMessage"], "允许停止"]


def test_a_fault_of_ccc_itself_lets_the_stop_pass_and_is_kept_with_the_session(desk: Desk) -> None:
    broken = (
        "import os, sys; from ccc_hooks import handler;"
        "handler.supervised = lambda *_: 1 / 0; sys.exit(handler.main([], os.environ))"
    )
    event = json.dumps(desk.event()).encode()
    done = subprocess.run([sys.executable, "-c", broken], input=event, env=desk.env(), capture_output=True)
    assert "not reviewed: unexpected ZeroDivisionError in ccc" in json.loads(done.stdout)["systemMessage"]
    assert (done.returncode, desk.state()["outcome"], desk.starts) == (0, "unreviewed", [])


def test_what_only_the_user_can_decide_is_told_to_the_user(desk: Desk) -> None:
    stream = desk.world.root / "stream"
    answer = {"allow_stop": False, "needs_human": True, "feedback": "which account?"}
    call = {"type": "tool_use", "id": "t", "name": "StructuredOutput", "input": answer}
    lines = [
        {"type": "assistant", "message": {"content": [call]}},
        {"type": "result", "result": "", "structured_output": answer},
    ]
    stream.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = desk.stop("play", env={"FAKE_CLAUDE_STREAM": str(stream)})
    assert json.loads(run.out) == {"systemMessage": "ccc: this needs you: which account?"}
    assert desk.state()["outcome"] == "needs_human"


# ---- what the agent gets ----


@pytest.mark.spec("C9", "C8", "H28", "H29", "H6", "H17")
@pytest.mark.parametrize(
    ("steps", "answer"),
    [
        ("completed", None),
        ("not_completed", "需要补充..."),
        ("garbage", "You forgot the tests."),
        ("empty", "请继续完成任务"),
        ("noise block", "go on"),
        ("block allow", "go on"),
        ("allow block", None),
    ],
)
def test_the_first_result_decides(desk: Desk, steps: str, answer: str | None) -> None:
    run = desk.stop(steps)
    assert run.code == 0
    assert run.out == (json.dumps(block(answer), ensure_ascii=False, separators=(",", ":")) if answer else "")


# ---- what the reviewer gets ----


@pytest.mark.spec("H16", "H18", "H8", "C7", "P1", "P2", "P7")
def test_the_reviewer_is_a_fork_of_the_session_with_the_guard_set(desk: Desk) -> None:
    desk.stop("block", permission_mode="acceptEdits")
    [reviewer] = desk.started
    *argv, prompt = reviewer.argv
    schema = argv.pop(argv.index("--json-schema") + 1)
    assert argv == [
        *("--fork-session", "--resume", ID, "--verbose", "--output-format", "stream-json", "--json-schema"),
        *("--permission-mode", "acceptEdits", "--disallowedTools=Edit(//**)", "--"),
    ]
    assert json.loads(schema) == SCHEMA
    assert prompt == f"{built_in('zh').strip()}\n\n{schema_format('zh').strip()}"
    assert reviewer.env["CCC_SUPERVISOR_HOOK"] == "1"
    assert reviewer.cwd == desk.world.project


def test_the_reviewer_works_where_the_agent_does(desk: Desk) -> None:
    elsewhere = desk.world.root / "另一个 project"
    elsewhere.mkdir()
    desk.stop("block", cwd=str(elsewhere))
    assert desk.started[0].cwd == elsewhere


def test_the_reviewer_is_asked_of_the_agents_model(desk: Desk) -> None:
    transcript = desk.world.root / "transcript.jsonl"
    transcript.write_text('{"type":"assistant","message":{"model":"claude-opus-9"}}\n{"half')
    desk.stop("block", transcript_path=str(transcript))
    argv = desk.started[0].argv
    assert argv[argv.index("--model") + 1] == "claude-opus-9"


@pytest.mark.parametrize("options", [{}, {"max_minutes": 1e9}], ids=["plain", "minutes"])
@pytest.mark.parametrize(("steps", "reviewers"), [("block", 1), ("exit1", 2)])
def test_the_transcript_is_opened_once_for_all_who_need_it(
    desk: Desk, options: dict[str, float], steps: str, reviewers: int
) -> None:
    desk.world.write_config({}, supervisor=options)
    path, log = desk.world.root / "transcript.jsonl", desk.world.root / "strace"
    asked = {"type": "user", "timestamp": "2026-01-01T00:00:00Z", "message": {"content": "what is it?"}}
    said = {"type": "assistant", "message": {"id": "m", "model": "claude-opus-9", "content": "a" * 10_000}}
    path.write_text("\n".join(map(json.dumps, (asked, said))))
    event = json.dumps(desk.event(transcript_path=str(path), last_assistant_message="not there yet")).encode()
    traced = ["strace", "-o", str(log), "-e", "trace=%file", *desk.world.command("supervisor-hook")]
    subprocess.run(traced, input=event, env=desk.env(steps), cwd=desk.world.project, capture_output=True, check=True)
    assert len(desk.starts) == reviewers
    assert [line.partition("(")[0] for line in log.read_text().splitlines() if str(path) in line] == ["openat"]


def test_a_stop_that_is_reviewed_reads_its_state_once_and_writes_it_twice(desk: Desk) -> None:
    desk.stop("block")
    log = desk.world.root / "strace"
    traced = ["strace", "-o", str(log), "-e", "trace=%file", *desk.world.command("supervisor-hook")]
    event = json.dumps(desk.event()).encode()
    subprocess.run(traced, input=event, env=desk.env("block"), cwd=desk.world.project, capture_output=True, check=True)
    assert desk.state()["count"] == 2
    calls = [line.partition("(")[0] for line in log.read_text().splitlines() if f'/supervisor-{ID}.json"' in line]
    assert calls.count("openat") == 1
    assert sum(call.startswith(("rename", "link")) for call in calls) == 2


@pytest.mark.spec("C4", "C13", "C16", "H14")
@pytest.mark.parametrize(
    "words",
    [
        ["--settings", "reviewer.json", "--state-dir", ".claude/ccc"],
        ["--state-dir=.claude/ccc", "--settings=reviewer.json"],
        ["--unknown", "x", "--settings=reviewer.json", "--state-dir", ".claude/ccc", "more"],
    ],
)
def test_settings_and_state_folder_can_be_named(desk: Desk, words: list[str]) -> None:
    desk.stop("block", *words)
    folder = desk.world.project / ".claude" / "ccc"
    assert json.loads((folder / f"supervisor-{ID}.json").read_text())["count"] == 1
    assert (folder / f"supervisor-{ID}-output.jsonl").exists()
    assert not desk.world.state.exists()
    argv = desk.started[0].argv
    assert argv[argv.index("--settings") + 1] == str(desk.world.project / "reviewer.json")


@pytest.mark.spec("H12", "H13", "H14", "H20", "H21", "C4")
@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({}, "home/.claude/ccc"),
        ({"CCC_CONFIG_DIR": "{}/custom"}, "custom/ccc"),
        ({"CCC_WORK_DIR": "{}/work"}, "work/ccc"),
        ({"CCC_CONFIG_DIR": "{}/custom", "CCC_WORK_DIR": "{}/work"}, "work/ccc"),
    ],
)
def test_the_state_folder_is_the_one_of_the_environment(desk: Desk, env: Mapping[str, str], folder: str) -> None:
    desk.stop("allow", env={key: value.format(desk.world.root) for key, value in env.items()})
    states = sorted(desk.world.root.rglob(f"supervisor-{ID}.json"))
    assert states == [desk.world.root / folder / f"supervisor-{ID}.json"]


# ---- what is kept ----


@pytest.mark.spec("H14", "H15", "C13")
def test_the_first_stop_makes_the_state(desk: Desk) -> None:
    desk.stop("block")
    state = desk.state()
    assert (state["session_id"], state["count"]) == (ID, 1)
    created, updated = (datetime.fromisoformat(state[key]) for key in ("created_at", "updated_at"))
    assert created <= updated
    assert created.utcoffset() is not None


@pytest.mark.spec("H11", "C7", "C14")
@pytest.mark.parametrize("active", [True, False])
def test_a_later_stop_counts_on(desk: Desk, active: bool) -> None:
    desk.begin(3, updated_at="2026-01-02T03:04:06+00:00", foreign={"kept": 1})
    desk.stop("block", stop_hook_active=active)
    state = desk.state()
    assert (state["count"], len(desk.starts), state["foreign"]) == (4, 1, {"kept": 1})
    assert state["created_at"] == "2026-01-02T03:04:05+00:00"
    assert datetime.fromisoformat(state["updated_at"]).year > 2025
    assert state["updated_at"] > "2026-01-02T03:04:06+00:00"


def test_each_stop_is_reviewed_and_a_new_request_is_counted_from_one(desk: Desk) -> None:
    for prompt, count in (("p1", 1), ("p1", 2), ("p2", 1), ("p2", 2)):
        assert json.loads(desk.stop("block", prompt_id=prompt).out) == block("go on")
        assert desk.state()["count"] == count


RECORD = re.compile(r"(?P<at>\S+) (?P<event>[a-z-]+( [a-z-]+)*)(?P<pairs>( \w+=(\"(\\.|[^\"\\])*\"|[^\s\"=]+))*)")


@pytest.mark.spec("H26", "H27")
def test_the_log_has_a_line_for_each_event_with_time_kind_and_session(desk: Desk) -> None:
    desk.stop("block", prompt_id="p 1", last_assistant_message="done\nand = done")
    found = [RECORD.fullmatch(line) for line in desk.records]
    assert all(found)
    records = [record for record in found if record]
    assert all(datetime.fromisoformat(record["at"]).utcoffset() is not None for record in records)
    assert [record["event"] for record in records] == [
        *("supervisor-hook invoked", "review started", "reviewer says", "reviewer uses", "verdict", "sent back")
    ]
    assert all(record["pairs"].startswith(f" session_id={ID}") for record in records)
    told = ' count=1 limit=10 prompt_id="p 1" stop_hook_active=false last_message="done ⏎ and = done"'
    assert records[0]["pairs"] == f" session_id={ID}{told}"
    assert "allow_stop=false" in records[4]["pairs"]


@pytest.mark.spec("H27", "C16", "H17")
def test_the_reviewers_lines_are_kept_as_they_came(desk: Desk) -> None:
    raw = b'{"type":"system",  "odd" : 1e3}\r\n\n\xff\xfenot JSON\n{"half\n' + b'{"type":"result","result":"go"}'
    stream = desk.world.root / "stream"
    stream.write_bytes(raw)
    for _ in range(2):
        desk.stop("play", env={"FAKE_CLAUDE_STREAM": str(stream)})
    assert (desk.world.state / f"supervisor-{ID}-output.jsonl").read_bytes() == (raw + b"\n") * 2
    assert [line.split(" ")[1] for line in desk.records].count("bad") == 4


def test_a_raw_line_longer_than_any_message_is_kept_whole_in_little_memory(desk: Desk) -> None:
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, str(CCC), "supervisor-hook"]
    event = json.dumps(desk.event()).encode()
    done = subprocess.run(command, input=event, env=desk.env("huge block"), capture_output=True, check=True)
    assert json.loads(done.stdout) == block("go on")
    assert int(done.stderr.split()[-1]) < 120_000
    with (desk.world.state / f"supervisor-{ID}-output.jsonl").open("rb") as raw:
        assert len(raw.readline()) > 60_000_000
        assert len(raw.readlines()) == 4


def test_everything_kept_is_private(desk: Desk) -> None:
    script = 'umask 000; exec "$0" supervisor-hook'
    event = json.dumps(desk.event()).encode()
    subprocess.run(["sh", "-c", script, str(CCC)], input=event, env=desk.env("block"), capture_output=True, check=True)
    kept = [desk.world.state, *desk.world.state.rglob("*")]
    assert len(kept) > 6
    assert {(path.is_dir(), path.stat().st_mode & 0o777) for path in kept} == {(True, 0o700), (False, 0o600)}


# ---- the guards ----


@pytest.mark.spec("H7")
@pytest.mark.parametrize("stdin", [b"", b"garbage", json.dumps({"session_id": ID}).encode()])
def test_the_guard_answers_at_once_and_touches_nothing(desk: Desk, stdin: bytes) -> None:
    run = desk.hook(stdin, "--state-dir", "/proc/no", env=desk.env(CCC_SUPERVISOR_HOOK="1", HOME="/no"))
    assert (run.out, run.err, run.code) == (GUARD, "", 0)
    assert not desk.world.state.exists()


@pytest.mark.spec("H7")
@pytest.mark.parametrize("value", ["", "0", "true"])
def test_any_other_value_is_no_guard(desk: Desk, value: str) -> None:
    assert json.loads(desk.stop("block", env={"CCC_SUPERVISOR_HOOK": value}).out) == block("go on")


def imported(desk: Desk, stdin: bytes, **env: str) -> set[str]:
    run = desk.hook(stdin, env=desk.env("allow", PYTHONPROFILEIMPORTTIME="1", **env))
    return {line.rpartition("|")[2].strip() for line in run.err.splitlines() if line.startswith("import time:")}


BARE = {"PYTHONPROFILEIMPORTTIME": "1", "PATH": "/usr/bin:/bin"}


def test_the_guard_imports_nothing(desk: Desk) -> None:
    script = subprocess.run([sys.executable, "-c", "import os"], env=BARE, capture_output=True, text=True)
    bare = {line.rpartition("|")[2].strip() for line in script.stderr.splitlines()}
    for env in ({"CCC_SUPERVISOR_HOOK": "1"}, {"CLAUDECODE": "1"}):
        assert imported(desk, b"", **env) - bare == {"ccc", "ccc.__main__"}


OURS = """
ccc ccc.__main__ ccc.base ccc.base.anyjson ccc.base.checksum ccc.base.documents ccc.base.errors ccc.base.files
ccc.base.handed
ccc.base.interpreter ccc.base.senders
ccc.base.jsonlines ccc.base.jsontext ccc.base.languages ccc.base.messages ccc.base.patterns ccc.base.process
ccc.base.bytecode ccc.base.catalogue ccc.base.compiled ccc.base.lean ccc.base.spared
ccc.base.processes ccc.base.sink ccc.base.strictjson ccc.base.text ccc.base.values ccc.base.withheld ccc.claude
ccc.claude.above ccc.claude.commandline
ccc.claude.mentions ccc.claude.own_words
ccc.claude.conversation ccc.claude.folders ccc.claude.ground ccc.claude.links ccc.claude.own_hook ccc.claude.skills
ccc.claude.powers ccc.claude.pricing ccc.claude.program ccc.claude.servers ccc.claude.settings ccc.claude.shaping
ccc.claude.stream ccc.claude.transcript ccc.claude.transcript_lines ccc.claude.transcript_moments ccc.claude.unasked
ccc.claude.variables
ccc.evidence ccc.evidence.acts ccc.evidence.answers ccc.evidence.backing ccc.evidence.briefing ccc.evidence.changes
ccc.evidence.checks_known ccc.evidence.claims ccc.evidence.facts ccc.evidence.files ccc.evidence.hints
ccc.evidence.outcomes ccc.evidence.past ccc.evidence.shell ccc.evidence.shell_parts ccc.evidence.shell_status
ccc.evidence.shell_words
ccc.evidence.reservation ccc.evidence.reserve ccc.evidence.setbacks ccc.evidence.stance ccc.evidence.stance_words
ccc.evidence.standing ccc.evidence.surroundings
ccc.evidence.targets ccc.evidence.tongues ccc.evidence.trying ccc.evidence.wording ccc.judging
ccc.judging.objections
ccc.judging.announce ccc.judging.bench ccc.judging.caps ccc.judging.checks ccc.judging.criteria ccc.judging.followed
ccc.judging.gate ccc.judging.hearing ccc.judging.prompts ccc.judging.report ccc.judging.reviewer ccc.judging.supervisor
ccc.judging.verdict ccc.model ccc.providers ccc.providers.allowing ccc.providers.choosing ccc.providers.config
ccc.providers.judges ccc.providers.keys ccc.providers.store_address
ccc.record ccc.record.events ccc.record.log ccc.record.missed ccc.record.outside ccc.record.owners ccc.record.recent
ccc.base.seal
ccc.record.session ccc.record.store ccc.record.switch ccc.record.words ccc_hooks ccc_hooks.call ccc_hooks.deadline
ccc_hooks.bench ccc_hooks.claim ccc_hooks.ends ccc_hooks.handler ccc_hooks.headless ccc_hooks.lineage ccc_hooks.review
ccc_hooks.stop
"""
TOO_HEAVY = """
_hashlib ast asyncio claude_agent_sdk click concurrent decimal email hashlib hmac http importlib.metadata inspect
json_repair logging multiprocessing pexpect platform prompt_toolkit pty ptyprocess rich shutil socket ssl subprocess
gettext ipaddress tempfile threading tty urllib.request uuid
"""


def test_a_review_imports_this_and_no_more(desk: Desk) -> None:
    desk.stop("allow")  # the client is asked for its flags once; that takes subprocess
    loaded = imported(desk, json.dumps(desk.event()).encode())
    assert {name for name in loaded if name.startswith("ccc")} == set(OURS.split())
    assert loaded & set(TOO_HEAVY.split()) == set()


ALONE = """
import sys
from ccc.base.lean import load_msgspec
load_msgspec()
lent = {"uuid", "decimal", "platform", "typing_extensions", "msgspec.inspect", "msgspec._json_schema"}
assert "msgspec" in sys.modules and not lent & set(sys.modules), lent & set(sys.modules)
import decimal, uuid
from msgspec import Struct, json
class Point(Struct): x: int
assert json.decode(json.encode(Point(3)), type=Point) == Point(3)
load_msgspec()
assert sys.modules["uuid"] is uuid
print(uuid.UUID(int=7), decimal.Decimal("1.5"))
"""
ANOTHER = """
import sys, types
from pathlib import Path
from ccc.base.lean import load_msgspec
Path(sys.argv[1], "msgspec").mkdir()
Path(sys.argv[1], "msgspec", "__init__.py").write_text("import uuid; new = uuid.getnode()")
sys.path.insert(0, sys.argv[1])
load_msgspec()
import msgspec
print(msgspec.new > 0)
"""


def test_whoever_asks_after_msgspec_was_loaded_alone_gets_the_real_modules() -> None:
    run = subprocess.run([sys.executable, "-I", "-c", ALONE], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("00000000-0000-0000-0000-000000000007 1.5\n", "")


def test_a_msgspec_that_needs_more_of_them_is_loaded_as_it_is(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-I", "-c", ANOTHER, str(tmp_path)], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("True\n", "")


# ---- two hooks for one Stop ----


@pytest.mark.parametrize(
    ("steps", "event", "state"),
    [
        ("block", {}, {"count": 4, "phase": "working"}),
        ("allow", {}, {"count": 4, "outcome": "completed"}),
        ("quota", {}, {"count": 4, "outcome": "unreviewed"}),
        ("block", {"background_tasks": [{"id": "b1", "command": "serve"}]}, {"count": 3, "phase": "waiting"}),
    ],
    ids=["sent back", "completed", "unreviewed", "waiting"],
)
def test_a_stop_that_two_hooks_are_called_for_is_decided_once(
    desk: Desk, steps: str, event: dict[str, Any], state: dict[str, object]
) -> None:
    desk.begin(3)
    hooks = [desk.start(steps, **event) for _ in range(2)]
    answers = [hook.communicate()[0] for hook in hooks]
    assert {key: desk.state()[key] for key in state} == state
    assert len(desk.starts) == desk.state()["count"] - 3
    assert b"" in answers
    assert [hook.returncode for hook in hooks] == [0, 0]


def test_the_second_hook_leaves_it_to_a_first_one_that_was_faster_than_its_start(desk: Desk) -> None:
    """A shell that takes its time before it becomes the second hook."""
    event = json.dumps(desk.event(background_tasks=[{"id": "b1", "command": "serve"}])).encode()
    waits = 'until [ -e "$1" ]; do sleep 0.01; done; exec "$0" supervisor-hook'
    go = desk.world.root / "go"
    second = subprocess.Popen(
        ["sh", "-c", waits, str(CCC), str(go)], env=desk.env("block"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert "waits for background work" in json.loads(desk.hook(event).out)["systemMessage"]
    go.touch()
    assert (second.communicate(event)[0], second.returncode) == (b"", 0)
    assert "another hook has decided this stop" in desk.records[-1]
    assert (desk.state()["count"], desk.state()["phase"], desk.starts) == (0, "waiting", [])


@pytest.mark.parametrize("decided_at", [1e12, -1.0, 0.0, float("inf"), "soon", None, True, [1.0]])
def test_a_moment_of_another_boot_makes_nobody_late(decided_at: object) -> None:
    now = datetime.now(UTC)
    read = decoded({"session_id": ID, "count": 1, "decided_at": decided_at}, now)
    assert read
    assert read.request.decided_at == 0.0


def test_the_same_session_can_not_be_reviewed_by_two_at_a_time(desk: Desk) -> None:
    both = [desk.start("until_told block") for _ in range(2)]  # at once, as a client calls all hooks for one Stop
    assert eventually(lambda: desk.starts, 60)
    (desk.log / "go").touch()
    # The second one waits for what the first one decides, and has nothing to add.
    silent, decided = sorted(each.communicate()[0] for each in both)
    assert (silent, json.loads(decided)) == (b"", block("go on"))
    assert (len(desk.starts), desk.state()["count"]) == (1, 1)


def test_other_sessions_are_reviewed_meanwhile(desk: Desk) -> None:
    first = desk.start("until_told block")
    assert eventually(lambda: desk.starts, 10)
    assert json.loads(desk.stop("block", session_id="other").out) == block("go on")
    (desk.log / "go").touch()
    assert json.loads(first.communicate()[0]) == block("go on")


def test_a_program_of_the_project_is_not_taken_for_claude(desk: Desk) -> None:
    planted = desk.world.project / "bin"
    planted.mkdir()
    (planted / "claude").write_text(f"#!/bin/sh\ntouch {desk.world.root}/ran\n")
    (planted / "claude").chmod(0o755)
    run = desk.stop("block", env={"CCC_CLAUDE": "", "PATH": f"{planted}:/usr/bin:/bin"})
    assert "inside this project" in json.loads(run.out)["systemMessage"]
    assert not Path(f"{desk.world.root}/ran").exists()


def test_a_lock_that_outlives_whoever_took_it_lets_no_stop_pass_in_silence(desk: Desk) -> None:
    lock = desk.world.state / f"supervisor-{ID}.stop"
    desk.stop("allow")
    # flock(1) takes the lock on the shell's descriptor and ends; the shell's heir holds it.
    script = f"exec 9>'{lock}'; flock 9; echo held; exec sleep 600"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE) as heir:
        try:
            assert heir.stdout is not None
            assert heir.stdout.readline() == b"held\n"
            done = desk.stop("allow")
        finally:
            heir.kill()
    assert "the lock of this stop is held by" in json.loads(done.out)["systemMessage"]
    assert desk.state()["outcome"] == "unreviewed"


@pytest.mark.parametrize(("entrypoint", "reviewed"), [("cli", 0), ("sdk-cli", 1)], ids=["at the screen", "with -p"])
def test_an_answer_to_the_persons_own_command_passes_with_a_word_and_never_where_nobody_types(
    desk: Desk, entrypoint: str, reviewed: int
) -> None:
    path = desk.world.root / "transcript.jsonl"
    asked = {"type": "user", "promptId": "p1", "message": {"content": "what is it?"}}
    ran = {"type": "user", "promptId": "p2", "message": {"content": "<bash-input>ls</bash-input>"}}
    said = {"type": "assistant", "message": {"id": "m", "model": "x", "content": [{"type": "text", "text": "I see."}]}}
    path.write_text("".join(json.dumps(line) + "\n" for line in (asked, ran, said)))
    told = {"transcript_path": str(path), "prompt_id": "p2", "last_assistant_message": "I see."}
    run = desk.stop("allow", env={"CLAUDE_CODE_ENTRYPOINT": entrypoint}, **told)
    assert len(desk.starts) == reviewed
    assert ("a command of your own" in run.out) is not bool(reviewed)
    assert desk.state()["session_id"] == ID
    shown = desk.world.ccc("status", env=desk.world.env(CCC_LANG="en")).out
    assert ("as an answer to a command of yours (!)" in shown) is not bool(reviewed)
    logs = desk.world.ccc("logs", env=desk.world.env(CCC_LANG="en")).out
    assert ("no stop    not reviewed" in logs, "background work" in logs) == (not reviewed, False)


def test_an_answer_that_a_busy_client_wrote_down_late_is_not_taken_for_that_of_the_next_stop(desk: Desk) -> None:
    path = desk.world.root / "transcript.jsonl"
    body = {"id": "m", "model": "x", "content": [{"type": "text", "text": "Done."}]}
    lines = (
        {"type": "user", "promptId": "p1", "message": {"content": "do it"}},
        {"type": "assistant", "message": body},
    )
    path.write_text(json.dumps(lines[0]) + "\n")
    told = {"transcript_path": str(path), "last_assistant_message": "Done."}
    first = desk.start("until_told block", prompt_id="p1", **told)
    assert eventually(lambda: desk.starts, 60)
    path.write_text("".join(json.dumps({**line, "uuid": f"u{at}"}) + "\n" for at, line in enumerate(lines)))
    (desk.log / "go").touch()
    first.communicate()
    assert desk.state()["answer"] == "u1"
    desk.stop("allow", prompt_id="p1", **told)
    assert desk.state()["answer"] == ""


def test_the_same_words_of_the_stop_before_are_not_taken_for_this_ones(desk: Desk) -> None:
    """The client writes the last answer down a moment after the hook was called, and the request with it."""
    path = desk.world.root / "transcript.jsonl"
    asked = {"type": "user", "promptId": "p1", "message": {"content": "do it"}}
    body = {"id": "m", "model": "x", "content": [{"type": "text", "text": "Done."}]}
    path.write_text(
        "".join(json.dumps(line) + "\n" for line in (asked, {"type": "assistant", "uuid": "u1", "message": body}))
    )
    told = {"transcript_path": str(path), "last_assistant_message": "Done."}
    desk.stop("allow", prompt_id="p1", **told)
    assert desk.state()["answer"] == "u1"
    desk.stop("allow", prompt_id="p2", **told)
    assert (desk.state()["prompt_id"], desk.state()["answer"]) == ("p2", "")
