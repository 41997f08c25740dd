"""Commands and options; the one place that turns errors into a line and an exit code.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are
imported inside the command that needs them, because every start of ccc pays for what stands up here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc import __version__
from ccc.base.errors import CccError

if TYPE_CHECKING:
    from ccc.claude import variables
    from ccc.providers import config, onboarding
    from ccc.providers import launch as launching_module

HELP = """\
ccc: let Claude Code work on its own until the task is really done, with any provider.

  ccc glm                          start claude with the provider glm (and remember it)
  ccc                              … with the one used last
  ccc glm -p "fix the tests"       what follows the provider goes to claude, unchanged
  ccc -- doctor                    claude's own command, where ccc has one of that name
  ccc demo                         see it work: real client, no account, no key

Supervised
  CCC_SUPERVISOR=1 ccc glm         hooks mode: every stop of the agent is reviewed, in Claude's own UI
  ccc --supervisor glm -- "task"   pty mode: ccc runs the agent itself and reviews its stops
  ccc evidence                     what the transcript proves
  ccc eval FOLDER --provider glm   how good the judge is, on labelled cases
  ccc checks add "pytest -q"       done is what this command says, in this project
  ccc allow NAME                   let this project's settings decide what only you should
  ccc off, ccc on                  your word, from the very next stop
  ccc hooks status|remove          the Stop hook in settings.json

Seeing
  ccc status, ccc watch            every session: phase, count, verdict, cost, outcome
  ccc logs -f                      the story while it happens
  ccc report --open                one page to keep or to show
  ccc doctor                       what could keep supervision from working here
  ccc clean --older-than 30d       remove old state and logs
  ccc statusline                   for Claude Code's statusLine setting

First use
  ccc init                         make ccc.json from a preset, or from your settings.json
  ccc providers                    what is configured, never a key
  ccc validate --all               one real request to each provider

Options
  --version    --help              `ccc COMMAND --help` tells more of a command

Files: ccc.json in ~/.claude (or CCC_CONFIG_DIR). Variables: CCC_CLAUDE (the client), CCC_LANG (zh, en).
"""


WORDS = "ccc.words"
SPELLINGS = {"-h": "--help", "help": "--help", "version": "--version"}


class Router(click.Group):
    """A first word that is no command is a provider, or claude's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = [SPELLINGS.get(args[0], args[0]), *args[1:]] if args else args
        if args and args[0] in (*names(), "--help", "--version"):
            return super().parse_args(ctx, args)
        ctx.meta[WORDS] = tuple(args)  # past click, which would take every `--` out
        return super().parse_args(ctx, ["launch"])

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from ccc.base import sink

        sink.ready()  # click itself prints this, and it is not ASCII
        if _reads_chinese():
            from ccc.showing import catalogue

            formatter.write(catalogue.HELP)
        else:
            formatter.write(HELP)


def names() -> frozenset[str]:
    """What the first word may be to mean a command of ccc's, and no provider may be called."""
    return frozenset(main.commands) - {"launch"} | {"supervisor-hook", *SPELLINGS} - {"-h"}  # the hook is __main__'s


def run(args: Sequence[str]) -> int:
    """Run ccc; every expected failure ends here as one line on stderr."""
    try:
        return int(main.main(list(args), prog_name="ccc", standalone_mode=False) or 0)
    except CccError as error:
        return _fail(str(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        _show(*error.format_message().splitlines())
        return 2
    except click.ClickException as error:
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "ccc"
        return _fail(f"{error.format_message()} (see: {command} --help)", 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", 130)
    except BrokenPipeError:
        # Whoever read our output has left; a second error while Python closes stdout would tell nobody anything.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except Exception as error:
        if os.environ.get("CCC_DEBUG"):
            return _whole_story()
        return _fail(_unexpected(error), 1)


@click.group(cls=Router, add_help_option=True)
@click.version_option(__version__, message="ccc %(version)s")
def main() -> None: ...


PASS_ON = {"ignore_unknown_options": True, "help_option_names": []}


@main.command("pty-review", hidden=True)
def pty_review() -> int:
    """One review of pty mode; see legacy/ccc_legacy/judge.py."""
    from ccc_legacy import judge

    return judge.main(os.environ)


@main.command(hidden=True)
@click.pass_context
def launch(ctx: click.Context) -> int:
    """Start claude with a provider."""
    from ccc.commands import route
    from ccc.providers import choosing, config
    from ccc.providers import launch as launching

    found = _config()
    path = route.route(ctx.meta[WORDS], found.providers, _client_commands)
    name = choosing.choose(found, path.provider)
    provider = choosing.resolve(found, name, os.environ) if name else None
    mode = path.mode or _mode_from_environment()
    plan = _plan(mode, found, provider, path.args) if mode != "pty" else None
    if config.tighten(found):
        _say(f"{found.path} could be read by others; it is 0600 now")
    if name:
        config.remember_current(found, name)
    _tell_missed_review()
    for key in found.unknown:
        _say(f"{found.path}: {key} means nothing to ccc; is it misspelt?")
    if plan is None:
        from ccc_legacy import launch as pty

        return pty.run(found, provider, path.args, env=os.environ, cwd=Path.cwd(), say=_say)
    _show(*plan.notes, err=True)
    return launching.start(plan)


def _tell_missed_review() -> None:
    from ccc.judging.report import missed_review

    missed = missed_review(_state())
    if missed:
        _say(f"the last stop was not reviewed ({missed}); the log tells more")


def _mode_from_environment() -> str:
    value = os.environ.get("CCC_SUPERVISOR", "")
    if value not in ("", "0", "1"):
        _say(f"CCC_SUPERVISOR={value[:20]} does not switch reviews on; only 1 does")
    return "hooks" if value == "1" else "plain"


def _plan(
    mode: str, found: config.Config, provider: variables.Provider | None, args: Sequence[str]
) -> launching_module.Plan:
    from ccc.providers import launch as launching

    if mode == "plain":
        return launching.plan(found, provider, args, env=os.environ, cwd=Path.cwd(), say=_say)
    from ccc_hooks import launch as hooks
    from ccc_hooks import program

    plan = hooks.plan if mode == "hooks" else hooks.plan_with_files
    return plan(found, provider, args, env=os.environ, cwd=Path.cwd(), program=program.of_this_process(), say=_say)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
def providers(as_json: bool) -> None:
    """What is configured: name, address, model, whether a key is there. Never a key."""
    from ccc.providers import overview

    found = _config()
    rows = overview.rows(found, os.environ)
    if as_json:
        overview.print_json(rows)
    elif not rows:
        _say(f"no provider is configured in {found.path}; run: ccc init")
    else:
        overview.print_table(rows)


@main.command()
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="Every provider, one after another.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def validate(name: str | None, every: bool, as_json: bool) -> int:
    """Check a provider's fields, then send it one real request. Exit 1 if any fails."""
    from ccc.providers import choosing as provider_module
    from ccc.providers import overview

    found = _config()
    chosen = provider_module.choose(found, name)
    names = list(found.providers) if every else [chosen] if chosen else []
    if not names:
        raise CccError(f"no provider is configured in {found.path}; run: ccc init")
    probes = [overview.check(found, each, os.environ) for each in names]
    if as_json:
        overview.print_json(probes)
    else:
        overview.print_probes(probes)
    return 0 if all(probe.ok for probe in probes) else 1


@main.command()
@click.argument("preset", required=False)
@click.option("--from-settings", is_flag=True, help="Move the provider keys of your settings.json into ccc.json.")
@click.option("--name", help="What to call the provider.")
@click.option("--base-url", help="Another address than the preset's.")
@click.option("--key-env", metavar="NAME", help="Do not store the key: read it from this variable at every start.")
@click.option("--supervisor-md", is_flag=True, help="Only write a SUPERVISOR.md for this project, to edit.")
@click.option("--yes", is_flag=True, help="No questions.")
def init(
    preset: str | None,
    from_settings: bool,
    name: str | None,
    base_url: str | None,
    key_env: str | None,
    supervisor_md: bool,
    yes: bool,
) -> None:
    """First run: make ccc.json from a preset (glm, kimi, minimax, deepseek, anthropic) or from settings.json."""
    from datetime import datetime

    from ccc.judging import criteria
    from ccc.providers import onboarding

    found = _config()
    if supervisor_md:
        _say(f"written: {criteria.write_supervisor_md(Path.cwd(), os.environ)}; edit it, it is what reviews go by")
        return
    if from_settings:
        addition = onboarding.from_settings(found.directory, name=name)
    else:
        addition = _from_preset(preset, name, base_url, key_env, yes)
    onboarding.check_free(found, addition, names())
    _announce(found, addition)
    if not yes:
        _confirm(_told("Write this?"))
    backup = onboarding.write(found, addition, now=datetime.now())
    if backup:
        _say(f"the old settings.json is kept in {backup}; it holds your key, delete it when you are sure")
    missing = onboarding.missing_variable(addition, os.environ)
    if missing:
        _say(f"the key is read from a variable that is not set yet; run: export {missing}=…")
    _say(f"done; next: ccc validate {addition.name}, then: ccc {addition.name}")


@main.group()
def hooks() -> None:
    """The Stop hook in settings.json: where it stands, and how to take it out."""


@hooks.command("status")
def hooks_status() -> None:
    """Every settings file that has a hook of ours."""
    from ccc_hooks import placement

    for line in placement.status(_config().directory, Path.cwd()):
        _show(line)


@hooks.command("remove")
def hooks_remove() -> None:
    """Take our hook, and nothing else, out of settings.json."""
    from ccc_hooks import placement

    _say(placement.remove(_config().directory))


@main.command()
@click.option("--mode", type=click.Choice(["hooks", "pty"]), default="hooks", show_default=True)
def demo(mode: str) -> int:
    """A whole supervised task to look at: the real client, a scripted model, no account, no key."""
    from ccc.trial import demo_screen

    return demo_screen.run(os.environ, mode)


@main.group("checks")
def checks_group() -> None:
    """Commands that must pass before the agent may stop, for this project folder."""


@checks_group.command("add")
@click.argument("command")
@click.option("--timeout", type=click.IntRange(1, 86400), default=300, show_default=True, help="Seconds.")
def checks_add(command: str, timeout: int) -> None:
    """Run COMMAND at every stop, in the project folder."""
    from ccc.judging import checks

    project = _project()
    checks.add(_config(), project, checks.Check(command, timeout))
    _say(f"{project}: at every stop ccc runs: {command}")


@checks_group.command("list")
@click.option("--json", "as_json", is_flag=True)
def checks_list(as_json: bool) -> None:
    """The checks of this project."""
    from dataclasses import asdict

    from ccc.base import sink
    from ccc.judging import checks

    known = checks.of_project(_config(), _project())
    if as_json:
        sink.show_json([asdict(check) for check in known], indent=None)
        return
    for check in known:
        _show(f"{check.command}  (at most {check.timeout} s)")
    if not known:
        _say(f"{_project()} has none; add one: ccc checks add 'pytest -q'")


@checks_group.command("remove")
@click.argument("command")
def checks_remove(command: str) -> None:
    """Do not run COMMAND any more."""
    from ccc.judging import checks

    checks.remove(_config(), _project(), command)
    _say(f"{_project()}: no longer run: {command}")


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--remove", is_flag=True, help="No longer allow NAME.")
def allow(names: tuple[str, ...], remove: bool) -> None:
    """Let this project's settings decide NAME, with the value it has now; without NAME: what they would decide."""
    from ccc.providers import allowing

    found, project = _config(), _project()
    if not names:
        for line in allowing.overview(found, project, Path.cwd()):
            _show(_told(line))
    elif remove:
        allowing.forget(found, project, names)
        _say(f"{project}: asked about again from now on: {', '.join(names)}")
    else:
        allowing.allow(found, project, Path.cwd(), names)
        _say(f"{project}: allowed, with the value it has now: {', '.join(names)}")


@main.command()
@click.option("--session", metavar="ID", help="Only this session instead of the project folder.")
def off(session: str | None) -> None:
    """No reviews from the very next stop on, for this project folder. Inside the client: ! ccc off"""
    _switch(session, off=True)


@main.command()
@click.option("--session", metavar="ID", help="Only this session instead of the project folder.")
def on(session: str | None) -> None:
    """Reviews again."""
    _switch(session, off=False)


def _switch(session: str | None, *, off: bool) -> None:
    from ccc.record import switch

    named = _session(session) if session is not None else None
    kind, name = (switch.SESSIONS, named) if named else (switch.PROJECTS, str(_project()))
    changed = switch.turn(_state(), kind, name, off=off)
    state = "off" if off else "on"
    _show(f"ccc: reviews are {state} for {name}{'' if changed else ' (as before)'}")


def _session(named: str) -> str:
    """A session by the beginning of its id; one that has not stopped yet by the whole of it."""
    from ccc.record import story
    from ccc.record.state import valid_session_id

    try:
        return story.find(_state(), named)
    except CccError:
        if len(named) < 32 or not valid_session_id(named):
            raise
        return named


def _project() -> Path:
    from ccc.claude.program import project_directory

    return project_directory(Path.cwd())


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@click.option("--watch", "live", is_flag=True, help="Draw again whenever something changes.")
@click.option("-n", "--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
def status(as_json: bool, live: bool, limit: int) -> int:
    """One row for each supervised session, newest first."""
    from datetime import UTC, datetime

    from ccc.base import sink
    from ccc.showing import status

    if live:
        return status.watch(_state(), env=os.environ, limit=limit)
    rows, now = status.rows(_state(), limit), datetime.now(UTC)
    if as_json:
        sink.show_json(status.as_json(rows, now))
    else:
        status.print_table(rows, now=now, env=os.environ)
    return 0


@main.command()
@click.argument("session", required=False)
@click.option("-f", "--follow", is_flag=True, help="Go on as it happens.")
def logs(session: str | None, follow: bool) -> int:
    """The story of a session in readable lines; without SESSION the newest of this project."""
    from ccc.showing import logs

    return logs.run(_state(), session, follow=follow, cwd=Path.cwd(), env=os.environ, say=_say)


@main.command()
def watch() -> int:
    """All sessions of this machine, live on one screen."""
    from ccc.showing import watch
    from ccc.showing.report import page

    def open_report(session: str) -> str:
        made = page.report(session, output=None, found=_config(), env=os.environ, cwd=Path.cwd())
        page.show(made)
        return str(made)

    return watch.run(_state(), env=os.environ, open_report=open_report)


@main.command()
@click.argument("session", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write it.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
@click.option("--all", "every", is_flag=True, help="An index page of all recent sessions.")
def report(session: str | None, output: Path | None, show: bool, every: bool) -> None:
    """One self-contained HTML page of a session; without SESSION the newest of this project."""
    from ccc.showing.report import page

    found = _config()
    if every:
        made = page.report_all(output=output, found=found, env=os.environ)
    else:
        made = page.report(session, output=output, found=found, env=os.environ, cwd=Path.cwd())
    _show(str(made))
    if show:
        page.show(made)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--no-self-test", is_flag=True, help="Only look, do not run the client.")
def doctor(as_json: bool, no_self_test: bool) -> int:
    """What could keep supervision from working here, and what to type. Exit 1 when something is broken."""
    from ccc.trial import examination
    from ccc.trial.doctor import Place
    from ccc_hooks.settings import is_ours

    place = Place(os.environ, Path.cwd(), is_ours, commands=names())
    return examination.main(place, as_json=as_json, self_test=not no_self_test)


@main.command()
@click.argument("session", required=False)
@click.option("--transcript", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="This file instead.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def evidence(session: str | None, transcript: Path | None, as_json: bool) -> None:
    """What the transcript proves about the current request: edits, commands, checks and their outcome."""
    from ccc.base import sink
    from ccc.evidence.facts import as_json as in_full
    from ccc.showing import proof

    found = proof.of_file(transcript) if transcript else proof.of_session(_state(), session, Path.cwd())
    if as_json:
        sink.show_json(in_full(found))
    else:
        _show(*proof.lines(found))


@main.command("eval")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--provider", "name", required=True, help="Whose model judges; costs money.")
@click.option("--only", metavar="ID", help="Only the cases whose id begins so.")
@click.option("--json", "as_json", is_flag=True)
def evaluate(folder: Path, name: str, only: str | None, as_json: bool) -> None:
    """Run the real reviewer over labelled cases and print how often it is right. Opt-in: it costs money."""
    from ccc.base import languages, sink
    from ccc.claude import program
    from ccc.providers import choosing
    from ccc.trial import evaluation

    found = _config()
    provider = choosing.resolve(found, choosing.choose(found, name) or name, os.environ)
    cases = [case for case in evaluation.load(folder) if case.id.startswith(only or "")]
    score = evaluation.evaluate(
        cases,
        provider,
        client=program.find(os.environ, Path.cwd()),
        env=os.environ,
        lang=languages.of_specification(os.environ),
    ).as_json()
    if as_json:
        sink.show_json(score, indent=None)
    else:
        _show(*(f"{key}: {value}" for key, value in score.items()))


@main.command()
@click.option("--older-than", default="30d", show_default=True, metavar="AGE", help="Such as 12h, 30d, 8w.")
@click.option("--yes", is_flag=True, help="Remove instead of only telling what would go.")
def clean(older_than: str, yes: bool) -> int:
    """Remove the state and logs of old sessions; without --yes only tells what would go."""
    from datetime import UTC, datetime

    from ccc.record import clean

    return clean.run(_state(), older_than=older_than, yes=yes, now=datetime.now(UTC), env=os.environ, say=_show)


@main.command()
def statusline() -> int:
    """One line for Claude Code's statusLine setting, from its JSON on stdin."""
    from ccc.showing import statusline

    return statusline.main(os.environ)


def _state() -> Path:
    from ccc.providers import config

    return config.state_directory(os.environ)


def _from_preset(
    preset: str | None, name: str | None, base_url: str | None, key_env: str | None, yes: bool
) -> onboarding.Addition:
    from ccc.providers import onboarding, presets

    if preset is None and yes:
        raise CccError(f"which one? ccc init {'|'.join(presets.PRESETS)} --yes")
    known = list(presets.PRESETS)
    preset = preset or _ask(_told("Provider"), default=known[0], choices=known)
    if preset not in presets.PRESETS:
        raise CccError(f"no preset is called {preset!r}; there is {', '.join(known)}")
    chosen = presets.PRESETS[preset]
    if key_env and not key_env.isidentifier():
        raise CccError(f"--key-env takes the name of a variable, not {key_env!r}")
    key = f"${{{key_env}}}" if key_env else None
    if chosen.key_variable and not key and not yes:
        asked = _told("API key (hidden; Enter to read it from a variable)")
        key = _ask(asked, default="", hidden=True)
    return onboarding.from_preset(chosen, key or None, name=name, base_url=base_url)


def _announce(found: config.Config, addition: onboarding.Addition) -> None:
    keys = ", ".join(addition.keys) or "no keys: the client's own login"
    _say(f"{found.path}: new provider {addition.name} ({keys})")
    if addition.source:
        _say(f"{addition.source}: these keys move out, everything else stays; a backup is kept beside it")


def _config() -> config.Config:
    from ccc.providers import config

    return config.load(os.environ, commands=names())


def _client_commands() -> frozenset[str]:
    """What `claude` itself would take for a command here."""
    from ccc.claude import program

    try:
        client = program.find(os.environ, Path.cwd())
        cache = _state() / "clients.json"
        return program.WELL_KNOWN_COMMANDS | frozenset(program.abilities(client, cache, os.environ).commands)
    except CccError:  # whoever mistypes a provider should hear of that first
        return program.WELL_KNOWN_COMMANDS


def _say(line: str) -> None:
    _show(f"ccc: {_told(line)}", err=True)


def _show(*lines: str, err: bool = False) -> None:
    from ccc.base import sink

    sink.show(*lines, err=err)


def _ask(question: str, *, default: str, choices: Sequence[str] = (), hidden: bool = False) -> str:
    kind = click.Choice(choices) if choices else str
    return str(click.prompt(_question(question), type=kind, default=default, hide_input=hidden, err=True))


def _confirm(question: str) -> None:
    click.confirm(_question(question), default=True, abort=True, err=True)


def _question(words: str) -> str:
    """click writes the words of its questions itself, so they are made safe before."""
    from ccc.base import sink
    from ccc.base.text import visible

    sink.ready(err=True)
    return visible(words)


def _told(line: str) -> str:
    """The line in the person's language; the modules write English."""
    if not _reads_chinese():
        return line
    from ccc.showing import catalogue

    return catalogue.chinese(line)


def _reads_chinese() -> bool:
    from ccc.base import languages

    return languages.of_person(os.environ) == "zh"


def _fail(line: str, code: int) -> int:
    _say(line)
    return code


def _whole_story() -> int:
    from traceback import format_exc

    _show(*format_exc().splitlines(), err=True)
    return 1


def _unexpected(error: Exception) -> str:
    frame = error.__traceback__
    while frame and frame.tb_next:
        frame = frame.tb_next
    where = f"{Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}" if frame else "?"
    # The message of a foreign exception may hold anything, a key included; its type and place do not.
    return f"unexpected {type(error).__name__} at {where}; please report it (CCC_DEBUG=1 shows the whole story)"
