"""Settings files as somebody could write them, odd ones above all, and what the real client makes of each.

`python -m tests.settings_files` asks the client and writes the answers down beside the bytes.
"""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ccc.claude import program
from ccc.trial.scripted import ScriptedModel
from tests.world import World

RECORD = Path(__file__).parent / "data" / "settings-read.json"
GENERATED = 560
SEED = 325
PLAIN = '{"env": {"PROBE": "yes"}}'

Bytes = bytes


@dataclass(frozen=True)
class Recorded:
    """A file, and the variables that the client took from it; none where it did not load."""

    data: Bytes
    env: Mapping[str, str]


def by_hand() -> Iterator[bytes]:
    plain = PLAIN.encode()
    utf16 = PLAIN.encode("utf-16-le")
    yield from (plain, b"", b" \n", b"\xef\xbb\xbf", b"null", b"[]", b'"x"', b"[" + plain + b"]", plain + plain)
    yield from (b"\xef\xbb\xbf" + plain, b"\xef\xbb\xbf" * 2 + plain, b"\xff\xfe" + utf16, b"\xff\xfe" + utf16 + b"x")
    yield from (utf16, b"\xfe\xff" + PLAIN.encode("utf-16-be"), b"\xff\xfe\0\0" + PLAIN.encode("utf-32-le"))
    yield from (b"\xff\xfe" + plain, plain + b"\xff", b"\xff" + plain, plain + b"\0", b"\0" + plain)
    for inside in (b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80", b"\0", b"\t", b"\x7f", b"\xe2\x80\xa8"):
        yield b'{"x": "' + inside + b'", "env": {"PROBE": "a' + inside + b'b"}}'
    for depth in (100, 190, 250, 5_000, 100_000):
        yield b'{"x": ' + b"[" * depth + b"]" * depth + b', "env": {"PROBE": "yes"}}'
    for before in ("\xa0", "\x0b", "\x0c", "\u2028", "\ufeff ", "// x\n", "/* x */", "# x\n"):
        yield before.encode() + plain
        yield plain + before.encode()
    for value in (
        "NaN",
        "-Infinity",
        "1e400",
        "-0",
        "01",
        "+1",
        "1.",
        ".5",
        "0x1",
        "9" * 5000,
        "tru",
        "'x'",
        "undefined",
    ):
        yield f'{{"x": {value}, "env": {{"PROBE": "yes"}}}}'.encode()
    for value in (
        "12",
        "1.50",
        "true",
        "null",
        '{"a": 1}',
        '["yes"]',
        '"\\ud83d"',
        '"\\u0041"',
        '"\\x41"',
        '"a\\u0000b"',
    ):
        yield f'{{"env": {{"PROBE": {value}, "PROBE_2": "x"}}}}'.encode()
    yield b'{"env": {"PROBE": "1"}, "env": {"PROBE_2": "x"}}'
    yield b'{"env": {"PROBE": "1", "PROBE": "2"}}'
    yield b'{"\\u0065nv": {"PROB\\u0045": "yes"}}'
    yield b'{"Env": {"PROBE": "yes"}}'
    yield b'{"__proto__": {"env": {"PROBE": "yes"}}}'
    yield b'{"env": {"__proto__": {"PROBE": "yes"}}}'
    yield b'{"env": {"PROBE": "yes",}}'
    yield b'{"env": {"PROBE": "yes"},}'
    yield b"{'env': {'PROBE': 'yes'}}"
    yield b'{env: {"PROBE": "yes"}}'
    yield b'{"env": [["PROBE", "yes"]]}'
    yield b'{"permissions": "x", "env": {"PROBE": "yes"}}'
    yield b'{\r\n"env":\r{"PROBE": "yes"}}\r\n'


def generated(seed: int = SEED) -> Iterator[bytes]:
    """Files put together at random from what can go right and wrong; the same ones for the same seed."""
    dice = random.Random(seed)
    for _ in range(GENERATED):
        text = _document(dice)
        for _ in range(dice.choice((0, 0, 1, 2))):
            text = dice.choice(TEXT_CHANGES)(text, dice)
        data = dice.choice(ENCODINGS)(text)
        for _ in range(dice.choice((0, 0, 0, 1))):
            data = _other_byte(data, dice)
        yield data


def _document(dice: random.Random) -> str:
    members = ['"env": {' + ", ".join(_variable(dice, number) for number in range(dice.randint(1, 3))) + "}"]
    members += [f'"{dice.choice(("x", "theme", "note"))}": {dice.choice(VALUES)}' for _ in range(dice.randint(0, 2))]
    dice.shuffle(members)
    gap = dice.choice(("", " ", "\n  ", "\r\n", "\t"))
    return "{" + gap + f",{gap}".join(members) + gap + "}"


def _variable(dice: random.Random, number: int) -> str:
    name = dice.choice(("PROBE", "PROB\\u0045", f"PROBE_{number}", "PROBE_é"))
    return f'"{name}": {dice.choice(VALUES)}'


VALUES = ('"yes"', '"é 好"', '"\\ud83d\\ude00"', '"\\ud83d"', "1", "-1.25e3", "true", '"\\n\\t"', '""', '"\\/"')


def _inserted(piece: str) -> Callable[[str, random.Random], str]:
    def insert(text: str, dice: random.Random) -> str:
        at = dice.randint(0, len(text))
        return text[:at] + piece + text[at:]

    return insert


def _cut(text: str, dice: random.Random) -> str:
    return text[: dice.randint(0, len(text))]


def _doubled(text: str, dice: random.Random) -> str:
    return text + dice.choice(("", "\n")) + text


TEXT_CHANGES = (
    *map(_inserted, (",", "/**/", "//\n", "\0", "\t", "\x01", "\ufeff", "\xa0", "\u2029", "'", "\\", '"', "}", "0")),
    _cut,
    _doubled,
)
ENCODINGS: tuple[Callable[[str], bytes], ...] = (
    lambda text: text.encode(),
    lambda text: text.encode(),
    lambda text: b"\xef\xbb\xbf" + text.encode(),
    lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    lambda text: text.encode("utf-16-le"),
    lambda text: text.encode("latin-1", "replace"),
)


def _other_byte(data: bytes, dice: random.Random) -> bytes:
    at = dice.randint(0, max(len(data) - 1, 0))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def recorded() -> list[Recorded]:
    stored = json.loads(RECORD.read_text())
    return [Recorded(base64.b64decode(item["data"]), item["env"]) for item in stored["files"]]


def asked(data: bytes, model: ScriptedModel) -> dict[str, str]:
    """The variables that the real client takes from a project's settings.json with these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder)).make()
        (world.project / ".claude").mkdir()
        (world.project / ".claude" / "settings.json").write_bytes(data)
        seen = world.root / "seen"
        hook = {"hooks": [{"type": "command", "command": f"env -0 > '{seen}'"}]}
        client = program.find({"PATH": os.defpath}, world.project)
        env = world.env(ANTHROPIC_BASE_URL=model.url, ANTHROPIC_AUTH_TOKEN="token")
        argv = [client, "--settings", json.dumps({"hooks": {"SessionStart": [hook]}}), "-p", "hi"]
        subprocess.run(argv, env=env, cwd=world.project, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        pairs = (word.partition("=") for word in seen.read_bytes().decode("utf-8", "replace").split("\0"))
        return {name: value for name, _, value in pairs if name.startswith("PROBE")}


def ask_all(files: Iterable[bytes]) -> list[Recorded]:
    with ScriptedModel([]) as model, ThreadPoolExecutor(os.cpu_count()) as pool:
        known = list(files)
        return [
            Recorded(data, env) for data, env in zip(known, pool.map(lambda one: asked(one, model), known), strict=True)
        ]


def main() -> None:
    found = ask_all([*by_hand(), *generated()])
    files = [{"data": base64.b64encode(each.data).decode(), "env": each.env} for each in found]
    RECORD.write_text(json.dumps({"client": "2.1.325", "files": files}, indent=0) + "\n")


if __name__ == "__main__":
    main()
