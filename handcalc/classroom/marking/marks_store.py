"""marks.json: what is known of every file and phone, kept to mark more later and to report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from handcalc.classroom.insight.sheet_progress import PROGRESS_STATES, Standing
from handcalc.classroom.marking.jobs import Result
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError

SET_ASIDE = "set_aside"  # the key of what was handed in, too, and does not count
OWN = "own_trouble"  # the key of what was said of a sheet before it was seen beside others
EACH = ""  # in a shape: every key
FOREIGN, ACCEPTED, WAITS = "foreign", "accepted", "waits"  # the keys of what waits for the teacher
SEEN = {"step": str, "name": str, "where": str, "sentence": str}
STANDING = {
    "code": str,
    "steps": {EACH: dict.fromkeys(PROGRESS_STATES, int)},
    "mistakes": [SEEN],
    "problems": [str],
    "even": [str],
    "hints": {EACH: int},
}
MORE = {"slip": bool, "html": str, "instead": bool, "again": {EACH: int}}  # what may be missing


@dataclass(frozen=True)
class Told:
    """A result as it is told: what counts has a standing, what does not has a sentence.

    `waits` is the sentence about one that counts, and has no grade until the teacher accepts it.
    """

    result: Result
    counts: bool
    trouble: str
    waits: str = ""


def write_kept(file: BinaryIO, every: Iterable[Told]) -> None:
    """Write marks.json, a line for each."""
    start = b"[\n"
    for told in every:
        line = json.dumps(_written(told), ensure_ascii=False, separators=(",", ":"))
        file.write(start + line.encode("utf-8", "replace"))
        start = b",\n"
    file.write(b"[]\n" if start == b"[\n" else b"\n]\n")


def read_kept(path: Path) -> list[Told] | None:
    """What marks.json has; None where there is no such file.

    Raises HandcalcError where it cannot be opened, and where anything in it is not what was written.
    """
    try:
        return [_told(one) for one in json.loads(path.read_text("utf-8"))]
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = f": {(error.strerror or 'unknown error').lower()}"
    except (KeyError, TypeError, ValueError, RecursionError):
        reason = ""
    raise HandcalcError(
        f"{short_path(path)} cannot be read{reason}; delete it, or mark everything again with: "
        "handcalc class mark CLASS FILES --again."
    )


def _written(told: Told) -> dict[str, Any]:
    """The standing of what does not count is set aside."""
    result = told.result
    standing = json.loads(result.written) if result.written else None
    kept = {"source": result.source, "code": result.code, "standing": standing, "trouble": told.trouble}
    if standing and not told.counts:
        kept |= {"standing": None, SET_ASIDE: standing}
    if standing and result.trouble:
        kept |= {OWN: result.trouble}
    more = {FOREIGN: result.foreign, ACCEPTED: result.accepted, WAITS: told.waits}
    return kept | {key: value for key, value in more.items() if value}


def _told(kept: Mapping[str, Any]) -> Told:
    """What was written, each part checked. Raises KeyError, TypeError or ValueError for anything else."""
    _check(kept, {"source": str, "code": str, "trouble": str})
    standing = kept["standing"] or kept.get(SET_ASIDE)
    if standing is None:
        return Told(Result(kept["source"], kept["code"], trouble=kept["trouble"]), False, kept["trouble"])
    _check(standing, STANDING)
    Standing.from_json(standing)  # which knows no more parts than these
    more: dict[str, Any] = {OWN: "", FOREIGN: "", ACCEPTED: False, WAITS: "", **kept}
    _check(more, {OWN: str, FOREIGN: str, ACCEPTED: bool, WAITS: str})
    text = json.dumps(standing, ensure_ascii=False, separators=(",", ":"))
    result = Result(kept["source"], kept["code"], text, more[OWN], more[FOREIGN], more[ACCEPTED])
    return Told(result, bool(kept["standing"]), kept["trouble"], more[WAITS])


def _check(found: Any, shape: Any) -> None:
    """Raise KeyError or TypeError where this is not of the shape; no number is below 0."""
    if isinstance(shape, dict):
        _check_type(found, dict)
        for name in found.keys() if EACH in shape else shape:
            _check(found[name], shape.get(EACH, shape.get(name)))
        for name in found.keys() & MORE.keys() - shape.keys():
            _check(found[name], MORE[name])
    elif isinstance(shape, list):
        _check_type(found, list)
        for one in found:
            _check(one, shape[0])
    else:
        _check_type(found, shape)
        if shape is int and found < 0:
            raise ValueError(found)


def _check_type(found: Any, kind: type) -> None:
    if type(found) is not kind:  # True is no count
        raise TypeError(kind)
