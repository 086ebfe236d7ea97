"""Oracle of topics: the block, in plain loops, step by step."""

import math

import loops


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
