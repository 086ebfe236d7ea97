"""Oracle of topics: patches and a class token, in plain loops, step by step."""

import loops
import paper


def patches(s):
    size = 3 if len(s["picture"]) == len(s["picture"][0]) == 6 else 2
    return s.write("patches", loops.patches(s["picture"], size))


def patch_embedding(s):
    E = s.write("E", loops.product(s["W_E"], patches(s)))
    s.write("X", loops.add(E, s["P"]))


def class_token(s):
    tokens = [[*front, *row] for front, row in zip(s["c"], s["F"], strict=True)]
    X = s.write("X", loops.add(s.write("tokens", tokens), s["P"]))
    s.write("Q", loops.product(s["W_Q"], [row[:1] for row in X]))
    s.write("K", loops.product(s["W_K"], X))
    s.write("V", loops.product(s["W_V"], X))
    s.write("Z", loops.product(s["V"], paper.shares(s, paper.scores(s))))


TOPICS = {"patches": patches, "patch_embedding": patch_embedding, "class_token": class_token}
