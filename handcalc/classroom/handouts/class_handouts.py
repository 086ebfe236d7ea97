"""Writing the handouts of a class: notebooks, sheets and keys on paper, links with QR codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from handcalc.classroom.folder import stored_numbers
from handcalc.classroom.folder.folder_layout import printed_names
from handcalc.classroom.folder.parallel import Map
from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.handouts import qr
from handcalc.classroom.handouts.bare_notebook import make_bare_notebook
from handcalc.classroom.handouts.class_address import LOOPBACK, find_class_address, make_link
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.classroom.handouts.worksheet import PrintedSheet, make_keys_pdf, write_sheet_pdfs
from handcalc.foundation.atomic_files import make_folder, owner_only, write_whole
from handcalc.foundation.progress import with_progress
from handcalc.views.paper import can_be_written, set_cards

if TYPE_CHECKING:
    from handcalc.classroom.handouts.class_folder import ClassSettings

KeptNumbers = Mapping[str, str]  # by code
CARDS_NOTE = (
    "One card for each student: cut them out and hand them out. The links work while handcalc class serve … "
    "--lan is running."
)
LINKS_ONLY_HERE = (
    " This computer is not on a network, so the links work only here; for phones, write them again with "
    "handcalc class links CLASS --address URL."
)
Titles = Mapping[tuple[str, int], str]  # by topic and level


def next_printed_number(folder: Path) -> int:
    """The next printing, from 2 on, of which the folder has no files."""
    return next(k for k in count(2) if not any((folder / name).exists() for name in printed_names(k)))


def write_notebooks(
    folder: Path, entries: Sequence[RegisterEntry], kept: KeptNumbers, settings: ClassSettings, *, each: Map
) -> None:
    """A notebook for each sheet, with its owner's name; bare where answers are kept back."""
    make_folder(folder)
    jobs = [(kept[one.code], one.code, one.name, settings.keys, settings.solutions) for one in entries]
    made = with_progress(each(_notebook, jobs), "Writing notebooks", len(jobs))
    for entry, text in zip(entries, made, strict=True):
        write_whole(folder / f"{entry.code}.ipynb", text)


def _notebook(job: tuple[str, str, str, bool, bool]) -> str:
    kept, code, student, has_checks, solutions = job
    exercise = stored_numbers.restore_exercise(kept, code, solutions=solutions)
    return dump_notebook((make_notebook if has_checks else make_bare_notebook)(exercise, student=student))


def write_paper(
    folder: Path,
    entries: Sequence[RegisterEntry],
    kept: KeptNumbers,
    settings: ClassSettings,
    *,
    each: Map,
    number: int,
) -> None:
    """Sheets, keys in the same order, student by student; and the page of links."""
    sheets = _printed(entries, kept.__getitem__, settings.address)
    names = printed_names(number)
    paths = [folder / name for name in names[: 1 + settings.keys]]
    write_sheet_pdfs(sheets, paths, paper=settings.paper, halves=settings.halves, each=each)
    if settings.address or qr.has_segno():
        write_link_files(folder / names[2], entries, kept.__getitem__, settings)


def write_keys(path: Path, entries: Sequence[RegisterEntry], kept: Callable[[str], str], paper: str) -> None:
    """The keys to sheets of the class, student by student; `kept` gives the stored form of a code."""
    with owner_only():
        write_whole(path, make_keys_pdf(_printed(entries, kept), paper))


def _printed(
    entries: Sequence[RegisterEntry], kept: Callable[[str], str], address: str = ""
) -> list[PrintedSheet]:
    """The sheets in the order of printing: a student's lie together, in one pile, whatever the topics."""
    has_piles = len({entry.number for entry in entries}) < len(entries)
    return [
        PrintedSheet(one.code, kept(one.code), one.name, _qr(address, one), one.number if has_piles else 0)
        for one in sorted(entries, key=lambda entry: entry.number)
    ]


def write_link_files(
    path: Path, entries: Iterable[RegisterEntry], kept: Callable[[str], str], settings: ClassSettings
) -> None:
    """The cards with links, and the register; `kept` gives the stored form of a code. Replaces old files."""
    entries, address = list(entries), settings.address or find_class_address()
    one_of = {(entry.topic, entry.level): entry.code for entry in entries}
    titles = {
        topic: stored_numbers.restore_exercise(kept(code)).calculation.title for topic, code in one_of.items()
    }
    cards = [_card(own, titles, address) for own in Register(entries).students.values()]
    note = CARDS_NOTE + LINKS_ONLY_HERE * (LOOPBACK in address)
    write_whole(path, set_cards(settings.title, note, cards, settings.paper))


def _card(own: Sequence[RegisterEntry], titles: Titles, address: str) -> dict[str, object]:
    """One student's card; the link leads to the first sheet, and from there to the others."""
    link = make_link(address, own[0].code)
    return {
        "name": own[0].name if can_be_written(own[0].name) else "",
        "sheets": [(f"{titles[one.topic, one.level]}, level {one.level}", one.code) for one in own],
        "link": link,
        "qr": qr.draw_qr_svg(qr.make_modules(link)),
    }


def _qr(address: str, entry: RegisterEntry) -> tuple[str, ...]:
    return qr.make_modules(make_link(address, entry.code)) if address else ()
