"""What an extra needs beyond handcalc itself, or one sentence that says how to get it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from handcalc.foundation.errors import HandcalcError


def needed(name: str, extra: str = "class") -> ModuleType:
    """The module of this name. Raises HandcalcError where it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise HandcalcError(
            f'This needs more than handcalc itself; install it with: pip install "handcalc[{extra}]"'
        ) from None
