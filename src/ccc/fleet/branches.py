"""Whether the branch of a completed task still has the commit that its worker sealed.

Rule: looks, and changes nothing. A branch that was deleted, or goes on from that commit, is a person who merged it or
works on; one that no longer has it is told. Of what another machine has completed nothing is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ccc.base import repository
from ccc.fleet import address
from ccc.fleet.address import Address
from ccc.fleet.task import PREFIX, Sealed


def moved(sealed: Iterable[Sealed], at: Address, env: Mapping[str, str]) -> list[Sealed]:
    """Those that a person has to look at."""
    here = [each for each in sealed if _is_ours(each, at, address.machine(env))]
    repos = dict.fromkeys(each.repo for each in here)
    known = {repo: _branches(repo, env) for repo in repos}
    return [each for each in here if _is_moved(each, known[each.repo], env)]


def _is_ours(each: Sealed, at: Address, machine: str) -> bool:
    """A file is of one machine, and an agent can write another one's name there."""
    return not at.postgres or each.machine == machine


def _branches(repo: Path, env: Mapping[str, str]) -> Mapping[str, str]:
    found = repository.branches(repo, env, PREFIX) if (repo / ".git").exists() else None
    return found or {}


def _is_moved(each: Sealed, branches: Mapping[str, str], env: Mapping[str, str]) -> bool:
    now = branches.get(each.branch, each.commit)
    return now != each.commit and not _has(each.repo, now, each.commit, tuple(_plain(env)))


def _plain(env: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """What git needs to be found."""
    return ((name, env[name]) for name in ("HOME", "PATH") if name in env)


@cache
def _has(repo: Path, tip: str, commit: str, env: tuple[tuple[str, str], ...]) -> bool:
    """Of two commits the answer never changes, and a screen asks every second."""
    return bool(repository.is_within(repo, dict(env), commit, tip))
