"""Notebooks to fill: they are what the builder writes, run untouched, and tell right from wrong."""

import ast
import contextlib
import io
import json
import re
import subprocess
from functools import cache
from importlib.metadata import version
from itertools import combinations

import known_mistakes
import nbformat
import numpy as np
import paper
import pytest
from nbclient import NotebookClient
from scripts import ROOT, script

import handcalc as hc
from handcalc.course.catalogue import lessons
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.marking.states import CORRECT, FOLLOWS, NOT_ATTEMPTED, WRONG
from handcalc.practice.topics import EXAMPLES
from handcalc.views.sections import sections

FOLDER = ROOT / "templates"


BUILDER = script("templates/build.py")
NAMES = BUILDER.NAMES
WITH_BLANKS = [name for name in NAMES if not name.endswith("1_worked")]
TAUGHT_IN_SELF_ATTENTION = {"start", "queries_keys_values", "scores_to_weights", "whole_sheet"}
# Nobody fills in a trained model: its sheets are those of two_layers and of causal self-attention.
TAUGHT_BY_LOOKING = {"by_hand", "real_model", "sorting"}
DRAWN = ["basics/softmax", "self_attention_rows/3_all_blank", "heads/2_some_blanks"]
SAMPLE = {  # `make test` runs these, and of each lesson's four one with blanks; test-all runs every one
    *(name for name in NAMES if name.startswith("self_attention/")),
    *(name for place, name in enumerate(NAMES) if "1_worked" not in name and place % 4 == 2),
}


def of_each(names):
    return [
        pytest.param(name, id=name, marks=[] if name in SAMPLE else [pytest.mark.sweep]) for name in names
    ]


every = pytest.mark.parametrize("template", of_each(NAMES), indirect=True)
with_blanks = pytest.mark.parametrize("template", of_each(WITH_BLANKS), indirect=True)


@cache
def templates():
    return {template.name: template for template in BUILDER.templates()}


@pytest.fixture(params=NAMES, scope="module")
def template(request):
    return templates()[request.param]


@cache
def cells(name):
    found = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))["cells"]
    return [(cell["cell_type"], "".join(cell["source"]), cell) for cell in found]


def sources(name, kind="code"):
    return [source for kind_, source, _ in cells(name) if kind_ == kind]


def run(lines):
    """Run cells as a notebook does; returns what their last expressions came to."""
    names, shown = {}, []
    for source in lines:
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, "cell", "exec"), names)
            shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None)
    return shown, names


def checks(shown):
    return [value for value in shown if isinstance(value, Feedback)]


def filled(name, change, instead=None):
    """The cells with numbers in the blanks: `change` of what is right, or of what stands there `instead`."""
    exercise = templates()[name].exercise

    def fill(source):
        blank = re.match(
            r'(answers\["(.+)"\]|(\w+)) = """\n[_ |\n]+"""\n(answers\["(.+)"\] = \w+\n)?(?=exercise\.check)',
            source,
        )
        if not blank:
            return source
        step = blank[5] or blank[2] or blank[3]  # in a block it has its short name, too
        right = (instead or {}).get(step, exercise.solution(step).values)
        rows = "\n".join(" | ".join(map(repr, row)) for row in change(np.round(right, 2)).tolist())
        return f'{blank[1]} = """\n{rows}\n"""\n{blank[4] or ""}{source[blank.end() :]}'

    return [fill(source) for source in sources(name)]


def as_it_is(right):
    return right


def test_the_notebooks_are_what_the_builder_writes(template):
    assert (FOLDER / f"{template.name}.ipynb").read_text("utf-8") == template.text, "run `make templates`"


def test_every_stage_of_every_lesson_is_there_and_nothing_else():
    found = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.ipynb")}
    assert found == {*NAMES} == {*templates()}
    assert {*WITH_BLANKS} == {name for name, template in templates().items() if template.exercise.blank}
    stages = {"1_worked", "2_some_blanks", "3_all_blank", "4_fresh_numbers"}
    for folder in (
        "self_attention",
        "self_attention_rows",
        *(lessons().keys() - TAUGHT_IN_SELF_ATTENTION - TAUGHT_BY_LOOKING),
    ):
        assert {name.partition("/")[2] for name in NAMES if name.startswith(f"{folder}/")} >= stages


def test_every_example_with_a_code_has_its_templates():
    assert {codes.read_code(one.exercise.code).topic for one in templates().values()} >= {*EXAMPLES}


def test_some_blanks_are_some_and_not_all_steps():
    for name, template in templates().items():
        if "2_some_blanks" in name:
            asked, steps = template.exercise.blank, template.exercise.calculation.steps
            assert 1 < len(asked) < len(steps), name
            for step in [step for one, step in steps.items() if one not in asked and step.formula[-1] == "]"]:
                assert not {source.name for source in step.reads()} & {*asked}, (name, step.name)


def test_it_is_unexecuted_and_valid(template):
    notebook = nbformat.read(FOLDER / f"{template.name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.execution_count is None
            assert cell.outputs == []


def test_it_has_a_section_for_every_step_with_formula_and_reason(template):
    texts = sources(template.name, "markdown")
    assert [text.startswith("# ") for text in texts].count(True) == 1
    headed = [text for text in texts if text.startswith(("## ", "### "))]
    steps = [step for section in sections(template.exercise.calculation) for step in section.steps]
    assert len(steps) == len(template.exercise.calculation.steps)
    for step in steps:
        assert any(f"${step.latex}$" in text and step.why in text for text in headed), step.name
    code = "\n".join(sources(template.name))
    for name in template.exercise.blank:
        rows, columns = template.exercise.calculation[name].shape
        row = " | ".join(["____"] * columns) + "\n"
        assert f' = """\n{row * rows}"""' in code
        assert f'# exercise.hint("{name}")' in code


@every
def test_it_bears_the_numbers_it_was_built_with(template):
    _, names = run(sources(template.name)[:2])
    exercise = names["exercise"]
    assert exercise.blank == template.exercise.blank
    for name, matrix in template.exercise.calculation.items():
        assert (exercise.calculation[name].values == matrix.values).all()


@every
def test_untouched_it_runs_and_nothing_was_attempted(template):
    shown, _ = run(sources(template.name))
    for feedback in checks(shown):
        assert all((states == NOT_ATTEMPTED).all() for states in feedback.cells.values())
    assert len(checks(shown)) == len(template.exercise.blank) + bool(template.exercise.blank)


@with_blanks
def test_filled_rightly_every_check_is_correct(template):
    shown, _ = run(filled(template.name, as_it_is))
    for name, feedback in zip(template.exercise.blank, checks(shown), strict=False):
        assert (feedback.cells[name] == CORRECT).all(), name
        assert not feedback.mistakes
    assert all(feedback.is_complete for feedback in checks(shown)[-1:])


@with_blanks
def test_filled_wrongly_not_one_number_is_correct(template):
    shown, _ = run(filled(template.name, lambda right: -3 * right - 1000.123))
    for feedback in checks(shown):
        assert feedback.count(CORRECT) == 0
        assert not feedback.problems


@with_blanks
def test_filled_with_a_known_mistake_it_is_never_all_right(template):
    """The mistakes by loops, each in one step, with the right numbers in the others."""
    exercise = hc.Exercise(template.exercise.code)
    calculation = exercise.calculation.in_convention("columns")
    right = {name: step.values.tolist() for name, step in calculation.steps.items()}
    planted = list(known_mistakes.applicable(paper.givens(calculation), right))
    for step, known in planted if template.name in SAMPLE else planted[:: max(1, len(planted) // 12)]:
        wrong = made(calculation, right, step, known)
        if step in exercise.blank and paper.apart(wrong, right[step], 0.0101).any():
            answers = {name: paper.rounded(right[name], 2) for name in exercise.blank}
            answers |= {step: paper.rounded(wrong, 2)}
            feedback = exercise.check(**paper.turned(answers, exercise.calculation.convention))
            assert not feedback.is_complete, (step, known.name)


def made(calculation, right, step, known):
    sheet = paper.givens(calculation) | right
    return known_mistakes.made(known, step.rpartition(".")[0], right[step], sheet)


def test_a_slip_costs_one_step_only():
    name = "self_attention/3_all_blank"
    calc = templates()[name].exercise.calculation
    Q = calc["Q"].values + np.array([[1], [0], [0]])
    shown, _ = run(filled(name, as_it_is, {"Q": Q, "S": calc["K"].values.T @ Q}))
    scores = checks(shown)[templates()[name].exercise.blank.index("S")]
    assert scores.count(WRONG, "Q") == calc["Q"].shape[1]
    assert scores.count(WRONG, "S") == 0
    assert scores.count(FOLLOWS, "S") > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["self_attention_rows/2_some_blanks"])
def test_untouched_it_runs_in_a_kernel(name):
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": FOLDER}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert "not attempted" in str(outputs[-1])


# paper --------------------------------------------------------------------------------------------


def test_every_notebook_has_its_sheet_on_a4():
    command = ["git", "ls-files", "paper"]
    kept = subprocess.run(command, cwd=FOLDER, check=True, stdout=-1, encoding="utf-8").stdout.split()
    assert {*kept} == {f"paper/a4/{name}.pdf" for name in templates()}
    assert sum((FOLDER / path).stat().st_size for path in kept) < 2_400_000


@pytest.mark.parametrize("template", [DRAWN[0], "self_attention/1_worked"], indirect=True)
def test_keys_and_letter_are_drawn_on_demand(template, tmp_path, printed):
    BUILDER.write_paper(tmp_path, template.name, is_all=True)
    drawn = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.pdf")}
    ends = [".pdf", "-key.pdf"] if template.exercise.blank else [".pdf"]
    assert drawn == {f"{paper}/{template.name}{end}" for paper in ("a4", "letter") for end in ends}
    foot = sources(template.name, "markdown")[-1]
    line = re.search(r"`(hc\.save_worksheet\(.*?\))`", foot)[1]
    assert ('key="key.pdf"' in line) == bool(template.exercise.blank)
    with contextlib.chdir(tmp_path):
        exec(line, {"hc": hc, "exercise": template.exercise})
    assert (tmp_path / "sheet.pdf").read_bytes() == (tmp_path / f"a4/{template.name}.pdf").read_bytes()


@pytest.mark.parametrize("template", [
    DRAWN[0],
    *(pytest.param(name, marks=pytest.mark.slow) for name in DRAWN[1:]),
    *(pytest.param(name, marks=pytest.mark.sweep) for name in NAMES if name not in DRAWN),
], indirect=True)  # fmt: skip
@pytest.mark.paper
def test_the_sheets_are_what_the_builder_draws(template, tmp_path):
    pinned = re.search(r"(?m)^typst==(\S+)", (ROOT / "constraints.txt").read_text("utf-8"))[1]
    if version("typst") != pinned:
        pytest.skip(f"set by Typst {pinned}, here is {version('typst')}")
    BUILDER.write_paper(tmp_path, template.name, is_all=False)
    drawn, stored = (folder / f"{template.name}.pdf" for folder in (tmp_path / "a4", FOLDER / "paper" / "a4"))
    assert drawn.read_bytes() == stored.read_bytes(), "run `make templates`"


@pytest.fixture(scope="module")
def stored(printed):
    """The pages of every sheet that is kept."""
    return {name: printed.pages(FOLDER / "paper" / "a4" / f"{name}.pdf") for name in NAMES}


def test_all_sheets_together_are_few_pages_and_no_more_than_what_they_need(stored):
    assert sum(map(len, stored.values())) <= 80  # 170 when each block had pages of its own
    for name in ("self_attention/3_all_blank", "heads/3_all_blank", "masks/3_all_blank", "gpt/3_all_blank"):
        assert len(stored[name]) == 1, name


def test_every_page_stands_upright_and_is_used(stored):
    for name, pages in stored.items():
        assert all(page.size[0] < page.size[1] for page in pages), name
        assert all(page.fill >= 0.3 for page in pages[:-1]), name
        assert all(page.is_grey for page in pages), name  # so that it says the same without colours
        assert all(re.search(r"\d", page.said.partition("places.")[2]) for page in pages), name  # numbers


@pytest.mark.slow
def test_on_every_page_type_can_be_read_and_nothing_overlaps(stored):
    for name, pages in stored.items():
        for page in pages:
            assert min(text.size for text in page.texts if not text.is_formula) >= 7, name
            assert not [pair for pair in combinations(page.texts, 2) if pair[0].overlaps(pair[1])], name
