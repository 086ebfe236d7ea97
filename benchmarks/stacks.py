"""Stacks of 1 to 12 encoder layers: how building, explaining, following and writing them down grow.

Each layer's result goes into the next layer, and all is one calculation at the end. An exponent is the
slope of a straight line through the logarithms: 1 where twice as many layers take twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

import sheets
from report import Report, Row, Target
from timing import interleaved, medians, slope

import handcalc as hc

LAYERS, WIDTH, TOKENS = (1, 2, 3, 4, 6, 8, 12), 6, 4
WIDTHS = (24, 48, 96, 192, 384)
ROUNDS = 7
MOST_EXPONENT = 1.1
Sample = dict[str, float]


def run() -> Report:
    """Stack layers, then widen the layer norm; each row is held against the first one of its kind."""
    stacked = _grown(LAYERS, _of_stack)
    normed = _grown(WIDTHS, _of_norm)
    rows: list[Row] = [{"what": "layers", "size": size} | times for size, times in stacked.items()]
    rows += [{"what": "layer norm, d_model", "size": size} | times for size, times in normed.items()]
    targets = [Target(f"layers: exponent of {name}", _slope(stacked, name), MOST_EXPONENT) for name in STACK]
    targets += [
        Target(f"layer norm: exponent of {name}", _slope(normed, name), MOST_EXPONENT) for name in NORM
    ]
    return Report(f"Stacks: ms, d_model {WIDTH}, {TOKENS} tokens (medians of {ROUNDS})", rows, targets)


def _grown(
    sizes: tuple[int, ...], tasks: Callable[[int], dict[str, Callable[[], object]]]
) -> dict[int, Sample]:
    """Milliseconds of every task at every size, all in turn."""
    every = {(name, size): task for size in sizes for name, task in tasks(size).items()}
    samples = interleaved(
        {f"{name} {size}": task for (name, size), task in every.items()}, rounds=ROUNDS, clock=process_time
    )
    typical = medians(samples)
    found: dict[int, Sample] = {size: {} for size in sizes}
    for name, size in every:
        found[size][f"{name} ms"] = 1000 * typical[f"{name} {size}"]
    return found


STACK = ("build", "explain", "feeds", "with_givens", "to_spec")
NORM = ("explain", "feeds")


def _of_stack(layers: int) -> dict[str, Callable[[], object]]:
    build = partial(sheets.stack, layers, WIDTH, TOKENS)
    calculation = build()
    X = calculation["X"].values
    tasks = (lambda: build().record, partial(_explained, calculation), partial(_followed, calculation))
    return dict(
        zip(STACK, (*tasks, lambda: calculation.with_givens(X=X + 1), calculation.to_spec), strict=True)
    )


def _of_norm(d_model: int) -> dict[str, Callable[[], object]]:
    """The first cell of each step of a layer norm as text, and what the first number that goes in feeds."""
    draw = sheets.drawer()
    normed = hc.layer_norm(draw(d_model, 4), 1 + draw(d_model, 1), draw(d_model, 1))
    calculation = hc.Calculation(normed.named("out"))
    read = calculation["X"]
    tasks = (partial(_explained, calculation), lambda: calculation.feeds(read, 0, 0))
    return dict(zip(NORM, tasks, strict=True))


def _explained(calculation: hc.Calculation) -> None:
    """The first cell of every step."""
    for name in calculation.steps:
        str(calculation.explain(name, 0, 0))


def _followed(calculation: hc.Calculation) -> None:
    """The readers of the first cell of every matrix, from a record that nobody has looked at yet."""
    fresh = hc.Calculation(*calculation.values())
    for matrix in fresh.values():
        fresh.feeds(matrix, 0, 0)


def _slope(times: dict[int, Sample], name: str) -> float:
    return slope([(size, found[f"{name} ms"]) for size, found in times.items()])
