"""A catalogue answers as gettext does, and stays English where it is damaged."""

from __future__ import annotations

from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from hypothesis import given
from hypothesis import strategies as st

from ccc.base.catalogue import Catalogue
from tests import messages

WHOLE = messages.MO.read_bytes()
KEYS = [(message.context, str(message.id)) for message in messages.translated() if message.id]

words = st.text(st.characters(codec="utf-8", exclude_characters="\0\4"), min_size=1, max_size=12)


def as_gettext_says(known: GNUTranslations, english: str, context: str | None) -> str:
    return known.pgettext(context, english) if context else known.gettext(english)


def test_every_sentence_is_found_where_gettext_finds_it() -> None:
    known, ours = GNUTranslations(BytesIO(WHOLE)), Catalogue(WHOLE)
    assert len(KEYS) > 1000
    for context, english in KEYS:
        assert ours.said(english, context or "") == as_gettext_says(known, english, context)


@given(st.dictionaries(st.tuples(st.none() | words, words), words, max_size=30), st.tuples(st.none() | words, words))
def test_any_catalogue_answers_as_gettext_does(
    translations: dict[tuple[str | None, str], str], other: tuple[str | None, str]
) -> None:
    made = Catalog(locale="zh")
    for (context, english), chinese in translations.items():
        made.add(english, chinese, context=context)
    data = messages.mo_bytes(made)
    known, ours = GNUTranslations(BytesIO(data)), Catalogue(data)
    for context, english in (*translations, other):
        assert ours.said(english, context or "") == as_gettext_says(known, english, context)


@pytest.mark.parametrize("kept", [0, 3, 4, 10, 27, 28, 400, len(WHOLE) // 2, -1])
def test_what_is_cut_off_is_english(kept: int) -> None:
    whole, cut = Catalogue(WHOLE), Catalogue(WHOLE[:kept])
    said = {(context, english): cut.said(english, context or "") for context, english in KEYS}
    assert all(told in (key[1], whole.said(key[1], key[0] or "")) for key, told in said.items())
    assert any(told == english for (_, english), told in said.items())


@given(st.integers(0, 400), st.binary(min_size=1, max_size=64), st.sampled_from(KEYS))
def test_a_damaged_one_never_fails(at: int, damage: bytes, key: tuple[str | None, str]) -> None:
    damaged = WHOLE[:at] + damage + WHOLE[at + len(damage) :]
    assert isinstance(Catalogue(damaged).said(key[1], key[0] or ""), str)


def test_a_lone_half_of_a_character_is_no_sentence() -> None:
    assert Catalogue(WHOLE).said("\ud83d") == "\ud83d"
