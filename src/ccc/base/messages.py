"""A sentence for a person: a template with values, English as it stands, and able to be said in another language.

Rule: English is written where a sentence is made, every other language in locale/; what has no translation stays
English, and values such as names, paths and commands stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

# Not from typing: the status line, which is drawn again and again, would have to load it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.base.catalogue import Catalogue

LOCALE = os.path.join(os.path.dirname(__file__), "locale")  # noqa: PTH118, PTH120  for the same reason
DOMAIN = "ccc"


class Message(str):
    """Reads as its English text wherever a text is wanted."""

    __slots__ = ("context", "template", "values")

    context: str  # which of several equal English texts it is; empty where there is only one
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any], context: str = "") -> Message:
        made = super().__new__(cls, template.format(**values) if values else template)
        made.context, made.template, made.values = context, template, values
        return made


class Recorded(Message):
    """As a file tells it: nobody has put it together here, so its English is the file's own."""

    __slots__ = ()

    def __new__(cls, text: str, template: str, values: Mapping[str, Any], context: str = "") -> Recorded:
        made = str.__new__(cls, text)
        made.context, made.template, made.values = context, template, values
        return made


def msg(template: str, /, **values: Any) -> Message:
    return Message(template, values)


def foreign(text: str | None) -> Message:
    """What the system or a library says, to be passed on inside a sentence of ours."""
    return text if isinstance(text, Message) else Message(text or "", {})


def said(text: str, lang: str) -> str:
    """The sentence in that language; a text that is none stays as it is."""
    if lang == "en" or not text or not isinstance(text, Message):
        return str(text)
    template = _catalogue(lang).said(text.template, text.context)
    if isinstance(text, Recorded) and template == text.template:  # of another version, or nobody's sentence
        return str(text)
    if not text.values:
        return template
    values = {name: _said(value, lang) for name, value in text.values.items()}
    try:
        return template.format(**values)
    except (LookupError, ValueError, AttributeError, TypeError):  # a translation that is broken is none
        return str(text)


def _said(value: Any, lang: str) -> Any:
    match value:
        case str():
            return said(value, lang)
        case BaseException():
            told = value.args[0] if value.args else ""
            return said(told if isinstance(told, Message) else str(value), lang)
    return value


def record(text: str, english: str) -> dict[str, Any] | None:
    """What a file keeps beside the `english` that it has of a sentence, so that it can be told in another language."""
    if not isinstance(text, Message):
        return None
    from ccc.base.text import encodable  # whoever only reads has no use for it

    context = {"context": text.context} if text.context else {}
    values = {"values": {name: _recorded(value) for name, value in text.values.items()}} if text.values else {}
    return {"english": encodable(english), "template": encodable(text.template), **context, **values}


def _recorded(value: Any) -> Any:
    if isinstance(value, BaseException):
        value = value.args[0] if value.args and isinstance(value.args[0], Message) else str(value)
    if isinstance(value, Message):
        return record(value, str(value))
    from ccc.base.text import encodable  # whoever only reads has no use for it

    return value if isinstance(value, int | float) else encodable(str(value))


def recorded(english: str, told: object, depth: int = 4) -> str:
    """The sentence that a file has of it, if it is about this very text; else the text."""
    if not isinstance(told, dict) or told.get("english") != english or not depth:
        return english
    template, context, values = told.get("template"), told.get("context", ""), told.get("values", {})
    if not (isinstance(template, str) and isinstance(context, str) and isinstance(values, dict)):
        return english
    return Recorded(english, template, {name: _read(value, depth - 1) for name, value in values.items()}, context)


def _read(value: Any, depth: int) -> Any:
    if isinstance(value, dict):
        return recorded(str(value.get("english", "")), value, depth)
    return value if isinstance(value, str | int | float) else str(value)


class Phrases:
    """Sentences by key: `PHRASES[lang][key]`. The context tells equal English words of different places apart."""

    __slots__ = ("_context", "_english", "_known")

    def __init__(self, context: str, english: Mapping[Any, str]) -> None:
        self._context, self._english = context, english
        self._known: dict[str, Mapping[Any, str]] = {"en": english}

    def __getitem__(self, lang: str) -> Mapping[Any, str]:
        if lang not in self._known:
            self._known[lang] = {key: self._said(key, text, lang) for key, text in self._english.items()}
        return self._known[lang]

    def message(self, key: object) -> Message:
        """The same as a sentence, for whoever does not know the person's language."""
        return Message(self._english[key], {}, f"{self._context}.{_name(key)}")

    def _said(self, key: object, text: str, lang: str) -> str:
        return _catalogue(lang).said(text, f"{self._context}.{_name(key)}") if text else text


def _name(key: object) -> str:
    """Of a class or a member of an enumeration; any other key is its own."""
    if isinstance(key, type):
        return key.__name__
    return str(getattr(key, "name", key))


@cache
def _catalogue(lang: str) -> Catalogue:
    from ccc.base.catalogue import Catalogue  # in here: nobody who reads English pays for it

    try:
        with open(f"{LOCALE}/{lang}/LC_MESSAGES/{DOMAIN}.mo", "rb") as file:  # noqa: PTH123  as above
            return Catalogue(file.read())
    except OSError:  # English, or a damaged installation, which speaks it
        return Catalogue(b"")
