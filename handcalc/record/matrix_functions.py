"""The functions of matrices, lists and numbers: `exp(S)`, `rows(M, 0, 2)`; each applies one operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.labels import read_words
from handcalc.notation.validation import read_list
from handcalc.operations import functions
from handcalc.operations.choosing import Argmax, Maxima, OneHot
from handcalc.operations.indexing import Concat, Slice
from handcalc.operations.max_shift import SubtractMax, exponent_limit
from handcalc.operations.ordering import Rank, Sample, Sort
from handcalc.operations.patching import Patches
from handcalc.operations.reductions import Means, Sums
from handcalc.operations.running import CumulativeMaxima, CumulativeSums
from handcalc.record.matrix import Matrix, apply, as_operand


def argmax(M: MatrixLike, words: Sequence[str] | None = None) -> Matrix:
    """The row of the highest number in each column, counted from 1; the first of equal ones.

    >>> hc.argmax([[0.1, 0.7], [0.9, 0.3]]).values
    array([[2., 1.]])

    (r, c) -> (1, c). `words` say what each row stands for; left out, they are M's row labels. An
    explanation names the word: `argmax(0.01, 0.97, 0.02) (highest: row 2, “negro”) = 2`. With
    probabilities of the next word it is greedy decoding. Raises HandcalcError for another count of words.
    """
    if words is None and isinstance(M, Matrix) and isinstance(M.description.rows, tuple):
        words = M.description.rows
    return apply(Argmax(0, words), M)


def one_hot(chosen: MatrixLike, words: int | Sequence[str]) -> Matrix:
    """A column for each number that was chosen, counted from 1: 1 in that row, 0 in all others.

    >>> hc.one_hot([[2, 1]], ["cat", "dog", "man"])
    one-hot of □  (3 by 2)
    cat  0  1
    dog  1  0
    man  0  0

    (1, n) -> (words, n). `words` are the rows' labels, or how many rows there are. A product with it
    looks up what was chosen: W_E · one_hot(word) is that word's column of W_E.
    """
    if isinstance(words, int | np.integer):
        return apply(OneHot(int(words)), chosen)
    told = read_words(words)
    return apply(OneHot(len(told)), chosen).relabelled(told, None)


def concat(matrices: Iterable[MatrixLike], axis: int = 0) -> Matrix:
    """Stack matrices below one another (axis 0) or set them side by side (axis 1), as numpy does.

    >>> hc.concat([[[1, 2]], [[3, 4]]]).values
    array([[1., 2.],
           [3., 4.]])

    [(r1, c), (r2, c), ...] -> (r1 + r2 + ..., c); with axis 1 [(r, c1), (r, c2), ...] -> (r, c1 + c2 + ...)
    """
    wanted = "concat takes a list of matrices, as in concat([A, B])."
    if isinstance(matrices, np.ndarray) and matrices.ndim < 3:
        raise HandcalcError(wanted)
    parts = read_list(matrices, wanted)
    if not parts:
        raise HandcalcError("concat needs at least one matrix; the list is empty.")
    return apply(Concat(axis), *parts)


def rows(M: MatrixLike, start: int, stop: int) -> Matrix:
    """Rows `start` up to but without `stop`, counted from 0.  (r, c) -> (stop - start, c)

    >>> hc.rows([[1, 2], [3, 4], [5, 6]], 0, 2).values
    array([[1., 2.],
           [3., 4.]])
    """
    return apply(Slice(start, stop), M)


def columns(M: MatrixLike, start: int, stop: int) -> Matrix:
    """Columns `start` up to but without `stop`, counted from 0.  (r, c) -> (r, stop - start)

    >>> hc.columns([[1, 2, 3], [4, 5, 6]], 0, 2).values
    array([[1., 2.],
           [4., 5.]])
    """
    return apply(Slice(start, stop, axis=1), M)


def subtract_max(M: MatrixLike, base: float = float(np.e)) -> Matrix:
    """M itself; where e^M (or another base's power) would overflow, M minus each column's maximum.

    >>> hc.subtract_max([[1000], [999]]).values
    array([[ 0.],
           [-1.]])

    Subtracting one number from a whole column changes no softmax: e^(s-m) / Σ e^(s-m) = e^s / Σ e^s.
    """
    return apply(SubtractMax(limit=exponent_limit(base)), M)


def patches(picture: MatrixLike, size: int) -> Matrix:
    """Cut a picture into squares, row by row, and turn each into a column of its pixels, read row by row.

    >>> hc.patches([[1, 2, 3, 4], [5, 6, 7, 8]], 2).values
    array([[1., 3.],
           [2., 4.],
           [5., 7.],
           [6., 8.]])

    (height, width) -> (size², patches). Every number is a pixel, moved and not changed (Dosovitskiy et al.
    2020, arXiv:2010.11929, section 3.1). Raises HandcalcError if the picture does not divide into squares.
    """
    return apply(Patches(size), picture)


def column_sums(M: MatrixLike) -> Matrix:
    """The sum of each column.  (r, c) -> (1, c)

    >>> hc.column_sums([[1, 2], [3, 6]]).values
    array([[4., 8.]])
    """
    return apply(Sums(), M)


def column_means(M: MatrixLike) -> Matrix:
    """The mean of each column.  (r, c) -> (1, c)

    >>> hc.column_means([[1, 2], [3, 6]]).values
    array([[2., 4.]])
    """
    return apply(Means(), M)


def column_max(M: MatrixLike) -> Matrix:
    """The highest number of each column; `argmax` says where it is.  (r, c) -> (1, c)

    >>> hc.column_max([[1, 7], [3, 6]]).values
    array([[3., 7.]])
    """
    return apply(Maxima(), M)


def cumulative_sum(M: MatrixLike) -> Matrix:
    """Of each number the sum of it and all above it in its column.  (r, c) -> (r, c)

    >>> hc.cumulative_sum([[1], [2], [3]]).values.ravel()
    array([1., 3., 6.])
    """
    return apply(CumulativeSums(), M)


def cumulative_max(M: MatrixLike) -> Matrix:
    """Of each number the largest of it and all above it in its column.  (r, c) -> (r, c)

    >>> hc.cumulative_max([[1], [3], [2]]).values.ravel()
    array([1., 3., 3.])
    """
    return apply(CumulativeMaxima(), M)


def sort(M: MatrixLike) -> Matrix:
    """Each column from its largest number down, as LARGE in a spreadsheet.  (r, c) -> (r, c)

    >>> hc.sort(hc.Matrix([[1], [3], [2]], "P", rows=["cat", "dog", "man"]))
    sort↓ P  (3 by 1)
    dog  3
    man  2
    cat  1

    Of equal numbers the upper one comes first. The row labels of a single column go with its numbers.
    """
    return apply(Sort(), M)


def rank(M: MatrixLike) -> Matrix:
    """The place of each number in its column, from the largest on and counted from 1.  (r, c) -> (r, c)

    >>> hc.rank([[1], [3], [2]]).values.ravel()
    array([3., 1., 2.])

    Of equal numbers the upper one comes first, so that no two have the same rank.
    """
    return apply(Rank(), M)


def top_k(M: MatrixLike, k: int) -> Matrix:
    """The k largest numbers of each column, the largest first.  (r, c) -> (k, c)

    >>> hc.top_k([[1], [3], [2]], 2).values.ravel()
    array([3., 2.])
    """
    return rows(sort(M), 0, k)


def sample(P: MatrixLike, r: MatrixLike, words: Sequence[str] | None = None) -> Matrix:
    """The row that a random number r picks of each column of shares, counted from 1.

    >>> hc.sample([[0.2], [0.5], [0.3]], [[0.6]]).values
    array([[2.]])

    (rows, c), r (1, c) -> (1, c). It is the first row whose cumulative sum is above r, which is between 0
    and 1; if rounded shares leave none, the last. `words` say what each row stands for; left out, they are
    P's row labels.
    """
    P = as_operand(P)
    words = P.description.rows if words is None and isinstance(P.description.rows, tuple) else words
    return apply(Sample(0, words), cumulative_sum(P), r)


# the rows of operations/functions.py, written by .ci/elementwise.py


def absolute(M: MatrixLike) -> Matrix:
    """Every number without its sign: |x|.

    >>> hc.absolute([[-2, 3]]).values
    array([[2., 3.]])
    """
    return apply(functions.Absolute(), M)


def exp(M: MatrixLike, base: float = 2.718281828459045) -> Matrix:
    """E to the power of every number, or another base: `exp(S)`, `exp(S, base=3)`.

    >>> hc.exp([[0, 1]])
    e^□  (1 by 2)
    1  2.72
    """
    return apply(functions.Exp(base), M)


def floor(M: MatrixLike) -> Matrix:
    """Every number rounded down to a whole number: ⌊x⌋.

    >>> hc.floor([[1.5, -1.5]]).values
    array([[ 1., -2.]])
    """
    return apply(functions.Floor(), M)


def gelu(M: MatrixLike, approximate: bool = True) -> Matrix:
    """Every number times the share of a bell curve below it: x·Φ(x) (Hendrycks and Gimpel, arXiv:1606.08415).

    >>> hc.gelu([[-1, 0, 1]])
    GELU(□)  (1 by 3)
    -0.16  0  0.84

    `approximate` is the form with tanh, as in GPT-2; False is the exact one, as in BERT.
    """
    return apply(functions.Gelu(approximate), M)


def leaky_relu(M: MatrixLike, alpha: float = 0.01) -> Matrix:
    """Every number, but alpha times a negative one: max(alpha·x, x).

    >>> hc.leaky_relu([[-2, 3]], alpha=0.5).values
    array([[-1.,  3.]])

    Raises HandcalcError for an alpha that is not between 0 and 1.
    """
    return apply(functions.LeakyRelu(alpha), M)


def log(M: MatrixLike) -> Matrix:
    """The natural logarithm of every number: ln(x), the power of e that gives x.

    >>> hc.log([[1, 2]])
    ln(□)  (1 by 2)
    0  0.69

    Raises HandcalcError for a number that is not positive.
    """
    return apply(functions.Log(), M)


def relu(M: MatrixLike) -> Matrix:
    """Every number, but 0 in place of a negative one: max(0, x).

    >>> hc.relu([[-2, 3]]).values
    array([[0., 3.]])
    """
    return apply(functions.Relu(), M)


def round(M: MatrixLike, places: int = 0) -> Matrix:
    """Every number rounded to so many decimal places, half away from zero, as a spreadsheet does.

    >>> hc.round([[0.126, -1.5]], places=2).values
    array([[ 0.13, -1.5 ]])
    >>> hc.round([[0.126, -1.5]]).values
    array([[ 0., -2.]])

    Raises HandcalcError for places that are not a whole number from 0 to 15.
    """
    return apply(functions.Round(places), M)


def sigmoid(M: MatrixLike) -> Matrix:
    """The logistic function of every number: 1 / (1 + e^(-x)), between 0 and 1.

    >>> hc.sigmoid([[0, 2]])
    1 / (1 + e^(-□))  (1 by 2)
    0.50  0.88
    """
    return apply(functions.Sigmoid(), M)


def silu(M: MatrixLike) -> Matrix:
    """Every number times its own sigmoid: x / (1 + e^(-x)), also called swish (arXiv:1702.03118).

    >>> hc.silu([[-2, 0, 2]])
    □ / (1 + e^(-□))  (1 by 3)
    -0.24  0  1.76
    """
    return apply(functions.Silu(), M)


def softplus(M: MatrixLike) -> Matrix:
    """A smooth ReLU of every number: ln(1 + e^x), above 0 and close to x where x is large.

    >>> hc.softplus([[-2, 0, 100]])
    ln(1 + e^□)  (1 by 3)
    0.13  0.69  100
    """
    return apply(functions.Softplus(), M)


def sqrt(M: MatrixLike) -> Matrix:
    """The square root of every number, or of one: `sqrt(d_k)`.

    >>> hc.sqrt([[4, 2]])
    √□  (1 by 2)
    2  1.41
    """
    return apply(functions.Sqrt(), M)


def tanh(M: MatrixLike) -> Matrix:
    """The hyperbolic tangent of every number: tanh x, between -1 and 1.

    >>> hc.tanh([[-1, 0, 1]])
    tanh(□)  (1 by 3)
    -0.76  0  0.76
    """
    return apply(functions.Tanh(), M)


# the end of the rows
