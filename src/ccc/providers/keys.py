"""What in the value of a variable is a key.

Rule: pure values; whoever withholds a key, or takes it out of an environment, asks here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ccc.base import withheld
from ccc.base.patterns import pattern

HEADERS = "ANTHROPIC_CUSTOM_HEADERS"
_SPEAKS_OF_ONE = pattern(
    r"(?i)\w*(KEY|TOKEN|SECRET|PASSW|PASSPH|AUTH(?!OR))\w*|\w+_PWD"
    r"|(\w+_)?(PASS|PAT|JWT|BEARER|PRIVATE|COOKIES?|CREDENTIALS?|CREDS)(_JSON|_BASE64|_?\d+)?"
)
# … and says where one is, or something else about it.
_BESIDE = pattern(
    r"(?i)\w*(_(FILE|PATH|DIR|FOLDER|URL|URI|ENDPOINT|HOST|HELPER|NAME|TYPE|SOCK)|TOKENS|APPLICATION_CREDENTIALS)"
)
_PASSWORD = pattern(r"(?i)[a-z][a-z0-9+.-]*://[^/?#\s:@]*:([^/?#\s]+)@")
_SEPARATED = pattern(r"[^\s;,]+")
_MENTION = pattern(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)")
_PLAIN_HEADERS = frozenset(
    {
        "accept",
        "anthropic-beta",
        "anthropic-version",
        "content-type",
        "http-referer",
        "referer",
        "user-agent",
        "x-title",
    }
)


@cache
def is_named_so(name: str) -> bool:
    """Whether a variable of this name holds one, or several."""
    return name == HEADERS or (_SPEAKS_OF_ONE.fullmatch(name) is not None and not _BESIDE.fullmatch(name))


def of_variable(name: str, value: str) -> Iterator[str]:
    """Every spelling in which somebody could repeat it."""
    if name == HEADERS:
        yield from _of_headers(value)
    elif is_named_so(name):
        yield from spellings(value)
    for password in _PASSWORD.findall(value) if "://" in value else ():
        from urllib.parse import unquote  # in here: every Stop comes by, and hardly an address has a password

        yield from (password, unquote(password))


def spellings(value: str) -> tuple[str, ...]:
    """As the client sends it, without the blanks around it, and as it stands there."""
    return tuple(dict.fromkeys((value.replace("\ufeff", " ").strip(), value)))


def is_in(value: str, known: Iterable[str]) -> bool:
    """Whether this holds one of these."""
    return any(len(key) >= withheld.SHORTEST and key in value for key in known)


def mentioned(text: str) -> list[str]:
    """The variables that a command takes up, as a shell reads it."""
    return [found[1] for found in _MENTION.finditer(text)] if "$" in text else []


def _of_headers(value: str) -> Iterator[str]:
    for line in value.splitlines():
        name, _, said = (part.strip() for part in line.partition(":"))
        if name.lower() not in _PLAIN_HEADERS:
            # What is shorter (`production`) is any word.
            yield from (word for word in {said, *_parts(said)} if len(word) >= withheld.SHORTEST)


def _parts(said: str) -> Iterator[str]:
    """A header may say of what kind its key is, or hold several things, each with a name (`a=KEY; b=…`)."""
    words = said.split()
    yield from words
    yield from (value.strip('"') for word in _SEPARATED.findall(said) if (value := word.partition("=")[2]))
    if len(words) == 2 and words[0].lower() == "basic":
        decoded = _decoded(words[1])
        yield from (decoded, decoded.partition(":")[2])


def _decoded(word: str) -> str:
    from binascii import Error, a2b_base64  # in here, like what takes a password's spelling apart

    try:
        return a2b_base64(word).decode()
    except (Error, UnicodeDecodeError):
        return ""
