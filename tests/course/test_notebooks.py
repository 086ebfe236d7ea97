"""What every notebook keeps to; that they run is nbval's part."""

import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import handcalc as hc
from handcalc.course import questions
from handcalc.course.catalogue import PRACTICE_MINUTES, lessons
from handcalc.course.questions import question
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.time_plan import plan_minutes, seconds_for_steps
from handcalc.practice.topics.problems import problem
from handcalc.views import page_widgets

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LESSONS = ["01_queries_keys_values", "02_scores_to_weights", "03_the_whole_sheet"]
COURSE = [path.stem for path in NOTEBOOKS if path.stem[:2].isdigit() and path.stem[:2] > "03"]
MOST_WORDS, MOST_LINES, MOST_LETTERS = 60, 6, 88  # a narrow page cuts longer lines
SITTING = 40  # minutes
WORDS_A_MINUTE = 130
A_GUESS, AN_EXPLORER = 0.75, 5  # minutes to think about a guess, and to look around
A_GUESS_IN_CODE = re.compile(r'\bhc\.guess\(\s*"([\w.]+)"')
# what opens when asked for, code, headings, lists, tables, sources and links
A_READER_MAY_SKIP = re.compile(
    r"(?s:<details>.*?</details>|```.*?```)|(?m:^(?:#|- |\||\*\*(?:Sources|Back)).*$)"
)
LEADS_TO = re.compile(r"\]\([^)]*\)")  # where a link leads to, with what the glossary says there
SHOWN = re.compile(r'src="data:[^"]{60,}"|hc-[0-9a-f]{10}')  # a picture, or a sheet by its content
MOST_BYTES = 1_100_000
AFTER_DRAWING = re.compile(r"<ol type|<p style=\"opacity")
WIDGET = "application/vnd.jupyter.widget-view+json"


def read(path):
    notebook = json.loads(path.read_text("utf-8"))
    cells = [(cell["cell_type"], "".join(cell["source"]), cell) for cell in notebook["cells"]]
    return notebook, cells


def texts(cells, kind):
    return [source for cell_kind, source, _ in cells if cell_kind == kind]


def sections(cells):
    """The cells from each second-level heading to the next, under the heading's line."""
    found = {}
    heading = None
    for kind, source, cell in cells:
        if kind == "markdown" and source.startswith("## "):
            heading = source.splitlines()[0]
            found[heading] = []
        if heading:
            found[heading].append((kind, source, cell))
    return found


def asked(cells):
    """The questions that cells ask for a guess."""
    return [question(name) for source in texts(cells, "code") for name in A_GUESS_IN_CODE.findall(source)]


def bare(name):
    """What is stored of a question whose answer shows nothing."""
    return hc.guess(name).fallback()


def open_part(html):
    """What of stored HTML is seen before anything is opened: details that are closed are their summary."""
    depth, seen = 0, ""
    for piece in re.split(r"(</?details\b[^>]*>|<summary>.*?</summary>)", html):
        opens, closes = piece.startswith("<details"), piece.startswith("</details")
        assert not opens or piece == "<details>", piece
        depth += opens - closes
        seen += piece if not depth or (depth == 1 and piece.startswith("<summary")) else ""
    assert depth == 0
    return seen


def assert_asks(html, name):
    """Stored HTML asks a question, draws what it is about if its file says so, and tells no answer."""
    seen, (asked, rest) = open_part(html), open_part(bare(name)["text/html"]).split("</p>", 1)
    rest = rest[AFTER_DRAWING.search(rest).start() :]
    assert seen.startswith(asked)
    assert seen.endswith(rest)
    drawn = seen[len(asked) + len("</p>") : len(seen) - len(rest)]
    assert drawn.startswith("<div data-drawn=") == (not question(name).in_words), name
    if not drawn.startswith('<div data-drawn="pictures"'):
        assert "<style" not in drawn
        assert "title=" not in drawn


def minutes(path):
    """How long a sitting is: reading, guessing, looking around, and filling in by the table of seconds."""
    _, cells = read(path)
    prose, code = (" ".join(texts(cells, kind)) for kind in ("markdown", "code"))
    questions = " ".join(" ".join((one.question, *one.options, one.because)) for one in asked(cells))
    words = len(re.findall(r"\w+", re.sub(r"<[^>]+>|\]\([^)]*\)", " ", f"{prose} {questions}")))
    around = AN_EXPLORER * ("hc.explore(" in code)
    return words / WORDS_A_MINUTE + A_GUESS * len(asked(cells)) + around + practice_minutes(path.stem)


def practice_minutes(notebook):
    """How long the practice of a lesson takes that it opens with."""
    practised = {lesson.notebook: lesson.practice for lesson in lessons().values()}.get(notebook)
    if practised is None:
        return 0
    numbers = problem(codes.code_parts(practised.topic).topic, 1, practised.level)
    plan = plan_minutes(numbers, PRACTICE_MINUTES, practised.blank)
    return plan.problems * seconds_for_steps(numbers, plan.blank) / 60


def test_there_is_a_start_one_head_in_three_sittings_the_transformer_and_practice():
    assert [path.stem for path in NOTEBOOKS] == ["00_start_here", *LESSONS, *COURSE, "practice"]


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem, scope="module")
def path(request):
    return request.param


@pytest.fixture(scope="module")
def cells(path):
    return read(path)[1]


def outputs_of(cells):
    """The outputs of code cells."""
    return [output for kind, _, cell in cells if kind == "code" for output in cell["outputs"]]


def test_a_run_is_stored_in_order_with_nothing_of_a_session_or_a_machine(path, cells):
    notebook, _ = read(path)
    counts = [cell["execution_count"] for kind, _, cell in cells if kind == "code"]
    assert counts == list(range(1, len(counts) + 1))
    outputs = outputs_of(cells)
    assert outputs
    assert {output["output_type"] for output in outputs} <= {"execute_result", "display_data"}  # no error
    assert "widgets" not in notebook["metadata"]
    assert all("execution" not in cell["metadata"] for _, _, cell in cells)
    assert not re.search(r"(?<![\w.:/])/(home|root|tmp|usr|work|Users)/", path.read_text("utf-8"))
    assert path.stat().st_size <= MOST_BYTES


def test_every_widget_has_a_twin_and_every_picture_an_alternative_text(cells):
    for data in (output["data"] for output in outputs_of(cells)):
        assert WIDGET not in data or {"text/html", "text/plain"} <= data.keys()
        html = "".join(data.get("text/html", ""))
        assert html.count("<img ") == len(re.findall(r'<img [^>]*alt="[^"]{20,}"', html))
        assert "image/png" not in data


def test_there_is_one_first_level_heading_and_no_level_is_skipped(cells):
    levels = [len(marks) for marks in re.findall(r"(?m)^(#+) ", "\n".join(texts(cells, "markdown")))]
    assert levels.count(1) == levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_sections_and_code_are_short_and_code_ends_in_something_to_see(cells):
    for kind, source, cell in cells:
        if kind == "code":
            assert len([line for line in source.splitlines() if line.strip()]) <= MOST_LINES, source
            assert max(map(len, source.splitlines())) <= MOST_LETTERS, source
            assert cell["outputs"], source
        else:
            prose = LEADS_TO.sub("]", A_READER_MAY_SKIP.sub("", source))
            words = re.findall(r"\w+", re.sub(r"\$[^$]*\$|\(\S+\)", "formula", prose))
            assert len(words) <= MOST_WORDS + 10 * source.startswith("# "), source


def test_nothing_of_an_answer_is_to_be_seen_before_it_is_asked_for(cells):
    for kind, source, cell in cells:
        if kind == "markdown":
            assert "Your guess" not in source.replace("*Your guess*", ""), source
        elif names := A_GUESS_IN_CODE.findall(source):
            (name,) = names
            assert source.splitlines()[-1].startswith("hc.guess("), source
            stored, widget = (output["data"] for output in cell["outputs"])
            assert_asks("".join(stored["text/html"]), name)
            assert "".join(stored["text/plain"]) == bare(name)["text/plain"]
            assert "".join(widget["text/html"]) == page_widgets.GUESS_PLACE
            assert WIDGET in widget


def test_what_an_answer_shows_stands_nowhere_else(cells):
    """Explorers alone may show the sheet once more, further down."""
    closed, seen = {}, {}
    for place, (kind, _, cell) in enumerate(cells):
        for data in [output["data"] for output in cell["outputs"]] if kind == "code" else []:
            html = "".join(data.get("text/html", ""))
            part = open_part(html) if "hc-guess-static" in html else html
            closed.setdefault(place, set()).update(set(SHOWN.findall(html)) - set(SHOWN.findall(part)))
            seen[place] = set(SHOWN.findall(part)), WIDGET in data
    for place, kept in closed.items():
        for other, (drawn, is_widget) in seen.items():
            assert not kept & drawn or (is_widget and other > place), (cells[place][1], cells[other][1])


def test_a_section_with_a_formula_asks_for_a_guess_and_none_has_two_widgets(cells):
    for heading, parts in sections(cells).items():
        assert "$" not in heading or heading.startswith("## What is given") or asked(parts), heading
        bundles = [output["data"] for output in outputs_of(parts) if WIDGET in output["data"]]
        places = ["".join(data["text/html"]) == page_widgets.GUESS_PLACE for data in bundles]
        assert places.count(False) <= 1, heading


def test_it_is_one_sitting_as_long_as_the_course_states_and_its_links_lead_somewhere(path, cells):
    assert minutes(path) <= SITTING
    stated = {lesson.notebook: lesson.minutes for lesson in lessons().values()}.get(path.stem)
    assert stated in {None, 5 * round(minutes(path) / 5)}
    for target in re.findall(r"\]\(([^)]+\.ipynb)\)", "\n".join(texts(cells, "markdown"))):
        assert (path.parent / target).is_file(), target


def test_a_lesson_says_asks_explores_and_practises_what_a_lesson_does(path, cells):
    prose, code = texts(cells, "markdown"), "\n".join(texts(cells, "code"))
    if path.stem in LESSONS:
        assert prose[1].startswith("Afterwards you can")
        assert 3 <= prose[1].count("\n- ") <= 5
        assert {"**Back:** [", "**Next:** ["} <= {*re.findall(r"\*\*\w+:\*\* \[", prose[-1])}
        assert sum("$" in heading for heading in sections(cells)) >= 4
        assert len(asked(cells)) >= 7
    elif path.stem in COURSE:
        assert "?" in prose[0]
        assert len(asked(cells)) >= 3
        assert "hc.explore(" in code
        assert code.count("hc.draw.") + code.count("figures.") >= 1
        assert code.count("hc.practise(") == 1
        assert any("must not believe" in heading.lower() for heading in sections(cells))
        assert "Sources" in " ".join(prose[-3:])


def test_every_notebook_leads_on_to_the_next_and_back():
    for before, after in pairwise([*NOTEBOOKS]):
        assert f"({after.name})" in texts(read(before)[1], "markdown")[-1].partition("**Next:**")[2]
        assert f"({before.name})" in texts(read(after)[1], "markdown")[-1]


def test_every_question_is_asked_once():
    names = [one.name for path in NOTEBOOKS for one in asked(read(path)[1])]
    known = [
        one.name for lesson in questions.question_files() for one in questions.read_questions(lesson).values()
    ]
    assert sorted(names) == sorted(known)


def test_the_lesson_has_all_its_formulas_in_order():
    headings = " ".join(
        heading for path in NOTEBOOKS if path.stem in LESSONS for heading in sections(read(path)[1])
    )
    steps = ["Q = W_Q X", "K = W_K X", "V = W_V X", "S = K^", "S \\div", "E = e^", "E_{\\text{sum}}$",
             "A = E", "Z = V A"]  # fmt: skip
    places = [headings.index(step) for step in steps]
    assert places == sorted(places)


def test_what_the_texts_say_of_the_numbers_is_true():
    text = " ".join(" ".join(texts(read(path)[1], "markdown")) for path in NOTEBOOKS)
    text += " ".join(str(one.because) for path in NOTEBOOKS for one in asked(read(path)[1]))
    exact, pencil = hc.examples.self_attention(), hc.examples.handout_shortcuts()
    drift = abs(pencil["Z"].values - exact["Z"].values)
    three = [hc.softmax(hc.Matrix(scores)).values[0, 0] for scores in ([2, 1, 0], [4, 1, 0])]
    facts = (
        f"share of {hc.examples.animal()['A'].values[0, 5]:.2f}: only living things",
        f"from {exact['Z'].values[0, 0]:.2f} to {pencil['Z'].values[0, 0]:.2f}, by {drift[0, 0]:.2f}",
        f"they move Z[1,{drift[0].argmax() + 1}] most, by {drift.max():.2f}",
        f"each gets {pencil['A'].values[0, 1]:.2f}",
        f"from {three[0]:.2f} to {three[1]:.2f}",
        f"factor of {np.e**2:.2f}",
        f"Column 4, with {exact['E_sum'].values.max():.2f}",
        f"Token 2, which gets {exact['A'].values.max():.2f} of it",
        f"{sum(step.values.size for step in exact.steps.values())}: Q, K, V and Z have",
        f"{5 / np.sqrt(3):.2f}, so about 3",
    )
    assert not [fact for fact in facts if fact not in text]
    assert drift.max() == drift[0].max()
    first, second = exact["A"].values[:, 0], exact["A"].values[:, 1]
    assert abs(first - second).max() <= 0.02
