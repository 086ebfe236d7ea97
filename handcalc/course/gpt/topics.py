"""What a small GPT does with a fresh window: two looks, and the letter that comes next."""

from __future__ import annotations

import itertools

from handcalc.course.gpt import examples
from handcalc.formulas.attention import softmax_weights
from handcalc.formulas.formula_names import step
from handcalc.formulas.masks import read_mask
from handcalc.operations import Concat, Mask, Slice
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.topic_registry import lesson_example, lesson_topic
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import argmax, one_hot

WINDOWS = {1: (4, 2), 2: (4, 3), 3: (5, 3)}  # letters in a window, and how many different ones
ALPHABETS = ("abcd", "xyz", "klm", "rst")
MIN_SCORE_GAP = 0.4  # the score of the next letter from every other: no rounding chooses another one


@lesson_topic("induction", "ND", 37)
def _induction(rng: Rng, level: int) -> Calculation:
    """Layer 1 notes who stood before, layer 2 looks for its own letter in the notes; some letter follows.

    The scores of places are given; "1 before the first" is the last one, so that only the mask hides it.
    """
    while True:
        window, letters = _window(rng, *WINDOWS[level])
        drawn = _two_looks(window, letters, rng.pick((1, 2)), rng.pick((1, 2)), rng.pick((2, 3)))
        (chosen,) = drawn["next"].values.ravel()
        scores = sorted(drawn["last"].values.ravel())
        if letters[int(chosen) - 1] in _followers(window) and scores[-1] - scores[-2] > MIN_SCORE_GAP:
            return drawn


def _window(rng: Rng, n: int, count: int) -> tuple[list[str], list[str]]:
    """Letters of which the last was followed by one letter only, and the alphabet that they are from."""
    letters = list(rng.pick(ALPHABETS))[:count]
    while True:
        window = [rng.pick(letters) for _ in range(n)]
        if len(_followers(window)) == 1 and len(set(window)) == count:
            return window, letters


def _followers(window: list[str]) -> set[str]:
    """What came after the last letter where it stood before."""
    return {after for letter, after in itertools.pairwise(window) if letter == window[-1]}


def _two_looks(window: list[str], letters: list[str], size: int, near: int, loud: int) -> Calculation:
    """X is `size` where a token is that letter; the place before scores `near`; values are `loud` times X."""
    n = len(window)
    X = Matrix([[size * (one == token) for token in window] for one in letters], "X", rows=letters).named(
        "X", "who a token is", columns=window
    )
    with block("layer_1", "Layer 1: take a note", why="Every token notes who stands before it."):
        places = [[near * (i == (j - 1) % n) for j in range(n)] for i in range(n)]
        S = Matrix(places, "S", rows=window, columns=window).named("S", "how well a place fits")
        A = _shares(S, X)
        why = "Who stood before each token? The letters, each multiplied by its share."
        notes = (X @ A).named("notes", "who stood before me", why=why, stage="Note")
    with block("layer_2", "Layer 2: use the notes", why="Every token looks for its own letter in the notes."):
        why = "Whose note has my letter? Keys are the notes, queries the letters themselves."
        S = (notes.T @ X).named("S", "scores of the notes", why=why, stage="Compare", columns=window)
        A = _shares(S, X)
        why = "Louder than the letter itself, so that what is found counts for more."
        V = (X * Matrix([[loud]], "g").named("g", "how loud values are")).named(
            "V", "values", why=why, stage="Mix"
        )
        Z = step("Z", V @ A)
    why = "What was gathered is added to the token's own letter."
    logits = (X + Z).named("logits", "scores of the letters", why=why, stage="Say")
    why = "Only the last token has read the whole window: its column says what comes next."
    last = Slice(n - 1, n, axis=1)(logits).named("last", "the last token's scores", why=why, stage="Say")
    why = "The letter with the highest score, as its row, counted from 1."
    chosen = argmax(last, letters).named("next", "the next letter", why=why, stage="Say")
    why = "The window moves on: its first letter drops out, and the new one comes at the end."
    new = one_hot(chosen, letters) * size
    moved_on = Concat(1)(Slice(1, n, axis=1)(X), new)
    window_2 = moved_on.named(
        "window", "what is read next", why=why, stage="Say", columns=[*window[1:], "new"]
    )
    return Calculation(X, window_2, title="The letter that comes next")


def _shares(S: Matrix, X: Matrix) -> Matrix:
    """Scores with later tokens hidden, as shares."""
    S_masked = step("S_masked", Mask(read_mask("causal", S))(S), words="later")
    return softmax_weights(S_masked, X)[-2]


@lesson_example("example_gpt", "EG", 43, after=("induction", 1, 1))
def _example() -> Calculation:
    """Layer 2 on a short text, up to Z: all 480 weights are too many for a pencil."""
    layer = examples.gpt("aba").blocks["layer_2"]
    return Calculation(layer["Z"], title="Layer 2 of a GPT that reads aba")
