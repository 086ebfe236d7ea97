"""Oracle of named mistakes in patches and class tokens: each made by loops."""

import loops
from known_mistakes import Known


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
