"""The doctor's look at Claude's settings files, and the whole examination.

Rule: reads every file that claude reads and changes none; what an administrator has decided is said as such.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import documents, files, installation, languages, sink
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude import loading, program, settings
from ccc.claude.settings import Source
from ccc.claude.variables import Provider, is_identity
from ccc.providers import allowing, choosing, config
from ccc.providers.config import Config
from ccc.record import placed
from ccc.trial import doctor, doctor_machine
from ccc.trial.doctor import Finding, Level, Place, edit, from_error, run
from ccc.trial.questions import Asked


class Entry(Struct, frozen=True):
    """One Stop hook in one settings file."""

    path: Path
    kind: str  # as a Source, or "own" for the files of `--mode hooks`
    command: str
    timeout: float | None

    @property
    def programs(self) -> list[str]:
        """What a hook of ours calls: ccc, and the Python that runs it."""
        words = shlex.split(self.command)
        called = words[: words.index("supervisor-hook")]
        called = called[: called.index("-m")] if "-m" in called else called
        called = [word for before, word in zip(("", *called), called, strict=False) if before != "-c"]
        return [word for word in called if not word.startswith("-") and "=" not in word.partition("/")[0]]


def main(place: Place, asked: Asked, *, as_json: bool, self_test: bool = True) -> int:
    """Examine and tell; 1 when something is broken."""
    findings: list[Finding] = []
    for finding in examine(place, asked, self_test=self_test):
        findings.append(finding)
        if not as_json:
            doctor.show(finding, languages.of_person(place.env))
    if as_json:
        sink.show_json(doctor.as_json(findings))
    return 0 if doctor.healthy(findings) else 1


def examine(place: Place, asked: Asked, *, self_test: bool = True) -> Iterator[Finding]:
    others = [found for name, look in _looks().items() for found in _allowed(name, look, place)]
    found = doctor.client(place, asked)
    yield from (*found, *(doctor.flags(place, asked) if doctor.healthy(found) else ()))
    yield from others
    if self_test:
        yield from proof(place)


def _looks() -> dict[str, Callable[[Place], list[Finding]]]:
    """In the order in which they are told."""
    return {
        "ccc.json": doctor.configuration,
        "permissions": doctor.permissions,
        "SUPERVISOR.md": doctor.prompt,
        "settings": settings_files,
        "variables": doctor_machine.variables,
        "state": doctor_machine.state_folder,
        "disk": doctor_machine.disk,
        "terminal": doctor_machine.terminal,
        "python": lambda _: doctor_machine.versions(),
    }


def _allowed(name: str, look: Callable[[Place], list[Finding]], place: Place) -> list[Finding]:
    """Where the system does not let it look, that is what it has found."""
    try:
        return look(place)
    except OSError as error:
        return [from_error(name, files.explained(error, msg("read"), error.filename or name))]


def settings_files(place: Place) -> list[Finding]:
    """Everything in the settings that claude reads here: what is unreadable, in the way, or not ours."""
    folder = config.config_directory(place.env)
    sources = settings.sources(folder, place.cwd, managed=place.managed)
    told = [
        *_unreadable(sources),
        *_unloadable(place, sources),
        *_powers(place, sources),
        *conflicts(place, sources),
        *disabled(sources),
        *hooks(place, sources),
        *_taken_out(place),
    ]
    return told or [Finding("settings", Level.OK, _fine(len(sources)))]


def _fine(sources: int) -> str:
    if not sources:
        return msg("there is none yet")
    if sources == 1:
        return msg("1 file, and it is not in the way")
    return msg("{sources} files, and none is in the way", sources=sources)


def _unreadable(sources: Sequence[Source]) -> Iterator[Finding]:
    for source in sources:
        if source.problem:
            yield Finding("settings", Level.BROKEN, source.problem, edit(source.path, msg("mend the JSON")))


def _unloadable(place: Place, sources: Sequence[Source]) -> Iterator[Finding]:
    """What the client drops whole for one value, the person's rules and ccc's hook with it."""
    try:
        client = program.find(place.env, place.cwd)
        known = [(source.path, source.settings) for source in sources if source.kind in ("user", *settings.OF_PROJECT)]
        conf = config.load(place.env, commands=place.commands)
        known += [(conf.path, provider.settings) for _, provider in _resolved(conf, place.env)]
        with tempfile.TemporaryDirectory(prefix="ccc-doctor-") as folder:  # what was asked here is not remembered
            for path, given in known:
                for name in loading.rejected(client, given, Path(folder) / "clients.json", place.env) or ():
                    yield _dropped(path, name)
    except CccError:  # told by those who look for the client and at ccc.json
        return


def _dropped(path: Path, name: str) -> Finding:
    text = msg("{path} sets {name} to what claude does not take, and drops the rest with it", path=path, name=name)
    return Finding("settings", Level.BROKEN, text, edit(path, msg("correct or remove {name}", name=name)))


def _powers(place: Place, sources: Sequence[Source]) -> Iterator[Finding]:
    """What the project decides without the person's word: no start of ccc's would go on."""
    try:
        conf = config.load(place.env, commands=place.commands)
        allowed = allowing.of_project(conf, program.project_directory(place.cwd))
        chosen = choosing.choose(conf)
        beaten = settings.beaten_by(choosing.resolve(conf, chosen, place.env) if chosen else None)
    except CccError:  # told by doctor.configuration
        return
    for source in sources:
        try:
            settings.refuse([replace(source, problem="")], allowed, beaten=beaten, named=choosing.told_by_name(conf))
        except CccError as error:
            yield Finding("settings", Level.BROKEN, error.what, error.fix)


def conflicts(place: Place, sources: Sequence[Source]) -> Iterator[Finding]:
    """What would take the place of a provider: in the environment, and in the settings files."""
    try:
        conf = config.load(place.env, commands=place.commands)
        chosen = choosing.choose(conf)
    except CccError:  # told by doctor.configuration
        return
    known = dict(_resolved(conf, place.env))
    if not known:
        return
    yield from _in_environment(place, chosen)
    for source in sources:
        beaten = {name: _beating(provider, source) for name, provider in known.items()}
        keys = list(dict.fromkeys(key for each in beaten.values() for key in each))
        level = Level.BROKEN if chosen and beaten.get(chosen) else Level.WARNING
        yield from _conflict(source, keys, level, [name for name, each in beaten.items() if each], conf)


def _resolved(conf: Config, env: Mapping[str, str]) -> Iterator[tuple[str, Provider]]:
    for name in conf.providers:
        try:
            yield name, choosing.resolve(conf, name, env)
        except CccError:  # told by doctor.configuration
            continue


def _beating(provider: Provider, source: Source) -> list[str]:
    keys = settings.contradictions(provider, source)
    return [key if key == settings.HELPER else f"env.{key}" for key in keys]


def _conflict(
    source: Source, keys: Sequence[str], level: Level, names: Sequence[str], conf: Config
) -> Iterator[Finding]:
    """`ccc init --from-settings` can move what decides the provider out of the user's own file; the rest is by hand."""
    movable = [key for key in keys if source.kind == "user" and (key == "apiKeyHelper" or is_identity(key[4:]))]
    stuck = [key for key in keys if key not in movable]
    who = msg("provider {names}", names=", ".join(names))
    if movable:
        free = next(
            name for name in ("settings", *(f"settings-{n}" for n in range(2, 99))) if name not in conf.providers
        )
        text = msg("{path} sets {movable}, which beats {who}", path=source.path, movable=", ".join(movable), who=who)
        yield Finding("settings", level, text, run(f"ccc init --from-settings --name {free} --yes"))
    if stuck and source.kind == "managed":
        text = msg(
            "{path} (your administrator's) sets {stuck}, which beats {who}",
            path=source.path,
            stuck=", ".join(stuck),
            who=who,
        )
        yield Finding("settings", level, text, msg("ask your administrator to remove {stuck}", stuck=", ".join(stuck)))
    elif stuck:
        text = msg("{path} sets {stuck}, which beats {who}", path=source.path, stuck=", ".join(stuck), who=who)
        yield Finding("settings", level, text, edit(source.path, msg("remove {stuck}", stuck=", ".join(stuck))))


def _in_environment(place: Place, chosen: str | None) -> Iterator[Finding]:
    if place.env.get("CCC_PROVIDER") or not chosen:  # ccc itself put them there
        return
    names = sorted(key for key in place.env if is_identity(key))
    if names:
        text = msg(
            "the environment sets {names}: provider {chosen} replaces them, plain claude would use them",
            names=", ".join(names),
            chosen=chosen,
        )
        yield Finding("environment", Level.WARNING, text, run(f"unset {' '.join(names)}"))


def disabled(sources: Sequence[Source]) -> Iterator[Finding]:
    """Of several files that set it the strongest counts."""
    setting = [source for source in sources if "disableAllHooks" in source.settings]
    if setting and setting[-1].settings["disableAllHooks"] is True:
        yield _disabled(setting[-1], "disableAllHooks", msg("no hook runs, so nothing is supervised"))
    for source in sources:  # elsewhere the client does not heed it
        if source.kind == "managed" and source.settings.get("allowManagedHooksOnly") is True:
            meaning = msg("only your administrator's hooks run, so nothing is supervised in hooks mode")
            yield _disabled(source, "allowManagedHooksOnly", meaning)


def _disabled(source: Source, key: str, meaning: str) -> Finding:
    by_admin = msg("ask your administrator to remove {key}, or use pty mode: ccc --supervisor", key=key)
    fix = by_admin if source.kind == "managed" else edit(source.path, msg("remove {key}", key=key))
    return Finding(
        "hooks", Level.BROKEN, msg("{path} sets {names}: {reason}", path=source.path, names=key, reason=meaning), fix
    )


def hooks(place: Place, sources: Sequence[Source]) -> Iterator[Finding]:
    folder = config.config_directory(place.env)
    own = [Source("own", path, _read(path)) for path in sorted(folder.glob("settings-*.json"))]
    for source in sources:
        yield from _malformed(source)
    entries = [entry for source in (*sources, *own) for entry in _entries(source)]
    ours = [entry for entry in entries if place.is_ours(entry.command)]
    for entry in ours:
        yield from _gone(entry)
        yield from _too_short(entry, place)
    yield from _plugin(place, sources, ours)
    foreign = [entry for entry in entries if not place.is_ours(entry.command) and entry.kind != "own"]
    for entry in foreign:
        text = msg(
            "{path} has another Stop hook ({entry}); if it blocks, ccc does not count it",
            path=entry.path,
            entry=one_line(entry.command, 80),
        )
        yield Finding(
            "hooks",
            Level.WARNING,
            text,
            msg("if you can do without it, {edit}", edit=edit(entry.path, msg("remove that hook"))),
        )


def _taken_out(place: Place) -> Iterator[Finding]:
    for each in placed.gone(place.state):
        yield Finding("hooks", Level.WARNING, each.what(), run("ccc hooks remove"))


def _malformed(source: Source) -> Iterator[Finding]:
    found = source.settings.get("hooks", {})
    stop = found.get("Stop", []) if isinstance(found, dict) else None
    if not isinstance(stop, list) or not all(isinstance(group, dict) for group in stop):
        key = "hooks.Stop" if isinstance(found, dict) else "hooks"
        text = msg(
            "{path}: {key} is not what the client can read, and ccc will not overwrite it", path=source.path, key=key
        )
        yield Finding("hooks", Level.BROKEN, text, edit(source.path, msg("remove {key}", key=key)))


def _gone(entry: Entry) -> Iterator[Finding]:
    gone = [program for program in entry.programs if not shutil.which(program)]
    if not gone:
        return
    text = msg("{path} calls {gone}, which is gone: no stop is reviewed", path=entry.path, gone=gone[0])
    match entry.kind:
        case "user":
            fix = run("ccc hooks remove")
        case "own":
            fix = run(f"rm {shlex.quote(str(entry.path))}")
        case _:
            fix = edit(entry.path, msg("remove that hook"))
    yield Finding("hooks", Level.BROKEN, text, fix)


def _too_short(entry: Entry, place: Place) -> Iterator[Finding]:
    try:
        needed = config.load(place.env, commands=place.commands).supervisor.timeout_seconds
    except CccError:  # told by doctor.configuration
        return
    if entry.timeout is not None and entry.timeout < needed:
        text = msg(
            "{path}: the client ends the hook after {timeout:g} s, a review may take {needed} s",
            path=entry.path,
            timeout=entry.timeout,
            needed=needed,
        )
        fix = run("ccc hooks remove") if entry.kind == "user" else edit(entry.path, msg("remove that hook"))
        yield Finding("hooks", Level.WARNING, msg("{text}; the next supervised start writes it anew", text=text), fix)


def _plugin(place: Place, sources: Sequence[Source], ours: Sequence[Entry]) -> Iterator[Finding]:
    enabled = [source for source in sources if _enables_plugin(source)]
    if not enabled:
        return
    if not shutil.which("ccc", path=place.env.get("PATH")):
        text = msg("{path} enables the plugin ccc, but there is no program ccc on PATH", path=enabled[0].path)
        yield Finding("plugin", Level.BROKEN, text, run(f"pipx install {installation.PACKAGE}"))
    both = [entry for entry in ours if entry.kind == "user"]
    if both:
        text = msg(
            "the plugin ccc is enabled and {path} has the hook as well: each stop calls ccc twice", path=both[0].path
        )
        yield Finding("plugin", Level.WARNING, text, run("ccc hooks remove"))


def _enables_plugin(source: Source) -> bool:
    plugins = source.settings.get("enabledPlugins")
    found = plugins.items() if isinstance(plugins, dict) else ()
    return any(str(name).partition("@")[0] == "ccc" and value for name, value in found)


def _entries(source: Source) -> Iterator[Entry]:
    found = source.settings.get("hooks")
    groups = found.get("Stop") if isinstance(found, dict) else None
    for group in groups if isinstance(groups, list) else ():
        inner = group.get("hooks") if isinstance(group, dict) else None
        for entry in inner if isinstance(inner, list) else ():
            if isinstance(entry, dict):
                command = str(entry.get("command") or entry.get("prompt") or entry.get("type"))
                timeout = entry.get("timeout")
                seconds = float(timeout) if isinstance(timeout, int | float) else None
                yield Entry(source.path, source.kind, command, seconds)


def _read(path: Path) -> Mapping[str, object]:
    try:
        return documents.read_object(path)
    except CccError:  # ccc writes these anew at every start
        return {}


def proof(place: Place) -> Iterator[Finding]:
    try:
        client = program.find(place.env, place.cwd)
    except CccError:
        text = msg("not run, because there is no client")
        yield Finding("self-test", Level.BROKEN, text, msg("mend the client first"))
        return
    from ccc.trial import selftest  # in here: a web server, which only the self-test needs
    from ccc.trial.demo import own_program

    try:
        found = selftest.prove(client, own_program(), place.env)
    except CccError as error:  # there is no folder for it
        yield from_error("self-test", error)
        return
    if found.failure:
        fix = msg(
            "mend what is broken above, then run ccc doctor again; if nothing is, report it with: ccc doctor --json"
        )
        yield Finding("self-test", Level.BROKEN, found.failure, fix)
        return
    text = msg(
        "the hook fired, sent the agent back and let it go: {reviews} reviews in {seconds:.1f} s",
        reviews=found.reviews,
        seconds=found.seconds,
    )
    yield Finding("self-test", Level.OK, text)
