"""Oracle of topics: the topics of lesson masks, in plain loops, step by step."""

import math

PAD = "[PAD]"


def padding_mask(s):
    """S is as wide as it is high; what is padding stands in the labels, which the sheet has as `words`."""
    import paper  # which imports this module

    S = s["S"]
    real = [word != PAD for word in s["words"]]
    hidden = [[x if may else -math.inf for x in row] for row, may in zip(S, real, strict=True)]
    paper.shares(s, s.write("S_masked", hidden))


TOPICS = {"padding_mask": padding_mask}
