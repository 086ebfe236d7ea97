"""What each step of a formula means, and why it is there, in words for learners.

They are true in both conventions: each token, each query, and nothing of where it stands on the sheet.
"""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """A few words beside the name, and one sentence."""

    meaning: str
    why: str


WORDS = {
    "Q": Words(
        "queries",
        "What is each token looking for? A weighted sum of its features says it: its query.",
    ),
    "K": Words(
        "keys",
        "What can each token be found by? Another weighted sum of its features: its key.",
    ),
    "V": Words(
        "values",
        "What does each token pass on where it is found? A third weighted sum of its features: its value.",
    ),
    "S": Words(
        "scores",
        "How well does each key answer each query? One dot product for every pair.",
    ),
    "S_scaled": Words(
        "scaled",
        "Longer queries make larger scores; dividing by the root of the length, d_k, evens it out.",
    ),
    "S_masked": Words(
        "hidden keys at -∞",
        "Which keys may a query not look at? Their scores become -∞, so that their shares will be 0.",
    ),
    "later": Words(
        "later keys at -∞",
        "A query may not look at later tokens: their scores become -∞, so that their shares will be 0.",
    ),
    "S_shifted": Words(
        "minus each query's highest",
        "Powers of such scores are too large; minus each query's highest, the shares are the same.",
    ),
    "E": Words(
        "exponentials",
        "Shares cannot be negative: e to the power of a score never is, and a higher score gets far more.",
    ),
    "E_sum": Words(
        "a sum for each query",
        "What each query's exponentials add up to, so that they can become shares.",
    ),
    "A": Words(
        "attention weights",
        "How much does each query attend to each key? Its share of the sum, so that all shares add up to 1.",
    ),
    "Z": Words(
        "weighted values",
        "What does each query gather? All values, each multiplied by its share, added up.",
    ),
    "concat": Words(
        "the heads, stacked",
        "Every head has gathered something of its own; joined, it is all there for each token.",
    ),
    "mixed": Words(
        "the heads, mixed",
        "What do all heads together say? Each new feature is a weighted sum of all they gathered.",
    ),
    "H": Words(
        "hidden layer",
        "Which patterns does each token show? Each hidden number weighs its features and adds a constant.",
    ),
    "H_relu": Words(
        "only what is positive",
        "A pattern that is not there should not count: what is negative becomes 0.",
    ),
    "Y": Words(
        "output",
        "What do the patterns mean for each token? Each feature weighs them and adds a constant.",
    ),
    "R": Words(
        "input plus what was found",
        "What went in is kept: what was found is only added to it, so that nothing gets lost.",
    ),
    "N": Words(
        "normed",
        "So that no number runs away, each token's get mean 0 and spread 1, then a learned scale and shift.",
    ),
}
