"""Start claude: plain, supervised, or as the demo.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.commands import here, index, voice

if TYPE_CHECKING:
    from ccc.claude import variables
    from ccc.providers import config
    from ccc.providers import launch as launching_module


@click.command("pty-review", hidden=True)
def pty_review() -> int:
    """One review of pty mode; see legacy/ccc_legacy/judge.py."""
    from ccc_legacy import judge

    return judge.main(os.environ)


@click.command(hidden=True)
@click.pass_context
def launch(ctx: click.Context) -> int:
    """Start claude with a provider."""
    from ccc.commands import route
    from ccc.providers import choosing, config
    from ccc.providers import launch as launching

    found = here.config()
    config.sweep(found, os.environ, time.time())
    path = route.route(ctx.meta[index.WORDS], found.providers, _client_commands)
    name = choosing.choose(found, path.provider)
    provider = choosing.resolve(found, name, os.environ) if name else None
    mode = path.mode or _mode_from_environment()
    _tell_gone_hooks()
    _tell_unheard_stops()
    plan = _plan(mode, found, provider, path.args) if mode != "pty" else None
    if config.tighten(found):
        voice.say(msg("{path} could be read by others; it is 0600 now", path=found.path))
    if name:
        config.remember_current(found, name)
    _tell_missed_review()
    for key in found.unknown:
        voice.say(msg("{path}: {key} means nothing to ccc; is it misspelt?", path=found.path, key=key))
    if plan is None:
        from ccc_legacy import launch as pty

        return pty.run(found, provider, path.args, env=os.environ, cwd=Path.cwd(), say=voice.say)
    voice.show(*plan.notes, err=True)
    return launching.start(plan)


def _tell_missed_review() -> None:
    from ccc.record import missed

    told = missed.taken(here.state())
    if told:
        voice.say(msg("the last stop was not reviewed ({missed}); the log tells more", missed=told))


def _tell_unheard_stops() -> None:
    from datetime import UTC, datetime

    from ccc.record import unheard

    for each in unheard.untold(here.state(), datetime.now(UTC)):
        voice.say(each.line())


def _tell_gone_hooks() -> None:
    """Before a supervised start writes the hook anew."""
    from ccc.record import placed

    state = here.state()
    missing = [each for each in placed.gone(state) if not each.told]
    for each in missing:
        voice.say(each.line())
    if missing:
        placed.told(state)


def _mode_from_environment() -> str:
    value = os.environ.get("CCC_SUPERVISOR", "")
    if value not in ("", "0", "1"):
        voice.say(msg("CCC_SUPERVISOR={value} does not switch reviews on; only 1 does", value=value[:20]))
    return "hooks" if value == "1" else "plain"


def _plan(
    mode: str, found: config.Config, provider: variables.Provider | None, args: Sequence[str]
) -> launching_module.Plan:
    from ccc.providers import launch as launching

    if mode == "plain":
        return launching.plan(found, provider, args, env=os.environ, cwd=Path.cwd(), say=voice.say)
    from ccc_hooks import launch as hooks
    from ccc_hooks import program

    plan = hooks.plan if mode == "hooks" else hooks.plan_with_files
    return plan(found, provider, args, env=os.environ, cwd=Path.cwd(), program=program.of_this_process(), say=voice.say)


def _client_commands() -> frozenset[str]:
    """What `claude` itself would take for a command here."""
    from ccc.claude import program

    try:
        client = program.find(os.environ, Path.cwd())
        cache = here.state() / "clients.json"
        return program.WELL_KNOWN_COMMANDS | frozenset(program.abilities(client, cache, os.environ).commands)
    except CccError:  # whoever mistypes a provider should hear of that first
        return program.WELL_KNOWN_COMMANDS


@click.command()
@click.option("--mode", type=click.Choice(["hooks", "pty"]), default="hooks", show_default=True)
def demo(mode: str) -> int:
    """A whole supervised task to look at: the real client, a scripted model, no account, no key."""
    from ccc.trial import demo_screen

    return demo_screen.run(os.environ, mode)
