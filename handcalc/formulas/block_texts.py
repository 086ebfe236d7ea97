"""Titles and reasons of a formula's blocks; true in both conventions."""

from __future__ import annotations

from typing import NamedTuple


class BlockText(NamedTuple):
    """A few words beside the name, and one sentence."""

    meaning: str
    why: str


# What a block is called, and why it is there.
BLOCK_TEXTS = {
    "rnn_step": BlockText(
        "Step",
        "One token is read, and the state becomes a mixture of what it was and what the token says.",
    ),
    "word": BlockText(
        "Word",
        "The model reads what has been written so far and chooses one more word.",
    ),
    "step": BlockText(
        "One token",
        "One token comes: its query, key, value and scores are new; the rest is kept.",
    ),
    "head": BlockText(
        "Attention head",
        "One way of looking around, with its own weights: scores, shares, and what is gathered.",
    ),
    "attention": BlockText(
        "Multi-head attention",
        "Every token gathers from the others, in several ways at once.",
    ),
    "self": BlockText(
        "Masked multi-head attention",
        "Every token gathers from what has been written so far, in several ways at once.",
    ),
    "cross": BlockText(
        "Cross-attention",
        "Every token of the output gathers from the input: queries from one, keys and values from the other.",
    ),
    "add_norm": BlockText(
        "Add & norm",
        "What was found is added to what went in, and each token's numbers are brought back in bounds.",
    ),
    "norm": BlockText(
        "Layer norm",
        "Each token gets mean 0 and variance 1, then a learned scale and shift.",
    ),
    "norm_first": BlockText(
        "Layer norm",
        "What is about to be read is brought back in bounds first; the road past it is left unchanged.",
    ),
    "add": BlockText(
        "Add",
        "What was found is added to what went in, and the sum goes on unchanged.",
    ),
    "ff": BlockText(
        "Feed-forward",
        "Works on each token alone: looks for patterns, and adds up what they mean.",
    ),
}
