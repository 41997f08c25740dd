"""How ccc's own requests go out: by which proxy, and whose certificates they believe.

Rule: the given environment decides, in the spellings that the client knows; of the process in which ccc happens to run
nothing counts. Python itself would take a proxy in any spelling, and the last one of them. No redirect is followed: a
key, or a secret in an address, is meant for that address.
"""

from __future__ import annotations

import ssl
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote
from urllib.request import OpenerDirector


def opener(env: Mapping[str, str]) -> OpenerDirector:
    return urllib.request.build_opener(
        _Proxies(env), urllib.request.HTTPSHandler(context=_certificates(env)), _NoRedirects
    )


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


class _Proxies(urllib.request.ProxyHandler):
    def __init__(self, env: Mapping[str, str]) -> None:
        self._except = _said(env, "no_proxy")
        named = {scheme: _said(env, f"{scheme}_proxy") for scheme in ("http", "https")}
        super().__init__({scheme: value for scheme, value in named.items() if value})

    def proxy_open(self, req: urllib.request.Request, proxy: str, type: str) -> Any:  # noqa: A002  (theirs)
        # Not theirs: it asks the environment of this process as well for whom there is no proxy.
        if req.has_proxy() or self._is_excepted(req.host):
            return None
        kind, who, where = _parts(proxy)
        if who:
            # A redirect does not take this one along, to where no proxy leads.
            req.add_unredirected_header("Proxy-Authorization", f"Basic {b64encode(who.encode()).decode()}")
        req.set_proxy(where, kind or type)
        # A tunnel is of the request's own kind; a proxy of another kind another handler has to speak to.
        return None if req.type == type else self.parent.open(req, timeout=req.timeout)

    def _is_excepted(self, host: str) -> bool:
        known = {"no": self._except} if self._except else {}
        return bool(urllib.request.proxy_bypass_environment(host, known))  # type: ignore[attr-defined]


def _parts(proxy: str) -> tuple[str, str, str]:
    """The kind of a proxy, where it says one; who asks, with a password; and where it is."""
    kind, marked, rest = proxy.partition("://")
    who, _, where = (rest if marked else proxy).rpartition("@")
    user, _, password = who.partition(":")
    named = f"{unquote(user)}:{unquote(password)}" if user and password else ""
    return kind.lower() if marked else "", named, unquote(where.partition("/")[0])


def _said(env: Mapping[str, str], name: str) -> str:
    """As the client asks: in small letters or in capitals, and a blank says nothing."""
    return env.get(name) or env.get(name.upper()) or ""


def _certificates(env: Mapping[str, str]) -> ssl.SSLContext:
    """Those of the system, or those that the environment names in their place."""
    usual = ssl.get_default_verify_paths()
    file = Path(env.get("SSL_CERT_FILE") or usual.openssl_cafile)
    folder = Path(env.get("SSL_CERT_DIR") or usual.openssl_capath)
    known = (file if file.is_file() else None, folder if folder.is_dir() else None)
    if known == (None, None):  # Python would look into the environment of this process
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = ssl.create_default_context(cafile=known[0], capath=known[1])
    context.keylog_filename = None  # type: ignore[assignment]
    return context
