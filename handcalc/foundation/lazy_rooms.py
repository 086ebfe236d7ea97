"""Views by name, imported on first use: a calculation must cost no more than numpy.

The record does not know its views; it only knows that a view of that name can be asked for.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def view(name: str) -> ModuleType:
    """The module `handcalc.views.<name>`, imported on first use."""
    return import_module(f"handcalc.views.{name}")


def room(name: str) -> ModuleType:
    """The module `handcalc.<name>` of a room further up, imported on first use."""
    return import_module(f"handcalc.{name}")


def has_views() -> bool:
    """Whether the views are installed: the core works without them."""
    return find_spec("handcalc.views") is not None
