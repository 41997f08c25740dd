"""In which languages a text may be: those whose rows of patterns are worth a look.

Rule: pure; by letters, and among those who share the Latin ones by their commonest words. Where nothing tells, all of
them may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from ccc.base.patterns import Lazy, Letters, any_case


class Tongue(StrEnum):
    ENGLISH = "en"
    CHINESE = "zh"
    JAPANESE = "ja"
    KOREAN = "ko"
    SPANISH = "es"
    PORTUGUESE = "pt"
    FRENCH = "fr"
    GERMAN = "de"
    RUSSIAN = "ru"


def heard(text: str) -> tuple[Tongue, ...]:
    """The languages of a text, as far as it takes to tell which rows to look at."""
    by_letters = [tongue for tongue, letters in _LETTERS.items() if letters.search(text)]
    if Tongue.JAPANESE in by_letters and Tongue.CHINESE in by_letters:  # a text with kana is Japanese
        by_letters.remove(Tongue.CHINESE)
    return (*by_letters, *_latin(text))


def _latin(text: str) -> Iterator[Tongue]:
    if not _LATIN.search(text):
        return
    by_words = [tongue for tongue, words in _WORDS.items() if words.search(text)]
    yield from by_words or _WORDS


HAN, KANA = Letters("\u4e00\u9fff"), Letters("\u3040\u30ff")
HANGUL, CYRILLIC = Letters("\uac00\ud7af"), Letters("\u0400\u04ff")
_LATIN = Lazy(r"[a-zA-Z]{2}")
_LETTERS = {
    Tongue.CHINESE: HAN,
    Tongue.JAPANESE: KANA,
    Tongue.KOREAN: HANGUL,
    Tongue.RUSSIAN: CYRILLIC,
}
_WORDS = {
    Tongue.ENGLISH: any_case(
        r"\b(?:the|is|are|it|and|of|now|i|you|with|was|not|has|for|done|fixed|added|to|this|that|don'?t|in)\b"
    ),
    Tongue.SPANISH: any_case(
        r"\b(?:el|los|las|una|ahora|está|con|para|por|ya|del|al|lo|qué|que|de|es|yo|mañana)\b|[ñ¿¡]"
    ),
    Tongue.PORTUGUESE: any_case(
        r"\b(?:não|nao|agora|você|está|uma|são|já|foi|com|para|dos|das|os|ao|pelo|eu|que|de|do|da|no|na|em)\b|ç|ã|õ"
    ),
    Tongue.FRENCH: any_case(
        r"\b(?:le|les|des|est|et|pas|une|sur|pour|dans|je|vous|ne|du|la|que|de|au|sans|ça)\b|\b[cdjlnsq]['’]|[èêàù]"
    ),
    Tongue.GERMAN: any_case(
        r"\b(?:der|die|das|ist|und|nicht|eine?|jetzt|mit|ich|zu|auf|den|sich|es|wird|statt|von|bitte|im)\b|[äöüß]"
    ),
}
