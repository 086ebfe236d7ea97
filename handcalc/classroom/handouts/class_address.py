"""The address of a class page: a chosen one, or this computer's on its network."""

from __future__ import annotations

import io
import re
import socket
from contextlib import closing, suppress
from urllib.parse import urlsplit

from handcalc.foundation.errors import HandcalcError, short

SERVER_PORT = 8737  # where `handcalc class serve` listens
MAX_ADDRESS_LETTERS = 200
LOOPBACK = "127.0.0.1"
FAR_ADDRESSES = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")  # never sent to
NETWORK_ADVICE = "Connect to a network, or open a hotspot, and start again; or leave out --lan"


def read_address(text: str) -> str:
    """An address as links have it, without a slash at its end. Raises HandcalcError for anything else."""
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
    """This computer's address on the local network; without one the address that only it reaches."""
    try:
        host = find_own_address()
    except HandcalcError:
        host = LOOPBACK
    return f"http://{host}:{port}"


def make_link(address: str, code: str) -> str:
    """The link to a sheet; the part after # is not sent to anybody."""
    return f"{address}/#{code}"


def find_own_address() -> str:
    """The address of this computer that others in the network reach.

    Raises HandcalcError where there is no network.
    """
    for found in (*map(_towards, FAR_ADDRESSES), *_named()):
        if found and not found.startswith(("127.", "0.")):
            return found
    raise HandcalcError(f"No phone can reach this computer: it is not on a network. {NETWORK_ADVICE}.")


def find_host_names() -> set[str]:
    """The names of this computer in its network."""
    name = socket.gethostname().lower()
    return {name, f"{name.partition('.')[0]}.local"} - {""}


def draw_qr_lines(text: str) -> list[str]:
    """A QR code of half blocks, as a terminal shows it."""
    import segno

    drawn = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n").split("\n")


def _towards(elsewhere: str) -> str:
    """The address that this computer would send from."""
    with suppress(OSError), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as link:
        link.connect((elsewhere, 9))
        return str(link.getsockname()[0])
    return ""


def _named() -> list[str]:
    with suppress(OSError):
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []
