"""What an edit changes: code, only what a literal says, or only words.

Rule: pure; compares the kinds of tokens before and after, of which an edit holds both. Whatever is not clearly harmless
is code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from ccc.base.patterns import Lazy, any_case, pattern
from ccc.evidence.files import ending

LENGTH_LIMIT = 20_000  # of a piece; nobody rewrites more than that in words only


class Change(StrEnum):
    """From the least to the most."""

    NONE = "none"  # it reads as before
    PROSE = "comments"  # comments and blank lines
    LITERALS = "literals"  # the same tokens, with other labels, sizes, addresses
    CODE = "code"


class Pair(Struct, frozen=True):
    """A piece of a file before and after; `old` is None where nobody tells what stood there."""

    old: str | None
    new: str


def pairs(given: Mapping[str, Any]) -> tuple[Pair, ...]:
    """What the input of an editing tool replaces by what, whoever made the tool."""
    edits = given.get("edits")
    pieces = [each for each in edits if isinstance(each, dict)] if isinstance(edits, list) else [given]
    return tuple(pair for piece in pieces if (pair := _pair(piece)))


def change_of(path: str, replaced: Sequence[Pair]) -> Change:
    order = list(Change)
    found = [_change(ending(path), pair) for pair in replaced]
    return max(found, key=order.index, default=Change.CODE)


_OLD = ("old_string", "oldText", "old_text", "old_str", "search", "original")
_NEW = ("new_string", "newText", "new_text", "new_str", "replace", "replacement", "updated")
_WHOLE = ("content", "contents", "file_text", "new_source", "body", "code_edit", "code", "text", "repl", "new_content")


def _pair(given: Mapping[str, Any]) -> Pair | None:
    new = _first(given, _NEW)
    if new is not None:
        return Pair(_first(given, _OLD), new)
    whole = _first(given, _WHOLE)
    return Pair(None, whole) if whole is not None else None


def _first(given: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    return next((value for key in keys if isinstance(value := given.get(key), str)), None)


def _change(language: str, pair: Pair) -> Change:
    if pair.old is None:
        return Change.LITERALS if _is_document(language, pair.new[:LENGTH_LIMIT]) else Change.CODE
    old, new = pair.old, pair.new
    if old == new:
        return Change.NONE
    if max(len(old), len(new)) > LENGTH_LIMIT:
        return Change.CODE
    if _code_lines(old) == _code_lines(new):
        return Change.PROSE
    if all(_is_text(piece) and (language in _MARKUP or _is_foreign(piece)) for piece in (old, new)):
        return Change.LITERALS
    before, after = (list(_tokens(language, text)) for text in (old, new))
    return Change.LITERALS if before and _differ_harmlessly(before, after) else Change.CODE


# --- comments ----------------------------------------------------------------------------------------------------

_COMMENT = pattern(
    r"^\s*(?:#(?!!|include|define|if|el|endif|pragma|region)|//|/\*|\*(?:[\s/]|$)|--\s|;;|<!--|\"\"\"|''')"
)
# Only where it opens a line: what stands behind a name is a value.
_BLOCK_COMMENT = pattern(r"(?ms)^[ \t]*(?:\"\"\".*?\"\"\"|'''.*?'''|/\*.*?\*/|\{/\*.*?\*/\}|<!--.*?-->)[ \t]*$")
_TRAILING = pattern(r"(?m)(?<=[\w;,)\]}'\"])[ \t]+(?:#|//)[ \t][^\"'`\n]*$")


def _code_lines(text: str) -> list[str]:
    text = _TRAILING.sub("", _BLOCK_COMMENT.sub("", text))
    return [line.rstrip() for line in text.split("\n") if line.strip() and not _COMMENT.match(line)]


# --- tokens ------------------------------------------------------------------------------------------------------

_MARKUP = frozenset({"jsx", "tsx", "vue", "svelte", "astro", "html", "htm", "erb"})
_SHELLS = frozenset({"sh", "bash", "zsh", "fish", "ps1", "bat", "cmd", "awk", "tcl"})

# Text between tags, also around a value in braces.
_MARKUP_TEXT = pattern(r"(?<=[\w\"'}/])>([^<>{}=;()&|]*)(?=[<{])|\}([^<>{}=;()&|\n\"'`]+)(?=<[/\w])")
_TOKEN = Lazy(
    r"(?P<comment>/\*.*?\*/|<!--.*?-->|(?<![:\w])//[^\n]*|(?<!\w)#(?=[ !])[^\n]*)"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    r"|`(?:[^`\\]|\\.)*`))"
    r"|(?P<number>(?<![\w.])-?(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:px|rem|em|vh|vw|ms|s"
    r"|[uUlLfFdn%]+)?(?!\w|\.\d))"
    r"|(?P<word>[^\W\d][\w$]*)"
    r"|(?P<sign>===|!==|==|!=|<=|>=|=>|->|&&|\|\||\+\+|--|\+=|-=|::|\.\.\.|\S)",
    flags=re.DOTALL,
)


class _Token(Struct, frozen=True):
    kind: str
    text: str


def _tokens(language: str, text: str) -> Iterator[_Token]:
    if language in _MARKUP:
        text = _MARKUP_TEXT.sub(_hidden_text, text)
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "sign"
        if kind != "comment":
            yield _Token(kind, found[0])


def _hidden_text(found: re.Match[str]) -> str:
    """The text of a tag becomes one string: what it says is no code."""
    said = found[1] if found[1] is not None else found[2]
    opening = ">" if found[1] is not None else "}"
    return f'{opening}"{said.translate(_PLAIN)}"' if said.strip() else found[0]


_PLAIN = str.maketrans({'"': " ", "\\": " ", "\n": " "})


def _differ_harmlessly(before: Sequence[_Token], after: Sequence[_Token]) -> bool:
    if len(before) != len(after):
        return False
    places = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old.text != new.text]
    return all(_is_harmless(before, after, n) for n in places)


def _is_harmless(before: Sequence[_Token], after: Sequence[_Token], at: int) -> bool:
    earlier = [token.text for token in before[max(0, at - 3) : at]]
    behind = before[at + 1].text if at + 1 < len(before) else ""
    if before[at].kind != after[at].kind or before[at].kind == "sign":
        return False
    if before[at].kind == "word":
        return _is_looks([token.text for token in before[max(0, at - 6) : at]], behind)
    if before[at].kind == "number":
        around = [token.text for token in before[max(0, at - 6) : at]]
        return _of_looks(around) or _is_setting(earlier, before[at].text, after[at].text)
    return _is_label(earlier, before[at].text, after[at].text, behind)


def _is_looks(earlier: Sequence[str], behind: str) -> bool:
    """Whether this word is one of the names that a way of showing can have: `.font(.title)`, `Color.Red`."""
    return earlier[-1:] == ["."] and behind not in ("(", ".", "[") and _of_looks(earlier)


def _of_looks(earlier: Sequence[str]) -> bool:
    """Whether what stands before is about how something is shown: `imageScale`, `padding`, `font_weight`."""
    parts = (part for word in earlier for part in re.split(r"_|(?<=[a-z])(?=[A-Z])", word))
    return any(_LOOKS.pattern.fullmatch(part) for part in parts)


_LOOKS = any_case(
    r"fonts?|colou?rs?|weight|align(?:ment)?|scale|styles?|theme|variant|tint|shade|icons?|shape|corner|radius"
    r"|border|shadow"
    r"|padding|margin|spacing|background|foreground|typography|easing|animation|opacity|inset"
)


_DECIDING = frozenset({"==", "===", "!=", "!==", "in", "case", "when", "import", "from", "include", "use", "is"})
_RUNNING = any_case(r"exec|system|spawn|query|execute|require|import|eval|compile|match|regex|re|test|shell|run|popen")
_CODE_IN_TEXT = Lazy(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|ALTER|CREATE|DROP)\b|\\[dwsbDWSB]|\[\^|\(\?|\.\*|[<>]=|&&|\|\||;\s*$"
)
_PLACE = Lazy(r"\$?\{[^{}]*\}|%[-\d.]*[a-zA-Z]|\$\w+|\{\{.*?\}\}")


def _is_label(earlier: Sequence[str], old: str, new: str, behind: str) -> bool:
    """Whether this text only says something: nothing compares it, imports it, looks it up or runs it."""
    last = earlier[-1] if earlier else ""
    if last in _DECIDING or (behind == ":" and last in ("{", ",", "")):
        return False
    if len(earlier) > 1 and ((last == "[" and re.match(r"\w", earlier[-2])) or (last == "(" and _runs(earlier[-2]))):
        return False
    if _CODE_IN_TEXT.search(old) or _CODE_IN_TEXT.search(new):
        return False
    return sorted(_PLACE.pattern.findall(old)) == sorted(_PLACE.pattern.findall(new))


def _runs(word: str) -> bool:
    return bool(_RUNNING.pattern.fullmatch(word))


def _is_setting(earlier: Sequence[str], old: str, new: str) -> bool:
    """Whether this number only sets a size, a time or an amount; what is counted, compared or returned is code."""
    last = earlier[-1] if earlier else ""
    name = earlier[-2] if len(earlier) > 1 else ""
    if last == "{" and name == "=":  # width={200}
        return True
    if last in ("=", ":"):
        return last == ":" or name.isupper() or min(_size(old), _size(new)) >= 2
    return last in ("(", ",") and min(_size(old), _size(new)) >= 10


def _size(number: str) -> float:
    digits = re.match(r"-?([\d_.]+)", number)
    try:
        return float(digits[1].replace("_", "").rstrip(".")) if digits else 0.0
    except ValueError:
        return 0.0


# --- documents ---------------------------------------------------------------------------------------------------

_LETTERS = pattern(r"[^\W\d_]{2,}")
_NOT_TEXT = pattern(
    r"[(){}\[\]=;<>+*|&`$@\\]|//|\b(?:return|const|let|var|if|else|import|export|function|class|new|await|async"
    r"|true|false|null)\b"
)


def _is_text(piece: str) -> bool:
    """Words as a page shows them, with nothing that a program is made of."""
    words = piece.split()
    spoken = len(words) > 1 or piece[:1].isupper() or _is_foreign(piece)
    return bool(_LETTERS.search(piece)) and not _NOT_TEXT.search(piece) and spoken


def _is_foreign(piece: str) -> bool:
    """Whether it holds letters that nobody writes programs in: what is said to people, wherever it stands."""
    return any(letter.isalpha() and not letter.isascii() for letter in piece)


_EXPORTED = frozenset({"export", "default", "const", "let", "var", "module", "exports", "as", "readonly"})
_SPOKEN = 0.8


def _is_document(language: str, content: str) -> bool:
    """Whether a new file holds nothing but texts, whatever its ending: one string with a name, or comments alone."""
    if language in _SHELLS or not content.strip():
        return False
    tokens = list(_tokens(language, content))
    said = sum(len(token.text) for token in tokens if token.kind == "string")
    rest = [token.text for token in tokens if token.kind != "string" and token.text not in _EXPORTED]
    if not rest and not said:
        return True  # comments alone
    return said >= _SPOKEN * len(content) and len(rest) <= 8 and "(" not in rest
