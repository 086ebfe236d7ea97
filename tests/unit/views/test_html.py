"""The HTML of sheets and matrices: the numbers of the text, explained, well formed, the same every time."""

import cProfile
import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from html.parser import HTMLParser

import cases
import pytest
from on_page import by_operand

import handcalc as hc
from handcalc.views.sections import sections

VOID = {"br", "img", "hr", "input", "meta", "link"}
NUMBER = re.compile(r"-?(\d+(\.\d+)?(e\+\d+)?|∞)")
TITLE = re.compile(r"\S+(?: = (?:\S+ )*\S+)?  \(\d+ by \d+[^)\n]*\)")  # S = Kᵀ Q  (4 by 4, scores)
RULE = re.compile(
    r"\.(hc-\w+):has\(\.n(\d+):is\(:hover,:focus\)\) :is\(([^)]*)\)"
    r"\{outline:var\(--hc-on-(\w)\);box-shadow:var\(--hc-clear\)\}"
)
CALC = hc.examples.self_attention()

every_case = pytest.mark.parametrize("case", cases.CALCULATIONS)
every_way = cases.both_ways()


class Parsed(HTMLParser):
    """Reads HTML strictly: every tag that is opened is closed, in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.tables: list[list[list[str]]] = []  # rows of texts, of labels too
        self.captions: list[str] = []
        self.cells: list[tuple[dict[str, str | None], str]] = []  # of numbers: attributes and text
        self.style = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        self.tags[tag] += 1
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "caption":
            self.captions.append("")
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            if "data-row" in names:
                self.cells.append((dict(attributes), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open:
            self.style += data
        elif "caption" in self.open:
            self.captions[-1] += data
        elif self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data
            if self.cells and self.open[-1] == "td":
                self.cells[-1] = (self.cells[-1][0], self.tables[-1][-1][-1])


def plain(text: str) -> str:
    return text.replace("−", "-")


def numbers_of(html: Parsed) -> Counter[str]:
    return Counter(plain(text) for _, text in html.cells)


def numbers_in(calculation: hc.Calculation) -> Counter[str]:
    """The numbers of the text sheet: what is left when its heading, titles and labels are gone."""
    drawn = [track for section in sections(calculation) for track in section.towers]
    blocks = [block for track in drawn for row in track.rows for block in row.blocks()]
    text = repr(calculation).partition("\n\n")[2]
    if len(sections(calculation)) > 1:
        text = text.partition("\n\n")[2]  # the outline
        text = re.sub(r"(?m)^.*\n─+$", "", text)  # the way to each block
    for said in sorted({b.matrix.display_name for b in blocks if not b.matrix.name}, key=len, reverse=True):
        text = text.replace(said, "")
    text = TITLE.sub("", text)
    return Counter(word for word in text.split() if NUMBER.fullmatch(word))


@cache
def written(case: str, convention: str) -> tuple[str, Parsed]:
    """The sheet of a case as HTML, made and read once."""
    html = cases.build(case, 1, convention)._repr_html_()
    return html, Parsed(html)


@cache
def level(case: str, convention: str, path: str) -> hc.Calculation:
    return cases.build(case, 1, convention).level(path)


def told(case: str, convention: str, name: str, row: int, column: int) -> hc.Explanation:
    """How the sheet of its own block explains a cell."""
    path, _, short = name.rpartition(".")
    return level(case, convention, path).explain(short, row, column)


def owner(cell: dict[str, str | None]) -> tuple[str, int, int]:
    name = cell["data-step"] if "data-step" in cell else cell["data-copy"]
    return name, int(cell["data-row"]), int(cell["data-column"])


def named_cells(parsed: Parsed) -> list[tuple[dict[str, str | None], str]]:
    """All but the numbers of an operand such as A·B + C, which have no name under which they live."""
    return [(cell, text) for cell, text in parsed.cells if owner(cell)[0]]


@every_way
def test_a_sheet_shows_the_numbers_that_its_text_shows(case, convention):
    calculation = cases.build(case, 1, convention)
    html, text = numbers_of(written(case, convention)[1]), numbers_in(calculation)
    assert text == html


@every_case
def test_a_matrix_shows_its_text_row_by_row_with_its_labels(case):
    for matrix in (m for m in cases.build(case).values() if max(m.shape) <= 12):
        parsed = Parsed(matrix._repr_html_())
        (table,) = parsed.tables
        expected = [line.split() for line in repr(matrix).splitlines()[1:]]
        assert [[plain(text) for text in row if text] for row in table] == expected


def test_copies_have_names_of_their_own():
    html = CALC._repr_html_()
    assert re.findall(r'<table class="[^"]*hc-copy[^"]*" aria-label="([^"]*)"', html) == [
        "V, values, shown again",
    ]


@every_way
def test_every_number_stands_once_in_full_with_its_arithmetic(case, convention):
    calculation = cases.build(case, 1, convention)
    _, parsed = written(case, convention)
    for cell, text in named_cells(parsed):
        here = told(case, convention, *owner(cell))
        if not here.matrix.is_given and cell["title"] != here.spoken:
            assert "data-copy" in cell  # which may say it as the whole does
            assert cell["title"] == calculation.explain(*owner(cell)).spoken
        assert float(cell["data-value"]) == here.value
        assert plain(text) == here.result
    homes = sorted(owner(cell) for cell, _ in parsed.cells if "data-step" in cell)
    assert homes == sorted((n, i, j) for n, m in calculation.items() for i, j in cases.cells(m))
    assert all(cell["title"].endswith((f" = {text}", f" ≈ {text}")) for cell, text in parsed.cells)


@every_way
def test_pointing_at_a_number_lights_up_exactly_what_it_read(case, convention):
    calculation = cases.build(case, 1, convention)
    html, parsed = written(case, convention)
    owners = {}
    for cell, _ in named_cells(parsed):  # copies light up as their homes do
        assert owners.setdefault(cell["class"].split()[0], owner(cell)) == owner(cell)
    lit = {}
    for scope, me, classes, accent in RULE.findall(parsed.style):
        assert f'class="handcalc-sheet {scope}"' in html
        lit.setdefault(owners[f"n{me}"], []).append((accent, {owners[c[1:]] for c in classes.split(",")}))
    assert parsed.style.count(":has(.n") == sum(map(len, lit.values()))
    for name, i, j in cases.step_cells(calculation):
        sources = by_operand(calculation.explain(name, i, j))
        expected = list(zip("abcabc", sources, strict=False))
        assert lit.pop((name, i, j), []) == expected, (name, i, j)
        assert len(sources) <= 6
    assert lit == {}


def test_what_a_person_named_is_text_and_never_markup():
    names = ["<script>alert(1)</script>", "a \"quoted\" 'name'", "R&amp;D <b>", "</td></table>"]
    first = hc.Matrix([[1, -2], [0.5, 3]], names[0], rows=["<i>r</i>", '"'], columns=names[1:3])
    second = (first @ first).named(names[3], meaning="<u>meaning</u> & more")
    calculation = hc.Calculation(second, title="<img src=x onerror=alert(1)>")
    for html in (calculation._repr_html_(), first._repr_html_(), second._repr_html_()):
        parsed = Parsed(html)
        assert not {"script", "i", "u", "img"} & set(parsed.tags)
        assert not [name for name, _ in parsed.attributes if name.startswith("on")]
    parsed = Parsed(calculation._repr_html_())
    assert {cell["data-step"] for cell, _ in parsed.cells if "data-step" in cell} == {names[0], names[3]}
    labels = {text for table in parsed.tables for row in table for text in row}
    assert labels >= {"<i>r</i>", '"', *names[1:3]}
    assert any("<u>meaning</u> & more" in caption for caption in parsed.captions)
    titles = {cell["title"] for cell, _ in parsed.cells}
    assert calculation.explain(names[3], 1, 1).spoken in titles


@pytest.mark.parametrize("make", [CALC._repr_html_, CALC["S"]._repr_html_])
def test_it_needs_no_script_and_no_network(make):
    html = make()
    assert not {"script", "link", "img", "iframe"} & set(Parsed(html).tags)
    assert not re.search(r"https?:|//|url\(|@import|javascript:", html)


@pytest.mark.slow
def test_it_is_the_same_on_every_run():
    code = (
        "import hashlib, handcalc as hc; c = hc.examples.self_attention();"
        "print(hashlib.sha256((c._repr_html_() + c['Z']._repr_html_()).encode()).hexdigest())"
    )
    hashes = {hashlib.sha256((CALC._repr_html_() + CALC["Z"]._repr_html_()).encode()).hexdigest()}
    again = hc.examples.self_attention()
    assert again._repr_html_() == CALC._repr_html_()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        hashes.add(run.stdout.strip())
    assert len(hashes) == 1


def test_two_sheets_on_one_page_do_not_light_up_in_each_other():
    other = CALC.with_givens(X=CALC["X"].values + 1)
    scopes = [set(re.findall(r"hc-[0-9a-f]{10}", html._repr_html_())) for html in (CALC, other)]
    assert len(scopes[0]) == len(scopes[1]) == 1
    assert scopes[0] != scopes[1]


@pytest.mark.parametrize(
    ("made", "values"),
    [
        (hc.relu([[-3, 2]]), [0.0, 2.0]),
        (hc.gelu([[-100, 0]]), [0.0, 0.0]),
        (hc.Matrix([[1, 2]], "x") * 2, [2.0, 4.0]),
        (hc.Matrix([[1], [2]], "x").T, [1.0, 2.0]),
    ],
)
def test_a_matrix_without_a_name_shows_what_it_comes_to(made, values):
    shown = [float(about["data-value"]) for about, _ in Parsed(made._repr_html_()).cells]
    assert shown == values


def test_what_stands_on_a_sheet_without_a_name_is_the_matrix_that_it_repeats():
    turned = [about for about, _ in Parsed(hc.Matrix([[1], [2]], "x").T._repr_html_()).cells]
    assert [(a["data-step"], a["data-row"], a["data-column"]) for a in turned] == [
        ("x", "0", "0"),
        ("x", "1", "0"),
    ]


@pytest.mark.slow
def test_a_sheet_of_four_times_as_many_steps_takes_about_four_times_the_work():
    """Counted in calls, which a busy machine does not change; with a loop in a loop it would be 16 times."""

    def calls(steps: int) -> int:
        M = hc.Matrix([[1, 2], [3, 4]], "M_0")
        for k in range(steps):
            M = (M + 0.001).named(f"M_{k + 1}")
        calculation = hc.Calculation(M)
        profile = cProfile.Profile(builtins=True)
        profile.runcall(calculation._repr_html_)
        return sum(entry.callcount for entry in profile.getstats())

    calls(10)  # what is done once
    assert 3.5 < calls(200) / calls(50) < 4.5
