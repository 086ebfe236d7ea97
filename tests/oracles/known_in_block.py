"""Oracle of named mistakes in the residual stream, the norm and the feed-forward part: each made by loops."""

import math

import loops
from known_mistakes import Known


def one_fewer(name):
    """A variance as a spreadsheet's STDEV has it: divided by n − 1."""
    return lambda see, right: loops.each(lambda v: v * len(see(name)) / (len(see(name)) - 1), right)


def without_root(see, right):
    (var,) = see("variance")
    return rescaled(see, [[c / v for c, v in zip(row, var, strict=True)] for row in see("centred")])


def rescaled(see, M):
    pairs = zip(M, see("gamma"), see("beta"), strict=True)
    return [[gamma * x + beta for x in row] for row, (gamma,), (beta,) in pairs]


def normed_before(found, kept, path):
    """X + norm(Z): the norm of what was found, with the weights of the norm that comes after."""

    def make(see, right):
        Z, X = see(found), see(kept)
        columns = []
        for column in loops.transposed(Z):
            mean = sum(column) / len(column)
            variance = sum((z - mean) ** 2 for z in column) / len(column)
            columns.append([(z - mean) / math.sqrt(variance) for z in column])
        normed = loops.transposed(columns)
        pairs = zip(normed, see(f"{path}.gamma"), see(f"{path}.beta"), strict=True)
        return loops.add(X, [[gamma * x + beta for x in row] for row, (gamma,), (beta,) in pairs])

    return make


def positive(see, right):
    return loops.each(lambda y: max(0.0, y), right)


KNOWN = (
    Known("n-minus-1", "var", one_fewer("C")),
    Known("n-minus-1", "variance", one_fewer("centred")),
    Known("not-divided", "variance", lambda see, right: loops.each(lambda v: v * len(see("centred")), right)),
    Known("root-left-out", "N", without_root),
    Known("relu-twice", "Y", lambda see, right: positive(see, right) if see("H_relu") else None),
    Known("residual-left-out", "R_1", lambda see, _: see("F_1")),
    Known("residual-left-out", "R_2", lambda see, _: see("F_2")),
    Known("term-left-out", "R_1", lambda see, _: see("X")),
    Known("term-left-out", "R_2", lambda see, _: see("R_1")),
)


def where(found, kept, make):
    """A mistake in the sum of these two, and in no other."""
    return lambda see, right: make(see, right) if loops.add(see(kept), see(found)) == right else None


for _path, _found, _kept in (
    ("add_norm_1.norm", "attention.Z", "X"),
    ("add_norm_2.norm", "ff.Y", "add_norm_1.norm.N"),
):
    KNOWN += (
        Known("residual-left-out", "R", where(_found, _kept, lambda see, _, found=_found: see(found))),
        Known("norm-before-adding", "R", where(_found, _kept, normed_before(_found, _kept, _path))),
    )
