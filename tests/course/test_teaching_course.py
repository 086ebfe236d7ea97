"""The pages of docs/teaching: plans of 45 minutes, numbers that the slides ask for, questions answered."""

import json
import re
from itertools import pairwise
from pathlib import Path

import loops
import pytest

import handcalc as hc
from handcalc.cli import make_parser
from handcalc.course.catalogue import PRACTICE_MINUTES, lessons
from handcalc.course.questions import question

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "teaching"
PAGES = sorted(FOLDER.glob("[0-9][0-9]_*.md"))
LESSONS = {lesson.notebook: lesson for lesson in lessons().values()}
A_GUESS_IN_CODE = re.compile(r'\bhc\.guess\((?:\\n)?\s*\\"([\w.]+)\\"')  # as JSON has it
COURSE = (ROOT / "docs" / "teaching.md").read_text("utf-8")
ASKED = """({ askable, calculation: { Calculation } }, spec) => {
  const calculation = new Calculation(spec);
  return calculation.steps.filter(({ name }) => name).map((step) => {
    const [, row, column] = askable.cellToAsk(step);
    return [step.name, row + 1, column + 1];
  });
}"""
BLOCKS = {"the feed-forward": "ff"} | {
    f"{block} {k}": f"{block.replace(' & ', '_')}_{k}"
    for block in ("head", "layer", "word", "step", "add & norm")
    for k in (1, 2, 3)
}
CELL = re.compile(rf"\b([A-Za-zα-ω][\w.]*)\[(\d+),(\d+)\] = (−?\d+(?:\.\d+)?)(?: of ({'|'.join(BLOCKS)}))?")


def written(value):
    """A number as the pages write it."""
    text = f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.2f}"
    return text.replace("-", "−")


def rows_of(text, heading):
    """The rows of the table under a heading, without its head."""
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def assert_plan(text):
    """It goes on without a gap for 45 minutes."""
    minutes = [tuple(map(int, row[0].split("–"))) for row in rows_of(text, "The lesson")]
    assert minutes[0][0] == 0
    assert minutes[-1][1] == 45
    assert all(one[1] == two[0] for one, two in pairwise(minutes))


def assert_closing(text, *notebooks):
    """It ends with guesses of these notebooks: name, question, answer, and what wrong answers mean."""
    rows = rows_of(text, "Questions to end with")
    assert len(rows) >= 5
    sources = [(ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8") for name in notebooks]
    asked = A_GUESS_IN_CODE.findall("".join(sources))
    for name, words, answer, wrong in rows:
        found = question(name.strip("`"))
        assert found.name in asked
        assert (words, answer) == (found.question.html, found.answer_text.html)
        assert wrong.count("”: ") >= len(found.slips) >= 1


def plain(text):
    return re.sub(r"<sub>([\w,]+)</sub>", r"_\1", text)


def bare(text):
    return re.sub(r"</?sub>|_", "", text)


def cells_in(text, calc):
    """The numbers that a text names: step, row, column, value."""
    for name, row, column, value, block in CELL.findall(text):
        paths = [path.split(".") for path in calc]
        called = [p for p in paths if p[-1] == name and (not block or BLOCKS[block] in p)]
        found = min(called, key=len)  # a block's own, if there is none outside
        yield ".".join(found), int(row), int(column), value


def shown(text):
    """What the page's slides show: its code run, `calc`."""
    names = {"hc": hc}
    for block in re.findall(r"(?s)```python\n(.*?)```", text):
        exec("\n".join(line.strip() for line in block.splitlines()), names)
    return names["calc"]


def test_every_page_is_in_the_course_and_has_its_notebook():
    for page in (*PAGES, FOLDER / "one_lesson.md"):
        assert f"(teaching/{page.name})" in COURSE, page.name
    lessons = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    assert [page.stem for page in PAGES] == lessons[1:]  # all but the start


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
class TestPage:
    @pytest.fixture
    def text(self, page):
        return page.read_text("utf-8")

    def test_it_has_a_plan_of_45_minutes(self, text):
        assert_plan(text)

    def test_it_says_what_goes_wrong_and_what_to_say(self, text):
        rows = rows_of(text, "What goes wrong, and what to say")
        assert len(rows) >= 3
        assert all(len(row) == 3 and all(row) for row in rows)

    def test_it_plans_ten_minutes_of_practice_with_its_sheet_and_names_the_commands(self, page, text):
        practised = LESSONS[page.stem].practice
        (row,) = (row for row in rows_of(text, "The lesson") if row[1] == "The sheets: ten minutes.")
        begin, end = map(int, row[0].split("–"))
        assert end - begin == PRACTICE_MINUTES
        told = re.findall(r"`\.venv/bin/handcalc ([^`]*--minutes 10[^`]*)`", text)
        worksheet, class_new = told[-2:]
        for command in (worksheet, class_new):
            options = make_parser().parse_args(command.split())
            assert (options.minutes, options.count) == (PRACTICE_MINUTES, 30)
            assert (options.level or 1, tuple(options.blank or ())) == (
                practised.level, practised.blank or ()
            )  # fmt: skip
            (topic,) = options.topic if isinstance(options.topic, list) else [options.topic]
            assert topic.replace("-", "_") == practised.topic.replace("-", "_")
        numbers = hc.problem(practised.topic, 1, practised.level)
        exercise = hc.Exercise(numbers, practised.blank, minutes=PRACTICE_MINUTES)
        assert f": {exercise.fields} blanks, about {round(exercise.minutes)} minutes" in row[2]

    def test_it_asks_guesses_of_its_notebook_by_name_and_says_what_wrong_answers_mean(self, page, text):
        assert_closing(text, page.stem)

    def test_its_numbers_are_those_of_the_slides_which_ask_for_them(self, text, node):
        calc = shown(text)
        plan = plain(text.partition("## The lesson\n")[2].partition("\n## ")[0])
        for name, row, column, value in cells_in(plan, calc):
            found = written(calc[name].values[row - 1, column - 1])
            assert value == found, (name, row, column)
        asked = {tuple(cell) for cell in node(ASKED, calc.to_spec())}
        for sentence in re.findall(r"asks? for (.*?)(?: \||\. )", plan):
            for name, row, column, _ in cells_in(sentence, calc):
                assert (name, row, column) in asked, (name, row, column)


# Self-attention in one lesson: its figures are those of the loops.
TESTS = Path(__file__).parents[1]
TEXT = (TESTS.parent / "docs" / "teaching" / "one_lesson.md").read_text("utf-8")
GIVENS = json.loads((TESTS / "golden" / "worked_example.json").read_text("utf-8"))["givens"]
X, WEIGHTS = GIVENS["X"], [GIVENS[name] for name in ("W_Q", "W_K", "W_V")]
STEPS = loops.attention(X, X, *WEIGHTS)


Z, A, V = STEPS["Z"], STEPS["A"], STEPS["V"]


def test_it_ends_with_guesses_of_the_first_three_notebooks():
    assert_closing(TEXT, "01_queries_keys_values", "02_scores_to_weights", "03_the_whole_sheet")


def test_every_figure_in_the_text_is_a_number_of_the_example():
    plain = re.sub(r"<sub>(\w+)</sub>", r"_\1", TEXT)
    found = re.findall(r"\b([A-Z](?:_\w+)?)\[(\d),(\d)\] = (−?[\d.]+\d|−?\d)", plain)
    assert len(found) >= 6
    for name, row, column, value in found:
        known = STEPS.get(name, GIVENS.get(name))[int(row) - 1][int(column) - 1]
        assert value == written(known), (name, row, column)


def wrong_numbers():
    """The numbers that each mistake leads to, worked out by committing it."""
    Q, K, S = STEPS["Q"], STEPS["K"], STEPS["S"]
    by_row = [[e / sum(row) for e in row] for row in STEPS["E"]]

    def weights(scale):
        return loops.scores_to_weights(loops.each(lambda s: s / scale, S), V)["A"]

    without_sign = [[abs(w) for w in row] for row in WEIGHTS[1]]
    rounded = loops.each(lambda share: round(share, 1), A)
    return {
        "S[2,4] comes out as": loops.product(loops.transposed(Q), K)[1][3],
        "A[2,4] is": [by_row[1][3], weights(3)[1][3], weights(1)[1][3]],
        "Z[2,1] is": loops.product(V, loops.transposed(A))[1][0],
        "Z[1,1] is": loops.product(V, rounded)[0][0],
        "K[3,3] is": loops.product(without_sign, X)[2][2],
    }


def test_each_mistake_leads_to_the_number_that_is_told():
    expected = []
    for words, values in wrong_numbers().items():
        expected += [
            f"{words} {written(value)}" for value in (values if isinstance(values, list) else [values])
        ]
    told = [row[0] for row in rows_of(TEXT, "What goes wrong, and what helps")]
    assert [words for words in told if not words.startswith('"')] == expected


def test_the_code_in_it_runs():
    for block in re.findall(r"(?s)```python\n(.*?)```", TEXT):
        exec("\n".join(line.strip() for line in block.splitlines()), {})


def test_what_it_promises_of_the_lesson_is_there():
    for path in re.findall(r"`(notebooks/[\w.]+)`", TEXT):
        assert (TESTS.parent / path).is_file()
    assert_plan(TEXT)
    assert hc.present(hc.examples.self_attention()).mode == "present"
