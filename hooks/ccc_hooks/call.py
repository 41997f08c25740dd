"""One call of `ccc supervisor-hook`: its standard streams, its options, its environment and the tools made from them.

Rule: nothing that the caller gives can make a call fail; the only write to stdout on the hook's way is here, whole or
not at all, and quiet when nobody listens any more.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from ccc.base import interpreter, languages, senders
from ccc.base.text import encodable
from ccc.claude import above, ground
from ccc.claude.above import Above
from ccc.claude.ground import Ground
from ccc.claude.own_hook import BACKGROUND
from ccc.claude.program import project_directory
from ccc.claude.variables import PROJECT
from ccc.judging.report import Report
from ccc.model import Mode, StopEvent
from ccc.providers import choosing, config
from ccc.providers.config import Bare, Config
from ccc.record.session import About, Session, valid_session_id
from ccc.record.store import SessionStore, utc_now
from ccc_hooks import lineage

AT_ONCE = 1.0  # seconds between the starts of two hooks for one Stop: half of that was seen on a busy machine

ROOM = 65536  # bytes that a pipe or a socket takes while nobody has read: one write, which no kill can tear
LOOK_SECONDS = 0.3  # between two looks whether somebody has told us to stop


class Call(Struct, frozen=True):
    env: Mapping[str, str]
    begun: float  # monotonic, so it can be compared with what another hook stored
    store: SessionStore
    report: Report
    lang: str
    settings: Path | None = None  # the reviewer's settings file
    client: int | None = None  # that called; None when something else did, or nobody can tell
    background: bool = False  # the turn has ended, and only an exit code is heard
    above: Above = Above()  # found at the beginning: once it has its answer, the client may go

    @classmethod
    def of(cls, words: Sequence[str], env: Mapping[str, str], *, begun: float) -> Call:
        named, env, client = options(words), interpreter.restored(env), above.of(env)
        env = lineage.as_started({**client.kept, **env}, client.started)
        directory = Path(named["--state-dir"]).absolute() if "--state-dir" in named else config.state_directory(env)
        store = SessionStore(directory, utc_now, lambda session_id: _had(directory, session_id))
        return cls(
            env=env,
            begun=begun,
            store=store,
            report=Report.of(env, store.log_path, utc_now, quiet=BACKGROUND in words),
            lang=languages.of_specification(env),
            settings=Path(named["--settings"]).absolute() if "--settings" in named else None,
            client=lineage.caller(env),
            background=BACKGROUND in words,
            above=client,
        )

    def outward(self, conf: Config, cwd: Path) -> Bare:
        """For whatever a Stop starts that is no client: no key, and nothing by which a settings file that came since
        the start would lead it elsewhere."""
        return partial(choosing.without_keys, conf, self.settled(conf, cwd))

    def settled(self, conf: Config, cwd: Path, ground: Ground | None = None) -> Mapping[str, str]:
        if not self.above.started:
            return self.env
        from ccc.providers import inherited

        return inherited.settled(conf, cwd, self.env, self.above, ground)

    def unread(self, session_id: str | None) -> StopEvent | None:
        """A Stop of which nothing is known but whose it is; None when not even that."""
        whose = session_id or self.env.get("CLAUDE_CODE_SESSION_ID")
        return StopEvent(whose, Path("/")) if valid_session_id(whose) else None

    def ground(self, event: StopEvent, about: About) -> Ground:
        """Where the session was started, as its start has handed it over, or as it was at the first Stop: the agent may
        have gone elsewhere since, or have made a `.git`."""
        started, handed = self.env.get("CLAUDE_PROJECT_DIR"), self.env.get(PROJECT)
        named = (Path(handed) if handed else None, ground.read(about.root) if about.root else None)
        known = next((each for each in named if each and ground.has(each, started)), None)
        # The client's own word, also of a folder that is gone: where the agent stands now is for the agent to choose.
        folder = Path(started) if started else known or event.cwd
        return Ground(known or project_directory(folder), folder)

    def kept(self, found: Ground) -> About:
        """What the session has to remember of it, because no start has handed it over."""
        return About() if str(found.project) == self.env.get(PROJECT) else About(root=ground.spelt(found.project))

    def about(self, event: StopEvent) -> About:
        return About(
            mode=Mode.HOOKS,
            provider=encodable(self.env.get("CCC_PROVIDER", "")) or None,
            project=_shown(project_directory(event.cwd)),
            transcript=_shown(event.transcript) if event.transcript else None,
        )

    def is_late(self, session: Session) -> bool:
        """Whether a decision was stored after this call began: then it was on the same Stop, since the client
        calls again only when it has acted on the answer."""
        # Whoever else wrote the file may not say that this Stop is decided, nor a hook that was there before it or
        # that somebody else than this client has called.
        decided = session.request.decided_at > self.begun and not self.is_older(session.request.decider_begun)
        return decided and not session.foreign and session.about.client in (None, self.client or 0)

    def is_older(self, begun: float) -> bool:
        """Whether a hook that began then was called for something else: the client calls all for one Stop at once."""
        return begun < self.begun - AT_ONCE


def _had(state: Path, session_id: str) -> bool:
    from ccc.record import starts  # in here: a session begins once

    return starts.had(state, session_id)


def _shown(path: Path) -> str:
    """The path for the state file: a name may hold any bytes, JSON may not."""
    return os.fsencode(path).decode("utf-8", "replace")


def options(words: Sequence[str]) -> dict[str, str]:
    """`--settings F` and `--state-dir D`, in either spelling."""
    known: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in ("--settings", "--state-dir"):
            value = value if equals else next(rest, "")
            known |= {name: value} if value and "\0" not in value else {}
    return known


def hold_back() -> None:
    """Whoever tells us to stop from here on is heard by what runs for the review, which learns who it was, and else
    not before there is an answer: no decision is left half told."""
    signal.pthread_sigmask(signal.SIG_BLOCK, senders.STOPPING)


def release() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, senders.STOPPING)


def is_heard(fd: int) -> bool:
    """Whether somebody still has the other end."""
    poller = select.poll()
    poller.register(fd, 0)  # a hang-up is reported unasked
    return not poller.poll(0)


def put(fd: int, data: bytes) -> None:
    rest, most = memoryview(data), ROOM
    try:
        while rest and _takes_more(fd):
            rest, most = rest[os.write(fd, rest[:most]) :], select.PIPE_BUF
    except OSError:  # the client is gone; there is nobody left to tell
        return


def _takes_more(fd: int) -> bool:
    """Whether somebody reads; who is told to stop waits no longer for one that does not."""
    poller = select.poll()
    poller.register(fd, select.POLLOUT)
    while not poller.poll(1000 * LOOK_SECONDS):
        if senders.is_waiting():
            return False
    return True
