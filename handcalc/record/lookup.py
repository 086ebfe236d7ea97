"""Which matrix is meant: by its name, by the last part of its path, or by a name that it had before."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from handcalc.foundation import stale_names
from handcalc.foundation.errors import UnknownNameError, listed, short
from handcalc.record.blocks import LAYER_NUMBER


def found_name(name: Any, names: Collection[str]) -> str:
    """The one of the names that is meant. Raises UnknownNameError where none is, or several could be."""
    if isinstance(name, str):
        if name in names:
            return name
        found = _ending_with(name, names)
        new = None if found else stale_names.current(name, stale_names.STEPS)
        if new and (found := [new] if new in names else _ending_with(new, names)):
            stale_names.warn(f"The step {name}", found[-1], above=3)
        if len(found) > 1:
            raise UnknownNameError(
                f"{len(found)} matrices are called {name}: {listed(found)}; say which one."
            )
        if found:
            return found[0]
    raise UnknownNameError(f"There is no matrix {short(name)} here; there are {listed(names)}.")


def _ending_with(name: str, names: Collection[str]) -> list[str]:
    """The paths that end with this name; of the layers of a stack, that of the last one alone."""
    found = [path for path in names if path.endswith(f".{name}")]
    return list({LAYER_NUMBER.sub("", path): path for path in found}.values())
