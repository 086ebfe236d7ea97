"""A class of any size that has handed in: thirty sheets drawn, filled in by loops, and handed in ever again.

Every student has a code and a notebook of their own; numbers are those of the thirty, for to draw more would
take hours. A third has made a mistake, with correct work after it.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import NamedTuple

import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path

from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.handouts import class_folder
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.practice.exercise import codes

DRAWN = 30
IN_A_ZIP = 10_000
TOPIC = "self_attention"


class Handed(NamedTuple):
    """A class, the zips that came in, and how many numbers are right in all of them."""

    folder: ClassFolder
    files: list[Path]
    right: int


def handed_in(path: Path, count: int) -> Handed:
    """A class of so many students, all of whom have handed in a notebook."""
    import filled_notebooks
    import played_class

    drawn = class_folder.make_class(
        path / "drawn", [""] * DRAWN, class_folder.ClassSettings("drawn", 1, [(TOPIC, 1)])
    )
    filled, right = [], []
    for entry in drawn.register:
        slips = played_class.slips(entry.number)
        answers = filled_notebooks.by_loops(drawn, entry, **slips)
        filled.append(filled_notebooks.filled(drawn, entry.code, answers))
        calculation = drawn.numbers.exercise(entry.code).calculation
        right.append(played_class.expected(calculation, entry.number)[0])
    entries = [RegisterEntry(f"Student {n}", codes.code(TOPIC, n), TOPIC, 1, n) for n in range(1, count + 1)]
    made = _copied(drawn, path / "class", entries)
    zips = [_zipped(path, drawn, filled, entries[k : k + IN_A_ZIP]) for k in range(0, count, IN_A_ZIP)]
    return Handed(made, zips, sum(right[(n - 1) % DRAWN] for n in range(1, count + 1)))


def under(code: str, text: str, own: str) -> str:
    """Stored numbers under another code: those that say that they are another sheet's are drawn again."""
    return text.replace(f'"code":"{own}"', f'"code":"{code}"', 1)


def _copied(drawn: ClassFolder, path: Path, entries: list[RegisterEntry]) -> ClassFolder:
    """A class whose numbers are those that were drawn."""
    numbers = path / "numbers"
    numbers.mkdir(parents=True)
    (path / "class.json").write_text((drawn.path / "class.json").read_text("utf-8"))
    Register(entries).save(path / "register.csv")
    for entry in entries:
        own = drawn.register[(entry.number - 1) % DRAWN].code
        text = (drawn.numbers.folder / f"{own}.json").read_text("utf-8")
        (numbers / f"{entry.code}.json").write_text(under(entry.code, text, own), "utf-8")
    return ClassFolder(path)


def _zipped(path: Path, drawn: ClassFolder, filled: list[str], entries: list[RegisterEntry]) -> Path:
    place = path / f"from {entries[0].number}.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in entries:
            number = (entry.number - 1) % DRAWN
            text = filled[number].replace(drawn.register[number].code, entry.code)
            archive.writestr(f"{entry.name}_assignsubmission_file/{entry.code}.ipynb", text)
    return place
