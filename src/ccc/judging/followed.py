"""Whether the reviewers of a stop have gone on with its conversation: the client follows pointers in a transcript, and
these are anybody's to write.

Rule: by what the client has written down of each fork, which begins with all that it has taken for the conversation.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ccc.base.messages import msg
from ccc.claude import transcript
from ccc.record.store import Memory

UNSEEN = msg("the conversation does not hold what was asked and answered last, so its reviewer has not seen it")


def unseen(memory: Memory, projects: Path, last_message: str | None, before: Collection[str]) -> str:
    """Why a permission is worth nothing. `before`: the forks of earlier stops. A client that keeps no conversation has
    none of a fork either."""
    if not transcript.all_of_session(projects, memory.session.session_id):
        return ""
    forks = [each for each in memory.session.forks or () if each not in before]
    answer = memory.session.about.answer or ""
    return "" if transcript.is_followed(projects, forks, answer, last_message) else UNSEEN
