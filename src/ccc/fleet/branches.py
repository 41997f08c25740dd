"""Whether the branch of a completed task still has the commit that its worker sealed.

Rule: looks, and changes nothing. A branch that was deleted, or goes on from that commit, is a person who merged it or
works on: the second is shown, for no review saw the rest. One that no longer has it needs a person. Of what another
machine has completed nothing is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from ccc.base import repository
from ccc.fleet import address
from ccc.fleet.address import Address
from ccc.fleet.task import PREFIX, Sealed


class Found(Struct, frozen=True):
    """The completed tasks whose branch is no longer what was sealed."""

    moved: tuple[Sealed, ...] = ()  # without it: a person has to look at them
    advanced: tuple[Sealed, ...] = ()  # with more on top of it


def look(sealed: Iterable[Sealed], at: Address, env: Mapping[str, str]) -> Found:
    here = [each for each in sealed if _is_ours(each, at, address.machine(env))]
    repos = dict.fromkeys(each.repo for each in here)
    known = {repo: _branches(repo, env) for repo in repos}
    others = [(each, tip) for each in here if (tip := known[each.repo].get(each.branch, each.commit)) != each.commit]
    has = {each.id: _has(each.repo, tip, each.commit, tuple(_plain(env))) for each, tip in others}
    found = [each for each, _ in others]
    return Found(tuple(each for each in found if not has[each.id]), tuple(each for each in found if has[each.id]))


def _is_ours(each: Sealed, at: Address, machine: str) -> bool:
    """A file is of one machine, and an agent can write another one's name there."""
    return not at.postgres or each.machine == machine


def _branches(repo: Path, env: Mapping[str, str]) -> Mapping[str, str]:
    found = repository.branches(repo, env, PREFIX) if (repo / ".git").exists() else None
    return found or {}


def _plain(env: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """What git needs to be found."""
    return ((name, env[name]) for name in ("HOME", "PATH") if name in env)


@cache
def _has(repo: Path, tip: str, commit: str, env: tuple[tuple[str, str], ...]) -> bool:
    """Of two commits the answer never changes, and a screen asks every second."""
    return bool(repository.is_within(repo, dict(env), commit, tip))
