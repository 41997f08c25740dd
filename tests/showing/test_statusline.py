from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.model import Outcome, Unreviewed, Verdict
from ccc.providers import config
from ccc.record import switch
from ccc.record.session import Phase
from ccc.record.words import clock
from ccc.showing import statusline
from ccc.showing.statusline import line
from tests.sessions import HOSTILE, Sessions
from tests.world import World

MOMENT = datetime.now(UTC)
ID = "6f1b2c3d-0000-4000-8000-0123456789ab"
PROGRAM = "import os, sys\nfrom ccc.showing.statusline import main\ncode = main(os.environ)\n"
LOADED = PROGRAM + "print(*sys.modules, file=sys.stderr)\n"


@pytest.fixture
def sessions(world: World) -> Sessions:
    return Sessions(world.state)


def told(world: World, given: object = None, **env: str) -> str:
    stdin = {"session_id": ID, "cwd": str(world.project)} if given is None else given
    return line(json.dumps(stdin).encode(), world.env(**env))


def test_a_session_without_supervision_says_so(world: World) -> None:
    assert told(world) == "ccc: not supervised"
    assert told(world, CCC_LANG="zh") == "ccc: 未受监督"


def test_a_supervised_session_before_its_first_stop(world: World) -> None:
    assert told(world, CCC_SUPERVISOR="1") == "ccc: supervised · no stop yet"


def test_the_count_the_limit_and_the_last_verdict(world: World, sessions: Sessions) -> None:
    sessions.block(ID, "run the tests\nand mend them")
    assert told(world) == "ccc: supervised · 1/10 · sent back: run the tests ⏎ and mend them"
    sessions.allow(ID)
    assert told(world) == "ccc: supervised · 2/10 · completed"
    assert told(world, LANG="zh_CN.UTF-8") == "ccc: 监督中 · 2/10 · 已完成"


@pytest.mark.parametrize(
    ("opinion", "ending"),
    [
        (Unreviewed("the reviewer failed: 529"), "not reviewed: the reviewer failed: 529"),
        (Verdict(False, "which colour?", needs_human=True), "needs you: which colour?"),
        (Unreviewed("stop", interrupted=True), "interrupted"),
    ],
)
def test_endings(world: World, sessions: Sessions, opinion: Verdict | Unreviewed, ending: str) -> None:
    sessions.stop(ID, opinion)
    assert told(world) == f"ccc: supervised · 1/10 · {ending}"


def test_at_the_limit_the_last_verdict_is_still_told(world: World, sessions: Sessions) -> None:
    sessions.limit = 1
    sessions.block(ID, "more")
    sessions.block(ID, "more")
    assert told(world) == "ccc: supervised · 1/1 · limit reached · sent back: more"


def test_while_a_review_is_running(world: World, sessions: Sessions) -> None:
    sessions.block(ID, "more", phase="reviewing")
    assert told(world) == "ccc: supervised · reviewing · 1/10 · sent back: more"


def test_while_the_provider_is_waited_for(world: World, sessions: Sessions) -> None:
    sessions.block(ID, "more", phase="held_up", held_until=MOMENT.isoformat())
    assert told(world) == f"ccc: supervised · waiting for the provider until {clock(MOMENT)} · 1/10 · sent back: more"
    sessions.put(ID, held_until="whenever")
    assert told(world) == "ccc: supervised · waiting for the provider · 1/10 · sent back: more"


def test_switched_off_for_the_session_or_the_project(world: World, sessions: Sessions) -> None:
    sessions.allow(ID)
    (world.project / ".git").mkdir()
    deep = world.project / "src"
    deep.mkdir()
    for kind, name in ((switch.SESSIONS, ID), (switch.PROJECTS, str(world.project))):
        switch.turn(world.state, kind, name, off=True)
        assert told(world) == "ccc: reviews are off (ccc on)"
        assert told(world, {"session_id": ID, "workspace": {"current_dir": str(deep)}}).endswith("off (ccc on)")
        switch.turn(world.state, kind, name, off=False)
    assert told(world) == "ccc: supervised · 1/10 · completed"


def test_hostile_words_stay_on_one_harmless_line(world: World, sessions: Sessions) -> None:
    sessions.block(ID, HOSTILE * 100)
    shown = told(world)
    assert shown.startswith("ccc: supervised · 1/10 · sent back: <script>[bold red]gnp.exe ⏎ second line")
    assert shown.isprintable()
    assert len(shown) <= 120


@given(st.binary(max_size=300))
def test_any_stdin_gives_one_line(given: bytes) -> None:
    for data in (
        given,
        b'{"session_id": ' + given + b"}",
        json.dumps({"session_id": given.decode("latin-1")}).encode(),
    ):
        assert line(data, {"HOME": "/nowhere"}) == "ccc: not supervised"


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b'{"count": "x"}', b'{"count": true, "phase": []}', b"[" * 100_000, b"\xff" * 10],
    ids=["empty", "list", "half", "text", "odd types", "deep", "no text"],
)
@pytest.mark.parametrize("name", [f"supervisor-{ID}.json", f"supervisor-{ID}-story.jsonl", "off.json"])
def test_any_file_gives_one_line(world: World, sessions: Sessions, name: str, content: bytes) -> None:
    sessions.allow(ID)
    (world.state / name).write_bytes(content)
    assert told(world, CCC_SUPERVISOR="1").startswith("ccc: supervised · ")


def test_nothing_is_opened_that_could_hold_it(world: World) -> None:
    world.state.mkdir()
    os.mkfifo(world.state / f"supervisor-{ID}.json")
    os.mkfifo(world.state / "off.json")
    assert told(world, CCC_SUPERVISOR="1") == "ccc: supervised · no stop yet"
    assert told(world, {"session_id": "../../../etc/passwd", "cwd": "\0"}) == "ccc: not supervised"


# ---- the process ----


def run(program: str, world: World, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", program], input=stdin, env=world.env(**env), capture_output=True)


def test_the_process_prints_one_line_and_ends_well(world: World, sessions: Sessions) -> None:
    sessions.block(ID, "测试")
    done = run(PROGRAM, world, json.dumps({"session_id": ID}).encode())
    assert (done.returncode, done.stdout.decode()) == (0, "ccc: supervised · 1/10 · sent back: 测试\n")
    assert done.stderr == b""


def test_nothing_is_loaded_that_takes_long(world: World, sessions: Sessions) -> None:
    sessions.allow(ID)
    done = run(LOADED, world, json.dumps({"session_id": ID, "cwd": str(world.project)}).encode())
    loaded = set(done.stderr.decode().split())
    slow = {
        "rich",
        "click",
        "orjson",
        "dataclasses",
        "inspect",
        "typing",
        "pathlib",
        "datetime",
        "asyncio",
        "subprocess",
    }
    assert done.stdout.endswith(b"completed\n")
    assert not loaded & slow
    assert {name for name in loaded if name.split(".")[0] == "ccc"} == {
        "ccc",
        "ccc.base",
        "ccc.base.compiled",
        "ccc.base.languages",
        "ccc.base.messages",
        "ccc.base.patterns",
        "ccc.base.sink",
        "ccc.base.withheld",
        "ccc.record",
        "ccc.record.glance",
        "ccc.base.text",
        "ccc.showing",
        "ccc.showing.statusline",
    }


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-", "</dev/zero", ">/dev/full"])
def test_closed_and_endless_streams_end_well(world: World, closed: str) -> None:
    script = f'exec "$1" -c "$2" {closed}'
    done = subprocess.run(["sh", "-c", script, "sh", sys.executable, PROGRAM], env=world.env(), capture_output=True)
    assert done.returncode == 0
    assert done.stdout in (b"", b"ccc: not supervised\n")


def test_a_writer_that_keeps_its_end_open_is_not_waited_for(world: World, sessions: Sessions) -> None:
    sessions.allow(ID)
    read, write = os.pipe()
    os.write(write, json.dumps({"session_id": ID}).encode())
    try:
        done = subprocess.run([sys.executable, "-c", PROGRAM], stdin=read, env=world.env(), capture_output=True)
    finally:
        os.close(read)
        os.close(write)
    assert done.stdout == b"ccc: supervised \xc2\xb7 1/10 \xc2\xb7 completed\n"


# ---- what is known better elsewhere ----


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"CCC_CONFIG_DIR": "@/c"},
        {"CLAUDE_CONFIG_DIR": "~/c"},
        {"CCC_CONFIG_DIR": "~"},
        {"CCC_CONFIG_DIR": "@/c", "CLAUDE_CONFIG_DIR": "@/d", "CCC_WORK_DIR": "@/w"},
    ],
)
def test_the_session_is_looked_for_where_the_configuration_says(world: World, env: dict[str, str]) -> None:
    named = {name: value.replace("@", str(world.root)) for name, value in env.items()}
    given = {name: value for name, value in world.env(**named).items() if name in {"HOME", *named}}
    Sessions(config.state_directory(given)).allow(ID)
    assert line(json.dumps({"session_id": ID}).encode(), given) == "ccc: supervised · 1/10 · completed"


def test_every_phase_and_outcome_has_words_in_both_languages() -> None:
    for lang in ("en", "zh"):
        assert set(statusline.PHASES[lang]) == {phase.value for phase in Phase}
        assert set(statusline.OUTCOMES[lang]) == {outcome.value for outcome in Outcome}


def test_its_help_has_the_setting_that_the_guide_has(world: World) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text()
    [setting] = [line for line in guide.splitlines() if line.startswith('"statusLine":')]
    assert setting in world.ccc("statusline", "--help").out
