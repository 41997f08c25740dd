"""Who goes on where a provider keeps the agent waiting for long: the names that the person gave, in their order.

Rule: pure. The list of the provider that was started is the whole list: what those in it would fall back to is not
looked at, so there is no chain that nobody has written down, and no circle.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccc.base.documents import kind
from ccc.base.messages import msg
from ccc.providers import choosing
from ccc.providers.config import Config, ConfigError

Names = tuple[str, ...]


def of(conf: Config, name: str) -> Names:
    """The others, best first; () when the person has named none."""
    where = f"{conf.path}: providers.{name}.fallback"
    found = tuple(_given(conf.providers[name].get("fallback"), where))
    for number, other in enumerate(found):
        if other == name:
            raise ConfigError(msg("{where} names {name} itself", where=where, name=name), msg("name another provider"))
        if other in found[:number]:
            raise ConfigError(msg("{where} names {name} twice", where=where, name=other), msg("leave one out"))
        if other not in conf.providers:
            raise ConfigError(msg("{where}: {problem}", where=where, problem=choosing.unknown(other, conf.providers)))
    return found


def _given(value: object, where: str) -> Iterator[str]:
    match value:
        case None:
            return
        case str():
            yield value
        case list() if all(isinstance(each, str) for each in value):
            yield from value
        case _:
            raise ConfigError(
                msg("{where} must be a provider's name or a list of names, not {kind}", where=where, kind=kind(value)),
                msg('write "fallback": "NAME"'),
            )
