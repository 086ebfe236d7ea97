"""What if …: the same record with another operation, another text, reordered tokens, or a given of zeros.

"What would A be without the scaling" is a question to a record, not to a formula: it is answered by rules on
its operations (scoring.py), as the handout's shortcuts are, and no formula or view needs to know of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, UnknownNameError, kind, listed, short
from handcalc.notation.labels import Labels
from handcalc.notation.names import words_of_path
from handcalc.notation.numbers import format_constant
from handcalc.notation.validation import read_count, read_list, read_number
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rewriting import WhatIf, run_again
from handcalc.what_if.ablation import ablations, read_ablated, with_off
from handcalc.what_if.other_text import reading, with_text
from handcalc.what_if.scoring import NO_STEP, SCORING_KINDS, Scoring, State, scorings

SWITCH_TITLES = {
    "scaling": "Scaling",
    "mask": "Mask",
    "temperature": "Temperature",
    "ablate": "Switched off",
    "text": "Text",
    "order": "Token order",
    "zero": "All zeros",
}
SWITCH_WORDS = {  # in the title of a calculation that is switched
    "scaling": {"sqrt_d_k": "divided by √d_k", "d_k": "divided by d_k", "none": "not divided"},
    "mask": {"causal": "causal mask", "none": "no mask"},
}
ASKING = ", what if: "
WITHOUT_PARTS = "without "  # the last thing said, and then what is switched off
MOST_NAMED = 3  # parts that a title names
MIXED = "as it is"  # where steps of one kind differ


def what_ifs(calculation: Calculation) -> Mapping[str, WhatIf]:
    """What can be switched, by name: scaling, mask, temperature, ablate, text, order, zero."""
    ways = list(scorings(calculation.record))
    found = {kind: _summed_up(kind, [way for way in ways if way.choices(kind)]) for kind in SCORING_KINDS}
    parts = ablations(calculation)
    off = tuple(dict.fromkeys(each.path for each in parts if each.zeros))
    paths = tuple(dict.fromkeys(each.path for each in parts))
    found["ablate"] = WhatIf(SWITCH_TITLES["ablate"], off or None, paths) if parts else None
    read = reading(calculation)
    found["text"] = WhatIf(SWITCH_TITLES["text"], read.text, ()) if read else None
    tokens = sequences(calculation)
    found["order"] = WhatIf(SWITCH_TITLES["order"], None, tuple(tokens)) if tokens else None
    found["zero"] = (
        WhatIf(SWITCH_TITLES["zero"], None, tuple(calculation.givens)) if calculation.givens else None
    )
    return MappingProxyType({name: each for name, each in found.items() if each})


def _summed_up(kind: str, ways: Sequence[Scoring]) -> WhatIf | None:
    if not ways:
        return None
    states = list(dict.fromkeys(way.now(kind) for way in ways))
    now = states[0] if len(states) == 1 else MIXED
    return WhatIf(
        SWITCH_TITLES[kind],
        now,
        tuple(dict.fromkeys([*([MIXED] if now == MIXED else []), *_all(kind, ways)])),
    )


def _all(kind: str, ways: Sequence[Scoring]) -> list[State]:
    found = dict.fromkeys(choice for way in ways for choice in way.choices(kind))
    now = [way.now(kind) for way in ways]
    return sorted({*found, *now}) if kind == "temperature" else [*found]


def what_if(calculation: Calculation, switches: Mapping[str, Any]) -> Calculation:
    """The same record with other steps, parts switched off, tokens in another order, or givens of zeros.

    Raises HandcalcError for what cannot be switched here, and for what it cannot be switched to.
    """
    offered = what_ifs(calculation)
    for name in switches:
        if name not in offered:
            raise UnknownNameError(
                f"There is no what-if {short(name)} here; there are {listed(offered) or 'none'}."
            )
    if "text" in switches:
        read = reading(calculation)
        assert read is not None
        calculation = with_text(calculation, read, read.read(switches["text"]))
    states = {
        name: _read(name, value, offered[name]) for name, value in switches.items() if name in SCORING_KINDS
    }
    off = read_ablated(switches["ablate"], offered["ablate"].choices) if "ablate" in switches else None
    title = _title(calculation, states, off)
    found = with_steps(calculation, states, title=title)
    if off is not None:
        found = with_off(found, off, title=title)
    for name, places in order_of(calculation, switches.get("order")).items():
        found = _permuted(found, found[name], places)
    return found if switches.get("zero") is None else _zeroed(found, switches["zero"])


def _title(calculation: Calculation, switches: Mapping[str, Any], off: Sequence[str] | None) -> str:
    """What is switched, after the title: `Self-attention, what if: not divided, T = 2`."""
    title, _, before = calculation.title.partition(ASKING)
    before, _, gone = before.partition(WITHOUT_PARTS)
    gone = gone if off is None else _parts_in_words(off)
    said = [
        SWITCH_WORDS[name][state] for name, state in switches.items() if state in SWITCH_WORDS.get(name, ())
    ]
    if "temperature" in switches:
        said.append(f"T = {format_constant(switches['temperature'])}")
    all_said = ", ".join(filter(None, [before.removesuffix(", "), *said, gone and WITHOUT_PARTS + gone]))
    return title + ASKING + all_said if all_said else title


def _parts_in_words(paths: Sequence[str]) -> str:
    """The blocks that are off, by name while they are few."""
    few = len(paths) <= MOST_NAMED
    return "; ".join(words_of_path(path.split(".")) for path in paths) if few else f"{len(paths)} parts"


def with_steps(
    calculation: Calculation, states: Mapping[str, State], *, has_places: bool = False, title: str = ""
) -> Calculation:
    """The record with other steps before its softmaxes; with `has_places`, idle ones where there are none."""
    ways = {way.reader: way for way in scorings(calculation.record) if has_places or _differs(way, states)}
    gone = {step for way in ways.values() for step in way.steps.values()}

    def switch(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        if old in gone:
            return inputs[0]
        if old in ways:
            own = {
                kind: state for kind, state in states.items() if state in _reachable(ways[old], kind, state)
            }
            inputs = (ways[old].rebuilt(inputs[0], own, has_places=has_places)[-1],)
        new = run_again(old, inputs)
        is_renamed = new.original is not new  # its readers would get the origin, which has another name
        return new.replace() if is_renamed else new

    return calculation.rewritten(switch, title=title)


def _differs(way: Scoring, states: Mapping[str, State]) -> bool:
    return any(
        state in _reachable(way, kind, state) and state != way.now(kind) for kind, state in states.items()
    )


def _reachable(way: Scoring, kind: str, state: State) -> tuple[State, ...]:
    """What this step can be switched to: any temperature."""
    choices = way.choices(kind)
    return (*choices, state) if choices and kind == "temperature" else choices


def _read(name: str, value: Any, offered: WhatIf) -> State:
    if name == "temperature":
        return read_number(value, "The temperature", 0)
    value = NO_STEP if value is None else value
    if not isinstance(value, str) or value not in offered.choices:
        others = "; other masks are handed to the formula, as mask=" if name == "mask" else ""
        raise HandcalcError(
            f"{name} is {short(value)}; here it can be {listed(map(repr, offered.choices))}{others}."
        )
    return value


# the order of the tokens ----------------------------------------------------------------------------


def sequences(calculation: Calculation) -> dict[str, Matrix]:
    """The givens that hold tokens, each a column (or, with tokens as rows, a row) with a label."""
    axis = calculation.convention == "columns"
    return {
        name: m
        for name, m in calculation.givens.items()
        if (m.columns if axis else m.rows) and m.shape[axis] > 1
    }


def order_of(calculation: Calculation, order: Any) -> Mapping[str, Any]:
    """The places of the tokens, by given; without a name they are those of the first one."""
    if order is None:
        return {}
    tokens = sequences(calculation)
    found = order if isinstance(order, Mapping) else {next(iter(tokens), ""): order}
    _check_names(found, tokens, "order")
    return found


def _permuted(calculation: Calculation, given: Matrix, places: Any) -> Calculation:
    """The tokens of one given in another order, with their words wherever these are labels."""
    axis = int(calculation.convention == "columns")
    count = given.shape[axis]
    listed_ = [
        read_count(k, "A place") for k in read_list(places, "order takes a list of places, counted from 0.")
    ]
    if sorted(listed_) != list(range(count)):
        raise HandcalcError(
            f"order is {short(places)}; for the {count} tokens of {given.display_name} it must list each "
            f"of 0 to {count - 1} once."
        )
    words = given.description.columns if axis else given.description.rows

    def moved(labels: Labels) -> Labels:
        """The words that stand there now, of all tokens or of some that follow one another."""
        start = _run(labels, words)
        if start is None:
            return labels
        return tuple((words or ())[k] for k in listed_[start : start + len(labels or ())])

    def switch(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        new = old.filled(old.values.take(listed_, axis)) if old is given else run_again(old, inputs)
        if new is old or not isinstance(words, tuple):
            return new
        return new.replace(rows=moved(new.description.rows), columns=moved(new.description.columns))

    return calculation.rewritten(switch)


def _run(labels: Labels, words: Labels) -> int | None:
    """Where these labels begin among the words, if they are a run of them."""
    if not isinstance(labels, tuple) or not isinstance(words, tuple):
        return None
    starts = range(len(words) - len(labels) + 1)
    return next((start for start in starts if words[start : start + len(labels)] == labels), None)


def _zeroed(calculation: Calculation, zero: Any) -> Calculation:
    names = (
        [zero] if isinstance(zero, str) else read_list(zero, "zero takes a given's name, or a list of names.")
    )
    _check_names(names, calculation.givens, "zero")
    return calculation.with_givens(**{name: np.zeros(calculation[name].shape) for name in names})


def _check_names(names: Any, known: Mapping[str, Matrix], what: str) -> None:
    for name in names:
        if not isinstance(name, str) or name not in known:
            shown = short(name) if isinstance(name, str) else kind(name)
            raise UnknownNameError(f"{what} takes one of {listed(known)}, not {shown}.")
