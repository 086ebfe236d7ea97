"""Notebooks in a course with nbgrader: its own rules for cells, and a course that is played for real."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import filled_notebooks
import known_mistakes
import paper
import pytest
from class_files import class_of

import handcalc as hc
from handcalc.classroom.handouts import exercise_notebook
from handcalc.classroom.marking.jobs import Job, run_job
from handcalc.classroom.marking.sources import KnownCodes, Source
from handcalc.cli import main
from handcalc.practice.exercise import codes

TOPIC, CODE = "self_attention", "SA1-4292"
# https://github.com/jupyter/nbgrader/blob/main/nbgrader/nbgraderformat/v3.json
KINDS = {
    "schema_version": int, "grade": bool, "locked": bool, "solution": bool, "task": bool, "grade_id": str,
    "points": int,
}  # fmt: skip
SLIPS = [
    ("not-scaled", "S_scaled"),
    ("row-softmax", "A"),
    ("transposed-scores", "S"),
    ("divided-by-d_k", "S_scaled"),
    ("queries-and-keys-swapped", "Q"),
]


@pytest.mark.parametrize("code", [CODE, codes.code("multi_head_attention", 1)])
def test_cells_keep_to_nbgraders_rules(code):
    exercise = hc.Exercise(code)
    cells = exercise_notebook.make_notebook(exercise, nbgrader=True)["cells"]
    every = [cell["metadata"]["nbgrader"] for cell in cells if "nbgrader" in cell["metadata"]]
    for about in every:
        assert about.keys() <= KINDS.keys()
        assert all(type(value) is KINDS[name] for name, value in about.items()), about
        assert (about["schema_version"], about["locked"], about["solution"], about["task"]) == (
            3, True, False, False,
        )  # fmt: skip
        assert re.fullmatch(r"[a-zA-Z0-9_\-]+", about["grade_id"])
        assert ("points" in about) == about["grade"]
    assert len({about["grade_id"] for about in every}) == len(every)
    points = [about["points"] for about in every if about["grade"]]
    assert points == [exercise.calculation[step].values.size for step in exercise.blank]


def test_only_where_it_is_asked_for(tmp_path):
    assert "nbgrader" not in exercise_notebook.dump_notebook(
        exercise_notebook.make_notebook(hc.Exercise(CODE))
    )
    assert (
        main(["notebook", "softmax", "--nbgrader", "-o", str(tmp_path / "source" / "ps1" / "a.ipynb")]) == 0
    )
    (tmp_path / "source" / "ps1" / "a.ipynb").rename(tmp_path / "a.ipynb")
    assert main(["notebook", "softmax", "-o", str(tmp_path / "typo" / "a.ipynb")]) == 2
    assert '"points": 3' in (tmp_path / "a.ipynb").read_text("utf-8")


def test_points_are_the_numbers_that_are_right_or_follow():
    calculation = hc.Exercise(CODE).calculation
    right = paper.answered(calculation, TOPIC, 2)
    mine = right | {"Q": [[x + 1 for x in row] for row in right["Q"]]}
    sheet = {"hc": hc, "exercise": None, **mine}
    exercise = hc.Exercise(CODE)
    assert [exercise.points(step, sheet) for step in ("Q", "K")] == [0, sum(len(row) for row in right["K"])]
    assert exercise.points("Q", {}) == 0
    assert exercise.points("S", {"S": "rubbish"}) == 0
    with pytest.raises(ValueError, match="'P' is not a step here"):
        exercise.points("P", {})


def test_one_number_everywhere_has_no_points_nor_has_what_follows_from_it():
    exercise = hc.Exercise(CODE)
    right = paper.answered(exercise.calculation, TOPIC, 2)
    zeros = [[0] * len(row) for row in right["Q"]]
    again = paper.answered(exercise.calculation, TOPIC, 2, Q=lambda _, right: zeros)
    assert {step: exercise.points(step, again) for step in again} == dict.fromkeys(again, 0)
    less = again | {"Q": [[0.5, *row[1:-1], 2.5] for row in zeros]}  # wrong, too, but more than two numbers
    assert exercise.points("K", less) == sum(map(len, right["K"]))


@pytest.mark.parametrize("topic", ["softmax", "multi_head_attention"])
def test_run_as_nbgrader_runs_it_each_cell_of_points_ends_in_its_points(topic):
    """One step of a block is wrong, what follows is right on it: that step alone costs points."""
    code = codes.code(topic, 3)
    calculation = hc.Exercise(code).calculation
    wrong = next(iter(calculation.steps))
    slip = {wrong: lambda see, right: [[x + 1 for x in row] for row in right]}
    answers = paper.answered(calculation, topic, 2, **slip)
    variables, found = {}, {}
    for cell in exercise_notebook.make_notebook(code, nbgrader=True)["cells"]:
        about, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
        if cell["cell_type"] != "code" or "given" in source or "figure" in source:
            continue
        if about.get("grade"):
            step = re.search(r'points\("(.*?)"', source)[1]
            found[step] = (eval(source.splitlines()[-1], variables), about["points"])
        else:
            exec(filled_notebooks.in_place(source, answers), variables)
    sizes = {step: calculation[step].values.size for step in answers}
    assert found == {step: (0 if step == wrong else size, size) for step, size in sizes.items()}


# a course, played ------------------------------------------------------------------------------


def slips():
    """Mistakes by loops, one a student, with correct work after each."""
    known = known_mistakes.KNOWN[: known_mistakes.OF_ONE_HEAD]
    made = {(one.name, one.step): one.make for one in known}
    return [{step: made[name, step]} for name, step in SLIPS]


def submissions(of_class, entry):
    """Twelve: all right, half, planted mistakes, nothing, a copied and a deleted cell."""
    right = filled_notebooks.by_loops(of_class, entry)
    half = {step: right[step] for step in ("Q", "K", "V")}
    answers = [right, right, right, half, half, {}]
    answers += [filled_notebooks.by_loops(of_class, entry, **slip) for slip in slips()]
    return [*answers, right]


def test_a_copied_or_deleted_cell_of_points_costs_nothing_here(tmp_path):
    of_class = class_of(tmp_path / "8b", ["Ada"], "softmax")
    (entry,) = of_class.register
    path = of_class.path / "notebooks" / f"{entry.code}.ipynb"
    path.write_text(
        exercise_notebook.dump_notebook(exercise_notebook.make_notebook(entry.code, nbgrader=True)), "utf-8"
    )
    text = filled_notebooks.filled(of_class, entry.code, filled_notebooks.by_loops(of_class, entry))
    kept = json.loads(text)
    graded = [cell for cell in kept["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]
    for cells in (
        [*kept["cells"], graded[0]],
        [cell for cell in kept["cells"] if cell not in graded],
        kept["cells"],
    ):
        path.write_text(json.dumps({**kept, "cells": cells}), "utf-8")
        assert standing_of(of_class, path).count("right") == 7


def standing_of(of_class, path):
    (found,), _ = run_job(
        Job(Source(str(path), str(path))), of_class.numbers.exercise, KnownCodes.of(of_class.register)
    )
    assert found.trouble == ""
    return found.standing


@pytest.mark.sweep
def test_nbgrader_gives_the_points_that_we_give(nbgrader, tmp_path):
    """generate_assignment, twelve submissions, autograde: nbgrader runs them, we only read them."""
    of_class = class_of(tmp_path / "8b", ["Ada"], TOPIC)
    (entry,) = of_class.register
    course, name = tmp_path / "course", f"{entry.code}.ipynb"
    source = course / "source" / "ps1" / name
    source.parent.mkdir(parents=True)
    to_fill = exercise_notebook.make_notebook(hc.Exercise(entry.code, solutions=False), nbgrader=True)
    source.write_text(exercise_notebook.dump_notebook(to_fill), "utf-8")
    (course / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'handcalc'\n")
    path = f"{nbgrader.parent}{os.pathsep}{os.environ['PATH']}"  # it calls alembic
    python_path = {"PYTHONPATH": str(Path(hc.__file__).parents[1]), "PATH": path}

    def command(*words):
        done = subprocess.run(
            [nbgrader, *words], cwd=course, env=os.environ | python_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]

    command("generate_assignment", "ps1")
    released = course / "release" / "ps1" / name
    shutil.copy(released, of_class.path / "notebooks" / name)
    ours = {}
    for number, answers in enumerate(submissions(of_class, entry), start=1):
        path = course / "submitted" / f"student{number:02}" / "ps1" / name
        path.parent.mkdir(parents=True)
        path.write_text(filled_notebooks.filled(of_class, entry.code, answers), "utf-8")
        standing = standing_of(of_class, path)
        ours[f"student{number:02}"] = standing.count("right") + standing.count("following")
    command("autograde", "ps1")
    rows = sqlite3.connect(course / "gradebook.db").execute(
        "select submitted_assignment.student_id, sum(grade.auto_score) from grade"
        " join submitted_notebook on grade.notebook_id = submitted_notebook.id"
        " join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id"
        " group by submitted_assignment.student_id"
    )
    theirs = {student: round(score) for student, score in rows}
    assert len(ours) == 12
    assert theirs == ours
    assert len(set(ours.values())) > 4
