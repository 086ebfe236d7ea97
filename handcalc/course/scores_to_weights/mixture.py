"""A column of Z as a walk: share times value, tip to tail, in the plane of two features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.calculator import line_of_numbers
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import WIDTH, Page, Point, labels, signed_number, tuple_of
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import beside, plane
from handcalc.views.pictures.shares import shares_in

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
    lines = [_line(*one) for one in zip(names, shares.tolist(), points.tolist(), strict=True)]
    lines.append(f"{last} = {tuple_of(end)}, the sum")
    page = Page(theme)
    panel = plane(page, [(0.0, 0.0), *points.tolist()], WIDTH - 46, 250.0, is_wide=True)
    left, chosen = page.theme.left, page.theme.chosen
    corners = [*(around := hull(points)), around[0]]
    panel.fill(*zip(*corners, strict=True), color=panel.faint(0.07, left), zorder=0.5)
    panel.plot(*zip(*corners, strict=True), color=panel.faint(0.5, left), linewidth=0.8, zorder=0.8)
    walk = np.vstack([np.zeros(2), np.cumsum(shares[:, None] * points, axis=0)])
    for start, there in pairwise(walk):
        if (start != there).any():
            panel.arrow_through([start, there], left, 1.6)
    panel.arrow_through([(0, 0), end], chosen, 2.2)
    ends: dict[Point, list[str]] = defaultdict(list)  # values that end at one place share a label
    for name, point in zip(names, map(_point, points), strict=True):
        ends[point].append(name)
        panel.dot(*point, left, 6.8)
    for point, called in ends.items():
        several = ", ".join(called) if len(called) < 3 else f"{called[0]} and {len(called) - 1} more"
        away = _point(point - points.mean(axis=0))
        beside(panel, point, f"{several} {tuple_of(point)}", ink=left, away=away)
    beside(panel, end, f"{last} {tuple_of(end)}", ink=chosen, away=(0.3, 1.0))
    for name, share, start, there in zip(names, shares, walk[:-1], walk[1:], strict=True):
        across, up = there - start
        if np.hypot(across, up) * panel.unit[0] > SHORT:
            text = f"{signed_number(share)} · {name}"
            beside(panel, _point((start + there) / 2), text, ink=left, away=(up, -across), needed=False)
    page.sheet.write(-26, -14, title, ha="left", ink=page.theme.quiet)
    foot = panel.unit[1] * np.ptp(panel.get_ylim()) + 32
    for count, line in enumerate(lines):
        ink = chosen if count == len(lines) - 1 else page.theme.ink
        page.sheet.write(0, foot + 15 * count, line, ha="left", ink=ink)
    alt = f"{'; '.join(lines)}. The values: "
    alt += ", ".join(f"{name} {tuple_of(point)}" for name, point in zip(names, points, strict=True))
    features = f"rows {rows[0] + 1} and {rows[1] + 1} of {spoken_name(V)}"
    return page.finished(title, f"{title}, in {features}: {alt}.")


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


def _line(name: str, share: float, point: Sequence[float]) -> str:
    """Share times value; as many places as both numbers of the product take."""
    each = [line_of_numbers(lambda a, b: a * b, (share, number), share * number) for number in point]
    places = max(line.places or 0 for line in each)
    sign = "=" if all(line.is_true for line in each) else "≈"
    written, product = signed_number(share, places), tuple_of([share * number for number in point])
    return f"{written} · {name} = {written} · {tuple_of(point, places)} {sign} {product}"
