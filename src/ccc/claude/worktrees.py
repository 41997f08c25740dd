"""What a start with --worktree reads: a worktree that is there, or the commit that a new one is made of.

Measured with 2.1.325: in .claude/worktrees/NAME at the root of the repository; made of origin's default branch, fetched
if the last fetch is more than a day old, else of HEAD; one that is there is used, and moved to origin's default branch
if nothing in it would be lost. A hook for WorktreeCreate replaces all of that; a number or an address
fetches a pull request.

Rule: nothing of the repository's runs and nothing is guessed: what only the client will find out is not started.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from itertools import takewhile
from pathlib import Path

from msgspec import Struct

from ccc.base import repository
from ccc.base.documents import FILE_LIMIT
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.repository import Entry
from ccc.claude import declared, folders, settings
from ccc.claude.commandline import Worktree
from ccc.claude.links import LINKS_FOLLOWED
from ccc.claude.program import project_directory
from ccc.claude.settings import Source

FRESH_SECONDS = 23 * 3600  # the client's day, less the time until it looks
DEFAULT_BRANCHES = tuple(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master"))
KINDS = {"settings.json": "project", "settings.local.json": "local"}
PATHS = (".claude/settings.json", ".claude/settings.local.json", ".mcp.json")
# Such an attribute makes other text of the stored one, and other JSON with it.
REWRITING = ("working-tree-encoding", "ident", "filter")
_REQUEST = re.compile(r"#\d+|https?://.*", re.DOTALL | re.IGNORECASE)
SILENT = msg("git does not say what the worktree would hold")
BY_HAND = msg("make it yourself with git worktree add, and start ccc in it without -w")


class Unknown(CccError):
    """Nobody can look at what the worktree will hold."""

    def __init__(self, reason: str, fix: str = BY_HAND) -> None:
        super().__init__(msg("-w: {reason}, so ccc cannot look at its settings first", reason=reason), fix)


def sources(
    wanted: Worktree, found: Sequence[Source], *, config_directory: Path, cwd: Path, env: Mapping[str, str]
) -> tuple[Source, ...]:
    """The project's files in the worktree that this start makes or finds. `found`: the settings read here."""
    for source in found:
        hooks = source.settings.get("hooks")
        if isinstance(hooks, dict) and hooks.get("WorktreeCreate"):
            raise Unknown(msg("{path} has a hook that makes the worktree", path=source.path))
    if wanted.name and _REQUEST.fullmatch(wanted.name):
        raise Unknown(msg("a pull request is fetched for it"))
    try:
        there = folders.of_worktrees(project_directory(cwd), wanted.name)
        made_of = [tree for root in _roots(cwd) for tree in Repository(root, env).candidates()]
    except folders.Odd:  # one of the sources says so, and is refused
        return ()
    return (*_present(there, config_directory), *_committed(made_of))


def offered(config_directory: Path, cwd: Path, env: Mapping[str, str]) -> tuple[Source, ...]:
    """The same for any name, as far as it can be known: what a person may want to allow before such a start."""
    try:
        there = folders.of_worktrees(project_directory(cwd), None)
        return (*_present(there, config_directory), *_committed(Repository(cwd, env).known()))
    except (folders.Odd, Unknown):
        return ()


def _roots(cwd: Path) -> list[Path]:
    """Where the client may ask git: here, and where a worktree belongs to."""
    return list(dict.fromkeys((cwd, *folders.of_repository(project_directory(cwd)))))


def _present(there: Iterable[Path], config_directory: Path) -> Iterator[Source]:
    for folder in there:
        found = settings.of_project(settings.sources(config_directory, folder))
        yield from (*found, *settings.servers(folder), *declared.sources(config_directory, folder, found))


def _committed(trees: Iterable[Tree]) -> Iterator[Source]:
    seen: set[str] = set()
    for tree in trees:
        if tree.commit not in seen:
            seen.add(tree.commit)
            yield from tree.sources()


class Repository(Struct, frozen=True):
    """One repository, as git knows it from this folder."""

    folder: Path
    env: Mapping[str, str]

    def candidates(self) -> list[Tree]:
        """Everything that a worktree could be made of now; Unknown when a fetch would decide."""
        known = self.known()
        remote = repository.knows_remote(self.folder, self.env, "origin")
        if remote is None:
            raise Unknown(SILENT)
        if (remote or self._has_old_remote()) and not self._is_fresh():
            raise Unknown(msg("what origin has by then decides what it holds"), msg("run: git fetch origin"))
        return known

    def known(self) -> list[Tree]:
        head = repository.commit(self.folder, self.env, "HEAD")
        # Where this is a worktree itself, the client may start from the first one.
        first = repository.commit(self.folder, self.env, "main-worktree/HEAD")
        others = repository.commits(self.folder, self.env, *DEFAULT_BRANCHES)
        if head is None or others is None:
            raise Unknown(SILENT)
        return [Tree(self.folder, self.env, commit) for commit in dict.fromkeys((head, first or head, *others))]

    def _is_fresh(self) -> bool:
        try:
            return time.time() - (self._common() / "FETCH_HEAD").stat().st_mtime < FRESH_SECONDS
        except OSError:  # never fetched
            return False

    def _has_old_remote(self) -> bool:
        """As remotes were written before they stood in the configuration; git still reads them."""
        return any((self._common() / folder / "origin").exists() for folder in ("remotes", "branches"))

    def _common(self) -> Path:
        common = repository.common_folder(self.folder, self.env)
        if common is None:
            raise Unknown(SILENT)
        return common


class Tree(Struct, frozen=True):
    """What one commit holds for the client."""

    folder: Path
    env: Mapping[str, str]
    commit: str

    def sources(self) -> Iterator[Source]:
        top = self._entries(self.commit)
        inner = [entry for each in top[".claude"] for entry in self._below(each)]
        files = [
            *((SERVERS_FILE, settings.SERVERS, entry) for entry in top[SERVERS_FILE]),
            *((f".claude/{entry.name}", KINDS[_folded(entry.name)], entry) for entry in inner if _is_settings(entry)),
        ]
        found = [each for claude in top[".claude"] for each in self._declared(claude.name)]
        heads = [(name, entry) for name, entry in found if declared.is_text(name)]
        inside = (entry for name, entry in found if not declared.is_text(name))
        attributes = (*top[ATTRIBUTES], *(each for each in inner if _folded(each.name) == ATTRIBUTES), *inside)
        rewriting = self._rewriting(attributes, [entry.name for _, entry in heads]) if files or heads else None
        if rewriting:
            raise Unknown(msg("{path} sets {name}", path=self._named(ATTRIBUTES), name=rewriting))
        for name, kind, entry in files:
            yield settings.source(kind, self._named(name), self._content(name, entry))
        for name, entry in heads:
            head = declared.head(self._named(name), self._content(name, entry))
            yield from (head,) if head else ()

    def _declared(self, claude: str) -> Iterator[tuple[str, Entry]]:
        """Each text whose head may count, by the name that the client has for it, and whatever may rewrite one."""
        places = [(claude, ".claude")]
        for place, known in places:  # which grows
            for entry in self._under(place, known):
                name = known + entry.name[len(place) :]
                names = _folded(name).split("/")[1:]
                if _folded(entry.name.rpartition("/")[2]) == ATTRIBUTES:
                    yield ATTRIBUTES, entry
                elif not names or not declared.may_lead_to_head(names):
                    continue
                elif entry.mode == LINK:
                    places.append((self._target(name, entry), name))
                elif declared.is_text(names[-1]):
                    yield name, entry
            if len(places) > LINKS_FOLLOWED:
                raise self._unshown(known)

    def _under(self, place: str, known: str) -> list[Entry]:
        """Below a name in the commit, and the attributes of the folders above."""
        above = [f"{folder}/{ATTRIBUTES}" for folder in map(str, Path(place).parents) if folder != "."]
        found = repository.below(self.folder, self.env, self.commit, (place, *above))
        if not found or all(entry.name in above for entry in found):
            raise self._unshown(known)
        return list(found)

    def _target(self, name: str, link: Entry) -> str:
        """Where a link leads within the commit; through another one nobody follows it."""
        text = (repository.content(self.folder, self.env, link) or b"/").decode("utf-8", "surrogateescape")
        parts = [part for part in text.split("/") if part not in ("", ".")]
        up = len(list(takewhile(lambda part: part == "..", parts)))
        folder = link.name.split("/")[:-1]
        if text.startswith("/") or ".." in parts[up:] or up > len(folder) or not parts[up:]:
            raise self._unshown(name)
        return "/".join((*folder[: len(folder) - up], *parts[up:]))

    def _unshown(self, name: str) -> Unknown:
        return Unknown(msg("{path} is no plain file that git can show", path=self._named(name)))

    def _entries(self, tree: str) -> dict[str, list[Entry]]:
        found = repository.entries(self.folder, self.env, tree)
        if found is None:
            raise Unknown(SILENT)
        return {name: [entry for entry in found if _folded(entry.name) == name] for name in LOOKED_FOR}

    def _below(self, entry: Entry) -> list[Entry]:
        if entry.kind != "tree":  # a link, say, to a folder with any other name
            raise Unknown(msg("{path} is no folder", path=self._named(entry.name)))
        return [each for found in self._entries(entry.id).values() for each in found]

    def _content(self, name: str, entry: Entry) -> bytes:
        plain = entry.is_plain_file and entry.size <= FILE_LIMIT
        data = repository.content(self.folder, self.env, entry) if plain else None
        if data is None:
            raise self._unshown(name)
        return data

    def _rewriting(self, attributes: Iterable[Entry], heads: Sequence[str]) -> str | None:
        """The attribute, if there may be one, that makes another file of what is stored."""
        told = [self._content(entry.name, entry) for entry in attributes]
        paths = (*PATHS, *heads)
        for name in REWRITING:
            here = repository.attribute(self.folder, self.env, name, paths)
            if here is None:
                raise Unknown(SILENT)
            if here - {"unspecified", "unset"} or any(_may_set(name, text, paths) for text in told):
                return name
        return None

    def _named(self, name: str) -> Path:
        return Path(f"{self.commit[:12]}:{name}")


SERVERS_FILE, ATTRIBUTES = ".mcp.json", ".gitattributes"
LINK = "120000"
LOOKED_FOR = (".claude", SERVERS_FILE, ATTRIBUTES, *KINDS)


def _may_set(name: str, attributes: bytes, paths: Iterable[str] = PATHS) -> bool:
    """Whether a line of these attributes could give one of the files this one; a macro could give any."""
    lines = [line.split(maxsplit=1) for line in attributes.decode("utf-8", "replace").splitlines()]
    rules = [(words[0], words[1]) for words in lines if len(words) == 2 and not words[0].startswith("#")]
    return any(
        pattern.startswith("[attr]") or (name in given and _may_match(pattern, paths)) for pattern, given in rules
    )


def _may_match(pattern: str, paths: Iterable[str]) -> bool:
    last = pattern.rstrip("/").rpartition("/")[2]
    return (
        pattern.startswith('"')
        or "\\" in pattern
        or any(fnmatch(_folded(path.rpartition("/")[2]), _folded(last)) for path in paths)
    )


def _is_settings(entry: Entry) -> bool:
    return _folded(entry.name) in KINDS


def _folded(name: str) -> str:
    """A name as the most forgiving file system takes it: without case and without what cannot be seen."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFKC", seen).casefold()
