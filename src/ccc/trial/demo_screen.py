"""`ccc demo` on the screen: who does what, as it happens, and what it all means at the end.

Rule: only words and colours; the play itself is demo.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rich.console import Console
from rich.text import Text

from ccc.base import languages
from ccc.base.canvas import Canvas
from ccc.base.messages import Phrases
from ccc.base.text import clean, visible
from ccc.trial import demo
from ccc.trial.demo import Ending

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
        "head": "An agent works, claims to be done, and is reviewed by a fork of its own session.",
        "good": "completed after {reviews} stops in {seconds:.0f} s: sent back with a reason, then allowed to stop",
        "bad": "the demo did not end as it should: {reviews} stops; please report it",
        "real": "Real: the client, the hook, the fork, every command. Scripted: the model ({requests} requests).",
        "files": "The files:",
        "next": "Next: pipx install . (if ccc is not on your PATH), ccc init, then CCC_SUPERVISOR=1 ccc PROVIDER",
    },
)


def run(env: Mapping[str, str], mode: str = "hooks", console: Console | None = None) -> int:
    lang = languages.of_person(env)
    console = console or Canvas()
    console.print(Text(WORDS[lang]["head"], style="bold"))
    console.print()
    show = partial(_line, console, lang)
    ending = demo.play(demo.story(lang, mode), env={**env, "CCC_LANG": lang}, show=show)
    console.print()
    _epilogue(console, WORDS[lang], ending)
    return 0 if ending.completed else 1


def _line(console: Console, lang: str, who: str, what: str) -> None:
    name = NAMES[lang][who]
    for number, line in enumerate(clean(what).splitlines() or [""]):
        label = Text(f"{name if number == 0 else '':>10}  ", style=STYLES[who])
        console.print(label + Text(line, style=STYLES[who] if who == "supervisor" else ""), soft_wrap=True)


def _epilogue(console: Console, words: Mapping[str, str], ending: Ending) -> None:
    key, style = ("good", "bold green") if ending.completed else ("bad", "bold red")
    facts = {"reviews": ending.reviews, "seconds": ending.seconds, "requests": ending.requests}
    console.print(Text(words[key].format(**facts), style=style))
    console.print(Text(words["real"].format(**facts)))
    console.print(Text(words["files"]))
    for path in demo.files_made(ending):
        console.print(Text(f"  {visible(str(path))}", style="dim"), soft_wrap=True)
    console.print(Text(words["next"]))
