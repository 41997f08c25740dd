"""What a program wanted and this machine did not have: a network, a device, a key, a licence, a service.

Rule: pure; two halves that one line must hold, the thing and its absence. What an edit can give is not here: a module,
a file or a name of the project itself.
"""

from __future__ import annotations

from ccc.base.patterns import Lazy

LINE_LIMIT = 500


def wants(output: str) -> bool:
    """Whether an output tells of something that no edit can give."""
    return any(
        _KNOWN.search(line) or _ABSENT.search(line) for line in output.split("\n") if _MAY.search(line[:LINE_LIMIT])
    )


# Most lines of a long output have none of these.
_MAY = Lazy(
    r"(?i:not?\b|n't|missing|unable|refused|denied|fail|unset|unreach|required|ENOTFOUND|EAI_|ECONN|JAVA_HOME"
    r"|expired)"
)
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
_THING = (
    r"(?:driver|devices?|licen[sc]e|display|browser|executable|chrom(?:e|ium)|shared (?:object|library)|daemon"
    r"|credentials?"
    r"|api[ _-]?key|access[ _-]?key|access token|env(?:ironment)? var(?:iable)?s?|GPU|CUDA|emulator|simulator|SDK"
    r"|network|internet"
    r"|registry|package index|X server|broker|docker|toolchain)"
)
_LACK = (
    r"(?:\bno\b|not found|missing|not installed|not available|unavailable|cannot (?:find|open|connect|reach)"
    r"|could not"
    r"|unable to|failed to (?:connect|download|find|locate|launch|reach|fetch)|doesn't exist|does not exist|denied"
    r"|refused"
    r"|expired|checkout failed|not running|unreachable|required)"
)
_ABSENT = Lazy(rf"(?i:{_LACK}[^\n]{{0,40}}\b{_THING}\b|\b{_THING}\b[^\n]{{0,40}}{_LACK})")
