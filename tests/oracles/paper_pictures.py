"""Oracle of patches and a class token: a lesson's topics in plain loops, and its named mistakes."""

import loops
from paper import Known, scores, shares


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
    s.write("Z", loops.product(s["V"], shares(s, scores(s))))


TOPICS = {"patches": patches, "patch_embedding": patch_embedding, "class_token": class_token}


def size_of(right):
    return round(len(right) ** 0.5)


def read(picture, corners, size, *, down=False):
    places = [(r, c) for r in range(size) for c in range(size)]
    return [
        [picture[top + (c if down else r)][left + (r if down else c)] for top, left in corners]
        for r, c in places
    ]


def corners(picture, step, size):
    down = range(0, len(picture) - size + 1, step)
    return [(top, left) for top in down for left in range(0, len(picture[0]) - size + 1, step)]


def pixels_down(see, right):
    size = size_of(right)
    return read(see("picture"), corners(see("picture"), size, size), size, down=True)


def patches_down(see, right):
    size = size_of(right)
    turned = [(top, left) for left, top in corners(loops.transposed(see("picture")), size, size)]
    return read(see("picture"), turned, size)


def overlapping(see, right):
    size = size_of(right)
    return read(see("picture"), corners(see("picture"), 1, size)[: len(right[0])], size)


def without_place(see, right):
    return [[front, *row[1:]] for (front,), row in zip(see("c"), right, strict=True)]


KNOWN = (
    Known("pixels-by-columns", "patches", pixels_down),
    Known("patches-by-columns", "patches", patches_down),
    Known("patches-overlap", "patches", overlapping),
    Known("class-token-without-place", "X", without_place),
    Known("term-left-out", "X", lambda see, right: see("E") if see("patches") else None),
)
