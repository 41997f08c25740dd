"""A key that a text repeats goes no further."""

from __future__ import annotations

import json

from ccc.base import sink, text, withheld

KEY = "sk-which-nobody-else-may-see"


def test_no_way_out_has_a_word_that_is_withheld_and_a_short_one_stays() -> None:
    withheld.withhold([KEY, "password"])
    said = f"no such key: {KEY}, no such password\x1b[m"
    for told in (text.clean(said), text.visible(said), text.one_line(said), text.feedback(said)):
        assert told.startswith("no such key: [key], no such password")
    for data in (sink.lines(said), sink.log_line(said), sink.json_line({"why": [said], KEY: 1})):
        assert KEY.encode() not in data


def test_a_sequence_in_its_middle_does_not_hide_it() -> None:
    withheld.withhold([KEY])
    assert text.clean(f"{KEY[:9]}\x1b[0m\u200b{KEY[9:]}") == "[key]"


def test_a_word_that_json_spells_otherwise_is_found_in_a_line_of_json_too() -> None:
    word = '"password" of a proxy\\'
    withheld.withhold([word])
    for said in (word, json.dumps(word), json.dumps({"why": [f"no such key: {word}"]})):
        for told in (sink.json_text(said), text.clean(said), text.escaped(said)):
            assert "password" not in told
    assert json.loads(text.escaped(json.dumps({"why": word}))) == {"why": "[key]"}
