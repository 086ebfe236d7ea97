"""Worksheets, keys and notebooks from a terminal: `handcalc topics`, `worksheet`, `key`, `notebook`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from handcalc.cli import arguments, own_files
from handcalc.cli.arguments import Command, choose_value, flag, option, whole_number
from handcalc.course.by_hand.collection import full_name, themes
from handcalc.course.lesson_topics import YOUR_OWN, by_lesson
from handcalc.foundation import atomic_files
from handcalc.foundation.atomic_files import read_path
from handcalc.foundation.errors import HandcalcError, short
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.options import SheetOptions
from handcalc.practice.topics.topic_registry import SENTENCE
from handcalc.record.calculation import Calculation

PDF_SUFFIX, NOTEBOOK_SUFFIX, SPREADSHEET_SUFFIX, PAGE_SUFFIX = ".pdf", ".ipynb", ".xlsx", ".html"
PROBLEMS_ON_A_PAGE = 20
BARE_NOTEBOOK = (
    "numbers and blanks, and nothing that gives the key away; the code is only in the file's name: rename it"
)
SHEETS_FOR_TWO_PROCESSES = 6  # with fewer, a second process does not pay


def list_topics(options: argparse.Namespace) -> list[str]:
    """A line for each topic and example, lesson by lesson: its name and the steps that it asks for."""
    own_files.run_own_files(options)
    lessons = by_lesson() | {"Your own sentence, of 2 to 8 words": [f"{SENTENCE}the_cat_sat"]}
    wide = max(len(name) for names in lessons.values() for name in names)
    lines: list[str] = []
    for lesson, names in lessons.items():
        lines += _collection_lines() if lesson == YOUR_OWN else []
        lines += [lesson] if not lines else ["", lesson]
        lines += [f"  {name.replace('_', '-'):{wide}}  {_steps_of(codes.code_parts(name))}" for name in names]
    return lines if YOUR_OWN in lessons else [*lines, *_collection_lines()]


def _collection_lines() -> list[str]:
    """The sheets of the public collection by theme, each with its own name."""
    lines = ["", "The public collection, AI by Hand (Tom Yeh)"]
    for theme, names in themes().items():
        lines += ["", f"  {theme}"]
        lines += [f"    by-hand/{name.replace('_', '-'):23} {full_name(name)}" for name in names]
    return lines


def _steps_of(found: codes.CodeParts) -> str:
    """`head_1 (9 steps), head_2 (9 steps), concat, Z`"""
    counts: dict[str, int] = {}
    for step in found.steps:
        outer = step.partition(".")[0]
        counts[outer] = counts.get(outer, 0) + ("." in step)
    return ", ".join(
        f"{name} ({count} step{'s' * (count > 1)})" if count else name for name, count in counts.items()
    )


def write_worksheet(options: argparse.Namespace) -> list[str]:
    """Write one sheet (with --key its key beside it), or a class's sheets and keys into a folder."""
    from handcalc.classroom.handouts import (
        worksheet as room,  # here: it draws, and drawing takes long to load
    )

    if options.key and options.keep_answers:
        raise HandcalcError("--keep-answers writes no key; leave out one of --key and --keep-answers.")
    exercise = _exercise(options)
    if options.count is not None:
        return _class(options, exercise)
    if (options.output or "").lower().endswith(SPREADSHEET_SUFFIX):
        return _spreadsheet(options, exercise)
    path = _path(options.output, exercise.code or options.topic.replace("/", "-"), PDF_SUFFIX)
    key = path.with_name(f"{path.stem}-key{PDF_SUFFIX}") if options.key else None
    _check_free(options, [path, *([key] if key else [])])
    pages = room.save_worksheets([exercise], path, key=key, paper=options.paper)
    return [
        _line(path, exercise.code or exercise.calculation.title, pages),
        *([_line(key, "its key", pages)] if key else []),
    ]


def _spreadsheet(options: argparse.Namespace, exercise: Exercise) -> list[str]:
    """A sheet to fill in with a spreadsheet, where only its blanks are open, and its key."""
    from handcalc.spreadsheet.writing import save_workbook

    path = _path(options.output, "", SPREADSHEET_SUFFIX)
    key = path.with_name(f"{path.stem}-key{SPREADSHEET_SUFFIX}")
    _check_free(options, [path] if options.keep_answers else [path, key])
    calculation, code = exercise.calculation, exercise.code
    save_workbook(calculation, path, blank=exercise.blank, note=code)
    lines = [f"{path}: {code or calculation.title}"]
    if options.keep_answers:
        return lines
    save_workbook(calculation, key, note=code)
    return [*lines, f"{key}: its key"]


def _class(options: argparse.Namespace, exercise: Exercise) -> list[str]:
    """A different sheet for everyone."""
    from handcalc.classroom.handouts import worksheet as room

    if options.output == "":
        raise HandcalcError("-o does not name a folder.")
    folder = Path(options.output or f"{options.topic.replace('/', '-')}-sheets")
    if folder.suffix.lower() in (PDF_SUFFIX, SPREADSHEET_SUFFIX):
        raise HandcalcError(
            f"With --count, -o names a folder, not a file such as {atomic_files.short_path(folder)}."
        )
    names = [folder / room.SHEETS_PDF, *([] if options.keep_answers else [folder / room.KEYS_PDF])]
    _check_free(options, names)
    made = room.save_class(
        options.topic,
        options.count,
        folder,
        seed=choose_value(options.seed, 1),
        level=choose_value(options.level, 1),
        options=SheetOptions(exercise.blank, exercise.places, exercise.calculation.convention),
        paper=options.paper,
        processes=2 if options.count >= SHEETS_FOR_TWO_PROCESSES else 1,
        keys=not options.keep_answers,
        halves=options.halves,
        overwrite=True,
    )
    whats = (f"1 sheet, {made[0]}", "its key")
    if len(made) > 1:
        whats = (f"{len(made)} sheets, {made[0]} to {made[-1]}", "their keys, in the same order")
    return [f"{path}: {what}" for path, what in zip(names, whats, strict=False)]


def write_key(options: argparse.Namespace) -> list[str]:
    """Write the key to the sheet with a code."""
    from handcalc.classroom.folder.tickets import is_ticket
    from handcalc.classroom.handouts import worksheet as room

    if is_ticket(options.code):
        raise HandcalcError(
            f"{short(options.code)} is a ticket, which only the folder of its class has the key to: "
            f"handcalc class key CLASS {short(options.code)}."
        )
    own_files.run_own_files(options)
    if not codes.is_code(options.code):
        raise HandcalcError(
            f"{short(options.code)} is not the code of a sheet, such as SM1-4232; "
            "to write a new sheet with its key, use: handcalc worksheet TOPIC --key."
        )
    exercise = Exercise(options.code)
    path = _path(options.output, f"{exercise.code}-key", PDF_SUFFIX)
    _check_free(options, [path])
    pages = room.save_worksheets([exercise], None, key=path, paper=options.paper)
    return [_line(path, f"key to {exercise.code}", pages)]


def write_notebook(options: argparse.Namespace) -> list[str]:
    """Write a notebook to fill in."""
    from handcalc.classroom.handouts.bare_notebook import make_bare_notebook
    from handcalc.classroom.handouts.exercise_notebook import dump_notebook
    from handcalc.classroom.handouts.exercise_notebook import make_notebook as notebook_of

    exercise = _exercise(options)
    path = _path(options.output, exercise.code or options.topic, NOTEBOOK_SUFFIX)
    _check_free(options, [path])
    if options.nbgrader:  # a course has no source/ps1 before its first sheet
        atomic_files.make_folder(path.parent)
    make = make_bare_notebook if options.keep_answers else notebook_of
    atomic_files.write_whole(
        path, dump_notebook(make(exercise, nbgrader=options.nbgrader)), overwrite=options.force
    )
    return [
        f"{path}: {BARE_NOTEBOOK if options.keep_answers else exercise.code or exercise.calculation.title}"
    ]


def write_practice(options: argparse.Namespace) -> list[str]:
    """Write a page that marks what is typed into it, without Python."""
    from handcalc.practice.exercise.practise import practise

    exercise = _exercise(options)
    made = practise(
        exercise.code or exercise.calculation,
        blank=None if exercise.code else exercise.blank,
        places=exercise.places,
        seeds=choose_value(options.problems, PROBLEMS_ON_A_PAGE),
    )
    path = _path(options.output, exercise.code or options.topic, PAGE_SUFFIX)
    _check_free(options, [path])
    made.save_html(path)
    count = made.series.problems
    return [f"{path}: {made.exercise.calculation.title}, {count} problem{'s' * (count > 1)}"]


def _path(output: str | None, name: str, suffix: str) -> Path:
    """The path of a file: where -o says, or under its own name, in that folder perhaps."""
    output = "." if output is None else output
    if os.path.isdir(output):  # noqa: PTH112 - unlike Path.is_dir it never raises
        return Path(output) / f"{name}{suffix}"
    if not output:
        raise HandcalcError("-o does not name a file.")
    path = atomic_files.read_path(output)
    if output.endswith(("/", os.sep)):
        raise HandcalcError(f"There is no folder {atomic_files.short_path(path)}; create it first.")
    if path.suffix.lower() not in ("", suffix):
        meant = atomic_files.short_path(path.with_suffix(suffix).name)
        raise HandcalcError(f"{atomic_files.short_path(path)} is not a {suffix} file; name it {meant}.")
    return path.with_suffix(suffix)


def _check_free(options: argparse.Namespace, paths: Iterable[Path]) -> None:
    """Refuse to overwrite files without --force: somebody may have filled them in."""
    if not options.force:
        atomic_files.check_free(paths, arguments.FORCE_OPTION)


def _exercise(options: argparse.Namespace) -> Exercise:
    """The exercise for a topic, or for the code of a sheet, which determines its numbers."""
    own_files.run_own_files(options)
    content = own_files.find_content(options.topic)
    if isinstance(content, str) and not codes.is_code(content):
        options.topic = content
        content = codes.code(content, choose_value(options.seed, 1), choose_value(options.level, 1))
    elif (options.seed, options.level, getattr(options, "count", None)) != (None, None, None):
        what = short(options.topic)
        raise HandcalcError(f"{what} stands for one sheet; leave out --seed, --level and --count.")
    if isinstance(content, Calculation):
        options.topic = read_path(options.topic).stem
    keeps = getattr(options, "keep_answers", False)
    asked = content, options.blank, options.places, options.convention
    return Exercise(*asked, solutions=not keeps, minutes=options.minutes)


def _line(path: Path, what: str, pages: int) -> str:
    return f"{path}: {what}, {pages} page{'s' if pages > 1 else ''}"


WHAT_IS_ASKED = (
    option("topic", "what to practise, from `handcalc topics`; the code of a sheet; or your own my_topic.py"),
    arguments.SEED,
    arguments.LEVEL,
    arguments.ROWS,
    arguments.blank("steps or blocks to fill in: Q,S or head_1 (default all)"),
    arguments.MINUTES,
    whole_number("--places", "decimal places (default 2)"),
)
KEEP_ANSWERS = flag("--keep-answers", "give no solutions and write no key")
WORKSHEET_OPTIONS = (
    flag("--key", "also write its key, as NAME-key.pdf"),
    whole_number("--count", "write this many different sheets, and their keys"),
    flag("--halves", "with --count: two sheets on a page where they have room"),
    *WHAT_IS_ASKED,
    KEEP_ANSWERS,
    arguments.PAPER,
    arguments.output("PATH", "the file, of a spreadsheet with its key: sheet.xlsx; with --count the folder"),
)
FILE_OR_FOLDER = arguments.output("PATH", "the file, or its folder")
KEY_OPTIONS = (option("code", "the code printed on the sheet"), arguments.PAPER, FILE_OR_FOLDER)
PROBLEMS = whole_number("--problems", "how many problems the page has (default 20)")
NBGRADER = flag("--nbgrader", "add the cells that an nbgrader course needs")
LAST_OPTIONS = (arguments.FORCE, arguments.OWN_FILE)
WORKSHEET_COMMANDS = (
    Command(
        "worksheet",
        write_worksheet,
        "write a worksheet as PDF or .xlsx, or a different one for everyone",
        (*WORKSHEET_OPTIONS, *LAST_OPTIONS),
    ),
    Command("key", write_key, "write the key to the sheet with this code", (*KEY_OPTIONS, *LAST_OPTIONS)),
    Command(
        "notebook",
        write_notebook,
        "write a notebook to fill in",
        (*WHAT_IS_ASKED, KEEP_ANSWERS, NBGRADER, FILE_OR_FOLDER, *LAST_OPTIONS),
    ),
    Command(
        "practice",
        write_practice,
        "write a page that marks what is typed into it, without Python",
        (*WHAT_IS_ASKED, PROBLEMS, FILE_OR_FOLDER, *LAST_OPTIONS),
    ),
    Command("topics", list_topics, "list what can be practised", (arguments.OWN_FILE,)),
)
