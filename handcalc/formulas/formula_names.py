"""Names in a formula: of steps, weights, arguments, and the block that they belong to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, TypeVar, cast

from handcalc.formulas.block_texts import BLOCK_TEXTS
from handcalc.formulas.shape_checks import check_column
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.labels import Labels
from handcalc.record import blocks
from handcalc.record.blocks import Block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix

Formula = TypeVar("Formula", bound=Callable[..., Calculation])


def as_layer(write: Formula) -> Formula:
    """Make each call's result a layer: joined with others it is layer_1, layer_2, and so on (blocks.py)."""

    @wraps(write)
    def call(*args: Any, **options: Any) -> Calculation:
        with blocks.number_block(blocks.LAYER_BLOCK) as layer:
            found = write(*args, **options)
            layer.title = found.title  # known only when it is made
            return found

    return cast(Formula, call)


def formula_block(name: str, words: str = "", *, title: str = "") -> AbstractContextManager[Block]:
    """A block with its text from `BLOCK_TEXTS` (under another name, if `words` has one)."""
    about = BLOCK_TEXTS[words or name]
    return blocks.block(name, title or about.meaning, why=about.why)


def step(
    name: str, result: Matrix, *, words: str = "", columns: Labels = None, rows: Labels = None
) -> Matrix:
    """A result under its name, with its text from `STEP_TEXTS` (under another name, if `words` has one)."""
    meaning, why, stage = STEP_TEXTS[words or name]
    return result.named(name, meaning, why=why, stage=stage, rows=rows, columns=columns)


def parameter(name: str, values: MatrixLike) -> Matrix:
    """An argument for this block alone, as a named matrix."""
    return as_matrix(values, name)


def input_matrix(name: str, values: MatrixLike, *, columns: Labels) -> Matrix:
    """A formula's input, tokens as columns: it comes from outside the layer, and layers can share it."""
    layer = blocks.current_block()
    with blocks.open_block(layer.parent if layer else None):
        return as_matrix(values, name, rows="f", columns=columns)


def bias(name: str, values: MatrixLike | None, W: Matrix) -> Matrix | None:
    """The biases of a weighted sum, W X + b: a number for each row of W; None where a model has none."""
    if values is None:
        return None
    found = parameter(name, values)
    check_column(found, W)
    return found


def plus(product: Matrix, b: Matrix | None) -> Matrix:
    """W X + b, or W X without biases."""
    return product if b is None else product + b
