"""Both evaluators at the ends of what a float64 holds: every registered operation, values and slopes.

Python and the browser get the same numbers. Where Python refuses them, the page says that it cannot be
calculated; elsewhere the numbers are equal to 1e-12 of their size, and zeros have the same sign.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from in_node import Node

import handcalc as hc
from handcalc.operations import KINDS, Operation
from handcalc.operations.base import Index
from handcalc.operations.elementwise import Elementwise
from handcalc.record.matrix import apply

SIZES = (1e-300, 1, 30, 710, 800, 1e300, 1.7e308)
ENDS = (0.0, -0.0, 0.5, *SIZES, *(-size for size in SIZES))  # 17 of them, a prime
TALL, WIDE, SQUARE, ONE = (2, 1), (1, 2), (2, 2), (1, 1)
HALF = [[True, False], [True, True]]
# What an operation is made with that cannot do without, and the shapes of what it reads where others are.
MADE_WITH: dict[str, list[tuple[dict[str, Any], list[tuple[int, int]]]]] = {
    "power": [({"exponent": n}, [ONE]) for n in (1, 2, 3, 4, 9)],
    "exp": [({"base": base}, [ONE]) for base in (float(np.e), 2.0, 3.0, 0.5)],
    "gelu": [({"approximate": form}, [ONE]) for form in (True, False)],
    "gelu_slope": [({"approximate": form}, [ONE]) for form in (True, False)],
    "step": [({"below": below}, [ONE]) for below in (None, 0.01)],
    "mask": [({"allowed": HALF}, [SQUARE])],
    "keep": [({"allowed": HALF}, [SQUARE])],
    "matmul": [({}, [WIDE, TALL]), ({}, [TALL, WIDE]), ({}, [ONE, ONE])],
    "repeat": [({"count": 3}, [WIDE])],
    "scatter": [({"indices": [2, 0], "count": 3}, [SQUARE])],
    "slice": [({"start": 1, "stop": 2}, [SQUARE])],
    "gather": [({"indices": [1, 0, 1]}, [SQUARE])],
    "patches": [({"size": 2}, [(2, 4)])],
    "assemble": [({"size": 2, "width": 4}, [(4, 2)])],
    "round": [({"places": places}, [ONE]) for places in (0, 1, 9)],
    "sample": [({}, [TALL, ONE])],
    "cumulative_sums": [({"from_end": back}, [SQUARE]) for back in (False, True)],
    "one_hot": [({"count": 30}, [ONE])],
    "constant": [({"value": value}, []) for value in ENDS],
    "positions": [({"count": 3, "d_model": 4, "base": base}, []) for base in (1e-300, 0.5, 1.0, 800.0, 1e300)]
    + [({"count": 5, "d_model": 2, "turn": turn}, []) for turn in (1e-300, 30.0, 710.0)],
    "fixed_one_hot": [({"count": 3, "indices": [2, 0]}, [])],
}
# A record is filled again and again; per filling the numbers of its steps, or null where the page refuses.
BROWSER = """({ calculation: { Calculation } }, corpus) => corpus.map(([spec, fillings]) => {
  const calculation = new Calculation(spec);
  const steps = calculation.matrices.filter((m) => !m.isGiven);
  return fillings.map((filling) => {
    calculation.givens.forEach((given, k) => given.fill(filling[k]));
    calculation.compute();
    return calculation.isSound(true) ? steps.map((m) => Array.from(m.values)) : null;
  });
})"""


@dataclass
class Case:
    """A record, and what Python makes of it with each filling: its steps, or None."""

    name: str
    calculation: hc.Calculation
    fillings: list[list[np.ndarray]]
    found: list[list[hc.Matrix] | None]


def operations_of(kind: type[Operation]) -> Iterator[tuple[Operation, list[tuple[int, int]]]]:
    """Every way in which an operation is tested: with what it is made, along both axes."""
    count = 2 if kind.inputs is None else kind.inputs or 0
    usual = [({}, [ONE if issubclass(kind, Elementwise) else SQUARE] * count)]
    for parameters, shapes in MADE_WITH.get(kind.name, usual):
        operation = kind(**parameters)
        yield operation, shapes
        if "axis" in kind.fields:
            yield operation.transposed(), [shape[::-1] for shape in operation.order(shapes)]


def has_rule(kind: type[Operation]) -> bool:
    """Whether slopes go back through it, or it says that none do."""
    return kind.derivative is not None if issubclass(kind, Elementwise) else kind.slope is not Operation.slope


def records_of(operation: Operation, shapes: list[tuple[int, int]]) -> Iterator[tuple[str, hc.Calculation]]:
    """Its result, and by its own rule the slope for each of its inputs, of any slope for the result."""
    inputs = [hc.Matrix(np.ones(shape), f"M_{k}") for k, shape in enumerate(shapes)]
    result = apply(operation, *inputs)
    yield operation.name, hc.Calculation(result.named("result"))
    grad_output = hc.Matrix(np.ones(result.shape), "flow")
    for k in range(len(inputs)):
        if not has_rule(type(operation)):
            return
        slope = operation.slope(k, grad_output, inputs, result)
        if slope is not None and not slope.is_given:
            yield f"slope {k} of {operation.name}", hc.Calculation(slope.named("slope"))


def fillings_of(calculation: hc.Calculation) -> list[list[np.ndarray]]:
    """Numbers for all givens: in any two places every pair of extremes comes once (an orthogonal array).

    Where numbers are only moved, each comes once in each place.
    """
    shapes = [given.shape for given in calculation.givens.values()]
    ends, count = np.array(ENDS), sum(rows * columns for rows, columns in shapes)
    if not count:
        return [[]]
    is_moved = all(isinstance(m.operation, Index) for m in calculation.record if not m.is_given)
    first, step = (
        axis.ravel() for axis in np.indices((len(ends), 1 if count == 1 or is_moved else len(ends)))
    )
    step += 1
    fillings = []
    for row in ends[(first[:, None] + step[:, None] * np.arange(count)) % len(ends)]:
        parts = np.split(row, np.cumsum([rows * columns for rows, columns in shapes])[:-1])
        fillings.append([part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)])
    return fillings


def calculated(calculation: hc.Calculation, filling: list[np.ndarray]) -> list[hc.Matrix] | None:
    """Every step of the record again; None where Python refuses one."""
    found = {
        given: given.filled(values)
        for given, values in zip(calculation.givens.values(), filling, strict=True)
    }
    steps = [m for m in calculation.record if not m.is_given]
    try:
        for step in steps:
            found[step] = hc.Matrix.computed(step.operation, *[found[m] for m in step.inputs])
    except hc.HandcalcError:
        return None
    return [found[step] for step in steps]


def cases_of(kind: type[Operation]) -> Iterator[Case]:
    for operation, shapes in operations_of(kind):
        for what, calculation in records_of(operation, shapes):
            fillings = fillings_of(calculation)
            results = [calculated(calculation, filling) for filling in fillings]
            yield Case(f"{what} {operation.parameters()}", calculation, fillings, results)


def size_of(matrix: hc.Matrix) -> np.ndarray:
    """The size of each number; of a sum, that of what was added up: what cancels out has lost digits."""
    if matrix.operation.name not in ("matmul", "sums", "means"):
        return np.abs(matrix.values)
    with np.errstate(over="ignore"):
        return matrix.operation.compute(*(np.abs(m.values) for m in matrix.inputs))


def differences(case: Case, filling: int, shown: list[list[float]] | None) -> Iterator[str]:
    told = f"{case.name} of {[part.tolist() for part in case.fillings[filling]]}"
    expected = case.found[filling]
    if (expected is None) != (shown is None):
        yield f"{told}: {'Python' if expected is None else 'The page'} refuses, the other does not."
    elif expected is not None and shown is not None:
        for matrix, numbers in zip(expected, shown, strict=True):
            if not is_same(matrix, np.array(numbers).reshape(matrix.shape)):
                yield f"{told}: {matrix.operation.name} is {matrix.values.tolist()}, on the page {numbers}."


def is_same(matrix: hc.Matrix, there: np.ndarray) -> bool:
    here = matrix.values
    if here.tobytes() == there.tobytes():
        return True
    with np.errstate(invalid="ignore"):  # where both are −∞
        is_near = (there == here) | (abs(there - here) <= 1e-12 * size_of(matrix))
    return bool((is_near & ((here != 0) | (np.signbit(there) == np.signbit(here)))).all())


def assert_same(node: Node, corpus: list[Case]) -> None:
    written = [
        [json.loads(json.dumps(case.calculation.to_spec(), allow_nan=False)), case.fillings]
        for case in corpus
    ]
    shown = node(BROWSER, [[spec, [[g.tolist() for g in f] for f in fillings]] for spec, fillings in written])
    wrong = [
        line
        for case, on_page in zip(corpus, shown, strict=True)
        for k, numbers in enumerate(on_page)
        for line in differences(case, k, numbers)
    ]
    assert not wrong, f"{len(wrong)} of {sum(map(len, shown))} differ:\n" + "\n".join(wrong[:40])


@pytest.mark.slow
def test_every_operation_and_its_slopes_are_the_same_at_the_extremes(node):
    assert_same(node, [case for kind in KINDS.values() for case in cases_of(kind)])
