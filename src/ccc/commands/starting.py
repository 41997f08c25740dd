"""Start claude: plain, supervised, or as the demo.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.commands import here, index, voice

if TYPE_CHECKING:
    from ccc.commands.route import Way
    from ccc.providers.launch import Plan, Start


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
    from ccc.commands.route import Way
    from ccc.providers import choosing, config
    from ccc.providers import launch as launching

    conf = here.config()
    config.sweep(conf, os.environ, time.time())
    path = route.route(ctx.meta[index.WORDS], conf.providers, _client_commands)
    name = choosing.choose(conf, path.provider)
    provider = choosing.resolve(conf, name, os.environ) if name else None
    way = path.way or _way_from_environment()
    _tell_gone_hooks()
    _tell_unheard_stops()
    start = launching.Start(conf, provider, path.args, os.environ, Path.cwd(), voice.say)
    plan = _planned(way, start) if way is not Way.PTY else None
    if config.tighten(conf):
        voice.say(msg("{path} could be read by others; it is 0600 now", path=conf.path))
    if name:
        config.remember_current(conf, name)
    _tell_missed_review()
    if way is not Way.PLAIN:
        _tell_switched_off()
    for key in conf.unknown:
        voice.say(msg("{path}: {key} means nothing to ccc; is it misspelt?", path=conf.path, key=key))
    if plan is None:
        from ccc_legacy import launch as pty

        return pty.run(start)
    voice.show(*plan.notes, err=True)
    return launching.carry_out(plan)


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


def _tell_switched_off() -> None:
    from ccc.record import switch

    folder = here.project()
    if switch.is_off(here.state(), project=folder, session_id=""):
        voice.say(msg("reviews are off in {folder}; to switch them on: ccc on", folder=folder))


def _tell_gone_hooks() -> None:
    """Before a supervised start writes the hook anew."""
    from ccc.record import placed

    state = here.state()
    missing = [each for each in placed.gone(state) if not each.told]
    for each in missing:
        voice.say(each.line())
    if missing:
        placed.told(state)


def _way_from_environment() -> Way:
    from ccc.commands.route import Way

    value = os.environ.get("CCC_SUPERVISOR", "")
    if value not in ("", "0", "1"):
        voice.say(msg("CCC_SUPERVISOR={value} does not switch reviews on; only 1 does", value=value[:20]))
    return Way.HOOKS if value == "1" else Way.PLAIN


def _planned(way: Way, start: Start) -> Plan:
    """What is to become claude; supervised, with the hook in place."""
    from ccc.commands.route import Way
    from ccc.providers import launch as launching

    if way is Way.PLAIN:
        return launching.plan(start)
    from ccc_hooks import launch as hooks
    from ccc_hooks import program

    hooked = hooks.hook_into_settings if way is Way.HOOKS else hooks.hook_into_files
    return hooked(start, program.of_this_process())


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
