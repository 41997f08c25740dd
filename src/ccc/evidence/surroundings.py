"""What a program wanted and this machine did not have: a network, a device, a key, a licence, a service.

Rule: pure; two halves that one line must hold, the thing and its absence. What an edit can give is not here: a module,
a file or a name of the project itself.
"""

from __future__ import annotations

from itertools import islice

from ccc.base.patterns import Lazy, any_case

LENGTH_LIMIT = 20_000


def wants(output: str) -> bool:
    """Whether an output tells of something that no edit can give."""
    text = output[-LENGTH_LIMIT:]
    if _KNOWN.search(text):
        return True
    lines = (line for line in text.split("\n") if _THING.search(line))
    return any(_LACK.search(line) and _ABSENT.search(line) for line in islice(lines, LINES_LIMIT))


LINES_LIMIT = 100
_KNOWN = Lazy(
    r"ECONNREFUSED|[Cc]onnection refused|could not connect to server|Cannot connect to the Docker daemon"
    r"|Name or service not known|[Nn]ame resolution|ENOTFOUND|EAI_AGAIN|No space left on device"
    r"|[Nn]etwork is unreachable|Read-only file system|JAVA_HOME|SDK location not found|[Oo]peration not permitted"
    r"|[Cc]ould not resolve host|[Cc]ould not translate host name|no such host",
    # a variable of the environment, by the way that these are written
    r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b[\"'`]? (?:(?:is|was|must be|has to be) )?(?:not set|unset|not defined|missing"
    r"|required|set\b)",
    r"(?:key not found|KeyError|[Mm]issing|[Uu]ndefined|[Rr]equired"
    r"|not set)\b[^\n]{0,24}[\"'`][A-Z][A-Z0-9]*_[A-Z0-9_]+[\"'`]",
)
_THINGS = (
    r"(?:driver|devices?|licen[sc]e|display|browser|executable|chrom(?:e|ium)|shared (?:object|library)|daemon"
    r"|credentials?"
    r"|api[ _-]?key|access[ _-]?key|access token|env(?:ironment)? var(?:iable)?s?|GPU|CUDA|emulator|simulator|SDK"
    r"|network|internet"
    r"|registry|package index|X server|broker|docker|toolchain)"
)
_LACKS = (
    r"(?:\bno\b|not found|missing|not installed|not available|unavailable|cannot (?:find|open|connect|reach)"
    r"|could not"
    r"|unable to|failed to (?:connect|download|find|locate|launch|reach|fetch)|doesn't exist|does not exist|denied"
    r"|refused"
    r"|expired|checkout failed|not running|unreachable|required)"
)
_THING, _LACK = any_case(_THINGS), any_case(_LACKS)
_ABSENT = any_case(rf"{_LACKS}[^\n]{{0,40}}\b{_THINGS}\b|\b{_THINGS}\b[^\n]{{0,40}}{_LACKS}")
