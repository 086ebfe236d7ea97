"""AlphaFold: attention along sequences with a bias from pairs (Algorithm 7), and pairs in triangles (11).

Jumper et al. 2021 (doi:10.1038/s41586-021-03819-2), supplementary information.
"""

from __future__ import annotations

from handcalc.course.by_hand.parts import Sheet, noted, row_of, sheet, with_row
from handcalc.course.by_hand.sheets.single_numbers import shares
from handcalc.operations import Sums
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import column_means, column_sums, columns, concat, exp, sigmoid, sqrt

MOLECULES = {"human": "m1", "fish": "m2"}


# Algorithm 7 --------------------------------------------------------------------------------------------


@sheet("alphafold_alg7")
def row_attention(g: Sheet) -> list[Matrix]:
    """Two heads for each of two sequences; pairs of places say who is worth looking at."""
    m = {
        name: g(key, f"m_{name}", "one place of the sequence a column", columns="m")
        for name, key in MOLECULES.items()
    }
    z = [g(f"z{i}", f"z_{i}", f"pairs of place {i} with every place") for i in (1, 2, 3)]
    found: list[Matrix] = []
    heads: dict[tuple[int, str], dict[str, Matrix]] = {}
    for count in (1, 2):
        with block(
            f"head_{count}", f"Head {count}", why="Its own question, and its own bias from the pairs."
        ):
            weights = {name: g(f"{name}{count}", name) for name in ("W_Q", "W_K", "W_V", "W_G", "b_G")}
            parts = [g(f"w{count}{i}", f"w_{i}") @ z[i - 1] for i in (1, 2, 3)]
            B = noted(
                "B",
                concat(parts),
                "a bias for each pair",
                "What two places have to do with each other.",
                "Compare",
            )
            found.append(B)
            for name in MOLECULES:
                with block(name, name.capitalize()):
                    heads[count, name] = _head(g, count, name, m[name], weights, B, heads)
                found += heads[count, name].values()
    W_O, b_O = g("W_O"), g("b_O")
    for name in MOLECULES:
        joined = concat([heads[1, name]["O"], heads[2, name]["O"]])
        why = "Both heads, one above the other, mixed back into the features of the sequence."
        found.append(noted(f"out_{name}", W_O @ joined + b_O, f"what the {name} takes on", why, "Mix"))
    return found


def _head(
    g: Sheet,
    count: int,
    name: str,
    m: Matrix,
    weights: dict[str, Matrix],
    B: Matrix,
    heads: dict[tuple[int, str], dict[str, Matrix]],
) -> dict[str, Matrix]:
    Q = noted("Q", weights["W_Q"] @ m, "queries", "What each place asks for.", "Project")
    K = noted("K", weights["W_K"] @ m, "keys", "What each place offers.", "Project")
    V = noted("V", weights["W_V"] @ m, "values", "What each place has to give.", "Project")
    asking = heads[count, "human"]["Q"] if g.is_published and name == "fish" and count == 1 else Q
    if g.is_published and name == "fish" and count == 2:
        asking = heads[2, "human"]["Q"]
    S = noted(
        "S", asking.T @ K, "scores", "Every query with every key; the sheet has queries as rows.", "Compare"
    )
    S_biased = noted(
        "S_biased", S + B, "with the bias", "The pairs have a say in who looks at whom.", "Compare"
    )
    A_steps = _shares(g, count, S_biased)
    A = heads[1, name]["A"] if g.is_published and count == 2 else A_steps["A"]
    Z = noted("Z", V @ A, "mixture of values", "The shares say how much of each value.", "Mix")
    W_G, b_G = weights["W_G"], weights["b_G"]
    gate = noted(
        "G_raw",
        _gate_sums(g, name, W_G @ m + b_G),
        "before the bend",
        "How much this place lets out.",
        "Gate",
    )
    G = noted("G", sigmoid(gate), "the gate", "Between 0, shut, and 1, open.", "Gate")
    O = noted("O", G * Z, "what is let out", "As much of the mixture as the gate lets out.", "Gate")  # noqa: E741
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "S": S,
        "S_biased": S_biased,
        **A_steps,
        "Z": Z,
        "G_raw": gate,
        "G": G,
        "O": O,
    }


def _shares(g: Sheet, count: int, scores: Matrix) -> dict[str, Matrix]:
    """Down each column of the sheet, that is along its queries."""
    if not (g.is_published and count == 2):
        E, E_sum, P = shares(scores)
        return {"E": E, "E_sum": E_sum, "A": P.named("A")}
    E = noted("E", exp(scores), "powers of e", "A power is never negative.", "Share")
    total = noted(
        "E_sum", column_sums(E) + 1, "their sum", "An empty row is counted as well, and e^0 is 1.", "Share"
    )
    return {
        "E": E,
        "E_sum": total,
        "A": noted("A", E / total, "shares", "Each power divided by the sum.", "Share"),
    }


def _gate_sums(g: Sheet, name: str, sums: Matrix) -> Matrix:
    """As published, the human's last gate is a typed 0."""
    if not (g.is_published and name == "human"):
        return sums
    last = concat([columns(row_of(sums, 1), 0, 2), constant(0)], axis=1)
    return with_row(sums, 1, last)


# Algorithm 11 -------------------------------------------------------------------------------------------


@sheet("alphafold_alg11")
def triangles(g: Sheet) -> list[Matrix]:
    """Pair (i, j) is made of (i, k) and (j, k), for every k: the three sides of a triangle."""
    found, sides = [], {}
    weights = {name: (g(f"W_{name}"), g(f"b_{name}")) for name in ("a", "ag", "b", "bg", "og")}
    for i in (1, 2, 3):
        z = g(f"Z{i}", f"z_{i}", f"pairs of place {i}, one a column")
        with block(f"row_{i}", f"Pairs of place {i}", why="Normed, and made into two sides and a gate."):
            N = _normed("N", z)
            sides[i] = [_gated(name, N, weights) for name in ("a", "b")]
            W_og, b_og = weights["og"]
            gate = noted(
                "G", sigmoid(W_og @ N + b_og), "the gate", "How much of the new pair is let out.", "Gate"
            )
        found += [N, *sides[i], gate]
        sides[i].append(gate)
    W_o, b_o = g("W_o"), g("b_o")
    for i in (1, 2, 3):
        sums = [_pair(g, i, j, sides[i][0], sides[j][1], found) for j in (1, 2, 3)]
        with block(f"out_{i}", f"New pairs of place {i}", why="What the triangles say, mixed and gated."):
            side = noted(
                "sums", concat(sums, axis=1), "one pair a column", "The three sums, side by side.", "Mix"
            )
            mixed = noted(
                "mixed", W_o @ _normed("N", side) + b_o, "mixed", "Back to the features of a pair.", "Mix"
            )
            out = noted("z", sides[i][2] * mixed, "the new pairs", "As much as the gate lets out.", "Gate")
        found += [side, mixed, out]
    return found


def _normed(name: str, z: Matrix) -> Matrix:
    """Mean 0 and spread 1 down each column; the spread is a spreadsheet's STDEV, over n − 1."""
    off = z - column_means(z)
    spread = sqrt(column_sums(off**2) / (z.shape[0] - 1))
    return noted(name, off / spread, "normed", "Numbers in bounds: mean 0, and spread 1 by n − 1.", "Norm")


def _gated(name: str, N: Matrix, weights: dict[str, tuple[Matrix, Matrix]]) -> Matrix:
    (W, b), (W_g, b_g) = weights[name], weights[f"{name}g"]
    raw = noted(f"{name}_raw", W @ N + b, "one side", "What this pair brings into a triangle.", "Project")
    gate = noted(f"{name}_gate", sigmoid(W_g @ N + b_g), "its gate", "How much of it counts.", "Gate")
    return noted(name, gate * raw, "one side, gated", "As much of it as its gate lets in.", "Gate")


def _pair(g: Sheet, i: int, j: int, a: Matrix, b: Matrix, found: list[Matrix]) -> Matrix:
    with block(f"pair_{i}{j}", f"Pair {i}, {j}", why="The two other sides of every triangle, multiplied."):
        if g.is_published and (i, j) == (1, 1):
            b = concat([0 * row_of(b, 0), row_of(b, 0)])
        P = noted("P", a * b, "side by side", "Number by number: both sides have to say it.", "Multiply")
        total = Sums(1)(columns(P, 1, 3) if g.is_published and i == 1 else P)
        found.append(P)
        sums = noted("sum", total, "added up", "Over every third place.", "Multiply")
        found.append(sums)
        return sums
