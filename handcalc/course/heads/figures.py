"""One word that looks around several times: a fan of lines for each matrix of shares, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.validation import read_list
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, MARGIN, SMALL, WIDTH, Canvas, labels, signed_number, text_width
from handcalc.views.palette import Theme
from handcalc.views.picture import Picture
from handcalc.views.pictures.words import place_of, shares_in

BETWEEN, GAP = 26.0, 10.0  # two fans, two words
HIGH, THICK = 84.0, 7.0  # of a fan; of the line of a whole share
MAX_HEADS, MAX_KEYS = 16, 24
FOOT = 46.0  # words and shares below a fan
STYLES: tuple[Any, ...] = ("-", (0, (1.8, 0.8)), (0, (1, 0.9)), (0, (4, 1, 1, 1)))


class _Fan(NamedTuple):
    title: str
    word: str
    keys: list[str]
    shares: list[float]


def fans(matrices: Any, query: int | str, *, theme: str = "light") -> Picture:
    """Draw how one word shares out its attention in several heads: for each a fan, thick for a large share.

    `matrices` is a list of shares, (n_keys, n_queries) each with columns that add up to 1; each is called by
    the title of its block. `query` is a word of the columns or its place, counted from 0.
    Raises HandcalcError if there is no such column, or if one of them is not a matrix of shares.
    """
    found = [_fan(A, query) for A in _listed(matrices)]
    slots = [_slot(fan) for fan in found]
    wide = max(*(slot * len(fan.keys) for slot, fan in zip(slots, found, strict=True)), _widest(found))
    across = max(1, min(len(found), int((WIDTH - 2 * MARGIN + BETWEEN) // (wide + BETWEEN))))
    wide = max(wide, min(230.0, (WIDTH - 2 * MARGIN + BETWEEN) / across - BETWEEN))
    high, down = 2 * HEAD + 30 + HIGH + FOOT, -(-len(found) // across)
    canvas = Canvas(2 * MARGIN + across * (wide + BETWEEN) - BETWEEN, 2 * MARGIN + down * high - 8, theme)
    for count, fan in enumerate(found):
        x = MARGIN + (wide + BETWEEN) * (count % across)
        _drawn(canvas, fan, count, x, MARGIN + high * (count // across), wide)
    title = f"How “{found[0].word}” shares out its attention"
    given = "; ".join(f"{fan.title}: {_said(fan)}" for fan in found)
    return canvas.finished(title, f"{title}. {given}.")


def _listed(matrices: Any) -> list[Any]:
    if isinstance(matrices, Matrix):
        return [matrices]
    wanted = 'fans takes a list of matrices of shares, as in fans([calc["head_1.A"], calc["head_2.A"]], 0).'
    found = read_list(matrices, wanted)
    if not 1 <= len(found) <= MAX_HEADS:
        raise HandcalcError(f"fans draws 1 to {MAX_HEADS} matrices of shares, not {len(found)}.")
    return list(found)


def _fan(A: Any, query: int | str) -> _Fan:
    A = shares_in(A, "fans")
    if A.shape[0] > MAX_KEYS:
        raise HandcalcError(f"fans draws up to {MAX_KEYS} keys; {A.display_name} is {shape_text(A.shape)}.")
    queries = labels(A.columns, A.shape[1], "q")
    at = place_of(query, queries)
    title = (A.block.title if A.block else "") or spoken_name(A)
    return _Fan(title, queries[at], labels(A.rows, A.shape[0], "k"), A.values[:, at].tolist())


def _slot(fan: _Fan) -> float:
    """The room that each key needs."""
    return max(*(text_width(key, HEAD) for key in fan.keys), text_width("0.00", SMALL)) + GAP


def _widest(found: Sequence[_Fan]) -> float:
    return max(text_width(fan.title, HEAD, bold=True) for fan in found)


def _drawn(canvas: Canvas, fan: _Fan, count: int, x: float, y: float, wide: float) -> None:
    """Title, the word that looks, its lines, the words that it looks at, and their shares."""
    ink, style = _inks(canvas.theme)[count % 4], STYLES[count % 4]
    slot, top = wide / len(fan.keys), y + 2 * HEAD + 30
    canvas.text(x, y + HEAD, fan.title, size=HEAD, bold=True, ink=ink)
    canvas.middle(x + wide / 2, top - 13, fan.word, size=HEAD, bold=True)
    box = text_width(fan.word, HEAD, bold=True) + 10
    canvas.box(x + (wide - box) / 2, top - 23, box, 20, edgecolor=ink, linewidth=1.2)
    for place, (key, share) in enumerate(zip(fan.keys, fan.shares, strict=True)):
        end = x + slot * (place + 0.5)
        line = [(x + wide / 2, top - 1), (end, top + HIGH)]
        colour = canvas.laid(ink, 0.35 + 0.65 * share)
        canvas.line(line, colour, 0.7 + THICK * share, linestyle=style)
        canvas.text(end, top + HIGH + 16, key, size=HEAD, ha="center")
        canvas.text(end, top + HIGH + 30, signed_number(share), size=SMALL, ha="center", ink=ink)


def _inks(theme: Theme) -> tuple[str, ...]:
    return theme.left, theme.right, theme.chosen, theme.quiet


def _said(fan: _Fan) -> str:
    return ", ".join(
        f"{signed_number(share)} to {key}" for key, share in zip(fan.keys, fan.shares, strict=True)
    )
