"""Heads switched off by hand: which of them can be spared, and which cannot."""

from __future__ import annotations

import numpy as np

from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.topic_registry import lesson_topic
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import argmax

LETTERS, WIDTH, HEAD_WIDTH = "ABC", {1: 3, 2: 4, 3: 4}, 2
MAX_HEAD_DRAWS = 400
WROTE = "What this head found, through its part of W_O: what it writes beside what was there."
LEFT = "What was there, and what the heads that are on have written; one that is off has written nothing."
LOGITS = "How strongly does what is left speak for each letter?"
ANSWER = "The letter with the highest logit. Is it the same without this head?"


@lesson_topic("ablation", "HF", 62)
def _ablation(rng: Rng, level: int) -> Calculation:
    """The answer with all heads and without each: one head changes it, another does not."""
    heads = 3 if level == 3 else 2
    for _ in range(MAX_HEAD_DRAWS):
        x, found, W_O, W_U = _drawn(rng, WIDTH[level], heads)
        written = [W @ Z for W, Z in zip(W_O, found, strict=True)]
        whole = x + sum(written)
        answers = [_answer(W_U @ (whole - one)) for one in (0 * whole, *written)]
        if None not in answers and 0 < answers[1:].count(answers[0]) < heads:
            break
    tokens = Matrix(x, "x").named("x", "the last letter, before these heads")
    read_out = Matrix(W_U, "W_U", rows=[*LETTERS]).named("W_U", "what each letter looks for")
    outputs = []
    for number, (W, Z) in enumerate(zip(W_O, found, strict=True), start=1):
        with block(f"head_{number}"):
            Z_given = Matrix(Z, "Z").named("Z", "what this head found")
            outputs.append((Matrix(W, "W_O") @ Z_given).named("O", "what this head writes", why=WROTE))
    steps = [step for off in range(heads + 1) for step in _answered(tokens, outputs, read_out, off)]
    return Calculation(tokens, *outputs, read_out, *steps, title="A head switched off")


def _drawn(
    rng: Rng, width: int, heads: int
) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray], np.ndarray]:
    """The residual stream, the output of each head, and the weights, all small whole numbers."""
    x = np.array(rng.matrix(width, 1, (0, 1, 2)))
    found = [np.array(rng.matrix(HEAD_WIDTH, 1, (-1, 1, 2, 3))) for _ in range(heads)]
    W_O = [np.array(rng.matrix(width, HEAD_WIDTH, (-1, 0, 1, 1))) for _ in range(heads)]
    return x, found, W_O, np.array(rng.matrix(len(LETTERS), width, (-1, 0, 1, 2)))


def _answer(logits: np.ndarray) -> int | None:
    """The row of the highest logit, if there is one."""
    highest = np.flatnonzero(logits == logits.max())
    return int(highest[0]) if len(highest) == 1 else None


def _answered(tokens: Matrix, outputs: list[Matrix], W_U: Matrix, off: int) -> list[Matrix]:
    """The answer without head number `off`; with all of them for 0."""
    name, title = (f"without_head_{off}", f"Without head {off}") if off else ("all_heads", "All heads on")
    with block(name, title):
        R = tokens
        for number, written in enumerate(outputs, start=1):
            R = R if number == off else R + written
        R = R.named("R", "what is left", why=LEFT)
        logits = (W_U @ R).named("logits", "scores for the letters", why=LOGITS)
        letter = argmax(logits, [*LETTERS]).named("letter", "the answer", why=ANSWER)
    return [R, logits, letter]
