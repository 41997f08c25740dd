"""ccc's own requests: the environment that is given decides, and not the one that Python would look into."""

from __future__ import annotations

import socketserver
import ssl
import threading
import urllib.request
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

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


def test_nor_does_whom_the_process_itself_would_reach_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "*")
    with ScriptedModel([]) as there, ScriptedModel([]) as proxy:
        _ask(f"{there.url}/v1/models", {"http_proxy": proxy.url})
        assert (bool(proxy.requests), bool(there.requests)) == (True, False)


# What is asked for by which proxy, and how that hears of it first.
TOLD = {
    "a page": ("http://there/x", "http://{}", (b"GET http://there/x", b"")),
    "without a kind": ("http://there/x", "{}", (b"GET http://there/x", b"")),
    "a path behind it": ("http://there/x", "http://{}/", (b"GET http://there/x", b"")),
    "in somebody's name": ("http://there/x", "http://me:p%40ss@{}", (b"GET http://there/x", b"me:p@ss")),
    "without a password": ("http://there/x", "http://me@{}", (b"GET http://there/x", b"")),
    "a tunnel": ("https://there:1/x", "http://{}", (b"CONNECT there:1", b"")),
    "a tunnel in somebody's name": ("https://there/x", "http://me:p@{}", (b"CONNECT there:443", b"me:p")),
    "a page by one that speaks TLS": ("http://there/x", "https://me:p@{}", (b"\x16\x03", b"")),  # a handshake
}


@each("case", TOLD)
def test_a_proxy_is_asked_in_the_name_that_its_address_holds(case: str) -> None:
    address, proxy, (first, who) = TOLD[case]
    with listener(b"HTTP/1.1 502 no\r\n\r\n") as (at, heard):
        _ask(address, {"http_proxy": proxy.format(at), "https_proxy": proxy.format(at)})
    (said,) = heard
    assert said.startswith(first)
    assert (b"Proxy-Authorization" in said) is bool(who)
    assert not who or b"Proxy-Authorization: Basic " + b64encode(who) in said


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int) -> None:
    with ScriptedModel([]) as there:
        moved = f"HTTP/1.1 {status} moved\r\nLocation: {there.url}/v1/models\r\nContent-Length: 0\r\n\r\n".encode()
        with listener(moved) as (at, _):
            _ask(f"http://{at}/a-secret", {})
        assert there.requests == ()


def test_certificates_are_those_that_the_given_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path(__file__).parent.parent / "data" / "authority.pem"
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert b"ccc-test" not in _believed({})
    assert b"ccc-test" in _believed({"SSL_CERT_FILE": str(own)})
    nothing = {"SSL_CERT_FILE": str(tmp_path / "none"), "SSL_CERT_DIR": str(tmp_path / "none")}
    assert _believed(nothing) == b""


@contextmanager
def listener(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Where it listens, and what each who comes says first; all hear the same answer."""
    heard: list[bytes] = []

    class Hearing(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            heard.append(self.request.recv(65536))
            self.request.sendall(answer)

    with socketserver.TCPServer(("127.0.0.1", 0), Hearing) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", heard
        finally:
            server.shutdown()
            thread.join()


def _ask(address: str, env: Mapping[str, str]) -> None:
    with suppress(OSError):  # a proxy that is none
        web.opener(env).open(urllib.request.Request(address), timeout=10).close()


def _believed(env: Mapping[str, str]) -> bytes:
    context = web._certificates(env)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    return b"".join(context.get_ca_certs(binary_form=True))
