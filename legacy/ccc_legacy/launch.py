"""`ccc --supervisor PROVIDER …`: settle everything before the agent starts, then run the loop.

Rule: what is missing (criteria, trust, a client) is an error here and not after the first turn.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ccc import claude, config, criteria, files, launch
from ccc.config import Config
from ccc.errors import CccError
from ccc.launch import Plan, Say
from ccc.providers import Provider
from ccc_legacy import reviewing, trust
from ccc_legacy.agent import Agent
from ccc_legacy.commands import HELP, Order
from ccc_legacy.loop import Common, Loop
from ccc_legacy.prompt import Nobody, Person, Typist
from ccc_legacy.screen import Paint, Screen
from ccc_legacy.terminal import Program

ENABLED = "Supervisor mode enabled"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person typed behind --supervisor, taken apart."""

    args: tuple[str, ...]  # for the agent
    prompt: str | None
    dropped: tuple[str, ...] = ()
    json: bool = False
    trusts: bool = False


def wishes(args: Sequence[str]) -> Wishes:
    """Words after `--` are the first message; --json and --trust-project are ours; the rest is the agent's."""
    options, prompt = list(args), None
    if "--" in options:
        at = options.index("--")
        options, prompt = options[:at], " ".join(options[at + 1 :])
    ours = {word for word in options if word in ("--json", "--trust-project")}
    kept, dropped = claude.without_own_flags([word for word in options if word not in ours])
    return Wishes(tuple(kept), prompt or None, tuple(dropped), "--json" in ours, "--trust-project" in ours)


def run(
    found: Config, provider: Provider | None, args: Sequence[str], *, env: Mapping[str, str], cwd: Path, say: Say
) -> int:
    wanted = wishes(args)
    interactive = os.isatty(0) and os.isatty(1)
    _check_trust(cwd, config.state_directory(env), wanted, say, interactive)
    snapshot = _criteria(found, env, cwd)
    first = _first_message(wanted, interactive)
    if wanted.dropped:
        say(f"{', '.join(wanted.dropped)}: dropped, ccc runs the agent with its own")
    plan = launch.plan(found, provider, wanted.args, env=env, cwd=cwd, say=say)
    if not wanted.json:
        print(ENABLED, flush=True)
    return asyncio.run(_run(_loop(found, provider, plan, snapshot, wanted, interactive, cwd), first))


def _check_trust(cwd: Path, state: Path, wanted: Wishes, say: Say, interactive: bool) -> None:
    brought = trust.brought(cwd)
    if not brought or trust.is_trusted(cwd, state):
        return
    say(f"this project brings its own {'; '.join(brought)}")
    if not wanted.trusts and not (interactive and _yes("Trust this project? [y/N] ")):
        raise trust.Untrusted("not started: look at these files, then say yes, or start with --trust-project")
    trust.trust(cwd, state)


def _yes(question: str) -> bool:
    print(question, end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是")


def _criteria(found: Config, env: Mapping[str, str], cwd: Path) -> Path:
    snapshot = criteria.snapshot(cwd, found.directory, config.state_directory(env))
    if snapshot is None:
        here, there = claude.project_directory(cwd) / "SUPERVISOR.md", found.directory / "SUPERVISOR.md"
        raise CccError(f"there is no {here} and no {there}; write a good one with: ccc init --supervisor-md")
    return snapshot


def _first_message(wanted: Wishes, interactive: bool) -> str | None:
    if wanted.prompt or interactive:
        return wanted.prompt
    text = sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if not text:
        raise CccError('nothing to do: type ccc --supervisor PROVIDER -- "…", or give the task on stdin')
    return text


def _loop(
    found: Config,
    provider: Provider | None,
    plan: Plan,
    snapshot: Path,
    wanted: Wishes,
    interactive: bool,
    cwd: Path,
) -> Loop:
    paint = Paint(os.isatty(1) and not plan.env.get("NO_COLOR"))
    screen = Screen(paint)
    agent = Agent(_prepare(plan, cwd, asks=interactive), _size(), _echo if wanted.json else None)
    person: Person = Nobody()
    loop = Loop(
        agent=agent,
        person=person,
        review=partial(reviewing.review, env=plan.env, paint=paint),
        common=Common(str(cwd), str(snapshot), provider.name if provider else None),
        obey=partial(_obey, plan=plan, cwd=cwd),
        screen=screen,
        paint=paint,
        idle_seconds=found.supervisor.idle_seconds,
        interactive=interactive,
        raw=wanted.json,
    )
    if interactive:
        files.private_directory(plan.directory)
        loop.person = Typist(plan.directory / "history", lambda: screen.partial, lambda: _status(loop))
    return loop


async def _run(loop: Loop, first: str | None) -> int:
    events = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        events.add_signal_handler(number, loop.left)
    events.add_signal_handler(signal.SIGWINCH, lambda: loop.agent.resize(_size()))
    attending = asyncio.create_task(loop.person.attend(loop))
    try:
        return await loop.run(first)
    finally:
        loop.agent.end()
        attending.cancel()
        await asyncio.wait([attending])


def _prepare(plan: Plan, cwd: Path, *, asks: bool) -> Callable[[str | None], Program]:
    known = claude.abilities(plan.client, plan.directory / "clients.json", plan.env)
    # One supervisor, not two: a Stop hook of ours in the settings is silent for this agent.
    env = {**plan.env, **claude.SAME_PREFIX, "CCC_SUPERVISOR": "0"}

    def prepare(session_id: str | None) -> Program:
        settings, inherit = _settings(plan)
        argv = claude.agent_command(plan.client, (*settings, *plan.args), known.flags, resume=session_id, asks=asks)
        return Program(argv, env, cwd, inherit)

    return prepare


def _settings(plan: Plan) -> tuple[tuple[str, ...], tuple[int, ...]]:
    if not plan.overlay:
        return (), ()
    path, fd = launch.hand_over(plan.overlay, plan.directory)
    return ("--settings", path), () if fd is None else (fd,)


async def _obey(loop: Loop, order: Order, *, plan: Plan, cwd: Path) -> None:
    match order:
        case Order.HELP:
            await loop.person.show(HELP)
        case Order.STATUS:
            await loop.person.show([_status(loop)])
        case Order.OFF | Order.ON:
            loop.supervising = order is Order.ON
            await loop.person.show([f"reviews are {'on' if loop.supervising else 'off'} for this session"])
        case Order.REVIEW:
            await loop.review_now()
        case Order.OPEN:
            await _open(loop, plan, cwd)


async def _open(loop: Loop, plan: Plan, cwd: Path) -> None:
    session_id = loop.agent.session_id
    if session_id is None:
        await loop.person.show(["there is no session yet; type a request first"])
        return
    loop.agent.end()
    await loop.person.lend(partial(hand_over_terminal, plan, session_id, cwd))
    await loop.person.show([f"back in ccc, session {session_id}"])


def hand_over_terminal(plan: Plan, session_id: str, cwd: Path) -> None:
    """The client's own UI on this terminal, until it ends."""
    import pexpect

    handed = _Overlay(plan.overlay)
    child = pexpect.spawn(
        str(plan.client),
        [*handed.flags, *plan.args, "--resume", session_id],
        env={**plan.env, "CCC_SUPERVISOR": "0"},
        cwd=str(cwd),
        dimensions=_size(),
        preexec_fn=handed.open_in_child,
        timeout=None,
    )
    old = signal.signal(signal.SIGWINCH, lambda *_: child.setwinsize(*_size()))
    try:
        child.interact(escape_character=None)
    finally:
        signal.signal(signal.SIGWINCH, old)
        child.close(force=True)


@dataclass(frozen=True, slots=True)
class _Overlay:
    """The settings for a child that keeps no descriptor of ours: it opens its own, between fork and exec."""

    settings: Mapping[str, object]
    FD = 9

    @property
    def flags(self) -> tuple[str, ...]:
        return ("--settings", f"/dev/fd/{self.FD}") if self.settings else ()

    def open_in_child(self) -> None:
        if self.settings:
            _, fd = launch.hand_over(self.settings, Path())
            os.dup2(fd or 0, self.FD)


def _status(loop: Loop) -> str:
    session = loop.agent.session_id or "no session yet"
    words = [loop.phase or "your turn", loop.screen.at_work, f"{len(loop.queued)} queued" if loop.queued else ""]
    supervised = "supervised" if loop.supervising else "reviews off"
    return " · ".join(word for word in (*words, supervised, session, "/help") if word)


def _size() -> tuple[int, int]:
    size = shutil.get_terminal_size()
    return size.lines, size.columns


def _echo(data: bytes) -> None:
    os.write(1, data)
