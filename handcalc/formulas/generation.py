"""Writing word after word: the loop around a model that gives probabilities of the next word.

Each word is a block of one calculation: what has been said so far goes in, the model gives P, the word with
the highest probability is chosen (greedy decoding) and looked up, and its column goes into the next block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from handcalc.formulas.block_texts import BLOCK_TEXTS
from handcalc.formulas.formula_names import step
from handcalc.foundation.errors import HandcalcError, kind, listed, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.validation import read_count, read_list
from handcalc.operations import Argmax, Concat, Gather, Slice
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import argmax, one_hot

Model = Callable[[Matrix], Matrix]


def generate(
    model: Model,
    table: MatrixLike,
    prompt: Sequence[str],
    *,
    count: int,
    stop: str | None = None,
    window: int | None = None,
    title: str = "Word by word",
    called: str = "word",
) -> Calculation:
    """Write up to `count` words, each the most probable one after those before it (greedy decoding).

    >>> W_E = hc.Matrix([[1, 0], [0, 1]], "W_E", columns=["tick", "tock"])
    >>> other = hc.Matrix([[0, 5], [5, 0]], "W", rows=["tick", "tock"])
    >>> calc = hc.generate(lambda X: other @ X, W_E, ["tick"], count=3)
    >>> hc.generated_words(calc)
    ['tock', 'tick', 'tock']

    `model(X)` is the formula of one step: X (d_model, t), the columns of the words so far -> P (words, t), or
    logits; its last column is read. `table` (d_model, words) has a labelled column for each word; `prompt`
    has the first words. A block for each word, word_1, word_2, …, with the steps X, the
    model's own, p_next (the last column of P), word (its highest row), chosen and x (that word, looked up).
    With `window` the model reads the first word (an attention sink) and the last `window` words. `called` is
    the word for one of them in titles, such as "letter".

    Every choice is a step, so when a given moves, the words that follow are chosen again. Their number stays:
    writing stops at `stop`, or after `count` words, when the record is made. Raises HandcalcError for a word
    that is missing from the table or in it twice, and for a P with other rows.
    """
    if not callable(model):
        raise HandcalcError(f"model is {short(model)}; it must be a function of X, such as lambda X: W @ X.")
    table = as_matrix(table, "W_E")
    words = _vocabulary(table)
    labels = _read_prompt(prompt)
    first = Gather([_place(word, words) for word in labels])(table)
    window = None if window is None else _at_least_one(window, "The window")
    count, last = _at_least_one(count, "The number of words"), None if stop is None else _place(stop, words)
    columns, one = [first], _read_called(called)
    for number in range(1, count + 1):
        with block(f"word_{number}", f"{one.capitalize()} {number}", why=BLOCK_TEXTS["word"].why):
            X = step("X", _seen(columns, window), words="so_far", columns=_kept(labels, window))
            word = _chosen(_checked(model(X), words), words)
            if number == count or int(word.values.item()) - 1 == last:
                break
            chosen = step("chosen", one_hot(word, words))  # (words, 1)
            columns.append(step("x", table @ chosen, words="looked_up"))  # (d_model, 1)
        labels.append(f"{one} {number}")
    return Calculation(word, title=title)


def generated_words(calculation: Calculation) -> list[str]:
    """The words that a calculation chose, in order: the last column of each argmax, in words.

    >>> hc.generated_words(hc.examples.translation("black house"))
    ['casa', 'negra', '<end>']
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"Words are chosen in a calculation; got {kind(calculation)}.")
    return [word for step_ in calculation.steps.values() if (word := chosen_word(step_))]


def chosen_word(matrix: Matrix) -> str | None:
    """The word that an argmax chooses, of several columns in the last; None for any other matrix."""
    if not isinstance(matrix.operation, Argmax) or not matrix.operation.words:
        return None
    return matrix.operation.words[int(matrix.values.ravel()[-1]) - 1]


def _chosen(P: Matrix, words: Sequence[str]) -> Matrix:
    """The row of the word with the highest number in the last column, counted from 1."""
    last = P.shape[1] - 1
    p_next = step("p_next", Slice(last, last + 1, axis=1)(P))  # (words, 1)
    return step("word", argmax(p_next.relabelled(words, None), words))  # (1, 1)


def _seen(columns: Sequence[Matrix], window: int | None) -> Matrix:
    """The columns that the model reads, side by side: all of them, or the first and the last few."""
    X = Concat(axis=1)(*columns) if len(columns) > 1 else columns[0]
    n = X.shape[1]
    if window is None or n <= window + 1:
        return X
    return Concat(axis=1)(Slice(0, 1, axis=1)(X), Slice(n - window, n, axis=1)(X))


def _kept(labels: Sequence[str], window: int | None) -> tuple[str, ...]:
    return tuple(labels if window is None or len(labels) <= window + 1 else (labels[0], *labels[-window:]))


def _vocabulary(table: Matrix) -> Sequence[str]:
    words = table.description.columns
    if not isinstance(words, tuple):
        raise HandcalcError(
            f"The columns of {table.display_name} need labels, the words: hc.Matrix(…, columns=[…])."
        )
    if twice := next((word for word in words if words.count(word) > 1), None):
        raise HandcalcError(f"{table.display_name} has more than one column labelled {short(twice)}.")
    return words


def _read_prompt(prompt: Any) -> list[Any]:
    found = read_list(prompt, f"prompt is {short(prompt)}; it must be a list of the first words.")
    if not found:
        raise HandcalcError("prompt is empty; a model goes on from at least one word, such as <start>.")
    return found


def _place(word: Any, words: Sequence[str]) -> int:
    if word not in words:
        raise HandcalcError(f"There is no word {short(word)} in the table; there are {listed(words)}.")
    return words.index(word)


def _read_called(called: Any) -> str:
    if not isinstance(called, str) or not called.strip():
        raise HandcalcError(f"called is {short(called)}; it must be a word, such as 'letter'.")
    return called.strip()


def _at_least_one(count: Any, what: str) -> int:
    if (found := read_count(count, what)) < 1:
        raise HandcalcError(f"{what} is {short(count)}; it must be a whole number above 0.")
    return found


def _checked(P: Any, words: Sequence[str]) -> Matrix:
    """The model's output, checked: a number for each word, in a column for each token."""
    if not isinstance(P, Matrix):
        raise HandcalcError(f"model(X) must give a matrix, P or logits; it gave {kind(P)}.")
    if P.shape[0] != len(words):
        raise HandcalcError(
            f"{P.display_name} is {shape_text(P.shape)}, but there are {len(words)} words; it "
            "needs a row for each."
        )
    return P
