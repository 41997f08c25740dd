"""Start claude: plain, supervised, or as the demo.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.commands import completing, here, voice

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ccc.commands.route import Way
    from ccc.providers.launch import Plan, Start


@click.command("pty-review", hidden=True)
def pty_review() -> int:
    """One review of pty mode; see legacy/ccc_legacy/judge.py."""
    from ccc_legacy import judge

    return judge.main(os.environ)


class _Start(click.Command):
    """Nobody types its name: by what it is called in help and errors, it can be asked for."""

    def make_context(self, info_name: str | None, *args: Any, **more: Any) -> click.Context:
        return super().make_context("--supervisor", *args, **more)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Behind the provider every word is claude's."""
        return [] if ctx.params.get("words") else super().shell_complete(ctx, incomplete)


@click.command(cls=_Start, hidden=True)
@click.option("--supervisor", is_flag=True, help="Supervised: the agent is run by ccc itself, which reviews its stops.")
@click.option(
    "--mode",
    type=click.Choice(["hooks", "pty"]),
    help="pty (the default), or hooks: Claude's own UI, and a Stop hook in a settings file of ccc's own.",
)
@click.option("--json", is_flag=True, help="In pty mode: print the agent's stream as the client writes it.")
@click.option("--trust-project", is_flag=True, help="In pty mode: yes to what the project brings along.")
@click.argument(
    "words",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[PROVIDER] [WORD FOR CLAUDE]...",
    shell_complete=completing.providers,
)
def launch(supervisor: bool, mode: str | None, json: bool, trust_project: bool, words: tuple[str, ...]) -> int:
    """Start claude with a provider, supervised.

    The options stand before the provider; what follows it goes to claude. CCC_SUPERVISOR=1 ccc PROVIDER is hooks mode
    in your settings.json.
    """
    from ccc.commands import route
    from ccc.commands.route import Way
    from ccc.providers import choosing, config
    from ccc.providers import launch as launching

    own = _options_of_pty(supervisor, mode, {"--json": json, "--trust-project": trust_project})
    conf = here.config()
    config.sweep(conf, os.environ, time.time())
    wanted = route.way(supervisor, mode) or _way_from_environment()
    path = route.route(words, conf.providers, _client_commands, a_message=wanted is Way.PTY)
    name = choosing.choose(conf, path.provider)
    provider = choosing.resolve(conf, name, os.environ) if name else None
    way = _way(wanted, path.args)
    _tell_gone_hooks()
    _tell_unheard_stops()
    args = (*own, *path.args) if way is Way.PTY else path.args
    start = launching.Start(conf, provider, args, os.environ, Path.cwd(), voice.say)
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


def _options_of_pty(supervisor: bool, mode: str | None, given: Mapping[str, bool]) -> tuple[str, ...]:
    """Those of these words that were given, each where it means something."""
    words = tuple(word for word, is_given in given.items() if is_given)
    if (mode or words) and not supervisor:
        raise CccError(
            msg("{option} belongs to --supervisor", option="--mode" if mode else words[0]),
            msg("type: ccc --supervisor --help"),
        )
    if words and mode == "hooks":
        raise CccError(msg("{option} is for pty mode", option=words[0]), msg("leave it out, or --mode hooks"))
    return words


def _way(wanted: Way, args: tuple[str, ...]) -> Way:
    """Help, a version, a command of the client's: no session, so there is nothing to supervise and no hook to write."""
    from ccc.claude import commandline
    from ccc.commands.route import Way

    word = commandline.ends_at_once(args, _listed_commands) if wanted is not Way.PLAIN else None
    if word is None:
        return wanted
    if not word.startswith("-"):
        voice.say(msg("{word} is a command of claude's own, which is not supervised", word=word))
    return Way.PLAIN


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
    """What some `claude` would take for a command."""
    from ccc.claude import program

    try:
        return program.WELL_KNOWN_COMMANDS | _listed_commands()
    except CccError:  # whoever mistypes a provider should hear of that first
        return program.WELL_KNOWN_COMMANDS


def _listed_commands() -> frozenset[str]:
    """What `claude` itself takes for a command here; any other first word is a prompt."""
    from ccc.claude import program

    client = program.find(os.environ, Path.cwd())
    return frozenset(program.abilities(client, here.state() / "clients.json", os.environ).commands)


@click.command()
@click.option("--mode", type=click.Choice(["hooks", "pty"]), default="hooks", show_default=True, help="Which mode.")
@click.option("--keep", is_flag=True, help="Keep its files, and tell where they are.")
def demo(mode: str, keep: bool) -> int:
    """A whole supervised task to look at: the real client, a scripted model, no account, no key."""
    from ccc.trial import demo_screen

    return demo_screen.run(os.environ, mode, keep=keep)
