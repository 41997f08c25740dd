"""Words that no text of ccc's may hold: keys, which a provider's refusal or a model can repeat.

Rule: whoever reads a key names it here, once; `text` asks, so that no caller has to remember it. What is shorter than a
key ever is may stand anywhere by chance, and stays.
"""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 16
PIECE = 8  # characters, fewer of which say nothing
MARK = "[key]"
_words: dict[str, None] = {}  # the longer spelling first, of which the other one may be a part


def withhold(words: Iterable[str]) -> None:
    """From now on, for as long as this process lives; as JSON spells them too, and a line of JSON that holds some."""
    for word in words:
        if len(word) >= SHORTEST:
            once = _in_json(word)
            _words.update(dict.fromkeys((_in_json(once), once, word)))


def _in_json(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"')


def without(text: str) -> str:
    for word in _words:
        if word in text:
            text = text.replace(word, MARK)
    return text


def begun(text: str) -> int:
    """How many characters at its end could be the beginning of such a word, for whoever gets it piece by piece."""
    longest = max(map(len, _words), default=1) - 1
    ends = range(min(longest, len(text)), 0, -1)
    return next((size for size in ends if any(word.startswith(text[-size:]) for word in _words)), 0)


def ended(text: str) -> int:
    """How many at its beginning are what a cut has left of such a word."""
    return max((_end_of(word, text) for word in _words), default=0)


def _end_of(word: str, text: str) -> int:
    if len(text) >= PIECE and text in word:
        return len(text)
    if word[-PIECE:] not in text[: len(word)]:
        return 0
    sizes = range(min(len(word), len(text)), PIECE - 1, -1)
    return next((size for size in sizes if word.endswith(text[:size])), 0)
