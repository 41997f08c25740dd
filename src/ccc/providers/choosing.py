"""Choosing, merging and checking a provider.

Rule: pure values; what a provider is allowed to hold is decided here, and no secret is ever part of a message.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from ccc.base import jsontext, withheld
from ccc.base.documents import Json
from ccc.base.errors import CccError, Misuse
from ccc.base.messages import Message, msg
from ccc.base.patterns import pattern
from ccc.claude import powers
from ccc.claude.variables import (
    BELOW,
    SUPERVISED,
    Provider,
    in_both,
    is_identity,
    is_login,
    is_session_token,
)
from ccc.providers import config, keys, store_address
from ccc.providers.config import Config, ConfigError

# Nothing works without these, whoever refers to them.
_NEEDED = frozenset({"HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "TZ", "USER"})
STORE = "CCC_FLEET_STORE"  # the address of the fleet's store, where it is not in ccc.json
SHORTEST_KEY = 8  # a server that asks for no key gets any word, which may stand anywhere


class UnknownProvider(Misuse):
    """A name that no provider has."""


def choose(conf: Config, name: str | None = None) -> str | None:
    """The provider to use: the named one, else the current one, else the first; None when there is none."""
    wanted = name or conf.current
    if wanted is None:
        return next(iter(conf.providers), None)
    if wanted not in conf.providers:
        raise unknown(wanted, conf.providers) if name else _stale_current(conf)
    return wanted


def resolve(conf: Config, name: str, env: Mapping[str, str]) -> Provider:
    """Merge base and provider settings and check what would end in a wrong address or a broken header."""
    own = conf.providers[name]
    _refuse_infinite(conf.settings, "settings", conf)
    _refuse_infinite(own, f"providers.{name}", conf)
    merged = deep_merge(conf.settings, own)
    provider = Provider(
        name=name,
        env=_environment(conf, name, env),
        settings={key: value for key, value in merged.items() if key not in config.OF_PROVIDER},
    )
    _check(provider, conf)
    return provider


def brought(conf: Config, name: str | None) -> frozenset[str]:
    """The variables that a client has from this provider, its proxy say, and not only from it."""
    holders = (conf.settings, conf.providers.get(name, {})) if name else ()
    own = frozenset(key for holder in holders if isinstance(env := holder.get("env"), dict) for key in env)
    return (own | _referred_alone(conf, name)) - _NEEDED


def _referred_alone(conf: Config, name: str | None) -> frozenset[str]:
    """The variables to which this provider's part of ccc.json refers, and no other's: where its keys are."""
    others = (conf.settings, *(part for other, part in conf.providers.items() if other != name))
    own = config.mentioned_in(conf.providers.get(name)) if name else ()
    return (conf.named & {*own}) - {*config.mentioned_in(list(others))}


def without_provider(conf: Config, name: str | None, env: Mapping[str, str]) -> Mapping[str, str]:
    """For another provider: what was started with the variables of this one has them in its environment. That one's own
    configuration may refer to them, or its traffic go where they lead; then a token would come to a foreign address."""
    dropped = brought(conf, name)
    return {key: value for key, value in env.items() if key not in dropped and not (name and _is_anothers(key))}


def _is_anothers(key: str) -> bool:
    """Whether ccc sets it for whoever it starts, under a name that ccc.json may not have: a copy of a key, say."""
    return is_identity(key) and not is_login(key)


def apart(conf: Config, name: str | None, env: Mapping[str, str]) -> Mapping[str, str]:
    """What a start with this provider finds: below a client that ccc has started with another, nothing of that one."""
    above = env.get(SUPERVISED) or env.get(BELOW) or None
    return env if name in (None, above) else without_provider(conf, above, env)


def without_keys(conf: Config, env: Mapping[str, str], command: str | None = None) -> dict[str, str]:
    """The environment for code that is not the provider's: no variable that ccc.json names or sets, whichever
    provider's it is (a cloud's key has a name of its own), none that holds a key, no token of the client's session.
    `command`: one of ccc.json itself, which has what it names and no provider does."""
    given, known = _given(conf), dict(env)  # the system's own cannot be asked for half a character
    own = frozenset(keys.mentioned(command or "")) - _of_providers(conf)
    named = (conf.named | given.keys()) - own - _NEEDED
    literal = (found for name, texts in given.items() for text in texts for found in keys.of_variable(name, text))
    spelt = (spelling for name in named for spelling in keys.spellings(known.get(name, "")))
    held = [key for key in {*spelt, *literal} if len(key) >= SHORTEST_KEY]
    return {
        name: value
        for name, value in without_store(conf, env).items()
        if name not in named
        and not is_identity(name)
        and not is_session_token(name)
        and not any(key in value for key in held)
    }


def _of_providers(conf: Config) -> frozenset[str]:
    return frozenset((*_given(conf), *config.mentioned_in([conf.settings, *conf.providers.values()])))


def speaks_of(provider: Provider, name: str) -> bool:
    """Whether its part of ccc.json sets this variable, or has a helper or a hook that names it."""
    return name in provider.env or powers.stands(jsontext.written(provider.settings), name)


def holding_keys(conf: Config, env: Mapping[str, str]) -> frozenset[str]:
    """The variables that hold a key of ccc.json's, whatever they are called; not the client's own, and none of those
    that lead somewhere, where a password may stand in an address."""
    known = [key for key in config.own_keys(conf, env) if len(key) >= SHORTEST_KEY]
    return frozenset(
        name
        for name, value in env.items()
        if name not in _NEEDED
        and not is_identity(name)
        and not name.upper().endswith("_PROXY")
        and any(key == value or (len(key) >= withheld.SHORTEST and key in value) for key in known)
    )


def without_store(conf: Config, env: Mapping[str, str]) -> dict[str, str]:
    """The environment of an agent: nothing that holds the address of the fleet's store, or its password."""
    named = config.referred(conf.fleet.store or "")
    addresses = [env.get(STORE, ""), env.get(named, "") if named else conf.fleet.store or ""]
    secrets = {secret for each in addresses if each for secret in store_address.secrets(each)}
    # Where the address has none, libpq takes it from here.
    lacks = any(each and not store_address.password(each) for each in addresses)
    own = {STORE, named, *(("PGPASSWORD",) if lacks else ())}
    return {
        name: value
        for name, value in env.items()
        if name in _NEEDED or (name not in own and not any(_shows(secret, value) for secret in secrets))
    }


def _shows(secret: str, value: str) -> bool:
    """A short one may stand anywhere by chance."""
    return secret in value if len(secret) >= SHORTEST_KEY else secret == value


def told_by_name(conf: Config) -> frozenset[str]:
    """The variables under which whatever is started with a provider could find a key: those that ccc.json refers to,
    and those that it sets itself; not those of the client, which it tells nobody."""
    return conf.named | conf.telling


def _given(conf: Config) -> Mapping[str, set[str]]:
    """Every variable that an `env` of ccc.json sets, whichever provider's, and the texts that it gives to it."""
    given: dict[str, set[str]] = {}
    for holder in (conf.settings, *conf.providers.values()):
        env = holder.get("env")
        for key, value in env.items() if isinstance(env, dict) else ():
            given.setdefault(key, set()).update({value} if isinstance(value, str) else ())
    return given


def deep_merge(base: Json, over: Json) -> dict[str, object]:
    """`over` wins; objects are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = deep_merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def nearest(word: str, names: Mapping[str, object]) -> list[str]:
    """The few names a person may have meant."""
    import difflib

    return difflib.get_close_matches(word, list(names)[:1000], n=3, cutoff=0.6)


def _environment(conf: Config, name: str, env: Mapping[str, str]) -> dict[str, str]:
    base = _strings(conf.settings, "settings.env", conf)
    own = _strings(conf.providers[name], f"providers.{name}.env", conf)
    merged = {key: (value, f"settings.env.{key}") for key, value in base.items()}
    merged |= {key: (value, f"providers.{name}.env.{key}") for key, value in own.items()}
    return in_both({key: config.expand(value, where, conf.path, env) for key, (value, where) in merged.items()})


def _strings(holder: Json, where: str, conf: Config) -> dict[str, str]:
    env = holder.get("env")
    if not isinstance(env, dict):
        return {}
    return {_variable(key, where, conf): config.env_value(env[key], f"{where}.{key}", conf.path) for key in env}


def _refuse_infinite(value: object, where: str, conf: Config) -> None:
    """Such a number cannot be handed on as it is spelled, and in no other way."""
    if isinstance(value, float) and math.isinf(value):
        raise ConfigError(
            msg("{path}: {key} is a number that is too large", path=conf.path, key=where),
            msg("write a smaller one, or a string"),
        )
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        _refuse_infinite(each, f"{where}.{key}", conf)


def _variable(key: str, where: str, conf: Config) -> str:
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        return key
    raise ConfigError(
        msg(
            "{path}: {where} has the name {name}, which is no variable name",
            path=conf.path,
            where=where,
            name=f"{key[:40]!a}",
        ),
        msg("rename it"),
    )


def _check(provider: Provider, conf: Config) -> None:
    where = f"{conf.path}: providers.{provider.name}.env"
    for key, value in provider.env.items():
        if re.search("\0" if key == "ANTHROPIC_CUSTOM_HEADERS" else r"[\x00-\x1f\x7f]", value):
            raise ConfigError(
                msg("{key} holds a line break or control character", key=f"{where}.{key}"),
                msg("paste the value anew on one line"),
            )
    if "ANTHROPIC_BASE_URL" in provider.env:
        problem = url_problem(provider.env["ANTHROPIC_BASE_URL"])
        if problem:
            raise ConfigError(
                msg("{where}.ANTHROPIC_BASE_URL {problem}", where=where, problem=problem),
                msg("write it like https://host/path"),
            )
    helper = provider.settings.get("apiKeyHelper")
    if helper is not None and not isinstance(helper, str):
        raise ConfigError(
            msg("{path}: apiKeyHelper of {name} must be a command", path=conf.path, name=provider.name),
            msg('write "apiKeyHelper": "…"'),
        )
    if provider.base_url and not provider.has_token and not (helper and helper.replace("\ufeff", " ").strip()):
        # The client would fill the gap with the login of another account.
        raise ConfigError(
            msg("{where} has a base URL but no key", where=where),
            msg("add ANTHROPIC_AUTH_TOKEN (any word if the server asks for none)"),
        )


_PLAIN_ADDRESS = pattern(r"https?://[A-Za-z0-9.-]*[A-Za-z0-9](:[0-9]{1,4})?(/[A-Za-z0-9._~/-]*)?")


def url_problem(url: str) -> str | None:
    """What keeps this from being the address of a provider."""
    if _PLAIN_ADDRESS.fullmatch(url):
        return None
    from urllib.parse import urlsplit  # in here: every start comes by, and nearly every address is plain

    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return msg("is not a URL")
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", url):
        return msg("is not a http or https URL")
    if parts.username is not None or parts.password is not None:
        return msg("holds a user name or password")
    return None


def unknown(word: str, names: Mapping[str, object]) -> CccError:
    """The error for a word that is no provider's name, with what to type instead."""
    hint = _hint(word, names, nearest(word, names))
    return UnknownProvider(msg("no provider is called {name}: {hint}", name=f"{word[:60]!a}", hint=hint))


def unknown_first(word: str, names: Mapping[str, object], commands: Iterable[str], start: str = "ccc") -> CccError:
    """The same for a first word, which could have been a command of ccc's or claude's as well; not so behind the
    options of a `start`, which are part of what is to be typed instead."""
    told = {"name": f"{word[:60]!a}", "start": start, "word": word[:60]}
    if start != "ccc":
        hint = _start_hint(word, names, start)
        return UnknownProvider(
            msg("no provider is called {name}: {hint} To hand the word to claude: {start} -- {word}", hint=hint, **told)
        )
    return UnknownProvider(
        msg(
            "no command or provider is called {name}: {hint} To hand the word to claude: {start} -- {word}",
            hint=_hint(word, names, nearest(word, dict.fromkeys((*names, *commands)))),
            **told,
        )
    )


def _start_hint(word: str, names: Mapping[str, object], start: str) -> Message:
    close = nearest(word, names)
    if close:
        return msg("did you mean: {command}?", command=f"{start} {close[0]}")
    hint = _hint(word, names, ())
    return msg("{hint} Type: {command}.", hint=hint, command=f"{start} NAME") if names else hint


def _hint(word: str, names: Mapping[str, object], close: Sequence[str]) -> Message:
    from ccc.providers.presets import PRESETS  # in here: only a mistake has a use for it

    preset = f" {word}" if word in PRESETS else ""
    if close and not (preset and not names):
        return meant(close)
    if not names:
        return msg("no provider is configured yet (run: ccc init{preset}).", preset=preset)
    return msg("there is {names}.", names=", ".join(list(names)[:10]))


def meant(names: Sequence[str]) -> Message:
    match names:
        case [one]:
            return msg("did you mean {one}?", one=one)
        case [one, two]:
            return msg("did you mean {one} or {two}?", one=one, two=two)
        case [one, two, *others]:
            return msg("did you mean {one} or {two} or {three}?", one=one, two=two, three=others[0])
        case _:
            raise ValueError(names)


def _stale_current(conf: Config) -> CccError:
    known = ", ".join(list(conf.providers)[:10])
    fix = msg("choose one with: ccc NAME ({names})", names=known) if known else msg("run: ccc init")
    return ConfigError(
        msg(
            "{path}: current_provider is {name}, which is not in providers",
            path=conf.path,
            name=f"{str(conf.current)[:60]!a}",
        ),
        fix,
    )
