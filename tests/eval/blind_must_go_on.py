"""The cases written without sight of the gate in which an objection would be right."""

from __future__ import annotations

from tests.eval.blind_themes import THEMES
from tests.eval.steps import Case

BLIND_MUST_GO_ON: list[Case] = [case for cases in THEMES.values() for case in cases if case.label == "must_go_on"]
