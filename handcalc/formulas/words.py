"""What each step of a formula means, and why it is there, in words for learners.

They are true in both conventions: each token, each query, and nothing about where it is on the sheet.
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
        "What is each token looking for? Its query, a weighted sum of its features.",
    ),
    "K": Words(
        "keys",
        "What can each token be found by? Its key, another weighted sum of its features.",
    ),
    "V": Words(
        "values",
        "What does each token pass on? Its value, a third weighted sum of its features.",
    ),
    "S": Words(
        "scores",
        "How well does each key match each query? Their dot product tells you, one for every pair.",
    ),
    "S_scaled": Words(
        "scaled",
        "Longer keys give larger scores; dividing by the root of their length evens this out.",
    ),
    "S_masked": Words(
        "hidden keys at −∞",
        "Which keys may a query not look at? Their scores become −∞, so that their shares become 0.",
    ),
    "later": Words(
        "later keys at −∞",
        "A query may not look at later tokens: their scores become −∞, so that their shares become 0.",
    ),
    "S_shifted": Words(
        "minus each query's highest",
        "Exponentials of such scores would be too large; subtracting each query's highest keeps the shares.",
    ),
    "E": Words(
        "exponentials",
        "Shares cannot be negative: e to the power of a score never is, and it grows fast with the score.",
    ),
    "E_sum": Words(
        "a sum for each query",
        "Adds up the exponentials of each query; divided by their sum, they become shares.",
    ),
    "A": Words(
        "attention weights",
        "How much attention does each query pay to each key? Its share of the sum; all shares add up to 1.",
    ),
    "Z": Words(
        "weighted values",
        "What does each query take home? The sum of all values, each multiplied by its share.",
    ),
    "concat": Words(
        "the heads, stacked",
        "Every head has gathered something different; stacked, each token has all of it.",
    ),
    "mixed": Words(
        "the heads, mixed",
        "What do all heads say together? Each new feature is a weighted sum of everything they gathered.",
    ),
    "H": Words(
        "hidden layer",
        "Which patterns does each token show? Each hidden number weighs its features and adds a constant.",
    ),
    "H_relu": Words(
        "only what is positive",
        "A pattern that is absent should not count: negative numbers become 0.",
    ),
    "Y": Words(
        "output",
        "What do the patterns mean for each token? Each feature weighs them and adds a constant.",
    ),
    "R": Words(
        "input plus what was found",
        "The input is kept: what was found is added to it, so that nothing gets lost.",
    ),
    "mean": Words(
        "a mean for each token",
        "Where do a token's features lie on average? Adds them up and divides by how many there are.",
    ),
    "centred": Words(
        "distance from the mean",
        "How far does each feature lie from its token's mean? Their sum is now 0.",
    ),
    "variance": Words(
        "mean of the squares",
        "How far do a token's features spread? The distances from the mean, squared and averaged.",
    ),
    "N": Words(
        "normed",
        "To keep numbers in bounds, each token gets mean 0 and variance 1, then a learned scale and shift.",
    ),
}

# What a block is called, and why it is there.
BLOCKS = {
    "head": Words(
        "Attention head",
        "One way of looking around, with weights of its own: scores, shares, and what is taken home.",
    ),
    "attention": Words(
        "Multi-head attention",
        "Every token gathers from the others, in several ways at once.",
    ),
    "self": Words(
        "Masked multi-head attention",
        "Every token gathers from what has been written so far, in several ways at once.",
    ),
    "cross": Words(
        "Cross-attention",
        "Every token of the output gathers from the input: queries from one, keys and values from the other.",
    ),
    "add_norm": Words(
        "Add & norm",
        "What was found is added to what went in, and each token's numbers are brought back in bounds.",
    ),
    "norm": Words(
        "Layer norm",
        "Each token gets mean 0 and variance 1, then a learned scale and shift.",
    ),
    "ff": Words(
        "Feed-forward",
        "Each token is thought about by itself: patterns are looked for, and what they mean is added up.",
    ),
}
