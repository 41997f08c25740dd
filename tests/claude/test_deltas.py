"""Words that a model says piece by piece go on, and a key among them does not, wherever it is cut."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from ccc.base import withheld
from ccc.claude.deltas import Deltas
from tests.tables import each

KEY = "sk-0123456789-of-a-provider"
QUOTED = 'a "password" of\\a proxy'
SAID = f"I looked, and it is {KEY}, sk-0123 is none, s"
NAMES = itertools.count()
FIELDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withheld, "_words", {})
    withheld.withhold([KEY, "another-key-of-somebody", QUOTED])


def delta(said: str, kind: str = "text_delta", index: int = 0, parent: str | None = None) -> dict[str, Any]:
    event = {"type": "content_block_delta", "index": index, "delta": {"type": kind, FIELDS[kind]: said}}
    return {"type": "stream_event", "event": event, "parent_tool_use_id": parent, "uuid": str(next(NAMES))}


def stop(index: int = 0, parent: str | None = None) -> dict[str, Any]:
    return {
        "type": "stream_event",
        "event": {"type": "content_block_stop", "index": index},
        "parent_tool_use_id": parent,
    }


def joined(lines: list[Any], kind: str) -> str:
    return "".join(line["event"].get("delta", {}).get(FIELDS[kind], "") for line in lines)


@pytest.mark.parametrize("kind", FIELDS)
def test_where_it_is_cut_never_matters(kind: str) -> None:
    for size in range(1, len(SAID) + 1):
        deltas = Deltas()
        pieces = [SAID[at : at + size] for at in range(0, len(SAID), size)]
        out = [line for piece in pieces for line in deltas(delta(piece, kind))] + deltas(stop())
        assert joined(out, kind) == SAID.replace(KEY, "[key]")
        assert out[-1] == stop()
        assert len({line["uuid"] for line in out[:-1]}) == len(out) - 1


def test_a_key_that_json_spells_otherwise_is_found_in_what_a_tool_is_given() -> None:
    said = json.dumps({"command": f"curl -u me:{QUOTED} http://x"})
    for size in range(1, len(said) + 1):
        deltas = Deltas()
        pieces = [said[at : at + size] for at in range(0, len(said), size)]
        out = [line for piece in pieces for line in deltas(delta(piece, "input_json_delta"))] + deltas(stop())
        assert json.loads(joined(out, "input_json_delta")) == {"command": "curl -u me:[key] http://x"}


def test_what_waits_where_a_turn_or_the_stream_ends_goes_on_as_well() -> None:
    deltas, result = Deltas(), {"type": "result", "subtype": "success"}
    assert joined(deltas(delta("it is sk-01")), "text_delta") == "it is "
    assert deltas(delta("sk-01", parent="p")) == []
    rest, same = deltas(result)
    assert (joined([rest], "text_delta"), same) == ("sk-01", result)
    assert joined(deltas.rest(), "text_delta") == "sk-01"
    assert (deltas.rest(), deltas(result)) == ([], [result])


def test_blocks_and_subagents_do_not_mix() -> None:
    deltas, lines = Deltas(), [delta(KEY[:9]), delta(KEY[9:], index=1), delta(KEY[9:], parent="p"), delta(" no")]
    out = [line for each in lines for line in deltas(each)]
    assert [line["event"]["delta"]["text"] for line in out] == [KEY[9:], KEY[9:], f"{KEY[:9]} no"]


def test_all_else_goes_on_as_it_is() -> None:
    others: list[dict[str, Any]] = [
        {"type": "assistant", "message": {}},
        {"type": "stream_event"},
        {"type": "stream_event", "event": {"type": "message_stop"}},
        {"type": "stream_event", "event": {"type": "content_block_delta", "delta": {"type": "signature_delta"}}},
        {"type": "stream_event", "event": {"type": "content_block_delta", "delta": None}},
        {"type": "stream_event", "event": {"type": "content_block_delta", "index": [], "delta": {"type": 5}}},
        delta("whole words."),
    ]
    deltas = Deltas()
    for line in others:
        [same] = deltas(line)
        assert same is line


def test_who_opens_blocks_without_end_is_not_kept_for_ever() -> None:
    deltas = Deltas()
    for index in range(1000):
        deltas(delta("sk-", index=index))
    assert len(deltas._held) <= 100


ENDS = {"": 0, "plain": 0, "s": 1, f"x{KEY[:-1]}": len(KEY) - 1, "is sk-0": 4, "sk-0 ": 0, "an": 2, "[key]": 0}


@each("text", ENDS)
def test_how_much_of_an_end_could_begin_one(text: str) -> None:
    assert withheld.begun(text) == ENDS[text], json.dumps(text)
