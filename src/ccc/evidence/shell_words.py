"""The characters of a shell line as tokens: words without their quotes, operators, redirections.

Rule: pure, total over any string, and every character is read at most once at each level of nesting. What stands in a
substitution is handed to the parser; words in quotes, comments and here-documents are data.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from ccc.base.patterns import Lazy
from ccc.evidence.shell_parts import Here, Script

DEPTH_LIMIT = 12
LENGTH_LIMIT = (
    20_000  # without the here-documents: a file that is written by one may be long, and the test comes after it
)


class Token(Struct, frozen=True):
    """`plain`: nothing in it was quoted, so that it may be a keyword. `inner` are the substitutions in it.

    The text of a redirection is the file that the output goes to, if that is what it does.
    """

    kind: str  # "word" | "op" | "redirect" | "arithmetic" | "end"
    text: str = ""
    plain: bool = False
    inner: tuple[Script, ...] = ()
    here: Here | None = None


_BLANK = Lazy(r"(?:[ \t\r]|\\\r?\n)*+")
_SPACE = Lazy(r"(?:\s|\\\r?\n)*+")
_OPERATOR = Lazy(r"&&|\|\||\|&|;;&?|;&|[|;&()\n]")
_REDIRECT = Lazy(r"(\d*+|\{[A-Za-z_]\w*\})(&>>?|<<<|<<-?|>>|>\||[<>]&|<>|[<>](?!\())")
_ENDS_WORD = frozenset(" \t\r\n;|&<>()")
_PLAIN = Lazy(r"[^\s;|&<>()'\"\\`$]+")
_PLAIN_IN_DOUBLE = Lazy(r"[^\"\\`$]+")
_PLAIN_IN_BRACES = Lazy(r"[^'\"\\`$}]+")
_ARRAY = Lazy(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_ANSI = Lazy(r"\$'((?:[^\\']|\\.)*+)'?", flags=re.DOTALL)
_ANSI_ESCAPE = Lazy(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))", flags=re.DOTALL
)
_ANSI_NAMES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CONDITION_OPERATOR = Lazy(r"&&|\|\||[()<>]|!(?=\s)")


class Lexer:
    """Tokens on demand: the parser of a substitution takes over where it begins and gives back where it ends."""

    def __init__(self, text: str, nested: Callable[[Lexer], Script], depth: int = 0) -> None:
        self.text = text
        self.nested = nested
        self.depth = depth
        self.at = 0
        self.passed = 0
        self.waiting: list[Here] = []
        self.bracketed = False

    @property
    def deepest(self) -> bool:
        """Whether nothing more is read that is nested."""
        return self.depth >= DEPTH_LIMIT or self._is_long

    @property
    def _is_long(self) -> bool:
        return self.at - self.passed > LENGTH_LIMIT

    def next(self) -> Token:
        self._skip(_BLANK)
        if self._peek() == "#":
            self.at = _index(self.text, "\n", self.at)
        if self.at >= len(self.text) or self._is_long:
            return Token("end")
        if self._starts("((") and (end := self._arithmetic_end(self.at + 1)):
            return self._arithmetic(self.at + 2, end)
        if (found := _REDIRECT.pattern.match(self.text, self.at)) is not None:
            self.at = found.end()
            return self._redirect(found[1], found[2])
        if not self._starts("<(", ">(") and (found := _OPERATOR.pattern.match(self.text, self.at)) is not None:
            self.at = found.end()
            if found[0] == "\n":
                self._read_here_documents()
            return Token("op", found[0])
        return self._word()

    def condition(self) -> Token | None:
        """The next word behind `[[`, where brackets and signs are operators of its own; None where it ends."""
        self._skip(_SPACE)
        if (found := _CONDITION_OPERATOR.pattern.match(self.text, self.at)) is not None:
            self.at = found.end()
            return Token("word", found[0])
        if self._peek() in ("", ";", "|", "&"):  # it was never closed
            return None
        return self._word()

    def pattern(self) -> Token:
        """The regular expression behind `=~`, as it is written."""
        self._skip(_BLANK)
        parts: list[str] = []
        inner: list[Script] = []
        open_brackets = 0
        while (char := self._peek()) and (open_brackets or char not in " \t\r\n)"):
            open_brackets += (char == "(") - (char == ")")
            if char == "\\":
                parts.append(self.text[self.at : self.at + 2])
                self.at += 2
            elif char in "'\"$`":
                parts.append(self._piece(inner))
            else:
                parts.append(char)
                self.at += 1
        return Token("word", "".join(parts), inner=tuple(inner))

    # --- words ---------------------------------------------------------------------------------------------------

    def _word(self) -> Token:
        parts: list[str] = []
        inner: list[Script] = []
        plain = True
        start = self.at
        while char := self._peek():
            if self._starts("<(", ">("):
                self.at += 2
                inner += self._substitution()
                parts.append("/dev/fd/63")
                continue
            if char == "(" and parts and parts[-1][-1:] in tuple("?*+@!"):
                parts.append(self._raw("(", ")"))
                continue
            if char == "(" and len(parts) == 1 and _ARRAY.pattern.fullmatch(parts[0]):
                parts.append(self._array(inner))
                continue
            if char in _ENDS_WORD:
                break
            plain = plain and char not in "'\"\\"
            parts.append(self._piece(inner))
        self.at += self.at == start  # a character that begins no word must not be read for ever
        return Token("word", "".join(parts), plain, tuple(inner))

    def _piece(self, inner: list[Script]) -> str:
        match self._peek():
            case "\\":
                self.at += 2
                return self.text[self.at - 1 : self.at].replace("\n", "")
            case "'":
                return self._single()
            case '"':
                self.at += 1
                return self._double(inner)
            case "`":
                return self._backticks(inner)
            case "$":
                return self._dollar(inner)
        return self._run(_PLAIN)

    def _run(self, pattern: Lazy) -> str:
        found = pattern.pattern.match(self.text, self.at)
        start, self.at = self.at, found.end() if found else self.at + 1
        return self.text[start : self.at]

    def _single(self) -> str:
        end = _index(self.text, "'", self.at + 1)
        start, self.at = self.at + 1, end + 1
        return self.text[start:end]

    def _double(self, inner: list[Script], closing: str = '"') -> str:
        """Up to the closing quote; a here-document is read the same way and has none."""
        parts: list[str] = []
        while (char := self._peek()) and char != closing:
            if char == "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                kept = escaped if escaped in ("$", "`", "\\", closing) else "" if escaped == "\n" else "\\" + escaped
                parts.append(kept)
                self.at += 2
            elif char == "`":
                parts.append(self._backticks(inner))
            elif char == "$":
                parts.append(self._dollar(inner, quoted=True))
            else:
                parts.append(self._run(_PLAIN_IN_DOUBLE))
        self.at += 1
        return "".join(parts)

    def _dollar(self, inner: list[Script], *, quoted: bool = False) -> str:
        if self._starts("$((") and (end := self._arithmetic_end(self.at + 2)):
            inner += self._arithmetic(self.at + 3, end).inner
            return "0"
        if self._starts("$("):
            self.at += 2
            inner += self._substitution()
            return "$()"
        if self._starts("${"):
            return self._braces(inner, quoted=quoted)
        if not quoted and self._starts("$'"):
            return self._ansi()
        if not quoted and self._starts('$"'):
            self.at += 2
            return self._double(inner)
        self.at += 1
        return "$"

    def _ansi(self) -> str:
        found = _ANSI.pattern.match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
        return _ANSI_ESCAPE.sub(_unescaped, found[1]) if found else ""

    def _array(self, inner: list[Script]) -> str:
        if self.deepest:
            return self._raw("(", ")")
        self.depth += 1
        self.at += 1
        elements: list[str] = []
        while (token := self.next()).kind != "end" and not (token.kind == "op" and token.text == ")"):
            if token.kind == "word":
                elements.append(token.text)
                inner += token.inner
        self.depth -= 1
        return f"({' '.join(elements)})"

    # --- expansions ----------------------------------------------------------------------------------------------

    def _substitution(self) -> list[Script]:
        """The script up to the bracket that closes it; the opening one has been read."""
        if self.deepest:
            self.at -= 1
            self._raw("(", ")")
            return []
        outer = self.waiting, self.bracketed
        self.waiting, self.bracketed = [], True
        script = self.nested(self)
        self.waiting, self.bracketed = outer
        return [script]

    def _backticks(self, inner: list[Script]) -> str:
        start = self.at + 1
        self.at = start
        while (char := self._peek()) and char != "`":
            self.at += 2 if char == "\\" else 1
        text = re.sub(r"\\([\\`$])", r"\1", self.text[start : self.at])
        self.at += 1
        if not self.deepest:
            inner.append(self.nested(Lexer(text, self.nested, self.depth)))
        return "$()"

    def _braces(self, inner: list[Script], *, quoted: bool) -> str:
        start = self.at
        if self.deepest:
            self.at += 1
            self._raw("{", "}")
            return self.text[start : self.at]
        self.depth += 1
        self.at += 2
        while (char := self._peek()) and char != "}":
            if char == "'" and quoted:  # an apostrophe: "${x:-it's}"
                self.at += 1
            elif char == "$":
                self._dollar(inner, quoted=quoted)
            elif char in "\\'\"`":
                self._piece(inner)
            else:
                self._run(_PLAIN_IN_BRACES)
        self.depth -= 1
        self.at += 1
        return self.text[start : self.at]

    def _arithmetic_end(self, second: int) -> int:
        """Where the inside of `((` ends; 0 where the brackets turn out to be two subshells."""
        if self.deepest:
            return 0
        end = _closing(self.text, second, "(", ")")
        return end if self.text.startswith("))", end) else 0

    def _arithmetic(self, start: int, end: int) -> Token:
        inside = self.text[start:end]
        inner: list[Script] = []
        Lexer(inside, self.nested, self.depth + 1)._double(inner, "")
        self.at = end + 2
        return Token("arithmetic", inside.strip(), inner=tuple(inner))

    def _raw(self, opening: str, closing: str) -> str:
        start = self.at
        self.at = _closing(self.text, start, opening, closing) + 1
        return self.text[start : self.at]

    # --- redirections --------------------------------------------------------------------------------------------

    def _redirect(self, number: str, sign: str) -> Token:
        self._skip(_BLANK)
        if self._peek() in _ENDS_WORD | {""} and not self._starts("<(", ">("):
            return Token("redirect")
        target = self._word()
        if sign in ("<<", "<<-"):
            here: Here = Here(target.text, not target.plain, sign == "<<-")
            self.waiting.append(here)
            return Token("redirect", here=here)
        if sign == "<<<":
            return Token("redirect", inner=target.inner, here=Here("", True, False, target.text))
        is_file = not target.text.startswith("/dev/fd/") and not (
            sign == ">&" and re.fullmatch(r"\d+-?|-", target.text)
        )
        mutes = sign in (">", ">>", ">|", "&>", "&>>", ">&") and number in ("", "1") and is_file
        return Token("redirect", target.text if mutes else "", inner=target.inner)

    def _read_here_documents(self) -> None:
        waiting, self.waiting = self.waiting, []
        for here in waiting:
            here.text = self._here_document(here)
            self.passed += len(here.text)
            if not here.quoted and not self.deepest:
                inner: list[Script] = []
                here.text = Lexer(here.text[:LENGTH_LIMIT], self.nested, self.depth + 1)._double(inner, "")
                here.inner = tuple(inner)

    def _here_document(self, here: Here) -> str:
        start = self.at
        while self.at < len(self.text):
            begun, end = self.at, _index(self.text, "\n", self.at)
            line = self.text[begun:end].rstrip("\r")
            bare = line.lstrip("\t") if here.stripped else line
            self.at = end + 1
            if bare == here.tag:
                return self.text[start:begun]
            # The shell warns and takes it: "$(cat <<EOF … EOF)".
            if self.bracketed and re.fullmatch(r"\s*\).*", bare.removeprefix(here.tag)) and bare.startswith(here.tag):
                self.at = begun + len(line) - len(bare) + len(here.tag)
                return self.text[start:begun]
        return self.text[start:]

    # --- characters ----------------------------------------------------------------------------------------------

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _starts(self, *marks: str) -> bool:
        return self.text.startswith(marks, self.at)

    def _skip(self, pattern: Lazy) -> None:
        found = pattern.pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at


_QUOTED = Lazy(r"\\.|'[^']*+'?|\"(?:[^\"\\]|\\.)*+\"?", flags=re.DOTALL)


def _closing(text: str, start: int, opening: str, closing: str) -> int:
    """Where the bracket that opens at `start` closes; brackets in quotes do not count."""
    signs = re.compile(rf"[\\'\"{re.escape(opening + closing)}]")
    depth, at = 0, start
    while (found := signs.search(text, at, start + LENGTH_LIMIT)) is not None:
        at = found.end()
        if found[0] in (opening, closing):
            depth += 1 if found[0] == opening else -1
            if depth == 0:
                return found.start()
        elif (quoted := _QUOTED.pattern.match(text, found.start())) is not None:
            at = quoted.end()
    return len(text)


def _unescaped(found: re.Match[str]) -> str:
    two, four, eight, octal, control, other = found.groups()
    if digits := two or four or eight:
        return _character(int(digits, 16))
    if octal:
        return _character(int(octal, 8) & 0xFF)
    if control:
        return _character(ord(control) & 0x1F)
    return _ANSI_NAMES.get(other) or (other if other in "\\'\"?" else "\\" + other)


def _character(code: int) -> str:
    return chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else "\ufffd"


def _index(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found
