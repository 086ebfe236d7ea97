"""Where the page of a class is: an address that somebody chose, or this computer's on its network."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from handcalc.classroom.handouts import network
from handcalc.foundation.errors import HandcalcError, short

SERVER_PORT = 8737  # where `handcalc class serve` listens
MAX_ADDRESS_LETTERS = 200
LOOPBACK = "127.0.0.1"


def read_address(text: str) -> str:
    """An address as links have it, without a slash at its end. Raises HandcalcError for what is none."""
    address = text if "://" in text else f"http://{text}"
    sentence = HandcalcError(
        f"{short(text)} is not an address; write it as in https://example.org/class, without ? and #."
    )
    if len(address) > MAX_ADDRESS_LETTERS or not re.fullmatch(r"https?://[!-~]+", address, re.IGNORECASE):
        raise sentence
    try:
        parts = urlsplit(address)
        is_one = parts.hostname and (parts.port or 1) and not re.search(r"[?#<>\"'\\@]", address)
    except ValueError:
        raise sentence from None
    if not is_one:
        raise sentence
    return address.rstrip("/")


def find_class_address(port: int = SERVER_PORT) -> str:
    """This computer's address on the local network; without one that which only it reaches."""
    try:
        host = network.find_own_address()
    except HandcalcError:
        host = LOOPBACK
    return f"http://{host}:{port}"


def make_link(address: str, code: str) -> str:
    """The link to a sheet; what stands behind # is not sent to anybody."""
    return f"{address}/#{code}"
