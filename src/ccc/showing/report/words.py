"""The page's own words and how it writes numbers, in both languages.

Rule: data and pure functions; every language has every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo

from msgspec import Struct

from ccc.base.messages import Phrases
from ccc.record.words import dollars

Texts = Mapping[str, str]

TEXTS = Phrases(
    "report",
    {
        "html_lang": "en",
        "report": "session report",
        "reports": "session reports",
        "skip": "Skip to the story",
        "no_request": "A supervised session",
        "completed": "Completed",
        "limit": "Limit reached",
        "unreviewed": "Not reviewed",
        "needs_human": "Needs you",
        "off": "Reviews off",
        "interrupted": "Interrupted",
        "working": "At work",
        "reviewing": "Under review",
        "waiting": "Waiting",
        "held_up": "Waiting for the provider",
        "done": "Ended",
        "lead_first": "Done at the first attempt: the work passed its review.",
        "lead_later": "Done at attempt {attempt}. The agent was sent back {times} before its work passed.",
        "lead_limit": "The limit was reached after the agent had been sent back {times}. Look at the last feedback.",
        "lead_unreviewed": "The agent stopped and no verdict could be had: {why}",
        "lead_needs_human": "Only you can move this forward; the last feedback says what is needed.",
        "lead_off": "Reviews were switched off, so the agent stopped on its own word.",
        "lead_interrupted": "The review was interrupted.",
        "lead_waiting": "The agent waits for work in the background.",
        "lead_open": "The agent has not come to its end yet.",
        "once": "once",
        "twice": "twice",
        "times": "{n} times",
        "facts": "In short",
        "project": "Project",
        "provider": "Provider",
        "mode": "Mode",
        "model": "Model",
        "started": "Started",
        "took": "Took",
        "stops": "Stops",
        "stops_of": "{count} of at most {limit}",
        "agent_cost": "Agent cost",
        "by_provider": "By provider",
        "cost": "Reviews cost",
        "session_cost": "Whole session",
        "in_session": "whole session: {cost}",
        "review_tokens": "Review tokens",
        "agent_tokens": "Agent tokens",
        "files": "Files changed",
        "request": "The request",
        "earlier": "Earlier requests of this session",
        "where_time_went": "Where the time went",
        "agent": "Agent",
        "checks": "Checks",
        "reviewer": "Review",
        "rest": "Between",
        "what_reviews_cost": "What the reviews cost",
        "review_n": "Review {n}",
        "verdict": "Verdict",
        "seconds": "Time",
        "money": "Cost",
        "n_tokens": "{n} tokens",
        "n_cached": "{n} of them cached",
        "asked_again": "asked again for the verdict alone",
        "cached": "Cached tokens",
        "uncached": "Other tokens",
        "timeline": "What happened",
        "agent_works": "The agent works",
        "tool_calls": "{n} tool calls",
        "one_tool_call": "1 tool call",
        "failed_calls": "{n} failed",
        "all_steps": "{n} earlier steps",
        "left_out": "{n} earlier ones are left out here.",
        "rounds_left_out": "{n} earlier rounds are left out here; the numbers above count them.",
        "you": "You",
        "ok": "ok",
        "failed": "failed",
        "no_result": "no result",
        "asks_to_stop": "Wants to stop",
        "attempt": "{count} of at most {limit}",
        "check_passed": "Check passed",
        "check_failed": "Check failed",
        "exit_code": "exit code {code}",
        "not_run": "not run to its end",
        "looked_at": "What the reviewer looked at ({n})",
        "under_way": "under way",
        "no_verdict": "no verdict",
        "may_stop": "may stop",
        "not_done": "not done",
        "sent_back": "Sent back",
        "by_gate": "by the gate, without asking a model",
        "by_check": "because a check failed",
        "by_reviewer": "by the reviewer",
        "trouble": "Trouble",
        "changes": "What changed in the files",
        "no_changes": "The agent edited no file with its own tools.",
        "undone_changes": "After the agent's edits every file is as it was before.",
        "no_transcript": "The client's transcript of this session cannot be read here, so the agent's own steps, its"
        " request and its edits are missing.",
        "new_file": "new",
        "single_edits": "The whole files were not recorded; these are the edits one by one.",
        "cut_lines": "{n} more lines",
        "changed_by_commands": "Also not committed in the project right now: {files}",
        "more": "{n} more",
        "all_sessions": "All sessions",
        "sessions": "{n} sessions",
        "one_session": "1 session",
        "nothing": "No supervised session yet.",
        "footer": "Made by ccc {version} from its own story and the client's transcript, on {when}. This page asks the"
        " network for nothing. It holds words and output of the session: look through it before you hand it on.",
        "session": "Session",
    },
)


class Words(Struct, frozen=True):
    """One language, and the time zone that moments are told in."""

    texts: Texts
    zone: tzinfo | None = None  # None: that of this machine

    def __getitem__(self, key: str) -> str:
        return self.texts[key]

    @property
    def lang(self) -> str:
        return self["html_lang"][:2]

    def times(self, n: int) -> str:
        return self["once"] if n == 1 else self["twice"] if n == 2 else self["times"].format(n=n)

    def sessions(self, n: int) -> str:
        return self["one_session"] if n == 1 else self["sessions"].format(n=n)

    def calls(self, n: int) -> str:
        return self["one_tool_call"] if n == 1 else self["tool_calls"].format(n=n)

    def when(self, at: float) -> str:
        return self._local(at).strftime("%Y-%m-%d %H:%M")

    def iso(self, at: float) -> str:
        return self._local(at).isoformat(timespec="seconds")

    def duration(self, seconds: float) -> str:
        hour, minute, second = (" 小时", " 分", " 秒") if self["html_lang"] == "zh-CN" else (" h", " min", " s")
        if seconds < 9.95:
            return f"{seconds:.1f}{second}"
        whole = round(seconds)
        if whole < 60:
            return f"{whole}{second}"
        if whole < 3600:
            return f"{whole // 60}{minute} {whole % 60:02d}{second}"
        return f"{whole // 3600}{hour} {whole % 3600 // 60:02d}{minute}"

    def _local(self, at: float) -> datetime:
        return datetime.fromtimestamp(min(max(at, 0.0), 32503680000.0), self.zone).astimezone(self.zone)


def words(lang: str, zone: tzinfo | None = None) -> Words:
    return Words(TEXTS[lang], zone)


money = dollars  # one spelling of an amount, wherever it is shown


def amount(n: int) -> str:
    """A number for a glance: 940, 12.4k, 3.1M."""
    if n < 1000:
        return str(n)
    return f"{n / 1000:.1f}k" if n < 999_950 else f"{n / 1_000_000:.1f}M"


def clock(seconds: float) -> str:
    """0:07, 12:30, 1:02:03."""
    whole = max(0, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
