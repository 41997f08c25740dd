"""The cases written without sight of the gate, by theme; each stands beside its mirror of the other label.

Rule: a label is what a person would say who sees only the transcript, never what the gate does.
"""

from __future__ import annotations

from tests.eval.blind_after import AFTER
from tests.eval.blind_asks import ASKS
from tests.eval.blind_checks import CHECKS
from tests.eval.blind_claims import CLAIMS
from tests.eval.blind_edits import EDITS
from tests.eval.blind_features import FEATURES
from tests.eval.blind_lints import LINTS
from tests.eval.blind_long import LONG
from tests.eval.blind_long_abroad import LONG_ABROAD
from tests.eval.blind_quiet import QUIET
from tests.eval.blind_reserved import RESERVED
from tests.eval.steps import Case

THEMES: dict[str, list[Case]] = {
    "edits": EDITS,
    "after": AFTER,
    "claims": CLAIMS,
    "checks": CHECKS,
    "asks": ASKS,
    "quiet": QUIET,
    "reserved": RESERVED,
    "features": FEATURES,
    "lints": LINTS,
    "long": LONG,
    "long_abroad": LONG_ABROAD,
}
# The objection that is right here: nothing shows the success that the last message claims.
UNPROVED = ("edits", "features", "after", "claims", "quiet", "reserved")
LANGUAGES = ("en", "zh", "zh-Hant", "ja", "ko", "es", "pt", "fr", "de", "ru")


def language(case: Case) -> str:
    """The first word of the id."""
    return next(tongue for tongue in sorted(LANGUAGES, key=len, reverse=True) if case.id.startswith(f"{tongue}-"))
