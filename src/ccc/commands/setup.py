"""First use and the state of the set-up: providers, init, the hook in settings.json, the doctor.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.commands import completing, here, index, plain, voice

if TYPE_CHECKING:
    from ccc.providers import config, onboarding
    from ccc_hooks import leaving


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
def providers(as_json: bool) -> None:
    """What is configured: name, address, model, whether a key is there. Never a key."""
    from ccc.providers import overview

    conf = here.config()
    rows = overview.rows(conf, os.environ)
    if as_json:
        overview.print_json(rows)
    elif not rows:
        voice.say(msg("no provider is configured in {path}; run: ccc init", path=conf.path))
    else:
        overview.print_table(rows, voice.language())


@click.command()
@click.argument("name", required=False, shell_complete=completing.providers)
@click.option("--all", "every", is_flag=True, help="Every provider, one after another.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def validate(name: str | None, every: bool, as_json: bool) -> int:
    """Check a provider's fields, then send it one real request. Exit 1 if any fails; a login cannot be tried."""
    from ccc.providers import choosing as provider_module
    from ccc.providers import overview

    conf = here.config()
    chosen = provider_module.choose(conf, name)
    names = list(conf.providers) if every else [chosen] if chosen else []
    if not names:
        raise CccError(msg("no provider is configured in {path}", path=conf.path), msg("run: ccc init"))
    probes = [overview.check(conf, each, os.environ) for each in names]
    if as_json:
        overview.print_json(probes)
    else:
        overview.print_probes(probes, voice.language())
    return 1 if any(probe.ok is False for probe in probes) else 0


@click.command()
@click.argument("preset", required=False, shell_complete=completing.presets)
@click.option("--from-settings", is_flag=True, help="Move the provider keys of your settings.json into ccc.json.")
@click.option("--name", metavar="NAME", help="What to call the provider.")
@click.option("--base-url", metavar="URL", help="Another address than the preset's.")
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

    conf = here.config()
    if supervisor_md:
        voice.say(
            msg(
                "written: {path}; edit it, it is what reviews go by",
                path=criteria.write_supervisor_md(Path.cwd(), os.environ),
            )
        )
        return
    try:
        if from_settings:
            addition = onboarding.from_settings(conf.directory, name=name)
        else:
            addition = _from_preset(preset, name, base_url, key_env, yes)
        onboarding.check_free(conf, addition, index.names())
        _announce(conf, addition)
        if not yes:
            voice.confirm(voice.told(msg("Write this?")))
    except voice.Unanswered:
        raise _nobody_answers(preset, from_settings) from None
    backup = onboarding.write(conf, addition, now=datetime.now())
    if backup:
        voice.say(
            msg(
                "the old settings.json is kept in {backup}; it holds your key, delete it when you are sure",
                backup=backup,
            )
        )
    missing = onboarding.missing_variable(addition, os.environ)
    if missing:
        voice.say(msg("the key is read from a variable that is not set yet; run: export {name}=…", name=missing))
    if addition.keys:
        voice.say(msg("done; next: ccc validate {name}, then: ccc {name}", name=addition.name))
    else:  # a login, which ccc cannot try
        voice.say(msg("done; next: ccc {name}", name=addition.name))


def _nobody_answers(preset: str | None, from_settings: bool) -> CccError:
    from ccc.providers import presets

    what = "--from-settings" if from_settings else preset or "|".join(presets.PRESETS)
    key = "" if from_settings or preset == "anthropic" else " --key-env NAME"
    return CccError(
        msg("ccc init has questions, and no terminal to ask them on"),
        msg("type: ccc init {what}{key} --yes", what=what, key=key),
    )


def _from_preset(
    preset: str | None, name: str | None, base_url: str | None, key_env: str | None, yes: bool
) -> onboarding.Addition:
    from ccc.providers import onboarding, presets

    if preset is None and yes:
        raise Misuse(msg("which one? ccc init {presets} --yes", presets="|".join(presets.PRESETS)))
    known = list(presets.PRESETS)
    preset = preset or voice.ask(voice.told(msg("Provider")), default=known[0], choices=known)
    if preset not in presets.PRESETS:
        raise _no_such_preset(preset, known)
    chosen = presets.PRESETS[preset]
    if key_env and not key_env.isidentifier():
        raise Misuse(msg("--key-env takes the name of a variable, not {name}", name=f"{key_env!r}"))
    key = f"${{{key_env}}}" if key_env else None
    if chosen.key_variable and not key and not yes:
        asked = voice.told(msg("API key (hidden; Enter to read it from a variable)"))
        key = voice.ask(asked, default="", hidden=True)
    return onboarding.from_preset(chosen, key or None, name=name, base_url=base_url)


def _no_such_preset(word: str, known: Sequence[str]) -> CccError:
    from ccc.providers import choosing

    close = choosing.nearest(word, dict.fromkeys(known))
    hint = choosing.meant(close) if close else msg("there is {presets}", presets=", ".join(known))
    return Misuse(msg("no preset is called {name}", name=f"{word[:60]!a}"), hint)


def _announce(conf: config.Config, addition: onboarding.Addition) -> None:
    keys = ", ".join(addition.keys) or msg("no keys: the client's own login")
    voice.say(msg("{path}: new provider {name} ({keys})", path=conf.path, name=addition.name, keys=keys))
    if addition.source:
        voice.say(
            msg("{path}: these keys move out, everything else stays; a backup is kept beside it", path=addition.source)
        )


@click.group()
def hooks() -> None:
    """The Stop hook in settings.json: where it stands, and how to take it out."""


@hooks.command("status")
def hooks_status() -> None:
    """Every settings file that has a hook of ours."""
    from ccc_hooks import placement

    for line in placement.status(here.config_folder(), Path.cwd()):
        voice.show(voice.told(line))


@hooks.command("remove")
def hooks_remove() -> None:
    """Take out of settings.json what ccc has put there: our hook, and what a provider brought."""
    from ccc_hooks import placement

    voice.say(placement.remove(_config_for_leaving(), here.state(), voice.say))


@click.command()
@click.option("--yes", is_flag=True, help="Do it instead of only telling what would be done.")
def uninstall(yes: bool) -> None:
    """Take ccc out of every settings file it has written to, and tell what is left; without --yes only tells."""
    from ccc_hooks import leaving

    conf, state = _config_for_leaving(), here.state()
    found = leaving.steps(conf, state, voice.say)
    running = leaving.still_running(state)
    _tell(
        msg("ccc has done this:") if yes else msg("ccc would do this:"),
        _done(found) if yes else [s.what for s in found],
    )
    if not found:
        voice.show(f"  {voice.told(msg('nothing: no settings file holds a hook of ccc'))}")
    _tell(msg("This is left to you:"), leaving.left(conf, state, Path.cwd(), _left_elsewhere()))
    if running:
        pids = ", ".join(map(str, running))
        voice.say(msg("still running under supervision, without a review from then on: process {pids}", pids=pids))
    if found and not yes:
        voice.say(msg("nothing is changed yet; to do it: ccc uninstall --yes"))


def _config_for_leaving() -> config.Config:
    """A ccc.json that cannot be used holds up nobody who wants to be rid of ccc."""
    from ccc.providers import config

    try:
        return here.config()
    except CccError as error:
        voice.say(msg("{problem}; ccc goes on without it", problem=error.what))
        return config.bare(os.environ)


def _left_elsewhere() -> list[leaving.Left]:
    """Outside of Claude's folders. The worktrees first: what takes them away is kept with the sessions."""
    from ccc.fleet import address
    from ccc.trial import stage
    from ccc_hooks.leaving import Left

    worktrees = address.worktrees(os.environ)
    in_use = worktrees.is_dir() and any(worktrees.iterdir())
    return [
        Left(
            worktrees,
            msg("the folders of the fleet's tasks; their branches, ccc/…, stay in your repositories"),
            "ccc fleet clean --all --yes" if in_use else "",
        ),
        Left(stage.folder(os.environ), msg("what demos and self-tests have left")),
    ]


def _done(steps: Sequence[leaving.Step]) -> Iterator[str]:
    for step in steps:
        step.do()
        yield step.what


def _tell(title: str, lines: Iterable[str]) -> None:
    voice.show(voice.told(title))
    for line in lines:
        voice.show(f"  {voice.told(line)}")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--no-self-test", is_flag=True, help="Only look, do not run the client.")
def doctor(as_json: bool, no_self_test: bool) -> int:
    """What could keep supervision from working here, and what to type. Exit 1 when something is broken."""
    return plain.doctor(as_json=as_json, self_test=not no_self_test)
