"""`handcalc templates`: one topic, or a calculation of your own, four times: from worked to fresh numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from handcalc.cli import arguments, own_files
from handcalc.cli.arguments import Command, choose_value
from handcalc.foundation import atomic_files
from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.progress import with_progress
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.faded_examples import faded_examples
from handcalc.record.calculation import Calculation

STAGE_TITLES = ("worked", "some blanks", "all blank", "fresh numbers")


class TemplateStage(NamedTuple):
    """One of the four: its files, and what is on them."""

    path: Path  # without a suffix
    title: str
    exercise: Exercise

    @property
    def files(self) -> list[Path]:
        """A notebook, a sheet and, where anything is blank, its key."""
        named = [self.path.with_suffix(".ipynb"), self.path.with_suffix(".pdf")]
        return [*named, *([self.path.with_name(f"{self.path.name}-key.pdf")] if self.exercise.blank else [])]


def write_templates(options: argparse.Namespace) -> list[str]:
    """Write four notebooks, their sheets and keys."""
    from handcalc.classroom.handouts import worksheet  # here: it draws, and drawing takes long to load
    from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
    from handcalc.views.paper import paper_called

    own_files.run_own_files(options)
    paper_called(options.paper)
    stages = list(_stages(options))
    if not options.force:
        atomic_files.check_free([path for stage in stages for path in stage.files], arguments.FORCE_OPTION)
    atomic_files.make_folder(stages[0].path.parent)
    for stage, after in with_progress(zip_longest(stages, stages[1:]), "Writing templates", len(stages)):
        text, sheet, *key = stage.files
        foot = f"**Next:** [{after.title}]({after.path.name}.ipynb)." if after else ""
        made = make_notebook(stage.exercise, title=stage.title, foot=foot)
        atomic_files.write_whole(text, dump_notebook(made), overwrite=True)
        worksheet.save_worksheets([stage.exercise], sheet, key=key[0] if key else None, paper=options.paper)
    return [f"{stage.path}: notebook, sheet{' and key' * bool(stage.exercise.blank)}" for stage in stages]


def _stages(options: argparse.Namespace) -> Iterator[TemplateStage]:
    """The four exercises, with where they go."""
    content = own_files.find_content(options.topic)
    if isinstance(content, str) and codes.is_code(content):
        raise HandcalcError(
            f"{short(content)} is the code of one sheet; templates need a topic, such as softmax."
        )
    if isinstance(content, Calculation) and (options.seed, options.level) != (None, None):
        raise HandcalcError("A saved calculation has its own numbers; leave out --seed and --level.")
    rungs = faded_examples(
        content,
        options.blank,
        seed=choose_value(options.seed, 1),
        level=choose_value(options.level, 1),
        places=options.places,
        convention=options.convention or "columns",
    )
    name = atomic_files.read_path(options.topic).stem if isinstance(content, Calculation) else content
    folder = atomic_files.read_path(options.output or name)
    for number, (stage, exercise) in enumerate(zip(STAGE_TITLES, rungs, strict=True), start=1):
        title = f"{exercise.calculation.title} {number} of {len(STAGE_TITLES)}: {stage}"
        yield TemplateStage(folder / f"{number}_{stage.replace(' ', '_')}", title, exercise)


TEMPLATES_COMMAND = Command(
    "templates",
    write_templates,
    "write a topic four times: worked, some blanks, all blank, fresh numbers",
    (
        arguments.option("topic", "from `handcalc topics`, or your own my_topic.py or my.json"),
        arguments.SEED,
        arguments.LEVEL,
        arguments.ROWS,
        arguments.blank("the steps that are blank in the second one: Q,S"),
        arguments.DECIMAL_PLACES,
        arguments.PAPER,
        arguments.output("FOLDER", "where to (default: the topic's name)"),
        arguments.FORCE,
        arguments.OWN_FILE,
    ),
)
