"""Where the page of a class is: an address that somebody chose, or this computer's on its network."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from handcalc.classroom.handouts import network
from handcalc.foundation.errors import HandcalcError, short

PORT = 8737  # where `handcalc class serve` listens
LONGEST = 200
ALONE = "127.0.0.1"


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
    """This computer's address on the local network; without one that which only it reaches."""
    try:
        host = network.address()
    except HandcalcError:
        host = ALONE
    return f"http://{host}:{port}"


def link(address: str, code: str) -> str:
    """The link to a sheet; what stands behind # is not sent to anybody."""
    return f"{address}/#{code}"
