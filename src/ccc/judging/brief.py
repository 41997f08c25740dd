"""What a reviewer is told beyond the conversation: findings, facts, checks.

Rule: frozen values; the words for them are in prompts and evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccc.evidence import facts as evidence
from ccc.evidence.facts import Evidence
from ccc.judging import checks
from ccc.judging.checks import Ran


@dataclass(frozen=True, slots=True)
class Brief:
    findings: tuple[str, ...] = ()  # of earlier reviews of this request
    evidence: Evidence | None = None
    checks: tuple[Ran, ...] = ()

    def facts(self, lang: str) -> str:
        """What the tools did, and what ccc saw pass."""
        shown = [evidence.facts(self.evidence, lang)] if self.evidence else []
        return "\n".join([*shown, *(f"- {line}" for line in checks.facts(self.checks, lang))])
