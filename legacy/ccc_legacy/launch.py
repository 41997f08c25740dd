"""`ccc --supervisor PROVIDER …`: settle everything before the agent starts, then run the loop.

Rule: what is missing (criteria, trust, a client) is an error here and not after the first turn.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import files, languages, messages, processes, sink
from ccc.base.documents import Json
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import Message, msg
from ccc.base.text import capped, one_line
from ccc.claude import commandline, declared, program, servers, settings, variables
from ccc.claude.settings import Source
from ccc.claude.stream import Text
from ccc.judging import began, caps, criteria
from ccc.model import StopEvent
from ccc.providers import choosing, config, fallback, judges, launch
from ccc.providers.choosing import deep_merge
from ccc.providers.config import TASK, Bare, SupervisorOptions
from ccc.providers.launch import Plan, Say, Start
from ccc.record import switch
from ccc.record.store import utc_now
from ccc_legacy import earlier, guard, trust
from ccc_legacy.agent import Agent
from ccc_legacy.commands import obey, status
from ccc_legacy.completing import Completing
from ccc_legacy.feed import Feed
from ccc_legacy.ledger import Held, Ledger
from ccc_legacy.lineup import Lineup
from ccc_legacy.loop import Loop
from ccc_legacy.paint import Paint
from ccc_legacy.patience import Patience
from ccc_legacy.person import Nobody, Person, echoed
from ccc_legacy.review import Case, Reviews, Seat, digest
from ccc_legacy.reviewing import Story
from ccc_legacy.screen import SAID, Screen
from ccc_legacy.teletype import Teletype
from ccc_legacy.terminal import DEFAULT_SIZE, Program, Size
from ccc_legacy.turn import Seen, Turns
from ccc_legacy.words import Wishes, wishes

ENABLED = msg("Supervisor mode enabled")
LEAVING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
LEAVING_SECONDS = 2.0
EARLIER_LENGTH = 4000  # characters of the last answer


class Settled(Struct, frozen=True):
    """One start of pty mode, with all that it depends on."""

    plans: Mapping[str | None, Plan]  # by provider: the one that was started, and its fallbacks
    wanted: Wishes
    case: Case  # before anything has happened
    cwd: Path
    flags: Sequence[str]  # of the client
    options: SupervisorOptions
    interactive: bool
    bare: Bare  # the environment for whom no key is meant
    told: Mapping[str | None, Mapping[str, str]]  # … and that of the client, by provider
    beside: Sequence[str] = ()  # what is said of Stop hooks that the project has

    @property
    def plan(self) -> Plan:
        return self.plans[self.case.provider]

    def agent(self, case: Case, resume: str | None) -> Program:
        plan = self.plans[case.provider]
        args = (*_settings(case), *plan.args)
        argv = commandline.agent_command(plan.client, args, self.flags, resume=resume, asks=self.interactive)
        return Program(argv, variables.waited_for(self._environment(case)), self.cwd)

    def client(self, case: Case, resume: str) -> Program:
        """The session in the client's own UI."""
        plan = self.plans[case.provider]
        args = commandline.without_session_flags(plan.args)
        argv = (str(plan.client), *_settings(case), *args, "--resume", resume)
        return Program(argv, self._environment(case), self.cwd)

    def _environment(self, case: Case) -> Mapping[str, str]:
        # One supervisor, not two: a Stop hook of ours in the settings is silent for this agent.
        return {**self.told[case.provider], **variables.SAME_PREFIX, "CCC_SUPERVISOR": "0", "CCC_PTY": "1"}


def _settings(case: Case) -> tuple[str, ...]:
    return ("--settings", str(case.seat.settings)) if case.seat.settings else ()


def run(start: Start) -> int:
    sink.fill_closed_streams()
    wanted = wishes(start.args)
    settled = _settled(replace(start, args=tuple(wanted.args)), wanted)
    first = _first_message(wanted, settled.interactive, _told(settled))
    told = _told(settled)
    if not wanted.quiet and began.KEY not in config.task(start.env):  # whoever started that knows
        announced = criteria.announced(start.cwd, start.conf.directory, settled.case.criteria)
        for line in (*announced, *settled.beside):
            start.say(line)
    if not wanted.json and not wanted.quiet:
        sink.show(told(ENABLED))
    try:
        with guard.guarded(0) if settled.interactive else nullcontext():
            code, ending, session = asyncio.run(_run(settled, first))
    except BrokenPipeError:  # whoever read our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # we have left: from here on it would only kill the interpreter
    if wanted.json:
        for line in ending:
            start.say(line)
    elif wanted.quiet:
        sink.show(*ending)
    elif settled.interactive and session:
        sink.show(told(_way_back(start, session)))
    return code


def _way_back(start: Start, session: str) -> Message:
    provider = f" {start.provider.name}" if start.provider else ""
    return msg("to come back: {command}", command=f"ccc --supervisor{provider} --resume {session}")


def _settled(start: Start, wanted: Wishes) -> Settled:
    interactive = os.isatty(0) and os.isatty(1) and not wanted.json and not wanted.quiet
    conf, cwd, state, say = start.conf, start.cwd, start.state, start.say
    seen = start.files_read()
    sources = settings.without_servers(seen)
    planned = launch.beneath(launch.plan(start, seen), start, settings.of_supervised(sources, start.env))
    names = _fallbacks(start, planned)
    _check_trust(cwd, settings.of_project(seen), state, wanted, say, interactive, start.env)
    handed = began.handed_over(start.env, state, cwd)
    first = handed or began.look(conf.directory, cwd, seen)
    plan, dropped = _without_own_flags(planned)
    if all_dropped := (*wanted.dropped, *dropped):
        say(msg("{flags}: dropped, ccc runs the agent with its own", flags=", ".join(all_dropped)))
    name = start.provider.name if start.provider else None
    plans: dict[str | None, Plan] = {name: plan}
    plans |= {other: _of_fallback(start, other, seen) for other in names}
    found = (*seen, _given(start, planned))
    served = servers.allowed(found, asked=False) & {*first.served}
    refused = servers.of_reviewer(servers.withheld(found, served))
    plans = {each: _without_servers(planned, refused) for each, planned in plans.items()}
    seats = {each or "": _seat(planned) for each, planned in plans.items()}
    case = Case(
        StopEvent("", cwd),
        criteria.copied(first.criteria, state),
        name,
        seat=seats[name or ""],
        project=cwd if handed else program.project_directory(cwd),  # the agent can have taken its `.git` away
        brought=first.brought,
        steering=settings.steering(seen),
        shaped=began.shaped(first, conf.directory, cwd, seen),
        served=tuple(sorted(served)),
        lineup=Lineup((name, *names) if name else (), 60 * conf.supervisor.fallback_after_minutes),
        seats=seats,
        ccc=os.getpid(),
        ccc_begun=processes.ticks(os.getpid()),
    )
    known = program.abilities(plan.client, state / "clients.json", plan.env)
    jurors = conf.jurors(*case.ground.named)
    judges.refuse_unable(plan.client, jurors, name, state / "clients.json", plan.env)
    bare = partial(choosing.without_keys, conf, plan.env)
    beside = declared.stop_hooks((*seen, *declared.sources(conf.directory, cwd, seen)))
    told = {each: planned.told for each, planned in plans.items()}
    return Settled(plans, wanted, case, cwd, known.flags, conf.supervisor, interactive, bare, told, beside)


def _given(start: Start, planned: Plan) -> Source:
    """What the agent is started with by --settings."""
    own = commandline.split_settings(start.words)[1]
    return Source("given", start.cwd, planned.overlay or (launch.given_settings(own, start.cwd) if own else {}))


def _without_servers(planned: Plan, refused: Json) -> Plan:
    """With the person's no to servers of the project: it stands in a file that the agent can take away before ccc
    starts another process of it."""
    return replace(planned, overlay=deep_merge(planned.overlay, refused)) if planned.overlay and refused else planned


def _fallbacks(start: Start, planned: Plan) -> tuple[str, ...]:
    """Who may go on in the same session; nobody where the client cannot do that."""
    names = fallback.of(start.conf, start.provider.name) if start.provider else ()
    if not names:
        return ()
    version = program.told_version(planned.client, start.state / "clients.json", planned.env)
    if program.changes_provider(version):
        return names
    start.say(
        msg(
            "claude {version} cannot go on with another provider in the same session, so {names} will not be used; "
            "to update it: claude update",
            version=one_line(version, 40),
            names=", ".join(names),
        )
    )
    return ()


def _of_fallback(start: Start, name: str, seen: Sequence[Source]) -> Plan:
    env = choosing.apart(start.conf, name, start.env)
    provider = choosing.resolve(start.conf, name, env)
    other = replace(start, provider=provider, env=env)
    kept = settings.of_supervised(settings.without_servers(seen), other.env)
    planned = launch.beneath(launch.plan(other, seen), other, kept)
    planned, _ = _without_own_flags(planned)
    return replace(planned, args=tuple(commandline.without_model(planned.args)))


def _check_trust(
    cwd: Path,
    seen: Sequence[Source],
    state: Path,
    wanted: Wishes,
    say: Say,
    interactive: bool,
    env: Mapping[str, str],
) -> None:
    brought = trust.brought(cwd, seen)
    if not brought or trust.is_trusted(cwd, seen, state):
        return
    say(msg("this project brings its own {names}", names="; ".join(brought)))
    if not wanted.trusts and not (interactive and _yes(_in_language(env)(msg("Trust this project? [y/N] ")))):
        raise trust.Untrusted(msg("not started: look at these files, then say yes, or start with --trust-project"))
    trust.trust(cwd, seen, state)


def _yes(question: str) -> bool:
    sink.show(question, end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是")


def _without_own_flags(plan: Plan) -> tuple[Plan, list[str]]:
    """claude_args in ccc.json may hold what ccc has to say itself."""
    kept, dropped = commandline.without_own_flags(plan.args)
    return replace(plan, args=tuple(kept)), dropped


def _seat(plan: Plan) -> Seat:
    """Where agent, reviewer and client find the settings of this start as long as ccc lives, and what these decide."""
    kept = tuple(sorted(plan.kept))
    if not plan.overlay:
        return Seat(kept=kept)
    path, env = launch.offered(plan.overlay, plan.directory, plan.in_memory), plan.overlay.get("env")
    decided = (*plan.overlay, *(env if isinstance(env, dict) else ()))
    return Seat(path, decided, digest(settings.spelt(plan.overlay)), kept)


def _first_message(wanted: Wishes, interactive: bool, told: Callable[[str], str]) -> str | None:
    if wanted.prompt or interactive:
        return wanted.prompt
    if os.isatty(0):
        sink.show(told(msg("ccc: type the task, then Ctrl-D")), err=True)
    with os.fdopen(0, "rb", closefd=False) as stdin:
        text = stdin.read().decode("utf-8", "replace").strip()
    if not text:
        raise Misuse(msg('nothing to do: type ccc --supervisor PROVIDER -- "…", or give the task on stdin'))
    return text


async def _run(start: Settled, first: str | None) -> tuple[int, Sequence[str], str | None]:
    paint = _paint(start)
    feed = Feed(utc_now) if start.wanted.json else None
    story = Story(paint, _told(start), _lang(start), str(start.cwd), _columns(start))
    # The client of the start reviews, too: where a PATH would lead by then is the agent's to decide.
    environment = {name: {**plan.env, "CCC_CLAUDE": str(plan.client)} for name, plan in start.plans.items()}
    reviews = Reviews(environment.__getitem__, feed.happened if feed else lambda event: tuple(story.lines(event)))
    loop = _loop(start, reviews, story, feed)
    _leave_on_signals(loop)
    attending = asyncio.create_task(loop.person.attend(loop))
    try:
        if start.interactive:
            await loop.person.show(_before(start, loop.turns.screen))
        code = await loop.run(first)
        await reviews.finish()
    finally:
        loop.turns.agent.end()
        attending.cancel()
        await asyncio.wait([attending])
    if not attending.cancelled():
        attending.result()  # raises what has broken the prompt
    return code, loop.ending, loop.standing.session


def _before(start: Settled, screen: Screen) -> list[str]:
    """The last exchange of a session that is gone on with."""
    plan = start.plan
    last = earlier.exchange(plan.args, cwd=start.cwd, env=plan.env, state=plan.directory)
    if last is None:
        return []
    asked = [screen.paint("person", row) for row in echoed(last.asked, screen.columns())]
    return [*asked, *screen.begins(), *screen.lines(Text(capped(last.answered, EARLIER_LENGTH)))]


def _paint(start: Settled) -> Paint:
    plain = start.wanted.json or start.plan.env.get("NO_COLOR") or _is_dumb(start)
    return Paint(os.isatty(1) and not plain)


def _is_dumb(start: Settled) -> bool:
    """Whether the terminal can do nothing but take lines."""
    return start.plan.env.get("TERM", "").lower() in ("", "dumb", "unknown")


def _columns(start: Settled) -> Callable[[], int]:
    """How wide the person's terminal is now; 0 where there is none."""
    return (lambda: _size()[1]) if start.interactive and not _is_dumb(start) else lambda: 0


def _loop(start: Settled, reviews: Reviews, story: Story, feed: Feed | None) -> Loop:
    paint, told = story.paint, story.told
    mark = "" if paint.colours else SAID
    screen = Screen(
        paint, columns=story.columns, told=told, cwd=str(start.cwd), verbose=start.wanted.verbose, mark=mark
    )
    ledger = Ledger(start.bare, start.options)
    agent = Agent(
        lambda resume: start.agent(loop.case, resume),
        _size(),
        feed.heard if feed else None,
        feed.complained if feed else None,
    )
    person = _person(start, story, screen, lambda: loop, silent=feed is not None)
    loop: Loop = Loop(
        turns=Turns(agent, person, screen, start.options.idle_seconds, _seen(start)),
        person=person,
        review=reviews.hold,
        case=start.case,
        obey=partial(obey, client=lambda resume: start.client(loop.case, resume), size=_size),
        paint=paint,
        interactive=start.interactive,
        answered=ledger.answered,
        close=ledger.close,
        folder_off=partial(_folder_off, start),
        paid=reviews.paid,
        waited=reviews.waited,
        changes=reviews.changes,
        reviewer_held=reviews.held,
        recall=partial(earlier.words, args=start.plan.args, env=start.plan.env, state=start.plan.directory),
        resumed=earlier.session(start.plan.args, cwd=start.cwd, env=start.plan.env),
        told=told,
        lang=story.lang,
        alert=_alert(start),
        glance=lambda: story.glance,
        took=reviews.tokens,
        limit=start.options.max_iterations,
        concluded=feed.concluded if feed else lambda _: None,
        held=partial(_held, ledger, feed),
        long_wait=ledger.long_wait,
        patience=Patience(start.options.max_wait_minutes),
        over=partial(_over, start.options, reviews),
        billed=feed.billed if feed else lambda _: None,
        priced=start.options.max_cost_usd is not None or TASK in start.plan.env,
    )
    loop.turns.named, loop.turns.alert, loop.turns.counted = loop.named, loop.alert, loop.counted
    loop.turns.permissions.told, loop.turns.permissions.paint = told, paint
    loop.turns.chosen = commandline.chosen(start.plan.args)
    return loop


def _seen(start: Settled) -> Seen:
    """What is known before the agent has said a word."""
    mode = commandline.permission_mode(start.plan.args)
    return Seen(permission_mode=mode, provider=start.case.provider or "claude")


def _person(start: Settled, story: Story, screen: Screen, loop: Callable[[], Loop], *, silent: bool) -> Person:
    """Whoever sits there: at a terminal, at one that only takes lines, or nobody."""
    if not start.interactive:
        return Nobody(silent=silent or start.wanted.quiet, stamp=_clock if start.wanted.verbose else None)
    if _is_dumb(start):
        return Teletype()
    from ccc_legacy.prompt import Typist  # what nobody needs without a terminal

    files.private_directory(start.plan.directory)
    return Typist(
        start.plan.directory / "history",
        screen.live,
        lambda columns: status(loop(), columns),
        Completing(start.cwd, start.bare(None), lambda: loop().turns.commands, story.told),
        story.paint,
        story.told,
    )


def _alert(start: Settled) -> Callable[[str], None]:
    """A sign to the terminal, where the person has asked for one."""
    kind = start.options.notify.terminal
    return (lambda text: sink.put(sink.sign(kind, text))) if kind and start.interactive else lambda _: None


def _clock() -> str:
    return datetime.now().astimezone().strftime("%H:%M:%S")


def _lang(start: Settled) -> str:
    return languages.of_person(start.plan.env)


def _told(start: Settled) -> Callable[[str], str]:
    return _in_language(start.plan.env)


def _in_language(env: Mapping[str, str]) -> Callable[[str], str]:
    return partial(messages.said, lang=languages.of_person(env))


def _over(options: SupervisorOptions, reviews: Reviews, case: Case, seen: Seen) -> str:
    prompt = case.stop.prompt_id
    return caps.passed(
        options,
        case.stop.began,
        utc_now(),
        cost_usd=reviews.paid(prompt) + seen.cost_by_now_usd,
        tokens=reviews.tokens(prompt) + seen.tokens_by_now,
    )


def _held(ledger: Ledger, feed: Feed | None, case: Case, event: Held) -> None:
    ledger.happened(case, event)
    if feed:
        feed.happened(event)


def _folder_off(start: Settled) -> bool:
    try:
        return switch.is_off(start.plan.directory, *start.case.ground.switched, session_id="")
    except CccError:  # whoever switches will hear of it
        return False


def _leave_on_signals(loop: Loop) -> None:
    """Leave in order; if that hangs, on a terminal that takes no more or under a borrowed one, leave all the same."""
    events = asyncio.get_running_loop()

    def leave(*_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, LEAVING_SECONDS)
        with suppress(RuntimeError):  # we have left already
            events.call_soon_threadsafe(loop.left)

    signal.signal(signal.SIGALRM, lambda *_: os._exit(130))
    for number in LEAVING:
        # Whoever started us with nohup, or behind a shell's &, wants no end by that signal.
        if number == signal.SIGTERM or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)
    events.add_signal_handler(signal.SIGWINCH, lambda: loop.resized(_size()))


def _size() -> Size:
    try:
        size = os.get_terminal_size(1)
    except OSError:  # no terminal
        return DEFAULT_SIZE
    return size.lines, size.columns
