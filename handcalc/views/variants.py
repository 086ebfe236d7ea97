"""A calculation as the browser opens it: in every form that it can switch to, if it is not too large."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from handcalc.formulas.handout import handout
from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.progress import with_progress
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS, Convention
from handcalc.notation.numbers import Values, counted
from handcalc.record.calculation import Calculation, describe_non_calculation
from handcalc.record.rendering import checked_cell
from handcalc.record.slips import marked
from handcalc.views import what_if_switches
from handcalc.views.map.map_html import map_html

MAX_PAGE_NUMBERS = 10_000_000  # on one page: 80 MB
NEW, GONE = "=", "-"  # keys of a patch: another value altogether, keys that are there no more
CELL_ADDRESS = re.compile(r"(.+)\[(\d+),\s*(\d+)\]")


def openable(calculation: Calculation, convention: Convention | None, action: str) -> Calculation:
    """The calculation in the convention that was asked for; `action` is what the person called.

    Raises HandcalcError for what is not a calculation, and for more numbers than a page can show.
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(
            f"{action} takes a calculation, such as hc.examples.self_attention(), "
            f"not {describe_non_calculation(calculation)}."
        )
    count = sum(m.values.size for m in calculation.record)
    if count > MAX_PAGE_NUMBERS:
        raise HandcalcError(
            f"This sheet has {count:,} numbers; {action} shows up to {MAX_PAGE_NUMBERS:,}. "
            "calc.figure() can still draw it."
        )
    return calculation if convention is None else calculation.in_convention(convention)


def variants(calculation: Calculation) -> list[dict[str, Any]]:
    """The calculation in every form that the browser can switch to; the sheet opens with the first."""
    start = what_if_switches.with_places(calculation)
    if calculation.slips:
        start = marked(start, calculation.slips)
    kinds = {"exact": start, "handout": handout(start)}
    if kinds["handout"] is start:
        del kinds["handout"]
    order = sorted(TOKEN_CONVENTIONS, key=lambda convention: convention != calculation.convention)
    shown = [(word, kind.in_convention(way)) for way in order for word, kind in kinds.items()]
    specs = []
    for word, form in with_progress(shown, "Writing the page"):
        specs.append(spec := form.to_spec())
        if what_ifs := what_if_switches.switches_spec(calculation, form, is_exact=word == "exact"):
            spec["what_ifs"] = what_ifs
    _share_givens([form for _, form in shown], [spec["matrices"] for spec in specs])
    written: list[dict[str, Any]] = [
        {"arithmetic": word, "spec": spec} for (word, _), spec in zip(shown, specs, strict=True)
    ]
    for (word, form), entry in zip(shown, written, strict=True):
        if form.blocks and word == "exact":
            entry["map"] = map_html(form, has_pictures=False, has_all=True)
    return written


def folded(forms: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same for a file: of all but the first what differs from one before; variants.js unfolds it."""
    written = [forms[0]]
    for k, form in enumerate(forms[1:], start=1):
        spec = form["spec"]
        like = (n for n in range(k) if forms[n]["spec"]["convention"] == spec["convention"])
        base = next(like, 0)
        others = {key: value for key, value in form.items() if key != "spec"}
        patch = {"convention": spec["convention"], "like": base, "patch": patch_of(forms[base]["spec"], spec)}
        written.append(others | patch)
    return written


def patch_of(old: Any, new: Any) -> Any:
    """What makes the new value of the old one: anything but an object stands for itself."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        differing = {str(k): patch_of(a, b) for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
        return differing if len(differing) < len(new) / 2 else new
    if not isinstance(new, dict):
        return new
    if not isinstance(old, dict):
        return {NEW: new}
    gone = [key for key in old if key not in new]
    changed = {
        key: patch_of(old.get(key), value)
        for key, value in new.items()
        if key not in old or old[key] != value
    }
    return changed | ({GONE: gone} if gone else {})


def _share_givens(forms: list[Calculation], specs: list[list[dict[str, Any]]]) -> None:
    """Let each given's numbers travel once: other forms say which one's they are; edits `specs`."""
    known: dict[tuple[Any, bytes], list[int]] = {}
    for k, (form, entries) in enumerate(zip(forms, specs, strict=True)):
        for place, matrix in enumerate(form.record):
            if not matrix.is_given:
                continue
            own, turned = _content(matrix.values), _content(matrix.values.T)
            if own in known:
                entries[place]["values"] = {"like": known[own], "transposed": False}
            elif turned in known:
                entries[place]["values"] = {"like": known[turned], "transposed": True}
            else:
                known[own] = [k, place]


def _content(values: Values) -> tuple[Any, bytes]:
    return values.shape, sha256(values.tobytes()).digest()


def full_number(calculation: Calculation, text: str) -> str:
    """A number by its whole path, as `full_address` has it. Raises HandcalcError for what is no number."""
    if text and not (isinstance(text, str) and CELL_ADDRESS.fullmatch(text)):
        raise HandcalcError(f"watch is a number such as 'Z[2,1]', counted from 1, not {short(text)}.")
    return full_address(calculation, text)


def full_address(calculation: Calculation, text: str) -> str:
    """The same place by its whole path: `head_1.Z[2,1]` may be `attention.head_1.Z[2,1]`.

    An empty text stays empty. Raises HandcalcError for what is not there.
    """
    if not text:
        return ""
    if not isinstance(text, str):
        raise HandcalcError(f"open must be text, such as 'head_1' or 'head_1.Z[2,1]', not {short(text)}.")
    paths = [path for path in calculation.blocks if path == text or path.endswith(f".{text}")]
    if paths:
        return text if text in paths else paths[-1]
    found = CELL_ADDRESS.fullmatch(text)
    matrix = calculation[found[1] if found else text]
    if not found:
        return matrix.name or ""
    row, column = checked_cell(matrix, int(found[2]) - 1, int(found[3]) - 1)
    return f"{matrix.name}[{counted(row)},{counted(column)}]"
