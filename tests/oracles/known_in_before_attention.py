"""Oracle of named mistakes in a chain: each made by loops."""

import loops
from known_mistakes import Known


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
