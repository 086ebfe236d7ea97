"""Switches of `what_if` for the browser: all choices, and for each only what differs.

A page has a calculation with an idle step in the place of each that could be switched on. In its spec stand,
for each place, the operations that it could have, and the formulas that follow from what is switched: they
name what is read, and of several steps one after another that is the last one that is on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from handcalc.notation.markup import Html, Spoken, Text
from handcalc.notation.numbers import Values
from handcalc.operations import Mask
from handcalc.record.calculation import Calculation
from handcalc.record.equations import badge, right_sides, typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import write_equation as written
from handcalc.record.rewriting import WhatIf
from handcalc.what_if.ablation import SUFFIX, Ablation, ablations, with_off
from handcalc.what_if.other_text import Reading, reading, token_sides
from handcalc.what_if.scoring import BY_ROOT_OF_D_K, NO_STEP, SCORING_KINDS, Scoring, State, scorings
from handcalc.what_if.variations import SWITCH_WORDS, what_ifs, with_steps

CAUSAL_ROW = "causal"  # of a mask: the browser knows what that is, as large as it may be
STATE_LABELS = {"sqrt_d_k": "÷ √d<sub>k</sub>", "d_k": "÷ d<sub>k</sub>", "given": "its own", 0.5: "½"}
REQUESTS = {  # what a reader asks for, before the choices
    "scaling": "Scale the scores",
    "mask": "Mask the scores",
    "temperature": "Divide the scores by a temperature",
}
ANY_TEMPERATURE = 2.0  # any temperature: the browser puts another one in its place


def with_places(calculation: Calculation) -> Calculation:
    """The calculation with an idle step wherever one can be switched on."""
    return with_off(with_steps(calculation, {}, has_places=True), None, has_places=True)


def switches_spec(calculation: Calculation, form: Calculation, *, is_exact: bool) -> dict[str, Any] | None:
    """The switches of a calculation, for one form of it with places; nothing where there are none."""
    offered = {name: each for name, each in what_ifs(calculation).items() if name in SCORING_KINDS}
    own = calculation.in_convention(form.convention)
    parts = ablations(own)
    read = reading(form)
    if not offered and not parts and not read:
        return None
    sheet = _Form(form, is_exact)
    for way in scorings(own.record):
        sheet.add(way)
    sheet.add_parts(parts)
    switches = [_switch(name, each) for name, each in offered.items()]
    found = {"switches": switches, "places": sheet.places, "texts": sheet.texts}
    return (
        found | ({"readers": sheet.readings} if parts else {}) | ({"text": _text(form, read)} if read else {})
    )


def _text(form: Calculation, read: Reading) -> dict[str, Any]:
    """Where a text is looked up, what can be typed, and which matrices have rows or columns of tokens."""
    rows, columns, is_free = token_sides(form, read)
    least, most = (read.signs + 1, read.most) if is_free else [len(read.tokens)] * 2
    about = {"at": form.record.index(read.at), "known": read.known, "between": read.between}
    return {**about, "signs": read.signs, "least": least, "most": most, "rows": rows, "columns": columns}


def _switch(name: str, offered: WhatIf) -> dict[str, Any]:
    """One switch: each state with the label of its button, as HTML, and its words."""
    said = SWITCH_WORDS.get(name, {})
    choices = [
        {"value": state, "label": STATE_LABELS.get(state, words), "words": words}
        for state in map(_plain, offered.choices)
        for words in (said.get(str(state), str(state)),)
    ]
    request = REQUESTS.get(name, offered.title)
    return {
        "name": name,
        "title": offered.title,
        "request": request,
        "now": _plain(offered.now),
        "choices": choices,
    }


def _plain(state: State) -> State:
    return int(state) if isinstance(state, float) and state.is_integer() else state


class _Form:
    """Places and texts, as one form of the calculation has them."""

    def __init__(self, form: Calculation, is_exact: bool) -> None:
        self.record, self.convention, self.is_exact = form.record, form.convention, is_exact
        self.at = {m: k for k, m in enumerate(form.record)}
        self.named = {m.name: m for m in form.record if m.name}
        self.readers: dict[Matrix, list[Matrix]] = {}
        for matrix in form.record:
            for read in matrix.inputs:
                self.readers.setdefault(read, []).append(matrix)
        self.places: list[dict[str, Any]] = []
        self.texts: dict[str, dict[str, dict[str, list[str]]]] = {}
        self.readings: dict[str, dict[str, list[str]]] = {}

    def add(self, way: Scoring) -> None:
        kinds = [kind for kind in SCORING_KINDS if way.choices(kind)]
        line = [self.named[name] for name in (way.scores.name or "", *map(way.name, kinds))]
        for kind, before, place in zip(kinds, line, line[1:], strict=False):
            choices = dict(self._choices(way, kind))
            written_ = {key: step and self._written(step, before) for key, step in choices.items()}
            about = {"at": self.at[place], "before": self.at[before], "switch": kind, "now": way.now(kind)}
            self.places.append({**about, "choices": written_})
            seen = line[: line.index(place)]
            if not place.is_idle:
                self._tell(place, _key(way.now(kind)), place, before, seen)
            for key, step in choices.items():
                if step is not None:
                    self._tell(place, key, step, way.scores, seen)
        for reader in self._after(line[-1]):
            self._tell(reader, "", reader, line[-1], line)

    def add_parts(self, parts: Sequence[Ablation]) -> None:
        """Add the parts that can be switched off, and their readers' texts: with all on, and with one off."""
        lines = {self.named[f"{one.result.name}{SUFFIX}"]: one for one in parts}
        on = {place: place.inputs[0] for place in lines}
        for place, one in lines.items():
            result, is_off = on[place], one.zeros is not None
            zeros = one.switched(result, True)
            about = {"at": self.at[place], "before": self.at[result], "switch": "ablate", "path": one.path}
            choices = {"on": None} if is_off else {"off": self._written(zeros, result)}
            home = (self._after(place)[0].name or "").rpartition(".")[0]
            now = {"now": "off" if is_off else "on", "seen": typeset_equation(zeros, home)}
            self.places.append({**about, **now, "choices": choices})
            self._tell(place, "off", zeros, result, [result])
            for reader in self._after(place):
                told = self.readings.setdefault(str(self.at[reader]), {"": _texts(self._renamed(reader, on))})
                told[str(self.at[place])] = _texts(self._renamed(reader, on | {place: zeros}))

    def _choices(self, way: Scoring, kind: str) -> Iterator[tuple[str, Matrix | None]]:
        """Each state that a place can be switched to, with the step that it is then, if it is one."""
        if kind == "temperature":
            yield from (("1", None), ("T", way.step(kind, way.scores, ANY_TEMPERATURE)))
            return
        for state in way.choices(kind):
            # the handout has another step for it
            is_shortened = state == BY_ROOT_OF_D_K and not self.is_exact
            if state != way.now(kind) and not is_shortened:
                yield str(state), None if state == NO_STEP else way.step(kind, way.scores, state)

    def _written(self, step: Matrix, before: Matrix) -> dict[str, Any]:
        """The fields that differ in a step's entry; numbers of the formula are written in place."""
        assert step.operation is not None
        operation = {"name": step.operation.name, **step.operation.parameters()}
        if isinstance(step.operation, Mask) and self._is_causal(step.operation.allowed):
            operation["allowed"] = CAUSAL_ROW
        inputs = [self.at[before], *map(_inline, step.inputs[1:])]
        about = {"meaning": step.meaning, "why": step.why, "stage": step.stage, "badge": badge(step)}
        return {"operation": operation, "inputs": inputs, **about, "never_negative": step.never_negative}

    def _is_causal(self, allowed: Values) -> bool:
        by_columns = allowed if self.convention == "columns" else allowed.T
        return bool(np.array_equal(by_columns, np.triu(np.ones_like(by_columns))))

    def _tell(self, place: Matrix, key: str, step: Matrix, reads: Matrix, seen: Sequence[Matrix]) -> None:
        """Write the text of a step for each matrix that it may read: the last one that is on."""
        for other in seen:
            of_place = self.texts.setdefault(str(self.at[place]), {}).setdefault(key, {})
            of_place[str(self.at[other])] = _texts(self._renamed(step, {reads: other}))

    def _renamed(self, step: Matrix, others: Mapping[Matrix, Matrix]) -> Matrix:
        """A copy of a step that reads other matrices instead of some, also through inline matrices."""
        copies: dict[Matrix, Matrix] = {}

        def copied(matrix: Matrix) -> Matrix:
            if matrix not in copies:
                copies[matrix] = read_otherwise(matrix)
            return copies[matrix]

        def read_otherwise(matrix: Matrix) -> Matrix:
            if matrix in others:
                return matrix.replace(name=others[matrix].name, operation=None, inputs=())
            is_open = matrix is step or matrix.is_inline
            inputs = tuple([copied(m) for m in matrix.inputs]) if is_open else matrix.inputs
            return matrix if inputs == matrix.inputs else matrix.replace(inputs=inputs)

        return copied(step)

    def _after(self, last: Matrix) -> list[Matrix]:
        """The named readers of a matrix, direct or through inline matrices."""
        found: dict[Matrix, None] = {}
        waiting = [last]
        while waiting:
            for reader in self.readers.get(waiting.pop(), ()):
                if reader.name:
                    found[reader] = None
                if reader.is_inline:
                    waiting.append(reader)
        return list(found)


def _texts(step: Matrix) -> list[str]:
    """A step's equation as text, and its right side as HTML and spoken."""
    return [written(step, Text), *right_sides(step, Html, Spoken)]


def _inline(matrix: Matrix) -> dict[str, Any]:
    assert matrix.operation is not None
    return {
        "name": None,
        "shape": list(matrix.shape),
        "operation": {"name": matrix.operation.name, **matrix.operation.parameters()},
        "inputs": [_inline(m) for m in matrix.inputs],
        "typeset": typeset_equation(matrix),
    }


def _key(state: State) -> str:
    """The name of a state in a page: a temperature is 1, or some T."""
    return state if isinstance(state, str) else "1" if state == 1 else "T"
