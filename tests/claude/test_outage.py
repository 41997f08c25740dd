from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ccc.claude import outage
from ccc.claude.weather import Kind, Weather, status_in

NOW = datetime(2026, 11, 16, 22, 0, tzinfo=timezone(timedelta(hours=1)))
AT = datetime(2026, 11, 16, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("weather", "provider", "line"),
    [
        (Weather(Kind.LIMIT, AT, "API Error: …"), "glm", "glm: usage limit until 23:30"),
        (Weather(Kind.LIMIT, AT + timedelta(seconds=1)), "glm", "glm: usage limit until 23:31"),
        (Weather(Kind.LIMIT, AT + timedelta(hours=1)), "glm", "glm: usage limit until 2026-11-17 00:30"),
        (Weather(Kind.LIMIT, None, "429"), "glm", "glm: usage limit, nobody says until when (429)"),
        (Weather(Kind.OVERLOADED, AT), None, "the API: overloaded until 23:30"),
        (Weather(Kind.NETWORK, None, "ECONNREFUSED"), "glm", "glm: cannot be reached (ECONNREFUSED)"),
        (Weather(Kind.OTHER), "glm", "glm: failed"),
    ],
)
def test_a_line_says_whose_what_and_until_when(weather: Weather, provider: str | None, line: str) -> None:
    assert outage.line(weather, provider, NOW) == line


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_words_and_what_was_said_is_kept_short(kind: Kind) -> None:
    told = outage.line(Weather(kind, said="x" * 1000), "glm", NOW)
    assert told.startswith("glm: ")
    assert len(told) < 300


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("API Error: 402 Insufficient Balance", 402),
        ("API Error: Request rejected (429) · Rate limit", 429),
        ("Failed to authenticate. API Error: 403 You've reached your usage limit", 403),
        ('400 {"type":"error"}', 400),
        ("API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)", None),
        ("there are 404 files", None),
        ("API Error: 4021", None),
        ("", None),
    ],
)
def test_the_status_is_read_where_the_client_names_it(text: str, status: int | None) -> None:
    assert status_in(text) == status
