"""Where the page of a class is: an address that somebody chose, or this computer's on its network."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

from handcalc.errors import HandcalcError, short

PORT = 8737  # where `handcalc class serve` listens
LONGEST = 200
SOMEWHERE = "192.0.2.1"  # of no computer: RFC 5737


def read_address(text: str) -> str:
    """An address as links have it, without a slash at its end. Raises HandcalcError for what is none."""
    address = text if "://" in text else f"http://{text}"
    sentence = HandcalcError(
        f"{short(text)} is not an address; write it as in https://example.org/class, without ? and #."
    )
    if len(address) > LONGEST or not re.fullmatch(r"https?://[!-~]+", address, re.IGNORECASE):
        raise sentence
    try:
        parts = urlsplit(address)
        is_one = parts.hostname and (parts.port or 1) and not re.search(r"[?#<>\"'\\@]", address)
    except ValueError:
        raise sentence from None
    if not is_one:
        raise sentence
    return address.rstrip("/")


def of_this_computer(port: int = PORT) -> str:
    """This computer's address on the local network, or where only itself can reach it; nothing is sent.

    A datagram that is addressed and never sent shows which way it would go.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect((SOMEWHERE, 9))
            host = route.getsockname()[0]
        except OSError:  # no network
            host = "127.0.0.1"
    return f"http://{host}:{port}"


def link(address: str, code: str) -> str:
    """The link to a sheet; what stands behind # is not sent to anybody."""
    return f"{address}/#{code}"
