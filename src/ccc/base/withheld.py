"""Words that no text of ccc's may hold: keys, which a provider's refusal or a model can repeat.

Rule: whoever reads a key names it here, once; `text` asks, so that no caller has to remember it. What is shorter than a
key ever is may stand anywhere by chance, and stays.
"""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 16
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
