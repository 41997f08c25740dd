"""What the person has allowed a project's settings to decide: a name with its values, for one project folder.

Rule: kept in the user's ccc.json, never in the project; a value that the project changes later is asked about anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ccc.base import jsontext
from ccc.base.documents import Json
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.claude import folders, powers, settings
from ccc.claude.ground import Ground
from ccc.claude.powers import Power
from ccc.claude.program import project_directory
from ccc.claude.settings import Beaten, Source
from ccc.providers import choosing, config
from ccc.providers.config import Config, ConfigError

KEY = "allowed"


def of_project(conf: Config, project: Path) -> Json:
    """Name → the values that are allowed here."""
    return _listed(conf.allowed, project, conf.path)


def _listed(everywhere: Json, project: Path, path: Path) -> Json:
    allowed = everywhere.get(str(project), {})
    if isinstance(allowed, dict) and all(isinstance(values, list) for values in allowed.values()):
        return allowed
    raise ConfigError(
        msg(
            '{path}: allowed.{project} needs entries like "NODE_OPTIONS": ["--max-old-space-size=4096"]',
            path=path,
            project=project,
        )
    )


def vet(conf: Config, cwd: Path, sources: Sequence[Source], *, beaten: Beaten, ground: Ground | None = None) -> None:
    """An error when a settings file cannot be read, or lets the project decide what is not its own; see `refuse`."""
    settings.refuse(sources, allowed_in(conf, cwd, ground), beaten=beaten, named=choosing.told_by_name(conf))


def vet_servers(conf: Config, cwd: Path, found: Sequence[Source]) -> None:
    """An error when a server or a hook of the project would be told a key of somebody's, or nobody can tell. `found`:
    all that was read."""
    if conf.named or conf.providers:
        from ccc.claude import declared  # in here: no Stop asks

        every = (*settings.servers_among(found), *declared.sources(conf.directory, cwd, found))
        settings.refuse(every, allowed_in(conf, cwd), beaten=lambda _: False, named=choosing.told_by_name(conf))


def allowed_in(conf: Config, cwd: Path, ground: Ground | None = None) -> Json:
    """In a worktree that the client made, what is allowed in the project counts as well; so it does in the folder of
    the start, whatever `.git` has come since."""
    project = project_directory(cwd)
    started = ground.project if ground and project == project_directory(ground.folder) else None
    named = (each for each in (project, folders.home_of_worktree(project), started) if each)
    known = [of_project(conf, each) for each in dict.fromkeys(named)]
    names = dict.fromkeys(name for allowed in known for name in allowed)
    return {name: [value for allowed in known for value in _values(allowed, name)] for name in names}


def _values(allowed: Json, name: str) -> list[object]:
    values = allowed.get(name, [])
    return values if isinstance(values, list) else []


def waiting(conf: Config, cwd: Path, env: Mapping[str, str]) -> list[Power]:
    """What this project's settings decide, allowed or not; in a worktree of it as well."""
    from ccc.claude import declared, worktrees

    here = (*settings.sources(conf.directory, cwd), *worktrees.offered(conf.directory, cwd, env))
    beside = (*settings.servers(cwd), *declared.sources(conf.directory, cwd, here))
    known: list[Power] = []
    for power in settings.project_powers((*here, *beside), choosing.told_by_name(conf)):
        known += [power] if power not in known else []
    return known


def allow(conf: Config, project: Path, cwd: Path, names: Sequence[str], env: Mapping[str, str]) -> None:
    """Allow the names with the values that they have now; one that holds a key, for a client that is started here."""
    known, holding = waiting(conf, cwd, env), choosing.holding_keys(conf, env)
    wanted = {name: [power.value for power in known if power.name == name] for name in names}
    for name in names:
        if not wanted[name] and name not in holding:
            raise _not_set(name, known)

    def change(text: str) -> str:
        for name, values in wanted.items():
            text = jsontext.set_value(text, (KEY, str(project), name), values)
        return text

    config.edit(conf.path, change)


def _not_set(name: str, known: Sequence[Power]) -> CccError:
    if not known:
        return Misuse(msg("this project's settings do not set {name}, and nothing that needs to be allowed", name=name))
    names = ", ".join(dict.fromkeys(power.name for power in known))
    return Misuse(msg("this project's settings do not set {name}", name=name), msg("they set {names}", names=names))


def overview(conf: Config, project: Path, cwd: Path, env: Mapping[str, str]) -> Iterator[str]:
    """A line for each thing that the project's settings would decide."""
    allowed = of_project(conf, project)
    known = waiting(conf, cwd, env)
    for power in known:
        if powers.is_allowed(power, allowed):
            yield msg("{name}: allowed ({reason})", name=power.name, reason=power.reason)
        else:
            yield msg("{name}: not allowed ({reason})", name=power.name, reason=power.reason)
    if not known:
        yield msg("nothing in the settings of {project} needs to be allowed", project=project)


def forget(conf: Config, project: Path, names: Sequence[str]) -> None:
    def change(text: str) -> str:
        allowed = _listed(config.part(text, KEY, conf.path), project, conf.path)
        for name in names:
            if name not in allowed:
                raise Misuse(
                    msg("{name} is not allowed for {project}", name=name, project=project), msg("see: ccc allow")
                )
            text = jsontext.remove(text, (KEY, str(project), name))
        return text

    config.edit(conf.path, change)
