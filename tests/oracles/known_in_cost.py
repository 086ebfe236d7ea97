"""Oracle of named mistakes in lesson cost: each made by loops."""

import math

import loops


def _known():
    from known_mistakes import Known  # which imports this module

    def seen(may):
        def make(see, right):
            width = see("width")
            return [
                [s if may(query - key, width) else -math.inf for query, s in enumerate(row)]
                for key, row in enumerate(see("S"))
            ]

        return make

    def kept(name):
        def make(see, right):
            return [[*old, *new] for old, new in zip(see("K_old"), see(name), strict=True)]

        return make

    def first_place(see, right):
        return [[e + places[0]] for (e,), places in zip(see("e"), see("P"), strict=True)]

    def first_key_alone(see, right):
        return [[1.0 if i == 0 else 0.0] for i, _ in enumerate(right)] if see("K_old") else None

    def divided_by(number):
        def make(see, right):
            by = number(see)  # a sheet with one query, q
            return loops.each(lambda x: x / by, see("S"))

        return make

    return (
        Known("n-times-d", "full", lambda see, _: [[see("n")[0][0] * see("d")[0][0]]]),
        Known("not-divided", "causal", lambda see, right: [[2 * right[0][0]]]),
        Known("window-both-sides", "S_masked", seen(lambda back, width: abs(back) < width)),
        Known("window-without-oneself", "S_masked", seen(lambda back, width: 0 <= back <= width)),
        Known("mask-wrong-side", "S_masked", seen(lambda back, width: -width < back <= 0)),
        Known("cache-of-queries", "K", kept("q")),
        Known("place-starts-again", "x", first_place),
        Known("divided-by-d_k", "S_scaled", divided_by(lambda see: len(see("q")))),
        Known("divided-by-sqrt-d_model", "S_scaled", divided_by(lambda see: math.sqrt(len(see("x"))))),
        Known("mask-from-the-corner", "A", first_key_alone),
    )


KNOWN = _known()
