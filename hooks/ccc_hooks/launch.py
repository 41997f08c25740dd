"""Start claude under supervision: write the hook, hand on what the hook will need, exec.

Rule: all that a Stop depends on is settled here, before the agent runs: client, provider, criteria, limits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from ccc.base import files, jsontext, languages
from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.messages import Phrases, msg
from ccc.claude import commandline, declared, loading, servers, settings, shaping, unasked, variables
from ccc.claude import program as claude
from ccc.claude.own_hook import FLAGS
from ccc.claude.settings import Source
from ccc.claude.variables import Provider, is_identity
from ccc.judging import caps, criteria, report
from ccc.providers import allowing, judges, launch
from ccc.providers.choosing import deep_merge
from ccc.providers.config import Config
from ccc.providers.launch import Plan, Say, Start
from ccc.record import placed, starts
from ccc.record.store import SessionStore, utc_now
from ccc_hooks import before, headless, rivals
from ccc_hooks.program import Program
from ccc_hooks.settings import Background, Hook, hook_command, mentioned, with_hook

# The client ends a hook at its timeout; ours has to be over by itself before that.
MARGIN_SECONDS = 60
STATUS = Phrases(
    "hook",
    {
        "status": "ccc reviews this stop · watch it: ccc logs -f",
        "woken": "ccc: the review sends the agent back · what for: ccc logs",
    },
)


def hook_into_settings(start: Start, program: Program) -> Plan:
    """The one settings.json of the config folder gets the hook. In memory, and given by --settings, is what the person
    gave so and what keeps the client with its provider: it reads files again while it runs, and a project's win."""
    conf, provider = start.conf, start.provider
    sources = settings.without_servers(start.files_read())
    words, own = commandline.split_settings(start.words)
    _refuse_hookless(words, start.env, in_user_file=True)
    _refuse_conflicts(provider, sources, own, start.cwd)
    base = _base(start, tuple(words), sources)
    given = launch.given_settings(own, start.cwd) if own else {}
    base = launch.beneath(replace(base, overlay=given), start, settings.of_supervised(sources, start.env))
    base = launch.pinned(base, start, sources)
    _refuse_unloadable(start, base, provider.settings if provider else {})
    rivals.refuse_copies(sources)
    hook = _hook(start, program, base.client)
    base = replace(base, overlay=_called(base.overlay, hook, conf))
    before.write(conf, provider.settings if provider else {}, hook, start.state, start.say)
    placed.wrote(start.state, conf.directory / "settings.json", hook.entry(), utc_now())
    return _supervised(base, start, sources, None)


def hook_into_files(start: Start, program: Program) -> Plan:
    """Two settings files for this provider, one with the hook and one for the reviewer; the user's is not touched."""
    provider = start.provider
    sources = settings.without_servers(start.files_read())
    words, own = commandline.split_settings(start.words)
    _refuse_hookless(words, start.env, in_user_file=False)
    _refuse_conflicts(provider, sources, None, start.cwd, shared=False)
    content = deep_merge(provider.settings if provider else {}, _folded(own, provider, start.cwd, start.say))
    agent, reviewer = _pair(start.conf, provider)
    base = _base(start, ("--settings", str(agent), *words), sources)
    _refuse_unloadable(start, base, content)
    rivals.refuse_copies(sources)
    hook = _hook(start, program, base.client, "--settings", str(reviewer), "--state-dir", str(start.state))
    kept = settings.pinned(provider, sources, start.env, secrets=False) if provider else {}
    alone = deep_merge(settings.of_supervised(sources, start.env), content)
    decided = deep_merge(kept, {"env": _heeded(start.conf)})
    _write_pair(start, agent, reviewer, content, deep_merge(alone, decided), hook)
    start.say(msg("settings: {agent}, {reviewer}", agent=agent, reviewer=reviewer))
    return _supervised(base, start, sources, reviewer)


def _called(overlay: Json, hook: Hook, conf: Config) -> Json:
    """With the hook once more, and how many blocks are heeded: a client that has it from two places calls it once, as
    this one has it, whatever is written into its files later."""
    if not overlay:  # it only prints something
        return overlay
    known: Json = jsontext.parse(with_hook(_dumped(overlay).decode(), hook, Path("--settings")))
    return deep_merge(known, {"env": _heeded(conf)})


def _heeded(conf: Config) -> Mapping[str, str]:
    return {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": str(conf.supervisor.max_iterations + 1)}


def _refuse_unloadable(start: Start, base: Plan, content: Mapping[str, object]) -> None:
    """A file that the client drops has no hook of ours and no rule of the person's."""
    if start.provider:
        launch.refuse_unloadable(content, start.provider, base.client, start.state, start.env, must=False)


def _base(start: Start, args: tuple[str, ...], sources: Sequence[Source]) -> Plan:
    """The start as without a provider, whose variables are in the environment alone: a file beats every one of them."""
    allowing.vet_servers(start.conf, start.cwd, start.files_read())
    bare = replace(start, conf=replace(start.conf, claude_args=()), provider=None, args=args)
    return launch.plan(bare, sources)


def _supervised(base: Plan, start: Start, sources: Sequence[Source], reviewer: Path | None) -> Plan:
    conf, provider, cwd, directory = start.conf, start.provider, start.cwd, start.state
    read = start.files_read()
    snapshot = criteria.snapshot(cwd, conf.directory, directory)
    clients = directory / "clients.json"
    claude.abilities(base.client, clients, start.env)  # asked now, so that no Stop has to
    if provider:
        loading.reads_memory(base.client, clients, start.env)
    project = claude.project_directory(cwd)
    judges.refuse_unable(base.client, conf.jurors(project), provider.name if provider else None, clients, start.env)
    announced = criteria.announced(cwd, conf.directory, snapshot) if snapshot else ()
    beside = declared.stop_hooks((*read, *declared.sources(conf.directory, cwd, sources)))
    for line in (
        *announced,
        *_warnings(sources),
        *_steered(sources),
        *_doubled(sources),
        *beside,
        *_uncounted(start, project),
    ):
        start.say(line)
    shaping_it = _shaping(start, reviewer)
    handed_on = {
        "CCC_SUPERVISOR": "1",
        "CCC_CLAUDE": str(base.client),
        "CCC_PROVIDER": provider.name if provider else "",
        variables.PROJECT: str(project),
        variables.STEERING: settings.steering(settings.sources(conf.directory, cwd), own=reviewer),
        variables.BROUGHT: ",".join(sorted(unasked.started(read))),
        variables.SHAPED: ",".join(sorted(shaping.marks(shaping_it))),
        variables.SERVED: ",".join(sorted(_served(start, (*shaping_it, Source("given", cwd, base.overlay))))),
        **_heeded(conf),
        **variables.SAME_PREFIX,
        **headless.handed_on(),
        **({criteria.VARIABLE: str(snapshot)} if snapshot else {}),
    }
    attended = not commandline.prints(start.words) or commandline.is_fed(start.words)
    starts.begun(directory, cwd, conf.directory, utc_now(), handed_on["CCC_PROVIDER"], attended=attended)
    notes = _log_files(start.env, directory)
    env = variables.child_environment(base.env, provider) | handed_on
    return replace(base, env=env, notes=notes, kept=launch.keeping_back(start, read))


def _uncounted(start: Start, project: Path) -> list[str]:
    """The client tells the reviewer's price, so one of another model says nothing of the agent's."""
    conf, provider = start.conf, start.provider
    first = conf.jurors(project)[0]
    own = first.model is None and first.provider in (None, provider.name if provider else None)
    model = commandline.model(start.words) or (provider.model if provider else start.env.get("ANTHROPIC_MODEL"))
    known = own or model is None or not variables.is_foreign(model)
    return [] if conf.supervisor.max_cost_usd is None or known else [caps.UNCOUNTED]


def _shaping(start: Start, reviewer: Path | None) -> tuple[Source, ...]:
    """All that a reviewer would meet, with the file that ccc has written for it."""
    written = settings.read("given", reviewer) if reviewer else None
    styles = settings.styles(start.conf.directory, start.cwd)
    return (*start.files_read(), *styles, *((written,) if written else ()))


def _served(start: Start, found: Sequence[Source]) -> frozenset[str]:
    """The project's servers that this client may start; about the others its UI asks, and nobody tells us the answer
    but a file that the agent can take away."""
    unasked_for = commandline.prints(start.words) or not os.isatty(1)
    bypassed = servers.bypassed(found, commandline.permission_mode(start.words))
    return servers.allowed(found, asked=not (unasked_for or bypassed))


def _refuse_hookless(words: Sequence[str], env: Mapping[str, str], *, in_user_file: bool) -> None:
    """Two wishes that exclude each other: only the person can say which one is meant."""
    word = commandline.hookless(words, env, in_user_file=in_user_file)
    if word:
        raise CccError(
            msg("with {word} claude does not call ccc's hook, so no stop would be reviewed", word=word),
            msg(
                "leave it out, or start pty mode (ccc --supervisor PROVIDER), or without supervision: "
                "CCC_SUPERVISOR=0 ccc PROVIDER"
            ),
        )


def _refuse_conflicts(
    provider: Provider | None, sources: Sequence[Source], own: str | None, cwd: Path, *, shared: bool = True
) -> None:
    """Supervised, the provider's variables are in the environment alone, and a settings file would beat them."""
    if provider is None:
        return
    settings.refuse_managed(provider, sources)
    for source in sources:
        keys = settings.contradictions(provider, source)
        if keys:
            fix = msg("move them with: ccc init --from-settings") if source.kind == "user" else msg("remove them there")
            raise CccError(
                msg(
                    "{path} sets {names}, which beats provider {name}",
                    path=source.path,
                    names=", ".join(keys),
                    name=provider.name,
                ),
                fix,
            )
    given = Source("given", cwd, launch.given_settings(own, cwd)) if own else None
    keys = settings.contradictions(provider, given) if given else []
    if keys:
        raise CccError(
            msg("--settings sets {names}, which beats provider {name}", names=", ".join(keys), name=provider.name),
            msg("leave them out"),
        )
    if shared and provider.settings.get(settings.HELPER):
        raise CccError(
            msg(
                "provider {name} has an apiKeyHelper, which every client would find in the one settings.json",
                name=provider.name,
            ),
            msg("start it with: ccc --supervisor --mode hooks {again}", again=provider.name),
        )


def _hook(start: Start, program: Program, client: Path, *options: str) -> Hook:
    command, words = hook_command(program, *options), STATUS[languages.of_person(start.env)]
    seconds = start.conf.supervisor.timeout_seconds + MARGIN_SECONDS
    failures = claude.tells_failures(client, start.state / "clients.json", start.env)
    return Hook(command, seconds, words["status"], failures, _background(start, program, client, options))


def _background(start: Start, program: Program, client: Path, options: Sequence[str]) -> Background | None:
    """None where nobody has asked for it, or nobody has a prompt; a client that could not be woken gets the ordinary
    hook, and that is told."""
    if not start.conf.supervisor.background_review or commandline.is_fed(start.words):
        return None
    if not claude.wakes(client, start.state / "clients.json", start.env):
        oldest = ".".join(map(str, claude.WAKES_SINCE))
        start.say(msg("{path} is older than {version}: reviews hold the prompt, as usual", path=client, version=oldest))
        return None
    waking, asked = (hook_command(program, flag, *options) for flag in FLAGS)
    return Background(waking, asked, STATUS[languages.of_person(start.env)]["woken"])


def _pair(conf: Config, provider: Provider | None) -> tuple[Path, Path]:
    """The agent's settings file and the reviewer's."""
    name = provider.name if provider else "default"
    return conf.directory / f"settings-{name}.json", conf.directory / f"settings-{name}-supervisor.json"


def _write_pair(start: Start, agent: Path, reviewer: Path, content: Json, kept: Json, hook: Hook) -> None:
    """The agent's is `kept` with its provider; a judge may have another one."""
    state = start.state
    bare = {key: value for key, value in content.items() if key != "hooks"}
    files.private_directory(state)
    files.replace(reviewer, _dumped(bare))
    with_ours = with_hook(_dumped(kept).decode(), hook, agent)
    files.replace(agent, with_ours.encode())
    placed.wrote(state, agent, hook.entry(), utc_now())


def _folded(own: str | None, provider: Provider | None, cwd: Path, say: Say) -> dict[str, object]:
    if own is None:
        return {}
    if provider:
        return launch.fold(own, provider, cwd, say)
    given = launch.given_settings(own, cwd)
    env = given.get("env")
    secret = [key for key in env if is_identity(key)] if isinstance(env, dict) else []
    if secret:
        say(msg("--settings also sets {names}; put these into ccc.json, this file is kept", names=", ".join(secret)))
    return launch.without(given, secret)


def _dumped(content: Mapping[str, object]) -> bytes:
    return (jsontext.pretty(content) + "\n").encode()


def _steered(sources: Sequence[Source]) -> list[str]:
    """The user's own file may set our variables, but hardly means to; a project's has been refused."""
    found = [(source.path, [key for key in source.env if key.startswith("CCC_")]) for source in sources]
    return [
        msg("{path} sets {names}: it changes how ccc works here; look at it", path=path, names=", ".join(keys))
        for path, keys in found
        if keys
    ]


def _doubled(sources: Sequence[Source]) -> list[str]:
    """Whether such a command really calls ccc nobody can tell, so it is left and named."""
    paths = dict.fromkeys(source.path for source in sources if mentioned(source.settings))
    return [
        msg("{path} has a Stop hook of its own that names ccc supervisor-hook: two hooks would review", path=path)
        for path in paths
    ]


def _warnings(sources: Sequence[Source]) -> list[str]:
    meanings = {
        "disableAllHooks": msg("no hook runs, so nothing is supervised"),
        "allowManagedHooksOnly": msg("only your administrator's hooks run, so nothing is supervised"),
    }
    return [
        msg("{path} sets {key}: {meaning}; ccc leaves it as it is", path=source.path, key=key, meaning=meaning)
        for source in sources
        for key, meaning in meanings.items()
        # The client heeds the second one in managed settings alone.
        if source.settings.get(key) is True and (key == "disableAllHooks" or source.kind == "managed")
    ]


def _log_files(env: Mapping[str, str], directory: Path) -> tuple[str, ...]:
    words = report.words(languages.of_person(env))
    return (
        report.words(languages.of_specification(env)).log_files,
        f"  {words.state_folder}: {directory}",
        f"  {words.invocation_log}: {SessionStore(directory, now=utc_now).log_path}",
        f"  {words.output_log}: {directory / 'supervisor-{session_id}-output.jsonl'}",
    )
