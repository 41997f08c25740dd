"""The client's environment: which variables decide provider, account and model, and who gets which.

Rule: every fact about the client's variables is in this file; pure, and no secret is ever part of a message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ccc.base import checksum
from ccc.base.documents import Json
from ccc.base.patterns import pattern

TOKEN_KEYS = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
# What decides where a request goes, with whose money and to which model. All of it belongs to one provider:
# a left-over from another one would send this provider's token to a foreign address, or the reverse.
_IDENTITY = pattern(
    r"ANTHROPIC_\w+|CLAUDE_CODE_USE_\w+|CLAUDE_CODE_SKIP_\w+_AUTH|CLAUDE_CODE_OAUTH_\w+|CLAUDE_CODE_SUBAGENT_MODEL"
    r"|CCC_KEY_\w+|CCC_KEPT"
)
KEY_OF_ONE = "CCC_KEY_"  # how the names begin, see Provider.key_variable
# What a client sets for one session of its own. A reviewer that inherited these would take itself for a part of it.
_SESSION_VARIABLES = pattern(
    r"CLAUDECODE|AI_AGENT|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+"
    r"|CLAUDE_CODE_(ENTRYPOINT|CHILD_SESSION|SSE_PORT|EXECPATH|SESSION_\w+|MESSAGING_\w+)"
)
# … and what it sets for whatever it starts.
_OF_CLIENT = {
    "COREPACK_ENABLE_AUTO_PIN": "0",
    "NoDefaultCurrentDirectoryInExePath": "1",
    "GIT_EDITOR": "true",
    "CLAUDE_CODE_DISABLE_AGENT_VIEW": "1",  # by ccc's word
}
# … and of the session's what lets its holder speak for the session.
_SESSION_TOKENS = pattern(r"CLAUDE_CODE_(MESSAGING_\w+|\w+_TOKEN(_\w+)?)")
# For a client that must not look at the network: the demo's, the self-test's.
QUIET_VARIABLES = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
    "DISABLE_AUTOUPDATER",
    "IS_SANDBOX",
)
# A file that the client reads into the shell of every command of a tool, and ccc's; and where that finds the key.
_OF_COMMANDS, _BEFORE, NAME_OF_KEY = "CLAUDE_ENV_FILE", "CCC_ENV_FILE", "CCC_ENV_KEY"
NO_KEY = "none"  # … where this client needs none of ccc's
KEPT = "CCC_KEPT"  # where the variables are that a client was started without, see claude/kept.py
KEY_FOR_COMMANDS = Path(__file__).with_name("key_for_commands.sh")
# What tells the client how much a model that it does not know can read and write. Without the first one its UI says
# `Model "…" isn't recognized · context assumed to be 1m tokens`, and it compacts too late for a smaller window.
WINDOW, OUTPUT = "CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
_KNOWN_MODELS = pattern(r"(?i).*claude.*|default|best|opus(plan)?|sonnet|haiku|fable", re.DOTALL)
# How often a client asks again before it gives up; the rest is how one waits for hours in the same turn.
RETRIES = "CLAUDE_CODE_MAX_RETRIES"
_WATCHDOG = pattern(r"CLAUDE_CODE_RETRY_WATCHDOG\w*")
# Of an agent whose waiting is ccc's: four requests in four seconds (2.1.325 waits 0.5, 1 and 2 s) outlast a hiccup,
# and a wrong key or an empty purse is told before the person looks away; by itself the client asks for three minutes.
AGENTS_RETRIES = "3"
# In the environment of an agent that ccc started under supervision; `__main__` looks for it.
SUPERVISED = "CCC_PROVIDER"
# … and of every client that ccc started with a provider: what decides provider, account and model there is that one's.
BELOW = "CCC_BELOW"
STDERR = "CCC_STDERR"  # which file the client's stderr was when ccc started it
# … and what the person's settings decided, the project's started and all of them made of a reviewer then, so that a
# review can tell what is new; and which of the project's servers the client might start.
STEERING, BROUGHT, SHAPED, SERVED = "CCC_STEERING", "CCC_BROUGHT", "CCC_SHAPED", "CCC_SERVED"
# … and which project it was started in, by which checks and judges are found: an agent can make a `.git` anywhere.
PROJECT = "CCC_PROJECT"
# With it the agent in the terminal and the headless reviewer send the same system prompt, so the cache serves both.
SAME_PREFIX = {"CLAUDE_CODE_ATTRIBUTION_HEADER": "0"}


def is_foreign(model: str) -> bool:
    """Whether it is none of Claude's, whatever name that is called by."""
    return not _KNOWN_MODELS.fullmatch(model.partition("[")[0])


class Provider(Struct, frozen=True):
    """One provider, merged with the base settings, variables expanded."""

    name: str
    env: Mapping[str, str]
    settings: Json  # everything but env

    @property
    def base_url(self) -> str | None:
        return self.env.get("ANTHROPIC_BASE_URL") or None

    @property
    def model(self) -> str | None:
        return self.env.get("ANTHROPIC_MODEL") or _text(self.settings.get("model"))

    @property
    def foreign_model(self) -> str | None:
        """The model, when the client cannot know its window."""
        return self.model if self.model and is_foreign(self.model) else None

    @property
    def has_token(self) -> bool:
        return any(_holds(self.env, key) for key in TOKEN_KEYS)

    @property
    def key_variable(self) -> str:
        """Where the key of this address stands for the helper of a lasting document, and no other one ever does; empty
        where none is needed: the login's own address, or a helper of the person's. The name is made of the key as well,
        so that nobody who does not have the key can tell it: a client puts any variable that a project's server or hook
        names into what it sends there, but its own tokens."""
        address = self.base_url
        if not address or _LOGIN_ADDRESS.match(address) or not self.has_token or self.settings.get("apiKeyHelper"):
            return ""
        made_of = f"{self.name} {address} {self.key}".encode("utf-8", "surrogateescape")
        return f"{KEY_OF_ONE}{checksum.of(made_of)[:16]}"

    @property
    def key(self) -> str:
        """What goes out as `x-api-key`."""
        return next((self.env[key] for key in reversed(TOKEN_KEYS) if _holds(self.env, key)), "")


def of_environment(name: str, env: Mapping[str, str], settings: Json) -> Provider:
    """The provider as a client that was started with it has it; `settings` are those that it was given."""
    own = {key: value for key, value in env.items() if is_identity(key) and not key.startswith((KEY_OF_ONE, KEPT))}
    return Provider(name, own, settings)


def in_both(env: Mapping[str, str]) -> dict[str, str]:
    """A provider's variables, with its key as its token too where the address is not the login's.

    The UI asks whether it may use a key that it finds in ANTHROPIC_API_KEY; No stands chosen there, and it then sends
    the person's own login to this address (2.1.326). Where there is a token it never does.
    """
    token, key = TOKEN_KEYS
    lacks = _holds(env, key) and not _holds(env, token) and env.get("ANTHROPIC_BASE_URL")
    return {**env, token: env[key]} if lacks and not _LOGIN_ADDRESS.match(env["ANTHROPIC_BASE_URL"]) else dict(env)


_LOGIN_ADDRESS = pattern(r"(?i)https://([a-z0-9-]+\.)*anthropic\.com(:443)?(/|\Z)")


def _holds(env: Mapping[str, str], key: str) -> bool:
    """Whether the client finds something there: it takes blanks, the mark of byte order among them, for nothing."""
    return bool(env.get(key, "").replace("\ufeff", " ").strip())


def with_key(env: Mapping[str, str]) -> dict[str, str]:
    """Below a client whose lasting settings have blanked its tokens: as its start had them."""
    key = next((value for name, value in env.items() if name.startswith(KEY_OF_ONE)), "")
    return {**env, **({name: key for name in TOKEN_KEYS if env.get(name) == ""} if key else {})}


def of_commands(told: Mapping[str, str], key_variable: str) -> dict[str, str]:
    """What the client reads into the shell of each command, and the file of the person's that it read there before. A
    claude that a command starts has this client's address and none of its settings: with a token and a key of the
    provider's it sends neither login nor key of the person's there. The variable of the key is named, because whatever
    else stands in an environment, a line break in a value too, is the project's to choose."""
    before = told.get(_OF_COMMANDS, "")
    known = told.get(_BEFORE, "") if _is_ours(before) else before
    return {_OF_COMMANDS: str(KEY_FOR_COMMANDS), _BEFORE: known, NAME_OF_KEY: key_variable or NO_KEY}


def _is_ours(path: str) -> bool:
    return Path(path).name == KEY_FOR_COMMANDS.name


def lacks_key(env: Mapping[str, str]) -> bool:
    """Whether a client would send the person's login to an address whose key such settings have blanked."""
    address = env.get("ANTHROPIC_BASE_URL", "")
    blanked = any(key in env for key in TOKEN_KEYS) and not any(_holds(env, key) for key in TOKEN_KEYS)
    return bool(address) and not _LOGIN_ADDRESS.match(address) and blanked


def is_identity(key: str) -> bool:
    """Whether a variable decides provider, account or model."""
    return _IDENTITY.fullmatch(key) is not None


def is_of_client(key: str, value: str) -> bool:
    """Whether a client says this to whatever it starts, and nobody else does."""
    return _OF_CLIENT.get(key) == value or _SESSION_VARIABLES.fullmatch(key) is not None


def is_session_token(key: str) -> bool:
    """Whether a variable is the client's own key to its session."""
    return _SESSION_TOKENS.fullmatch(key) is not None


def is_patience(key: str) -> bool:
    """Whether a variable makes a client wait for hours in the same turn."""
    return _WATCHDOG.fullmatch(key) is not None


def child_environment(env: Mapping[str, str], provider: Provider | None) -> dict[str, str]:
    """The client's environment: the provider's variables, and no other provider's."""
    if provider is None:
        return dict(env)
    keep_login = not provider.base_url and not provider.has_token
    kept = {key: value for key, value in env.items() if not is_identity(key) or (keep_login and is_login(key))}
    own = {provider.key_variable: provider.key} if provider.key_variable else {}
    return kept | dict(provider.env) | own | {BELOW: provider.name}


def is_login(key: str) -> bool:
    """Whether a variable is the person's own account."""
    return key.startswith("CLAUDE_CODE_OAUTH_")


def reviewer_environment(env: Mapping[str, str]) -> dict[str, str]:
    """An agent's environment without its session and without the mark of a supervised one, and with the guard."""
    kept = {key: value for key, value in env.items() if not _is_the_agents(key)}
    return {RETRIES: "2"} | kept | SAME_PREFIX | {"CCC_SUPERVISOR_HOOK": "1"}


def waited_for(env: Mapping[str, str]) -> dict[str, str]:
    """Of an agent whose limits and outages somebody else waits for; the person's own number stays."""
    return {RETRIES: AGENTS_RETRIES} | dict(env)


def _is_the_agents(key: str) -> bool:
    """What a reviewer has no use for: the agent's session, the mark of a supervised one, and its patience."""
    return key == SUPERVISED or is_patience(key) or _SESSION_VARIABLES.fullmatch(key) is not None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
