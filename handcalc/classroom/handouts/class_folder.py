"""A class is a folder: who has which numbers, what to hand out, what came back, and its marks."""

from __future__ import annotations

import json
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

from handcalc.classroom.folder.folder_layout import (
    NOTEBOOKS_FOLDER,
    NUMBERS_FOLDER,
    REGISTER_FILE,
    SETTINGS_FILE,
    printed_names,
)
from handcalc.classroom.folder.folder_lock import lock_changes, stage_folder
from handcalc.classroom.folder.parallel import Map
from handcalc.classroom.folder.register import Register, RegisterEntry, read_register
from handcalc.classroom.folder.stored_numbers import DAMAGE_ERRORS, StoredNumbers
from handcalc.classroom.folder.students import Student
from handcalc.classroom.folder.unique_draws import (
    AskedSheet,
    DrawnSheet,
    Givens,
    draw_class_sheets,
    give_tickets,
    list_givens,
    sheet_seeds,
)
from handcalc.classroom.handouts import class_handouts
from handcalc.foundation.atomic_files import read_path, short_path, write_whole
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.accepted_types import Convention
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions
from handcalc.practice.exercise.time_plan import plan_minutes
from handcalc.practice.topics import TOPIC_LETTERS

SHEETS_FILE, KEYS_FILE, LINKS_FILE = printed_names(1)
FOLDER_MODE = 0o700  # the mode of the folder, which holds names, keys and typed answers
CLASS_FILES = (SETTINGS_FILE, NUMBERS_FOLDER, NOTEBOOKS_FOLDER, *printed_names(1))  # besides the register


@dataclass(frozen=True)
class ClassSettings:
    """The settings of a class; the same settings and students give the same folder."""

    title: str
    seed: int = 1  # of the numbers; `handcalc class new` draws an unguessable one
    topics: Sequence[tuple[str, int]] = (("self_attention", 1),)  # with their levels
    paper: str = "a4"
    address: str = ""  # the address of its page, for links and QR codes
    solutions: bool = False  # whether learners may see right answers
    blank: Sequence[str] | None = None  # the steps to fill in; all, if None
    minutes: int = 0  # the longest time for a sheet; 0: as long as its blanks take
    places: int = 2
    convention: Convention = "columns"
    keys: bool = True  # whether there are keys on paper, and checks in notebooks
    halves: bool = True  # whether two sheets share a page where they have room
    secret: str = ""  # the source of its tickets; without one, sheets have codes

    def asked(self, topic: str, level: int) -> AskedSheet:
        """The sheet that a topic's students are asked to fill in."""
        blank = None if self.blank is None else tuple(self.blank)
        if self.minutes:
            numbers = codes.code_parts(topic, 1, level).any_draw
            blank = plan_minutes(numbers, self.minutes, blank).blank
        return AskedSheet(topic, level, SheetOptions(blank, self.places, self.convention))


class ClassFolder:
    """The folder of a class.

    register.csv who has which code · class.json its settings · numbers/ what was drawn ·
    notebooks/CODE.ipynb · sheets.pdf, keys.pdf · links.pdf · class.db live answers ·
    marks.csv, marks.json what `handcalc class mark` found · report.html, report.csv

    Raises HandcalcError where it is not there or cannot be read.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = read_path(path)
        self.register = read_register(self.path / REGISTER_FILE)
        self.settings = _read_settings(self.path / SETTINGS_FILE)
        self.numbers = StoredNumbers(self.path / NUMBERS_FOLDER)

    @property
    def topics(self) -> list[tuple[str, int]]:
        """The topics that the class practises, with levels, in order."""
        return list(dict.fromkeys((entry.topic, entry.level) for entry in self.register))


def make_class(
    path: str | PathLike[str],
    students: Sequence[Student | str],
    settings: ClassSettings,
    *,
    printed: bool = False,
    each: Map = map,
) -> ClassFolder:
    """Make a class: draw the numbers, write the register, notebooks and, if `printed`, sheets and links.

    `students` may be names. Raises HandcalcError where the folder has a class already or anything that a
    class has; one that is interrupted leaves nothing behind.
    """
    folder = read_path(path)
    people = [Student(one) if isinstance(one, str) else one for one in students]
    with (
        lock_changes(folder, is_new=True),
        stage_folder(folder, last=REGISTER_FILE, check=check_no_class) as stage,
    ):
        with suppress(OSError):  # the folder belongs to another user, who has let us in
            folder.chmod(FOLDER_MODE)
        count, taken = len(people), set[str]()
        drawn = {
            (topic, level): give_tickets(
                _drawn(settings, topic, level, count, each=each), settings.secret, taken
            )
            for topic, level in settings.topics
        }
        entries = _entries(dict(enumerate(people, start=1)), drawn)
        fill_folder(stage, entries, chain(*drawn.values()), settings, printed=printed, each=each)
        write_whole(stage / SETTINGS_FILE, write_settings(settings))
        Register(entries).save(stage / REGISTER_FILE)
    return ClassFolder(folder)


def add_students(
    path: str | PathLike[str], students: Sequence[Student], *, printed: bool = False, each: Map = map
) -> list[RegisterEntry]:
    """Add latecomers: new numbers for them, everybody's codes stay; returns their sheets."""
    with lock_changes(read_path(path)):
        made = ClassFolder(path)
        first = 1 + max(entry.number for entry in made.register)
        drawn = _more(made, made.topics, len(students), each)
        return _add(made, _entries(dict(enumerate(students, start=first)), drawn), drawn, printed, each)


def add_topics(
    path: str | PathLike[str], topics: Sequence[tuple[str, int]], *, printed: bool = False, each: Map = map
) -> list[RegisterEntry]:
    """Add a sheet of each topic for everyone in the class; returns the sheets.

    Raises HandcalcError for a topic that the class has.
    """
    with lock_changes(read_path(path)):
        made = ClassFolder(path)
        for topic, level in topics:
            if (topic, level) in made.topics:
                raise HandcalcError(
                    f"This class already has {topic} at level {level}; name another topic or level."
                )
        people = {
            number: Student(own[0].name, own[0].id, own[0].email)
            for number, own in made.register.students.items()
        }
        drawn = _more(made, topics, len(people), each)
        return _add(made, _entries(people, drawn), drawn, printed, each)


def rewrite_links(made: ClassFolder, address: str = "") -> Path:
    """Write links.pdf of the whole class again, for another address perhaps; nothing else changes."""
    path = made.path / LINKS_FILE
    with lock_changes(made.path):
        settings = replace(made.settings, address=address)
        class_handouts.write_link_files(path, made.register, made.numbers.text, settings)
    return path


def write_settings(settings: ClassSettings) -> str:
    """Settings as the text of class.json."""
    return json.dumps(asdict(settings), ensure_ascii=False, indent=1) + "\n"


def _more(
    made: ClassFolder, topics: Iterable[tuple[str, int]], count: int, each: Map
) -> dict[tuple[str, int], list[DrawnSheet]]:
    """Numbers of each topic that nobody in the class has yet."""
    _check_known(topics)
    secret, taken = made.settings.secret, set(made.register.by_code)
    return {
        (topic, level): give_tickets(_more_of(made, topic, level, count, each), secret, taken)
        for topic, level in topics
    }


def _check_known(topics: Iterable[tuple[str, int]]) -> None:
    """Raise HandcalcError for a topic from a file that has not been read."""
    for topic, _ in topics:
        if topic not in TOPIC_LETTERS:
            raise HandcalcError(
                f"This class practises {topic}, a topic of your own: add to it on the command line, with "
                "handcalc class add, and name its file with --file."
            )


def _more_of(made: ClassFolder, topic: str, level: int, count: int, each: Map) -> list[DrawnSheet]:
    have = [one.code for one in made.register if (one.topic, one.level) == (topic, level)]
    used = {codes.seed_of(made.numbers.drawn_from(code)) for code in have}
    known = {list_givens(made.numbers.exercise(code)) for code in have}
    return _drawn(made.settings, topic, level, count, used=used, known=known, each=each)


def _drawn(
    settings: ClassSettings,
    topic: str,
    level: int,
    count: int,
    *,
    used: Container[int] = (),
    known: Collection[Givens] = (),
    each: Map,
) -> list[DrawnSheet]:
    """Sheets of a topic for so many, from the class's seed."""
    asked = settings.asked(topic, level)
    return draw_class_sheets(asked, count, sheet_seeds(settings.seed, asked, used), known=known, each=each)


def _add(
    made: ClassFolder,
    entries: list[RegisterEntry],
    drawn: dict[tuple[str, int], list[DrawnSheet]],
    printed: bool,
    each: Map,
) -> list[RegisterEntry]:
    """Write new files beside the existing ones; the register comes last."""
    settings = replace(made.settings, topics=list(dict.fromkeys([*made.topics, *drawn])))
    number = class_handouts.next_printed_number(made.path)
    with stage_folder(made.path, last=REGISTER_FILE) as stage:
        fill_folder(
            stage, entries, chain(*drawn.values()), settings, printed=printed, each=each, number=number
        )
        write_whole(stage / SETTINGS_FILE, write_settings(settings))
        order = {own: place for place, own in enumerate(made.register.students)}  # the teacher's, perhaps
        whole = sorted([*made.register, *entries], key=lambda one: order.get(one.number, len(order)))
        Register(whole, made.register.form).save(stage / REGISTER_FILE)
    return entries


def _entries(
    people: dict[int, Student], drawn: dict[tuple[str, int], list[DrawnSheet]]
) -> list[RegisterEntry]:
    """The sheets of students by their numbers, student by student."""
    return [
        RegisterEntry(one.name, sheets[place].code, topic, level, number, one.id, one.email)
        for place, (number, one) in enumerate(people.items())
        for (topic, level), sheets in drawn.items()
    ]


def fill_folder(
    stage: Path,
    entries: Sequence[RegisterEntry],
    drawn: Iterable[DrawnSheet],
    settings: ClassSettings,
    *,
    printed: bool,
    each: Map = map,
    number: int = 1,
) -> None:
    """Write the numbers and the handouts into the folder of a class."""
    kept = {one.code: one.kept for one in drawn}
    numbers = StoredNumbers(stage / NUMBERS_FOLDER)
    for code, text in kept.items():
        numbers.add(code, text)
    class_handouts.write_notebooks(stage / NOTEBOOKS_FOLDER, entries, kept, settings, each=each)
    if printed:
        class_handouts.write_paper(stage, entries, kept, settings, each=each, number=number)


def check_no_class(folder: Path) -> None:
    """Raise HandcalcError for a folder that has a class, or any file that a class would write over."""
    if (folder / REGISTER_FILE).exists():
        raise HandcalcError(
            f"{short_path(folder)} is already a class; add to it with: handcalc class add "
            f"{short_path(folder)}."
        )
    for name in CLASS_FILES:
        if (folder / name).exists():
            raise HandcalcError(
                f"{short_path(folder)} already has {name}, but no {REGISTER_FILE}; name another folder."
            )


def _check_kinds(facts: Mapping[str, Any]) -> None:
    """Raise TypeError for a setting of the wrong type."""
    usual = ClassSettings("")
    for name, value in facts.items():
        kind = type(getattr(usual, name))
        if name == "blank":
            is_one = value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))
        else:
            is_one = type(value) is kind
        if not is_one:
            raise TypeError(f"its {name} is {short(value)}")


def _read_settings(path: Path) -> ClassSettings:
    try:
        facts: dict[str, Any] = json.loads(path.read_text("utf-8"))
        topics = [(str(topic), int(level)) for topic, level in facts.pop("topics")]
        _check_kinds(facts)
        return ClassSettings(**facts, topics=topics)
    except FileNotFoundError:
        raise HandcalcError(
            f"{short_path(path.parent)} has no {path.name}; restore the original file."
        ) from None
    except (OSError, *DAMAGE_ERRORS) as error:
        raise HandcalcError(
            f"{short_path(path)} cannot be read ({short(str(error))}); restore the original file."
        ) from None
