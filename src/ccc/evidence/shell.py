"""A shell command line as structure: statements, chains, pipelines, words.

Rule: pure, total over any string and bounded; words in quotes, comments and here-documents are data, not commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LENGTH_LIMIT = 20_000
DEPTH_LIMIT = 12

Words = tuple[str, ...]


# --- words -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, an operator, or a redirection; `inner` are the command substitutions of a word."""

    kind: str  # "word" | "op" | "redirect"
    text: str
    quoted: bool = False
    inner: tuple[str, ...] = ()


_HERE = re.compile(r"(?<!<)<<-?\s*[\\'\"]?([A-Za-z_]\w*)")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;&?|[|;&()\n]")
_REDIRECT = re.compile(r"(\d*)(&>>?|<<<|<<-?|>>|>\||[<>]&|<>|[<>](?!\())")


def _without_here_documents(command: str) -> str:
    lines = command.split("\n")
    last_at = {_tag(line): number for number, line in enumerate(lines)}
    kept: list[str] = []
    waiting: list[str] = []
    for number, line in enumerate(lines):
        if not waiting:
            kept.append(line)
            waiting = [tag for tag in _HERE.findall(line) if last_at.get(tag, 0) > number]
        elif _tag(line) == waiting[0]:
            kept.append(line.strip()[len(waiting.pop(0)) :])
    return "\n".join(kept)


def _tag(line: str) -> str:
    """The line as the end of a here-document; one inside `"$(…)"` may have its brackets behind it."""
    return line.strip().rstrip(")\"'`; ")


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def tokens(self) -> Iterator[_Token]:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\r":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif char == "#":
                self.at = _index(self.text, "\n", self.at)
            elif self.text.startswith(("<(", ">("), self.at):
                yield self._word()
            elif (found := _REDIRECT.match(self.text, self.at)) is not None:
                self.at = found.end()
                yield self._redirect(found)
            elif (found := _OPERATOR.match(self.text, self.at)) is not None:
                self.at = found.end()
                yield _Token("op", found[0])
            else:
                yield self._word()

    def _redirect(self, found: re.Match[str]) -> _Token:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        target = self._word().text if self.at < len(self.text) and self.text[self.at] not in "\n;|&()<>" else ""
        to_file = found[2] in (">", ">>", ">|", "&>", "&>>") and found[1] in ("", "1")
        return _Token("redirect", target if to_file else "")

    def _word(self) -> _Token:
        parts: list[str] = []
        inner: list[str] = []
        quoted = False
        start = self.at
        while self.at < len(self.text):
            char = self.text[self.at]
            if self.text.startswith(("<(", ">("), self.at):
                self.at += 1
                inner.append(self._balanced("(", ")"))
                parts.append("/dev/fd/63")
                continue
            if char in " \t\r\n;|&<>)" or (char == "(" and not parts):
                break
            if char == "(":  # an array or a function: its inside is not run here
                self._balanced("(", ")")
                continue
            quoted = quoted or char in "'\""
            parts.append(self._piece(char, inner))
        if self.at == start:  # a character that begins no word
            self.at += 1
        return _Token("word", "".join(parts), quoted, tuple(inner))

    def _piece(self, char: str, inner: list[str]) -> str:
        if char == "\\":
            self.at += 2
            return self.text[self.at - 1 : self.at].replace("\n", "")
        if char == "'":
            return self._until("'")
        if char == '"':
            return self._double(inner)
        if char == "`":
            inner.append(self._until("`"))
            return "$()"
        if char == "$":
            return self._dollar(inner)
        self.at += 1
        return char

    def _until(self, mark: str) -> str:
        end = _index(self.text, mark, self.at + 1)
        piece = self.text[self.at + 1 : end]
        self.at = end + 1
        return piece

    def _double(self, inner: list[str]) -> str:
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            char = self.text[self.at]
            if char == "\\":
                parts.append(self.text[self.at + 1 : self.at + 2])
                self.at += 2
            elif char == "$":
                parts.append(self._dollar(inner))
            else:
                parts.append(char)
                self.at += 1
        self.at += 1
        return "".join(parts)

    def _dollar(self, inner: list[str]) -> str:
        if self.text.startswith("$((", self.at):
            self.at += 1
            self._balanced("(", ")")
            return "0"
        if self.text.startswith("$(", self.at):
            self.at += 1
            inner.append(self._balanced("(", ")"))
            return "$()"
        if self.text.startswith("${", self.at):
            start = self.at
            self.at += 1
            self._balanced("{", "}")
            return self.text[start : self.at]
        if self.text.startswith("$'", self.at):
            self.at += 1
            return self._until("'")
        self.at += 1
        return "$"

    def _balanced(self, opening: str, closing: str) -> str:
        """Move behind the bracket that closes the one here; return what is between."""
        start, depth = self.at + 1, 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\":
                self.at += 1
            elif char == "'":
                self.at = _index(self.text, "'", self.at + 1)
            elif char == '"':
                self._skip_double()
            elif char == opening:
                depth += 1
            elif char == closing:
                depth -= 1
                if depth == 0:
                    break
            self.at += 1
        inside = self.text[start : self.at]
        self.at += 1
        return inside

    def _skip_double(self) -> None:
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            self.at += 2 if self.text[self.at] == "\\" else 1


def _index(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found


# --- structure ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Simple:
    words: Words
    muted: bool
    loose: bool  # inside a condition or a loop: its status reaches nobody
    inner: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    body: tuple[Statement, ...]
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Pipeline:
    parts: tuple[Simple | Group, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """Pipelines, each with the operator before it."""

    chain: tuple[tuple[str, Pipeline], ...]
    background: bool


_OPENS = frozenset({"if", "while", "until", "for", "case", "select"})
_CLOSES = frozenset({"fi", "done", "esac"})
_BETWEEN = frozenset({"then", "else", "elif", "do"})


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.loose = 0

    def script(self, closing: str = "", depth: int = 0) -> tuple[Statement, ...]:
        statements: list[Statement] = []
        while self.at < len(self.tokens) and not self._is(closing):
            if self._is_op(";", "\n", "&", ";;", ";;&", ")"):
                self.at += 1
                continue
            before = self.at
            chain = self._chain(closing, depth)
            background = self._is_op("&")
            if chain:
                statements.append(Statement(chain, background))
            self.at += self.at == before  # whatever it is, it must not be read for ever
        return tuple(statements)

    def _chain(self, closing: str, depth: int) -> tuple[tuple[str, Pipeline], ...]:
        links: list[tuple[str, Pipeline]] = []
        operator = ""
        while True:
            pipeline = self._pipeline(closing, depth)
            if pipeline.parts:
                links.append((operator, pipeline))
            if not self._is_op("&&", "||"):
                return tuple(links)
            operator = self.tokens[self.at].text
            self.at += 1
            while self._is_op("\n"):
                self.at += 1

    def _pipeline(self, closing: str, depth: int) -> Pipeline:
        parts: list[Simple | Group] = []
        negated = False
        while self._word() in ("!", "time"):
            negated ^= self._word() == "!"
            self.at += 1
        while True:
            part = self._part(closing, depth)
            if part is not None:
                parts.append(part)
            if not self._is_op("|", "|&"):
                return Pipeline(tuple(parts), negated)
            self.at += 1
            while self._is_op("\n"):
                self.at += 1

    def _part(self, closing: str, depth: int) -> Simple | Group | None:
        if depth < DEPTH_LIMIT and (self._is_op("(") or self._word() == "{"):
            closing = ")" if self._is_op("(") else "}"
            self.at += 1
            body = self.script(closing, depth + 1)
            self.at += 1
            return Group(body, self._redirects())
        return self._simple(closing)

    def _simple(self, closing: str) -> Simple | None:
        self._keywords()
        words: list[str] = []
        inner: list[str] = []
        muted = False
        while self.at < len(self.tokens) and not self._is(closing):
            token = self.tokens[self.at]
            if token.kind == "op":
                break
            self.at += 1
            if token.kind == "redirect":
                muted = muted or bool(token.text)
            else:
                words.append(token.text)
                inner.extend(token.inner)
        return Simple(tuple(words), muted, self.loose > 0, tuple(inner)) if words else None

    def _keywords(self) -> None:
        while (word := self._word()) in _OPENS | _CLOSES | _BETWEEN or word == "!":
            self.loose = max(0, self.loose + (word in _OPENS) - (word in _CLOSES))
            self.at += 1
            if word in ("for", "case", "select"):
                while self.at < len(self.tokens) and not self._is_op(";", "\n"):
                    self.at += 1

    def _redirects(self) -> bool:
        muted = False
        while self.at < len(self.tokens) and self.tokens[self.at].kind == "redirect":
            muted = muted or bool(self.tokens[self.at].text)
            self.at += 1
        return muted

    def _word(self) -> str:
        if self.at >= len(self.tokens):
            return ""
        token = self.tokens[self.at]
        return token.text if token.kind == "word" and not token.quoted else ""

    def _is(self, closing: str) -> bool:
        return bool(closing) and (self._is_op(closing) if closing == ")" else self._word() == closing)

    def _is_op(self, *texts: str) -> bool:
        if self.at >= len(self.tokens):
            return False
        token = self.tokens[self.at]
        return token.kind == "op" and token.text in texts


def parse(command: str) -> tuple[Statement, ...]:
    text = _without_here_documents(command)[:LENGTH_LIMIT]
    return _Parser(list(_Lexer(text).tokens())).script()
