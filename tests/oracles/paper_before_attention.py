"""Oracle of chains and additive scores: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known, shares


def steps_of(s):
    """step_1, step_2, …, as far as the sheet goes."""
    names = {name.partition(".")[0] for name in s if name.startswith("step_")}
    return sorted(names, key=lambda name: int(name.removeprefix("step_")))


def rnn_step(s):
    h = s["h_0"]
    for step in steps_of(s):
        F = loops.add(loops.product(s["W_x"], s[f"{step}.x"]), loops.product(s["W_h"], h))
        F = s.write(f"{step}.F", F)
        h = s.write(f"{step}.h", loops.each(math.tanh, F))


def slope(h, W_h):
    """∂h/∂h_before: row i is (1 − h_i²) times row i of W_h."""
    return [[(1 - x * x) * w for w in row] for (x,), row in zip(h, W_h, strict=True)]


def slope_chain(s):
    D = None
    for step in steps_of(s):
        J = s.write(f"{step}.J", slope(s[f"{step}.h"], s["W_h"]))
        D = J if D is None else s.write(f"{step}.D", loops.product(J, D))


def additive_score(s):
    heard, asked = loops.product(s["U_a"], s["H"]), loops.product(s["W_a"], s["s"])
    F = s.write("F", [[x + a for x in row] for row, (a,) in zip(heard, asked, strict=True)])
    inside = s.write("inside", loops.each(math.tanh, F))
    shares(s, s.write("S", loops.product(loops.transposed(inside), s["v"])))


TOPICS = {"rnn_step": rnn_step, "slope_chain": slope_chain, "additive_score": additive_score}


def one_minus_h(see, right):
    return [[(1 - x) * w for w in row] for (x,), row in zip(see("h"), see("W_h"), strict=True)]


def added(see, right):
    return loops.add(see("step_3.J"), see("step_2.J"))


def of_first_state(see, right):
    """Step 2 goes on from what was remembered at first, not from the state of step 1."""
    heard = loops.product(see("W_x"), see("step_2.x"))
    return loops.add(heard, loops.product(see("W_h"), see("h_0")))


def slope_of_second(see, right):
    return [[(1 - x * x) * w for w in row] for (x,), row in zip(see("step_2.h"), see("W_h"), strict=True)]


KNOWN = (
    Known("tanh-left-out", "h", lambda see, _: see("F")),
    Known("tanh-left-out", "inside", lambda see, _: see("F")),
    Known("one-minus-h", "J", one_minus_h),
    Known("added-in-the-chain", "step_3.D", added),
    Known("wrong-step", "step_2.F", of_first_state),
    Known("wrong-step", "step_3.J", slope_of_second),
    Known("v-left-out", "S", lambda see, _: [[sum(column)] for column in zip(*see("inside"), strict=True)]),
    Known("term-left-out", "F", lambda see, _: loops.product(see("U_a"), see("H"))),
)
