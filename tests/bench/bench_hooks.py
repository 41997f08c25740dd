"""What a Stop costs in hooks mode, as ratios within one run."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ccc.claude import commandline, program, variables
from ccc.claude.own_hook import AS_CCC
from ccc.judging.verdict import SCHEMA
from ccc.trial.scripted import ScriptedModel
from tests.bench.installed import ccc, python
from tests.bench.rows import Row
from tests.real.hooks_world import rules, supervised, verdict
from tests.world import World, provider


def _timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def run(
    argv: Sequence[str], env: Mapping[str, str], stdin: bytes = b"", cwd: Path | None = None
) -> Callable[[], object]:
    return lambda: subprocess.run(argv, env=dict(env), input=stdin, cwd=cwd, capture_output=True)


def _in_a_world(rows: Callable[[World], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    def measured() -> Iterator[Row]:
        with tempfile.TemporaryDirectory() as folder:
            yield from rows(World(Path(folder)).make())

    return measured


def _version(world: World) -> Iterator[Row]:
    ours, bare = alternating(run([ccc(), "--version"], world.env()), click(world), 15)
    yield Row("ccc --version / python -c 'import click'", ours / bare, 1.6, "lower")


def _guard(world: World) -> Iterator[Row]:
    """As the line in the settings calls it, and as the plugin does, by the launcher that the installer has written."""
    inside, alone = world.env(CCC_SUPERVISOR_HOOK="1"), world.env(CLAUDECODE="1")
    for name, env in (("guard path", inside), ("hook of an unsupervised session", alone)):
        ours, bare = alternating(run(as_in_settings(), env), _nothing(world), 25)
        yield Row(f"{name} / python -I -S -c pass", ours / bare, 1.6, "lower")
    ours, bare = alternating(run([ccc(), "supervisor-hook"], inside), _nothing(world), 25)
    yield Row("guard path, by the launcher of the venv's own pip / the same", ours / bare, 1.6, "lower")


def as_in_settings() -> list[str]:
    """The words of the command that hooks mode writes, without the shell."""
    return [python(), "-I", *AS_CCC, ccc(), "supervisor-hook"]


def _nothing(world: World) -> Callable[[], object]:
    return run([python(), "-I", "-S", "-c", "pass"], world.env())


def _imports(world: World) -> Iterator[Row]:
    """As the hook loads them, from its second Stop on. In CPU time: a handful of milliseconds would drown in what else
    the machine does."""
    event = {"session_id": "s", "cwd": str(world.project), "hook_event_name": "Stop"}
    run(as_in_settings(), world.env(CCC_CLAUDE="/bin/false"), json.dumps(event).encode(), world.project)()
    loading = "from ccc.__main__ import collect_rarely, load_quickly; collect_rarely(); load_quickly()"
    ours = min(_cpu(f"{loading}; import ccc_hooks.handler", world) for _ in range(15))
    click = min(_cpu("import click", world) for _ in range(15))
    bare = min(_cpu("pass", world) for _ in range(15))
    yield Row("imports of the hook / import click", (ours - bare) / (click - bare), 1.6, "lower")


def _cpu(code: str, world: World) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run([python(), "-I", "-c", code], world.env())()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _whole_stop(world: World) -> Iterator[Row]:
    """A finished session is stopped again and again by hand, as the client would call the hook."""
    write = {"tools": [{"name": "Write", "input": {"file_path": "a.py", "content": "print(1)"}}]}
    with ScriptedModel(rules([write, {"text": "done"}], [verdict(True)])) as model:
        options = {"max_iterations": 100_000, "gate": "off"}
        world.write_config({"glm": provider(model.url)}, supervisor=options)
        seen = supervised(world, model, prompt="Write a.py that prints 1.")
        (transcript,) = world.config.glob(f"projects/*/{seen.session_id}.jsonl")
        event = {
            "session_id": seen.session_id,
            "cwd": str(world.project),
            "hook_event_name": "Stop",
            "transcript_path": str(transcript),
            "last_assistant_message": "done",
        }
        env = world.env(CCC_PROVIDER="glm", CCC_CLAUDE=str(program.find({"PATH": os.defpath}, world.project)))
        bare_env = variables.reviewer_environment(env | dict(provider(model.url)["env"]))  # type: ignore[call-overload]
        judge = commandline.Judge(seen.session_id, "judge", schema=json.dumps(SCHEMA, ensure_ascii=False))
        bare_argv = commandline.reviewer_command(Path(env["CCC_CLAUDE"]), judge, {"--json-schema", "--disallowedTools"})
        stop = run(as_in_settings(), env, json.dumps(event).encode(), world.project)
        forked = run(bare_argv, bare_env, b"", world.project)
        whole, bare = alternating(stop, forked, 15)
        yield Row("a whole Stop / bare claude --fork-session --json-schema, one word", whole / bare, 1.15, "lower")
        yield from _touched(world, env, event)
        world.write_config({"glm": provider(model.url)}, supervisor={"max_iterations": 100_000})

        def gated() -> object:
            # Each rule speaks once a request, so each time is the first.
            (world.state / f"supervisor-{seen.session_id}.json").unlink(missing_ok=True)
            return stop()

        asked = len(model.messages)
        gated()
        assert len(model.messages) == asked, "the gate asked a model"
        gate, bare = alternating(gated, forked, 15)
        yield Row("a Stop decided by the gate / the same bare fork", gate / bare, 0.12, "lower")


def _touched(world: World, env: Mapping[str, str], event: Mapping[str, str]) -> Iterator[Row]:
    """What the kernel saw of a Stop that was reviewed: how often its two files were opened, and the state replaced."""
    log, state = world.root / "strace", f"supervisor-{event['session_id']}.json"
    # No process above the hook has its variables: it would be taken for a client's.
    own = [f"{name}={value}" for name, value in env.items() if name.startswith("CCC_")]
    traced = ["strace", "-o", str(log), "-e", "trace=%file", "env", *own, ccc(), "supervisor-hook"]
    bare = {name: value for name, value in env.items() if not name.startswith("CCC_")}
    run(traced, bare, json.dumps(event).encode(), world.project)()
    lines = log.read_text().splitlines()
    assert any(f'/{state}"' in line for line in lines), "the Stop was not heeded"
    opened = [line for line in lines if line.startswith("openat") and "ENOENT" not in line]
    placed = [line for line in lines if line.startswith(("rename", "link")) and f'/{state}"' in line]
    transcript = Path(event["transcript_path"]).name
    yield Row(
        "times a reviewed Stop opens its transcript", sum(f'/{transcript}"' in line for line in opened), 1, "lower"
    )
    yield Row("times it reads its state", sum(f'/{state}"' in line for line in opened), 1, "lower")
    yield Row("times it writes its state", len(placed), 2, "lower")


def click(world: World) -> Callable[[], object]:
    """What a small command-line program costs before it does anything."""
    return run([python(), "-c", "import click"], world.env())


def alternating(one: Callable[[], object], other: Callable[[], object], times: int) -> tuple[float, float]:
    """The best of each, taken in turns: what slows the machine down slows both."""
    pairs = [(_timed(one), _timed(other)) for _ in range(times)]
    return min(first for first, _ in pairs), min(second for _, second in pairs)


def evidence_rows() -> Iterator[Row]:
    """`ccc evidence` on a long and on a short transcript that end with the same request, and on an ordinary day's."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        short, long = (_transcript(world, name, size) for name, size in (("short", 1), ("long", 200)))
        slow, fast = alternating(_evidence(world, long), _evidence(world, short), 5)
        yield Row("ccc evidence, 200 MB transcript / 1 MB transcript", slow / fast, 2.0, "lower")
        # The gate looks at the last 4 MB before the request.
        late, early = alternating(_gated(world, long), _gated(world, _transcript(world, "middle", 8)), 7)
        yield Row("a Stop decided by the gate, 200 MB transcript / 8 MB transcript", late / early, 1.5, "lower")
        day, lines = _day(world)
        slow, bare = alternating(_evidence(world, day), lambda: [json.loads(line) for line in lines], 9)
        megabytes = sum(map(len, lines)) // 10**6
        name = f"ccc evidence, {megabytes} MB in {REQUESTS} requests, less a short one / json.loads of each line"
        yield Row(name, (slow - fast) / bare, 2.0, "lower")


REQUESTS, CALLS = 20, 225
COMMANDS = {
    "python -m pytest -q tests 2>&1 | tail -40": "tests/test_a.py::test_reads_a_value PASSED\n" * 60
    + "60 passed in 3.2s",
    "git add -A && git commit -m 'mend it' && git log --oneline | head": "[main 1234567] mend it\n 2 files changed\n"
    * 9,
    'for f in src/*.py; do grep -n value "$f" | head -3; done': "12:    value = parse(line, index)\n" * 60,
    "npm run build && node dist/index.js --check": "dist/index.js  12.30 kB\n" * 40 + "built in 412ms",
}


def _day(world: World) -> tuple[Path, list[bytes]]:
    """Reading, editing and running in turns, a few hundred calls for each request."""
    code = "\n".join(f"    value_{n} = parse(line, index, {n})" for n in range(80))
    edit = {"file_path": "/p/src/a.py", "old_string": code[:300], "new_string": code[:360]}
    turns = [("Read", {"file_path": "/p/src/a.py"}, code), ("Edit", edit, "The file has been updated.\n" + code[:800])]
    turns += [("Bash", {"command": command}, output) for command, output in COMMANDS.items()]
    lines = []
    for _ in range(REQUESTS):
        lines.append(_line("user", "Please mend the parser and make the tests pass."))
        for number in range(CALLS):
            name, given, output = turns[number % len(turns)]
            call = {"type": "tool_use", "id": f"toolu_{len(lines)}", "name": name, "input": given}
            back = {"type": "tool_result", "tool_use_id": call["id"], "content": output}
            lines += [_blocks("assistant", call), _blocks("user", back)]
        lines.append(_line("assistant", "I have mended the parser. All tests pass now."))
    path = world.root / "day.jsonl"
    path.write_bytes(b"".join(lines))
    return path, lines


def _gated(world: World, transcript: Path) -> Callable[[], object]:
    event = {"session_id": transcript.stem, "cwd": str(world.project), "hook_event_name": "Stop"}
    told = json.dumps({**event, "transcript_path": str(transcript), "last_assistant_message": "done"}).encode()
    stop = run(as_in_settings(), world.env(CCC_CLAUDE="/bin/false"), told, world.project)

    def first() -> object:
        (world.state / f"supervisor-{transcript.stem}.json").unlink(missing_ok=True)
        return stop()

    return first


def _evidence(world: World, path: Path) -> Callable[[], object]:
    return run([ccc(), "evidence", "--transcript", str(path), "--json"], world.env())


def _transcript(world: World, name: str, megabytes: int) -> Path:
    path = world.root / f"{name}.jsonl"
    old = _line("user", "an older request") + _line("assistant", "x" * 20_000)
    edit = {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "/p/a.py", "content": "print(1)"}}
    edited = _blocks("user", {"type": "tool_result", "tool_use_id": "t1", "content": "File created successfully"})
    tail = _line("user", "fix it") + _blocks("assistant", edit) + edited + _line("assistant", "done")
    path.write_bytes(old * (megabytes * 1_000_000 // len(old)) + tail)
    return path


def _line(kind: str, text: str) -> bytes:
    return _blocks(kind, {"type": "text", "text": text})


def _blocks(kind: str, *blocks: Mapping[str, object]) -> bytes:
    return json.dumps({"type": kind, "message": {"role": kind, "content": blocks}}).encode() + b"\n"


GROUPS = {
    "version": _in_a_world(_version),
    "guard": _in_a_world(_guard),
    "imports": _in_a_world(_imports),
    "stop": _in_a_world(_whole_stop),
    "evidence": evidence_rows,
}
