"""Claude's settings files as claude reads them: where they are, what they say, and what in them would beat a provider.

Rule: this module reads; only hooks mode (ccc_hooks.before and launch) and `ccc init` write one. A file counts as the
client reads it, byte for byte; one that ccc cannot read so is a problem that somebody has to hear of, never an empty
file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ccc.base import checksum, files, jsontext
from ccc.base.documents import FILE_LIMIT, Json
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.base.text import one_line
from ccc.claude import folders, own_hook, powers, skills, variables
from ccc.claude.links import End, end
from ccc.claude.variables import TOKEN_KEYS, Provider, is_identity, is_patience

HELPER = "apiKeyHelper"
GLOBAL = "global"
GLOBAL_LIMIT = 64 * 2**20  # the client's own memory grows with every project
OF_PROJECT = ("project", "local")
SERVERS = "servers"
PLUGIN, PLUGIN_OF_PROJECT = "plugin", "project's plugin"  # in a folder of skills
BY_PROJECT = (*OF_PROJECT, SERVERS, PLUGIN_OF_PROJECT)
DECLARED = "declared"  # in heads of texts, and in plugins; see claude/declared.py
STYLES = "styles"  # of output, in whatever folder
PLUGGED, UNSURE, CALLED = "plugins", "unsure", "name"  # what ccc says of such a plugin, in the place of settings

Beaten = Callable[[str], bool]


class Source(Struct, frozen=True):
    """One settings file that exists."""

    kind: str  # global, user, project, local or managed; one of those below for anything else
    path: Path
    settings: Json
    problem: str = ""  # why nobody can say what the client makes of it
    advice: str = msg("save it as plain JSON in UTF-8, or move it away")

    @property
    def env(self) -> Mapping[str, object]:
        env = self.settings.get("env")
        return env if isinstance(env, dict) else {}


def spelt(given: Json) -> bytes:
    """Settings as the client is handed them; whoever asks about such a document asks about these bytes."""
    return jsontext.written(given).encode()


def sources(config_directory: Path, cwd: Path, *, managed: Path | None = None) -> tuple[Source, ...]:
    """Every settings file that claude would read here, weakest first, and what keeps ccc from knowing them all."""
    places = _places(config_directory, cwd, managed or managed_directory())
    odd = [*_odd_name(cwd, "project"), *_odd_name(config_directory, "user"), *_plugins(config_directory, cwd)]
    try:
        found = _found(places)
    except folders.Odd as error:
        return (*odd, Source("local", cwd, {}, str(error), msg("move it away, or let git make it anew")))
    return (*odd, *found)


def _plugins(config_directory: Path, cwd: Path) -> Iterator[Source]:
    """Every plugin that needs no word in a file. A project's waits for the client's question, which others can answer
    as well: it counts whether or not that has been asked."""
    own, here = config_directory / "skills", cwd / ".claude" / "skills"
    places = [(PLUGIN, own)]
    if os.path.realpath(here) != os.path.realpath(own):
        places.append((PLUGIN_OF_PROJECT, here))
    for kind, folder in places:
        for path, content in skills.plugins(folder):
            doubt = {} if content else {UNSURE: True}
            called = {CALLED: name} if (name := manifest(path).get("name")) else {}
            yield Source(kind, path, {PLUGGED: {path.name: content or os.urandom(16).hex()}, **doubt, **called})


def manifest(plugin: Path) -> Json:
    """What the plugin in this folder says of itself."""
    found = read(PLUGIN, plugin / skills.MARK / "plugin.json")
    return found.settings if found else {}


def servers(cwd: Path) -> tuple[Source, ...]:
    """Every file of servers that claude would read here."""
    paths = [folder / ".mcp.json" for folder in folders.of_servers(cwd)]
    return _found((SERVERS, path) for path in paths)


def styles(config_directory: Path, cwd: Path) -> tuple[Source, ...]:
    """Every folder of output styles that claude would look into here, by its content."""
    places = [config_directory, *(folder / ".claude" for folder in folders.of_texts(cwd))]
    found = (place / "output-styles" for place in dict.fromkeys(places))
    return tuple(
        Source(STYLES, path, {"outputStyles": skills.content(path) or os.urandom(16).hex()})
        for path in found
        if os.path.lexists(path)
    )


def of_project(found: Iterable[Source]) -> tuple[Source, ...]:
    """The project's own files among them."""
    return tuple(source for source in found if source.kind in BY_PROJECT)


def without_servers(found: Iterable[Source]) -> tuple[Source, ...]:
    return tuple(source for source in found if source.kind not in (SERVERS, DECLARED))


def servers_among(found: Iterable[Source]) -> tuple[Source, ...]:
    return tuple(source for source in found if source.kind in (SERVERS, DECLARED))


def stop_commands(settings: Mapping[str, Any]) -> list[object]:
    """What stands as the command of each Stop hook, total over any settings; None where a hook is no command."""
    hooks = settings.get("hooks")
    stop = hooks.get("Stop") if isinstance(hooks, dict) else None
    groups = [group for group in stop if isinstance(group, dict)] if isinstance(stop, list) else []
    return [entry.get("command") for group in groups for entry in hook_entries(group) if isinstance(entry, dict)]


def hook_entries(group: Mapping[str, Any]) -> list[Any]:
    entries = group.get("hooks", [])
    return entries if isinstance(entries, list) else []


def _shell_line(*words: str) -> str:
    import shlex  # in here: every Stop reads the settings, and hardly any is refused

    return shlex.join(words)


def _is_composed(name: str) -> bool:
    if name.isascii():
        return True
    import unicodedata  # in here: every Stop reads the settings, and hardly a folder needs it

    return unicodedata.normalize("NFC", name) == name


def _odd_name(folder: Path, kind: str) -> Iterator[Source]:
    """The client spells a path in UTF-8, and its config folder in composed letters: else it looks somewhere else."""
    name = os.fsencode(folder).decode("utf-8", "replace")
    if name.encode() != os.fsencode(folder) or (kind == "user" and not _is_composed(name)):
        problem = msg("{path} is a name that claude spells otherwise", path=folder)
        yield Source(kind, folder, {}, problem, msg("use a folder with a plain name"))


def in_project(config_directory: Path, cwd: Path) -> tuple[Source, ...]:
    """The project's own files alone, as far as they can be found."""
    try:
        return _found(_project_places(config_directory, cwd))
    except folders.Odd:  # told by whoever asks for all of them
        return ()


def _found(places: Iterable[tuple[str, Path]]) -> tuple[Source, ...]:
    return tuple(found for kind, path in places if (found := read(kind, path)))


def read(kind: str, path: Path) -> Source | None:
    """The file as the client finds it; None where there is none."""
    match end(path):
        case End.ELSEWHERE:
            return Source(kind, path, {}, msg("{path} is a link that leads each program elsewhere", path=path))
        case End.NOWHERE if kind in (*OF_PROJECT, SERVERS):
            # What is not there yet may be there when the client looks: ccc itself writes files that a project can name.
            problem = msg("{path} is a link, and no file is there", path=path)
            return Source(kind, path, {}, problem, msg("remove the link, or make the file"))
        case End.NOWHERE | End.NOTHING:
            return None
    try:
        data = files.read_bytes(path, limit=GLOBAL_LIMIT if kind == GLOBAL else FILE_LIMIT)
    except CccError as error:
        return Source(kind, path, {}, error.what)
    return source(kind, path, data or b"")


def source(kind: str, path: Path, data: bytes) -> Source:
    """What these bytes say, if they stand at this path."""
    try:
        settings = parsed(data)
    except jsontext.JsonError as error:
        return Source(kind, path, {}, msg("{path} is not valid JSON ({error})", path=path, error=error))
    if isinstance(settings, dict):
        return Source(kind, path, settings)
    return Source(kind, path, {}, msg("{path} must hold a JSON object", path=path))


def parsed(data: bytes) -> object:
    """The value in a file's bytes; JsonError for what ccc cannot read as surely as the client."""
    text = decoded(data)
    return jsontext.parse(text) if text.strip() else {}


def decoded(data: bytes) -> str:
    """As the client does: UTF-16 behind its mark, else UTF-8 with U+FFFD for every byte that is none; one mark goes."""
    if data.startswith(b"\xff\xfe"):
        text = data[: len(data) & ~1].decode("utf-16-le", "surrogatepass")
    else:
        text = data.decode("utf-8", "replace")
    return text.removeprefix("\ufeff")


def managed_directory() -> Path:
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode")
    return Path("/etc/claude-code")


# What leads a request elsewhere, or opens it. A running client reads its files again whenever one changes, and a branch
# that the agent checks out brings others: what a start has decided must be decided for as long as its client lives.
_WAYS = (
    *("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"),
    "NODE_TLS_REJECT_UNAUTHORIZED",
    *("BUN_CONFIG_VERBOSE_FETCH", "ANTHROPIC_LOG"),  # with these each request is printed, with its keys
)
# The first part is the client's own table of addresses, with what it switches off or lets through beside each.
_ACCOUNT = (
    *("ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL", "ANTHROPIC_AWS_BASE_URL"),
    *("ANTHROPIC_FOUNDRY_BASE_URL", "ANTHROPIC_GOOGLE_CLOUD_BASE_URL", "ANTHROPIC_BEDROCK_MANTLE_BASE_URL"),
    *("CLAUDE_CODE_SKIP_BEDROCK_AUTH", "CLAUDE_CODE_SKIP_VERTEX_AUTH", "CLAUDE_CODE_SKIP_ANTHROPIC_AWS_AUTH"),
    *("CLAUDE_CODE_SKIP_FOUNDRY_AUTH", "CLAUDE_CODE_SKIP_ANTHROPIC_GOOGLE_CLOUD_AUTH", "CLAUDE_CODE_SKIP_MANTLE_AUTH"),
    *("_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL", "ANTHROPIC_FOUNDRY_RESOURCE"),
    *("ANTHROPIC_UNIX_SOCKET", "CLAUDE_CODE_API_BASE_URL", "CLAUDE_CODE_CUSTOM_OAUTH_URL"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_MANTLE"),
    *("CLAUDE_CODE_USE_ANTHROPIC_AWS", "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD", "CLAUDE_CODE_USE_GATEWAY"),
)
_SECRET = (*TOKEN_KEYS, "ANTHROPIC_CUSTOM_HEADERS")
# What a client starts beside itself (panes of teammates, background sessions) gets its `--settings` and not its
# environment: below a provider there are none. The teammates it has work in its own process.
_UNDETACHED = {"teammateMode": "in-process"}
_NO_BACKGROUND = {"CLAUDE_CODE_DISABLE_AGENT_VIEW": "1"}


def pinned(
    provider: Provider, found: Iterable[Source], env: Mapping[str, str], *, secrets: bool = True
) -> dict[str, object]:
    """The settings by which a client stays with its provider, whatever its files say later: the ways as they are now,
    the account and all else as the provider has them. Without `secrets`: what may stand in a lasting file."""
    found = tuple(found)
    written = {name: str(value) for source in found for name, value in source.env.items()}
    told = {**env, **written, **provider.env}
    ways = {name: told.get(name, "") for name in _WAYS} | _NO_BACKGROUND
    ways |= variables.of_commands(told, provider.key_variable)
    if not secrets:
        account = {name: provider.env.get(name, "") for name in _ACCOUNT}
        return {**_UNDETACHED, **_closed(provider), "env": {**ways, **account, **_keyless(provider)}}
    account = {**dict.fromkeys((*_ACCOUNT, *_SECRET), ""), **provider.env}
    if provider.key_variable and _holds_login_key(found):
        return {**_UNDETACHED, **_closed(provider), "env": {**ways, **account, **_keyless(provider)}}
    helper = {} if provider.settings.get(HELPER) or not provider.has_token else {HELPER: ""}
    return {**_UNDETACHED, **helper, "env": {**ways, **account}}


def _holds_login_key(found: Iterable[Source]) -> bool:
    """Whether the person has a login that is a key, the Console's. The client sends it beside any token, to whatever
    address; only a helper's key takes its place. On macOS the keychain has it, and the file whose keys are approved."""
    own = [source.settings for source in found if source.kind == GLOBAL]
    approved = (_object(each, "customApiKeyResponses").get("approved") for each in own if sys.platform == "darwin")
    return any(each.get("primaryApiKey") for each in own) or any(approved)


def _closed(provider: Provider) -> dict[str, object]:
    """A document with an address outlives its process, and is handed on to others that have not the provider's
    environment. There this helper fails, and where there is a helper the client sends no login."""
    name = provider.key_variable
    return {HELPER: f'printf %s "${{{name}:?ccc has not started this client, so it has no key}}"'} if name else {}


def _keyless(provider: Provider) -> dict[str, str]:
    """… nor any other key that such a process may have: the provider's own comes from the helper alone, but for a
    token that differs from it."""
    if not provider.key_variable:
        return {}
    token = provider.env.get(TOKEN_KEYS[0], "")
    kept = {TOKEN_KEYS[0]} if token != provider.key else set()
    others = {name for name in (*_SECRET[2:], "CLAUDE_CODE_OAUTH_TOKEN") if name not in provider.env}
    return dict.fromkeys(sorted({*TOKEN_KEYS, *others} - kept), "")


def overriding(provider: Provider, found: Iterable[Source]) -> dict[str, object]:
    """The settings that restore the provider where a settings file would beat its environment; {} when none does."""
    keys = {key for source in found for key in contradictions(provider, source)}
    overlay: dict[str, object] = {HELPER: ""} if HELPER in keys else {}
    env = {key: provider.env.get(key, "") for key in sorted(keys - {HELPER})}
    return overlay | ({"env": env} if env else {})


def contradictions(provider: Provider, source: Source) -> list[str]:
    """What in the file would take the place of the provider's own, or of what it leaves unset."""
    keys = [
        key
        for key, value in source.env.items()
        if (key in provider.env and provider.env[key] != value) or (is_identity(key) and key not in provider.env)
    ]
    # The client sends a helper's key beside the provider's token, to the provider's address.
    helper = source.settings.get(HELPER) and not provider.settings.get(HELPER)
    return [*keys, HELPER] if helper else keys


def refuse_managed(provider: Provider, found: Iterable[Source]) -> None:
    """Managed settings beat everything; a provider they contradict cannot be started honestly."""
    for source in found:
        keys = contradictions(provider, source) if source.kind == "managed" else []
        if keys:
            raise CccError(
                msg(
                    "{path} (managed by your administrator) sets {names}, which beats provider {name}",
                    path=source.path,
                    names=", ".join(keys),
                    name=provider.name,
                ),
                msg("ask for its removal, or start plain claude"),
            )


def refuse(
    found: Iterable[Source], allowed: Mapping[str, object], *, beaten: Beaten, named: Collection[str] = ()
) -> None:
    """Before a client starts: a file that nobody can be sure of, and what a project decides without the person's word.

    `beaten` are the names that this start decides itself, whatever a file says; `named` those that ccc.json refers to.
    """
    found = tuple(found)
    _refuse_overlong(found)
    for source in found:
        if source.problem:
            raise CccError(msg("{problem}, and claude may read it otherwise", problem=source.problem), source.advice)
        asked = [
            power
            for power in project_powers([source], named)
            if (power.reason in powers.NAMING or not beaten(power.name)) and not powers.is_allowed(power, allowed)
        ]
        if asked:
            names = [power.name[:60] for power in asked]
            reason = powers.common_reason(asked)
            command = _shell_line("ccc", "allow", *names)
            told = {"path": source.path, "names": ", ".join(names), "reason": reason}
            raise CccError(
                msg("{path} names {names}, which {reason}", **told)
                if reason in powers.NAMING
                else msg("{path} sets {names}: {reason}", **told),
                msg("look at it, then remove it or: {command}", command=command),
            )


def _refuse_overlong(found: Sequence[Source]) -> None:
    """Not to be allowed either: whatever a person says, the hook could not start."""
    asked = [source for source in found if source.kind in OF_PROJECT]
    for number, name in powers.overlong(source.settings for source in asked):
        raise CccError(
            msg(
                "{path} sets {name}: so long that no program could be started, not even the hook",
                path=asked[number].path,
                name=one_line(name, 60),
            ),
            msg("shorten it, or remove it"),
        )


DISPLAY = "MessageDisplay"
# Hooks around a turn: they see no tool and refuse none, so a reviewer loses nothing that protects by doing without.
_AROUND_A_TURN = frozenset(
    (
        "Stop",
        "SubagentStop",
        "StopFailure",
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreCompact",
        "PostCompact",
        DISPLAY,
    )
)
WITHOUT_HOOKS = MappingProxyType({"disableAllHooks": True})
# A client opens a socket of its own, and whoever has its token or its file in `sessions` puts words before the model:
# into a reviewer behind the rules of its verdict, into an agent as if the person had typed them (2.1.326).
INBOUND = "crossSessionInbound"
WITHOUT_MESSAGES = MappingProxyType({INBOUND: "refuse"})


def of_reviewer(found: Sequence[Source], *, attackable: bool = True) -> Json:
    """What a reviewer's settings say beyond the agent's: nobody else speaks to it, no hooks where these may go, and
    none of its patience, which from a file beats the environment. `attackable`: there is an agent that could have some
    come while it works."""
    patience = {key for source in found for key in _object(source.settings, "env") if is_patience(key)}
    impatient = {"env": dict.fromkeys(sorted(patience), "")} if patience else {}
    unhooked = hooks_may_go(found) and (attackable or any(_hooks(source.settings) for source in found))
    return {**(WITHOUT_MESSAGES if attackable else {}), **(WITHOUT_HOOKS if unhooked else {}), **impatient}


# With which a client keeps no transcript, the first one for a turn or for good (2.1.326).
_UNWRITTEN = ("CLAUDE_CODE_SKIP_PROMPT_HISTORY", "CLAUDE_CODE_CHILD_SESSION")
# What a client puts before each hook's command, and by which shell it calls hooks on Windows and commands anywhere.
_CALLED_BY = ("CLAUDE_CODE_SHELL_PREFIX", "CLAUDE_CODE_SHELL", "CLAUDE_CODE_GIT_BASH_PATH")
_KEPT = (*_UNWRITTEN, *_CALLED_BY)


def of_supervised(found: Iterable[Source], env: Mapping[str, str]) -> Json:
    """What an agent's settings say because its stops are reviewed: what is told as the person's word is, unless a file
    of theirs decides otherwise; and that it goes on calling hooks and writing down what is said and done, as it did at
    the start."""
    found = tuple(found)
    decided = any(INBOUND in source.settings for source in found if source.kind not in BY_PROJECT)
    told = {**env, **{name: str(value) for source in found for name, value in source.env.items()}}
    return {**({} if decided else WITHOUT_MESSAGES), "env": {name: told.get(name, "") for name in _KEPT}}


def hooks_may_go(found: Iterable[Source]) -> bool:
    """Whether a reviewer runs without hooks: none guards a tool, and none prepares a session, unless another Stop hook
    than ccc's would send it on, or one would change what it is heard to say. Else whatever came while it works would
    run in it, too.

    The client can leave out all or none (2.1.325); managed ones stay in any case. What a plugin brings is not known.
    """
    read = [source.settings for source in found if source.kind != "managed"]
    hooks = [(event, group) for settings in read for event, group in _hooks(settings)]
    plugged = any(
        on for settings in read for key in ("enabledPlugins", PLUGGED) for on in _object(settings, key).values()
    )
    others = any(event == "Stop" and not own_hook.is_ours(command) for event, command in hooks)
    events = {event for event, _ in hooks}
    spoils = others or DISPLAY in events
    return not plugged and events <= _AROUND_A_TURN and (spoils or "SessionStart" not in events)


def refuse_display(found: Sequence[Source]) -> None:
    """What a reviewer says in words is heard as the client shows it, and such a hook shows what it likes (2.1.326)."""
    for source in found:
        if any(event == DISPLAY for event, _ in _hooks(source.settings)) and not hooks_may_go(found):
            raise CccError(
                msg(
                    "{path} has a hook that changes what a reviewer is heard to say ({event})",
                    path=source.path,
                    event=DISPLAY,
                ),
                msg("take it out, then start ccc again"),
            )


def _hooks(settings: Json) -> list[tuple[str, object]]:
    """Each hook's event and command, as far as it is one."""
    return [
        (event, entry.get("command") if isinstance(entry, dict) else None)
        for event, groups in _object(settings, "hooks").items()
        for group in (groups if isinstance(groups, list) else [])
        for entry in (group["hooks"] if isinstance(group, dict) and isinstance(group.get("hooks"), list) else [])
    ]


def _object(settings: Json, key: str) -> Json:
    value = settings.get(key)
    return value if isinstance(value, dict) else {}


def steering(found: Iterable[Source], *, own: Path | None = None) -> str:
    """Changes with all that files of the person's decide about where requests go and what is loaded; behind it stand
    the programs that may be called as ccc's hook. `own` is the file that ccc has written for its reviewers."""
    known = _of_person(found, own)
    callers = {*_callers(known), *own_hook.callers_of_this_process()}
    return ".".join((_decided(known), *sorted(callers)))


def _of_person(found: Iterable[Source], own: Path | None) -> list[Source]:
    written = read("user", own) if own else None
    return [source for source in (*found, *((written,) if written else ())) if source.kind not in BY_PROJECT]


def _decided(known: Iterable[Source]) -> str:
    known = tuple(known)
    decided = [
        (os.fsencode(source.path).hex(), power.name, repr(power.value))
        for source in known
        for power in powers.of_settings(source.settings)
    ]
    started = [(os.fsencode(source.path).hex(), *each) for source in known for each in _starts(source.settings)]
    return checksum.of(repr((sorted(decided), sorted(started))).encode("utf-8", "replace"))


# What runs in a reviewer or beside it, or is its part.
_STARTING = ("mcpServers", "agent", "enabledPlugins", "disableAllHooks", PLUGGED)


def _starts(settings: Json) -> Iterator[tuple[str, str]]:
    """All that a file of the person's starts, but for ccc's own hook, which comes and goes with other starts of ccc."""
    yield from ((key, repr(settings[key])) for key in _STARTING if settings.get(key))
    for path, project in _object(settings, "projects").items():  # in the client's own memory
        if isinstance(project, dict) and project.get("mcpServers"):
            yield f"mcpServers of {path}", repr(project["mcpServers"])
    for event, group, entry in _entries(settings):
        if not _calls_ccc(event, entry):
            yield event, repr((group.get("matcher") if isinstance(group, dict) else group, entry))


def _callers(known: Iterable[Source]) -> set[str]:
    """The programs that stand there as ccc's hook: any other one can be called ccc as well."""
    entries = (each for source in known for each in _entries(source.settings))
    return {caller for event, _, entry in entries if (caller := _calls_ccc(event, entry))}


def _calls_ccc(event: str, entry: object) -> str:
    return own_hook.caller(entry) if event in ("Stop", "StopFailure") else ""


def _entries(settings: Json) -> Iterator[tuple[str, object, object]]:
    """Whatever stands where hooks are: the event, the group and the entry."""
    for event, groups in _object(settings, "hooks").items():
        for group in groups if isinstance(groups, list) else [groups]:
            entries = group.get("hooks") if isinstance(group, dict) else None
            for entry in entries if isinstance(entries, list) else [entries]:
                yield event, group, entry


def refuse_steered(found: Iterable[Source], before: str | None, *, own: Path | None = None) -> None:
    """The agent has the person's rights: what it has written there since the start must not choose its judge."""
    if not before:
        return
    found = tuple(found)
    _refuse_unsure(found)
    decided, *callers = before.split(".")
    known = _of_person(found, own)
    if _decided(known) != decided or not _callers(known) <= set(callers):
        raise CccError(
            msg("since the start somebody has changed in your own settings where requests go or what is loaded"),
            msg("look at settings.json, .claude.json and the plugins in your skills folder, then start ccc again"),
        )


def _refuse_unsure(found: Iterable[Source]) -> None:
    """Said by itself: to start again would not help."""
    for source in found:
        if source.settings.get(UNSURE) and source.kind in (PLUGIN, PLUGIN_OF_PROJECT):
            raise CccError(
                msg("{path} is a plugin, and nobody can tell whether it is as it was at the start", path=source.path),
                msg("move it away, or leave in it only what can be read, and not more than 64 MB in 5000 files"),
            )


def project_powers(found: Iterable[Source], named: Collection[str] = ()) -> list[powers.Power]:
    """What the project's own files decide that needs the person's word."""
    return [power for source in found for power in _powers(source, named)]


def _powers(source: Source, named: Collection[str]) -> list[powers.Power]:
    if source.kind == SERVERS:
        return powers.of_servers(source.settings, named)
    if source.kind == DECLARED:
        return powers.of_declared(source.settings, named)
    return powers.of_settings(source.settings, named) if source.kind in OF_PROJECT else []


def beaten_by(provider: Provider | None) -> Beaten:
    """The names that a start with this provider restores or blanks."""
    return lambda name: provider is not None and (is_identity(name) or name in provider.env or name == HELPER)


def _places(config_directory: Path, cwd: Path, managed: Path) -> Iterator[tuple[str, Path]]:
    for path in _global_files(config_directory):
        yield GLOBAL, path
    yield "user", config_directory / "settings.json"
    yield from _project_places(config_directory, cwd)
    yield "managed", managed / "managed-settings.json"
    for part in sorted((managed / "managed-settings.d").glob("*.json")):
        yield "managed", part


def _project_places(config_directory: Path, cwd: Path) -> Iterator[tuple[str, Path]]:
    for folder in folders.of_project(cwd):
        if folder / ".claude" != config_directory:  # else it is the user's
            yield "project", folder / ".claude" / "settings.json"
        yield "local", folder / ".claude" / "settings.local.json"


def _global_files(config_directory: Path) -> list[Path]:
    """The client's own memory: an `env` in it beats the environment as well. Which one it is depends on its version."""
    beside = [config_directory.parent / ".claude.json"] if config_directory.name == ".claude" else []
    return [*beside, config_directory / ".claude.json", config_directory / ".config.json"]
