"""`@` before a name, as the client takes it in a message: it reads that file, unasked, and sends it along.

Rule: pure; every fact ccc believes about mentions is in this file. Measured on 2.1.326: at the beginning, behind white
space and behind the full stop, comma and marks of Chinese; `@/a`, `@~/a`, `@../a`, `@"a b"`, `@a#L1-20`. Behind any
other character it is a letter, behind a backslash too.
"""

from __future__ import annotations

from ccc.base.patterns import pattern

# Behind printable ASCII it is an address, a quotation or code; what else the client takes for the beginning of a word
# has changed before.
_MENTION = pattern(r"(?<![!-~])@(?=\S)")


def as_words(text: str) -> str:
    """The same words so that the client reads no file for them. ccc hands on what a repository, a check or a judge has
    written, and none of them has asked the person."""
    return _MENTION.sub(r"\\@", text)
