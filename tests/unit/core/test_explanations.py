"""Every cell of every step of every formula says how its number came about, and what it says is true."""

import functools
import itertools
import math
import re
from fractions import Fraction
from xml.etree import ElementTree

import cases
import numpy as np
import pytest
from arithmetic_parser import evaluate

import handcalc as hc

LATEX_WORDS = {
    r"\left\lfloor": "⌊",
    r"\right\rfloor": "⌋",
    r"\left": "",
    r"\right": "",
    r"\cdot": "·",
    r"\infty": "∞",
    r"\max": "max",
    r"\sin": "sin",
    r"\cos": "cos",
    r"\tanh": "tanh",
    r"\ln": "ln",
    r"\pi": "π",
    r"\Phi": "Φ",
    r"\text{argmax}": "argmax",
    r"\text{equal}": "equal",
    r"\text{step}": "step",
    r"\text{sign}": "sign",
    **{rf"\text{{{word}}}": word for word in ("large", "rank", "sample", "index", "round")},
}


REMARK = re.compile(r" \\;\\text\{\((?:highest|row|column|first|no bound)[^()]*\)\}")


def group(latex: str, start: int) -> tuple[str, int]:
    """What stands in the braces that open at `start`, and the place after them."""
    if latex[start : start + 1] != "{":
        raise ValueError(f"no group opens at {start} in {latex!r}")
    depth = 0
    for place in range(start, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[place], 0)
        if depth == 0:
            return latex[start + 1 : place], place + 1
    raise ValueError(f"a group is never closed in {latex!r}")


def from_latex(latex: str) -> str:
    """Fractions, roots and exponents get the brackets that their position stands for; remarks go."""
    latex = REMARK.sub("", latex)
    for word in (r"\frac", r"\sqrt", "^{"):
        start = latex.find(word)
        if start < 0:
            continue
        inside, end = group(latex, start + len(word.rstrip("{")))
        if word == r"\frac":
            bottom, end = group(latex, end)
            piece = f"(({from_latex(inside)}) / ({from_latex(bottom)}))"
        else:
            piece = {r"\sqrt": "√", "^{": "^"}[word] + f"({from_latex(inside)})"
        return from_latex(latex[:start] + piece + latex[end:])
    for word, sign in LATEX_WORDS.items():
        latex = latex.replace(word, sign)
    return latex


def from_mathml(node: ElementTree.Element) -> str:
    """The same for MathML; white space around a sign does not matter to the parser."""
    parts = [from_mathml(child) for child in node]
    match node.tag:
        case "mfrac":
            return f"(({parts[0]}) / ({parts[1]}))"
        case "msup":
            return f"{parts[0]}^({parts[1]})"
        case "msqrt":
            return f"√({''.join(parts)})"
        case "mo" | "mn" | "mi":
            return (node.text or "").replace("−", "-")
        case "mtext" if (node.text or "").startswith("\xa0("):
            return ""
        case "mrow" | "math":
            return "".join(parts)
    raise ValueError(f"<{node.tag}> in the numbers of an explanation")


def equal_parts(mathml: str) -> list[list[ElementTree.Element]]:
    """The nodes between the equals signs of `<math><mrow>a = b = c</mrow></math>`."""
    (row,) = ElementTree.fromstring(mathml)
    sides: list[list[ElementTree.Element]] = [[]]
    for node in row:
        if node.tag == "mo" and node.text == "=":
            sides.append([])
        else:
            sides[-1].append(node)
    return sides


NAMED_CELL = re.compile(r"([A-Za-z][\w.]*)\[(\d+),(\d+)\]")
NOT_DRAWN = ("worked_example", "handout_shortcuts")
EVERY_ONCE, ANEW = (
    [
        pytest.param(
            *(name, seed, convention),
            marks=[pytest.mark.sweep] if seed > 1 else cases.tier(name, convention),
        )
        for name, convention in itertools.product(cases.CALCULATIONS, cases.CONVENTIONS)
        if seed == 1 or name not in NOT_DRAWN
    ]
    for seed in cases.SEEDS[:2]
)
# The tests of one calculation run one after the other, and what is written of its cells is written once.
of_every = functools.partial(pytest.mark.parametrize, ("case", "seed", "convention"), scope="module")
every_calculation, every_calculation_once = of_every([*EVERY_ONCE, *ANEW]), of_every(EVERY_ONCE)


@functools.lru_cache(maxsize=2)
def explained(case: str, seed: int, convention: str, places: int | None) -> dict:
    """What is said of every cell of every step."""
    calculation = cases.build(case, seed, convention)
    return {cell: calculation.explain(*cell, places=places) for cell in cases.step_cells(calculation)}


def assert_says(text: str, value: float) -> None:
    """The text's value is `value`.

    Tolerance: `slack` bounds the rounding errors of evaluating the text in float64, in any order of
    summation. The text and the record each may be off by that much, and no more.
    """
    said = evaluate(text)
    if math.isinf(value):
        assert said.value == value, text
    else:
        assert abs(said.value - value) <= 2 * said.slack, f"{text} is {said.value!r}, not {value!r}"


def bracketed(value: float) -> str:
    text = repr(float(value)).replace("inf", "∞")
    return f"({text})" if text.startswith("-") else text


def with_values(symbolic: str, calculation: hc.Calculation, step: str) -> str:
    """Put in what the record holds for each cell that is named, and the size d_k of this head."""

    def looked_up(match: re.Match[str]) -> str:
        name, row, column = match[1], int(match[2]), int(match[3])
        return bracketed(calculation[name].values[row - 1, column - 1])

    text = NAMED_CELL.sub(looked_up, symbolic)
    if "d_k" in text:
        forwards = step.replace("backward.", "").replace("dS", "S_scaled")
        keys = calculation[forwards.removesuffix("S_scaled") + "K"].shape
        text = text.replace("d_k", str(keys[1 if calculation.convention == "rows" else 0]))
    return text


@every_calculation
def test_the_numbers_put_in_give_the_cells_value(case, seed, convention):
    calculation = cases.build(case, seed, convention)
    for (name, i, j), explanation in explained(case, seed, convention, None).items():
        assert_says(explanation.substituted, calculation[name].values[i, j])


@every_calculation
def test_the_symbols_looked_up_in_the_calculation_give_the_cells_value(case, seed, convention):
    calculation = cases.build(case, seed, convention)
    for (name, i, j), explanation in explained(case, seed, convention, 2).items():
        symbolic = explanation.symbolic
        assert_says(with_values(symbolic, calculation, name), calculation[name].values[i, j])


@every_calculation_once
def test_the_line_reads_label_equals_arithmetic_equals_result(case, seed, convention):
    calculation = cases.build(case, seed, convention)
    for (name, i, j), explanation in explained(case, seed, convention, None).items():
        label, *arithmetic, result = str(explanation).split(" = ")
        assert label == f"{name}[{i + 1},{j + 1}]" == explanation.label
        # a number that only moved is not said twice
        assert arithmetic == ([explanation.substituted] if explanation.substituted != result else [])
        assert evaluate(result).value == calculation[name].values[i, j] == explanation.value


@every_calculation_once
def test_latex_and_mathml_state_the_same_numbers(case, seed, convention):
    for explanation in explained(case, seed, convention, None).values():
        value = explanation.value
        latex = [
            from_latex(part) for part in re.split(r" (?:=|\\approx) ", explanation.latex) if "[" not in part
        ]
        mathml = [
            "".join(map(from_mathml, side))
            for side in equal_parts(explanation.mathml)
            if not any("[" in (text or "") for node in side for text in node.itertext())
        ]
        assert len(latex) == len(mathml) >= 1
        for text in latex + mathml:
            assert_says(text, value)


@every_calculation_once
def test_latex_is_balanced_and_names_every_cell_that_is_read(case, seed, convention):
    for (_, i, j), explanation in explained(case, seed, convention, 2).items():
        latex, depth = explanation.latex, 0
        for brace in re.findall("[{}]", latex):
            depth += 1 if brace == "{" else -1
            assert depth >= 0, latex
        assert depth == 0, latex
        assert latex.count(r"\left") == latex.count(r"\right"), latex
        indices = {f"[{row + 1},{column + 1}]" for _, row, column in explanation.sources}
        assert indices | {f"[{i + 1},{j + 1}]"} == set(re.findall(r"\[\d+,\d+\]", latex))


@every_calculation_once
def test_the_symbols_name_exactly_the_sources(case, seed, convention):
    for explanation in explained(case, seed, convention, 2).values():
        named = [(n, int(r) - 1, int(c) - 1) for n, r, c in NAMED_CELL.findall(explanation.symbolic)]
        assert list(map(cases.address, explanation.sources)) == list(dict.fromkeys(named))


@every_calculation_once
def test_rounded_to_two_places_every_number_is_within_half_a_hundredth(case, seed, convention):
    for explanation in explained(case, seed, convention, 2).values():
        if math.isfinite(explanation.value) and abs(explanation.value) < 1e10:
            off = Fraction(explanation.result) - Fraction(explanation.value)
            assert abs(off) <= Fraction(1, 200), explanation


@pytest.mark.parametrize(
    ("case", "cell", "line"),
    [
        ("worked_example", ("Q", 2, 0), "Q[3,1] = 0·2 + 0·0 + 1·0 + 0·0 + 1·2 + 1·1 = 3"),
        ("worked_example", ("S", 2, 1), "S[3,2] = 1·1 + 0·1 + (-1)·2 = -1"),
        ("worked_example", ("S_scaled", 2, 1), "S_scaled[3,2] = (-1) / √3 = -0.58"),
        ("worked_example", ("E", 2, 1), "E[3,2] = e^(-0.58) = 0.56"),
        ("worked_example", ("E_sum", 0, 1), "E_sum[1,2] = 3.173 + 5.652 + 0.561 + 3.173 = 12.56"),
        ("worked_example", ("A", 2, 1), "A[3,2] = 0.56 / 12.56 = 0.04"),
        ("worked_example", ("Z", 1, 0), "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"),
        ("worked_example", ("X", 4, 0), "X[5,1] = 2"),
        ("handout_shortcuts", ("S_scaled", 2, 1), "S_scaled[3,2] = ⌊(-1) / 2⌋ = -1"),
        ("handout_shortcuts", ("E", 2, 1), "E[3,2] = 3^(-1) = 0.33"),
        ("self_attention_causal", ("S_masked", 3, 0), "S_masked[4,1] = -∞"),
        ("self_attention_causal", ("E", 3, 0), "E[4,1] = e^(-∞) = 0"),
        ("positional_encoding", ("result", 3, 2), "result[4,3] = cos(2 / 10000^(2 / 6)) = 1.00"),
    ],
)
def test_known_cells_read_as_they_would_be_said(case, cell, line):
    assert str(cases.build(case).explain(*cell)) == line


def test_each_cell_of_a_layer_norm_shows_mean_variance_scale_and_shift():
    norm = hc.Calculation(hc.layer_norm([[1], [4]], [[2], [2]], [[5], [5]])).blocks["norm"]
    assert [str(norm.explain(step, 0, 0)) for step in norm.steps] == [
        "mean[1,1] = (1 + 4) / 2 = 2.50",
        "centred[1,1] = 1 - 2.50 = -1.50",
        "variance[1,1] = ((-1.50)^2 + 1.50^2) / 2 = 2.25",
        "N[1,1] = 2·((-1.50) / √(2.25 + 0.00001)) + 5 = 3.00",
    ]


@pytest.mark.parametrize("cell", [(-1, -1), (2, 3), (np.int64(2), np.int64(-1))])
def test_a_negative_index_counts_from_the_end_as_in_python(cell):
    assert cases.build("worked_example").explain("Z", *cell).label == "Z[3,4]"


def _tiny(made):
    return made(hc.Matrix([[3.1e-7]], "A")).named("B")


WRITTEN = {  # what a calculator gets from what is printed, and what it does not get
    "÷ 2 = 0.50": (hc.Matrix([[1]], "A") / 2).named("B"),
    "÷ 3 = 0.33": (hc.Matrix([[1]], "A") / 3).named("B"),
    "0.10 + 0.2 = 0.30": (hc.Matrix([[0.1]], "A") + 0.2).named("B"),  # a float holds 0.30000000000000004
    "0.333·3 = 1": (hc.Matrix([[1 / 3]], "A") * 3).named("B"),
    "0.6667·1000 ≈ 666.67": (hc.Matrix([[2 / 3]], "A") * 1000).named("B"),
    "3.1·10⁻⁷ + (−4)·(3.1·10⁻⁷) = −0.00000093": _tiny(lambda A: A + -4 * A),
    "1 ÷ (3.1·10⁻⁷) = 3225806.45": _tiny(lambda A: 1 / A),
    "ln(3.1·10⁻⁷) = −14.99": _tiny(hc.log),
    "= −∞": hc.self_attention([[1, 0]], [[1]], [[1]], [[1]], mask="causal")["S_masked"],
}


@pytest.mark.parametrize("end", WRITTEN)
def test_a_reader_sees_equal_only_where_a_calculator_gets_the_result_from_what_is_printed(end):
    matrix = WRITTEN[end]
    told = matrix.explain(matrix.shape[0] - 1, 0)
    assert told.html.endswith(end)
    assert told.spoken.endswith(end)
    assert str(told).endswith(end.replace("÷", "/").replace("−", "-"))
    assert (r"\approx" in told.latex) == ("≈" in end) == ("<mo>≈</mo>" in told.mathml)
    assert hc.examples.self_attention().explain("A", 1, 0, places=0).html == "A[2,1] = 10 ÷ 22 = 0"
