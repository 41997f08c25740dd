"""What a project declares beside its settings and `.mcp.json`: servers and hooks in the heads of its agents, skills and
commands, and in its plugins, those among the skills and those of marketplaces that its settings lead to.

Measured with 2.1.326: a head ends at the first `---` after the one that it begins with, and is YAML; of skills each
SKILL.md has one, one folder deep, through links as well. In a plugin `${user_config.…}` and its own place are put in
before variables are, so that one may stand in either.

Rule: more rather than less is read, and nothing is understood: what stands in a text, or would with every escape
undone, counts. What cannot be read whole is a problem that somebody has to hear of.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ccc.base import files
from ccc.base.documents import FILE_LIMIT, Json
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.claude import folders, powers, settings, skills
from ccc.claude.links import End, end
from ccc.claude.settings import DECLARED, Source

KINDS = ("agents", "commands", "skills")
MARKETPLACES = ("extraKnownMarketplaces", "additionalMarketplaces")
OF_PLUGIN = (".mcp.json", ".lsp.json", "hooks/hooks.json", "SKILL.md")
CODE = (".mcpb", ".dxt")  # what such a bundle starts has the client's environment anyway
SKILL_DEPTH, MOST_NAMES = 2, 20_000
_HEAD = pattern(r"[\s\ufeff]*---(.*?)(?:\n---[ \t]*\r?(?:\n|\Z)|\Z)", re.DOTALL)
_DECLARES = pattern(r"mcp[-_ ]?servers|hooks", re.IGNORECASE)
_TAG = pattern(r"(?<![^\s\[{,:])![\w!<]")
_ESCAPE = pattern(r"\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U(000[\dA-Fa-f]{5}|0010[\dA-Fa-f]{4})|(\n[ \t]*)|.)")
_STOP = pattern(r"\bStop[\"']?\s*:")


def sources(config_directory: Path, cwd: Path, found: Iterable[Source]) -> Iterator[Source]:
    """All of it that a client would read here. `found`: the settings, by which marketplaces are known."""
    own = os.path.realpath(config_directory)
    for folder in (folder / ".claude" for folder in folders.of_texts(cwd)):
        if os.path.realpath(folder) != own:  # else it is the person's
            yield from _heads(folder)
    for plugin, _ in skills.plugins(cwd / ".claude" / "skills"):
        yield _plugin(plugin)
    for place in (place for source in settings.of_project(found) for place in _marketplaces(source)):
        yield from _of_marketplace(place)


def head(path: Path, data: bytes) -> Source | None:
    """What these bytes declare, if they stand at this path; None where that is nothing."""
    spelt = _spelt(_cut(settings.decoded(data)))
    if not any(_DECLARES.search(text) for text in spelt):
        return None
    return _declared(path, spelt, doubt=any(_TAG.search(text) for text in spelt))


def may_lead_to_head(names: Sequence[str]) -> bool:
    """Whether a file or a link of these names below `.claude` can be one with a head that the client reads."""
    return names[0] in KINDS and (names[0] != "skills" or len(names) <= 1 + SKILL_DEPTH)


def is_text(name: str) -> bool:
    return name.lower().endswith(".md")


def stop_hooks(found: Iterable[Source]) -> list[str]:
    """A line for each file of the project's with one: it can answer `continue: false`, which ends the turn, whatever
    the others say."""
    paths = dict.fromkeys(source.path for source in found if _has_stop(source))
    return [
        msg("{path} has a Stop hook, which can end a turn that the review would go on with; look at it", path=path)
        for path in paths
    ]


def _has_stop(source: Source) -> bool:
    if source.kind == DECLARED:
        return any(_DECLARES.search(text) and _STOP.search(text) for text in powers.texts(source.settings))
    return source.kind in settings.OF_PROJECT and bool(settings.stop_commands(source.settings))


def _heads(folder: Path) -> Iterator[Source]:
    for kind in KINDS:
        try:
            yield from filter(None, map(_head_of, _texts(folder / kind, SKILL_DEPTH if kind == "skills" else None)))
        except CccError as error:
            yield _problem(folder / kind, error)


def _head_of(path: Path) -> Source | None:
    try:
        return head(path, files.read_bytes(path, limit=FILE_LIMIT) or b"")
    except CccError as error:
        return _problem(path, error)


def _texts(folder: Path, depth: int | None = None) -> Iterator[Path]:
    """Each file there whose head may count, through every link."""
    places, seen = [(folder, 0)], set[tuple[int, int]]()
    for place, deep in places:  # which grows
        _refuse_elsewhere(place)
        found = _stat(place)
        if len(places) > MOST_NAMES:
            raise CccError(msg("{path} holds more files than ccc looks at", path=folder), _ADVICE)
        if found and stat.S_ISDIR(found.st_mode):
            if (found.st_dev, found.st_ino) not in seen and (depth is None or deep < depth):
                places += [(inner, deep + 1) for inner in _inside(place)]
            seen.add((found.st_dev, found.st_ino))
        elif found and is_text(place.name):
            yield place


def _stat(place: Path) -> os.stat_result | None:
    try:
        return place.stat()
    except (OSError, ValueError):  # nothing that the client could read
        return None


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:  # nor can the client
        return []


def _cut(text: str) -> str:
    match = _HEAD.match(text)
    return match[1] if match else ""


def _spelt(text: str) -> list[str]:
    """As it stands, and with every escape undone."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return [plain, _ESCAPE.sub(_undone, plain)]


def _undone(escape: re.Match[str]) -> str:
    number = escape[1] or escape[2] or escape[3]
    return chr(int(number, 16)) if number else "" if escape[4] else " "


def _plugin(folder: Path) -> Source:
    """Its place counts as well: the client puts it where a text says so."""
    try:
        spelt = [each for text in (str(folder), *_of_plugin(folder)) for each in _spelt(text)]
    except CccError as error:
        return _problem(folder, error)
    return _declared(folder, spelt, doubt=any(map(powers.is_doubtful, spelt)))


def _of_plugin(folder: Path) -> Iterator[str]:
    mark = folder / skills.MARK / "plugin.json"
    manifest = _parsed(mark)
    yield from map(_text, (mark, *(folder / name for name in OF_PLUGIN)))
    for value in manifest.values():
        yield from (_text(path) for path in _named(folder, _flat(value)) if path.suffix not in CODE)
    named = (path for kind in KINDS for path in _named(folder, _strings(manifest.get(kind))))
    for path in (path for place in (*(folder / kind for kind in KINDS), *named) for path in _texts(place)):
        yield _cut(_text(path))


def _marketplaces(source: Source) -> Iterator[Path]:
    for key in MARKETPLACES:
        listed = source.settings.get(key)
        for each in listed.values() if isinstance(listed, dict) else ():
            found = each.get("source") if isinstance(each, dict) else None
            if isinstance(found, dict) and found.get("source") in ("directory", "file"):
                yield from _named(source.path.parent.parent, _flat(found.get("path")))


def _of_marketplace(place: Path) -> Iterator[Source]:
    path = place / skills.MARK / "marketplace.json" if _is_folder(place) else place
    try:
        text, listed = _text(path), _parsed(path)
    except CccError as error:
        yield _problem(path, error)
        return
    yield _declared(path, _spelt(text), doubt=powers.is_doubtful(text))
    strings = list(_strings(listed))
    roots = dict.fromkeys((path.parent, path.parent.parent))
    roots |= dict.fromkeys(each for root in tuple(roots) for each in _named(root, _pluginroot(listed)))
    plugins = dict.fromkeys(each for root in roots for each in _named(root, strings) if _is_folder(each))
    yield from map(_plugin, plugins)
    yield from _beside_manifests(path, dict.fromkeys((*roots, *plugins)), strings)


def _beside_manifests(listing: Path, folders_: Iterable[Path], names: Sequence[str]) -> Iterator[Source]:
    """What an entry of a marketplace itself calls a plugin's servers, hooks, skills and the like."""
    try:
        paths = (path for folder in folders_ for path in _named(folder, names) if path.suffix not in CODE)
        texts = [text for path in dict.fromkeys(paths) for text in (_text(path), *map(_text, _heads_in(path)))]
    except CccError as error:
        yield _problem(listing, error)
        return
    spelt = [each for text in texts if text for each in _spelt(text)]
    yield _declared(listing, spelt, doubt=any(map(powers.is_doubtful, spelt)))


def _heads_in(path: Path) -> list[Path]:
    return list(_texts(path)) if _is_folder(path) else []


def _pluginroot(listed: Json) -> list[str]:
    metadata = listed.get("metadata")
    return _flat(metadata.get("pluginRoot")) if isinstance(metadata, dict) else []


def _named(folder: Path, names: Iterable[str]) -> list[Path]:
    """What these texts may name, seen from the folder."""
    plain = (name.replace("${CLAUDE_PLUGIN_ROOT}", ".") for name in names)
    whole = (os.path.expanduser(name) if name.startswith("~/") else name for name in plain)  # noqa: PTH111
    return [Path(os.path.join(folder, name)) for name in whole]  # noqa: PTH118


def _flat(declared: object) -> list[str]:
    """A text, or those in a list."""
    if isinstance(declared, list):
        return [name for each in declared for name in _flat(each)]
    return [declared] if isinstance(declared, str) else []


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _strings(each)


def _parsed(path: Path) -> Json:
    found = settings.read(DECLARED, path)
    if found and found.problem:
        raise CccError(found.problem, found.advice)
    return found.settings if found else {}


def _text(path: Path) -> str:
    _refuse_elsewhere(path)
    found = _stat(path)
    plain = found and stat.S_ISREG(found.st_mode)
    return settings.decoded(files.read_bytes(path, limit=FILE_LIMIT) or b"") if plain else ""


def _is_folder(path: Path) -> bool:
    found = _stat(path)
    return bool(found and stat.S_ISDIR(found.st_mode))


def _refuse_elsewhere(path: Path) -> None:
    if end(path) is End.ELSEWHERE:
        raise CccError(msg("{path} is a link that leads each program elsewhere", path=path), _ADVICE)


def _problem(path: Path, error: CccError) -> Source:
    return Source(DECLARED, path, {}, error.what, error.fix or _ADVICE)


def _declared(path: Path, spelt: list[str], *, doubt: bool) -> Source:
    return Source(DECLARED, path, {powers.TEXTS: spelt, powers.UNSEEN: doubt})


_ADVICE = msg("move it away")
