"""What a model says piece by piece, passed on so that no withheld word goes out in pieces.

Rule: pure; a line comes in, and those that may go on come out. The end of a piece that could be the beginning of such a
word waits for the next one, or for the end of its block, of the turn or of the stream; nothing else is held up, nothing
is lost, and no two lines have the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccc.base import withheld

_FIELDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}
_MOST_BLOCKS = 100  # that a client has open at once; whoever writes more of them is none

Line = Mapping[str, Any]


class Deltas:
    def __init__(self) -> None:
        self._held: dict[str, tuple[Line, str]] = {}  # block → the line that it waits in, and what waits

    def __call__(self, line: Line) -> list[Line]:
        kind = line.get("type")
        if kind == "result":  # a turn that was broken off has ended no block of its own
            return [*self._rests(line), line]
        event = line.get("event") if kind == "stream_event" else None
        if not isinstance(event, dict):
            return [line]
        block = f"{line.get('parent_tool_use_id')} {event.get('index')}"
        match event:
            case {"type": "content_block_delta", "delta": {"type": str(kind), **said}} if kind in _FIELDS:
                return self._piece(block, line, str(said.get(_FIELDS[kind], "")))
            case {"type": "content_block_stop"}:
                return [*self._rest(block), line]
            case {"type": "message_start"}:  # what still waits is of an answer that was broken off
                return [*self._rests(line), line]
        return [line]

    def rest(self) -> list[Line]:
        """All that still waits: nothing more comes."""
        return [rest for each in [*self._held] for rest in self._rest(each)]

    def _piece(self, block: str, line: Line, said: str) -> list[Line]:
        text = withheld.without(self._held.pop(block, (line, ""))[1] + said)
        waits = withheld.begun(text)
        if len(self._held) >= _MOST_BLOCKS:  # as it is: half a word is no key
            waits = 0
        now = text[: len(text) - waits]
        if waits:
            self._held[block] = (_renamed(line) if now else line, text[-waits:])
        return [line] if now == said else [_saying(line, now)] if now else []

    def _rests(self, line: Line) -> list[Line]:
        """What waits of whoever this line is of: the agent, or one of its subagents."""
        whose = f"{line.get('parent_tool_use_id')} "
        return [rest for each in [*self._held] if each.startswith(whose) for rest in self._rest(each)]

    def _rest(self, block: str) -> list[Line]:
        line, said = self._held.pop(block, ({}, ""))
        return [_saying(line, said)] if said else []


def _renamed(line: Line) -> Line:
    """The same line once more: whoever drops what he has seen before goes by its name."""
    from uuid import NAMESPACE_OID, uuid5  # in here: few lines end with the beginning of a key

    name = line.get("uuid")
    return {**line, "uuid": str(uuid5(NAMESPACE_OID, name))} if isinstance(name, str) else line


def _saying(line: Line, said: str) -> Line:
    event, delta = line["event"], line["event"]["delta"]
    return {**line, "event": {**event, "delta": {**delta, _FIELDS[delta["type"]]: said}}}
