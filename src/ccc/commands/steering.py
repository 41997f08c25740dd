"""What the person decides about supervision here: checks, what a project may, off and on.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc.base.messages import msg
from ccc.commands import completing, here, voice

if TYPE_CHECKING:
    from ccc.model import Check


@click.group("checks")
def checks_group() -> None:
    """Commands that must pass before the agent may stop, for this project folder."""


@checks_group.command("add")
@click.argument("command")
@click.option(
    "--timeout", type=click.IntRange(1, 86400), metavar="SECONDS", default=300, show_default=True, help="Seconds."
)
@click.option("--no-run", is_flag=True, help="Do not try it now.")
def checks_add(command: str, timeout: int, no_run: bool) -> None:
    """Run COMMAND at every stop, in the project folder; it is tried once now, and kept whatever comes of it."""
    from ccc.judging import checks
    from ccc.model import Check

    project, check = here.project(), Check(command, timeout)
    known = any(each.command == command for each in checks.of_project(here.config(), project))
    checks.add(here.config(), project, check)
    told = {"project": project, "command": command}
    again = msg("{project}: at every stop ccc runs, as it did already: {command}", **told)
    voice.say(again if known else msg("{project}: at every stop ccc runs: {command}", **told))
    if not no_run:
        voice.say(msg("it is tried now, once (--no-run: not at all)"))
        if not _try([check]):
            voice.say(msg("it is kept all the same; to take it out: {command}", command=_removal(command)))


@checks_group.command("run")
def checks_run() -> int:
    """Run all checks of this project now; exit code 1 if one does not pass."""
    from ccc.judging import checks

    known = checks.of_project(here.config(), here.project())
    if not known:
        voice.say(_none_yet())
    return 0 if _try(known) else 1


def _try(wanted: Sequence[Check]) -> bool:
    """Run them as a stop would, and tell what came of each; whether all passed."""
    from ccc.judging import checks
    from ccc.judging.checks import Runner
    from ccc.providers import choosing

    conf = here.config()
    bare = partial(choosing.without_keys, conf, os.environ)
    passed = []
    try:
        for ran in Runner(here.project(), here.state(), bare, float("inf")).each(wanted):
            passed.append(ran.passed)
            voice.show(*map(voice.told, checks.told(ran)))
            if ran.impossible:
                voice.say(checks.cannot_run(ran))
    except checks.Interrupted:
        raise KeyboardInterrupt from None
    return all(passed)


def _removal(command: str) -> str:
    import shlex

    return f"ccc checks remove {shlex.quote(command)}"


def _none_yet() -> str:
    return msg("{project} has no check yet; add one: ccc checks add 'pytest -q'", project=here.project())


@checks_group.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON.")
def checks_list(as_json: bool) -> None:
    """The checks of this project."""
    from msgspec.structs import asdict

    from ccc.base import sink
    from ccc.judging import checks

    known = checks.of_project(here.config(), here.project())
    if as_json:
        sink.show_json([asdict(check) for check in known], indent=None)
        return
    for check in known:
        seconds = voice.told(msg("(at most {seconds} s)", seconds=check.timeout))
        voice.show(f"{check.command}  {seconds}")
    if not known:
        voice.say(_none_yet())


@checks_group.command("remove")
@click.argument("command")
def checks_remove(command: str) -> None:
    """Do not run COMMAND any more."""
    from ccc.judging import checks

    checks.remove(here.config(), here.project(), command)
    voice.say(msg("{project}: no longer run: {command}", project=here.project(), command=command))


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--remove", is_flag=True, help="No longer allow NAME.")
def allow(names: tuple[str, ...], remove: bool) -> None:
    """Let this project's settings decide NAME, with the value it has now; without NAME: what they would decide."""
    from ccc.providers import allowing, choosing, keeping

    conf, project = here.config(), here.project()
    if not names:
        lines = allowing.overview(conf, project, Path.cwd(), os.environ)
        for line in (*lines, *keeping.overview(conf, Path.cwd(), os.environ)):
            voice.show(voice.told(line))
    elif remove:
        allowing.forget(conf, project, names)
        voice.say(msg("{project}: asked about again from now on: {names}", project=project, names=", ".join(names)))
    else:
        allowing.allow(conf, project, Path.cwd(), names, os.environ)
        voice.say(
            msg("{project}: allowed, with the value it has now: {names}", project=project, names=", ".join(names))
        )
        if keys := [name for name in names if name in choosing.holding_keys(conf, os.environ)]:
            voice.say(msg("claude is started with {names} here from now on", names=", ".join(keys)))


@click.command()
@click.option(
    "--session",
    metavar="ID",
    help="Only this session instead of the project folder.",
    shell_complete=completing.sessions,
)
def off(session: str | None) -> None:
    """No reviews from the very next stop on, for this project folder. Inside the client: ! ccc off"""
    _switch(session, off=True)


@click.command()
@click.option(
    "--session",
    metavar="ID",
    help="Only this session instead of the project folder.",
    shell_complete=completing.sessions,
)
def on(session: str | None) -> None:
    """Reviews again."""
    _switch(session, off=False)


def _switch(session: str | None, *, off: bool) -> None:
    from ccc.record import switch

    named = here.session(session) if session is not None else None
    kind, name = (switch.SESSIONS, named) if named else (switch.PROJECTS, str(here.project()))
    changed = switch.turn(here.state(), kind, name, off=off)
    voice.show(f"ccc: {voice.told(_switched(name, off=off, changed=changed))}")
    if off:
        back = f"ccc on --session {named}" if named else "ccc on"
        voice.show(f"ccc: {voice.told(msg('to have them again: {command}', command=back))}")


def _switched(name: str, *, off: bool, changed: bool) -> str:
    if changed:
        return msg("reviews are off for {name}", name=name) if off else msg("reviews are on for {name}", name=name)
    if off:
        return msg("reviews are off for {name}, as they were already", name=name)
    return msg("reviews are on for {name}, as they were already", name=name)
