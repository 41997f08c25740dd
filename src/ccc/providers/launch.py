"""Start claude with a provider: first the plan as a value, then exec.

Rule: a plan holds everything that claude will get; only `carry_out` touches this process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from ccc.base import documents, files, handed, jsontext, sink, spared
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.messages import foreign, msg
from ccc.claude import commandline, kept, program, settings, variables
from ccc.claude.settings import Source
from ccc.claude.variables import Provider
from ccc.providers import allowing, choosing, config, keeping
from ccc.providers.choosing import deep_merge
from ccc.providers.config import Config

Say = Callable[[str], None]


class Plan(Struct, frozen=True):
    client: Path
    args: tuple[str, ...]
    env: Mapping[str, str]
    overlay: Json  # settings for this start alone; may hold a token, so never argv and never a lasting file
    directory: Path  # ccc's own folder, for systems and clients where the overlay needs a file
    in_memory: bool = True  # the client reads an overlay that is no file
    notes: tuple[str, ...] = ()  # what the person reads before claude takes the terminal
    kept: frozenset[str] = frozenset()  # of `env`: what claude is not told, and ccc below it is

    @property
    def told(self) -> dict[str, str]:
        """The environment of a client, whose document lives as long as this process."""
        return kept.started_with(self.env, self.kept)


class Start(Struct, frozen=True):
    """What the person wants to start, where, and with what: the same for every mode."""

    conf: Config
    provider: Provider | None
    args: tuple[str, ...]  # for claude
    env: Mapping[str, str]
    cwd: Path
    say: Say

    @property
    def words(self) -> tuple[str, ...]:
        """All that claude is given, what stands in ccc.json first."""
        return (*self.conf.claude_args, *self.args)

    @property
    def state(self) -> Path:
        return config.state_directory(self.env)

    def files_read(self) -> tuple[Source, ...]:
        """Every file of settings and servers that claude would read if it were started so."""
        away = commandline.leads_away(self.words)
        if away:
            raise CccError(
                msg("{flag} leads claude to a folder that ccc has not looked at", flag=away),
                msg("go there, and start ccc without it"),
            )
        self._refuse_detached()
        here = settings.sources(self.conf.directory, self.cwd)
        return (*here, *settings.servers(self.cwd), *self._of_worktree(here))

    def _refuse_detached(self) -> None:
        """What ccc hands over ends with the client it starts: the other one would find no settings, or no key."""
        word = commandline.detaches(self.words) if self.provider else None
        if word and self.provider:
            raise CccError(
                msg(
                    "{word} hands the session to a process that does not get the key of {name}",
                    word=word,
                    name=self.provider.name,
                ),
                msg("leave it out; for work without you: ccc {name} -p, or ccc fleet add", name=self.provider.name),
            )

    def _of_worktree(self, here: Sequence[Source]) -> tuple[Source, ...]:
        wanted = commandline.worktree(self.words)
        if wanted is None:
            return ()
        from ccc.claude import worktrees  # asks git, which few starts need

        own = commandline.split_settings(self.words)[1]
        given = [Source("given", Path("--settings"), given_settings(own, self.cwd))] if own is not None else []
        known = (*here, *given)
        return worktrees.sources(wanted, known, config_directory=self.conf.directory, cwd=self.cwd, env=self.env)


def plan(start: Start, read: Sequence[Source] | None = None) -> Plan:
    """Everything for one start of claude; the person's own --settings is folded in. `read`: if it was already."""
    conf, provider, cwd = start.conf, start.provider, start.cwd
    client = program.find(start.env, cwd)
    child_env = _environment(conf, provider, start.env)
    read = start.files_read() if read is None else read
    sources = settings.without_servers(read)
    allowing.vet(conf, cwd, sources, beaten=settings.beaten_by(provider))
    if provider is None:
        return Plan(client, start.words, child_env, {}, start.state)
    allowing.vet_servers(conf, cwd, read)
    words, own = commandline.split_settings(start.words)
    settings.refuse_managed(provider, sources)
    rest = deep_merge(provider.settings, fold(own, provider, cwd, start.say) if own is not None else {})
    restored = settings.overriding(provider, sources)
    refuse_unloadable(rest, provider, client, start.state, start.env, must=bool(restored))
    plan = Plan(client, tuple(words), child_env, rest, start.state, kept=keeping_back(start, read))
    plan = pinned(plan, start, sources)
    return replace(plan, overlay=deep_merge(restored, plan.overlay))


def keeping_back(start: Start, read: Sequence[Source]) -> frozenset[str]:
    """The variables that this start's client is not told. `read`: all that it reads."""
    own = commandline.split_settings(start.words)[1]
    given = [Source("given", start.cwd, given_settings(own, start.cwd))] if own is not None else []
    for named in commandline.servers_given(start.words):
        with suppress(CccError):  # told by the client
            given.append(Source("given", start.cwd, given_settings(named, start.cwd)))
    return keeping.names(start.conf, start.provider, start.env, start.cwd, (*read, *given))


def beneath(plan: Plan, start: Start, more: Json) -> Plan:
    """With these settings, where nothing that is given by --settings says otherwise."""
    if not more or commandline.ends_at_once(plan.args, tuple):
        return plan
    from ccc.claude import loading

    words, own = commandline.split_settings(plan.args)
    given = plan.overlay or (given_settings(own, start.cwd) if own is not None else {})
    in_memory = loading.reads_memory(plan.client, start.state / "clients.json", start.env)
    return replace(plan, args=tuple(words), overlay=deep_merge(more, given), in_memory=in_memory)


def pinned(plan: Plan, start: Start, sources: Sequence[Source]) -> Plan:
    """With what keeps this client with its provider for as long as it lives; one that only prints something reads no
    file twice."""
    if start.provider is None or commandline.ends_at_once(plan.args, tuple):
        return plan
    from ccc.claude import loading

    in_memory = loading.reads_memory(plan.client, start.state / "clients.json", start.env)
    lasting = settings.pinned(start.provider, sources, start.env, secrets=in_memory)
    return replace(plan, overlay=deep_merge(plan.overlay, lasting), in_memory=in_memory)


def refuse_unloadable(
    given: Json, provider: Provider, client: Path, state: Path, env: Mapping[str, str], *, must: bool
) -> None:
    """The client drops a whole document for one value, and with it the provider's address that it restores, the helper
    for its key, or all of the person's own. `must`: something depends on it, so that a doubt is too much."""
    if not given:
        return
    from ccc.claude import loading  # few providers bring any

    names = loading.rejected(client, given, state / "clients.json", env)
    if names == [] or (names is None and not (must or _needs_helper(provider))):
        return
    raise CccError(
        msg(
            "claude would drop all settings of provider {name} because of {names}",
            name=provider.name,
            names=", ".join(key[:60] for key in (names if names is not None else given)),
        ),
        msg("correct or remove it in {path} or in --settings", path="ccc.json"),
    )


def _needs_helper(provider: Provider) -> bool:
    """Without it the client would send the person's own login to this address."""
    return bool(provider.base_url) and not provider.has_token


def carry_out(todo: Plan) -> NoReturn:
    """Become claude. Does not return."""
    sink.fill_closed_streams()  # before a descriptor of ours takes such a number, for claude to write its words into
    handed_over = hand_over(todo.overlay, todo.directory, todo.in_memory)[0] if todo.overlay else ""
    flag = ["--settings", handed_over] if handed_over else []
    for stream in filter(None, (sink.ready(), sink.ready(err=True))):  # None: it was closed when ccc was started
        stream.flush()
    try:
        spared.keep()  # nothing of this process comes back
        os.execve(todo.client, ["claude", *flag, *todo.args], todo.told)
    except OSError as error:
        raise CccError(
            msg("{client} cannot be started ({reason})", client=todo.client, reason=foreign(error.strerror)),
            msg("reinstall Claude Code or set CCC_CLAUDE"),
        ) from None


def _environment(conf: Config, provider: Provider | None, env: Mapping[str, str]) -> dict[str, str]:
    child = variables.child_environment(choosing.without_store(conf, env), provider)
    # Of the agent that this start was typed under.
    for name in (variables.SUPERVISED, variables.PROJECT, variables.KEPT):
        child.pop(name, None)
    # Whole paths: the hook is called from wherever the agent has gone to.
    if env.get("CCC_CONFIG_DIR"):
        child |= {"CCC_CONFIG_DIR": str(conf.directory), "CLAUDE_CONFIG_DIR": str(conf.directory)}
    if env.get("CCC_WORK_DIR"):
        child["CCC_WORK_DIR"] = str(config.state_directory(env).parent)
    return child


def fold(own: str, provider: Provider, cwd: Path, say: Say) -> dict[str, object]:
    """The person's --settings (a file or JSON) without what would redirect the provider."""
    given = given_settings(own, cwd)
    dropped = settings.contradictions(provider, Source("given", cwd, given))
    if not dropped:
        return given
    say(
        msg("--settings also sets {names}; provider {name} decides these", names=", ".join(dropped), name=provider.name)
    )
    return without(given, dropped)


def without(given: Json, keys: Collection[str]) -> dict[str, object]:
    """Settings less these keys, at the top or in `env`."""
    rest = {key: value for key, value in given.items() if key not in keys}
    env = given.get("env")
    if isinstance(env, dict):
        rest["env"] = {key: value for key, value in env.items() if key not in keys}
    return rest


def given_settings(own: str, cwd: Path) -> dict[str, object]:
    if not own.lstrip().startswith("{"):
        path = cwd / Path(own).expanduser()
        if not path.is_file():
            raise CccError(msg("--settings {path}: there is no such file", path=own))
        return documents.read_object(path)
    try:
        given = jsontext.parse(own)
    except jsontext.JsonError as error:
        raise CccError(msg("--settings is not valid JSON ({error})", error=error)) from None
    return given if isinstance(given, dict) else {}


def hand_over(overlay: Json, directory: Path, in_memory: bool = True) -> tuple[str, int | None]:
    """A path that the overlay can be read from, where nobody can change it, and the descriptor behind it."""
    data = settings.spelt(overlay)
    fd = handed.document("ccc-settings", data) if in_memory else None
    return (str(_private_file(data, directory)), None) if fd is None else (f"/dev/fd/{fd}", fd)


def offered(overlay: Json, directory: Path, in_memory: bool = True) -> Path:
    """A path where other processes find the overlay as long as this one lives."""
    path, fd = hand_over(overlay, directory, in_memory)
    return Path(path if fd is None else handed.place(fd))


def _private_file(data: bytes, directory: Path) -> Path:
    """Where it cannot be memory: a file named after the process that reads it, swept away when that one is gone."""
    files.private_directory(directory)
    for old in directory.glob("settings-*.json"):
        if not _alive(old.stem.removeprefix("settings-").partition(".")[0]):
            old.unlink(missing_ok=True)
    own = f"settings-{os.getpid()}"
    others = sum(path.read_bytes() != data for path in directory.glob(f"{own}*.json"))  # of a fallback, say
    path = directory / (f"{own}.{others}.json" if others else f"{own}.json")
    files.replace(path, data)
    return path


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:  # alive, and somebody else's
        return True
    return True
