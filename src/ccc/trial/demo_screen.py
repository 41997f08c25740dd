"""`ccc demo` on the screen: who does what, as it happens, and what it all means at the end.

Rule: only words and colours; the play itself is demo.py's.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import partial

from rich.console import Console
from rich.text import Text

from ccc.base import languages
from ccc.base.canvas import Canvas, laid
from ccc.base.messages import Phrases
from ccc.base.text import clean, columns_of, visible
from ccc.trial import demo
from ccc.trial.demo import Ending, Stage

LABEL = 10
STYLES = {
    "you": "bold",
    "agent": "cyan",
    "reviewer": "magenta",
    "supervisor": "bold yellow",
    "ccc": "dim",
    "screen": "",
}
NAMES = Phrases(
    "demo names",
    {
        "you": "you",
        "agent": "agent",
        "reviewer": "reviewer",
        "supervisor": "sent back",
        "ccc": "ccc",
        "screen": "",
    },
)
WORDS = Phrases(
    "demo",
    {
        "head fleet": "Three tasks are handed over; each is worked on by an agent of its own, on a branch of its own.",
        "good fleet": "{reviews} tasks completed in {seconds:.0f} s, each on its branch, each reviewed before its end",
        "bad fleet": "the demo did not end as it should; please report it",
        "next fleet": "Next: write your own tasks.md, then ccc fleet add tasks.md and ccc fleet run --drain",
        "head": "An agent works, claims to be done, and is reviewed by a fork of its own session.",
        "good": "completed after {reviews} stops in {seconds:.0f} s: sent back with a reason, then allowed to stop",
        "bad": "the demo did not end as it should: {reviews} stops; please report it",
        "real": "Real: the client, the hook, the fork, every command. Scripted: the model ({requests} requests).",
        "real elsewhere": "Real: the client, each review in a fork, every command. Scripted: the model ({requests} "
        "requests).",
        "files": "The files:",
        "look": "To look at them: cd {project} && HOME={home} ccc {looking}",
        "remove": "To remove them: rm -r {root}",
        "gone": "Its files are gone again; to look at them: ccc demo{mode} --keep",
        "next pty": "Next: pipx install . (if ccc is not on your PATH), ccc init, ccc init --supervisor-md, "
        'then ccc --supervisor PROVIDER -- "what is to be done"',
        "next": "Next: pipx install . (if ccc is not on your PATH), ccc init, then CCC_SUPERVISOR=1 ccc PROVIDER",
    },
)


def run(env: Mapping[str, str], mode: str = "hooks", console: Console | None = None, *, keep: bool = False) -> int:
    lang = languages.of_person(env)
    console = console or Canvas()
    fleet = " fleet" if mode == "fleet" else ""
    _say(console, Text(WORDS[lang][f"head{fleet}"], style="bold"))
    console.print()
    show = partial(_line, console, lang)
    stage = demo.stage(env)
    kept = keep
    try:
        ending = _played(mode, lang, stage, {**env, "CCC_LANG": lang}, show)
        kept = keep or not ending.completed
        console.print()
        epilogue(console, lang, ending, mode, keep=kept)
    except BaseException:  # Ctrl-C too: what was not told of is not left either
        if keep:
            _say(console, Text(WORDS[lang]["remove"].format(**_places(stage))))
        raise
    finally:
        if not kept:
            demo.tidy(stage)
    return 0 if ending.completed else 1


def _played(mode: str, lang: str, stage: Stage, env: Mapping[str, str], show: demo.Show) -> Ending:
    if mode != "fleet":
        return demo.play(demo.story(lang, mode), stage, env=env, show=show)
    from ccc.trial import demo_fleet

    return demo_fleet.play(lang, stage, env=env, show=show)


def _line(console: Console, lang: str, who: str, what: str) -> None:
    name = NAMES[lang][who]
    for number, line in enumerate(clean(what).splitlines() or [""]):
        label = " " * max(0, LABEL - columns_of(name)) + name if number == 0 else " " * LABEL
        _say(
            console,
            Text(f"{label}  ", style=STYLES[who]) + Text(line, style=STYLES[who] if who == "supervisor" else ""),
        )


def _say(console: Console, line: Text) -> None:
    """At the console's width, the further rows below the first word; a word that is too long stays whole."""
    width = console.width if console.is_terminal or console.record else 0
    fits = columns_of(line.plain, most=False) <= width  # a table that was drawn for this width
    for row in laid(line, 0 if fits else width, whole=True):
        console.print(row, soft_wrap=True)


def epilogue(console: Console, lang: str, ending: Ending, mode: str, *, keep: bool) -> None:
    words = WORDS[lang]
    fleet = " fleet" if mode == "fleet" else ""
    key, style = (f"good{fleet}", "bold green") if ending.completed else (f"bad{fleet}", "bold red")
    facts = {"reviews": ending.reviews, "seconds": ending.seconds, "requests": ending.requests}
    _say(console, Text(words[key].format(**facts), style=style))
    _say(console, Text(words["real" if mode == "hooks" else "real elsewhere"].format(**facts)))
    if keep:
        _say(console, Text(words["files"]))
        for path in demo.files_made(ending):
            _say(console, Text(f"  {visible(str(path))}", style="dim"))
        _say(console, Text(words["look"].format(**_places(ending.stage), looking=f"{fleet} status".strip())))
        _say(console, Text(words["remove"].format(**_places(ending.stage))))
    else:
        option = "" if mode == "hooks" else f" --mode {mode}"
        _say(console, Text(words["gone"].format(mode=option), style="dim"))
    _say(console, Text(words.get(f"next {mode}", words["next"])))


def _places(stage: Stage) -> Mapping[str, str]:
    """As a shell takes them."""
    named = {"root": stage.root, "home": stage.home, "project": stage.project}
    return {name: shlex.quote(visible(str(path))) for name, path in named.items()}
