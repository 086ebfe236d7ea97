"""Write every template again: notebooks to fill, and sheets and keys in paper/a4 and paper/letter."""

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import handcalc as hc
from handcalc.classroom.notebook import notebook, written

HERE = Path(__file__).parent
BEFORE = {  # one notebook each, all blank: (seed, level)
    "dot_product": (1, 1),
    "matrix_product": (1, 2),
    "linear_layer": (1, 1),
    "softmax": (1, 2),
}
AFTER = {"multi_head_attention": (1, 1), "feed_forward": (1, 1)}  # self-attention
STAGES = ("worked", "some blanks", "all blank", "fresh numbers")  # of faded examples
FRESH = ("self_attention", 1, 2)  # topic, seed and level of the last one
EXAMPLE = "worked_example"


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
        foot = "**On paper:** " + ", ".join(
            f"[{paper}](paper/{paper}/{self.name}.pdf)" for paper in ("a4", "letter")
        )
        foot += f", code {self.exercise.code}"
        if self.following:
            foot += f".\n\n**Next:** [{self.following}]({self.following}.ipynb)"
        return written(notebook(self.exercise, source=self.source, title=self.title, foot=foot + "."))


def templates() -> Iterator[Template]:
    """Every template, in the order in which one learns; the faded examples with tokens as rows come last."""
    faded = [list(stages(convention)) for convention in ("columns", "rows")]
    way = [*map(blank, BEFORE.items()), *faded[0], *map(blank, AFTER.items())]
    yield from following(way)
    yield from following(faded[1])


def following(way: list[Template]) -> Iterator[Template]:
    """Each template with the name of the next one."""
    for template, after in pairwise(way):
        yield template._replace(following=after.name)
    yield way[-1]


def blank(drawn: tuple[str, tuple[int, int]]) -> Template:
    """A topic's problem, all blank."""
    topic, (seed, level) = drawn
    exercise = hc.Exercise(hc.code(topic, seed, level))
    return Template(topic, exercise.calculation.title, exercise)


def stages(convention: str) -> Iterator[Template]:
    """Self-attention: the worked example read, its result blank, all blank, then fresh numbers."""
    climb = hc.faded_examples(EXAMPLE, fresh=hc.code(*FRESH), convention=convention)
    names = [
        f"self_attention_{number}_{stage.replace(' ', '_')}{'_rows' * (convention == 'rows')}"
        for number, stage in enumerate(STAGES, start=1)
    ]
    for number, (stage, exercise) in enumerate(zip(STAGES, climb, strict=True)):
        yield Template(
            names[number],
            f"Self-attention {number + 1} of {len(STAGES)}: {stage}, tokens as {convention}",
            exercise,
            "hc.examples.self_attention()" if stage != STAGES[-1] else "",
        )


def write(to: Path, *, paper: bool = True) -> None:
    """Write all of it into a folder, or the notebooks alone, which takes a moment."""
    for template in templates():
        (to / f"{template.name}.ipynb").write_text(template.text, "utf-8", newline="\n")
        if paper:
            write_paper(template, to / "paper")
        print(template.name)


def write_paper(template: Template, to: Path) -> None:
    """A template's sheets and keys, on both papers."""
    for paper in ("a4", "letter"):
        folder = to / paper
        folder.mkdir(parents=True, exist_ok=True)
        key = folder / f"{template.name}-key.pdf" if template.exercise.blank else None
        path = folder / f"{template.name}.pdf"
        hc.save_worksheet(template.exercise, path, key=key, paper=paper)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE, help="where to (this folder)")
    parser.add_argument(
        "--notebooks", action="store_true", help="the notebooks alone, without the slow sheets"
    )
    options = parser.parse_args()
    write(options.folder, paper=not options.notebooks)
