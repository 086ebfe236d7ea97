"""Oracle of topics: the topic of the lesson on your own topics, in plain loops, step by step."""

import math

import loops

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
