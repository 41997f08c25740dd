"""What the person sees of a review: the events of its story in, lines out.

Rule: pure; text of a model is cleaned here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from ccc.base.messages import msg
from ccc.base.text import clean, one_line
from ccc.judging.verdict import words_of
from ccc.model import ByReviewer
from ccc.record.events import AskedAgain, Changed, Event, HeldUp, ReviewerSaid, ReviewerUsed, SentBack, Stopped, Trouble
from ccc.record.session import moment
from ccc.record.words import changed, waiting
from ccc_legacy.paint import Paint

ASKED_AGAIN = msg("that is no plain verdict: asked for the verdict alone")


def review_lines(event: Event, paint: Paint, told: Callable[[str], str] = str) -> Iterator[str]:
    """A line of a review's story."""
    match event:
        case Stopped(count, limit):
            yield paint("phase", f"[review {count}/{limit}]")
        case ReviewerSaid(text):
            yield from (paint("dim", f"  {line}") for line in words_of(text).split("\n"))
        case ReviewerUsed(tool, on):
            yield paint("dim", f"  ⚙ {one_line(tool)} {one_line(on or '', 100)}")
        case AskedAgain():
            yield paint("dim", f"  … {told(ASKED_AGAIN)}")
        case SentBack(feedback=feedback) if event.sender != ByReviewer():  # whose words have been shown
            yield from (paint("dim", f"  {line}") for line in clean(feedback).split("\n"))
        case HeldUp(by, provider=provider) if (until := moment(event.until)) is not None:
            yield paint("dim", f"  … {told(waiting(by, provider, until, datetime.now(UTC)))}")
        case Changed():
            yield paint("phase", f"  ↪ {told(changed(event))}")
        case Trouble(why):
            yield paint("bad", f"  {one_line(why, 300)}")
