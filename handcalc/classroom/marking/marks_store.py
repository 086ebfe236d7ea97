"""marks.json: the results of every file and phone, kept to mark more later and to report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from handcalc.classroom.insight.sheet_progress import PROGRESS_STATES, Standing, read_numbers
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError

SET_ASIDE_KEY = "set_aside"  # the key of work that was handed in, too, and does not count
OWN_TROUBLE_KEY = "own_trouble"  # the key of the sentence about a sheet before it was compared with others
EVERY_KEY = ""  # in a shape: every key
FOREIGN_KEY, ACCEPTED_KEY, WAITS_KEY = "foreign", "accepted", "waits"
SEEN_SHAPE = {"step": str, "name": str, "where": str, "sentence": str}
STANDING_SHAPE = {
    "code": str,
    "steps": {EVERY_KEY: dict.fromkeys(PROGRESS_STATES, int)},
    "mistakes": [SEEN_SHAPE],
    "problems": [str],
    "even": [str],
    "hints": {EVERY_KEY: int},
}
OPTIONAL_SHAPE = {
    "slip": bool,
    "html": str,
    "instead": bool,
    "again": {EVERY_KEY: int},
    "written": str,
    "key": str,
    "hollow": [str],
    "odd": [[str]],
}


@dataclass(frozen=True)
class ToldResult:
    """A result with its words: one that counts has a standing, one that does not has a sentence.

    `waits` is the sentence about one that counts, and has no grade until the teacher accepts it.
    """

    result: SheetResult
    counts: bool
    trouble: str
    waits: str = ""


def write_marks_file(file: BinaryIO, every: Iterable[ToldResult]) -> None:
    """Write marks.json, a line for each."""
    start = b"[\n"
    for told in every:
        line = json.dumps(_written(told), ensure_ascii=False, separators=(",", ":"))
        file.write(start + line.encode("utf-8", "replace"))
        start = b",\n"
    file.write(b"[]\n" if start == b"[\n" else b"\n]\n")


def read_marks_file(path: Path) -> list[ToldResult] | None:
    """The contents of marks.json; None where there is no such file.

    Raises HandcalcError where it cannot be opened, and where anything in it has another form than written.
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


def _written(told: ToldResult) -> dict[str, Any]:
    """A result for marks.json; the standing of one that does not count is set aside."""
    result = told.result
    standing = json.loads(result.standing_json) if result.standing_json else None
    kept = {"source": result.source, "code": result.code, "standing": standing, "trouble": told.trouble}
    if standing and not told.counts:
        kept |= {"standing": None, SET_ASIDE_KEY: standing}
    if standing and result.trouble:
        kept |= {OWN_TROUBLE_KEY: result.trouble}
    more = {FOREIGN_KEY: result.foreign, ACCEPTED_KEY: result.accepted, WAITS_KEY: told.waits}
    return kept | {key: value for key, value in more.items() if value}


def _told(kept: Mapping[str, Any]) -> ToldResult:
    """A stored result, each part checked. Raises KeyError, TypeError or ValueError for anything else."""
    _check(kept, {"source": str, "code": str, "trouble": str})
    standing = kept["standing"] or kept.get(SET_ASIDE_KEY)
    if standing is None:
        return ToldResult(
            SheetResult(kept["source"], kept["code"], trouble=kept["trouble"]), False, kept["trouble"]
        )
    _check(standing, STANDING_SHAPE)
    read = Standing.from_json(standing)  # it has no other parts than these
    read_numbers(f"{read.written} {read.key}")
    more: dict[str, Any] = {OWN_TROUBLE_KEY: "", FOREIGN_KEY: "", ACCEPTED_KEY: False, WAITS_KEY: "", **kept}
    _check(more, {OWN_TROUBLE_KEY: str, FOREIGN_KEY: str, ACCEPTED_KEY: bool, WAITS_KEY: str})
    text = json.dumps(standing, ensure_ascii=False, separators=(",", ":"))
    result = SheetResult(
        kept["source"], kept["code"], text, more[OWN_TROUBLE_KEY], more[FOREIGN_KEY], more[ACCEPTED_KEY]
    )
    return ToldResult(result, bool(kept["standing"]), kept["trouble"], more[WAITS_KEY])


def _check(found: Any, shape: Any) -> None:
    """Raise KeyError or TypeError where this is not of the shape; no number is below 0."""
    if isinstance(shape, dict):
        _check_type(found, dict)
        for name in found.keys() if EVERY_KEY in shape else shape:
            _check(found[name], shape.get(EVERY_KEY, shape.get(name)))
        for name in found.keys() & OPTIONAL_SHAPE.keys() - shape.keys():
            _check(found[name], OPTIONAL_SHAPE[name])
    elif isinstance(shape, list):
        _check_type(found, list)
        for one in found:
            _check(one, shape[0])
    else:
        _check_type(found, shape)
        if shape is int and found < 0:
            raise ValueError(found)


def _check_type(found: Any, kind: type) -> None:
    if type(found) is not kind:  # True is not a count
        raise TypeError(kind)
