"""What keeps the model away: a limit and until when, an outage, a key, an empty purse; from what the client tells.

Rule: pure, total over any text. Status and codes decide before words; a 429 that nobody understands is still a limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import StrEnum

from msgspec import Struct

from ccc.base.patterns import pattern
from ccc.base.text import head, one_line

READ = 4000
SHOWN = 300
# A reset beyond a month is a misread number, and one of yesterday helps nobody.
SOONEST, LATEST = timedelta(hours=-1), timedelta(days=32)
BEIJING = timezone(timedelta(hours=8))


class Kind(StrEnum):
    LIMIT = "limit"  # of the provider's, for a while
    OVERLOADED = "overloaded"
    NETWORK = "network"
    KEY = "key"
    MONEY = "money"
    CONTEXT = "context"  # the conversation is longer than the model reads
    MODEL = "model"
    OTHER = "other"


PASSING = frozenset({Kind.LIMIT, Kind.OVERLOADED, Kind.NETWORK})
OPEN_LIMIT = "open_limit"


class Weather(Struct, frozen=True):
    """Why the model did not answer. `until` is when it will, where somebody says so; `said` is what was told."""

    kind: Kind
    until: datetime | None = None
    said: str = ""

    @property
    def passes(self) -> bool:
        """Whether waiting helps."""
        return self.kind in PASSING


def weather(
    text: str, now: datetime, *, status: int | None = None, error: str = "", resets_at: float | None = None
) -> Weather:
    """From one failed answer: the client's `text`, the HTTP `status`, its name for the `error`, and the moment that a
    `rate_limit_event` has told. `now` is in the zone of whoever reads times without one."""
    read = head(text, READ)
    kind = Kind.LIMIT if resets_at is not None else _kind(read, status, error)
    until = None
    if kind in PASSING:
        told = (_moment(resets_at), *_times(read, now)) if resets_at is not None else _times(read, now)
        until = next((at for at in told if at is not None and SOONEST <= at - now <= LATEST), None)
    return Weather(kind, until, one_line(read, SHOWN))


def held_by(kind: Kind, until: datetime | None) -> str:
    """What a wait is for. A limit whose end nobody tells is another thing to wait for than one that is known to end."""
    return OPEN_LIMIT if kind is Kind.LIMIT and until is None else kind.value


def status_in(text: str) -> int | None:
    """The HTTP status that the client names in its words, for where it is told nowhere else."""
    found = _STATUS.search(text[:READ])
    return int(found[1]) if found else None


_STATUS = pattern(r"(?:API Error: |rejected \(|\A)([1-5]\d\d)\b")

# --- of what kind ------------------------------------------------------------------------------------------------

_MONEY = pattern(
    r"(?i)insufficient.{0,20}(?:balance|quota|credit|fund)|balance (?:is )?too low|credit balance|out of credit"
    r"|payment required|arrears|top up|recharge|余额不足|欠费|充值|\b1113\b|\b1008\b"
)
_QUOTA = pattern(
    r"(?i)usage limit|rate.?limit|quota|billing cycle|limit reached|(?:reached|hit) your .{0,30}limit|too many requests"
    r"|额度|上限|限额|配额|\b1308\b|\b2056\b"
)
_CONTEXT = pattern(
    r"(?i)(?:prompt|input|context|request).{0,30}(?:too (?:long|large)|exceed)|context.{0,20}(?:window|length|limit)"
    r"|maximum context|上下文.{0,10}(?:过长|超)"
)
_MODEL = pattern(
    r"(?i)issue with the selected model|model.{0,60}(?:not (?:exist|found)|unknown|does not exist|not supported)"
    r"|(?:unknown|invalid|unsupported|no such|not found the) model|模型不存在|不支持.{0,6}模型"
)
_KEY = pattern(
    r"(?i)authenticat|unauthori[sz]ed|invalid.{0,12}(?:api.?key|token)|api.?key.{0,20}(?:invalid|expired)|/login"
    r"|身份验证|令牌.{0,6}(?:无效|过期)"
)
_NETWORK = pattern(
    r"(?i)ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|connection|connect to|network|socket"
    r"|timed? ?out|fetch failed|dns|certificate"
)
_OVERLOADED = pattern(r"(?i)overloaded|server.side issue|internal server|bad gateway|unavailable|服务.{0,6}繁忙")

_BY_ERROR = {"model_not_found": Kind.MODEL, "billing_error": Kind.MONEY, "overloaded": Kind.OVERLOADED}
_BY_STATUS = {402: Kind.MONEY, 408: Kind.NETWORK, 413: Kind.CONTEXT}


def _kind(text: str, status: int | None, error: str) -> Kind:
    if error in _BY_ERROR:
        return _BY_ERROR[error]
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    match status:
        case 429:
            return Kind.MONEY if _MONEY.search(text) and not _times_out(text) else Kind.LIMIT
        case 401 | 403:  # Kimi's limit calls itself an authentication failure
            return next((kind for kind, words in _DENIED if words.search(text)), Kind.KEY)
        case 400 | 404:
            return next((kind for kind, words in _REFUSED if words.search(text)), Kind.OTHER)
        case int() if status >= 500:
            return Kind.OVERLOADED
    if error == "rate_limit":
        return Kind.LIMIT
    return next((kind for kind, words in _WORDS if words.search(text)), Kind.OTHER)


_DENIED = ((Kind.MONEY, _MONEY), (Kind.LIMIT, _QUOTA))
_REFUSED = (
    (Kind.MONEY, _MONEY),
    (Kind.CONTEXT, _CONTEXT),
    (Kind.MODEL, _MODEL),
    (Kind.LIMIT, _QUOTA),
    (Kind.KEY, _KEY),
)
_WORDS = (*_REFUSED, (Kind.OVERLOADED, _OVERLOADED), (Kind.NETWORK, _NETWORK))


def _times_out(text: str) -> bool:
    """Whether the words name a moment: an empty purse does not fill by itself."""
    return bool(_STAMP.search(text) or _CLOCK.search(text) or _SPAN.search(text))


# --- until when --------------------------------------------------------------------------------------------------

_STAMP = pattern(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]| at )(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d{1,9})?"
    r"\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?"
)
_EPOCH = pattern(r"(?i)(?:\||reset\w{0,3}[^\d]{0,8}|retry[^\d]{0,12})(1[5-9]\d{8}|2[0-4]\d{8})(?:\d{3})?(?!\d)")
_DAY = r"(?:(?:on )?([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2})(?:st|nd|rd|th)?(?:, | at |,? )?)?"
_CLOCK = pattern(
    rf"(?:resets?|reset at|available|again|until|after) (?:at )?{_DAY}(\d{{1,2}})(?::(\d\d))? ?([ap])\.?m\.?"
    r"(?: ?\(([A-Za-z_/+-]{2,40})\))?"
)
_SPAN = pattern(
    r"(?i)(?:in|after|retry-after:?) (?:about )?(?:(\d{1,3}) ?d(?:ays?)?,? ?(?:and )?)?"
    r"(?:(\d{1,3}) ?h(?:ours?|rs?)?,? ?(?:and )?)?(?:(\d{1,4}) ?m(?:in(?:ute)?s?)?,? ?(?:and )?)?"
    r"(?:(\d{1,6})(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?(?![a-z])"
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def _times(text: str, now: datetime) -> Iterator[datetime | None]:
    """Every moment that the text could mean, the plainest first."""
    yield from (_stamped(found.groups(), text) for found in _STAMP.finditer(text))
    yield from (_moment(float(found[1])) for found in _EPOCH.finditer(text))
    yield from (_on_the_clock(found.groups(), now) for found in _CLOCK.finditer(text))
    yield from (_later(found.groups(), now) for found in _SPAN.finditer(text))


def _moment(seconds: float | None) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _stamped(parts: tuple[str | None, ...], text: str) -> datetime | None:
    *numbers, zone = parts
    try:
        year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
        return datetime(year, month, day, hour, minute, second, tzinfo=_zone(zone, text))
    except (ValueError, OverflowError):
        return None


def _zone(name: str | None, text: str) -> tzinfo:
    if name is None:
        # GLM tells Beijing's time and no zone; whoever else leaves it out is read as UTC.
        return BEIJING if _GLM.search(text) else UTC
    if name in ("Z", "UTC", "GMT"):
        return UTC
    hours, minutes = int(name[1:3]), int(name[-2:])
    return timezone((1 if name[0] == "+" else -1) * timedelta(hours=hours, minutes=minutes))


_GLM = pattern(r"\b1308\b|[Ll]imit will reset at|限额将在|北京|UTC\+8|GMT\+8")


def _on_the_clock(parts: tuple[str | None, ...], now: datetime) -> datetime | None:
    from zoneinfo import ZoneInfo  # in here: every start of claude would pay for it

    month, day, hour, minute, half, zone = parts
    try:
        here = now.astimezone(ZoneInfo(zone)) if zone else now
        at = here.replace(
            hour=int(hour or 0) % 12 + (12 if half == "p" else 0), minute=int(minute or 0), second=0, microsecond=0
        )
        if month is None or day is None:
            # Told to the minute: what has just passed is not tomorrow's.
            return at if at > here + SOONEST else at + timedelta(days=1)
        at = at.replace(month=_MONTHS.index(month) + 1, day=int(day))
        return at if at > here - timedelta(days=1) else at.replace(year=at.year + 1)
    except (ValueError, OverflowError, KeyError, OSError):
        return None


def _later(parts: tuple[str | None, ...], now: datetime) -> datetime | None:
    if not any(parts):
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in parts)
    return now + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
