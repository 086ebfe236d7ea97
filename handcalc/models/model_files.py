"""A model's files beyond its tensors: config.json and its neighbours, if there are any."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError, kind, listed, short
from handcalc.notation.validation import read_count, read_number

MAX_SETTINGS_BYTES = 10_000_000  # bytes of a file of settings


class ModelSettings:
    """The settings in one file, each value checked when it is read."""

    def __init__(self, path: Path) -> None:
        """Read a file; without one, nothing is said. Raises HandcalcError for one that is no JSON object."""
        self.path = path
        found = read_json(path)
        if not isinstance(found, dict):
            raise HandcalcError(
                f"{short_path(path)} holds {kind(found)}; a file of settings is a JSON object."
            )
        self.said: Mapping[str, Any] = found

    def count(self, *names: str) -> int | None:
        """A whole number above 0 under the first of these names that is there."""
        for name in names:
            if self.said.get(name) is not None:
                if (found := read_count(self.said[name], self._called(name))) < 1:
                    raise HandcalcError(f"{self._called(name)} is {found}; it must be at least 1.")
                return found
        return None

    def number(self, name: str, default: float) -> float:
        """A number of at least 0."""
        return read_number(self.said.get(name, default), self._called(name), least=0)

    def choice(self, name: str, default: str, known: Mapping[str, Any]) -> Any:
        """The value that a setting's word stands for. Raises HandcalcError for one that is not known."""
        word = self.said.get(name, default)
        if not isinstance(word, str) or word not in known:
            raise HandcalcError(f"{self._called(name)} is {short(word)}; handcalc knows {listed(known)}.")
        return known[word]

    def refuse_unless(self, name: str, wanted: Any) -> None:
        """Raise HandcalcError where it is there and something else: handcalc has no such variant."""
        if (found := self.said.get(name, wanted)) != wanted:
            raise HandcalcError(
                f"{self._called(name)} is {short(found)}; handcalc knows only {short(wanted)}."
            )

    def _called(self, name: str) -> str:
        return f"{name} in {short_path(self.path)}"


def read_json(path: Path) -> Any:
    """The content of a JSON file; an empty object if there is no such file."""
    try:
        if not path.is_file():
            return {}
        if path.stat().st_size > MAX_SETTINGS_BYTES:
            raise HandcalcError(f"{short_path(path)} is too large for a file of settings.")
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise HandcalcError(f"{short_path(path)} cannot be read: {why}.") from None
    except (ValueError, RecursionError):
        raise HandcalcError(f"{short_path(path)} is not JSON; download it again.") from None
