"""The tensors of a safetensors file: names and shapes at once, numbers on demand.

The format: https://huggingface.co/docs/safetensors
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from handcalc.foundation.atomic_files import REASONS, short_path
from handcalc.foundation.errors import HandcalcError, cut, listed, shape_text, short
from handcalc.foundation.extras import needed
from handcalc.models.checksums import check_bounds
from handcalc.notation.identifiers import UNWRITABLE

Shape = tuple[int, ...]
Read = np.ndarray[Any, np.dtype[Any]]
FLOATS = ("F64", "F32", "F16", "BF16")
NAMES_SHOWN = 2  # names in a sentence
OLD_NAMES = ((".gamma", ".weight"), (".beta", ".bias"))  # of a layer norm, as BERT's first files had them


class Tensors:
    """A file's tensors by name, without the prefix that all of a model's names have."""

    def __init__(self, path: Path) -> None:
        """Read the names. Raises HandcalcError, in one sentence, for what is no whole safetensors file."""
        self.path, self.prefix = path, ""
        safetensors = needed("safetensors", "real")
        try:
            check_bounds(path)
            self._file = safetensors.safe_open(path, framework="numpy").__enter__()
            self._names = {_today(name): name for name in self._file.keys()}  # noqa: SIM118 - no mapping
        except OSError as error:
            raise unreadable(path, error) from None
        except HandcalcError:
            raise
        except Exception as error:  # noqa: BLE001 - its own class of error, and others, for broken files
            raise HandcalcError(
                f"{short_path(path)} is not a whole safetensors file ({_reason(error)}); download it again."
            ) from None

    @property
    def names(self) -> Sequence[str]:
        """All names, without the prefix where they have it."""
        return [name.removeprefix(self.prefix) for name in self._names]

    def __contains__(self, name: str) -> bool:
        return self._full(name) in self._names

    def _full(self, name: str) -> str:
        """A name as this file has it: tensors on top of a model, such as its output, have no prefix."""
        return self.prefix + name if self.prefix + name in self._names else name

    def shape(self, name: str) -> Shape:
        """The shape of a tensor. Raises HandcalcError where it is missing."""
        return tuple(self._part(name).get_shape())

    def check(self, shapes: Mapping[str, Shape], model: str) -> None:
        """Raise HandcalcError for a tensor that is missing, has another shape, or holds no plain numbers."""
        if missing := [name for name in shapes if name not in self]:
            count = (
                f"{len(missing)} of {model}'s tensors" if len(missing) > 1 else f"one of {model}'s tensors"
            )
            raise HandcalcError(f"{short_path(self.path)} lacks {count}: {some(missing)}.")
        for name, wanted in shapes.items():
            if (found := self.shape(name)) != wanted:
                raise HandcalcError(
                    f"{name} in {short_path(self.path)} is {shape_text(found)}; "
                    f"beside its other tensors, {model} needs {shape_text(wanted)}."
                )
            self._check_kind(name)

    def read(self, name: str, first: int | None = None) -> Read:
        """The numbers of a tensor, or of its first rows."""
        return self._finite(name, slice(first))

    def rows(self, name: str, places: Sequence[int]) -> Read:
        """Some rows of a tensor, in this order; the others are not read."""
        return np.concatenate([self._finite(name, slice(place, place + 1)) for place in places])

    def _finite(self, name: str, rows: slice) -> Read:
        found = self._rows(name, rows)
        if not np.isfinite(found).all():
            strange = found[~np.isfinite(found)].ravel()[0]
            raise HandcalcError(
                f"{name} in {short_path(self.path)} holds {strange}; a weight must be a finite number."
            )
        return found

    def _rows(self, name: str, rows: slice) -> Read:
        part = self._part(name)
        found: Read = self._halves(name, rows) if part.get_dtype() == "BF16" else part[rows]
        return found

    def _halves(self, name: str, rows: slice) -> Read:
        """Numbers of bfloat16, which numpy does not know: each is the upper half of a float32."""
        with self.path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
        start, _ = header[self._names[self._full(name)]]["data_offsets"]
        halves = np.memmap(self.path, "<u2", "r", 8 + length + start, self.shape(name))[rows]
        return (halves.astype(np.uint32) << 16).view(np.float32)

    def _check_kind(self, name: str) -> None:
        if (kind := self._part(name).get_dtype()) not in FLOATS:
            raise HandcalcError(
                f"{name} in {short_path(self.path)} holds numbers of the kind {short(kind)}; "
                f"weights may be {listed(FLOATS)}."
            )

    def _part(self, name: str) -> Any:
        if name not in self:
            raise HandcalcError(f"{short_path(self.path)} has no tensor {short(name)}.")
        return self._file.get_slice(self._names[self._full(name)])


def unreadable(path: Path, error: OSError) -> HandcalcError:
    """One sentence for an error of the system."""
    reason, remedy = REASONS.get(error.errno or 0, ("it cannot be opened", "check its name"))
    return HandcalcError(f"{short_path(path)} cannot be read: {reason}; {remedy}.")


def some(names: Sequence[str]) -> str:
    """The first few names, in full, and how many more there are."""
    more = f" and {len(names) - NAMES_SHOWN} more" * (len(names) > NAMES_SHOWN)
    return ", ".join(UNWRITABLE.sub("�", cut(name, 80)) for name in names[:NAMES_SHOWN]) + more


def _today(name: str) -> str:
    """The present name of a tensor, which old files call by another."""
    for old, new in OLD_NAMES:
        if name.endswith("LayerNorm" + old):
            return name.removesuffix(old) + new
    return name


def _reason(error: Exception) -> str:
    reason = cut(str(error).rpartition(": ")[2].rstrip("."), 60)
    return reason if reason.isprintable() and reason else type(error).__name__
