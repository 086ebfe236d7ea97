"""Oracle of topics: one large W_Q with several heads in it, in plain loops, step by step."""

import loops


def split_heads(s):
    (numbers,) = s["head"]
    size = len(s["W_Q"]) // len(numbers)
    s.write("first", [[(number - 1) * size + 1 for number in numbers]])
    s.write("last", [[number * size for number in numbers]])
    Q = s.write("Q", loops.product(s["W_Q"], s["X"]))
    for place in range(len(numbers)):
        s.write(f"Q_{place + 1}", [Q[place * size + row] for row in range(size)])


TOPICS = {"split_heads": split_heads}
