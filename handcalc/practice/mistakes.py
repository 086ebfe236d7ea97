"""The mistakes that are known: each is a wrong twin of an operation, with a name and one sentence.

A twin is what a step comes to when the mistake is made in it, on the learner's own numbers. Mistakes
are told from the operations in the record alone; where a name speaks of queries or weights, the words
are those that the matrices bear as their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.operations import (
    Add,
    Divide,
    Exp,
    Fixed,
    Mask,
    MatMul,
    Means,
    Relu,
    Sqrt,
    Subtract,
    Sums,
    Transpose,
)
from handcalc.practice.own import Own, worked_out


@dataclass(frozen=True)
class Twin:
    """What a node of the record would be, had the mistake been made there."""

    mistake: str
    sentence: str
    values: Values


Maker = Callable[[Matrix, Own], Iterator[Twin]]
AXES = ("column", "row")


def twins(step: Matrix, own: Own) -> Iterator[Twin]:
    """Every known mistake in a step: in its own operation, or in one that is written inline in it."""
    for node in inline(step):
        for maker in MAKERS:
            for twin in maker(node, own):
                values = twin.values if node is step else _carried(step, node, twin.values, own)
                if values is not None and values.shape == step.shape:
                    yield Twin(twin.mistake, twin.sentence, values)
    yield from _rounded(step, own)


def inline(step: Matrix) -> Iterator[Matrix]:
    """The step and the unnamed matrices that its formula is made of, each after those it is read by."""
    yield step
    for source in step.inputs:
        if source.operation is not None and source.name is None:
            yield from inline(source)


def _carried(step: Matrix, node: Matrix, values: Values, own: Own) -> Values | None:
    """The step, worked out again with other numbers in one of its inline parts."""
    if step is node:
        return values
    inputs: list[Values] = []
    for source in step.inputs:
        is_part = (
            source.operation is not None and source.name is None and any(m is node for m in inline(source))
        )
        found = _carried(source, node, values, own) if is_part else own.read(source)
        if found is None:
            return None
        inputs.append(found)
    return worked_out(step, *inputs)


# products ------------------------------------------------------------------------------------


def _turned_products(node: Matrix, own: Own) -> Iterator[Twin]:
    if not isinstance(node.operation, MatMul):
        return
    left, right = node.inputs
    a, b = own.read(left), own.read(right)
    is_scores = any(isinstance(m.operation, Transpose) and m.name is None for m in node.inputs)
    if is_scores:
        sentence = f"The product is turned around: this is {_turned_formula(node)}."
        yield Twin(f"transposed-{_word(node)}", sentence, (a @ b).T)
        return
    for operand in (right, left):
        if operand.shape[0] == operand.shape[1]:
            values = a @ b.T if operand is right else a.T @ b
            sentence = f"{operand.said} is turned around: its rows were used as columns."
            yield Twin(f"transposed-{_word(operand)}", sentence, values)


def _swapped_products(node: Matrix, own: Own) -> Iterator[Twin]:
    """The product with the other one's weights: queries where keys should be."""
    if not isinstance(node.operation, MatMul) or not node.name:
        return
    named = [m for m in own.calculation.record if m.name and isinstance(m.operation, MatMul)]
    for other in named:
        shared = {id(m) for m in node.inputs} & {id(m) for m in other.inputs}
        if other is node or not shared or other.shape != node.shape:
            continue
        values = own.compute(other)
        if values is None:
            continue
        first, second = sorted((node, other), key=named.index)
        sentence = f"This is {other.name}, not {node.name}: the weights of the {_word(other)} were used."
        yield Twin(f"{_word(first)}-and-{_word(second)}-swapped", sentence, values)


def _lost_signs(node: Matrix, own: Own) -> Iterator[Twin]:
    """Every minus overlooked: in the result, or in one of the matrices that are read."""
    sentence = "A minus sign was lost."
    values = own.compute(node)
    if values is not None:
        yield Twin("sign-lost", sentence, np.abs(values))
    for source in node.inputs:
        found = own.compute(node, {id(source): np.abs(own.read(source))})
        if found is not None:
            yield Twin("sign-lost", f"A minus sign in {source.said} was lost.", found)


# dividing by a root --------------------------------------------------------------------------


def _scaling(node: Matrix, own: Own) -> Iterator[Twin]:
    root = root_of_a_number(node)
    if root is None:
        return
    scores, number = own.read(node.inputs[0]), float(root.values[0, 0])
    said = root.said
    yield Twin("not-scaled", f"The numbers were not divided by √{said}.", scores)
    yield Twin(f"divided-by-{said}", f"Divided by {said} itself, not by its root.", scores / number)
    for name, count in _other_sizes(node, number):
        yield Twin(
            f"divided-by-sqrt-{name}",
            f"Divided by the root of {name}, not of {said}.",
            scores / np.sqrt(count),
        )


def root_of_a_number(node: Matrix) -> Matrix | None:
    """The number under the root that a step divides by: d_k in S / √d_k."""
    if not isinstance(node.operation, Divide) or not isinstance(node.inputs[1].operation, Sqrt):
        return None
    (inside,) = node.inputs[1].inputs
    return inside if isinstance(inside.operation, Fixed) else None


def _other_sizes(node: Matrix, number: float) -> Iterator[tuple[str, int]]:
    """The sizes that could be taken for d_k: that of the inputs (d_model), and how many tokens there are."""
    scores = node.inputs[0]
    if not isinstance(scores.operation, MatMul):
        return
    projection = next((_plain(m) for m in scores.inputs if isinstance(_plain(m).operation, MatMul)), None)
    sizes = [("d_model", projection.inputs[0].shape[1])] if projection else []
    sizes.append(("n", scores.shape[0]))
    yield from ((name, count) for name, count in sizes if count != number)


def _unscaled_before(node: Matrix, own: Own) -> Iterator[Twin]:
    """The step before was left out: e^S where e^(S / √d_k) is asked for."""
    for read in node.inputs:
        source = read.inputs[0] if read.is_idle else read
        if source.name and root_of_a_number(source) is not None:
            found = own.compute(node, {id(read): own.read(source.inputs[0])})
            if found is not None:
                yield Twin(
                    "not-scaled", f"{source.inputs[0].said} was used where {source.said} belongs.", found
                )


# shares of a line ----------------------------------------------------------------------------


def _wrong_line(node: Matrix, own: Own) -> Iterator[Twin]:
    """Along each row where each column is meant, or the other way round."""
    if not isinstance(node.operation, Sums | Means):
        return
    axis = node.operation.axis
    values = type(node.operation)(1 - axis).compute(own.read(node.inputs[0]))
    name = f"{AXES[1 - axis]}-softmax" if _is_softmax_sum(node, own) else f"along-each-{AXES[1 - axis]}"
    sentence = f"This runs along each {AXES[1 - axis]}; each {AXES[axis]} is meant."
    yield Twin(name, sentence, values.T if values.shape != node.shape else values)
    if isinstance(node.operation, Means):
        count = node.inputs[0].shape[axis]
        yield Twin("not-divided", f"Added up, but not divided by {count}.", own.read(node) * count)


def _is_softmax_sum(node: Matrix, own: Own) -> bool:
    """Whether what was added up is then divided by its sum."""
    return any(
        isinstance(m.operation, Divide) and m.inputs[1] is node and m.inputs[0] is node.inputs[0]
        for m in own.calculation.record
    )


def shared_out(node: Matrix) -> bool:
    """Whether a step divides numbers by their own sum."""
    if not isinstance(node.operation, Divide):
        return False
    top, bottom = node.inputs
    return isinstance(bottom.operation, Sums) and bottom.inputs[0] is top


def _shares(node: Matrix, own: Own) -> Iterator[Twin]:
    if not shared_out(node):
        return
    top, bottom = node.inputs
    assert isinstance(bottom.operation, Sums)
    axis, powers = bottom.operation.axis, own.read(top)
    yield Twin("not-normalised", f"Each {AXES[axis]} must add up to 1: divide it by its sum.", powers)
    with np.errstate(all="ignore"):
        along = powers / powers.sum(axis=1 - axis, keepdims=True)
        sentence = f"Here each {AXES[1 - axis]} adds up to 1; each {AXES[axis]} must."
        yield Twin(f"{AXES[1 - axis]}-softmax", sentence, along)
    yield from _masked_after(top, axis, own)


def _masked_after(powers: Matrix, axis: int, own: Own) -> Iterator[Twin]:
    """Shares of all, and only then the hidden ones struck out: what is left does not add up to 1."""
    scores = powers.inputs[0] if isinstance(powers.operation, Exp) else None
    while scores is not None and scores.is_idle:
        scores = scores.inputs[0]
    if scores is None or not isinstance(scores.operation, Mask):
        return
    seen = worked_out(powers, own.read(scores.inputs[0]))
    if seen is not None:
        shares = np.where(scores.operation.allowed, seen / seen.sum(axis=axis, keepdims=True), 0)
        sentence = "The mask came after softmax: what was hidden took its share before it was struck out."
        yield Twin("mask-after-softmax", sentence, shares)
        yield Twin(
            "mask-left-out",
            "Nothing was hidden: the mask was left out.",
            seen / seen.sum(axis=axis, keepdims=True),
        )


def _masks(node: Matrix, own: Own) -> Iterator[Twin]:
    if not isinstance(node.operation, Mask):
        return
    scores, allowed = own.read(node.inputs[0]), node.operation.allowed
    yield Twin("mask-left-out", "Nothing was hidden: the mask was left out.", scores)
    if allowed.shape[0] == allowed.shape[1]:
        sentence = "The mask hides the wrong side: who asks may not see what comes later."
        yield Twin("mask-wrong-side", sentence, np.where(allowed.T, scores, -np.inf))
    yield Twin(
        "zero-for-minus-infinity",
        "What is hidden becomes -∞, not 0: e^0 is 1, not 0.",
        np.where(allowed, scores, 0.0),
    )


# cell by cell --------------------------------------------------------------------------------


def _powers(node: Matrix, own: Own) -> Iterator[Twin]:
    if not isinstance(node.operation, Exp):
        return
    exponents, base = own.read(node.inputs[0]), node.operation.base
    word = "e" if base == np.e else f"{base:g}"
    with np.errstate(all="ignore"):
        yield Twin(
            "times-for-power", f"{word} to the power of a number is not {word} times it.", base * exponents
        )
        if base != 3:
            yield Twin(
                "wrong-base", f"These are powers of 3; {word} is asked for.", np.asarray(3.0**exponents)
            )
        if base != np.e:
            yield Twin("wrong-base", f"These are powers of e; {word} is asked for.", np.exp(exponents))


def _left_out(node: Matrix, own: Own) -> Iterator[Twin]:
    if isinstance(node.operation, Relu):
        yield Twin("relu-left-out", "Negative numbers become 0.", own.read(node.inputs[0]))
        yield Twin("sign-lost", "Negative numbers become 0, not positive.", np.abs(own.read(node.inputs[0])))
    if isinstance(node.operation, Add | Subtract):
        for kept, left in ((0, 1), (1, 0))[: 2 if isinstance(node.operation, Add) else 1]:
            values = np.broadcast_to(own.read(node.inputs[kept]), node.shape)
            if node.inputs[kept].shape == node.shape and not isinstance(node.inputs[left].operation, Fixed):
                yield Twin("term-left-out", f"{node.inputs[left].said} was left out.", values)
    if isinstance(node.operation, Sqrt) and not isinstance(node.inputs[0].operation, Fixed):
        yield Twin("root-left-out", "The root was not taken.", own.read(node.inputs[0]))


def _rounded(step: Matrix, own: Own) -> Iterator[Twin]:
    """What was read rounded to a whole number, or to one place, before it was used; or the result itself."""
    values = own.compute(step)
    for places, words in ((0, "whole numbers"), (1, "one place")):
        if values is not None:
            yield Twin(
                "rounded-too-early",
                f"Rounded to {words}; write all the places that are asked for.",
                half_up(values, places),
            )
        instead = {id(m): half_up(own.read(m), places) for m in step.inputs}
        found = own.compute(step, instead)
        if found is not None:
            yield Twin(
                "rounded-too-early",
                f"What goes in was rounded to {words} first; round only what you write down.",
                found,
            )


def half_up(values: Values, places: int) -> Values:
    """Rounded as on paper, a half away from zero."""
    scale = 10.0**places
    with np.errstate(all="ignore"):
        return np.where(
            np.isfinite(values), np.sign(values) * np.floor(np.abs(values) * scale + 0.5) / scale, values
        )


MAKERS: tuple[Maker, ...] = (
    _swapped_products,
    _turned_products,
    _lost_signs,
    _scaling,
    _unscaled_before,
    _wrong_line,
    _shares,
    _masks,
    _powers,
    _left_out,
)


def _plain(matrix: Matrix) -> Matrix:
    """Kᵀ as K."""
    return matrix.inputs[0] if isinstance(matrix.operation, Transpose) and matrix.name is None else matrix


def _word(matrix: Matrix) -> str:
    """One word for what a matrix is: the last of its meaning, else its name."""
    matrix = _plain(matrix)
    return (matrix.meaning or matrix.said).split()[-1].rstrip(",")


def _turned_formula(node: Matrix) -> str:
    first, second = (_plain(m) for m in node.inputs)
    is_left = isinstance(node.inputs[0].operation, Transpose)
    return f"{second.said}ᵀ {first.said}" if is_left else f"{second.said} {first.said}ᵀ"
