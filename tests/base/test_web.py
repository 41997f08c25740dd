"""ccc's own requests: the environment that is given decides, and not the one that Python would look into."""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError

import pytest

from ccc.base import web
from ccc.trial.scripted import ScriptedModel
from tests.tables import each

ASKED: Mapping[str, tuple[Mapping[str, str], bool]] = {
    "small letters": ({"http_proxy": "EVIL"}, True),
    "capitals": ({"HTTP_PROXY": "EVIL"}, True),
    "capitals, and a blank in small letters, as a client has it that ccc has started": (
        {"http_proxy": "", "HTTP_PROXY": "EVIL"},
        True,
    ),
    "any other spelling": ({"http_proxy": "", "Http_proxy": "EVIL", "HTTP_Proxy": "EVIL", "hTTP_pROxy": "EVIL"}, False),
    "for this host none": ({"http_proxy": "EVIL", "NO_PROXY": "127.0.0.1"}, False),
    "for another host none": ({"http_proxy": "EVIL", "no_proxy": "elsewhere"}, True),
    "nothing at all": ({}, False),
}


@each("case", ASKED)
def test_a_proxy_counts_in_the_two_spellings_that_the_client_knows(case: str) -> None:
    env, led = ASKED[case]
    with ScriptedModel([]) as there, ScriptedModel([]) as proxy:
        known = {name: value.replace("EVIL", proxy.url) for name, value in env.items()}
        _ask(f"{there.url}/v1/models", known)
        assert (bool(proxy.requests), bool(there.requests)) == (led, not led)


def test_a_proxy_of_the_process_itself_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedModel([]) as there, ScriptedModel([]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        _ask(f"{there.url}/v1/models", {})
        assert (bool(proxy.requests), bool(there.requests)) == (False, True)


def test_certificates_are_those_that_the_given_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path(__file__).parent.parent / "data" / "authority.pem"
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert b"ccc-test" not in _believed({})
    assert b"ccc-test" in _believed({"SSL_CERT_FILE": str(own)})
    nothing = {"SSL_CERT_FILE": str(tmp_path / "none"), "SSL_CERT_DIR": str(tmp_path / "none")}
    assert _believed(nothing) == b""


def _ask(address: str, env: Mapping[str, str]) -> None:
    with suppress(URLError):  # a proxy that is none
        web.opener(env).open(urllib.request.Request(address), timeout=10).close()


def _believed(env: Mapping[str, str]) -> bytes:
    context = web._certificates(env)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    return b"".join(context.get_ca_certs(binary_form=True))
