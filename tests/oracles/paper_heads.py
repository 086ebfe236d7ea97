"""Oracle of heads: a lesson's topics in plain loops, and its named mistakes."""

import loops
from paper import Known


def split_heads(s):
    (numbers,) = s["head"]
    size = len(s["W_Q"]) // len(numbers)
    s.write("first", [[(number - 1) * size + 1 for number in numbers]])
    s.write("last", [[number * size for number in numbers]])
    Q = s.write("Q", loops.product(s["W_Q"], s["X"]))
    for place in range(len(numbers)):
        s.write(f"Q_{place + 1}", [Q[place * size + row] for row in range(size)])


TOPICS = {"split_heads": split_heads}


def whole_and_place(see, right):
    """All queries, and which head of them is meant."""
    Q, size = loops.product(see("W_Q"), see("X")), len(right)
    starts = [start for start in range(0, len(Q), size) if Q[start : start + size] == right]
    if len(Q) == size or not starts:
        raise KeyError("nothing is cut here")
    return Q, starts[0] // size, size


def by_tokens(see, right):
    """All numbers token by token, in one line; each head takes the next piece of it."""
    Q, head, size = whole_and_place(see, right)
    line = [x for token in loops.transposed(Q) for x in token]
    n = len(Q[0])
    mine = line[head * n * size : (head + 1) * n * size]
    return loops.transposed([mine[k * size : (k + 1) * size] for k in range(n)])


def in_turn(see, right):
    Q, head, size = whole_and_place(see, right)
    return Q[head :: len(Q) // size]


def both(see):
    return see("head_1.Z"), see("head_2.Z")


def stacked_by_tokens(see, right):
    line = [x for Z in both(see) for token in loops.transposed(Z) for x in token]
    height = len(right)
    return loops.transposed([line[k * height : (k + 1) * height] for k in range(len(right[0]))])


def added(see, right):
    total = loops.add(*both(see))
    return loops.product([row[: len(total)] for row in see("W_O")], total)


def second_on_top(see, right):
    one, two = both(see)
    return [*two, *one]


def total_in_each(see, right):
    total = loops.add(*both(see))
    return total * (len(right) // len(total))


KNOWN = (
    *(Known("heads-by-tokens", f"Q_{head}", by_tokens) for head in (1, 2, 3, 4)),
    *(Known("heads-interleaved", f"Q_{head}", in_turn) for head in (1, 2, 3, 4)),
    Known("heads-by-tokens", "concat", stacked_by_tokens),
    Known("stacked-in-other-order", "concat", second_on_top),
    Known("heads-added", "concat", total_in_each),
    Known("heads-added", "Z", added),
    Known("W_O-left-out", "Z", lambda see, _: see("concat")),
    *(
        Known("same-weights-for-all-heads", f"head_2.{step}", lambda see, _, step=step: see(f"head_1.{step}"))
        for step in ("S", "A", "Z")
    ),
)
