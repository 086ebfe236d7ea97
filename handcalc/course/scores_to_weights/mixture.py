"""A column of Z as a walk: share times value, tip to tail, in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.calculator import line_of_numbers
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import (
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    Canvas,
    Point,
    labels,
    signed_number,
    text_width,
    tuple_of,
)
from handcalc.views.picture import Picture
from handcalc.views.pictures.plane import TICKS, Plane, unit
from handcalc.views.pictures.words import shares_in

LINE = 15.0
SHORT = 20.0  # an arrow of fewer points is only listed below


def mixture(Z: Matrix, column: int = 0, *, rows: Sequence[int] = (0, 1), theme: str = "light") -> Picture:
    """Draw one column of Z = V A as a sum of share × value, tip to tail; the ends of V's columns frame it.

    Z (d_v, n) is the product of V (d_v, n_keys) and shares A (n_keys, n); the record says which. `rows`
    are the two features whose plane is drawn, `column` the query, all counted from 0. The shaded hull
    is where a mixture of these values can lie. Raises HandcalcError if Z is not such a product.
    """
    V, A = _operands(Z)
    column = _inside(column, Z.shape[1], "column", Z)
    rows = _two(rows, Z)
    points = V.values[rows, :].T  # (n_keys, 2)
    shares, end = A.values[:, column], _point(Z.values[rows, column])
    names = labels(V.columns, V.shape[1], "v")
    last = labels(Z.columns, Z.shape[1], "z")[column]
    title = f"{last}: the values, mixed by the shares of column {column + 1} of {spoken_name(A)}"
    lines = _lines(names, shares, points, last, end)
    plane = Plane([(0.0, 0.0), *map(_point, points)], WIDTH - 2 * MARGIN - TICKS[0], 250.0, whole_width=True)
    wide = max(plane.wide + TICKS[0], text_width(title), max(map(text_width, lines)) + TICKS[0]) + 2 * MARGIN
    top = MARGIN + 22
    canvas = Canvas(wide, top + plane.high + TICKS[1] + 14 + LINE * len(lines) + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, title, ink=canvas.theme.quiet)
    plane.drawn(canvas, MARGIN + TICKS[0], top)
    steps = _walk(canvas, plane, names, shares, points)
    plane.arrow(canvas, (0.0, 0.0), end, canvas.theme.chosen, 2.4)
    _ends(canvas, plane, names, points)
    plane.label(canvas, end, f"{last} {tuple_of(end)}", canvas.theme.chosen, away=(0.3, 1.0))
    _shares(canvas, plane, steps)
    for count, line in enumerate(lines):
        y = top + plane.high + TICKS[1] + 14 + LINE * count + SMALL
        ink = canvas.theme.chosen if count == len(lines) - 1 else canvas.theme.ink
        canvas.text(MARGIN + TICKS[0], y, line, ink=ink)
    alt = f"{'; '.join(lines)}. The values: "
    alt += ", ".join(f"{name} {tuple_of(point)}" for name, point in zip(names, points, strict=True))
    features = f"rows {rows[0] + 1} and {rows[1] + 1} of {spoken_name(V)}"
    return canvas.finished(title, f"{title}, in {features}: {alt}.")


def hull(points: Values) -> list[Point]:
    """The corners of the smallest convex shape around points, in order (Andrew's monotone chain, 1979)."""
    ordered = sorted({_point(point) for point in points})
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return [*lower[:-1], *upper[:-1]] or ordered


def _chain(points: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _operands(Z: Matrix) -> tuple[Matrix, Matrix]:
    if not isinstance(Z, Matrix) or not _is_product(Z):
        name = Z.display_name if isinstance(Z, Matrix) else short(Z)
        raise HandcalcError(f"mixture draws a product Z = V A; {name} is not one.")
    V, A = Z.inputs
    return V, shares_in(A, "mixture")


def _is_product(Z: Matrix) -> bool:
    """Whether it is the matrix product of two others, judging by the numbers."""
    if len(Z.inputs) != 2 or Z.inputs[0].shape[1] != Z.inputs[1].shape[0]:
        return False
    product = Z.inputs[0].values @ Z.inputs[1].values
    return product.shape == Z.shape and bool(np.allclose(product, Z.values))


def _inside(place: Any, count: int, kind: str, Z: Matrix) -> int:
    whole: int = read_whole(place, f"The {kind}")
    if not 0 <= whole < count:
        raise HandcalcError(
            f"{Z.display_name} has {count} {kind}s, counted from 0; {short(whole)} is not one of them."
        )
    return whole


def _two(rows: Any, Z: Matrix) -> list[int]:
    if not isinstance(rows, tuple | list) or len(rows) != 2:
        raise HandcalcError(f"rows is {short(rows)}; it must be two rows, counted from 0, such as (0, 1).")
    return [_inside(row, Z.shape[0], "row", Z) for row in rows]


def _point(values: Any) -> Point:
    x, y = values
    return float(x), float(y)


def _lines(names: list[str], shares: Values, points: Values, last: str, end: Point) -> list[str]:
    lines = [_line(*one) for one in zip(names, shares.tolist(), points.tolist(), strict=True)]
    return [*lines, f"{last} = {tuple_of(end)}, the sum"]


def _line(name: str, share: float, point: Sequence[float]) -> str:
    """Share times value; as many places as both numbers of the product take."""
    each = [line_of_numbers(lambda a, b: a * b, (share, number), share * number) for number in point]
    places = max(line.places or 0 for line in each)
    sign = "=" if all(line.is_true for line in each) else "≈"
    written, product = signed_number(share, places), tuple_of([share * number for number in point])
    return f"{written} · {name} = {written} · {tuple_of(point, places)} {sign} {product}"


def _walk(
    canvas: Canvas, plane: Plane, names: list[str], shares: Values, points: Values
) -> list[tuple[str, Point, Point]]:
    """Draw the hull, and one arrow after the other; returns each one's name, start and end."""
    corners = [plane.at(corner) for corner in hull(points)]
    fill, edge = canvas.laid(canvas.theme.left, 0.07), canvas.laid(canvas.theme.left, 0.5)
    canvas.area(corners, facecolor=fill)
    canvas.line([*corners, corners[0]], edge, 0.8, zorder=0.9, stroke=False)
    plane.room.keep_off([*corners, corners[0]], thin=True)
    here = np.zeros(2)
    steps: list[tuple[str, Point, Point]] = []
    for name, share, point in zip(names, shares, points, strict=True):
        there = here + share * point
        steps.append((f"{signed_number(share)} · {name}", _point(here), _point(there)))
        here = there
    for _, start, end in steps:
        if start != end:
            plane.arrow(canvas, start, end, canvas.theme.left, 1.8)
    return steps


def _shares(canvas: Canvas, plane: Plane, steps: list[tuple[str, Point, Point]]) -> None:
    """Label every arrow that is long enough beside its middle, if there is room."""
    for text, start, end in steps:
        if np.hypot(end[0] - start[0], end[1] - start[1]) * plane.scale > SHORT:
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            away = unit((end[1] - start[1], start[0] - end[0]))
            plane.label(canvas, middle, text, canvas.theme.left, away=away, needed=False)


def _ends(canvas: Canvas, plane: Plane, names: list[str], points: Values) -> None:
    """Label the values themselves; those that end at one place share a label."""
    centre = points.mean(axis=0)
    places: dict[Point, list[str]] = {}
    for name, point in zip(names, points, strict=True):
        places.setdefault(_point(point), []).append(name)
    for point, called in places.items():
        canvas.dot(plane.at(point), canvas.theme.left, 3.4)
        plane.room.keep_clear(plane.at(point), 3.4)
        away = unit(_point(np.array(point) - centre))
        names_ = ", ".join(called) if len(called) < 3 else f"{called[0]} and {len(called) - 1} more"
        plane.label(canvas, point, f"{names_} {tuple_of(point)}", canvas.theme.left, away=away)
