"""Many tasks: hand them over, work on them, look at them.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.commands import completing, here, voice

if TYPE_CHECKING:
    from ccc.fleet.store import Store
    from ccc.fleet.task import Record

_STORE = click.option(
    "--store", metavar="URL", help=msg("Where the tasks are kept: postgresql://… for several machines, else a file.")
)


def _task(command: Callable[..., object]) -> Callable[..., object]:
    return click.argument("named", metavar="ID", shell_complete=completing.tasks)(_STORE(command))


@click.group()
def fleet() -> None:
    """Many supervised tasks: each in a worktree and on a branch of its own, under one budget.

    ccc fleet add tasks.md     hand over a list
    ccc fleet run --drain      work until nothing is left to do
    ccc fleet status           one row a task
    """


@fleet.command()
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--repo", type=click.Path(path_type=Path, file_okay=False), help="The repository; else the one here.")
@click.option("--base", metavar="COMMIT", help="What the branches begin with; else what is checked out.")
@click.option(
    "--provider",
    metavar="PROVIDER",
    help="Who works on them; else the current one.",
    shell_complete=completing.providers,
)
@click.option("--after", multiple=True, metavar="ID", help="Wait for this task, and begin with its branch.")
@click.option("--check", "checks", multiple=True, metavar="COMMAND", help="Done is what this command says.")
@click.option("--name", metavar="NAME", help="What the tasks are called by; else by their first words.")
@click.option("--permission-mode", metavar="MODE", help="What the agents may do unasked, as claude has it.")
@click.option("--push", is_flag=True, help="Push each branch when its task has ended.")
@click.option("--trust-project", is_flag=True, help="Yes to what the project brings along.")
@_STORE
def add(
    source: Path,
    repo: Path | None,
    base: str | None,
    provider: str | None,
    after: tuple[str, ...],
    checks: tuple[str, ...],
    name: str | None,
    permission_mode: str | None,
    push: bool,
    trust_project: bool,
    store: str | None,
) -> int:
    """Hand over tasks: a Markdown file, a folder with a file for each, or JSON lines on stdin (-).

    In tasks.md each `##` heading is a task, or each item of a list. A table below it may say more:
      | key   | value     |
      | check | pytest -q |
      Keys:  name, repo, base, provider, permission_mode, check, after, push,
             max_iterations, max_minutes, max_cost_usd, max_tokens

    The same list added again adds nothing twice.
    """
    from ccc.fleet import adding, lists
    from ccc.providers import choosing

    if provider:  # in a list it is told with its line
        choosing.choose(here.config(), provider)
    given: dict[str, object] = {
        "repo": str(repo) if repo else None,
        "base": base,
        "provider": provider,
        "after": list(after),
        "check": list(checks),
        "name": name,
        "permission_mode": permission_mode,
        "push": push or None,
    }
    entries = lists.of_lines(sys.stdin.buffer.read()) if str(source) == "-" else lists.read(source)
    keys = {key: value for key, value in given.items() if value}
    lists.checked_keys(keys)
    kept = _store(store)
    ready = adding.ready(entries, adding.Defaults(keys, trust_project), here.config(), os.environ, kept.ids)
    fresh = set(kept.add(ready.tasks, time.time()))
    for note in ready.notes:
        voice.say(note)
    for id_, task in ready.tasks:
        line = msg("{id}  {title}", id=id_, title=task.title)
        voice.show(voice.told(line if id_ in fresh else msg("{task}  (was there already)", task=line)))
    return 0


@fleet.command()
@click.option(
    "--slots", type=click.IntRange(1, 1000), metavar="N", help="How many tasks this machine works on at once."
)
@click.option("--drain", is_flag=True, help="End when nothing is left that can be done.")
@_STORE
def run(slots: int | None, drain: bool, store: str | None) -> int:
    """Work on the tasks, here, until Ctrl-C: once brings the running ones to their end, twice leaves at once.

    However it ends, the next `ccc fleet run` goes on where it was.
    """
    from ccc.fleet import worker

    conf = here.config()
    wishes = worker.Wishes(slots or conf.fleet.slots, drain)
    code = worker.Run(here.store_address(store), conf, os.environ, wishes, voice.say).run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # threads of tasks that were left wait for this


@fleet.command()
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 100_000), metavar="N", default=20, show_default=True, help="How many rows."
)
@_STORE
def status(as_json: bool, limit: int, store: str | None) -> int:
    """One row a task; those that need you first."""
    from ccc.base import sink
    from ccc.fleet import view

    now = time.time()
    seen = view.glance(_store(store), limit, os.environ, here.config().fleet.max_cost_usd, now)
    if as_json:
        sink.show_json(view.as_json(seen))
    else:
        view.print_table(seen, now=now, env=os.environ)
    return 0


@fleet.command()
@_STORE
def watch(store: str | None) -> int:
    """All tasks live on one screen, with the keys of `ccc watch`."""
    from ccc.fleet import watching
    from ccc.showing.report import page

    def open_report(session: str) -> str:
        made = page.report(session, output=None, conf=here.config(), env=os.environ, cwd=Path.cwd())
        page.show(made)
        return str(made)

    budget = here.config().fleet.max_cost_usd
    return watching.run(_store(store), here.state(), env=os.environ, budget=budget, open_report=open_report)


@fleet.command()
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Where to write it.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
@_STORE
def report(output: Path | None, show: bool, store: str | None) -> None:
    """One page of the whole list: time line, costs, outcomes, and a link to each task's own page."""
    from ccc.fleet import page
    from ccc.showing.report.page import show as shown

    conf = here.config()
    voice.tell_of_keys(conf)
    made = page.report(_store(store), output=output, conf=conf, env=os.environ, state=here.state())
    voice.show(str(made))
    if show:
        shown(made)


@fleet.command()
@_task
@click.option("-f", "--follow", is_flag=True, help="Go on as it happens.")
def logs(named: str, follow: bool, store: str | None) -> int:
    """The story of a task in readable lines."""
    from ccc.showing import logs

    record = _begun(_found(_store(store), named))
    return logs.run(here.state(), record.session, follow=follow, cwd=record.task.repo, env=os.environ, say=voice.say)


@fleet.command("open")
@_task
def open_(named: str, store: str | None) -> int:
    """Go on with a task yourself: its session in Claude's own UI."""
    from ccc.base import interpreter
    from ccc.fleet import address, agent
    from ccc.fleet.task import State

    kept = _store(store)
    record = _begun(_found(kept, named))
    busy = CccError(msg("{id} is being worked on", id=record.id), msg("run first: ccc fleet cancel {id}", id=record.id))
    if record.state is State.RUNNING:
        raise busy
    folder = address.names_here(address.worktrees(os.environ)) / record.id
    if not folder.is_dir():
        raise CccError(msg("{folder} is not on this machine", folder=folder))
    os.chdir(folder)
    words = interpreter.command("ccc", *([record.task.provider] if record.task.provider else []), "--resume")
    try:
        with agent.locked(kept.address.folder / "locks" / f"{record.id}.lock") as lock:
            os.set_inheritable(lock, True)  # no worker takes it up while the person has it
            # The start that this becomes knows nothing of --store.
            os.execve(words[0], (*words, record.session), address.for_agents(os.environ, kept.address))
    except agent.Busy:
        raise busy from None


@fleet.command()
@_task
def cancel(named: str, store: str | None) -> int:
    """End a task, wherever it runs; what it has done stays on its branch."""
    kept = _store(store)
    record = _found(kept, named)
    if not kept.cancel(record.id, time.time()):
        raise CccError(msg("{id} has ended already", id=record.id))
    ends = msg("{id}: its agent is being ended", id=record.id) if record.owner else msg("{id}: cancelled", id=record.id)
    voice.say(msg("{what}; what it has done stays on {branch}", what=ends, branch=record.task.branch))
    return 0


@fleet.command()
@_task
def retry(named: str, store: str | None) -> int:
    """Go on with a task that has ended, in the same session and on the same branch; one that waits for a limit: now."""
    kept = _store(store)
    record = _found(kept, named)
    if not kept.retry(record.id, time.time()):
        raise CccError(msg("{id} has not ended yet, and waits for no limit", id=record.id))
    voice.say(msg("{id} is in the queue again; whoever runs `ccc fleet run` goes on with it", id=record.id))
    return 0


@fleet.command()
@click.option("--older-than", default="7d", show_default=True, metavar="AGE", help="Such as 12h, 30d, 8w.")
@click.option("--all", "every", is_flag=True, help="All that have ended, however recently.")
@click.option("--yes", is_flag=True, help="Remove instead of only telling what would go.")
@_STORE
def clean(older_than: str, every: bool, yes: bool, store: str | None) -> int:
    """Take away ended tasks and their folders; branches stay. Without --yes only tells what would go."""
    from ccc.fleet import clearing
    from ccc.record.clean import duration

    before = time.time() - (0.0 if every else duration(older_than).total_seconds())
    return clearing.run(_store(store), before, os.environ, yes=yes, show=lambda line: voice.show(voice.told(line)))


def _store(store: str | None) -> Store:
    from ccc.fleet.store import Store

    return Store(here.store_address(store))


def _found(kept: Store, named: str) -> Record:
    """A task by the beginning of its id."""
    ids = kept.ids(named)
    record = kept.get(named if named in ids else ids[0]) if named in ids or len(ids) == 1 else None
    if record:
        return record
    if ids:
        raise Misuse(msg("{name} could be {ids}", name=named[:80], ids=", ".join(ids[:5])), msg("type more of it"))
    raise Misuse(msg("there is no task {name}", name=f"{named[:80]!a}"), msg("see: ccc fleet status"))


def _begun(record: Record) -> Record:
    if not record.session:
        raise CccError(msg("{id} has not begun yet", id=record.id))
    return record
