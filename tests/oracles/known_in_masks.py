"""Oracle of named mistakes in lesson masks: each made by loops."""

import math

import loops


def _known():
    from known_mistakes import Known  # which imports this module

    def scores(see):
        try:
            return see("S_scaled")
        except KeyError:
            return see("S")

    def given_scores(see):
        """The scores of a sheet that begins with them."""
        try:
            see("S_scaled")
        except KeyError:
            return see("S")
        raise KeyError("S")  # a sheet of one head, whose mistakes are known

    def inverted(see, right):
        return loops.each(lambda s, m: s if m == -math.inf else -math.inf, scores(see), right)

    def columns_hidden(see, right):
        real = [word != "[PAD]" for word in see("words")]
        return [[s if may else -math.inf for s, may in zip(row, real, strict=True)] for row in scores(see)]

    def columns_struck_out(see, right):
        real = [word != "[PAD]" for word in see("words")]
        A = loops.softmax(scores(see))
        return [[a if may else 0.0 for a, may in zip(row, real, strict=True)] for row in A]

    def added(see, right):
        return loops.each(lambda s, m: s + (m != -math.inf), scores(see), right)

    def struck_out_late(see, right):
        A = loops.softmax(given_scores(see))
        return loops.each(lambda a, s: 0.0 if s == -math.inf else a, A, see("S_masked"))

    return (
        Known("mask-left-out", "S_masked", lambda see, _: given_scores(see)),
        Known("mask-after-softmax", "A", struck_out_late),
        Known("true-means-hidden", "S_masked", inverted),
        Known("queries-masked-for-keys", "S_masked", columns_hidden),
        Known("queries-masked-for-keys", "A", columns_struck_out),
        Known("mask-added-as-numbers", "S_masked", added),
    )


KNOWN = _known()
