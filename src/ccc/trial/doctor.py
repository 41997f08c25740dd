"""What could keep supervision from working on this machine, and what to type against it.

Rule: a check looks and changes nothing; it returns Findings, and a fix that can be typed reads `run: COMMAND`.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict

from ccc.base import documents, installation, sink
from ccc.base.errors import CccError
from ccc.base.messages import Phrases, msg, said
from ccc.base.text import one_line, visible
from ccc.claude import program, settings, variables
from ccc.claude.program import ClaudeNotFound
from ccc.claude.variables import Provider
from ccc.judging import checks, criteria
from ccc.model import OWN, Engine
from ccc.providers import choosing, config, fallback, judges
from ccc.providers.config import Config, SupervisorOptions
from ccc.trial import questions
from ccc.trial.questions import Asked

NEEDED_FLAGS = ("--print", "--resume", "--fork-session", "--output-format", "--verbose", "--settings")
WANTED_FLAGS = {
    "--json-schema": msg("the verdict is asked for in words"),
    "--disallowedTools": msg("the reviewer could edit files"),
    "--permission-mode": msg("the reviewer may be refused what the agent may do"),
    "--model": msg("the reviewer may run on another model than the agent"),
}


_USED = frozenset((*NEEDED_FLAGS, *WANTED_FLAGS))


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


LEVELS = Phrases("doctor", {Level.OK: "ok", Level.WARNING: "warning", Level.BROKEN: "broken"})


NAMES = Phrases(
    "doctor names",
    {
        "client": "client",
        "flags": "flags",
        "provider": "provider",
        "model": "model",
        "fallback": "fallback",
        "permissions": "permissions",
        "engine": "engine",
        "checks": "checks",
        "settings": "settings",
        "environment": "environment",
        "variables": "variables",
        "state": "state",
        "switch": "switch",
        "disk": "disk",
        "terminal": "terminal",
        "plugin": "plugin",
        "self-test": "self-test",
    },
)


class Finding(Struct, frozen=True):
    name: str
    level: Level
    text: str
    fix: str = ""


class Place(Struct, frozen=True):
    """Where the doctor looks."""

    env: Mapping[str, str]
    cwd: Path
    is_ours: Callable[[object], bool]  # whether a hook's command calls ccc: hooks mode knows its own
    managed: Path = field(default_factory=settings.managed_directory)
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    commands: frozenset[str] = frozenset()  # names that no provider may have

    @property
    def project(self) -> Path:
        return program.project_directory(self.cwd)

    @property
    def state(self) -> Path:
        return config.state_directory(self.env)


def run(command: str) -> str:
    """A fix to type."""
    return msg("run: {command}", command=command)


def edit(path: Path, what: str) -> str:
    return msg("edit {path}: {what}", path=path, what=what)


def from_error(name: str, error: CccError, level: Level = Level.BROKEN) -> Finding:
    return Finding(name, level, error.what, error.fix)


def client(place: Place, asked: Asked) -> list[Finding]:
    try:
        found = asked.client()
    except ClaudeNotFound as error:
        return [Finding("client", Level.BROKEN, error.what, _find_client(place))]
    version = asked.version()
    if version is None:
        fix = (
            run("unset CCC_CLAUDE")
            if place.env.get("CCC_CLAUDE")
            else msg("reinstall Claude Code, which is {found}", found=found)
        )
        return [Finding("client", Level.BROKEN, msg("{found} --version does not answer", found=found), fix)]
    return [Finding("client", Level.OK, f"{found}, {version}")]


def _find_client(place: Place) -> str:
    if place.env.get("CCC_CLAUDE"):
        return run("unset CCC_CLAUDE")
    inside = shutil.which("claude", path=place.env.get("PATH", os.defpath))
    return run(f"export CCC_CLAUDE={shlex.quote(inside)}" if inside else installation.adding(program.SDK))


def flags(place: Place, asked: Asked) -> list[Finding]:
    """What a client that is there says that it knows."""
    try:
        known = asked.flags()
        if _USED - known and _USED & (asked.anew() - known):
            return [_forgotten(questions.memory(place.env))]
    except ClaudeNotFound as error:
        return [from_error("flags", error)]
    update = run(f"{shlex.quote(str(asked.client()))} update")
    missing = [flag for flag in NEEDED_FLAGS if flag not in known]
    if missing:
        return [
            Finding(
                "flags", Level.BROKEN, msg("this client does not know {missing}", missing=", ".join(missing)), update
            )
        ]
    wanting = [(flag, effect) for flag, effect in WANTED_FLAGS.items() if flag not in known]
    if wanting:
        return [
            Finding(
                "flags",
                Level.WARNING,
                msg("this client does not know {flag} ({effect})", flag=flag, effect=effect),
                update,
            )
            for flag, effect in wanting
        ]
    return [Finding("flags", Level.OK, msg("the client knows every flag that ccc uses"))]


def _forgotten(memory: Path) -> Finding:
    """As after an answer that was cut off."""
    text = msg("ccc remembers of this client less than it says that it knows")
    return Finding("flags", Level.BROKEN, text, run(f"rm {shlex.quote(str(memory))}"))


def configuration(place: Place) -> list[Finding]:
    path = config.config_directory(place.env) / "ccc.json"
    try:
        conf = config.load(place.env, commands=place.commands)
    except CccError as error:
        return [from_error("ccc.json", error), *_mode(path)]
    if not path.exists():
        return [Finding("ccc.json", Level.OK, msg("{path} is not there: the client's own login is used", path=path))]
    told = [
        *_mode(path),
        *_providers(conf, place.env),
        *_fallbacks(conf, place),
        *_options(path),
        *_engine(conf),
        *_judge(conf, place),
        *_project_checks(conf, place),
    ]
    facts = {"path": path, "count": len(conf.providers), "name": conf.current or msg("none")}
    one, several = (
        msg("{path}, 1 provider, current {name}", **facts),
        msg("{path}, {count} providers, current {name}", **facts),
    )
    return told or [Finding("ccc.json", Level.OK, one if len(conf.providers) == 1 else several)]


def _mode(path: Path) -> Iterator[Finding]:
    if path.exists() and path.stat().st_mode & 0o077:
        text = msg("others can read {path}, and it may hold keys", path=path)
        yield Finding("ccc.json", Level.WARNING, text, run(f"chmod 600 {shlex.quote(str(path))}"))


def _providers(conf: Config, env: Mapping[str, str]) -> Iterator[Finding]:
    try:
        chosen = choosing.choose(conf)
    except CccError as error:
        text = error.what
        name = next(iter(conf.providers), "")
        yield Finding("provider", Level.BROKEN, text, run(f"ccc {name} --version" if name else "ccc init"))
        chosen = None
    for name in conf.providers:
        try:
            yield from _window(conf.path, choosing.resolve(conf, name, env), env)
        except CccError as error:
            yield from_error("provider", error, Level.BROKEN if name == chosen else Level.WARNING)


def _fallbacks(conf: Config, place: Place) -> Iterator[Finding]:
    """Who goes on when a provider keeps the agent waiting, and whether the client lets them."""
    named: list[str] = []
    for name in conf.providers:
        try:
            named += fallback.of(conf, name)
        except CccError as error:
            fix = edit(conf.path, msg("remove providers.{name}.fallback", name=name))
            yield Finding("fallback", Level.BROKEN, error.what, fix)
    if named:
        yield from _too_old(place)


def _judge(conf: Config, place: Place) -> Iterator[Finding]:
    """Who judges here, if that is not the agent's own model, and whether the client lets them."""
    jurors = conf.jurors(place.project)
    if jurors == (OWN,):
        return
    try:
        found = program.find(place.env, place.cwd)
        with tempfile.TemporaryDirectory() as folder:
            agent = choosing.choose(conf)
            judges.refuse_unable(found, jurors, agent, Path(folder) / "clients.json", place.env)
    except CccError as error:
        if not isinstance(error, ClaudeNotFound):  # told by client()
            yield from_error("judge", error)
        return
    names = " → ".join(juror.name for juror in jurors)
    yield Finding("judge", Level.OK, msg("judged here by: {names}", names=names))


def _too_old(place: Place) -> Iterator[Finding]:
    try:
        found = program.find(place.env, place.cwd)
    except ClaudeNotFound:  # told by client()
        return
    version = questions.version(found, place.env)
    if version and not program.changes_provider(version):
        text = msg(
            "{version} cannot go on with another provider in the same session, so no fallback is used", version=version
        )
        yield Finding("fallback", Level.WARNING, text, run(f"{shlex.quote(str(found))} update"))


def _window(path: Path, provider: Provider, env: Mapping[str, str]) -> Iterator[Finding]:
    """Of a model that the client does not know it must be told how much fits into it."""
    missing = [name for name in (variables.WINDOW, variables.OUTPUT) if not (provider.env.get(name) or env.get(name))]
    if provider.foreign_model and missing:
        text = msg(
            "the client does not know how much {foreign_model} of provider {name} can read or write",
            foreign_model=provider.foreign_model,
            name=provider.name,
        )
        what = msg(
            "set {name} to its limits in tokens",
            name=" and ".join(f"providers.{provider.name}.env.{name}" for name in missing),
        )
        yield Finding("model", Level.WARNING, text, edit(path, what))


def permissions(place: Place) -> list[Finding]:
    """What auto mode, the default of the client's UI, does where its safety check is not served."""
    try:
        conf = config.load(place.env, commands=place.commands)
        name = choosing.choose(conf)
        provider = choosing.resolve(conf, name, place.env) if name else None
    except CccError:  # told by configuration()
        return []
    if provider is None or not provider.base_url:
        return []
    text = msg(
        "auto mode's safety check does not work behind provider {name}: the client's UI asks you at the first command"
        " that needs it, and ccc status shows `waiting for you`; to be asked less: --permission-mode acceptEdits",
        name=name,
    )
    return [Finding("permissions", Level.OK, text)]


def _options(path: Path) -> Iterator[Finding]:
    """A misspelt option is ignored, which nobody notices."""
    given = documents.read_object(path).get("supervisor")
    known = SupervisorOptions.__struct_fields__
    for key in given if isinstance(given, dict) else ():
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            what = (
                msg("rename supervisor.{key} to {close}", key=one_line(key, 40), close=close[0])
                if close
                else msg("remove supervisor.{key}", key=one_line(key, 40))
            )
            text = msg(
                "{path}: supervisor.{key} is no option of ccc and has no effect", path=path, key=one_line(key, 40)
            )
            yield Finding("ccc.json", Level.WARNING, text, edit(path, what))


def _engine(conf: Config) -> Iterator[Finding]:
    if conf.supervisor.engine is Engine.SDK and find_spec("claude_agent_sdk") is None:
        text = msg("supervisor.engine is sdk, but claude-agent-sdk is not installed")
        yield Finding("engine", Level.BROKEN, text, run(installation.adding(program.SDK)))


def _project_checks(conf: Config, place: Place) -> Iterator[Finding]:
    try:
        checks.of_project(conf, place.project)
    except CccError as error:
        yield from_error("checks", error)


def prompt(place: Place) -> list[Finding]:
    try:
        found = criteria.find(place.cwd, config.config_directory(place.env))
        if found:
            criteria.read(found)
    except CccError as error:
        return [from_error("SUPERVISOR.md", error)]
    text = (
        msg("reviews go by {found}", found=found)
        if found
        else msg("reviews go by the built-in prompt (pty mode needs a file of your own)")
    )
    return [Finding("SUPERVISOR.md", Level.OK, text)]


def healthy(findings: Sequence[Finding]) -> bool:
    return all(finding.level is not Level.BROKEN for finding in findings)


def as_json(findings: Sequence[Finding]) -> list[dict[str, object]]:
    return [asdict(finding) for finding in findings]


def show(finding: Finding, lang: str) -> None:
    """One finding for a person: what it is, and below it what to type."""
    from ccc.base.folding import folded
    from ccc.base.text import padded

    level = padded(LEVELS[lang][finding.level], 8)
    head = f"{level} {padded(NAMES[lang].get(finding.name, finding.name), 14)}"
    # A pipe has no width; folding at 80 columns would break a command that is to be copied.
    columns = sink.columns()
    first, *others = folded(f"{head}  {_shown(finding.text, lang)}", columns)
    rows = [sink.joined(_painted(level, COLOURS[finding.level]), first.removeprefix(level)), *others]
    if finding.fix:
        rows += (_painted(row, "1") for row in folded(f"{' ' * 23}  → {_shown(finding.fix, lang)}", columns))
    sink.show(*rows)


COLOURS = {Level.OK: "32", Level.WARNING: "33", Level.BROKEN: "1;31"}


def _painted(text: str, colour: str) -> str:
    return sink.styled(text, colour) if sink.takes_colours(os.environ) else text


def _shown(text: str, lang: str) -> str:
    return one_line(visible(said(text, lang)), 600)
