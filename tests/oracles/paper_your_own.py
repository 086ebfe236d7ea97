"""Oracle of a cell with gates: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known

GATES = {"forget_gate": "f", "input_gate": "i", "candidate": "g", "output_gate": "o"}


def lstm_cell(s):
    seen = s.write("input.s", s["h_0"] + s["x"])
    for name, letter in GATES.items():
        z = loops.add_to_columns(loops.product(s[f"{name}.W"], seen), s[f"{name}.b"])
        z = s.write(f"{name}.z", z)
        function = math.tanh if letter == "g" else lambda a: 1 / (1 + math.exp(-a))
        s.write(f"{name}.{letter}", loops.each(function, z))
    f, i, g, o = (s[f"{name}.{letter}"] for name, letter in GATES.items())
    c = s.write("c", loops.each(lambda f, c, i, g: f * c + i * g, f, s["c_0"], i, g))
    s.write("h", loops.each(lambda o, c: o * math.tanh(c), o, c))


TOPICS = {"lstm_cell": lstm_cell}


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
