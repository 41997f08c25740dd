"""One Stop: what the client says on stdin becomes ccc's answer on stdout.

Rule: stdout is nothing or one JSON object, and the exit code is 0, whatever happens; no Stop passes in silence. Only a
review in the background ends with another code, by which the line in the settings has the agent woken. The
specification has nothing on stdout where a Stop is allowed by a review or a limit; a client is told in one line.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from ccc.base import files, sink
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import own_hook
from ccc.claude.transcript import Transcript
from ccc.judging import announce
from ccc.model import AllowStop, Decision, KeepWorking, StopEvent
from ccc.providers import config
from ccc.providers.config import Config
from ccc.record.events import LetThrough
from ccc.record.outside import Kind
from ccc.record.store import Memory
from ccc_hooks import bench, claim, deadline, ends, lineage, stop
from ccc_hooks import call as calls
from ccc_hooks.bench import NotARequest
from ccc_hooks.call import Call
from ccc_hooks.deadline import Overdue
from ccc_hooks.stop import Asked, Begun, Failed, NotAStop, Unreadable

# The client gives a hook 60 s more than a review may take, and ends it without a word.
READING_SECONDS = 45.0
BEYOND_SECONDS = 40.0


def main(words: Sequence[str], env: Mapping[str, str]) -> int:
    """Answer one Stop. 0: the client would show any other code as an error, and take 2 for a block. Where it does not
    wait for the answer, it would hear nothing else."""
    closed = sink.fill_closed_streams()
    call = Call.of(words, env, begun=lineage.begun())
    event: StopEvent | None = None
    try:
        if 1 in closed:
            raise NotAStop("stdout is closed, so nobody would hear the answer")
        with deadline.within(READING_SECONDS) as ends_in:
            lineage.refuse_recursion()
            said = stop.read(0)
            config.withhold(call.env)  # from here on strangers' words are read, and cut
            lineage.refuse_uninvited(call.env, call.store.directory, of_prompt=own_hook.OF_PROMPT in words)
            event = stop.parse(said, call.env.get("CLAUDE_PROJECT_DIR"))
            conf = config.load(call.env)
            ends_in(call.begun + conf.supervisor.timeout_seconds + BEYOND_SECONDS - time.monotonic())
            decision = supervised(event, call, conf)
        ends.give(decision, call)
        with suppress(Exception):  # the answer is out, and there is only one
            if announce.is_wanted(conf.supervisor):
                bare = call.outward(conf, event.cwd)
                announce.ended(conf.supervisor, event, decision, call.about(event), bare)
        return own_hook.WAKES if call.background and isinstance(decision, KeepWorking) else 0
    except Failed as failed:
        ends.note(failed, call)
    except Asked as asked:
        ends.hear(asked, call)
    except Begun as begun:
        ends.greet(begun, call)
    except NotAStop as nothing:
        with suppress(CccError):  # a folder that cannot be had has no log either
            files.private_directory(call.store.directory)
        call.report.tell(None, LetThrough(str(nothing)))
    except Unreadable as error:
        ends.give(ends.unreviewed(call, call.unread(error.session_id), error.message), call)
    except CccError as error:
        ends.give(ends.unreviewed(call, event, error.message), call)
    except Overdue:
        ends.give(ends.overdue(call, event), call)
    except Exception as error:
        ends.give(ends.unreviewed(call, event, f"unexpected {type(error).__name__} in ccc"), call)
    return 0


def supervised(event: StopEvent, call: Call, conf: Config) -> Decision:
    """The decision on this Stop; a second hook that is called for the same one leaves it to the first."""
    with claim.held(event, call, conf) as memory, Transcript(event.transcript) as file:
        calls.hold_back()
        try:
            decision = bench.of(event, call, conf, memory, file).decision()
        except NotARequest:
            decision = _own_command(event, call, memory)
        if not call.background:  # there the agent may have gone on
            bench.catch_up(event, decision, memory, file)
        return ends.kept(decision, call, event)


def _own_command(event: StopEvent, call: Call, memory: Memory) -> Decision:
    outside = memory.session.outside.noticed_again(Kind.OWN_COMMAND, memory.store.now())
    memory.keep(replace(memory.session, outside=outside))  # heard of, and no more
    # No stop of the request's, whose end stands in the story as it was.
    why = msg("not reviewed, for the agent has only answered to a command of yours (!)")
    call.report.tell(event, LetThrough(why))
    return AllowStop(None, why, call.report.notices.own_command)
