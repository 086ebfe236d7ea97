"""Oracle of the block: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known


def residual(s):
    R = s["X"]
    for k in (1, 2):
        found = s.write(f"F_{k}", loops.product(s[f"W_{k}"], R))
        R = s.write(f"R_{k}", loops.add(R, found))


def add_and_norm(s, count, X, found):
    """R, and the norm of each of its columns, without an ε."""
    R = s.write(f"add_norm_{count}.R", loops.add(X, found))
    height, width = len(R), len(R[0])
    at = f"add_norm_{count}.norm."
    gamma, beta = s[f"{at}gamma"], s[f"{at}beta"]
    mean = s.write(f"{at}mean", [[sum(R[i][j] for i in range(height)) / height for j in range(width)]])
    C = s.write(f"{at}centred", [[R[i][j] - mean[0][j] for j in range(width)] for i in range(height)])
    var = s.write(
        f"{at}variance", [[sum(C[i][j] ** 2 for i in range(height)) / height for j in range(width)]]
    )
    N = loops.each(lambda c, v: c / math.sqrt(v) if v else math.nan, C, [var[0]] * height)
    return s.write(f"{at}N", [[gamma[i][0] * x + beta[i][0] for x in row] for i, row in enumerate(N)])


def block(s):
    V = s.write("attention.V", loops.product(s["attention.W_V"], s["X"]))
    Z = s.write("attention.Z", loops.product(V, s["attention.A"]))
    N = add_and_norm(s, 1, s["X"], Z)
    H = s.write("ff.H", loops.add_to_columns(loops.product(s["ff.W_1"], N), s["ff.b_1"]))
    H_relu = s.write("ff.H_relu", loops.each(lambda h: max(h, 0.0), H))
    Y = s.write("ff.Y", loops.add_to_columns(loops.product(s["ff.W_2"], H_relu), s["ff.b_2"]))
    add_and_norm(s, 2, N, Y)


TOPICS = {"residual": residual, "block": block}


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
