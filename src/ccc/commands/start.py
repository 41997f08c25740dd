"""One start of claude, plain or supervised, from the words that the person typed.

Rule: says what the person has to know before claude has the terminal, and prints nothing else; does without click, for
which nobody waits who starts claude.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from msgspec import Struct

from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude import commandline
from ccc.commands import here, route, voice
from ccc.commands.route import Way
from ccc.providers import choosing, config
from ccc.providers import launch as launching
from ccc.providers.config import Config
from ccc.providers.launch import Plan, Start


class Options(Struct, frozen=True):
    """Ccc's own, which stand before the provider."""

    supervisor: bool = False
    mode: str | None = None
    given: tuple[str, ...] = ()  # those of pty mode, as they were typed

    @property
    def of_pty(self) -> tuple[str, ...]:
        """Those of pty mode, where they mean something."""
        if (self.mode or self.given) and not self.supervisor:
            raise Misuse(
                msg("{option} belongs to --supervisor", option="--mode" if self.mode else self.given[0]),
                msg("type: ccc --supervisor --help"),
            )
        if self.given and self.mode == "hooks":
            raise Misuse(msg("{option} is for pty mode", option=self.given[0]), msg("leave it out, or --mode hooks"))
        return self.given

    @property
    def typed(self) -> tuple[str, ...]:
        """All of them, as they would be typed again."""
        mode = ("--mode", self.mode) if self.mode else ()
        return ("--supervisor", *mode, *self.given) if self.supervisor else ()


def begin(options: Options, words: tuple[str, ...]) -> int:
    """Become claude, or run it on a pty until the person leaves."""
    own, conf = options.of_pty, here.config()
    config.sweep(conf, os.environ, time.time())
    wanted = route.way(options.supervisor, options.mode) or _way_from_environment()
    path = route.route(words, conf.providers, _client_commands, a_message=wanted is Way.PTY, typed=options.typed)
    name = choosing.choose(conf, path.provider)
    if not words and not conf.providers:
        _tell_of_init()
    env = choosing.apart(conf, name, os.environ)
    provider = choosing.resolve(conf, name, env) if name else None
    way = _way(wanted, path.args)
    _tell_gone_hooks()
    _tell_unheard_stops()
    args = (*own, *path.args) if way is Way.PTY else path.args
    start = Start(conf, provider, args, env, Path.cwd(), voice.say)
    plan = _planned(way, start) if way is not Way.PTY else None
    _tell_of_config(conf)
    if name:
        config.remember_current(conf, name)
    _tell_missed_review()
    if way is not Way.PLAIN:
        _tell_switched_off()
        _tell_of_another_project(conf)
    if plan is None:
        from ccc_legacy import launch as pty

        return pty.run(start)
    voice.show(*plan.notes, err=True)
    if way is not Way.PLAIN:
        _look_out(plan, start)
    return launching.carry_out(plan)


def _tell_of_init() -> None:
    """At a terminal claude itself asks for a login; elsewhere it only says that something is missing."""
    if not (os.isatty(0) and os.isatty(1)):
        voice.say(msg("no provider is configured, so claude starts with its own login; to configure one: ccc init"))


def _look_out(plan: Plan, start: Start) -> None:
    if commandline.prints(start.words):
        from ccc_hooks import beside

        beside.look_out(plan, start)


def _tell_of_config(conf: Config) -> None:
    if config.tighten(conf):
        voice.say(msg("{path} could be read by others; it is 0600 now", path=conf.path))
    for key in conf.unknown:
        voice.say(msg("{path}: {key} means nothing to ccc; is it misspelt?", path=conf.path, key=key))


def _way(wanted: Way, args: tuple[str, ...]) -> Way:
    """Help, a version, a command of the client's: no session, so there is nothing to supervise and no hook to write."""
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
        from ccc.record import starts
        from ccc.record.store import utc_now

        starts.spoken(here.state(), utc_now())
        _say_missed(told)


def _say_missed(told: str) -> None:
    voice.say(msg("the last stop was not reviewed ({missed}); the log tells more", missed=told))


def _tell_unheard_stops() -> None:
    from datetime import UTC, datetime

    from ccc.record import roll

    state, now = here.state(), datetime.now(UTC)
    if not roll.read(state).entries and not roll.lost(state, now):
        return
    from ccc.record import unheard

    for gone in unheard.silenced(state, now)[-1:]:
        _say_missed(f"{gone.ended.isoformat(timespec='seconds')}: {one_line(gone.request.reason, 300)}")
    for each in unheard.untold(state, now):
        voice.say(each.line())


def _tell_switched_off() -> None:
    from ccc.record import switch

    folder = here.project()
    if switch.is_off(here.state(), folder, session_id=""):
        voice.say(msg("reviews are off in {folder}; to switch them on: ccc on", folder=folder))


def _tell_of_another_project(conf: Config) -> None:
    """A `.git` that has come or gone makes it one, and no check is missed by name."""
    project = here.project()
    folder = conf.named_around(Path.cwd(), project)
    if folder:
        voice.say(
            msg(
                "the checks and judges of {folder} do not hold here, where the project is {project}; see: ccc checks",
                folder=folder,
                project=project,
            )
        )


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
    value = os.environ.get("CCC_SUPERVISOR", "")
    if value not in ("", "0", "1"):
        voice.say(msg("CCC_SUPERVISOR={value} does not switch reviews on; only 1 does", value=value[:20]))
    return Way.HOOKS if value == "1" else Way.PLAIN


def _planned(way: Way, start: Start) -> Plan:
    """What is to become claude; supervised, with the hook in place."""
    if way is Way.PLAIN:
        return launching.plan(start)
    from ccc_hooks import launch as hooks
    from ccc_hooks import program

    if commandline.is_fed(start.words):
        from ccc_hooks import fed

        fed.seal(start.say)
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
