"""Blocks of a formula: inside one, names are short; outside they are paths, head_1.Q.

A formula says once where a block begins, `with block("head_1"):`, as TensorFlow's name scopes do. What
`step` and `weight` name inside belongs to the block; matrices that were handed in keep their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar, cast

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short
from handcalc.formulas.words import WORDS
from handcalc.labels import Labels
from handcalc.matrix import Matrix
from handcalc.operands import as_matrix

Formula = TypeVar("Formula", bound=Callable[..., Calculation])
_path: ContextVar[str] = ContextVar("_path", default="")


@contextmanager
def block(name: str) -> Iterator[None]:
    """Everything that is named in here gets this name as its prefix."""
    with _prefixed(f"{name}."):
        yield


@contextmanager
def _prefixed(prefix: str) -> Iterator[None]:
    outside = _path.set(_path.get() + prefix)
    try:
        yield
    finally:
        _path.reset(outside)


def step(
    name: str, result: Matrix, *, words: str = "", columns: Labels = None, rows: Labels = None
) -> Matrix:
    """A result under its name, with what `WORDS` says of it (under another name, if `words` has one)."""
    meaning, why = WORDS[words or name]
    return result.named(_path.get() + name, meaning, why=why, rows=rows, columns=columns)


def weight(name: str, values: Any) -> Matrix:
    """What was handed in for this block alone."""
    return as_matrix(values, _path.get() + name)


def takes_prefix(formula: Formula) -> Formula:
    """Accept `prefix=`, put before the names of all steps, for one more release; blocks replace it."""

    @wraps(formula)
    def with_prefix(*args: Any, prefix: str = "", **options: Any) -> Calculation:
        if not isinstance(prefix, str):
            raise HandcalcError(f'prefix is {short(prefix)}; it must be text, such as "layer_1.".')
        with _prefixed(prefix):
            return formula(*args, **options)

    return cast(Formula, with_prefix)
