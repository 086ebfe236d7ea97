"""Oracle of topics: a learner's paper, in loops, each step written down before the next one reads it.

Nothing of handcalc's formulas is in here. A matrix is a list of rows, tokens are columns.
"""

import functools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from importlib import import_module
from pathlib import Path

import draws
import loops
import numpy as np

import handcalc as hc

Rows = list[list[float]]
See = Callable[[str], Rows]
Slip = Callable[[See, Rows], Rows]  # (what has been written, the right step) -> a wrong one


LARGEST = 25  # score: of e^25 the 16 digits of a float still hold two places
HOPELESS = 700  # a score of which no computer has the exponential: nobody goes on from here
MANY = 1e20  # of so large a number nobody writes a decimal place


def rounded(M: Rows, places: int) -> Rows:
    """Half away from zero, as at school, of a decimal of at most 15 digits; an infinity stays."""
    unit = Decimal(1).scaleb(-places)
    return [
        [float(Decimal(f"{x:.15g}").quantize(unit, ROUND_HALF_UP)) if abs(x) < MANY else x for x in row]
        for row in M
    ]


class Sheet(dict[str, Rows]):
    """What stands on the paper: the givens, and each step as it was written.

    Steps are rounded to `places` (None: not at all); `slips` says what is written instead of some of them.
    """

    def __init__(self, givens: dict[str, Rows], places: int | None = None, **slips: Slip) -> None:
        super().__init__(givens)
        self.places, self.slips, self.steps = places, slips, {}

    def write(self, name: str, right: Rows) -> Rows:
        prefix = name.rpartition(".")[0]
        if name in self.slips:
            slipped = self.slips[name](lambda n: self.get(f"{prefix}.{n}") or self[n], right)
            right = right if slipped is None else slipped  # a power of 0.00 may be one of 0.004 in full
        self[name] = self.steps[name] = right if self.places is None else rounded(right, self.places)
        return self[name]


@functools.cache
def drawn(topic: str, seed: int) -> hc.Calculation:
    """A problem; the levels take turns, so that every topic is seen in all of them."""
    return draws.problem(topic, seed, level=seed % 3 + 1)


def givens(calculation) -> dict[str, Rows]:
    """The numbers on the sheet that is handed out, and what its formulas have: T, places, padding's words."""
    found = {name: matrix.values.tolist() for name, matrix in calculation.givens.items()}
    for name, matrix in calculation.steps.items():
        if matrix.operation.name in ("gather", "positions"):
            found[f"formula of {name}"] = matrix.operation.parameters()
    for tempered in {"S_T", "logits_T"} & {*calculation}:
        found["T"] = float(calculation[tempered].inputs[1].values[0, 0])
    if words := [m.columns for m in calculation.givens.values() if m.columns and "[PAD]" in m.columns]:
        found["words"] = [*words[0]]
    if width := re.search(r"window of (\d+)", calculation.title):
        found["width"] = int(width[1])
    return found


def answered(calculation, topic: str, places: int | None = None, convention: str = "columns", **slips: Slip):
    """Every step of a problem as a learner would write it, in either convention."""
    sheet = Sheet(givens(calculation), places, **slips)
    TOPICS[topic](sheet)
    return turned(sheet.steps, convention)


def apart(one: Rows, other: Rows, by: float) -> np.ndarray:
    """Where two matrices differ by more than so much; an infinity from every number."""
    with np.errstate(invalid="ignore"):
        return (np.array(one) != other) & ~(np.abs(np.subtract(one, other)) <= by)


def turned(steps: dict[str, Rows], convention: str) -> dict[str, Rows]:
    if convention == "columns":
        return steps
    return {name: loops.transposed(M) for name, M in steps.items()}


@dataclass(frozen=True)
class Known:
    """A mistake by its name, the step in which it is made, and what it makes of it."""

    name: str
    step: str
    make: Slip
    in_rows: str = ""  # its name where tokens are rows, if that is another

    def called(self, convention: str) -> str:
        return self.in_rows if convention == "rows" and self.in_rows else self.name


def wrong_side(see: See, right: Rows, scores: str = "S_scaled") -> Rows:
    lower = loops.transposed(loops.causal(len(right)))
    return loops.each(lambda s, may: s if may else -math.inf, see(scores), lower)


# topics ---------------------------------------------------------------------------------------


def shares(s: Sheet, scores: Rows, base: float = math.e, prefix: str = "") -> Rows:
    """E, E_sum and A; what is too large to be written, or would be divided by a sum of 0, is left blank."""
    far = max((abs(x) for row in scores for x in row if math.isfinite(x)), default=0.0)
    most = LARGEST if far < HOPELESS else -math.inf
    E = s.write(f"{prefix}E", loops.each(lambda x: base**x if x < most else math.nan, scores))
    E_sum = s.write(f"{prefix}E_sum", [[sum(E[i][j] for i in range(len(E))) for j in range(len(E[0]))]])
    (sums,) = E_sum
    A = [[E[i][j] / sums[j] if sums[j] else math.nan for j in range(len(sums))] for i in range(len(E))]
    return s.write(f"{prefix}A", A)


def project(s: Sheet, source: str = "X", prefix: str = "") -> None:
    for name, of in (("Q", "X"), ("K", source), ("V", source)):
        s.write(prefix + name, loops.product(s[f"{prefix}W_{name}"], s[of]))


def scores(s: Sheet, prefix: str = "") -> Rows:
    Q, K = s[f"{prefix}Q"], s[f"{prefix}K"]
    S = s.write(f"{prefix}S", loops.product(loops.transposed(K), Q))
    return s.write(f"{prefix}S_scaled", loops.each(lambda x: x / math.sqrt(len(K)), S))


def attention(s: Sheet, source: str = "X", prefix: str = "", *, causal: bool = False) -> Rows:
    project(s, source, prefix)
    seen = scores(s, prefix)
    if causal:
        allowed = loops.causal(len(seen))
        hidden = loops.each(lambda x, may: x if may else -math.inf, seen, allowed)
        seen = s.write(f"{prefix}S_masked", hidden)
    A = shares(s, seen, prefix=prefix)
    return s.write(f"{prefix}Z", loops.product(s[f"{prefix}V"], A))


def multi_head(s: Sheet) -> None:
    heads = [attention(s, prefix=f"head_{k}.") for k in (1, 2)]
    concat = s.write("concat", [row for head in heads for row in head])
    s.write("Z", loops.product(s["W_O"], concat))


def temperature(s: Sheet) -> None:
    shares(s, s.write("S_T", loops.each(lambda x: x / s["T"], s["S"])))


def feed_forward(s: Sheet) -> None:
    H = s.write("H", loops.add_to_columns(loops.product(s["W_1"], s["X"]), s["b_1"]))
    H_relu = s.write("H_relu", loops.each(lambda h: max(h, 0.0), H))
    s.write("Y", loops.add_to_columns(loops.product(s["W_2"], H_relu), s["b_2"]))


def layer_norm(s: Sheet) -> None:
    X, gamma, beta = s["X"], s["gamma"], s["beta"]
    height, width = len(X), len(X[0])
    mean = s.write("mean", [[sum(X[i][j] for i in range(height)) / height for j in range(width)]])
    C = s.write("C", [[X[i][j] - mean[0][j] for j in range(width)] for i in range(height)])
    var = s.write("var", [[sum(C[i][j] ** 2 for i in range(height)) / height for j in range(width)]])
    s.write("N", [
        [gamma[i][0] * C[i][j] / math.sqrt(var[0][j]) + beta[i][0] for j in range(width)]
        for i in range(height)
    ])  # fmt: skip


def missing_weight(s: Sheet) -> None:
    W, x, y = s["W"], s["x"], s["y"]
    place = W[0].index(0)
    known = s.write("known", loops.product(W, x))
    rest = s.write("rest", [[y[0][0] - known[0][0]]])
    s.write("w", [[rest[0][0] / x[place][0]]])


def gate(s: Sheet) -> None:
    z_g, z_c = (
        s.write(f"z_{name}", loops.add_to_columns(loops.product(s[f"W_{name}"], s["x"]), s[f"b_{name}"]))
        for name in "gc"
    )
    g = s.write("g", loops.each(lambda z: 1 / (1 + math.exp(-z)), z_g))
    c = s.write("c", loops.each(math.tanh, z_c))
    s.write("h", loops.each(lambda a, b: a * b, g, c))


TOPICS: dict[str, Callable[[Sheet], object]] = {
    "dot_product": lambda s: s.write("s", loops.product(loops.transposed(s["k"]), s["q"])),
    "matrix_product": lambda s: s.write("C", loops.product(s["A"], s["B"])),
    "linear_layer": lambda s: s.write("Y", loops.add_to_columns(loops.product(s["W"], s["X"]), s["b"])),
    "softmax": lambda s: shares(s, s["S"]),
    "softmax_base_3": lambda s: shares(s, s["S"], 3.0),
    "softmax_temperature": temperature,
    "projections": project,
    "scores": scores,
    "self_attention": attention,
    "causal_self_attention": lambda s: attention(s, causal=True),
    "cross_attention": lambda s: attention(s, "Y"),
    "multi_head_attention": multi_head,
    "layer_norm": layer_norm,
    "missing_weight": missing_weight,
    "feed_forward": feed_forward,
    "gate": gate,
}
# The lessons' own topics and mistakes, a module each.
LESSONS = [import_module(path.stem) for path in sorted(Path(__file__).parent.glob("paper_*.py"))]
for _lesson in LESSONS:
    TOPICS |= _lesson.TOPICS
