"""What of the address of a store is a password.

Rule: the one owner of that, for whoever shows an address and for whoever hands an environment on. It reads as libpq
does, and where that would fail it takes too much for the password rather than too little. Pure.
"""

from __future__ import annotations

_IN_QUERY = ("password", "sslpassword")


def password(address: str) -> str:
    """By which the store is opened, as it stands in the address; both places that libpq knows."""
    who, _ = parts(address)
    return who.partition(":")[2] or next((value for key, value in _asked(address) if key == "password"), "")


def secrets(address: str) -> set[str]:
    """Everything in it that nobody else is to have, as it is spelt and as it is; an address that is none is one."""
    if "://" not in address:
        return {address} - {""}
    found = {password(address), *(value for key, value in _asked(address) if key in _IN_QUERY)}
    return {spelling for each in found for spelling in (each, _plain(each))} - {""}


def _plain(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # in here: every Stop looks for passwords, and hardly one is spelt so

    return unquote(text)


def parts(address: str) -> tuple[str, str]:
    """Who, and where; a password that is not written as it has to be is all in the first."""
    who, _, rest = address.partition("://")[2].rpartition("@")
    return who, rest


def _asked(address: str) -> list[tuple[str, str]]:
    """What stands behind the question mark. Of the whole address: an @ may be part of it."""
    pairs = (pair.partition("=") for pair in address.partition("?")[2].split("&"))
    return [(_plain(key), value) for key, _, value in pairs]
