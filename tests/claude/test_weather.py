from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.base import withheld
from ccc.claude.weather import LATEST, PASSING, READ, SHOWN, SOONEST, Kind, Weather, weather

NOW = datetime(2026, 11, 16, 18, 0, tzinfo=UTC)
AT_2230 = datetime(2026, 11, 16, 22, 30, tzinfo=UTC)


def at(hour: int, minute: int = 0, day: int = 16) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


# Client 2.1.325's own words for each answer, replayed with the scripted model.
TOLD = {
    "claude.ai, with its event": (
        "You've hit your 5-hour limit · resets 6:54pm (UTC)",
        429,
        "rate_limit",
        AT_2230.timestamp(),
        Kind.LIMIT,
        AT_2230,
    ),
    "claude.ai, without": (
        "You've hit your 5-hour limit · resets 6:54pm (UTC)",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        at(18, 54),
    ),
    "claude.ai, its words alone": (
        "You've hit your 5-hour limit · resets 6:54pm (UTC)",
        None,
        "",
        None,
        Kind.LIMIT,
        at(18, 54),
    ),
    "claude.ai, in the minute of the end": (
        "You've hit your 5-hour limit · resets 5:59pm (UTC)",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        at(17, 59),
    ),
    "claude.ai, the week's": (
        "You've hit your weekly limit · resets Nov 19, 3pm (Europe/Berlin)",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        at(14, 0, 19),
    ),
    "claude.ai, an old client": ("Claude AI usage limit reached|1794868200", 429, "", None, Kind.LIMIT, AT_2230),
    "a token provider with headers": (
        "API Error: Request rejected (429) · Rate limit",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        None,
    ),
    "GLM": (
        "API Error: Request rejected (429) · Usage limit reached for 5 hour."
        " Your limit will reset at 2026-11-17 06:30:00",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        AT_2230,
    ),
    "GLM in Chinese": (
        "API Error: Request rejected (429) · 已达到 5 小时的使用上限。您的限额将在 2026-11-17 06:30:00 重置。",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        AT_2230,
    ),
    "GLM, its code in an older client": (
        'API Error: 429 {"error":{"code":"1308","message":"resets 2026-11-17 06:30"}}',
        429,
        "",
        None,
        Kind.LIMIT,
        AT_2230,
    ),
    "GLM without money": (
        'API Error: 429 {"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}',
        429,
        "rate_limit",
        None,
        Kind.MONEY,
        None,
    ),
    "MiniMax": (
        "API Error: Request rejected (429) · usage limit exceeded, 5-hour usage limit reached for Token Plan Starter"
        " (4500/4500 used), resets at 2026-11-16T22:30:00Z (2056)",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        AT_2230,
    ),
    "MiniMax with an offset": (
        "(429) resets at 2026-11-17T06:30:00+08:00",
        429,
        "rate_limit",
        None,
        Kind.LIMIT,
        AT_2230,
    ),
    "Kimi": (
        "Failed to authenticate. API Error: 403 You've reached your usage limit for this billing cycle. Your quota"
        " will be refreshed in the next cycle. Upgrade to get more",
        403,
        "authentication_failed",
        None,
        Kind.LIMIT,
        None,
    ),
    "DeepSeek": ("API Error: 402 Insufficient Balance", 402, "unknown", None, Kind.MONEY, None),
    "an empty purse in the words of Anthropic": (
        "Your credit balance is too low to access the Anthropic API.",
        400,
        "invalid_request",
        None,
        Kind.MONEY,
        None,
    ),
    "a wrong key": (
        "Failed to authenticate. API Error: 401 Authentication",
        401,
        "authentication_failed",
        None,
        Kind.KEY,
        None,
    ),
    "a wrong key, after ten tries": (
        "Not logged in · Please run /login",
        None,
        "authentication_failed",
        None,
        Kind.KEY,
        None,
    ),
    "a forbidden model": ("API Error: 403 Forbidden", 403, "authentication_failed", None, Kind.KEY, None),
    "a model that is not there": (
        "There's an issue with the selected model (glm-9). It may not exist or you may not have access to it.",
        404,
        "model_not_found",
        None,
        Kind.MODEL,
        None,
    ),
    "a model that GLM does not have": (
        "API Error: 400 Unknown Model, please check the model code.",
        400,
        "invalid_request",
        None,
        Kind.MODEL,
        None,
    ),
    "a model that MiniMax does not have": (
        "API Error: 400 invalid params, unknown model 'minimax-m9' (2013)",
        400,
        "invalid_request",
        None,
        Kind.MODEL,
        None,
    ),
    "a model that Kimi does not have": (
        "API Error: 404 Not found the model kimi-k9 or Permission denied",
        404,
        "unknown",
        None,
        Kind.MODEL,
        None,
    ),
    "a model that DeepSeek does not have": (
        "API Error: 400 Model Not Exist",
        400,
        "invalid_request",
        None,
        Kind.MODEL,
        None,
    ),
    "a full context": (
        "Prompt is too long · the request is ~250000 tokens (limit 200000)",
        400,
        "invalid_request",
        None,
        Kind.CONTEXT,
        None,
    ),
    "an overloaded server": (
        "API Error: 529 Overloaded. This is a server-side issue, usually temporary",
        529,
        "server_error",
        None,
        Kind.OVERLOADED,
        None,
    ),
    "a broken gateway": ("API Error: 502 Bad Gateway", 502, "server_error", None, Kind.OVERLOADED, None),
    "a refused connection": (
        "API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
        None,
        "server_error",
        None,
        Kind.NETWORK,
        None,
    ),
    "a cut stream": (
        "API Error: Connection to the API was lost (ECONNRESET).",
        None,
        "server_error",
        None,
        Kind.NETWORK,
        None,
    ),
    "no name server": ("API Error: getaddrinfo ENOTFOUND api.example", None, "unknown", None, Kind.NETWORK, None),
    "a 429 in words nobody knows": ("Zut alors", 429, "", None, Kind.LIMIT, None),
    "a limit that ends after a while": (
        "429 try again in 1 hour and 30 minutes",
        429,
        "",
        None,
        Kind.LIMIT,
        at(19, 30),
    ),
    "a limit in seconds": ("429 please retry after 90 seconds", 429, "", None, Kind.LIMIT, NOW + timedelta(seconds=90)),
    "a bad request": (
        "API Error: 400 messages: text content blocks must be non-empty",
        400,
        "invalid_request",
        None,
        Kind.OTHER,
        None,
    ),
    "nothing": ("", None, "", None, Kind.OTHER, None),
}


@pytest.mark.parametrize(("text", "status", "error", "resets", "kind", "until"), TOLD.values(), ids=TOLD)
def test_what_the_client_tells_is_one_kind_of_weather_with_its_end(
    text: str, status: int | None, error: str, resets: float | None, kind: Kind, until: datetime | None
) -> None:
    found = weather(text, NOW, status=status, error=error, resets_at=resets)
    assert (found.kind, found.until) == (kind, until)


def test_a_clock_without_a_zone_is_the_persons() -> None:
    here = NOW.astimezone(ZoneInfo("America/New_York"))
    assert weather("resets 3pm", here, status=429).until == datetime(2026, 11, 16, 20, tzinfo=UTC)


def test_a_clock_that_has_passed_today_means_tomorrow() -> None:
    assert weather("resets 3:15pm (UTC)", NOW, status=429).until == at(15, 15, 17)


def test_a_date_of_the_next_year_is_found() -> None:
    now = datetime(2026, 12, 30, tzinfo=UTC)
    assert weather("resets Jan 2, 9am (UTC)", now, status=429).until == datetime(2027, 1, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "stamp", ["2020-01-01 00:00:00", "2031-01-01T00:00:00Z", "2026-13-77 99:99", "9999-12-31T23:59:59-12:00"]
)
def test_a_moment_that_cannot_be_meant_is_no_end(stamp: str) -> None:
    assert weather(f"limit reached, resets at {stamp}", NOW, status=429) == Weather(
        Kind.LIMIT, None, f"limit reached, resets at {stamp}"
    )


@pytest.mark.parametrize("resets", [1e300, float("inf"), float("nan"), -1e18, 0.0])
def test_an_event_with_a_mad_moment_is_a_limit_without_an_end(resets: float) -> None:
    assert weather("", NOW, resets_at=resets) == Weather(Kind.LIMIT)


WORDS = st.sampled_from(
    [
        "resets ",
        "reset at ",
        "in ",
        "429",
        "|",
        "2026-11-16",
        "T",
        " ",
        "22:30",
        "Z",
        "+99:99",
        "3pm",
        "(Mars/Phobos)",
        "(..)",
        "Feb 30, ",
        "1794868200",
        "999999 s",
        "0 h",
        "limit",
        "quota",
        "余额不足",
        "99:99",
        "\N{ARABIC-INDIC DIGIT THREE}",
    ]
)


@given(
    st.lists(WORDS | st.text(max_size=5), max_size=12).map("".join),
    st.none() | st.integers(-1, 1000),
    st.sampled_from(["", "rate_limit", "unknown", "x"]),
    st.none() | st.floats(),
    st.sampled_from([UTC, timezone(timedelta(hours=-12)), ZoneInfo("Asia/Kolkata")]),
)
def test_whatever_is_told_there_is_one_answer_and_an_end_one_can_wait_for(
    text: str, status: int | None, error: str, resets: float | None, zone: timezone
) -> None:
    now = NOW.astimezone(zone)
    found = weather(text, now, status=status, error=error, resets_at=resets)
    assert found.until is None or (found.kind in PASSING and SOONEST <= found.until - now <= LATEST)
    assert found.passes is (found.kind in PASSING)
    assert status != 429 or found.kind in (Kind.LIMIT, Kind.MONEY)


@pytest.mark.parametrize("cut", [READ, SHOWN])
def test_no_piece_of_a_key_is_left_where_the_words_are_cut(cut: int) -> None:
    key = "sk-which-nobody-else-may-see"
    withheld.withhold([key])
    for before in range(cut - len(key), cut):
        blank = "\0" if cut == READ else "p"  # what is not seen leaves room for what follows
        assert key[:8] not in weather(f"API Error: {blank * (before - 11)}{key} again", NOW).said
