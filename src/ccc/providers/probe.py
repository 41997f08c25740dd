"""One real request that shows whether a provider answers.

Rule: a token goes to the provider's own address only, so redirects are failures; no message repeats it.
"""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ccc.base import anyjson, web
from ccc.base.messages import msg
from ccc.base.patterns import pattern
from ccc.base.text import one_line
from ccc.base.withheld import SHORTEST
from ccc.claude.variables import TOKEN_KEYS, Provider
from ccc.providers import keys
from ccc.providers.config import referred

TIMEOUT = 30.0
DEFAULT_MODEL = "claude-haiku-4-5"


class Probe(Struct, frozen=True):
    name: str
    ok: bool | None  # None: nobody can tell without the client
    detail: str
    seconds: float | None = None


def probe(provider: Provider, env: Mapping[str, str] = MappingProxyType({})) -> Probe:
    """Ask for one token; the login of a subscription only the client itself can try. `env` is the person's."""
    if not provider.has_token:
        said = msg("uses the client's own login, which ccc cannot try; type: ccc {name} -p hi", name=provider.name)
        return Probe(provider.name, None, said)
    begun = time.monotonic()
    try:
        status, body = _ask(provider, {**env, **provider.env})
    except (OSError, HTTPException, ValueError) as error:
        return Probe(provider.name, False, _unreachable(provider, error))
    seconds = time.monotonic() - begun
    return Probe(provider.name, *_judge(provider, status, body), seconds)


def _ask(provider: Provider, env: Mapping[str, str]) -> tuple[int, bytes]:
    opener = web.opener(env)
    try:
        with opener.open(_request(provider), timeout=TIMEOUT) as answer:
            return answer.status, answer.read(65536)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(65536)


def _request(provider: Provider) -> urllib.request.Request:
    base = (provider.base_url or "https://api.anthropic.com").rstrip("/")
    question = {
        "model": provider.model or DEFAULT_MODEL,
        "max_tokens": 1,
        "messages": [{"role": "user", "content": "hi"}],
    }
    return urllib.request.Request(
        f"{base}/v1/messages", data=json.dumps(question).encode(), headers=_headers(provider.env)
    )


def _headers(env: Mapping[str, str]) -> dict[str, str]:
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01", "user-agent": "ccc"}
    if env.get("ANTHROPIC_AUTH_TOKEN"):
        headers["authorization"] = f"Bearer {env['ANTHROPIC_AUTH_TOKEN']}"
    if env.get("ANTHROPIC_API_KEY"):
        headers["x-api-key"] = env["ANTHROPIC_API_KEY"]
    return headers


def _judge(provider: Provider, status: int, body: bytes) -> tuple[bool, str]:
    said = one_line(_without_secrets(provider, _message(body)), 200)
    if status == 200:
        return (
            (True, msg("answers"))
            if _is_message(body)
            else (False, msg("answers, but not as a Messages API; check the base URL"))
        )
    if 300 <= status < 400:
        return False, msg(
            "HTTP {status}: redirects elsewhere; put the final address into ANTHROPIC_BASE_URL", status=status
        )
    if status in (401, 403):
        return False, msg(
            "HTTP {status}: the key was refused ({said}); put a valid one into ccc.json", status=status, said=said
        )
    if status == 404:
        return False, msg(
            "HTTP 404: no Messages API or no such model there ({said}); check base URL and model", said=said
        )
    if status == 429:
        return False, msg("HTTP 429: out of quota or too fast ({said}); the key itself is accepted", said=said)
    return False, f"HTTP {status} ({said})"


def _is_message(body: bytes) -> bool:
    try:
        answer = anyjson.loads(body)
    except ValueError:
        return False
    return isinstance(answer, dict) and answer.get("type") == "message"


def _message(body: bytes) -> str:
    try:
        answer: Any = anyjson.loads(body)
        said = answer["error"]["message"]
    except (ValueError, KeyError, TypeError):
        said = body.decode("utf-8", "replace")
    return str(said)


def _unreachable(provider: Provider, error: Exception) -> str:
    reason = _without_secrets(provider, str(getattr(error, "reason", None) or error))
    where = shown(provider.base_url or "api.anthropic.com")
    return msg(
        "no answer from {where} ({reason}); check ANTHROPIC_BASE_URL in ccc.json, and the network",
        where=where,
        reason=one_line(reason, 120),
    )


_ADDRESS = pattern(r"(?P<scheme>https?://)(?:[^/?#]*@)?(?P<rest>[^?#]*)(?P<asked>[?#].*)?", re.DOTALL)


# Some gateways have the key in the path. It looks like nothing that anybody would call a folder.
_KEY_IN_PATH = pattern(r"(?<=/)(?=[^/]*[A-Za-z])(?=[^/]*[0-9])(?=[^/]*[A-Za-z0-9]{12})[^/]{16,}")


def shown(address: str) -> str:
    """An address without what can be a key: a password, a query, a part of the path that looks like one, or a word in
    its place that is no address."""
    if referred(address) or address == "api.anthropic.com":
        return address
    found = _ADDRESS.fullmatch(address)
    if not found:
        return "…"
    host, slash, path = found["rest"].partition("/")
    path = _KEY_IN_PATH.sub("…", slash + path)
    return f"{found['scheme']}{host}{path}{'?…' if found['asked'] else ''}"


def _without_secrets(provider: Provider, text: str) -> str:
    found = {
        key
        for name, value in provider.env.items()
        for key in keys.of_variable(name, value)
        if key and (name in TOKEN_KEYS or len(key) >= SHORTEST)
    }
    for secret in sorted(found, key=len, reverse=True):
        text = text.replace(secret, "[key]")
    return text
