"""Sheets and matrices as HTML that needs no kernel, no script and no network.

Hover or keyboard focus shows a number's arithmetic under the sheet and lights up the cells it read; all
by style sheet. Where a reader strips that (an untrusted notebook, a code host), tables, colours and
tool tips remain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from html import escape

from handcalc.notation.accepted_types import Convention
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views import assets
from handcalc.views.atlas.atlas_outline import opens_by_block
from handcalc.views.map.map_html import map_html
from handcalc.views.sections import Section, count_shown, fit_sections, left_out, sections
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, Track, where_tokens_are
from handcalc.views.sheet_tables import TableContext, highlight_rules, number_cells, track_of
from handcalc.views.visible_window import window_around

HINT = '<p class="hc-hint">Point at a number, or tab to it, to read its arithmetic.</p>'
CAPTION_LINES = 2  # lines that a matrix has above its numbers
# lines of a sheet whose lower edge is in sight wherever one points: arithmetic is written there
MAX_SHORT_LINES = 14
SCOPE_MARK = "\0"  # stands for the page's class until it is known; no text has it


def sheet_html(calculation: Calculation, *, convention: Convention | None = None, places: int = 2) -> str:
    """The whole calculation, laid out as on paper; of several blocks an outline, and each to be opened."""
    whole = calculation.in_convention(calculation.convention if convention is None else convention)
    title = escape(", ".join(filter(None, [whole.title, where_tokens_are(whole)])))
    told = "".join(f"<br>Slip: {escape(repr(slip))}" for slip in whole.slips)
    head = f'<p class="hc-header"><strong>{title}</strong>{told}</p>'
    found = sections(whole)
    if len(found) > 1:
        return _in_blocks(head, whole, found, places)
    body, rules = _sheet(found[0], places)
    return _wrapped(f"{head}{_flow(body, found[0].towers)}{HINT}", _scope(body + rules), rules)


def _sheet(section: Section, places: int, start: int = 0, seen: Collection[Matrix] = ()) -> tuple[str, str]:
    """The tables of one sheet, and the rules that light up a number's sources; `seen` are drawn elsewhere."""
    numbering = number_cells(section.sheet.values(), start)
    repeated = {m for m in section.sheet.values() if section.is_from_outside(m) or section.origins[m] in seen}
    page = TableContext(places, numbering, section, repeated)
    body = "".join(track_of(track, page) for track in section.towers)
    return body, highlight_rules(section.sheet, numbering)


def matrix_html(matrix: Matrix, *, places: int = 2) -> str:
    """One matrix with its title and labels."""
    body = track_of(Track([SheetRow(PlacedMatrix(matrix))]), TableContext(places))
    return _wrapped(f"{_flow(body)}{'' if matrix.is_given else HINT}", _scope(body), kind="hc-single ")


def _in_blocks(head: str, whole: Calculation, found: list[Section], places: int) -> str:
    """The map, and below it every block, to be opened; those that have no room are listed.

    Of a calculation of millions of numbers only the first one is here: a page of a million bytes is slow.
    """
    here = found[:1] if opens_by_block(whole) else fit_sections(found)
    seen: set[Matrix] = set()
    parts, rules, start = [], "", 0
    for section in here:
        body, lights = _sheet(section, places, start, seen)
        start += count_shown(section)
        seen.update(section.at_home)
        parts.append(_opened(section, body))
        rules += lights
    rest = "".join(f"<li>{' › '.join(map(escape, section.way))}</li>" for section in found[len(here) :])
    rest = f"<p>{escape(left_out(found, here))}</p><ul>{rest}</ul>" if rest else ""
    drawn = map_html(whole, link=lambda path: _sheet_of(path, here))
    body = "".join(parts)
    scope = _scope(body + rules)
    return _wrapped(head + (drawn + body).replace(SCOPE_MARK, scope) + rest, scope, rules, styles=("map",))


def with_map(whole: Calculation, path: str, picture: str, drawn: str) -> str:
    """The sheet of one block below the whole's map."""
    title = f"<p><strong>{escape(' › '.join(whole.way(path)))}</strong></p>"
    return f'<div class="handcalc-sheet"><style>{assets.style("map")}</style>{picture}{title}</div>{drawn}'


def _opened(section: Section, body: str) -> str:
    """A block's sheet, closed until a reader opens it."""
    *around, title = map(escape, section.way)
    out = ", ".join(f"{typeset_equation(m)['name']} {m.shape}" for m in section.sheet.outputs.values())
    quiet = " · ".join(filter(None, [" › ".join(around), out]))
    why = f"<p>{escape(section.sheet.why)}</p>" if section.sheet.why else ""
    return (
        f"<details><summary><b>{title}</b> <span>{quiet}</span></summary>"
        f'<div id="{SCOPE_MARK}-{escape(section.path)}">{why}'
        f"{_flow(body, section.towers)}{HINT}</div></details>"
    )


def _sheet_of(path: str, here: list[Section]) -> str:
    """The link of a block's box on the map: to the first sheet in it, which a browser opens."""
    paths = [section.path for section in here]
    inside = (one for one in paths if not path or one.startswith(f"{path}."))
    return f"#{SCOPE_MARK}-{path if path in paths else next(inside, path)}"


def _scope(content: str) -> str:
    """A class that is made from the content, so that two sheets on a page keep apart."""
    return "hc-" + hashlib.sha256(content.encode()).hexdigest()[:10]


def _wrapped(inside: str, scope: str, rules: str = "", kind: str = "", styles: tuple[str, ...] = ()) -> str:
    css = assets.style("sheet", "static", *styles) + rules.replace("SCOPE", f".{scope}")
    return f'<div class="handcalc-sheet {kind}{scope}"><style>{css}</style>{inside}</div>'


def _flow(body: str, tracks: Collection[Track] = ()) -> str:
    flow = "display:flex;flex-wrap:wrap;gap:24px 10px;align-items:flex-start"
    kind = " hc-short" if max(map(_lines, tracks), default=0) <= MAX_SHORT_LINES else ""
    return f'<div class="hc-sheet{kind}" style="{flow}">{body}</div>'


def _lines(track: Track) -> int:
    """The rough number of lines of numbers and captions below one another."""
    heights = [len(window_around(row.main.matrix.shape).rows) + CAPTION_LINES for row in track.rows]
    return max(heights) + CAPTION_LINES if track.is_horizontal else sum(heights)
