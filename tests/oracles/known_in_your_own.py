"""Oracle of named mistakes in a cell with gates: each made by loops."""

import math

import loops
from known_mistakes import Known


def sigmoid(z):
    return 1 / (1 + math.exp(-z))


def of_the_candidate(see, right):
    """The gate's sum with the weights of the candidate."""
    return loops.add_to_columns(loops.product(see("candidate.W"), see("input.s")), see("b"))


def gates_swapped(see, right):
    f, c, i, g = (see(name) for name in ("forget_gate.f", "c_0", "input_gate.i", "candidate.g"))
    return loops.each(lambda f, c, i, g: i * c + f * g, f, c, i, g)


KNOWN = (
    Known("function-left-out", "forget_gate.f", lambda see, _: see("z")),
    Known("function-left-out", "input_gate.i", lambda see, _: see("z")),
    Known("function-left-out", "output_gate.o", lambda see, _: see("z")),
    Known("tanh-left-out", "candidate.g", lambda see, _: see("z")),
    Known("sigmoid-for-tanh", "candidate.g", lambda see, _: loops.each(sigmoid, see("z"))),
    Known("tanh-for-sigmoid", "forget_gate.f", lambda see, _: loops.each(math.tanh, see("z"))),
    Known("wrong-weights", "forget_gate.z", of_the_candidate),
    *(
        Known("term-left-out", f"{gate}.z", lambda see, _: loops.product(see("W"), see("input.s")))
        for gate in ("forget_gate", "input_gate", "candidate", "output_gate")
    ),
    Known("gates-swapped", "c", gates_swapped),
    Known(
        "tanh-left-out", "h", lambda see, _: loops.each(lambda o, c: o * c, see("output_gate.o"), see("c"))
    ),
)
