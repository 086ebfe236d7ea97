"""Which matrix is meant: by its name, or by the last part of its path."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from handcalc.foundation.errors import UnknownNameError, listed, short
from handcalc.foundation.stale_names import step_sentence
from handcalc.record.blocks import LAYER_NUMBER


def found_name(name: Any, names: Collection[str]) -> str:
    """The one of the names that is meant. Raises UnknownNameError where none is, or several could be."""
    if isinstance(name, str):
        if name in names:
            return name
        found = _ending_with(name, names)
        if len(found) > 1:
            raise UnknownNameError(
                f"{len(found)} matrices are called {name}: {listed(found)}; say which one."
            )
        if found:
            return found[0]
        if told := step_sentence(name, names):
            raise UnknownNameError(told)
    raise UnknownNameError(f"There is no matrix {short(name)} here; there are {listed(names)}.")


def _ending_with(name: str, names: Collection[str]) -> list[str]:
    """The paths that end with this name; of the layers of a stack, that of the last one alone."""
    found = [path for path in names if path.endswith(f".{name}")]
    return list({LAYER_NUMBER.sub("", path): path for path in found}.values())
