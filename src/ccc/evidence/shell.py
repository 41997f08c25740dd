"""A shell command line as structure: statements, chains, pipelines, words.

Rule: pure, total over any string and bounded. Every branch of a condition or loop is there, and what the shell would
refuse is read as far as it makes sense.
"""

from __future__ import annotations

from ccc.evidence.shell_parts import Function, Group, Here, Part, Pipeline, Script, Simple, Statement
from ccc.evidence.shell_words import Lexer, Token


def parse(command: str) -> Script:
    return _Parser(Lexer(command, _nested)).script()


def _nested(lexer: Lexer) -> Script:
    lexer.depth += 1
    script = _Parser(lexer).script(frozenset({")"}))
    lexer.depth -= 1
    return script


_NONE: frozenset[str] = frozenset()
_BRANCH_ENDS = frozenset({";;", ";&", ";;&"})
_PREFIXES = frozenset({"!", "time", "coproc"})
_OPENS = frozenset({"if", "while", "until", "{"})
# At the place of a command these mean nothing on their own: what they belong to was not understood.
_STRAY = frozenset({"then", "else", "elif", "fi", "do", "done", "esac", "}"})


class _Parser:
    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self.token: Token = lexer.next()

    def script(self, until: frozenset[str] = _NONE) -> Script:
        statements: list[Statement] = []
        while self.token.kind != "end" and not self._at(until):
            if self._is_op(";", "\n", "&", ")", *_BRANCH_ENDS) or self._word() in _STRAY:
                self._advance()
                continue
            before = self.token
            chain = self._chain()
            if chain:
                statements.append(Statement(chain, self._is_op("&")))
            if self.token is before:  # whatever it is, it must not be read for ever
                self._advance()
        return tuple(statements)

    def _chain(self) -> tuple[tuple[str, Pipeline], ...]:
        links: list[tuple[str, Pipeline]] = []
        operator = ""
        while True:
            pipeline = self._pipeline()
            if pipeline.parts:
                links.append((operator, pipeline))
            if not self._is_op("&&", "||"):
                return tuple(links)
            operator = self.token.text
            self._advance()
            self._skip_newlines()

    def _pipeline(self) -> Pipeline:
        parts: list[Part] = []
        negated = self._prefixes()
        while True:
            part = self._part()
            if part is not None:
                parts.append(part)
            if not self._is_op("|", "|&"):
                return Pipeline(tuple(parts), negated)
            self._advance()
            self._skip_newlines()

    def _prefixes(self) -> bool:
        negated = False
        while (word := self._word()) in _PREFIXES or (self.lexer.deepest and word in _OPENS):
            negated ^= word == "!"
            self._advance()
            if word == "time" and self._word() == "-p":
                self._advance()
        return negated

    def _part(self) -> Part | None:
        if self.token.kind == "arithmetic":
            return self._arithmetic()
        if self._word() == "[[":
            return self._condition()
        if self._word() == "function":
            self._advance()
            return self._function(self._take_token().text)
        return self._compound() or self._simple()

    def _compound(self) -> Group | None:
        if self.lexer.deepest:
            return None
        if self._is_op("("):
            return self._clauses(_NONE, ")", loose=False)
        match self._word():
            case "{":
                return self._clauses(_NONE, "}", loose=False)
            case "if":
                return self._clauses(frozenset({"then", "elif", "else"}), "fi")
            case "while" | "until":
                return self._clauses(frozenset({"do"}), "done")
            case "for" | "select":
                return self._for()
            case "case":
                return self._case()
        return None

    def _clauses(
        self, between: frozenset[str], closing: str, *, loose: bool = True, inner: tuple[Script, ...] = ()
    ) -> Group:
        self._advance()
        body = [*self._body(between | {closing})]
        while self._at(between):
            self._advance()
            body += self._body(between | {closing})
        self._advance()
        return self._group(body, inner, loose=loose)

    def _body(self, until: frozenset[str]) -> Script:
        self.lexer.depth += 1
        script = self.script(until)
        self.lexer.depth -= 1
        return script

    def _for(self) -> Group:
        self._advance()
        inner = [*self._take_token().inner]
        if self._word() == "in":
            while self.token.kind == "word":
                inner += self._take_token().inner
        while self._is_op(";", "\n"):
            self._advance()
        closing = {"do": "done", "{": "}"}.get(self._word())
        return self._clauses(_NONE, closing, inner=tuple(inner)) if closing else self._group([], inner)

    def _case(self) -> Group:
        self._advance()
        inner = [*self._take_token().inner]
        self._skip_newlines()
        if self._word() == "in":
            self._advance()
        body: list[Statement] = []
        while not self._case_ends():
            inner += self._labels()
            body += self._body(_BRANCH_ENDS | {"esac"})
        self._advance()
        return self._group(body, inner)

    def _case_ends(self) -> bool:
        while self._is_op("\n", *_BRANCH_ENDS):
            self._advance()
        return self.token.kind == "end" or self._word() == "esac"

    def _labels(self) -> list[Script]:
        """What a branch of `case` matches, up to its bracket."""
        inner: list[Script] = []
        if self._is_op("("):
            self._advance()
        while self.token.kind == "word" or self._is_op("|"):
            inner += self._take_token().inner
        self._advance()
        return inner

    def _function(self, name: str) -> Function:
        """What it runs, its brackets not yet read."""
        if self._is_op("("):
            self._advance()
        if self._is_op(")"):
            self._advance()
        self._skip_newlines()
        return Function(name, self._compound())

    def _condition(self) -> Simple:
        words = ["[["]
        inner: list[Script] = []
        while (token := self.lexer.condition()) is not None:
            words.append(token.text)
            inner += token.inner
            if token.text == "]]" and token.plain:
                break
            if token.text == "=~":
                pattern = self.lexer.pattern()
                words.append(pattern.text)
                inner += pattern.inner
        self._advance()
        return self._redirected(words, inner)

    def _arithmetic(self) -> Simple:
        token = self._take_token()
        return self._redirected(["((", token.text, "))"], [*token.inner])

    def _redirected(self, words: list[str], inner: list[Script]) -> Simple:
        group = self._group([], inner)
        return Simple(tuple(words), group.muted, group.inner, group.heres)

    def _simple(self) -> Simple | Function | None:
        words: list[str] = []
        inner: list[Script] = []
        heres: list[Here] = []
        muted = False
        begun = self.token
        while self.token.kind in ("word", "redirect"):
            token = self._take_token()
            inner += token.inner
            if token.kind == "word":
                words.append(token.text)
            elif token.here is not None:
                heres.append(token.here)
            muted = muted or (token.kind == "redirect" and bool(token.text))
            if token is begun and token.plain and self._is_op("("):
                return self._function(token.text)
        return Simple(tuple(words), muted, tuple(inner), tuple(heres)) if self.token is not begun else None

    def _group(self, body: list[Statement], inner: list[Script] | tuple[Script, ...], *, loose: bool = True) -> Group:
        """With the redirections behind it."""
        muted = False
        found = [*inner]
        heres: list[Here] = []
        while self.token.kind == "redirect":
            token = self._take_token()
            muted = muted or bool(token.text)
            found += token.inner
            heres += [token.here] if token.here else []
        return Group(tuple(body), muted, tuple(found), tuple(heres), loose)

    # --- tokens --------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        # The bracket that ends a substitution is its parser's last token: what is behind it belongs to the word.
        self.token = self.lexer.next()

    def _take_token(self) -> Token:
        token = self.token
        self._advance()
        return token

    def _skip_newlines(self) -> None:
        while self._is_op("\n"):
            self._advance()

    def _word(self) -> str:
        return self.token.text if self.token.kind == "word" and self.token.plain else ""

    def _at(self, texts: frozenset[str]) -> bool:
        return self.token.text in texts and (self.token.kind == "op" or bool(self._word()))

    def _is_op(self, *texts: str) -> bool:
        return self.token.kind == "op" and self.token.text in texts
