"""Tickets: they stand on sheets in place of codes, since the code alone gives the key.

A ticket such as K7FX-2M9A says nothing about numbers. It comes from a secret that only the class's folder
has, so trying seeds finds none. `handcalc.practice.exercise.codes` reads no ticket, and any single wrong sign
is detected, as are any two that are swapped.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Container
from hashlib import sha256
from itertools import count

from handcalc.foundation.errors import HandcalcError, short
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.codes import CODE_BASE, CODE_SIGNS, MISTAKEN_SIGNS

SECRET_BYTES = 16  # bytes
TICKET_LENGTH, TICKET_HALF = 8, 4  # signs, the last of which checks the others
SECOND_SIGNS = "3479"  # digits not mistaken for letters: every ticket has one here, hardly a word does
THIRD_SIGNS = "".join(sign for sign in CODE_SIGNS if sign not in "23")  # a code has its level here
TICKET_IN_TEXT = re.compile(
    rf"(?<![A-Za-z0-9])[A-Za-z0-9][{SECOND_SIGNS}][A-Za-z0-9]{{2}}[-–—_. ]?[A-Za-z0-9]{{4}}(?![A-Za-z0-9])"
)


def new_secret() -> str:
    """A new secret for the tickets of a class, kept in its class.json and nowhere else."""
    return secrets.token_hex(SECRET_BYTES)


def make_ticket(secret: str, code: str, taken: Container[str] = ()) -> str:
    """The ticket for the sheet of a code, in a class with this secret: the first that is not taken."""
    every = (_ticket(secret, f"{code} {attempt}") for attempt in count())
    return next(one for one in every if one not in taken)


def is_ticket(text: object) -> bool:
    """Whether a text has the form of a ticket, mistyped perhaps."""
    if not isinstance(text, str) or len(text) > 4 * TICKET_LENGTH:
        return False
    signs = text.upper().translate(MISTAKEN_SIGNS)
    is_long = len(signs) == TICKET_LENGTH and set(signs) <= set(CODE_SIGNS)
    return is_long and signs[1] in SECOND_SIGNS and signs[2] in THIRD_SIGNS


def spell_code_or_ticket(text: str) -> str:
    """A code or a ticket as the register has it; case, spaces and hyphens do not matter.

    Raises HandcalcError for anything else.
    """
    if not is_ticket(text):
        return codes.spell_code(text)
    signs = text.upper().translate(MISTAKEN_SIGNS)
    if signs[-1] != _check(signs[:-1]):
        raise HandcalcError(
            f"{short(text)} is not a code: one of its characters is mistyped; please check it."
        )
    return f"{signs[:TICKET_HALF]}-{signs[TICKET_HALF:]}"


def _ticket(secret: str, text: str) -> str:
    digest = hmac.new(secret.encode(), text.encode(), sha256).digest()
    number, body = int.from_bytes(digest, "big"), ""
    for place in range(TICKET_LENGTH - 1):
        signs = {1: SECOND_SIGNS, 2: THIRD_SIGNS}.get(place, CODE_SIGNS)
        number, sign = divmod(number, len(signs))
        body += signs[sign]
    return f"{body[:TICKET_HALF]}-{body[TICKET_HALF:]}{_check(body)}"


def _check(body: str) -> str:
    """A sum in which every place weighs differently, modulo a prime, as in a code."""
    return CODE_SIGNS[
        sum((place + 2) * CODE_SIGNS.index(sign) for place, sign in enumerate(body)) % CODE_BASE
    ]
