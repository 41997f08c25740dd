"""Claude Code as a program: where it is, what it knows, and its command line and environment as values.

Rule: every fact about the client's flags and variables is in this file; nothing here reads its output stream.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ccc.base import files
from ccc.base.errors import CccError
from ccc.base.files import scratch_folder
from ccc.providers.choosing import Provider, is_identity

# Commands of the client that a person may type after `ccc`; the client's own --help adds the ones it has today.
WELL_KNOWN_COMMANDS = frozenset(
    {"agents", "attach", "auth", "auto-mode", "config", "doctor", "import", "install", "logs", "mcp", "plugin"}
    | {"plugins", "purge", "rm", "setup-token", "stop", "update", "upgrade"}
)


CACHE_LIMIT = 2**20
CLIENTS_KEPT = 8


class ClaudeNotFound(CccError):
    """No usable client."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What one client knows, asked of it once."""

    flags: tuple[str, ...]
    commands: tuple[str, ...]


def find(env: Mapping[str, str], cwd: Path) -> Path:
    """The client: CCC_CLAUDE, else PATH, else the one that comes with claude-agent-sdk."""
    named = env.get("CCC_CLAUDE")
    if named:
        return _named(named)
    import shutil

    on_path = shutil.which("claude", path=env.get("PATH", os.defpath))
    if on_path:
        return _outside_project(Path(os.path.abspath(on_path)), cwd)  # noqa: PTH100
    bundled = _bundled()
    if bundled:
        return bundled
    raise ClaudeNotFound(
        "claude is not on PATH; install Claude Code, or: pip install 'ccc-supervisor[claude]', or set CCC_CLAUDE"
    )


def project_directory(cwd: Path) -> Path:
    """The nearest folder with .git, else the working directory."""
    return next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)


def abilities(client: Path, cache: Path, env: Mapping[str, str]) -> Abilities:
    """Flags and commands of this very file, remembered until it changes."""
    stat = client.stat()
    key = f"{client}|{stat.st_size}|{stat.st_mtime_ns}"
    known = _remembered(cache, key)
    if known is None:
        known = parse_help(_ask_help(client, env))
        if not known.flags:  # a client that cannot say what it knows must not be run without what it needs
            raise ClaudeNotFound(f"{client} --help names no options; reinstall Claude Code or set CCC_CLAUDE")
        _remember(cache, key, known)
    return known


def parse_help(text: str) -> Abilities:
    options, _, commands = text.partition("\nCommands:")
    flags = re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]*)", "\n".join(_option_heads(options)), re.IGNORECASE)
    names = re.findall(r"^  ([a-z][\w|-]*)", commands, re.MULTILINE)
    return Abilities(
        flags=tuple(dict.fromkeys(flags)),
        commands=tuple(dict.fromkeys(word for name in names for word in name.split("|"))),
    )


def child_environment(env: Mapping[str, str], provider: Provider | None) -> dict[str, str]:
    """The client's environment: the provider's variables, and no other provider's."""
    if provider is None:
        return dict(env)
    keep_login = not provider.base_url and not provider.has_token
    kept = {key: value for key, value in env.items() if not is_identity(key) or (keep_login and _is_login(key))}
    return kept | dict(provider.env)


def _named(named: str) -> Path:
    path = Path(named).expanduser()
    if path.is_file() and os.access(path, os.X_OK):
        return Path(os.path.abspath(path))  # noqa: PTH100
    raise ClaudeNotFound(f"CCC_CLAUDE is {named!r}, which is no program that can be run; correct it or unset it")


def _outside_project(client: Path, cwd: Path) -> Path:
    project = project_directory(cwd)
    for candidate in (client, client.resolve()):
        if candidate.is_relative_to(project) or candidate.is_relative_to(project.resolve()):
            raise ClaudeNotFound(
                f"PATH finds claude inside this project ({client}), which the project could have put there;"
                f" if you mean it: export CCC_CLAUDE={client}"
            )
    return client


def _bundled() -> Path | None:
    from importlib.util import find_spec

    spec = find_spec("claude_agent_sdk")  # finds the folder; importing the package takes a second
    for folder in spec.submodule_search_locations or [] if spec else []:
        client = Path(folder) / "_bundled" / "claude"
        if os.access(client, os.X_OK):
            return client
    return None


def _ask_help(client: Path, env: Mapping[str, str]) -> str:
    import subprocess  # asked once per client; no Stop pays for it

    try:
        done = subprocess.run(
            [client, "--help"], env=dict(env), stdin=subprocess.DEVNULL, capture_output=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClaudeNotFound(
            f"{client} --help does not answer ({type(error).__name__}); reinstall Claude Code"
        ) from None
    return done.stdout.decode("utf-8", "replace")


def _option_heads(text: str) -> Iterator[str]:
    """The part of each option line before its description; descriptions mention flags of other commands."""
    for line in text.splitlines():
        if re.match(r"  (-\w, )?--\w", line):
            yield re.split(r"\s{2,}", line.strip())[0]


def _remembered(cache: Path, key: str) -> Abilities | None:
    found = _stored(cache).get(key)
    try:
        return Abilities(tuple(found["flags"]), tuple(found["commands"])) if found else None
    except (KeyError, TypeError):
        return None


def _stored(cache: Path) -> dict[str, Any]:
    import json

    try:
        stored = json.loads(files.read_own(cache, limit=CACHE_LIMIT) or b"{}")
    except (CccError, ValueError):  # a memory that cannot be read is an empty one
        return {}
    return stored if isinstance(stored, dict) else {}


def _remember(cache: Path, key: str, known: Abilities) -> None:
    import json

    others = dict(list(_stored(cache).items())[-CLIENTS_KEPT:])
    try:
        files.private_directory(cache.parent)
        files.private_directory(scratch_folder(cache.parent))
        data = json.dumps({**others, key: asdict(known)}, indent=1).encode()
        files.replace_own(cache, data, scratch=scratch_folder(cache.parent))
    except CccError:  # a read-only home costs one more question next time
        return


def _is_login(key: str) -> bool:
    return key.startswith("CLAUDE_CODE_OAUTH_")


# What a client sets for one session of its own. A reviewer that inherited these would take itself for a part of it.
_SESSION_VARIABLES = re.compile(
    r"CLAUDECODE|AI_AGENT|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+"
    r"|CLAUDE_CODE_(ENTRYPOINT|CHILD_SESSION|SSE_PORT|EXECPATH|SESSION_\w+|MESSAGING_\w+)"
)
# For a client that must not look at the network: the demo's, the self-test's.
QUIET_VARIABLES = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
    "DISABLE_AUTOUPDATER",
    "IS_SANDBOX",
)
PERMISSION_MODES = frozenset({"default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"})
# Bites for Edit, Write and the shell's own redirections, everywhere, and leaves the list of tools as the agent's.
NO_EDITS = "--disallowedTools=Edit(//**)"
# With it the agent in the terminal and the headless reviewer send the same system prompt, so the cache serves both.
SAME_PREFIX = {"CLAUDE_CODE_ATTRIBUTION_HEADER": "0"}


@dataclass(frozen=True, slots=True)
class Judge:
    """What a reviewer is started with, apart from the client."""

    session_id: str
    prompt: str
    schema: str | None = None  # None: the verdict is asked for in words
    model: str | None = None
    permission_mode: str | None = None
    settings: Path | None = None
    system: str | None = None  # a system prompt of its own, in pty mode


# What ccc says itself when it runs the agent, and what a person may therefore not say; True: a value follows.
_AGENT_OWN_FLAGS = {"-p": False, "--print": False, "--output-format": True, "--input-format": True, "--verbose": False}
_SESSION_FLAGS = {
    **dict.fromkeys(("-c", "--continue", "--fork-session"), False),
    **dict.fromkeys(("-r", "--resume", "--session-id", "--from-pr", "--teleport"), True),
}
_AGENT_STREAM = ("--print", "--verbose", "--output-format", "stream-json", "--input-format", "stream-json")


def without_own_flags(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """The person's words for the agent, and those that ccc has to drop because it says them itself."""
    return _without(args, _AGENT_OWN_FLAGS)


def without_session_flags(args: Sequence[str]) -> list[str]:
    """The person's words without those that choose a session, for a start that resumes the one they chose."""
    return _without(args, _SESSION_FLAGS)[0]


def _without(args: Sequence[str], flags: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    dropped: list[str] = []
    words = list(args)
    while words:
        word = words.pop(0)
        name = word.partition("=")[0]
        if name not in flags:
            kept.append(word)
            continue
        dropped.append(name)
        if flags[name] and "=" not in word and words and not words[0].startswith("-"):
            words.pop(0)
    return kept, dropped


def agent_command(
    client: Path, args: Sequence[str], flags: Collection[str], *, resume: str | None, asks: bool
) -> tuple[str, ...]:
    """The agent of pty mode: one live process that takes messages on a pipe. `asks`: a person grants permissions."""
    argv = [str(client), *_AGENT_STREAM]
    argv += ["--include-partial-messages"] if "--include-partial-messages" in flags else []
    argv += ["--permission-prompt-tool", "stdio"] if asks else []
    return (*argv, "--resume", resume, *without_session_flags(args)) if resume else (*argv, *args)


def pty_reviewer_command(client: Path, judge: Judge, flags: Collection[str]) -> tuple[str, ...]:
    """The fork of pty mode: the criteria are its system prompt, what the person typed is its prompt."""
    argv = [str(client), "--print", "--fork-session", "--resume", judge.session_id]
    argv += ["--verbose", "--output-format", "stream-json", "--system-prompt", judge.system or ""]
    # From 2.1.2xx on a resumed conversation keeps the system prompt it began with, and ignores ours without a word.
    argv += ["--system-prompt-snapshot", "off"] if "--system-prompt-snapshot" in flags else []
    argv += _common(judge, flags)
    return (*argv, "--", judge.prompt)


def as_json(judge: Judge) -> str:
    """The review as the SDK engine reads it."""
    import json

    told = {**asdict(judge), "settings": str(judge.settings) if judge.settings else None}
    return json.dumps(told, ensure_ascii=False)


def reviewer_command(client: Path, judge: Judge, flags: Collection[str]) -> tuple[str, ...]:
    """The fork that judges: sees what the agent saw, may read and run, may not edit."""
    argv = [str(client), "--fork-session", "--resume", judge.session_id]
    argv += ["--verbose", "--output-format", "stream-json"]
    if judge.schema and "--json-schema" in flags:
        argv += ["--json-schema", judge.schema]
    argv += _common(judge, flags)
    return (*argv, "--", judge.prompt)


def _common(judge: Judge, flags: Collection[str]) -> list[str]:
    """What holds for a reviewer in either mode: the agent's model and rights, and no edits."""
    argv: list[str] = []
    if judge.model and "--model" in flags:
        argv += ["--model", judge.model]
    if judge.permission_mode in PERMISSION_MODES and "--permission-mode" in flags:
        argv += ["--permission-mode", str(judge.permission_mode)]
    if "--disallowedTools" in flags:
        argv += [NO_EDITS]
    if judge.settings:
        argv += ["--settings", str(judge.settings)]
    return argv


def reviewer_environment(env: Mapping[str, str]) -> dict[str, str]:
    """An agent's environment without its session, and with the guard."""
    kept = {key: value for key, value in env.items() if not _SESSION_VARIABLES.fullmatch(key)}
    retries = {"CLAUDE_CODE_MAX_RETRIES": kept.get("CLAUDE_CODE_MAX_RETRIES", "2")}
    return kept | retries | SAME_PREFIX | {"CCC_SUPERVISOR_HOOK": "1"}


def split_settings(args: Sequence[str]) -> tuple[list[str], str | None]:
    """Take the person's own --settings out of the arguments; of several the client heeds the last."""
    rest: list[str] = []
    value: str | None = None
    words = iter(args)
    for word in words:
        if word == "--":
            return [*rest, word, *words], value
        if word == "--settings":
            value = next(words, None)
        elif word.startswith("--settings="):
            value = word.partition("=")[2]
        else:
            rest.append(word)
    return rest, value
