"""Write every template again: notebooks to fill in, and their sheets in paper/a4.

A lesson's lesson.toml says which it has: a `topic`, all blank, or an `example` with a code in four stages.
With --all come the keys and the sheets on Letter, too, which are not committed.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import pairwise
from multiprocessing import get_context
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

import handcalc as hc
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.course.catalogue import lessons
from handcalc.practice.exercise import codes

HERE = Path(__file__).parent
PAPERS = ("a4", "letter")
STAGES = ("worked", "some blanks", "all blank", "fresh numbers")  # of faded examples


class Topic(NamedTuple):
    """A topic's problem, all blank."""

    topic: str
    level: int = 1
    folder: str = "basics"

    @property
    def names(self) -> list[str]:
        return [f"{self.folder}/{self.topic}"]

    def templates(self) -> Iterator[Template]:
        """One notebook and its sheet."""
        exercise = hc.Exercise(hc.code(self.topic, 1, self.level))
        (name,) = self.names
        yield Template(name, exercise.calculation.title, exercise)


class Lesson(NamedTuple):
    """A worked example in four stages, in a folder of its own.

    `blank` has the steps that are blank in the second one: by default the last of each block or stage.
    """

    folder: str
    title: str
    example: str
    convention: str = "columns"
    blank: Sequence[str] | None = None
    source: str = ""

    @property
    def names(self) -> list[str]:
        return [
            f"{self.folder}/{number}_{stage.replace(' ', '_')}"
            for number, stage in enumerate(STAGES, start=1)
        ]

    def templates(self) -> Iterator[Template]:
        """Worked, some blanks, all blank, fresh numbers: a notebook each, and its sheet."""
        fresh = codes.following_code(hc.code(self.example))
        climb = hc.faded_examples(self.example, self.blank, fresh=fresh, convention=self.convention)
        made = enumerate(zip(self.names, STAGES, climb, strict=True), start=1)
        for number, (name, stage, exercise) in made:
            title = f"{self.title} {number} of {len(STAGES)}: {stage}, tokens as {self.convention}"
            source = self.source if stage != STAGES[-1] else ""
            yield Template(name, title, exercise, source)


class Template(NamedTuple):
    """One notebook and its sheet."""

    name: str
    title: str
    exercise: hc.Exercise
    source: str = ""
    following: str = ""  # the name of the next one

    @property
    def text(self) -> str:
        """The notebook as it is written."""
        key = ', key="key.pdf"' if self.exercise.blank else ""
        foot = f"**On paper:** code {self.exercise.code}; "
        foot += (
            f'`hc.save_worksheet(exercise, "sheet.pdf"{key})` draws the sheet{" and its key" * bool(key)}, '
        )
        foot += 'with `paper="letter"` on Letter.'
        if self.other_numbers:
            foot += f"\n\n**Numbers of your own:** {self.other_numbers}"
        if self.following:
            foot += f"\n\n**Next:** [{self.following}]({self.way_to(f'{self.following}.ipynb')})."
        return dump_notebook(make_notebook(self.exercise, source=self.source, title=self.title, foot=foot))

    def way_to(self, target: str) -> str:
        """A link from the notebook's folder."""
        return Path(relpath(target, Path(self.name).parent)).as_posix()

    @property
    def other_numbers(self) -> str:
        """How to get numbers that nobody else has, where they are drawn."""
        coded = codes.read_code(self.exercise.code)
        if coded.topic in codes.EXAMPLES:
            return ""
        practise = f'hc.practise("{coded.topic}", {coded.level})'
        return f"everybody's are the same here; `{practise}` draws others for each learner."


def offered() -> Iterator[Topic | Lesson]:
    """What the lessons offer, in the order in which one learns."""
    for lesson in lessons().values():
        folder = lesson.templates_in or lesson.name
        for entry in lesson.templates:
            if "topic" in entry:
                yield Topic(**entry, folder=folder)
            else:
                rows = "_rows" * (entry.get("convention") == "rows")
                yield Lesson(**entry, folder=f"{folder}{rows}")


WAY = tuple(one for one in offered() if isinstance(one, Topic) or one.convention == "columns")
ROWS = tuple(one for one in offered() if one not in WAY)
NAMES = tuple(name for one in (*WAY, *ROWS) for name in one.names)


@cache
def templates() -> tuple[Template, ...]:
    """Every template, in the order in which one learns; those with tokens as rows come last."""
    ways = ([template for one in way for template in one.templates()] for way in (WAY, ROWS))
    return tuple(template for way in ways for template in following(way))


def following(way: list[Template]) -> Iterator[Template]:
    """Each template with the name of the next one."""
    for template, after in pairwise(way):
        yield template._replace(following=after.name)
    yield way[-1]


def write_notebooks(to: Path) -> None:
    """Write the notebooks into a folder."""
    for template in templates():
        path = to / f"{template.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(template.text, "utf-8", newline="\n")


def write_papers(to: Path, *, is_all: bool) -> None:
    """Write the sheets into a folder, in two processes."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for name in pool.map(partial(write_paper, to, is_all=is_all), NAMES):
            print(name, flush=True)


def write_paper(to: Path, name: str, *, is_all: bool) -> str:
    """Draw a template's sheet on A4, or with its key and on Letter, too; returns its name."""
    exercise = next(template for template in templates() if template.name == name).exercise
    for paper in PAPERS if is_all else PAPERS[:1]:
        path = to / paper / f"{name}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        key = path.with_name(f"{path.stem}-key.pdf") if is_all and exercise.blank else None
        hc.save_worksheet(exercise, path, key=key, paper=paper)
    return name


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE, help="where to (this folder)")
    parser.add_argument(
        "--notebooks", action="store_true", help="the notebooks alone, without the slow sheets"
    )
    parser.add_argument("--all", action="store_true", help="keys and Letter, too")
    options = parser.parse_args()
    write_notebooks(options.folder)
    if not options.notebooks:
        write_papers(options.folder / "paper", is_all=options.all)
