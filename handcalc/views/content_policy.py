"""The content security policy of a saved page: its own scripts alone run, and nothing leaves it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {style}; img-src data:; "
    "connect-src 'none'; base-uri 'none'; form-action 'none'"
)
META = '<meta http-equiv="Content-Security-Policy" content="{policy}">'


def meta(*, scripts: Sequence[str] = (), style: str | None = None) -> str:
    """The element for a page's head, of the whole text of its scripts and, where it has but one, its style.

    Without `style` any style may stand in the page, as in that of a drawn sheet.
    """
    allowed = {
        "scripts": " ".join(map(_hash, scripts)) or "'none'",
        "style": "'unsafe-inline'" if style is None else _hash(style),
    }
    return META.format(policy=POLICY.format(**allowed))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
