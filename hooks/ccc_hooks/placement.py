"""Where a hook of ours stands on this machine, for the person who wants to know or to be rid of it.

Rule: takes out ours and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ccc.base import documents, files
from ccc.base.messages import msg
from ccc.claude import settings
from ccc.providers.config import Config
from ccc.providers.launch import Say
from ccc.record import placed
from ccc_hooks import before
from ccc_hooks.settings import foreign_hooks, hooks_of_ours, in_background, tells_failures


def status(config_directory: Path, cwd: Path) -> Iterator[str]:
    """One line for each settings file: our hook, and how many others run beside it."""
    found = False
    for path in _files(config_directory, cwd):
        text = files.read_text(path, limit=documents.FILE_LIMIT) or ""
        for command in hooks_of_ours(text, path):
            found = True
            yield msg("{path}: {command}{beside}{also}{waking}", path=path, command=command, **_beside(text, path))
    if not found:
        yield msg("no hook of ccc's stands in any settings file; it comes with: CCC_SUPERVISOR=1 ccc PROVIDER")


def _beside(text: str, path: Path) -> dict[str, str]:
    """What else there is to know: hooks of others, and our second one."""
    others = foreign_hooks(text, path)
    beside = msg(" (beside 1 other Stop hook)") if others == 1 else msg(" (beside {n} other Stop hooks)", n=others)
    also = msg(" (and the same for StopFailure)") if tells_failures(text, path) else ""
    waking = msg(" (in the background, and for each prompt)") if in_background(text, path) else ""
    return {"beside": beside if others else "", "also": also, "waking": waking}


def remove(conf: Config, state: Path, say: Say) -> str:
    """Our hook and what a provider brought go out; the line says what has been done."""
    path = conf.directory / "settings.json"
    placed.took_out(state, path)
    if not before.remove(conf, state, say):
        return msg("{path} has no hook of ccc's", path=path)
    return msg("{path}: the hook of ccc is out, everything else is as it was", path=path)


def _files(config_directory: Path, cwd: Path) -> Iterator[Path]:
    for source in settings.sources(config_directory, cwd):
        yield source.path
    yield from sorted(config_directory.glob("settings-*.json"))
