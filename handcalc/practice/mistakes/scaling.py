"""Mistakes in dividing by a root, and a step that was left out: its input read in its place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.formulas.handout import root_of_a_number
from handcalc.matrix import Matrix
from handcalc.operations import Divide, Mask, MatMul, Relu
from handcalc.practice.follow_through import LearnerReplay
from handcalc.practice.mistakes.mal_rule import MalRule, Outcome, plain
from handcalc.practice.mistakes.normalization import is_normalization

SIZES = {"d_model": "how many features a token has", "n": "how many tokens there are"}


def _scaling(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    root = root_of_a_number(node)
    if root is None:
        return
    scores, number = replay.read(node.inputs[0]), float(root.values[0, 0])
    said = root.display_name
    yield Outcome("not-scaled", f"The numbers were not divided by √{said}.", scores)
    yield Outcome(f"divided-by-{said}", f"Divided by {said} itself, not by its root.", scores / number)
    sentence = f"Multiplied by √{said}, not divided by it."
    yield Outcome("upside-down", sentence, scores * np.sqrt(number))
    for name, count in _other_sizes(node, number):
        sentence = f"Divided by the root of {SIZES[name]}, {count}, not of {said}, {number:g}."
        yield Outcome(f"divided-by-sqrt-{name}", sentence, scores / np.sqrt(count))


def _quotients(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """A plain division, by a temperature or a feature: left out, or turned over."""
    if not isinstance(node.operation, Divide) or root_of_a_number(node) or is_normalization(node):
        return
    top, bottom = node.inputs
    yield Outcome(
        "not-divided", f"{top.display_name} was not divided by {bottom.display_name}.", replay.read(top)
    )
    with np.errstate(all="ignore"):
        turned = np.asarray(replay.read(bottom) / replay.read(top))
    yield Outcome("upside-down", f"This is {bottom.display_name} divided by {top.display_name}.", turned)


def _other_sizes(node: Matrix, number: float) -> Iterator[tuple[str, int]]:
    """The sizes that could be taken for d_k: that of the inputs (d_model), and how many tokens there are."""
    scores = node.inputs[0]
    if not isinstance(scores.operation, MatMul):
        return
    projection = next((plain(m) for m in scores.inputs if isinstance(plain(m).operation, MatMul)), None)
    sizes = [("d_model", projection.inputs[0].shape[1])] if projection else []
    sizes += [("n", count) for count in dict.fromkeys(scores.shape) if count not in dict(sizes).values()]
    yield from ((name, count) for name, count in sizes if count != number)


def _step_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Outcome]:
    """The step before was not read, but what it is made from: e^S where e^(S / √d_k) is asked for."""
    for read in node.inputs:
        source = read.inputs[0] if read.is_idle else read
        name = _left_out(source)
        if source.name and name:
            found = replay.compute(node, {id(read): replay.read(source.inputs[0])})
            if found is not None:
                sentence = f"{source.inputs[0].display_name} was used where {source.display_name} belongs."
                yield Outcome(name, sentence, found)


def _left_out(source: Matrix) -> str | None:
    """What the mistake is called when the step is left out."""
    if root_of_a_number(source) is not None:
        return "not-scaled"
    if is_normalization(source):
        return "not-normalised"
    if isinstance(source.operation, Mask):
        return "mask-left-out"
    return "relu-left-out" if isinstance(source.operation, Relu) else None


MAL_RULES: tuple[MalRule, ...] = (_scaling, _quotients, _step_left_out)
