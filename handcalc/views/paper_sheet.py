"""A calculation written down for paper: frames of matrices as plain values for Typst."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import unescape
from itertools import chain
from typing import Any, NamedTuple

from handcalc.notation.typst_math import TypstMath
from handcalc.notation.validation import read_places
from handcalc.record.calculation import Calculation
from handcalc.record.equations import (
    meaning_in_words,
    meaning_of,
    right_sides,
    sentence_of_sizes,
    spoken_name,
    typeset_equation,
)
from handcalc.record.matrix import Matrix
from handcalc.views.drawing_order import drawing_order, steps_in_order
from handcalc.views.sections import Section, sections
from handcalc.views.sheet_layout import PlacedMatrix, Track, where_tokens_are
from handcalc.views.visible_window import MAX_WHOLE, Room, window_around

ROOMS: Sequence[Room] = ((MAX_WHOLE, 6), (6, 6))  # of large matrices; of others, too, where that is too wide
# what an alternative text says in letters of ASCII: a PDF keeps others at four times the length
PLAIN_SIGNS = str.maketrans("₀₁₂₃₄₅₆₇₈₉−“”", '0123456789-""')
STRETCH = re.compile(r"<(sub|sup)>(.*?)</\1>|([^<]+)")
Json = dict[str, Any]


class PaperSheet(NamedTuple):
    """One learner's sheet: a calculation, the names of its blank steps, and how it is written."""

    calculation: Calculation
    blank: Collection[str]
    places: int = 2
    code: str = ""
    caution: str = ""  # a caution for the marker
    name: str = ""  # the learner's name
    qr: str = ""  # a code that leads to its page, as SVG
    kind: str = ""  # all of one kind share pages, or none of them does
    pile: int = 0  # a person's sheets lie together; 0 where each is handed out alone


def write_sheets(sheets: Iterable[PaperSheet], *, key: bool, room: Room = ROOMS[0]) -> list[Json]:
    """Sheets as plain values: each its head, its frames, and the numbers of their matrices apart.

    A matrix is as wide on all sheets of a kind as its widest numbers need, so that Typst lays it out once.
    """
    found, alike = [], defaultdict[tuple[str, int], list[list[Json]]](list)
    for sheet in sheets:
        writer = _Writer(sheet, key, room)
        frames = list(writer.frames())
        alike[sheet.kind, len(writer.matrices)].append(writer.matrices)
        about = {"calculation": sheet.calculation.title, "blank": bool(sheet.blank), "key": key}
        content = {"note": _note(sheet, key=key), "frames": frames, "numbers": writer.numbers}
        found.append({**sheet._asdict(), **about, **content})
    for kind in alike.values():
        for matrices in zip(*kind, strict=True):
            widest = max((one["widest"] for one in matrices), key=_rough_width)
            for one in matrices:
                one["widest"] = widest
    return found


def _rough_width(number: str) -> float:
    """How wide a number is, in digits: a point takes half of one."""
    return len(number) - number.count(".") / 2


def printed_sections(sheet: PaperSheet) -> list[Section]:
    """The blocks with something to fill in, and a worked one like them; all where nothing is blank."""
    found = sections(sheet.calculation)
    asked = [section for section in found if _is_asked(section, sheet)]
    worked = {_kind(section): section for section in reversed(found) if not _is_asked(section, sheet)}
    likes = {_kind(section) for section in asked}
    printed = [s for s in found if s in asked or (_kind(s) in likes and worked.get(_kind(s)) is s)]
    return printed or found


def _is_asked(section: Section, sheet: PaperSheet) -> bool:
    return not {section.origins[m].name for m in section.steps}.isdisjoint(sheet.blank)


def _kind(section: Section) -> tuple[str, ...]:
    """A key that equal blocks side by side share: the block around them, and the names of their steps."""
    return (section.path.rpartition(".")[0], *section.sheet.steps)


class _Writer:
    """Writes the frames of a sheet, in which each matrix has one place; steps are counted as they come."""

    def __init__(self, sheet: PaperSheet, key: bool, room: Room) -> None:
        self.sheet, self.is_key, self.room = sheet, key, room
        self.places = read_places(sheet.places)
        self.towers = [(section, drawing_order(section.tracks)) for section in printed_sections(sheet)]
        steps = [one.origins[m] for one, towers in self.towers for m in steps_in_order(towers)]
        self.order = {step: number for number, step in enumerate(steps, start=1)}
        self.done: set[Matrix] = set()
        self.matrices: list[Json] = []
        self.numbers: list[tuple[list[list[str]], str]] = []  # of each matrix, and its alternative text

    def frames(self) -> Iterator[Json]:
        """A frame for givens that several blocks read, then one for each block, with its title and reason."""
        shared = [{"main": self._written(section, matrix)} for section, matrix in self._shared()]
        found: list[Json] = [{"title": "", "why": "", "towers": [{"across": False, "units": shared}]}]
        for section, towers in self.towers:
            block = section.whole.blocks.get(section.path)
            written = [
                {"across": one.is_horizontal, "units": list(self._units(section, one))} for one in towers
            ]
            title = " › ".join(section.way[1:])
            found.append({"title": title, "why": block.why if block else "", "towers": written})
        return (frame for frame in found if any(tower["units"] for tower in frame["towers"]))

    def _shared(self) -> Iterator[tuple[Section, Matrix]]:
        """The givens of more than one block, as the first one has them."""
        first: dict[Matrix, tuple[Section, Matrix]] = {}
        for section, _ in self.towers:
            for matrix in section.sheet.givens.values():
                origin = section.origins[matrix]
                if origin in self.order or origin not in section.drawn:
                    continue
                if origin in first and origin not in self.done:
                    yield first[origin]
                first.setdefault(origin, (section, matrix))

    def _units(self, section: Section, tower: Track) -> Iterator[Json]:
        """The rows with matrices that have their place here; a row that reads the one before says so."""
        before = None
        for row in tower.rows:
            blocks = (row.left, row.main, *row.right)
            left, main, *beside = (block and self._placed(section, block) for block in blocks)
            others = [one for one in beside if one]
            if main or others:
                follows = before in row.main.matrix.reads()
                yield {"left": left, "main": main or others.pop(0), "beside": others, "follows": follows}
            before = row.main.matrix

    def _placed(self, section: Section, block: PlacedMatrix) -> Json | None:
        """A matrix, if this is its place: repeated ones are not written again."""
        matrix = block.matrix
        if matrix.name or matrix.is_given:
            is_elsewhere = block.is_copy or self._is_known(section, matrix)
        else:
            read = matrix.reads()
            is_elsewhere = all(
                self._is_known(section, m) or section.origins[m] in section.drawn for m in read
            )
        return None if is_elsewhere else self._written(section, matrix)

    def _is_known(self, section: Section, matrix: Matrix) -> bool:
        origin = section.origins[matrix]
        return origin in self.done or (matrix.is_given and origin in self.order)

    def _written(self, section: Section, matrix: Matrix) -> Json:
        """A matrix with its caption, labels and numbers, and the numbers of the steps that it reads."""
        origin = section.origins[matrix]
        self.done.add(origin)
        window = window_around(matrix.shape, room=self.room)
        is_blank = origin.name in self.sheet.blank
        cells = window.texts(matrix, self.places)
        found: Json = {
            "number": self.order.get(origin),
            "name": matrix.symbol().write(TypstMath(symbolic=True)),
            "formula": right_sides(matrix, TypstMath)[0] if matrix.name else "",
            "words": _stretches("; ".join(filter(None, [meaning_of(matrix), window.words]))),
            "from": sorted(self._steps_read(section, matrix)),
            "blank": is_blank,
            "at": len(self.matrices),
            "size": (len(cells), len(cells[0])),
            "widest": max(chain(*cells), key=_rough_width),
        }
        found["rows"], found["columns"] = window.labels(matrix)
        is_empty = is_blank and not self.is_key
        self.matrices.append(found)
        alt = _spoken(matrix, found, [] if is_empty else cells)
        self.numbers.append(([[""] * len(cells[0])] * len(cells) if is_empty else cells, alt))
        return found

    def _steps_read(self, section: Section, matrix: Matrix) -> set[int]:
        read = [section.origins[m] for m in matrix.reads()] if matrix.name else []
        return {self.order[origin] for origin in read if origin in self.order}


def _note(sheet: PaperSheet, *, key: bool) -> list[list[str]]:
    """The note on a sheet, typeset: where tokens are, the sizes, and how to round."""
    rounds = "calculated exactly, then rounded" if key or not sheet.blank else "round what you write down"
    rounding = f"{rounds} to {sheet.places} decimal places"
    first, fixed = where_tokens_are(sheet.calculation), sentence_of_sizes(*sheet.calculation.record).html
    note = ", ".join(filter(None, [first, fixed, rounding] if first else [rounding, fixed]))
    return _stretches(f"{note[0].upper()}{note[1:]}.")


def _stretches(html: str) -> list[list[str]]:
    """Text with <sub> and <sup> as stretches: which of them, and the words."""
    found = STRETCH.findall(html)
    return [[kind or "text", unescape(re.sub("<.*?>", "", inside or text))] for kind, inside, text in found]


def _spoken(matrix: Matrix, written: Json, cells: Sequence[Sequence[str]]) -> str:
    """A matrix in words for listeners: its name, and its numbers row by row, or that they are to fill in."""
    called = typeset_equation(matrix)["spoken"] if matrix.name else spoken_name(matrix)
    step = f"Step {written['number']}: " if written["number"] else ""
    about = ", ".join(filter(None, [called, meaning_in_words(matrix)]))
    size = "{} by {}".format(*written["size"])
    columns = f", columns {', '.join(written['columns'])}" if written["columns"] else ""
    starts = [f"{row}: " for row in written["rows"]] or [""] * len(cells)
    lines = [start + ", ".join(row) for start, row in zip(starts, cells, strict=False)]
    said = f"{size}{columns}. {'; '.join(lines)}" if cells else f"{size} to fill in"
    return f"{step}{about}. {said}.".translate(PLAIN_SIGNS)
