"""The projector: a number with its arithmetic, the progress of the class, how to join; never a name."""

from __future__ import annotations

from collections.abc import Iterable

from handcalc.classroom.handouts.qr import dark_runs, make_modules
from handcalc.classroom.insight.sheet_progress import PROGRESS_STATES
from handcalc.classroom.live.marking.live_marks import Json


def project_class(grid: Json, address: str, number: Json | None) -> Json:
    """The data for the projector's page, out of the teacher's. `number` has the arithmetic of one number."""
    shown = grid["shown"] or {}
    rows = grid["rows"]
    found = {
        "title": grid["title"],
        "paused": grid["paused"],
        "kind": shown.get("kind", ""),
        "here": grid["here"],
        "students": grid["students"],
    }
    match found["kind"]:
        case "number":
            return {**found, "number": number}
        case "shares":
            return {**found, "kinds": [_shares(kind, rows, k) for k, kind in enumerate(grid["kinds"])]}
        case "join":
            return {**found, "address": address, "qr": draw_qr_path(address)}
    return found


def _shares(kind: Json, rows: Iterable[Json], place: int) -> Json:
    """The number of sheets at each stage, step by step."""
    mine = [row["steps"] for row in rows if row["kind"] == place and row["learner"]]
    steps = [
        {"html": step["long"], "counts": _counted(steps.get(step["name"], [0] * 5) for steps in mine)}
        for step in kind["steps"]
    ]
    return {"title": kind["title"], "steps": steps}


def _counted(cells: Iterable[list[int]]) -> list[int]:
    counts = [0] * len(PROGRESS_STATES)
    for cell in cells:
        counts[find_stage(cell)] += 1
    return counts


def find_stage(cell: list[int]) -> int:
    """The stage of a sheet in a step: right so far, but not complete, counts as not finished."""
    _, close, _, wrong, blank = range(5)
    return blank if cell[blank] and not (cell[wrong] or cell[close]) else find_worst_state(cell)


def find_worst_state(cell: list[int]) -> int:
    """The place of the most telling state of a step, as `Standing.sign` has it."""
    right, close, following, wrong, blank = range(5)
    return next((state for state in (wrong, close, following, right) if cell[state]), blank)


def draw_qr_path(text: str) -> Json:
    """A QR code as the path of its dark squares, and how many squares are in a row."""
    rows = make_modules(text)
    strokes = [
        f"M{start} {number}h{end - start}v1H{start}z"
        for number, row in enumerate(rows)
        for start, end in dark_runs(row)
    ]
    return {"size": len(rows), "path": "".join(strokes)}
