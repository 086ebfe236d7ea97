"""Oracle of formulas: slow and obvious, plain lists and for-loops, no numpy, nothing of handcalc's.

A matrix is a list of rows; tokens are columns.
"""

import math


def product(A, B):
    """C[i][j] = Σ_k A[i][k] · B[k][j]"""
    C = [[0] * len(B[0]) for _ in A]
    for i in range(len(A)):
        for j in range(len(B[0])):
            for k in range(len(B)):
                C[i][j] += A[i][k] * B[k][j]
    return C


def transposed(A):
    return [[A[i][j] for i in range(len(A))] for j in range(len(A[0]))]


def each(function, *matrices):
    """Apply a function cell by cell."""
    rows, columns = len(matrices[0]), len(matrices[0][0])
    return [[function(*(M[i][j] for M in matrices)) for j in range(columns)] for i in range(rows)]


def add(A, B):
    return each(lambda a, b: a + b, A, B)


def add_to_columns(A, b):
    return [[A[i][j] + b[i][0] for j in range(len(A[0]))] for i in range(len(A))]


def scale(s, d_k):
    return s / math.sqrt(d_k)


def power(s):
    return math.exp(s)


def scores_to_weights(S, V):
    """E, E_sum, A and Z = V A; softmax goes down each column."""
    E = each(power, S)
    E_sum = [[sum(E[i][j] for i in range(len(E))) for j in range(len(E[0]))]]
    A = [[E[i][j] / E_sum[0][j] for j in range(len(E[0]))] for i in range(len(E))]
    return {"E": E, "E_sum": E_sum, "A": A, "Z": product(V, A)}


def attention(X, Y, W_Q, W_K, W_V, b_Q=None, b_K=None, b_V=None, *, allowed=None, scaled=True):
    """All steps by name; query j may look at key i where allowed[i][j]."""
    Q, K, V = product(W_Q, X), product(W_K, Y), product(W_V, Y)
    if b_Q is not None:
        Q, K, V = add_to_columns(Q, b_Q), add_to_columns(K, b_K), add_to_columns(V, b_V)
    S = [[0] * len(Q[0]) for _ in K[0]]
    for key in range(len(K[0])):
        for query in range(len(Q[0])):
            for k in range(len(K)):
                S[key][query] += K[k][key] * Q[k][query]
    steps, seen = {"Q": Q, "K": K, "V": V, "S": S}, S
    if scaled:
        seen = steps["S_scaled"] = each(lambda s: scale(s, len(K)), seen)
    if allowed is not None:
        seen = steps["S_masked"] = each(lambda s, may: s if may else -math.inf, seen, allowed)
    return steps | scores_to_weights(seen, V)


def cached(X, W_Q, W_K, W_V):
    """Token by token: each step's own numbers, the keys and values so far, and one column of scores."""
    steps, K, V, Z = {}, [[] for _ in W_K], [[] for _ in W_V], []
    for t in range(len(X[0])):
        x = [[row[t]] for row in X]
        q, k, v = product(W_Q, x), product(W_K, x), product(W_V, x)
        K = [[*old, *new] for old, new in zip(K, k, strict=True)]
        V = [[*old, *new] for old, new in zip(V, v, strict=True)]
        S = product(transposed(K), q)
        d_k = len(W_K)
        scaled = [[scale(s, d_k) for s in row] for row in S]
        found = {"x": x, "q": q, "k": k, "v": v, "K": K, "V": V, "S": S, "S_scaled": scaled}
        found |= scores_to_weights(scaled, V)
        steps |= {f"step_{t + 1}.{name}": matrix for name, matrix in found.items()}
        Z = [[*old, *new] for old, new in zip(Z or [[] for _ in W_V], found["Z"], strict=True)]
    return steps | {"Z": Z}


def causal(n):
    return [[key <= query for query in range(n)] for key in range(n)]


def multi_head(X, Y, heads, W_O, b_O=None, *, allowed=None):
    steps, concat = {}, []
    for number, weights in enumerate(heads, start=1):
        head = attention(X, Y, *weights, allowed=allowed)
        steps |= {f"head_{number}.{name}": matrix for name, matrix in head.items()}
        concat += head["Z"]
    Z = product(W_O, concat)
    return steps | {"concat": concat, "Z": add_to_columns(Z, b_O) if b_O else Z}


def softmax(M, temperature=1.0, base=math.e):
    A = [row[:] for row in M]
    for j in range(len(M[0])):
        powers = [base ** (M[i][j] / temperature) for i in range(len(M))]
        for i in range(len(M)):
            A[i][j] = powers[i] / sum(powers)
    return A


def embedding(W_E, tokens):
    return [[W_E[i][token] for token in tokens] for i in range(len(W_E))]


def positions(n, d_model, base=10000.0, unit=1.0):
    P = [[0] * n for _ in range(d_model)]
    for p in range(n):
        for feature in range(d_model):
            pair = feature // 2
            angle = p * unit / base ** (2 * pair / d_model)
            P[feature][p] = math.sin(angle) if feature == 2 * pair else math.cos(angle)
    return P


def recurrent(X, W_x, W_h, b=None, h=None, slopes=False):
    """h = tanh(W_x x + W_h h + b) step by step; with slopes J = (1 − h²) ⊙ W_h and their product D."""
    size, steps, states, D = len(W_h), {}, [], None
    h = h or [[0.0]] * size
    for t in range(1, len(X[0]) + 1):
        x = steps[f"step_{t}.x"] = [[row[t - 1]] for row in X]
        F = add(product(W_x, x), product(W_h, h))
        F = steps[f"step_{t}.F"] = add(F, b) if b else F
        h = steps[f"step_{t}.h"] = each(math.tanh, F)
        states.append(h)
        if slopes and t > 1:
            J = steps[f"step_{t}.J"] = [[(1 - h[i][0] ** 2) * w for w in W_h[i]] for i in range(size)]
            D = steps[f"step_{t}.D"] = J if D is None else product(J, D)
    return steps | {"H": [[state[i][0] for state in states] for i in range(size)]}


def additive(s, H, W_a, U_a, v):
    """Bahdanau's score of each state against one query, shares and mixture."""
    asked = product(W_a, s)
    F = [[x + asked[i][0] for x in row] for i, row in enumerate(product(U_a, H))]
    inside = each(math.tanh, F)
    S = product(transposed(inside), v)
    E = each(power, S)
    E_sum = [[sum(row[0] for row in E)]]
    A = [[row[0] / E_sum[0][0]] for row in E]
    steps = {"F": F, "inside": inside, "S": S, "E": E, "E_sum": E_sum, "A": A}
    return steps | {"Z": product(H, A)}


def patches(picture, size):
    """Columns of pixels: square after square along the rows, and so the pixels of each."""
    corners = [
        (top, left) for top in range(0, len(picture), size) for left in range(0, len(picture[0]), size)
    ]
    return [[picture[top + r][left + c] for top, left in corners] for r in range(size) for c in range(size)]


def layer_norm(X, gamma, beta, eps=1e-5):
    centred, N, means, variances = ([row[:] for row in X], [row[:] for row in X], [], [])
    for j in range(len(X[0])):
        column = [X[i][j] for i in range(len(X))]
        mean = sum(column) / len(column)
        variance = sum((x - mean) * (x - mean) for x in column) / len(column)
        for i in range(len(X)):
            centred[i][j] = X[i][j] - mean
            N[i][j] = gamma[i][0] * (X[i][j] - mean) / math.sqrt(variance + eps) + beta[i][0]
        means.append(mean)
        variances.append(variance)
    return {"mean": [means], "centred": centred, "variance": [variances], "N": N}


def add_and_norm(X, change, norm, eps):
    R = add(X, change)
    return {"R": R} | prefixed("norm.", layer_norm(R, *norm, eps))


def feed_forward(X, W_1, b_1, W_2, b_2):
    H = add_to_columns(product(W_1, X), b_1)
    H_relu = each(lambda h: h if h > 0 else 0.0, H)
    return {"H": H, "H_relu": H_relu, "Y": add_to_columns(product(W_2, H_relu), b_2)}


def pre_norm_layer(X, heads, W_O, b_O, norm_1, ff, norm_2, gelu, *, allowed=None, eps=1e-5):
    """As in GPT-2: what is read is normed, what goes past is not; GELU, and biases everywhere."""
    steps = prefixed("norm_1.", layer_norm(X, *norm_1, eps))
    steps |= prefixed("attention.", multi_head(*[steps["norm_1.N"]] * 2, heads, W_O, b_O, allowed=allowed))
    R = steps["add_1.R"] = add(X, steps["attention.Z"])
    steps |= prefixed("norm_2.", layer_norm(R, *norm_2, eps))
    W_1, b_1, W_2, b_2 = ff
    H = steps["ff.H"] = add_to_columns(product(W_1, steps["norm_2.N"]), b_1)
    active = steps["ff.H_gelu"] = each(gelu, H)
    Y = steps["ff.Y"] = add_to_columns(product(W_2, active), b_2)
    return steps | {"add_2.R": add(R, Y)}


def prefixed(prefix, steps):
    return {prefix + name: matrix for name, matrix in steps.items()}


def encoder_layer(X, heads, W_O, norm_1, ff, norm_2, *, allowed=None, eps=1e-5):
    steps = prefixed("attention.", multi_head(X, X, heads, W_O, allowed=allowed))
    steps |= prefixed("add_norm_1.", add_and_norm(X, steps["attention.Z"], norm_1, eps))
    N = steps["add_norm_1.norm.N"]
    steps |= prefixed("ff.", feed_forward(N, *ff))
    return steps | prefixed("add_norm_2.", add_and_norm(N, steps["ff.Y"], norm_2, eps))


def decoder_layer(X, memory, heads, W_O, norm_1, cross_heads, cross_W_O, norm_2, ff, norm_3, *, eps=1e-5):
    """The usual masks: nobody looks ahead among X, everybody sees all of the memory."""
    steps = prefixed("self.", multi_head(X, X, heads, W_O, allowed=causal(len(X[0]))))
    steps |= prefixed("add_norm_1.", add_and_norm(X, steps["self.Z"], norm_1, eps))
    N = steps["add_norm_1.norm.N"]
    steps |= prefixed("cross.", multi_head(N, memory, cross_heads, cross_W_O))
    steps |= prefixed("add_norm_2.", add_and_norm(N, steps["cross.Z"], norm_2, eps))
    N = steps["add_norm_2.norm.N"]
    steps |= prefixed("ff.", feed_forward(N, *ff))
    return steps | prefixed("add_norm_3.", add_and_norm(N, steps["ff.Y"], norm_3, eps))


def highest(S):
    """The row of the highest number of each column, counted from 1; of equal ones the first."""
    found = []
    for j in range(len(S[0])):
        best = 0
        for i in range(len(S)):
            if S[i][j] > S[best][j]:
                best = i
        found.append(best + 1)
    return [found]


def chosen(S, table):
    """The highest row of each column, as a column with one 1, and that column of a table."""
    (word,) = highest(S)
    one_hot = [[1 if word[j] == i + 1 else 0 for j in range(len(word))] for i in range(len(S))]
    result = [[row[w - 1] for w in word] for row in table]
    return {"word": [word], "chosen": one_hot, "result": result}


def ordered(what, S):
    """Each column of scores sorted, ranked, added up, or its highest number so far, number after number."""
    columns = [[row[j] for row in S] for j in range(len(S[0]))]
    return transposed([IN_ORDER[what](column) for column in columns])


def sorted_down(column):
    left, found = [*column], []
    while left:
        best = max(left)
        left.remove(best)
        found.append(best)
    return found


def added_up(column):
    total, found = 0.0, []
    for number in column:
        total += number
        found.append(total)
    return found


def picked(column):
    """By the size of the first number, of the bounds that the sizes add up to."""
    for place, bound in enumerate(added_up([abs(number) for number in column]), start=1):
        if bound > abs(column[0]):
            return [place]
    return [len(column)]


IN_ORDER = {
    "column_max": lambda column: sorted_down(column)[:1],
    "sort": sorted_down,
    "rank": lambda column: [1 + sum(other > number for other in column) for number in column],
    "cumulative_sum": added_up,
    "cumulative_max": lambda column: [max(column[: k + 1]) for k in range(len(column))],
    "sample": picked,
}
