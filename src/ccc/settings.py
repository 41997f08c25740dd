"""Claude's settings files as claude reads them: where they are, and which of their keys would beat a provider.

Rule: this module reads; only ccc_hooks.settings and `ccc init` write one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ccc import config
from ccc.claude import project_directory
from ccc.config import Json
from ccc.errors import CccError
from ccc.providers import Provider, is_identity

HELPER = "apiKeyHelper"


@dataclass(frozen=True, slots=True)
class Source:
    """One settings file that exists."""

    kind: str  # user, project, local or managed
    path: Path
    settings: Json

    @property
    def env(self) -> Mapping[str, object]:
        env = self.settings.get("env")
        return env if isinstance(env, dict) else {}


def sources(config_directory: Path, cwd: Path, *, managed: Path | None = None) -> tuple[Source, ...]:
    """Every settings file that claude would read here, weakest first."""
    return tuple(
        Source(kind, path, _readable(path))
        for kind, path in _places(config_directory, cwd, managed or managed_directory())
        if path.is_file()
    )


def managed_directory() -> Path:
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode")
    return Path("/etc/claude-code")


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
                f"{source.path} (managed by your administrator) sets {', '.join(keys)}, which beats"
                f" provider {provider.name}; ask for its removal, or start plain claude"
            )


def _places(config_directory: Path, cwd: Path, managed: Path) -> Iterator[tuple[str, Path]]:
    yield "user", config_directory / "settings.json"
    for folder in dict.fromkeys((project_directory(cwd), cwd)):
        if folder / ".claude" != config_directory:  # else it is the user's, seen above
            yield "project", folder / ".claude" / "settings.json"
        yield "local", folder / ".claude" / "settings.local.json"
    yield "managed", managed / "managed-settings.json"
    for part in sorted((managed / "managed-settings.d").glob("*.json")):
        yield "managed", part


def _readable(path: Path) -> Json:
    """A file that claude cannot read either has no effect, so it counts as empty."""
    try:
        return config.read_object(path)
    except CccError:
        return {}
