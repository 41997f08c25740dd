"""From a list as it is written to tasks that can be worked on.

Rule: everything that could go wrong later and can be known now is an error here, with its place in the list; either all
of a list is taken or nothing of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ccc.base import repository
from ccc.base.errors import CccError
from ccc.base.messages import Message, msg
from ccc.claude.program import project_directory
from ccc.fleet.address import names_here
from ccc.fleet.lists import BadList, Entry
from ccc.fleet.task import Caps, Task, slug
from ccc.judging import checks
from ccc.model import Check
from ccc.providers import choosing
from ccc.providers.config import CAPS, Config

Known = Callable[[str], Sequence[str]]  # ids that begin so


class Defaults(Struct, frozen=True):
    """What the command line says for all tasks of a list; a key of a task goes before."""

    keys: Mapping[str, object]
    trusts: bool = False


class Ready(Struct, frozen=True):
    tasks: tuple[tuple[str, Task], ...]
    notes: tuple[Message, ...]


def ready(entries: Sequence[Entry], defaults: Defaults, conf: Config, env: Mapping[str, str], known: Known) -> Ready:
    made: dict[str, str] = {}  # what a task of this list is called → its id
    tasks: dict[str, Task] = {}
    for entry in entries:
        keys = {**defaults.keys, **entry.keys}
        after = tuple(_named(entry, each, made, known) for each in _listed(keys.get("after")))
        task = _task(entry, keys, after, defaults, conf, env)
        tasks[task.id] = task
        made |= {task.id: task.id, slug(task.name or entry.title or task.title): task.id}
    return Ready(tuple(tasks.items()), tuple(_notes(tasks.values(), env)))


def _task(
    entry: Entry,
    keys: Mapping[str, object],
    after: tuple[str, ...],
    defaults: Defaults,
    conf: Config,
    env: Mapping[str, str],
) -> Task:
    repo = _repository(entry, Path(str(keys.get("repo") or ".")))
    provider = _provider(entry, keys.get("provider"), conf, env)
    base = _base(entry, repo, str(keys.get("base") or "HEAD"), env)
    _criteria(repo, base, conf, env)
    own = tuple(Check(str(each)) for each in _listed(keys.get("check")))
    caps = {name: keys[name] for name in CAPS if keys.get(name) is not None}
    return Task(
        prompt=entry.prompt.strip(),
        repo=repo,
        name=str(keys.get("name") or ""),
        provider=provider,
        permission_mode=str(keys["permission_mode"]) if keys.get("permission_mode") else None,
        checks=(*checks.of_project(conf, repo), *own),
        caps=Caps(**caps),  # type: ignore[arg-type]
        after=after,
        push=bool(keys.get("push")),
        trusts=defaults.trusts,
        base=base,
    )


def _refused(entry: Entry, key: str, problem: str) -> BadList:
    return BadList(
        msg("{place}: {key}: {problem}", place=entry.place, key=key, problem=problem), msg("nothing was added")
    )


def _repository(entry: Entry, named: Path) -> Path:
    root = project_directory(names_here(named.expanduser()))
    if not (root / ".git").exists():
        raise _refused(entry, "repo", msg("{folder} is in no git repository", folder=named))
    return root


def _provider(entry: Entry, named: object, conf: Config, env: Mapping[str, str]) -> str | None:
    try:
        name = choosing.choose(conf, str(named) if named else None)
        if name:
            choosing.resolve(conf, name, env)
    except CccError as error:
        raise _refused(entry, "provider", error.message) from None
    return name


def _base(entry: Entry, repo: Path, named: str, env: Mapping[str, str]) -> str:
    found = repository.commit(repo, env, named)
    if found:
        return found
    if named == "HEAD":
        raise _lacking(
            msg("{repo} has no commit to begin with", repo=repo),
            f"git -C {_quoted(repo)} commit --allow-empty -m start",
        )
    raise _refused(entry, "base", msg("{repo} has no commit {name}", repo=repo, name=f"{named[:80]!a}"))


def _criteria(repo: Path, base: str, conf: Config, env: Mapping[str, str]) -> None:
    """An agent is judged by a SUPERVISOR.md, and one that is not committed is not in the task's folder."""
    named = [each.name for each in repository.entries(repo, env, base) or ()]
    if "SUPERVISOR.md" in named or (conf.directory / "SUPERVISOR.md").exists():
        return
    git = f"git -C {_quoted(repo)}"
    committed = f"{git} add SUPERVISOR.md && {git} commit -m SUPERVISOR.md SUPERVISOR.md"
    if (repo / "SUPERVISOR.md").exists():
        raise _lacking(msg("{path} is not committed, so no task would have it", path=repo / "SUPERVISOR.md"), committed)
    raise _lacking(
        msg(
            "there is no {here} and no {there}, and a task is judged by one of them",
            here=repo / "SUPERVISOR.md",
            there=conf.directory / "SUPERVISOR.md",
        ),
        f"(cd {_quoted(repo)} && ccc init --supervisor-md) && {committed}",
    )


def _lacking(what: Message, command: str) -> BadList:
    """What the repository lacks is not the list's fault, so no place in it is named."""
    return BadList(what, msg("nothing was added; run: {command}", command=command))


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


def _named(entry: Entry, named: object, made: Mapping[str, str], known: Known) -> str:
    """A task above in the same list by its name, or one that was added before by its id."""
    name = str(named)
    if found := made.get(name) or made.get(slug(name)):
        return found
    ids = known(name)
    if len(ids) == 1 or name in ids:
        return name if name in ids else ids[0]
    problem = (
        msg("{name} could be {ids}", name=name, ids=", ".join(ids[:5]))
        if ids
        else msg("there is no task {name} before this one", name=f"{name[:80]!a}")
    )
    raise _refused(entry, "after", problem)


def _notes(tasks: Iterable[Task], env: Mapping[str, str]) -> list[Message]:
    """What the tasks will not see, for each repository."""
    notes = []
    for repo in dict.fromkeys(task.repo for task in tasks):
        if changed := repository.changed(repo, env):
            told = {"repo": repo, "n": len(changed)}
            notes.append(
                msg("{repo} has 1 file with changes that no commit has; the tasks begin without them", **told)
                if len(changed) == 1
                else msg("{repo} has {n} files with changes that no commit has; the tasks begin without them", **told)
            )
    return notes


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]
