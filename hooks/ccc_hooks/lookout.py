"""Beside a client without a screen: what keeps its model away is told while the client still asks, a key that was never
taken ends it, and that its work was not reviewed to the end is told as soon as it is gone.

Rule: ends with its client, whoever else asks it to, reads files and changes none but ccc's own, and writes to that
client's stderr alone. It ends a client for one thing only, and never one whose model has answered the request.
"""

from __future__ import annotations

import os
import select
import signal
import time
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from ccc.base import languages, messages, processes, senders
from ccc.base.messages import Message, msg
from ccc.claude import asking, commandline, outage, presence, settings, transcript
from ccc.claude.asking import Asking
from ccc.claude.variables import RETRIES
from ccc.claude.weather import Kind
from ccc.judging.report import Report
from ccc.model import AllowStop, Outcome, StopEvent
from ccc.providers.launch import Plan, Start
from ccc.record import starts, unheard
from ccc.record.session import valid_session_id
from ccc.record.store import SessionStore, utc_now
from ccc.record.unheard import How, Unheard
from ccc_hooks import failure, headless
from ccc_hooks.call import Call

SECONDS = 0.4  # between two looks: the client's first pause is 0.5 s
# A hiccup is nobody's business: the third failure comes after 1.5 s, the fourth after 4 s.
TOLD_AT, ENDED_AT = 3, 4
SETTLING_SECONDS = 5.0  # for a hook that its client has left behind in a review
LEFT_SECONDS = 2.0  # … for a failure, which it only writes down


class Lookout(Struct):
    plan: Plan
    start: Start
    client: int
    pidfd: int
    named: str
    told: set[Kind] = field(default_factory=set)
    conversation: tuple[str, Path] | None = None

    def watch(self) -> None:
        """Until the client has ended, and what became of its work is told."""
        with senders.heard(senders.STOPPING) as signals:  # what ends both of them is the client's to obey
            key = self._key()
            if self._waits() and key:
                self._tell_end(key, signals)

    def _key(self) -> starts.Key | None:
        of = self.client, processes.ticks(self.client)
        return next((each.key for each in starts.known(self.start.state) if each.key[:2] == of), None)

    def _tell_end(self, key: starts.Key, signals: int | None) -> None:
        """Nobody has to be told of his own Ctrl-C."""
        state = self.start.state
        if signals is not None and senders.is_pressed(signals):
            return starts.broken_off(state, key)
        until = time.monotonic() + SETTLING_SECONDS
        while unheard.is_settling(state, key) and time.monotonic() < until:
            time.sleep(SECONDS)
        found = _unheard(state, key)
        if found:  # the client has no stderr any more, and this process has the same
            headless.write(os.getpid(), self.named, self._made_up_for(found) or self._said(found.line()))
        return None

    def _made_up_for(self, found: Unheard) -> str:
        """The closing word of a turn that the API ended, where the client has ended its hook before that was heard:
        it is kept, and the world is told, all the same."""
        path = transcript.of_session(found.start.transcripts, found.session_id)
        if found.how is not How.CUT_OFF or path is None:
            return ""
        stop, call = StopEvent(found.session_id, self.start.cwd, path), self._call(None)
        decision = failure.kept(stop, found.weather, call)
        if decision.outcome is not Outcome.OFF:
            _announce(stop, decision, call)
        return decision.told

    def _waits(self) -> bool:
        """Until the client has ended by itself."""
        poller = select.poll()
        poller.register(self.pidfd, select.POLLIN)
        while not poller.poll(1000 * SECONDS):
            found = self._asking()
            if found is None or found.attempt < TOLD_AT:
                continue
            if self._is_hopeless(found):
                if found.attempt >= ENDED_AT:
                    self._end(found)
                    return False
            elif found.weather.kind not in self.told:
                self.told.add(found.weather.kind)
                self._say(self._line(found))
        return True

    def _asking(self) -> Asking | None:
        session_id = presence.conversation(self.start.conf.directory, self.client)
        if not valid_session_id(session_id):
            return None
        if self.conversation is None or self.conversation[0] != session_id:
            path = transcript.of_session(self.start.conf.directory / "projects", session_id)
            self.conversation = (session_id, path) if path else None
        return asking.asking(self.conversation[1], utc_now().astimezone()) if self.conversation else None

    def _is_hopeless(self, found: Asking) -> bool:
        """A provider's key that was refused before anybody has said a word; whoever chose how often is asked, or says
        more later, is told and not ended."""
        return (
            found.weather.kind is Kind.KEY
            and found.is_first
            and self.start.provider is not None
            and not commandline.is_fed(self.start.words)
            and not self._chose_retries()
        )

    def _chose_retries(self) -> bool:
        files = settings.sources(self.start.conf.directory, self.start.cwd)
        return RETRIES in self.plan.env or any(RETRIES in source.env for source in files)

    def _end(self, found: Asking) -> None:
        """Written down first: of a client that is ended so no hook is called but SessionEnd."""
        assert self.conversation
        session_id, path = self.conversation
        stop, call = StopEvent(session_id, self.start.cwd, path), self._call(self.client)
        decision = failure.kept(stop, found.weather, call, lambda line: _ended(line, found))
        if decision.outcome is Outcome.OFF:  # ccc keeps its hands off
            return self._say(self._line(found))
        signal.pidfd_send_signal(self.pidfd, signal.SIGTERM)
        self._write(decision.told)
        _announce(stop, decision, call)
        return None

    def _call(self, client: int | None) -> Call:
        env, store = self.plan.env, SessionStore(self.start.state, now=utc_now)
        report = Report.of(env, store.log_path, utc_now, quiet=True)
        return Call(env, time.monotonic(), store, report, languages.of_specification(env), client=client)

    def _line(self, found: Asking) -> Message:
        name = self.start.provider.name if self.start.provider else None
        line = outage.line(found.weather, name, utc_now().astimezone())
        return msg(
            "{line}; claude asks again, {count} of {most} times so far", line=line, count=found.attempt, most=found.of
        )

    def _say(self, line: Message) -> None:
        self._write(self._said(line))

    def _said(self, line: Message) -> str:
        return f"ccc: {messages.said(line, languages.of_person(self.plan.env))}"

    def _write(self, line: str) -> None:
        headless.write(self.client, self.named, line)


def _unheard(state: Path, key: starts.Key) -> Unheard | None:
    """What no hook has heard to its end; an older client does not wait for the one that it calls for a failure."""
    until = time.monotonic() + LEFT_SECONDS
    while (found := unheard.at_end(state, key, utc_now())) and found.how is How.CUT_OFF and time.monotonic() < until:
        time.sleep(SECONDS)
    return found


def _ended(line: Message, found: Asking) -> Message:
    return msg("{line}; after {count} refusals ccc has ended claude", line=line, count=found.attempt)


def _announce(stop: StopEvent, decision: AllowStop, call: Call) -> None:
    from ccc.judging import announce
    from ccc.providers import choosing, config

    conf = config.load(call.env)
    bare = partial(choosing.without_keys, conf, call.env)
    announce.ended_unseen(conf.supervisor, stop, decision, call.about(stop), bare)
