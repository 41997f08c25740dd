"""What click says of a line that was mistyped, in the person's language.

Rule: click renders its sentences before anybody can ask for another language, so they are known here by their form; in
time linear in the line, and a line that is not known stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ccc.base.messages import Phrases

CLICK = Phrases(
    "click",
    {
        "no such option name": "No such option {name}.",
        "no such option name did you mean choice": "No such option {name}. Did you mean {choice}?",
        "no such option name did you mean one of choices": "No such option {name}. (Did you mean one of: {choices}?)",
        "no such option with colon": "No such option: {name}",
        "no such option with colon did you mean choice": "No such option: {name} Did you mean {choice}?",
        "no such command name": "No such command {name}.",
        "no such command name did you mean choice": "No such command {name}. Did you mean {choice}?",
        "no such command name did you mean one of choices": "No such command {name}. (Did you mean one of: {choices}?)",
        "missing command": "Missing command.",
        "missing argument name": "Missing argument {name}.",
        "missing option name": "Missing option {name}.",
        "got unexpected extra argument words": "Got unexpected extra argument ({words})",
        "got unexpected extra arguments words": "Got unexpected extra arguments ({words})",
        "option name requires an argument": "Option {name} requires an argument.",
        "option name does not take a value": "Option {name} does not take a value.",
        "invalid value problem": "Invalid value: {problem}",
        "invalid value for name problem": "Invalid value for {name}: {problem}",
        "value is not in the range range": "{value} is not in the range {range}.",
        "value is not one of choices": "{value} is not one of {choices}.",
        "value is not a valid integer": "{value} is not a valid integer.",
        "value is not a valid integer range": "{value} is not a valid integer range.",
        "file path does not exist": "File {path} does not exist.",
        "directory path does not exist": "Directory {path} does not exist.",
        "directory path is a file": "Directory {path} is a file.",
        "file path is a directory": "File {path} is a directory.",
        "file path is not readable": "File {path} is not readable.",
    },
)
SLOT = re.compile(r"\{([a-z]+)\}")
DEPTH = 3  # a problem inside a problem


def said(line: str, lang: str, depth: int = DEPTH) -> str:
    if lang == "en" or not depth:
        return line
    # Those with the most words of their own first: a general form must not take the line of a special one.
    for key, english in sorted(CLICK["en"].items(), key=lambda form: -len(SLOT.sub("", form[1]))):
        values = _values(english, line)
        if values is not None:
            shown = {slot: said(value, lang, depth - 1) for slot, value in values.items()}
            return CLICK[lang][key].format(**shown)
    return line


def _values(form: str, line: str) -> Mapping[str, str] | None:
    """What stands in the slots; None when the line is not of this form. Each literal is taken where it comes first."""
    first, *parts = SLOT.split(form)
    slots, literals = parts[::2], parts[1::2]
    if not line.startswith(first) or (not slots and line != first):
        return None
    found, at = {}, len(first)
    for slot, literal in zip(slots, literals, strict=True):
        last = literal is literals[-1]
        stop = len(line) - len(literal) if last else line.find(literal, at)
        if stop < at or not line.startswith(literal, stop):
            return None
        found[slot] = line[at:stop]
        at = stop + len(literal)
    return found
