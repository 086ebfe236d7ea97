"""One word that looks around several times: a fan of lines for each matrix of shares, side by side."""

from __future__ import annotations

from typing import Any

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.validation import read_list
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import HEAD, SMALL, WIDTH, Page, labels, signed_number, widest
from handcalc.views.picture import Picture
from handcalc.views.pictures.shares import place_of, say_shares, shares_in

BETWEEN, GAP, FAN = 26.0, 10.0, 230.0  # points between two fans, and two words; of a fan, at most
HIGH, THICK = 84.0, 7.0  # of a fan; of the line of a whole share
MAX_HEADS, MAX_KEYS = 16, 24
STYLES: tuple[Any, ...] = ("-", (0, (1.8, 0.8)), (0, (1, 0.9)), (0, (4, 1, 1, 1)))
Fan = tuple[str, str, list[str], list[float]]  # title, the word that looks, the words looked at, their shares


def fans(matrices: Any, query: int | str, *, theme: str = "light") -> Picture:
    """Draw how one word shares out its attention in several heads: for each a fan, thick for a large share.

    `matrices` is a list of shares, (n_keys, n_queries) each with columns that add up to 1; each is called by
    the title of its block. `query` is a word of the columns or its place, counted from 0.
    Raises HandcalcError if there is no such column, or if one of them is not a matrix of shares.
    """
    found = [_fan(A, query) for A in _listed(matrices)]
    needed = [len(fan[2]) * (max(widest(fan[2], HEAD), widest(["0.00"], SMALL)) + GAP) for fan in found]
    wide = max(*needed, widest([fan[0] for fan in found], HEAD, bold=True))
    across = max(1, min(len(found), int((WIDTH + BETWEEN) // (wide + BETWEEN))))
    wide = max(wide, min(FAN, (WIDTH + BETWEEN) / across - BETWEEN))
    page = Page(theme)
    inks = page.theme.left, page.theme.right, page.theme.chosen, page.theme.quiet
    for count, (title, word, keys, shares) in enumerate(found):
        x, y = (wide + BETWEEN) * (count % across), (HIGH + 110) * (count // across)
        panel, ink = page.panel(x, y, (wide / len(keys), HIGH), len(keys)), inks[count % 4]
        panel.write(0, 0, title, shift=(0, 44), ha="left", bold=True, size=HEAD, ink=ink)
        frame = {"facecolor": "none", "edgecolor": ink, "linewidth": 1.2, "pad": 4}
        panel.write(len(keys) / 2, 0, word, shift=(0, 14), size=HEAD, bold=True, bbox=frame)
        for k, (key, share) in enumerate(zip(keys, shares, strict=True)):
            how = {"linewidth": 0.7 + THICK * share, "linestyle": STYLES[count % 4], "solid_capstyle": "butt"}
            panel.plot([len(keys) / 2, k + 0.5], [0, 1], color=panel.faint(0.35 + 0.65 * share, ink), **how)
            panel.write(k + 0.5, 1, key, shift=(0, -12), size=HEAD)
            panel.write(k + 0.5, 1, signed_number(share), shift=(0, -27), size=SMALL, ink=ink)
    title = f"How “{found[0][1]}” shares out its attention"
    given = "; ".join(f"{title}: {say_shares(shares, keys)}" for title, _, keys, shares in found)
    return page.finished(title, f"{title}. {given}.")


def _listed(matrices: Any) -> list[Any]:
    if isinstance(matrices, Matrix):
        return [matrices]
    wanted = 'fans takes a list of matrices of shares, as in fans([calc["head_1.A"], calc["head_2.A"]], 0).'
    found = read_list(matrices, wanted)
    if not 1 <= len(found) <= MAX_HEADS:
        raise HandcalcError(f"fans draws 1 to {MAX_HEADS} matrices of shares, not {len(found)}.")
    return list(found)


def _fan(A: Any, query: int | str) -> Fan:
    A = shares_in(A, "fans")
    if A.shape[0] > MAX_KEYS:
        raise HandcalcError(f"fans draws up to {MAX_KEYS} keys; {A.display_name} is {shape_text(A.shape)}.")
    queries = labels(A.columns, A.shape[1], "q")
    at = place_of(query, queries)
    title = (A.block.title if A.block else "") or spoken_name(A)
    return title, queries[at], labels(A.rows, A.shape[0], "k"), A.values[:, at].tolist()
