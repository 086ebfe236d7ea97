"""`handcalc class new`, `add` and `links`: the folder of a class, and what is handed out."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from handcalc.cli import arguments, own_files
from handcalc.cli.arguments import Command, choose_value, flag, named, option, several, whole_number
from handcalc.cli.worksheets import SHEETS_FOR_TWO_PROCESSES
from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, listed, many, short

if TYPE_CHECKING:
    from handcalc.classroom.folder.parallel import Map
    from handcalc.classroom.folder.register import RegisterEntry
    from handcalc.classroom.folder.students import Student
    from handcalc.classroom.handouts.class_folder import ClassFolder, ClassSettings

SHEETS_FOR_ALL_PROCESSES = 100  # from which on further ones than a second pay
SAY_WHO = "Say who is in the class: --students names.csv, or --count 30."


def make_new_class(options: argparse.Namespace) -> Iterator[str]:
    """Make a class; what it will be is said before."""
    from handcalc.classroom.handouts import class_folder
    from handcalc.classroom.handouts.sheet_estimate import describe_sheets

    if not options.path.strip():
        raise HandcalcError("Name a folder for the class, such as 8b.")
    settings, students = _settings(options), _students(options)
    path = read_path(options.path)
    class_folder.check_no_class(path)
    with _working(len(students) * len(settings.topics)) as each:
        for asked in (settings.asked(*one) for one in settings.topics):
            yield from describe_sheets(asked, len(students), paper=settings.paper, halves=settings.halves)
        made = class_folder.make_class(path, students, settings, printed=True, each=each)
    yield from (
        *_written(made, list(made.register), 1),
        *_remarks(students, settings.topics, options.students),
        "",
        *_next(made),
    )


def _settings(options: argparse.Namespace) -> ClassSettings:
    """What the class keeps of the options."""
    from handcalc.classroom.folder.tickets import new_secret
    from handcalc.classroom.folder.unique_draws import new_seed
    from handcalc.classroom.handouts.class_address import read_address
    from handcalc.classroom.handouts.class_folder import ClassSettings
    from handcalc.practice.exercise.time_plan import read_minutes
    from handcalc.views.paper import paper_called

    paper_called(options.paper)
    if options.solutions and options.keep_answers:
        raise HandcalcError("--solutions and --keep-answers cannot be used together; leave one out.")
    if options.codes and options.keep_answers:
        raise HandcalcError("A code gives its key away: --codes and --keep-answers cannot be used together.")
    title = read_path(options.path).resolve().name if options.title is None else options.title
    return ClassSettings(
        title=" ".join(title.split()),
        seed=new_seed() if options.seed is None else options.seed,
        topics=_topics(options) or [("self_attention", _level(choose_value(options.level, 1)))],
        paper=options.paper,
        address=read_address(options.address) if options.address else "",
        solutions=options.solutions,
        blank=options.blank,
        minutes=0 if options.minutes is None else int(read_minutes(options.minutes)),
        places=options.places,
        convention=options.convention or "columns",
        keys=not options.keep_answers,
        halves=not options.whole_pages,
        secret="" if options.codes else new_secret(),
    )


def add_to_class(options: argparse.Namespace) -> list[str]:
    """Add to a class; from the look at who is in it on, nobody else adds anybody."""
    from handcalc.classroom.folder.folder_lock import lock_changes

    with lock_changes(read_path(options.path)):
        return _add(options)


def _add(options: argparse.Namespace) -> list[str]:
    from handcalc.classroom.handouts import class_folder, class_handouts

    made = class_folder.ClassFolder(options.path)
    topics, number = _topics(options), class_handouts.next_printed_number(made.path)
    is_people = any(one is not None for one in (options.students, options.count, options.name))
    if bool(topics) == is_people:
        raise HandcalcError(
            "Say who joins the class (--students more.csv, --name or --count), or name a --topic for "
            "everyone; do one, then the other."
        )
    students, known = _newcomers(options, made) if is_people else ([], [])
    if is_people and not students:
        return [f"Everybody in {short_path(options.students)} is already in the class; nothing was written."]
    count = len(students) * len(made.topics) or len(made.register.students) * len(topics)
    with _working(count) as each:
        if is_people:
            entries = class_folder.add_students(made.path, students, printed=True, each=each)
        else:
            entries = class_folder.add_topics(made.path, topics, printed=True, each=each)
    skipped = [f"{many(len(known), 'student')} left out: already in the class."] if known else []
    return [*_written(made, entries, number), *_remarks(students, topics, options.students), *skipped]


def write_links(options: argparse.Namespace) -> list[str]:
    """Write links.pdf again."""
    from handcalc.classroom.handouts import class_folder
    from handcalc.classroom.handouts.class_address import find_class_address, read_address

    address = read_address(options.address) if options.address else find_class_address()
    path = class_folder.rewrite_links(class_folder.ClassFolder(options.path), address)
    return [f"{path}: cards with links and QR codes for {address}; print it and cut them out"]


def _topics(options: argparse.Namespace) -> list[tuple[str, int]]:
    """The topics with their levels. Raises HandcalcError for one that there is not, or twice."""
    from handcalc.practice.exercise import codes
    from handcalc.practice.topics import EXAMPLES

    own_files.run_own_files(options)
    found: list[tuple[str, int]] = []
    for text in map(own_files.name_topic, options.topic or []):
        name, colon, level_text = text.partition(":")
        try:
            level = int(level_text) if colon else choose_value(options.level, 1)
        except ValueError:
            raise HandcalcError(f"{short(text)}: the level is a whole number, as in softmax:2.") from None
        topic = codes.code_parts(name, 1, level).topic
        if topic in EXAMPLES and level != 1:
            raise HandcalcError(f"{name} is an example: it has only level 1, not {level}.")
        if (topic, level) in found:
            raise HandcalcError(
                f"{name} at level {level} is named twice; everyone gets one sheet of it, so name it once."
            )
        found.append((topic, level))
    return found


def _level(level: int) -> int:
    from handcalc.practice.exercise import codes

    return codes.code_parts("self_attention", 1, level).level


def _students(options: argparse.Namespace) -> list[Student]:
    from handcalc.classroom.folder import students

    if (options.students is None) == (options.count is None):
        raise HandcalcError(SAY_WHO)
    if options.count is not None:
        return students.make_nameless(options.count)
    return students.read_students(options.students)


def _newcomers(options: argparse.Namespace, made: ClassFolder) -> tuple[list[Student], list[Student]]:
    """Who joins, and who of a table is in the class already; a name that is typed always joins."""
    from handcalc.classroom.folder import students

    if options.name is not None:
        if options.students is not None or options.count is not None:
            raise HandcalcError("Say who joins in one way: --students more.csv, --name or --count.")
        return [students.name_student(name) for name in options.name], []
    joining = _students(options)
    have = {students.Student(one.name, one.id, one.email).known_by for one in made.register} - {""}
    known = [one for one in joining if one.known_by in have]
    return [one for one in joining if one.known_by not in have], known


def _written(made: ClassFolder, entries: Sequence[RegisterEntry], number: int) -> list[str]:
    """A line for each thing that was written."""
    from handcalc.classroom.folder.folder_layout import printed_names

    path, count = made.path, len(entries)
    sheets, keys, cards = (path / name for name in printed_names(number))
    students = len({entry.number for entry in entries})
    own = f"{many(count, 'sheet')} for {many(students, 'student')}"
    lines = [
        f"{path / 'register.csv'}: who has which code; for you alone",
        f"{sheets}: {own}",
        f"{keys}: their keys, in the same order",
        f"{path / 'notebooks'}: {many(count, 'notebook')} to fill in",
        f"{cards}: cards with links and QR codes",
    ]
    is_there = [True, True, keys.exists(), True, cards.exists()]
    missing = (
        'No links.pdf: it needs more than handcalc itself; install that with: pip install "handcalc[class]".'
    )
    return [line for line, is_ in zip(lines, is_there, strict=True) if is_] + [missing] * (not cards.exists())


def _remarks(students: Sequence[Student], topics: Sequence[tuple[str, int]], table: str | None) -> list[str]:
    """What a teacher should know before printing."""
    from handcalc.classroom.folder import unique_draws
    from handcalc.classroom.folder.students import find_namesakes, find_unkept_columns
    from handcalc.practice.topics import EXAMPLES
    from handcalc.views.paper import can_be_written

    same = [topic.replace("_", "-") for topic, _ in topics if topic in EXAMPLES]
    unseen = [one.name for one in students if one.name and not can_be_written(one.name)]
    remarks = {
        "Several students are called {}: their codes tell them apart.": find_namesakes(students),
        "Not kept of your table: {}.": find_unkept_columns(table) if table else [],
        "The fonts here cannot print {}: those sheets have a line to write the name on.": unseen,
        "Everyone has the same numbers in {}; the codes tell the sheets apart.": same,
    }
    told = [text.format(listed(names)) for text, names in remarks.items() if names]
    return [*told, *unique_draws.warn_of_few_sheets(topics)]


def _next(made: ClassFolder) -> list[str]:
    """What to do now."""
    path = shlex.quote(str(made.path))
    return [
        "On paper: print sheets.pdf; the code on each sheet says whose it is.",
        f"With phones and laptops: handcalc class serve {path} --lan",
        f"To mark what comes back: handcalc class mark {path} FILES…",
        *([] if made.settings.keys else [f"The keys, for you alone: handcalc class keys {path}"]),
    ]


def _working(sheets: int) -> AbstractContextManager[Map]:
    """As many processes as pay for so many sheets."""
    from handcalc.classroom.folder.parallel import parallel_map

    if sheets < SHEETS_FOR_TWO_PROCESSES:
        return parallel_map(1)
    return parallel_map(2 if sheets < SHEETS_FOR_ALL_PROCESSES else min(4, max(2, os.cpu_count() or 1)))


CLASS_FOLDER = option("path", "the folder of the class", metavar="CLASS")
WHO_AND_WHAT = (
    CLASS_FOLDER,
    option("--students", "a table with a column called name", metavar="CSV"),
    whole_number("--count", "how many students there are, if you have no list of names"),
    several("--topic", "TOPIC[:LEVEL]", "what to practise, from `handcalc topics`, or your own my_topic.py"),
    whole_number("--level", "the level of a topic given without one, 1 to 3 (default 1)"),
    arguments.OWN_FILE,
)
NAME = option("--name", "one student's name; may be repeated", action="append")
CLASS_SETTINGS = (
    option("--title", "the name of the class (default: that of its folder)"),
    whole_number("--seed", "a seed, to get the same numbers again (default: a secret one)"),
    arguments.ROWS,
    arguments.blank("steps or blocks to fill in: Q,S (default all)"),
    arguments.MINUTES,
    arguments.DECIMAL_PLACES,
    arguments.PAPER,
    named("--address", "URL", "the address of the class's page, for QR codes"),
    flag("--whole-pages", "print one sheet on a page, even where two would fit"),
    flag("--solutions", "let students see right answers"),
    flag(
        "--codes",
        "print codes instead of tickets; anyone with handcalc can get a sheet's key from its code",
    ),
    flag("--keep-answers", "write no keys.pdf, and leave checks and hints out of notebooks"),
)
ADDRESS = named("--address", "URL", "the address of the class's page (default: this computer's)")
MAKING_COMMANDS = (
    Command(
        "new",
        make_new_class,
        "make the folder of a class, with numbers for each student",
        (*WHO_AND_WHAT, *CLASS_SETTINGS),
    ),
    Command(
        "add",
        add_to_class,
        "add latecomers, or a topic for everyone; nothing is overwritten",
        (*WHO_AND_WHAT, NAME),
    ),
    Command("links", write_links, "write links.pdf again, for another address", (CLASS_FOLDER, ADDRESS)),
)
