"""Who judges a Stop: the agent's own model, another one, or another provider, each with its own address and key.

Rule: chosen from ccc.json alone; only the judge's key is among what goes to the judge's address.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ccc.base.documents import Json
from ccc.base.errors import CccError
from ccc.base.messages import msg
from ccc.claude import program, settings, variables
from ccc.claude.settings import Source
from ccc.claude.variables import Provider
from ccc.model import Juror
from ccc.providers import choosing
from ccc.providers.config import Config


class Chair(Struct, frozen=True):
    """One judge, ready to be started. `provider` is None where it is the agent's own."""

    juror: Juror
    provider: Provider | None = None
    dropped: frozenset[str] = frozenset()  # the variables that the agent's provider has brought

    @property
    def is_own(self) -> bool:
        """Whether the agent's own model judges, so that its cache serves the review."""
        return self.provider is None and self.juror.model is None

    def model(self, agents: str | None) -> str | None:
        """The model to ask for; None leaves it to the provider."""
        return self.juror.model or (self.provider.model if self.provider else agents)

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """From the agent's: nothing of its provider is left in it where another one judges."""
        if self.provider is None:
            return dict(env)
        kept = {key: value for key, value in env.items() if key not in self.dropped}
        return variables.child_environment(kept, self.provider)

    def untold(self, kept: Iterable[str]) -> frozenset[str]:
        """Of what the agent's client was not told, what this one is not told either."""
        return frozenset(name for name in kept if not (self.provider and choosing.speaks_of(self.provider, name)))

    def settings(
        self, given: Json, sources: Sequence[Source], env: Mapping[str, str], *, secrets: bool
    ) -> dict[str, object]:
        """From the agent's; what would send the judge elsewhere, in these or in a file, is beaten or left out, for as
        long as it judges. `env` is the agent's; without `secrets` these may have to stand in a file."""
        if self.provider is None:
            return dict(given)
        from ccc.providers.launch import without  # few have another judge

        settings.refuse_managed(self.provider, sources)
        dropped = [
            *settings.contradictions(self.provider, Source("given", Path(), dict(given))),
            *self.dropped,
            "model",
        ]
        own = choosing.deep_merge(without(given, dropped), self.provider.settings)
        kept = settings.pinned(self.provider, sources, self.environment(env), secrets=secrets)
        return choosing.deep_merge(choosing.deep_merge(own, settings.overriding(self.provider, sources)), kept)


def seated(conf: Config, juror: Juror, agent: str | None, env: Mapping[str, str]) -> Chair:
    foreign = juror.provider is not None and juror.provider != agent
    if not foreign or juror.provider is None:
        return Chair(juror)
    provider = choosing.resolve(conf, juror.provider, choosing.without_provider(conf, agent, env))
    return Chair(juror, provider, choosing.brought(conf, agent))


def refuse_unable(
    client: Path, jurors: Sequence[Juror], agent: str | None, cache: Path, env: Mapping[str, str]
) -> None:
    """A client that cannot fork a session to another provider is told at the start, and not at the first stop."""
    other = next((juror.provider for juror in jurors if juror.provider not in (None, agent)), None)
    if other is None:
        return
    if not program.changes_provider(program.told_version(client, cache, env)):
        raise CccError(
            msg(
                "{client} is too old to have {judge} judge what another provider's model has done",
                client=client,
                judge=other,
            ),
            msg("update Claude Code, or take supervisor.judge out of ccc.json"),
        )
