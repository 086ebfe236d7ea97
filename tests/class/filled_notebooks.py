"""Notebooks of a class as students hand them in: our own, with numbers from loops in place of the blanks."""

import json
import re

import paper

from handcalc.classroom.marking.jobs import run_job
from handcalc.classroom.marking.sources import KnownCodes

BLANKS = re.compile(r'(.+) = """\n[^"]*"""')
KEPT = re.compile(r'answers\["(.*?)"\]')  # where a step of a block has a short name


def written(rows) -> str:
    """A matrix as the text of a cell: a line for each row, | between numbers."""
    return "\n".join(" | ".join("____" if x != x else f"{x:.10g}" for x in row) for row in rows)


def in_place(source, answers) -> str:
    """A cell with the answer to its step in it; any other cell, and one of another step, as it is."""
    found, kept = BLANKS.match(source), KEPT.search(source)
    step = kept[1] if kept else found and found[1]
    if not found or step not in answers:
        return source
    return f'{found[1]} = """\n{written(answers[step])}\n"""{source[found.end() :]}'


def filled(folder, code, answers):
    """The notebook of a code with these answers in it, as text; other steps stay blank."""
    notebook = json.loads((folder.path / "notebooks" / f"{code}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = in_place("".join(cell["source"]), answers).splitlines(keepends=True)
    return json.dumps(notebook, ensure_ascii=False)


def by_loops(folder, entry, **slips):
    """What a student writes who goes on from rounded numbers, and makes these slips."""
    calculation = folder.numbers.exercise(entry.code).calculation
    return paper.answered(calculation, entry.topic, 2, **slips)


class Here:
    """Marks in this process: to start others takes longer than all of these tests."""

    def __init__(self, of_class):
        self.of_class = of_class

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def run_jobs(self, jobs):
        known = KnownCodes.of(self.of_class.register)
        return [run_job(job, self.of_class.numbers.exercise, known) for job in jobs]
