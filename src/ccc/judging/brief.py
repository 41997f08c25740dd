"""What a reviewer is told beyond the conversation: findings, facts, checks.

Rule: frozen values; the words for them are in prompts and evidence.
"""

from __future__ import annotations

from msgspec import Struct

from ccc.evidence import facts as evidence
from ccc.evidence.facts import Evidence
from ccc.judging import checks
from ccc.model import Ran


class Brief(Struct, frozen=True):
    findings: tuple[str, ...] = ()  # of earlier reviews of this request
    evidence: Evidence | None = None
    checks: tuple[Ran, ...] = ()

    def facts(self, lang: str) -> str:
        """What the tools did, and what ccc saw pass."""
        shown = [evidence.facts(self.evidence, lang)] if self.evidence else []
        return "\n".join([*shown, *(f"- {line}" for line in checks.facts(self.checks, lang))])
