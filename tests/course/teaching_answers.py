"""The answers on the pages of docs/teaching up to masks, worked out: a function for each page."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import curriculum
import loops

WORKED: dict[str, Callable[[], dict[str, str]]] = {}  # page -> {question: answer}, worked out when asked for


def written(value: float, places: int = 2) -> str:
    """A number as the pages write it."""
    text = f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.{places}f}"
    return text.replace("-", "−")


def page(name: str):
    """Makes what a function returns the answers of a page in docs/teaching."""

    def enter(answers):
        WORKED[name] = answers
        return answers

    return enter


def sentence():
    """X of the sentence with "it": thing, alive, moves, seeks thing, seeks life."""
    return [
        [2, 0, 0, 2, 0, 0, 0, 0, 0],
        [2, 0, 0, -2, 0, 0, 0, 0, 1],
        [3, 0, 2, 0, 0, 0, 0, 0, -1],
        [0, 0, 1, 0, 0, 2, 1, 0, 1],
        [0, 0, 0, 0, 0, 1, 0, 0, 2],
    ]


@page("01_queries_keys_values")
def queries_keys_values():
    X = sentence()
    q_it = [X[3][5], X[4][5]]
    scores = [X[0][k] * q_it[0] + X[1][k] * q_it[1] for k in range(9)]
    k, q = [2, 1, 0], [2, 1, 1]  # key 2 and query 4 of the worked example
    return {
        "A row of W_Q meets a column of X that has 6 numbers. How many numbers must the row have?": "6",
        "Which of query, key and value do others find a token by?": "the key",
        "Key 2 is 2, 1, 0 and query 4 is 2, 1, 1. What is their score?": written(
            loops.product([k], [[x] for x in q])[0][0]
        ),
        "Two arrows meet at a right angle. What is their dot product?": written(1 * 2 + 2 * -1),
        "“it” asks with (2, 1). What does it score “animal”, whose key is (2, 2)?": written(scores[0]),
    }


def share(scores):
    """What softmax gives the first of some scores."""
    return math.exp(scores[0]) / sum(map(math.exp, scores))


@page("02_scores_to_weights")
def scores_to_weights():
    return {
        "What is every score divided by, to two decimals?": written(math.sqrt(3)),
        "Scores 2, 1, 0: what share does the first get?": written(share([2, 1, 0])),
        "All three scores go up by 5. What share does the first get now?": written(share([7, 6, 5])),
        "A column of A has four equal shares. How large is each?": written(share([1, 1, 1, 1])),
        "The values are 20 and 0, the shares 0.7 and 0.3. What is the mixture?": written(20 * 0.7 + 0 * 0.3),
    }


@page("03_the_whole_sheet")
def whole_sheet():
    golden = Path(__file__).parents[1] / "golden" / "worked_example.json"
    givens = json.loads(golden.read_text("utf-8"))["givens"]
    X, weights = givens["X"], [givens[name] for name in ("W_Q", "W_K", "W_V")]
    other = [row[:] for row in X]
    other[1][3] = 1
    before, after = (loops.attention(x, x, *weights)["Z"] for x in (X, other))
    pairs = [sum(1 for _ in range(n) for _ in range(n)) for n in (4, 8)]
    return {
        "How many dot products of a key and a query do four tokens need?": written(pairs[0]),
        "And with eight tokens?": written(pairs[1]),
        "X[2,4] is raised from 0 to 1. What becomes of Z[3,1]?": (
            f"it rises from {written(before[2][0])} to {written(after[2][0])}"
        ),
        "With tokens as rows, where is the number that was Z[2,1]?": "Z[1,2]",
        "Which step compares every token with every token?": "S",
    }


@page("05_heads")
def heads():
    derived = curriculum.load("b_multi_head")["derived"]
    place = derived["head_2"]["A"]
    one, two = (derived[f"head_{k}"]["S"][2][1] for k in (1, 2))
    assert (one, two) == (2, -4)
    weights = [h * 3 * d_k * 4 + 4 * h * d_k for h, d_k in ((2, 2), (1, 4))]
    assert weights[0] == weights[1]
    d_k = 512 // 8
    return {
        "Two heads of d_k = 2 and one head of d_k = 4, with d_model = 4: which has more weights?": (
            f"neither: {weights[0]} each"
        ),
        "What is the word before “cats”, and how much of head 2's attention does “cats” give it,"
        " to two decimals?": f"chase, {written(place[1][2])}",
        "Scores of head 1 and head 2 for the same pair are 4 and −4. What is the score of one wide head?": (
            written(4 + -4)
        ),
        "PyTorch, 512 features and 8 heads: by what are scores divided?": written(math.sqrt(d_k)),
        "What does row 130 of in_proj_weight belong to, counted from 0?": f"head {130 // d_k + 1}, of W_Q",
    }


@page("04_positions")
def positions():
    derived = curriculum.load("a_positions")["derived"]
    without, with_places = (
        derived[f"dog_bites_man.{kind}"]["A"] for kind in ("no_positions", "with_positions")
    )
    assert without[0][1] == without[2][1]
    X = [[1, 2, 3], [0, 1, 1]]
    W = [[1, 0], [0, 1]]
    Z = loops.attention(X, X, W, W, W)["Z"]
    other = [[row[k] for k in (1, 0, 2)] for row in X]
    swapped = loops.attention(other, other, W, W, W)["Z"]
    assert all(abs(swapped[i][j] - Z[i][k]) < 1e-12 for i in range(2) for j, k in enumerate((1, 0, 2)))
    waves = [w(turn * 0) for turn in (1, 0.1) for w in (math.sin, math.cos)]
    ones = [row for row, number in enumerate(waves, start=1) if number == 1]
    assert ones == [2, 4]
    return {
        "Without places, what share does “bites” give each of the two beings?": written(without[0][1]),
        "With places, what share does the first being get?": written(with_places[0][1]),
        "Two columns of X are swapped. What happens to Z?": "the same two columns swap",
        "Which rows of PE are 1 at place 0?": "the cosines, rows 2 and 4",
        "The waves turn by 1 and by 0.1 from place to place. What is the dot product of two places that are"
        " 3 apart?": written(
            sum(math.sin(5 * t) * math.sin(2 * t) + math.cos(5 * t) * math.cos(2 * t) for t in (1, 0.1))
        ),
    }


@page("06_masks")
def masks():
    derived = curriculum.load("c_masks")["derived"]
    crossing = curriculum.load("c_cross")["derived"]["S"]
    shape = f"{len(crossing)} rows, {len(crossing[0])} columns"
    zero = [row[0] for row in derived["A_zero_instead_of_minus_infinity"]]
    assert len(set(zero)) == 1
    one, two = (row[0] for row in derived["padding"]["A_padding_mask"][:2])
    assert written(one) == "0.27"
    return {
        "What is the share in column 1 under a causal mask?": written(derived["A_causal"][0][0]),
        "With 0 in place of −∞, what does every word get in column 1?": written(zero[0]),
        "2 words read 3. How many rows and columns has S?": shape,
        "Words 3 and 4 are padding. Word 1 shares its attention between words 1 and 2: 0.27 and what?": (
            written(two)
        ),
        "In a mask for PyTorch's MultiheadAttention, is a key marked True seen or hidden?": "hidden",
    }
