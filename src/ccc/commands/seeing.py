"""Look at what happened: status, logs, watch, report, evidence, and clearing up after it.

Rule: a command reads its options, calls one function of the module that does the work, and prints; modules are imported
inside the command that needs them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click

from ccc.base.errors import CccError
from ccc.commands import completing, here, plain, voice


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@click.option("--watch", "live", is_flag=True, help="Draw again whenever something changes.")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, 1000),
    metavar="N",
    default=plain.ROWS,
    show_default=True,
    help="How many rows.",
)
def status(as_json: bool, live: bool, limit: int) -> int:
    """One row for each supervised session, newest first."""
    return plain.status(as_json=as_json, live=live, limit=limit)


@click.command()
@click.argument("session", required=False, shell_complete=completing.sessions)
@click.option("-f", "--follow", is_flag=True, help="Go on as it happens.")
def logs(session: str | None, follow: bool) -> int:
    """The story of a session in readable lines; without SESSION the newest of this project, else the newest of all."""
    from ccc.showing import logs

    return logs.run(here.seen_state(), session, follow=follow, cwd=Path.cwd(), env=os.environ, say=voice.say)


@click.command()
def watch() -> int:
    """All sessions of this machine, live on one screen.

    Keys: ↑↓ or j k choose and scroll, Enter opens the story and closes it, r makes a report and shows it,
    o switches reviews of the session off and on, q leaves.
    """
    from ccc.showing import watch
    from ccc.showing.report import page

    def open_report(session: str) -> str:
        made = page.report(session, output=None, conf=here.config(), env=os.environ, cwd=Path.cwd())
        page.show(made)
        return str(made)

    return watch.run(here.seen_state(), env=os.environ, open_report=open_report)


@click.command()
@click.argument("session", required=False, shell_complete=completing.sessions)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write it: a file, or with --all a folder."
)
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
@click.option("--all", "every", is_flag=True, help="An index page of all recent sessions.")
def report(session: str | None, output: Path | None, show: bool, every: bool) -> None:
    """One self-contained HTML page of a session; without SESSION the newest of this project."""
    from ccc.showing.report import page

    conf = here.config()
    voice.tell_of_keys(conf)
    if every:
        made = page.report_all(output=output, conf=conf, env=os.environ)
    else:
        made = page.report(session, output=output, conf=conf, env=os.environ, cwd=Path.cwd())
    voice.show(str(made))
    if show:
        page.show(made)


@click.command()
@click.argument("session", required=False, shell_complete=completing.sessions)
@click.option("--transcript", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="This file instead.")
@click.option("--why", is_flag=True, help="What each rule of the gate makes of it, and why it speaks or is silent.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def evidence(session: str | None, transcript: Path | None, why: bool, as_json: bool) -> None:
    """What the transcript proves about the last request, in either mode: edits, commands, checks, their outcome."""
    from ccc.base import sink
    from ccc.evidence.facts import as_json as in_full
    from ccc.judging import gate
    from ccc.providers import config
    from ccc.showing import proof

    transcripts = config.config_directory(os.environ) / "projects"
    if transcript:
        shown = proof.Shown(transcript)
    else:
        shown = proof.of_session(here.seen_state(), session, Path.cwd(), transcripts)
    found = shown.evidence()
    with suppress(CccError):  # a broken ccc.json names no variable
        voice.tell_of_keys(here.config())
    looks = gate.looks(found, earlier=shown.earlier) if why else ()
    if as_json:
        gated = [{"rule": each.rule.value, "objects": each.objects, "why": str(each.words)} for each in looks]
        sink.show_json({**in_full(found), **({"gate": gated} if why else {})})
    else:
        voice.show(*proof.lines(found, voice.language()), *proof.reasons(looks, voice.language()))


@click.command()
@click.option("--older-than", default="30d", show_default=True, metavar="AGE", help="Such as 12h, 30d, 8w.")
@click.option("--yes", is_flag=True, help="Remove instead of only telling what would go.")
def clean(older_than: str, yes: bool) -> int:
    """Remove the state and logs of old sessions; without --yes only tells what would go."""
    from datetime import UTC, datetime

    from ccc.record import clean

    return clean.run(
        here.state(), older_than=older_than, yes=yes, now=datetime.now(UTC), env=os.environ, say=voice.show
    )


@click.command()
def statusline() -> int:
    """One line for Claude Code's statusLine setting, from its JSON on stdin.

    In ~/.claude/settings.json:
      "statusLine": {"type": "command", "command": "ccc statusline", "refreshInterval": 2}

    Without refreshInterval the client draws it only when the agent says something, so it would not see a review end.
    """
    from ccc.showing import statusline

    return statusline.main(os.environ)
