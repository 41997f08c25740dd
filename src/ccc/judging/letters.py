"""A text in the letters that its reader sees: look-alikes of other scripts and what lies unseen in a word undone.

Rule: pure, total, linear; only letters change, and what is unseen between two of them goes. A word of two scripts is
read in the one in which all of it can be written; a word of look-alikes alone, in the script of its neighbours.
"""

from __future__ import annotations

import re

from ccc.base.patterns import Lazy

# Soft hyphens, joiners, fillers, selectors, tags: what Unicode wants ignored and what may stand between letters.
_UNSEEN = Lazy(
    r"(?<=[^\W\d_])[\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    r"\uffa0\U000e0000-\U000e0fff]+(?=[^\W\d_])"
)
# Three marks at most are put on one letter: to order a long run of them takes the square of its length.
_MARKED = Lazy(r"([^\W\d_][\u0300-\u036f]{1,3})[\u0300-\u036f]*")
# Fullwidth letters, and those of mathematics: bold, script, fraktur, in a circle.
_STYLED = Lazy(r"[\u24b6-\u24e9\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\U0001f110-\U0001f189]")
_CYRILLIC, _ITS_LATIN = "аесорхуіјѕѵԁԛԝһӏкАВЕКМНОРСТХУІЅЈѴ", "aecopxyijsvdqwhlkABEKMHOPCTXYISJV"
_GREEK, _GREEK_LATIN = "αονικρτυγχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovikptuyxABEZHIKMNOPTYX"
_OTHERS, _OTHERS_LATIN = "օոսհցɑɡᴀᴄᴅᴇꜰɪʟᴍɴᴏᴘꜱᴛᴜ", "onuhgagacdefilmnopstu"
_TO_LATIN = str.maketrans(_CYRILLIC + _GREEK + _OTHERS, _ITS_LATIN + _GREEK_LATIN + _OTHERS_LATIN)
_TO_CYRILLIC = str.maketrans(_ITS_LATIN, _CYRILLIC)
_WORD = Lazy(r"[A-Za-z\u00c0-\u058f\u1d00-\u1dbf\ua720-\ua7ff]+")
_LATIN_WORD, _CYRILLIC_WORD = Lazy(r"[A-Za-z]+"), Lazy(r"[\u0400-\u052f]+")
_OTHER_SCRIPT = Lazy(r"[\u0370-\u058f]")


def as_seen(text: str) -> str:
    if text.isascii():
        return text
    text = _STYLED.sub(_plain, _MARKED.sub(_composed, _UNSEEN.sub("", text)))
    foreign = bool(_OTHER_SCRIPT.search(text.translate(_TO_LATIN)))
    return _WORD.sub(lambda found: _in_one_script(found[0], foreign), text)


def _composed(marked: re.Match[str]) -> str:
    from unicodedata import normalize

    return normalize("NFC", marked[1])[0]


def _plain(styled: re.Match[str]) -> str:
    from unicodedata import normalize

    letter = normalize("NFKC", styled[0]).strip("()")
    return letter if letter.isalpha() else styled[0]


def _in_one_script(word: str, foreign: bool) -> str:
    """The word in one script; `foreign`: letters that look like none of Latin's are in the text."""
    latin = word.translate(_TO_LATIN)
    its_own = foreign and _CYRILLIC_WORD.pattern.fullmatch(word)
    if latin != word and not its_own and _LATIN_WORD.pattern.fullmatch(latin):
        return latin
    cyrillic = word.translate(_TO_CYRILLIC) if _OTHER_SCRIPT.search(word) else word
    return cyrillic if _CYRILLIC_WORD.pattern.fullmatch(cyrillic) else word
