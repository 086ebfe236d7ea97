"""Vectors as arrows: which way they point, the angle between them, and what the dot product says of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, atan2, degrees, hypot
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.calculator import Line, line_of_numbers
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import SMALL, TEXT, WIDTH, Page, Panel, Point, factor, signed_number, tuple_of
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import MAX_EXTENT, MIN_EXTENT, beside, plane

Vector = tuple[Matrix, Point]  # under its name, and its two numbers
PLANE, LINE = (290.0, 250.0), 15.0  # points of the plane, at most; from line to line
MAX_VECTORS = 12  # vectors or pairs
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DASHES = ("-", "-", (0, (5, 1.6)), (0, (2, 1.2)))


def cosine(a: Point, b: Point) -> float:
    """The cosine of the angle between two vectors: a·b / (|a| |b|), from −1 to 1."""
    product = (a[0] * b[0] + a[1] * b[1]) / (hypot(*a) * hypot(*b))
    return max(-1.0, min(1.0, product))


def arrows(*vectors: Any, theme: str = "light") -> Picture:
    """Draw vectors of two numbers as arrows; the first is compared with each of the others.

    Beside them are the dot product, a·b = a₁b₁ + a₂b₂, the cosine, a·b / (|a| |b|), and the angle.
    Each vector is a Matrix of shape (2, 1), whose name is written, or a list of two numbers.
    Raises HandcalcError for fewer than two, for another shape and for a vector of zeros.
    """
    if not 2 <= len(vectors) <= MAX_VECTORS:
        raise HandcalcError(f"arrows compares two to {MAX_VECTORS} vectors, not {len(vectors)}.")
    named = _named(vectors, "arrows")
    first, *others = named
    lines = [line for other in others for line in _arithmetic(first, other)]
    page = Page(theme)
    panel = plane(page, [(0.0, 0.0), *(point for _, point in named)], *PLANE)
    _draw(panel, named)
    for count, line in enumerate(lines):
        down = 6 + LINE * (count + count // 3 * 0.8)
        panel.write(1, 1, line, xycoords="axes fraction", shift=(22, -down), ha="left", math=True)
    alt = [f"{spoken_name(first[0])} = {tuple_of(first[1])}"]
    alt += [_compared(first, other) for other in others]
    return page.finished("Arrows", f"Arrows: {'; '.join(alt)}.")


def cosines(*pairs: Sequence[Any], theme: str = "light") -> Picture:
    """Draw pairs of vectors side by side, each with its cosine: near 1, near 0 or near −1.

    Each pair is two vectors as `arrows` takes them. Raises HandcalcError for anything but a pair.
    """
    if not 0 < len(pairs) <= MAX_VECTORS or any(
        not isinstance(pair, tuple | list) or len(pair) != 2 for pair in pairs
    ):
        raise HandcalcError(f"cosines takes up to {MAX_VECTORS} pairs of vectors, such as ([2, 1], [4, 2]).")
    named = [_named(pair, "cosines") for pair in pairs]
    page, room, alt = Page(theme), WIDTH / min(3, len(pairs)), []
    for count, (a, b) in enumerate(named):
        far = max(abs(number) for _, point in (a, b) for number in point)
        panel = plane(page, [(-far, -far), (far, far)], 156.0, 156.0, x=count * room, ticks=False)
        _draw(panel, [a, b])
        value, words = cosine(a[1], b[1]), _in_words(cosine(a[1], b[1]))
        below: dict[str, Any] = {"xycoords": "axes fraction", "shift": (0, -20)}
        panel.write(0.5, 0, f"cosine {_round(value)}", bold=True, size=TEXT + 1, **below)
        panel.write(0.5, 0, words, size=SMALL, ink=page.theme.quiet, **below | {"shift": (0, -36)})
        alt.append(
            f"{spoken_name(a[0])} {tuple_of(a[1])} and {spoken_name(b[0])} {tuple_of(b[1])}, "
            f"cosine {_round(value)}, {words}"
        )
    return page.finished("Cosines", f"Pairs of arrows: {'; '.join(alt)}.")


def _named(vectors: Sequence[Any], function: str) -> list[Vector]:
    return [_vector(vector, LETTERS[i % 26], function) for i, vector in enumerate(vectors)]


def _vector(values: Any, letter: str, function: str) -> Vector:
    matrix = as_matrix(values, letter)
    matrix = matrix if matrix.name else matrix.named(letter)
    if matrix.values.size != 2:
        raise HandcalcError(
            f"{function} draws vectors of 2 numbers; {matrix.display_name} has {matrix.values.size}."
        )
    x, y = (float(number) for number in matrix.values.ravel())
    if not all(number == 0 or MIN_EXTENT <= abs(number) <= MAX_EXTENT for number in (x, y)):
        raise HandcalcError(
            f"{matrix.display_name} is too large or too small to draw: its numbers are 0 or from 10⁻⁶ to 10⁹."
        )
    if x == y == 0:
        raise HandcalcError(
            f"{matrix.display_name} is (0, 0): it has no direction and no angle with another vector."
        )
    return matrix, (x, y)


def _draw(panel: Panel, vectors: Sequence[Vector]) -> None:
    """The arrows of one plane, the angles between the first and the others, and names at the tips."""
    inks = [panel.theme.right, panel.theme.left, panel.theme.chosen]
    first = vectors[0][1]
    for count, (_, point) in enumerate(vectors[1:]):  # an arc within the shorter arrow, each further out
        start, end = (degrees(atan2(y, x)) for x, y in (first, point))
        end = start + (end - start + 180) % 360 - 180
        shorter = min(hypot(*first), hypot(*point))
        radius = min((26 + 11 * count) / panel.unit[0], shorter * min(0.85, 0.4 + 0.15 * count))
        turn = np.radians(np.linspace(start, end, 25))
        panel.plot(radius * np.cos(turn), radius * np.sin(turn), color=panel.theme.quiet, linewidth=1.0)
    for count, (_, point) in enumerate(vectors):
        panel.arrow_through([(0, 0), point], inks[count % 3], 2.0, linestyle=DASHES[count % len(DASHES)])
    for count, (matrix, point) in enumerate(vectors):
        beside(panel, point, mathtext_name(matrix), ink=inks[count % 3], away=point, math=True)


def _arithmetic(first: Vector, other: Vector) -> list[str]:
    (a, b), (name_a, name_b) = (first[1], other[1]), (mathtext_name(first[0]), mathtext_name(other[0]))
    dot, value = _dot(*a, *b), cosine(a, b)
    of_dot = line_of_numbers(_dot, [*a, *b], dot)
    x, y, u, v = (factor(number, of_dot.places) for number in (*a, *b))
    parts = (dot, hypot(*a), hypot(*b))
    of_cosine = line_of_numbers(lambda d, p, q: d / (p * q), parts, round(value, 12) + 0.0)
    top, *lengths = (factor(number, of_cosine.places) for number in parts)
    return [
        f"{name_a} · {name_b} = {x}·{u} + {y}·{v} {_sign(of_dot)} {signed_number(dot)}",
        f"cosine = {top} / ({' · '.join(lengths)}) {_sign(of_cosine)} {_round(value)}",
        f"angle: {_degrees(value)}°",
    ]


def _dot(x: float, y: float, u: float, v: float) -> float:
    return x * u + y * v


def _sign(line: Line) -> str:
    return "=" if line.is_true else "≈"


def _compared(first: Vector, other: Vector) -> str:
    (a, b), dot = (first[1], other[1]), first[1][0] * other[1][0] + first[1][1] * other[1][1]
    value = cosine(a, b)
    return (
        f"{spoken_name(other[0])} = {tuple_of(b)}, "
        f"{spoken_name(first[0])}·{spoken_name(other[0])} = {signed_number(dot)}, "
        f"cosine {_round(value)}, angle {_degrees(value)}°"
    )


def _degrees(value: float) -> int:
    return round(degrees(acos(value)))


def _round(value: float) -> str:
    """A cosine to two places; a trace of rounding beside 1, 0 or −1 is not shown."""
    return signed_number(round(value, 12) + 0.0)


def _in_words(value: float) -> str:
    if abs(value) < 0.25:
        return "nearly at a right angle" if abs(value) > 1e-9 else "at a right angle"
    if abs(value) < 0.75:
        return "partly the same way" if value > 0 else "partly the opposite way"
    return "nearly the same way" if value > 0 else "nearly the opposite way"
