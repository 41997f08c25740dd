"""The first run: ccc.json from a preset, or from what stands in settings.json.

Rule: a plan is a value that can be shown before anything is written; ccc.json has the keys before settings.json
loses them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from ccc.base import documents, files, jsontext
from ccc.base.documents import Json
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import msg
from ccc.claude.variables import is_identity
from ccc.providers import config
from ccc.providers.choosing import url_problem
from ccc.providers.config import Config, ConfigError
from ccc.providers.presets import PRESETS, Preset, name_for_host


class Addition(Struct, frozen=True):
    """One provider to be added, and what leaves settings.json for it."""

    name: str
    settings: Json
    moved: tuple[tuple[str, ...], ...] = ()
    source: Path | None = None

    @property
    def keys(self) -> list[str]:
        env = self.settings.get("env")
        return [*(env if isinstance(env, dict) else ()), *(key for key in self.settings if key != "env")]


def from_preset(preset: Preset, key: str | None, *, name: str | None = None, base_url: str | None = None) -> Addition:
    """`key` is the key itself or `${NAME}`; None for a login."""
    if preset.key_variable is None:
        return Addition(name or preset.name, {"env": {}})
    env = {**preset.env, "ANTHROPIC_AUTH_TOKEN": key or f"${{{preset.key_variable}}}"}
    if base_url:
        problem = url_problem(base_url)
        if problem:
            raise Misuse(msg("--base-url {problem}", problem=problem), msg("write it like https://host/path"))
        env["ANTHROPIC_BASE_URL"] = base_url
    return Addition(name or preset.name, {"env": env})


def from_settings(directory: Path, *, name: str | None = None) -> Addition:
    """The provider that an existing settings.json describes."""
    source = directory / "settings.json"
    document = documents.read_object(source)
    env = document.get("env")
    found = {key: value for key, value in env.items() if is_identity(key)} if isinstance(env, dict) else {}
    helper = {"apiKeyHelper": document["apiKeyHelper"]} if document.get("apiKeyHelper") else {}
    if not found and not helper:
        raise CccError(
            msg("{path} holds no provider keys (ANTHROPIC_…)", path=source),
            msg("choose a preset: ccc init {presets}", presets="|".join(PRESETS)),
        )
    return Addition(
        name=name or _name_from(found),
        settings={"env": found, **helper},
        moved=(*(("env", key) for key in found), *((key,) for key in helper)),
        source=source,
    )


def check_free(conf: Config, addition: Addition, commands: frozenset[str]) -> None:
    _refuse_taken(conf.providers, addition.name, conf.path)
    try:
        config.check_name(addition.name, conf.path, commands)
    except ConfigError as error:  # the name was typed, and stands in no file yet
        raise Misuse(error.what, error.fix) from None


def _refuse_taken(providers: Json, name: str, path: Path) -> None:
    if name in providers:
        raise CccError(
            msg("{path} already has a provider {name}", path=path, name=name),
            msg("to change it, edit that file; to add another one: --name NAME"),
        )


def write(conf: Config, addition: Addition, *, now: datetime) -> Path | None:
    """Add the provider; returns the backup of settings.json when keys were moved out of it."""
    config.edit(conf.path, lambda text: _with_provider(text, addition, conf.path))
    config.tighten(conf)
    if addition.source is None:
        return None
    return _moved_out(addition.source, addition, now)


def _moved_out(source: Path, addition: Addition, now: datetime) -> Path:
    """Take out what ccc.json has now; a value that has changed meanwhile is another one, and stays."""
    backups: list[Path] = []

    def change(text: str) -> str:
        backups.append(_free(source.with_name(f"settings.json.before-ccc-{now:%Y%m%d-%H%M%S}")))
        files.replace(backups[0], text.encode())
        document = documents.parsed(text, source) if text.strip() else {}
        same = [path for path in addition.moved if _at(document, path) == _at(addition.settings, path)]
        return _without(text, same)

    config.edit(source, change)
    return backups[0]


def _free(path: Path) -> Path:
    names = (path, *(path.with_name(f"{path.name}-{number}") for number in range(2, 100)))
    return next((name for name in names if not name.exists()), path)


def _at(document: object, path: tuple[str, ...]) -> object:
    for step in path:
        document = document.get(step) if isinstance(document, dict) else None
    return document


def missing_variable(addition: Addition, env: Mapping[str, str]) -> str | None:
    """The variable that the new provider reads its key from, when it is not set."""
    values = addition.settings.get("env")
    texts = values.values() if isinstance(values, dict) else ()
    named = (match[1] for text in texts if (match := re.fullmatch(r"\$\{(\w+)\}", str(text))))
    return next((name for name in named if not env.get(name)), None)


def _with_provider(text: str, addition: Addition, path: Path) -> str:
    document = documents.parsed(text, path) if text.strip() else {}
    _refuse_taken(config.part(text, "providers", path), addition.name, path)
    text = jsontext.set_value(text, ("providers", addition.name), dict(addition.settings))
    return text if document.get("current_provider") else jsontext.set_value(text, ("current_provider",), addition.name)


def _without(text: str, paths: Sequence[tuple[str, ...]]) -> str:
    for path in paths:
        text = jsontext.remove(text, path)
    return text


def _name_from(env: Mapping[str, object]) -> str:
    url = env.get("ANTHROPIC_BASE_URL")
    try:
        host = urlsplit(url).hostname if isinstance(url, str) else None
    except ValueError:
        host = "custom"
    return name_for_host(host) if host else "anthropic"
