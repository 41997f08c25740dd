"""Everything that ccc.json says, read once into one frozen Config.

Rule: only this module knows where ccc.json stands, what its keys mean and which values they allow.
"""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from ccc.base import documents, files, jsontext, sink, strictjson, withheld
from ccc.base.documents import FILE_LIMIT, BadDocument, Json, kind
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.claude.variables import is_identity
from ccc.model import OWN, Engine, Form, Juror, Switch
from ccc.providers import keys

# Half a surrogate pair has no bytes, and a NUL ends a word of a program early: neither can be handed to one.
HALF = pattern("[\ud800-\udfff]")
UNSAYABLE = pattern("[\0\ud800-\udfff]")
# Of what stands at a provider, these are ccc's own; everything else is settings of the client.
OF_PROVIDER = frozenset({"env", "fallback"})
PROVIDER_NAME = pattern(r"[\w][\w.+-]{0,63}", re.UNICODE)
Bare = Callable[[str | None], Mapping[str, str]]  # the environment of a command of ccc.json, and by None of any other
_REFERENCE = pattern(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Notify(Struct, frozen=True):
    """How the person is told that a request has ended or waits, and whether each block says so in the client."""

    blocks: bool = False
    command: str | None = None  # a shell command that gets the notice as JSON on stdin
    url: str | None = None  # where it is posted; may hold a secret
    desktop: bool = False
    terminal: str | None = None  # pty mode: a sign to the terminal itself, see base/sink.py

    @property
    def reaches_out(self) -> bool:
        return bool(self.command or self.url or self.desktop)


class SupervisorOptions(Struct, frozen=True):
    """The `supervisor` part of ccc.json, with the defaults."""

    max_iterations: int = 10
    timeout_seconds: int = 540
    review_idle_seconds: int = 180
    idle_seconds: int = 600  # pty mode: an agent that is silent so long has stopped
    max_wait_minutes: float = 360.0  # pty mode: for a limit or an outage of the provider
    fallback_after_minutes: float = 10.0  # pty mode: a longer wait is another provider's turn
    max_minutes: float | None = None
    max_cost_usd: float | None = None
    max_tokens: int | None = None
    engine: Engine = Engine.CLI
    verdict: Form = Form.AUTO
    judge: tuple[Juror, ...] = ()  # who judges, one after another; nobody named: the agent's own model
    judge_fallback: bool = False  # to the agent's own model, when a judge cannot be reached
    background_review: bool = False  # hooks mode: the turn ends at once, and the verdict wakes the agent later
    gate: Switch = Switch.ON
    notify: Notify = Notify()
    on_outcome: str | None = None  # a shell command that gets the outcome as JSON on stdin


class FleetOptions(Struct, frozen=True):
    """The `fleet` part of ccc.json, with the defaults."""

    slots: int = 3  # tasks that this machine works on at once
    tasks_per_provider: int | None = None  # … and all machines together with one provider
    max_cost_usd: float | None = None  # of all tasks
    wait_seconds: float = 20.0  # a task whose provider has a limit that lasts longer gives its slot back
    grace_seconds: float = 30.0  # a task of a machine that is gone is another's after so long
    store: str | None = None  # postgresql://… or ${NAME}, may hold a secret; None: a file on this machine
    remote: str | None = None  # of the repository: where branches are pushed while they grow


class Config(Struct, frozen=True):
    path: Path
    settings: Json
    providers: Mapping[str, Json]
    current: str | None
    claude_args: tuple[str, ...]
    supervisor: SupervisorOptions
    checks: Json = field(default_factory=dict)  # project folder → its checks
    allowed: Json = field(default_factory=dict)  # project folder → what its settings may decide, name and value
    judges: Mapping[str, tuple[Juror, ...]] = field(default_factory=dict)  # project folder → who judges there
    unknown: tuple[str, ...] = ()  # keys that mean nothing to ccc: kept, but perhaps misspelt
    fleet: FleetOptions = FleetOptions()
    named: frozenset[str] = frozenset()  # every variable to which the file refers, see `_named`
    telling: frozenset[str] = frozenset()  # every variable under which it tells a client a key, see `_telling`
    home: Path = Path()  # what `~` means there

    @property
    def directory(self) -> Path:
        return self.path.parent

    def jurors(self, *folders: Path) -> tuple[Juror, ...]:
        """Who judges there, one after another; of several folders the first that has somebody counts."""
        named = (self.judges.get(self.spelling(self.judges, folder), ()) for folder in folders)
        return next(filter(None, named), ()) or self.supervisor.judge or (OWN,)

    def named_around(self, cwd: Path, project: Path) -> Path | None:
        """The nearest folder around this one with checks or judges, where the project itself has no word about any."""
        named = {*self.checks, *self.judges}
        around = (cwd, *cwd.parents) if self.spelling(named, project) not in named else ()
        return next((folder for folder in around if self.spelling(named, folder) in named), None)

    def spelling(self, named: Collection[str], folder: Path) -> str:
        """How this folder is written among these."""
        return _spelling(named, folder, self.home)


def _spelling(named: Collection[str], folder: Path, home: Path) -> str:
    """People write `~`, a slash at the end, or a link that leads there."""
    if str(folder) in named:
        return str(folder)
    place = _place(str(folder), home)
    return next((name for name in named if place and _place(name, home) == place), str(folder))


def _place(name: str, home: Path) -> str:
    """Where a folder lies that is called so in ccc.json; "" where that depends on where one stands, or is no path."""
    path = Path(_at_home(name, home))
    with suppress(ValueError):  # half an emoji, say
        return os.path.realpath(path) if path.is_absolute() else ""
    return ""


class ConfigError(BadDocument):
    """ccc.json says something that ccc cannot use."""


def home(env: Mapping[str, str]) -> Path:
    return Path(env.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir)


def config_directory(env: Mapping[str, str]) -> Path:
    """Where ccc.json and Claude's settings.json stand."""
    named = env.get("CCC_CONFIG_DIR") or env.get("CLAUDE_CONFIG_DIR")
    return _absolute(named, env) if named else home(env) / ".claude"


def state_directory(env: Mapping[str, str]) -> Path:
    """Where ccc keeps one file per session; CCC_WORK_DIR moves this folder alone."""
    work = env.get("CCC_WORK_DIR")
    return (_absolute(work, env) if work else config_directory(env)) / "ccc"


def load(env: Mapping[str, str], *, commands: frozenset[str] = frozenset(), of_task: bool = False) -> Config:
    """Read ccc.json; a missing file is a Config without providers. `commands` are names a provider may not have.

    `of_task`: as it holds for the task of the fleet that the environment names. Never in a hook, whose environment the
    project's settings may fill.
    """
    path = config_directory(env) / "ccc.json"
    document: Json = documents.read_object(path)
    withheld.withhold(_keys(document, env))
    if of_task and env.get(TASK):
        document = _of_task(document, task(env), home(env))
    providers, known = _providers(document, path, commands), set(_keys_given(document, env))
    return Config(
        path=path,
        settings=_settings(document, path),
        providers=providers,
        current=_current(document, path),
        claude_args=_claude_args(document, path),
        supervisor=_supervisor(document, path, providers),
        checks=_object(document.get("checks"), "checks", path),
        allowed=_object(document.get("allowed"), "allowed", path),
        judges=_judges(document, path, providers),
        unknown=_unknown(document),
        fleet=_fleet(document, path),
        named=frozenset(_named(document, env, known)),
        telling=frozenset(_telling(document, known)),
        home=home(env),
    )


def bare(env: Mapping[str, str]) -> Config:
    """Where ccc.json stands, and nothing of what it says."""
    path = config_directory(env) / "ccc.json"
    return Config(path, settings={}, providers={}, current=None, claude_args=(), supervisor=SupervisorOptions())


def withhold(env: Mapping[str, str]) -> None:
    """For whoever tells what a provider or a model has said and needs nothing else of ccc.json, be it broken."""
    with suppress(CccError):
        withheld.withhold(_keys(documents.read_object(config_directory(env) / "ccc.json"), env))


def keys_of(conf: Config, env: Mapping[str, str]) -> set[str]:
    """Every key that the file or the environment holds."""
    known = _keys({"settings": conf.settings, "providers": conf.providers}, env)
    return ({*known} | own_keys(conf, env)) - {""}


def own_keys(conf: Config, env: Mapping[str, str]) -> set[str]:
    """Every key that the file holds or refers to, and no other one of the environment's."""
    given = set(_keys_given({"settings": conf.settings, "providers": conf.providers}, env))
    return (given | {*_values_of(conf.named, env)}) - {""}


def unset_keys(conf: Config, env: Mapping[str, str]) -> tuple[str, ...]:
    """The variables that keys stand in, as the file says, and that are not set: nobody here knows these keys."""
    pairs = _given({"settings": conf.settings, "providers": conf.providers})
    named = (variable for name, value in pairs if (variable := referred(value)) and keys.is_named_so(name))
    names = (*named, *sorted(filter(keys.is_named_so, conf.named)))
    return tuple(dict.fromkeys(name for name in names if not env.get(name)))


def tighten(conf: Config) -> bool:
    """Take away what others may do with ccc.json; True if there was something to take."""
    try:
        mode = conf.path.stat().st_mode & 0o777
        if mode & 0o077:
            conf.path.chmod(mode & 0o700)
    except OSError:  # no file, or not ours to change
        return False
    return bool(mode & 0o077)


def remember_current(config: Config, name: str) -> None:
    """Make `name` the provider that plain `ccc` starts; every other byte of the file stays."""
    if config.current == name:
        return
    edit(config.path, lambda text: jsontext.set_value(text, ("current_provider",), name))


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change a JSON file of the config folder: under a lock, whole or not at all, and not if nothing changes.

    `change` gets the text as it is under the lock. What it decides by anything read before is decided too early.
    """
    own = path.parent / "ccc"
    files.private_directory(own)
    with files.locked(own / "edit.lock", wait=10):
        old = files.read_text(path, limit=FILE_LIMIT) or ""
        try:
            new = change(old)
        except jsontext.JsonError as error:
            raise ConfigError(
                msg("{path} cannot be changed ({error})", path=path, error=error),
                msg("mend it, ccc will not overwrite it"),
            ) from None
        if new != old:
            files.replace(path, new.encode())


def sweep(conf: Config, env: Mapping[str, str], now: float) -> None:
    """Take away what killed processes of ccc's left, wherever ccc writes; it may hold a key."""
    state = state_directory(env)
    homes = [Path(os.path.realpath(path)).parent for path in (conf.path, conf.directory / "settings.json")]
    for folder in dict.fromkeys((conf.directory, *homes, state, state / "tmp")):
        files.sweep(folder, now)


def part(text: str, key: str, path: Path) -> Json:
    """What stands at a key of the file that is being edited."""
    return _object((documents.parsed(text, path) if text.strip() else {}).get(key), key, path)


def env_value(value: object, key: str, path: Path) -> str:
    if isinstance(value, str):
        if HALF.search(value):
            raise ConfigError(
                msg("{path}: {key} holds half a character, which no variable can carry", path=path, key=key),
                msg("paste it anew"),
            )
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ConfigError(
        msg("{path}: {key} must be a string, not {kind}", path=path, key=key, kind=kind(value)),
        msg('write "{name}": "…"', name=key.rpartition(".")[2]),
    )


def expand(value: str, key: str, path: Path, env: Mapping[str, str]) -> str:
    """`${NAME}` as the whole value stands for that variable; any other value is taken as it is."""
    name = referred(value)
    if not name:
        return value
    found = env.get(name)
    if not found:
        raise ConfigError(
            msg("{path}: {key} names the variable {variable}, which is not set", path=path, key=key, variable=name),
            msg("run: export {variable}=…", variable=name),
        )
    return found


def referred(value: str) -> str | None:
    """The variable that a value stands for."""
    match = _REFERENCE.fullmatch(value)
    return match[1] if match else None


def texts_in(value: object) -> Iterator[str]:
    """Wherever they stand: what a part of the file that is not read yet refers to is a secret as well."""
    if isinstance(value, str):
        yield value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for each in inner:
        yield from texts_in(each)


def _persons(document: Json) -> Json:
    """What is allowed is quoted there: words of a project's."""
    return {key: value for key, value in document.items() if key != "allowed"}


def mentioned_in(value: object) -> Iterator[str]:
    """Every variable that stands there, as a whole value or within a command."""
    for text in texts_in(value):
        yield from keys.mentioned(text)


def _named(document: Json, env: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    """What a whole value stands for, and of what stands within a command each variable that is, or holds, a key."""
    for text in texts_in(_persons(document)):
        whole = referred(text)
        found = (name for name in keys.mentioned(text) if name != whole)
        yield from (name for name in found if _is_key(name, env) or keys.is_in(env.get(name, ""), known))
        yield from (whole,) if whole else ()


def _is_key(name: str, env: Mapping[str, str]) -> bool:
    """A name in small letters that nobody has set is a command's own, and any word."""
    return keys.is_named_so(name) and (name in env or name.isupper())


def _telling(document: Json, known: Collection[str]) -> Iterator[str]:
    """By its name, by what it refers to, which a client puts in where it tells it, or by a key that is known elsewhere;
    not the client's own, which it tells nobody."""
    for name, value in _given(document):
        holds = keys.mentioned(value) or any(keys.of_variable(name, value)) or keys.is_in(value, known)
        yield from (name,) if holds and not is_identity(name) else ()


def _keys(document: Json, env: Mapping[str, str]) -> Iterator[str]:
    """Every key that ccc.json or the environment holds, as it is."""
    for name, value in env.items():
        if is_identity(name) or name.startswith("AWS_"):
            yield from keys.of_variable(name, value)
    yield from _keys_given(document, env)
    yield from _values_of(mentioned_in(_persons(document)), env)


def _keys_given(document: Json, env: Mapping[str, str]) -> Iterator[str]:
    for name, value in _given(document):
        yield from keys.of_variable(name, env.get(referred(value) or "", "" if referred(value) else value))
        yield from _values_of(filter(None, (referred(value),)), env)


def _values_of(names: Iterable[str], env: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        yield from keys.of_variable(name, env.get(name, ""))


def _given(document: Json) -> Iterator[tuple[str, str]]:
    """Every variable that the file sets, whichever provider's, with what stands there."""
    providers = document.get("providers")
    holders = (document.get("settings"), *(providers.values() if isinstance(providers, dict) else ()))
    for holder in holders:
        given = holder.get("env") if isinstance(holder, dict) else None
        pairs = given.items() if isinstance(given, dict) else ()
        yield from ((name, value) for name, value in pairs if isinstance(value, str))


def _absolute(named: str, env: Mapping[str, str]) -> Path:
    return Path(os.path.abspath(_at_home(named, home(env))))  # noqa: PTH100  (resolve() would follow the user's links)


def _at_home(name: str, home: Path) -> str:
    return str(home) + name[1:] if name == "~" or name.startswith("~/") else name


def _settings(document: Json, path: Path) -> Json:
    settings = _object(document.get("settings"), "settings", path)
    _object(settings.get("env"), "settings.env", path)
    return settings


def _providers(document: Json, path: Path, commands: frozenset[str]) -> Mapping[str, Json]:
    found = _object(document.get("providers"), "providers", path)
    providers = {}
    for name, value in found.items():
        check_name(name, path, commands)
        if value is None:
            raise ConfigError(
                msg("{path}: providers.{name} is null", path=path, name=name),
                msg("write an object, {} for a plain login"),
            )
        providers[name] = _object(value, f"providers.{name}", path)
        _object(providers[name].get("env"), f"providers.{name}.env", path)
    return providers


def check_name(name: str, path: Path, commands: frozenset[str]) -> None:
    if not PROVIDER_NAME.fullmatch(name):
        raise ConfigError(
            msg("{path}: providers has the name {name}", path=path, name=f"{name[:40]!a}"),
            msg("rename it: letters, digits, and . + - _ inside"),
        )
    if name in commands:
        raise ConfigError(
            msg("{path}: providers.{name} has the name of a ccc command and can not be reached", path=path, name=name),
            msg("rename it"),
        )


def _current(document: Json, path: Path) -> str | None:
    current = document.get("current_provider")
    if current is None or isinstance(current, str):
        return current or None
    raise ConfigError(
        msg("{path}: current_provider must be a provider's name, not {kind}", path=path, kind=kind(current))
    )


def _claude_args(document: Json, path: Path) -> tuple[str, ...]:
    args = document.get("claude_args") or []
    if isinstance(args, list) and all(isinstance(arg, str) and not UNSAYABLE.search(arg) for arg in args):
        return tuple(args)
    raise ConfigError(msg('{path}: claude_args must be a list of strings, such as ["--verbose"]', path=path))


TOP_KEYS = frozenset(
    {"settings", "providers", "current_provider", "claude_args", "supervisor", "checks", "allowed", "judges", "fleet"}
)


def _unknown(document: Json) -> tuple[str, ...]:
    options = document.get("supervisor")
    known = set(SupervisorOptions.__struct_fields__)
    inner = [f"supervisor.{key}" for key in options if key not in known] if isinstance(options, dict) else []
    fleet = document.get("fleet")
    inner += [f"fleet.{key}" for key in fleet if key not in _FLEET] if isinstance(fleet, dict) else []
    return (*(key for key in document if key not in TOP_KEYS), *inner)


CHOICES: Mapping[str, type[StrEnum]] = {"engine": Engine, "verdict": Form, "gate": Switch}
AMOUNTS = ("max_minutes", "max_cost_usd", "max_wait_minutes", "fallback_after_minutes")  # may have a fraction
YES_OR_NO = ("judge_fallback", "background_review")
TELLING = ("notify", "on_outcome", *YES_OR_NO)
MOST_JUDGES = 5


def _supervisor(document: Json, path: Path, providers: Collection[str]) -> SupervisorOptions:
    given = _object(document.get("supervisor"), "supervisor", path)
    known = set(SupervisorOptions.__struct_fields__) - {"judge"}
    values = {key: _option(key, value, path) for key, value in given.items() if key in known}
    judge = _jurors(given.get("judge"), "supervisor.judge", path, providers)
    return SupervisorOptions(judge=judge, **values)  # type: ignore[arg-type]


def _judges(document: Json, path: Path, providers: Collection[str]) -> Mapping[str, tuple[Juror, ...]]:
    given = _object(document.get("judges"), "judges", path)
    return {project: _jurors(value, f"judges.{project}", path, providers) for project, value in given.items()}


def _jurors(value: object, key: str, path: Path, providers: Collection[str]) -> tuple[Juror, ...]:
    """One judge, or several that are asked one after another."""
    listed = value if isinstance(value, list) else [] if value is None else [value]
    jurors = [_juror(each) for each in listed]
    if None in jurors or len(jurors) > MOST_JUDGES:
        raise ConfigError(
            msg(
                "{path}: {key} must be a provider's name, an object with provider, model or both, or a list of {most} "
                "such at most",
                path=path,
                key=key,
                most=MOST_JUDGES,
            )
        )
    found = tuple(filter(None, jurors))
    for juror in found:
        if juror.provider is not None and juror.provider not in providers:
            raise ConfigError(
                msg(
                    "{path}: {key} names the provider {name}, which is not in providers",
                    path=path,
                    key=key,
                    name=f"{juror.provider[:60]!a}",
                ),
                msg("there is {names}.", names=", ".join(list(providers)[:10])),
            )
    return found


def _juror(value: object) -> Juror | None:
    match value:
        case str() if value:
            return Juror(provider=value)
        case dict() if value and value.keys() <= {"provider", "model"} and all(map(_is_command, value.values())):
            return Juror(**value)
    return None


def _option(key: str, value: object, path: Path) -> object:
    if key == "notify" and (notify := _notify(value)) is not None:
        return notify
    if key in YES_OR_NO and isinstance(value, bool):
        return value
    if key == "on_outcome" and (value is None or (isinstance(value, str) and not UNSAYABLE.search(value))):
        return value
    if key in ("max_minutes", "max_cost_usd", "max_tokens") and value is None:
        return None
    if key == "fallback_after_minutes" and value == 0 and not isinstance(value, bool):  # at once
        return 0.0
    if key in AMOUNTS and isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 10**12:
        return float(value)
    if key in CHOICES:
        known = {each.value: each for each in CHOICES[key]}
        if isinstance(value, str) and value in known:
            return known[value]
        raise ConfigError(
            msg(
                "{path}: supervisor.{key} must be one of: {choices}",
                path=path,
                key=key,
                choices=", ".join(known),
            )
        )
    most = 10**12 if key == "max_tokens" else 1_000_000
    if key not in TELLING and isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
        return value
    raise ConfigError(
        msg(
            "{path}: supervisor.{key} must be {wanted}",
            path=path,
            key=key,
            wanted=_WANTED.get(key, msg("a whole number from 1 up")),
        )
    )


# What a task of the fleet is started with: as JSON, the folder it works in, the repository whose checks, judges and
# permissions hold there, checks of its own, caps, and the name of what it began with (judging/began).
TASK = "CCC_TASK"
CAPS = ("max_iterations", "max_minutes", "max_cost_usd", "max_tokens")


def task(env: Mapping[str, str]) -> Json:
    """Of the fleet, that this start is for; {} where it is for none."""
    try:
        told = strictjson.loads((env.get(TASK) or "{}").encode("utf-8", "replace"))
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise ConfigError(msg("{name} is no task of the fleet", name=TASK), msg("run: unset {name}", name=TASK))
    return told


def _of_task(document: Json, task: Json, home: Path) -> Json:
    """ccc.json as it holds for a task of the fleet: what is said of its repository is said of its folder."""
    folder, project = str(task.get("folder")), str(task.get("project"))
    kept = {**document}
    for key in ("checks", "allowed", "judges"):
        said = kept.get(key)
        if isinstance(said, dict) and (name := _spelling(said, Path(project), home)) in said:
            kept[key] = {**said, folder: said[name]}
    return {
        **kept,
        "checks": _with(kept.get("checks"), folder, task.get("checks")),
        "supervisor": _joined(kept.get("supervisor"), task.get("caps")),
    }


def _with(checks: object, folder: str, more: object) -> object:
    if not isinstance(more, list) or not isinstance(checks or {}, dict):
        return checks
    known = checks if isinstance(checks, dict) else {}
    listed = known.get(folder) or []
    return {**known, folder: [*listed, *(each for each in more if each not in listed)]}


def _joined(options: object, more: object) -> object:
    known = options or {}
    return {**known, **more} if isinstance(known, dict) and isinstance(more, dict) else options


def _fleet(document: Json, path: Path) -> FleetOptions:
    given = _object(document.get("fleet"), "fleet", path)
    for key, value in given.items():
        if key in _FLEET and value is not None and not _FLEET[key](value):
            raise ConfigError(
                msg("{path}: fleet.{key} must be {wanted}", path=path, key=key, wanted=_FLEET_WANTED[key])
            )
    values = {key: value for key, value in given.items() if key in _FLEET and value is not None}
    return FleetOptions(**values)  # type: ignore[arg-type]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1000


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 10**12


def _notify(value: object) -> Notify | None:
    """None for what nobody can mean."""
    match value:
        case bool():
            return Notify(blocks=value)
        case str() if value == "desktop":
            return Notify(desktop=True)
        case str() if _is_url(value):
            return Notify(url=value)
        case str() if _is_command(value) and "://" not in value.split()[0]:
            return Notify(command=value)
        case dict() if all(_FIELDS.get(name, _never)(each) for name, each in value.items()):
            return Notify(**value)
    return None


def _never(_: object) -> bool:
    return False


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_command(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and not UNSAYABLE.search(value)


def _is_url(value: object) -> bool:
    return isinstance(value, str) and _URL.fullmatch(value) is not None


_URL = pattern(r"https?://[!-~]{1,2000}")
_FIELDS: Mapping[str, Callable[[object], bool]] = {
    "blocks": _is_bool,
    "desktop": _is_bool,
    "command": _is_command,
    "url": _is_url,
    "terminal": lambda value: isinstance(value, str) and value in sink.SIGNS,
}
_FLEET: Mapping[str, Callable[[object], bool]] = {
    "slots": _is_count,
    "tasks_per_provider": _is_count,
    "max_cost_usd": _is_amount,
    "wait_seconds": _is_amount,
    "grace_seconds": _is_amount,
    "store": _is_command,
    "remote": _is_command,
}
_FLEET_WANTED = {
    "slots": msg("a whole number from 1 up"),
    "tasks_per_provider": msg("a whole number from 1 up"),
    "max_cost_usd": msg("a number above 0"),
    "wait_seconds": msg("a number above 0"),
    "grace_seconds": msg("a number above 0"),
    "store": msg("an address such as postgresql://…"),
    "remote": msg("the name of a git remote"),
}
_WANTED = {
    "max_minutes": msg("a number above 0"),
    "max_cost_usd": msg("a number above 0"),
    "max_wait_minutes": msg("a number above 0"),
    "fallback_after_minutes": msg("a number, 0 or above"),
    "notify": msg(
        'true, false, a command, a URL, "desktop", or an object with blocks, command, url, desktop, terminal'
    ),
    "on_outcome": msg("a command"),
    **dict.fromkeys(YES_OR_NO, msg("true or false")),
}


def _object(value: object, key: str, path: Path) -> dict[str, object]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    raise ConfigError(msg("{path}: {key} must be an object {{…}}, not {kind}", path=path, key=key, kind=kind(value)))
