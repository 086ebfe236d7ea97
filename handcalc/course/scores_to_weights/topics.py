"""Softmax, with e and with 3: powers of scores become shares."""

from __future__ import annotations

import numpy as np

from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.topic_registry import lesson_topic
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums, exp


@lesson_topic("softmax", "SM", 3)
def _softmax(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-1, 0, 1, 2, 3)), "S")
    return shares_of(S, "Softmax")


@lesson_topic("softmax_base_3", "SP", 4)
def _softmax_base_3(rng: Rng, level: int) -> Calculation:
    height, width = {1: (3, 1), 2: (3, 3), 3: (4, 4)}[level]
    S = Matrix(rng.matrix(height, width, (-1, 0, 1, 2)), "S")
    return shares_of(S, "Softmax with powers of 3", base=3)


def shares_of(S: Matrix, title: str, base: float = float(np.e)) -> Calculation:
    """Powers of the scores, their sums, and the shares: E, E_sum, A."""
    E = exp(S, base).named(
        "E", "exponentials", why="Powers are never negative, and a higher score gets a far larger one."
    )
    E_sum = column_sums(E).named(
        "E_sum", "sums", why="Adds up the powers; divided by their sum, they become shares."
    )
    A = (E / E_sum).named("A", "shares", why="Divides each power by its sum, so that the shares add up to 1.")
    return Calculation(S, E, E_sum, A, title=title)
