"""A translation that works, word by word: a decoder of one layer with whole-number weights, set by hand.

Own work. The names are those of Vaswani et al. 2017, section 3.1; layer norm, feed-forward, the encoder's
layers and positions are left out: the memory is the table of the English words, looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from handcalc.formulas.attention import one_head
from handcalc.formulas.generation import generate, generated_words
from handcalc.formulas.softmax import softmax
from handcalc.formulas.transformer import embedding, residual
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.validation import read_list, read_number
from handcalc.operations import Concat, Slice
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, constant

__all__ = ["SPANISH", "all_at_once", "temperatures", "translate", "translation"]

FEATURES = ("edge", "noun", "colour", "size", "gender")
ENGLISH = ("small", "black", "cat", "house", ".")
SPANISH = ("<start>", "gato", "casa", "negro", "negra", "pequeño", "pequeña", "<end>")
START, END = SPANISH[0], SPANISH[-1]
ASKED = ("noun", "colour", "size", "stop")  # what a key can be
MAX_WORDS_WRITTEN = 4  # words that are written at most: noun, colour, size, <end>

E_SOURCE = [[0, 0, 0, 0, 1], [0, 0, 1, 1, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 1, -1, 0]]
E_TARGET = [
    [1, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 1, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, 1, 0],
    [0, 1, -1, 0, 0, 0, 0, 0],
]
ASKS = [[24, 0, 0, 0, 0], [0, 24, 0, 0, 0], [0, 16, 16, 0, 0], [0, 8, 8, 8, 0]]
OFFERS = [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [1, 0, 0, 0, 0]]
W_OUT = [
    [0, 0, 0, 0, 0],
    [0, 1, 0, 0, 1],
    [0, 1, 0, 0, -1],
    [0, 0, 1, 0, 1],
    [0, 0, 1, 0, -1],
    [0, 0, 0, 1, 1],
    [0, 0, 0, 1, -1],
    [1, 0, 0, 0, 0],
]


class Givens(NamedTuple):
    """The weights, the same for every word that is written, and the sentence that is read."""

    memory: Matrix
    look_back: tuple[Matrix, Matrix, Matrix]
    W_O: Matrix
    look_across: tuple[Matrix, Matrix, Matrix]
    W_out: Matrix


def translation(sentence: str = "small black cat", *, temperature: float = 1.0) -> Calculation:
    """Translate a noun with up to two adjectives into Spanish, word by word: a block for each, word_1, ….

    >>> hc.generated_words(hc.examples.translation("black house"))
    ['casa', 'negra', '<end>']

    The decoder knows cat and house, black and small: 8 sentences. In each block self-attention takes the
    gender of the noun that was written, cross-attention looks for the noun, then the colour, the size, the
    end, and P has the probabilities of the next word, softmax(logits / T). Words that are chosen go back in:
    change a word of `memory`, and the sentence follows. Raises HandcalcError for another sentence.
    """
    givens, table = _givens(sentence), _table()
    temperature = read_number(temperature, "The temperature", 0)

    def model(X: Matrix) -> Matrix:
        return _decoder(X, givens, temperature)

    title = f"{sentence.strip().removesuffix('.').strip()} in Spanish, word by word"
    return generate(model, table, [START], count=MAX_WORDS_WRITTEN, stop=END, title=title)


def translate(sentence: str = "small black cat") -> str:
    """The words that the decoder writes, without <end>: `translate("black house")` is "casa negra".

    >>> hc.examples.translate("small black cat")
    'gato negro pequeño'
    """
    return " ".join(word for word in generated_words(translation(sentence)) if word != END)


def all_at_once(
    sentence: str = "small black cat",
    said: tuple[str, ...] | list[str] = (START, "gato", "negro", "pequeño"),
    *,
    temperature: float = 1.0,
    mask: str | None = "causal",
) -> Calculation:
    """The same decoder with all words handed in at once, as in training: column j of P is for word j + 1.

    >>> hc.argmax(hc.examples.all_at_once("house", ["<start>", "casa"])["P"]).values
    array([[3., 8.]])

    `said` are <start> and the words that are fed in, whatever the decoder itself would say (teacher forcing).
    Under the causal mask no column sees a later word; `mask=None` leaves it out. Raises HandcalcError for
    words that it does not know.
    """
    unknown = [word for word in said if word not in SPANISH]
    if isinstance(said, str) or unknown or not said:
        raise HandcalcError(f"said is {short(said)}; the decoder knows {listed(SPANISH)}.")
    X = embedding(_table(), [SPANISH.index(word) for word in said]).named(
        "X", "the words so far", why=SO_FAR, stage="Read", columns=list(said)
    )
    P = _decoder(X, _givens(sentence), read_number(temperature, "The temperature", 0), mask=mask)
    return Calculation(P, title=f"{sentence} in Spanish, all words at once")


def temperatures(at: Sequence[float] = (0.5, 1, 2, 5)) -> Calculation:
    """The probabilities of the word after *gato*, a column for each temperature: softmax(logits / T).

    >>> hc.examples.temperatures([0.5, 1, 5])["P_T"].values[3].round(2)  # of “negro”
    array([1.  , 0.97, 0.35])

    Raises HandcalcError for a temperature that is not above 0.
    """
    once = all_at_once(said=(START, "gato"))
    logits = Slice(1, 2, axis=1)(once["logits"]).named("logits_2", "after gato", why=LOGITS)
    found = [softmax(logits, temperature=T) for T in read_list(at, WANTED)]
    P = Concat(axis=1)(*found).named("P_T", "one column for each temperature", why=SHARES)
    labels = [f"T = {float(T):g}" for T in at]
    return Calculation(P.relabelled(None, labels), title="One word at several temperatures")


WANTED = "The temperatures must be a list of numbers above 0."


def _table() -> Matrix:
    return Matrix(E_TARGET, "E_target", rows=FEATURES, columns=SPANISH).named("E_target", "the Spanish words")


def _givens(sentence: str) -> Givens:
    """The numbers of every given; those of attention are of the block that they belong to."""
    read = _read(sentence)
    memory = embedding(
        Matrix(E_SOURCE, "E_source", rows=FEATURES, columns=ENGLISH).named("E_source", "the English words"),
        [ENGLISH.index(word) for word in read],
    ).named("memory", "the sentence that is read", why=MEMORY, stage="Read", columns=read)
    with block("self", "Masked self-attention", why=LOOK_BACK):
        back = (
            _weights([[4, 4, 4, 4, 0]], "W_Q", "every word looks …"),
            _weights([[0, 2, 0, 0, 0]], "W_K", "… for the noun said so far"),
            _weights([[0, 0, 0, 0, 1]], "W_V", "and takes its gender"),
        )
        W_O = Matrix([[0], [0], [0], [0], [1]], "W_O", rows=FEATURES)
    with block("cross", "Cross-attention", why=LOOK_ACROSS):
        across = (
            _weights(ASKS, "W_Q", "noun, colour 24, size 16, stop 8", rows=ASKED),
            _weights(OFFERS, "W_K", "what an English word is", rows=ASKED),
            _weights(6 * np.eye(5), "W_V", "six times what was read", rows=FEATURES),
        )
    return Givens(memory, back, W_O, across, _weights(W_OUT, "W_out", "a word's features", rows=SPANISH))


def _read(sentence: str) -> list[str]:
    words = sentence.replace(".", " ").split() if isinstance(sentence, str) else []
    order = [ENGLISH.index(word) for word in words if word in ENGLISH[:4]]
    nouns = [word for word in words if word in ("cat", "house")]
    if len(order) != len(words) or len(nouns) != 1 or len(set(words)) != len(words):
        raise HandcalcError(
            f"The decoder reads cat or house, with black and small before it, not {short(sentence)}."
        )
    return [*words, "."]


def _weights(values: MatrixLike, name: str, meaning: str, rows: tuple[str, ...] | None = None) -> Matrix:
    return Matrix(values, name, rows=rows, columns=FEATURES).named(name, meaning)


def _decoder(X: Matrix, givens: Givens, temperature: float, mask: str | None = "causal") -> Matrix:
    """One decoder layer without norm and feed-forward, and what it says: P (8 words, n)."""
    with block("self", "Masked self-attention", why=LOOK_BACK):
        Z = one_head(X, X, *givens.look_back, mask=mask)[-1]  # (1, n)
        found = (givens.W_O @ Z).named("found", "in the row of the gender", why=FOUND, stage="Mix")
    R_1 = residual(X, found).named("R_1", "input plus the noun's gender", stage="Add")
    with block("cross", "Cross-attention", why=LOOK_ACROSS):
        Z = one_head(R_1, givens.memory, *givens.look_across)[-1]  # (5, n)
    R_2 = residual(R_1, Z).named("R_2", "input plus what was read", stage="Add")
    logits = (givens.W_out @ R_2).named("logits", "a score for each word", why=LOGITS, stage="Say")
    if temperature != 1:
        T = constant(temperature, "T")
        logits = (logits / T).named("logits_T", "divided by the temperature", why=WARM, stage="Say")
    return softmax(logits).named("P", "probabilities of the next word", why=SHARES, stage="Say")


SO_FAR = "What has been written so far? One column for each word, looked up in the table."
MEMORY = "What is to be translated? One column for each English word, looked up in its table."
LOOK_BACK = "Every word looks back for the noun and gathers its gender."
LOOK_ACROSS = "The last word says what comes next, and looks for it among the English words."
FOUND = "Puts the gender into the row where it belongs; the other rows get 0."
LOGITS = "How strongly does each token speak for each word as the next one?"
WARM = "A temperature above 1 brings the scores closer together, one below 1 drives them apart."
SHARES = "Scores become shares: how probable is each word, as far as this model can tell?"
