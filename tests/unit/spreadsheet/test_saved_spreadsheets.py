"""`calc.save_xlsx`: read again it is the same calculation, and LibreOffice calculates the same numbers."""

import cases
import numpy as np
import openpyxl
import pytest
import workbooks

import handcalc as hc
from handcalc.foundation import extras
from handcalc.operations import KINDS
from handcalc.operations.base import Index
from handcalc.operations.elementwise import Elementwise
from handcalc.spreadsheet.formula_table import FORMULAS, PRIMITIVES, WITHOUT_FORMULA

EXAMPLES = (
    "animal",
    "cached",
    "gpt",
    "gpt_loss",
    "heads",
    "next_word",
    "translation",
    "two_layers",
    "window",
)
QUICK = ("rnn_small", "mamba_small", "alphafold_alg11", "temperature_small", "w2_21_25")
NAMES = [name for names in hc.examples.by_hand().values() for name in names]
# LibreOffice gets each calculation in one convention, and the examples.
FOR_LIBREOFFICE = [
    (case, way) for case in cases.CALCULATIONS for way in cases.CONVENTIONS if not cases.is_sweep(case, way)
]


@cases.both_ways()
def test_saved_and_read_again_it_is_the_same(case, convention, tmp_path):
    calculation = cases.build(case, convention=convention)
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    workbooks.assert_same(hc.read_xlsx(tmp_path / "sheet.xlsx"), calculation)


@cases.each_convention
@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_many_blocks_is_the_same(example, convention, tmp_path):
    calculation = getattr(hc.examples, example)().in_convention(convention)
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    workbooks.assert_same(hc.read_xlsx(tmp_path / "sheet.xlsx"), calculation)


@pytest.mark.parametrize("as_published", [False, True])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in NAMES]
)
def test_a_sheet_of_the_collection_saved_and_read_again_is_the_same(name, as_published, tmp_path):
    calculation = hc.examples.by_hand(name, as_published=as_published)
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    workbooks.assert_same(hc.read_xlsx(tmp_path / "sheet.xlsx"), calculation)


in_thirds = pytest.mark.parametrize(
    "third", [0, *[pytest.param(k, marks=pytest.mark.sweep) for k in (1, 2)]], ids=str
)


@pytest.mark.slow
@in_thirds
def test_libreoffice_calculates_the_same_numbers(libreoffice, tmp_path, third):
    made = {f"{case}-{way}": cases.build(case, convention=way) for case, way in FOR_LIBREOFFICE[third::3]}
    made |= {example: getattr(hc.examples, example)() for example in EXAMPLES[third::3]}
    assert workbooks.differences_of_all(libreoffice, made, tmp_path) == []


@pytest.mark.slow
@in_thirds
def test_libreoffice_calculates_the_collection(libreoffice, tmp_path, third):
    made = {name: hc.examples.by_hand(name, as_published=True) for name in NAMES[third::3]}
    assert workbooks.differences_of_all(libreoffice, made, tmp_path) == []


@pytest.mark.slow
def test_a_change_of_a_given_goes_through_all_steps(libreoffice, tmp_path):
    calculation = cases.build("self_attention_causal")
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    where = workbooks.defined_cells(tmp_path / "sheet.xlsx", calculation)
    book = openpyxl.load_workbook(tmp_path / "sheet.xlsx")
    sheet, area = where["X"]
    book[sheet][area][0][0].value = 2.5
    book.save(tmp_path / "changed.xlsx")
    other = calculation["X"].values.copy()
    other[0, 0] = 2.5
    books = workbooks.recalculated(libreoffice, [tmp_path / "changed.xlsx"], tmp_path)
    assert workbooks.differences(books["changed"], calculation.with_givens(X=other), where) == []


def test_every_operation_has_a_formula_or_says_why_not():
    heads = {
        kind: {part.head for part in kind.shown} for kind in KINDS.values() if issubclass(kind, Elementwise)
    }
    leaves = {"operand", "number", "parameter", "named", "either"}
    unknown = {kind.name: found - leaves - PRIMITIVES.keys() for kind, found in heads.items()}
    assert {name: found for name, found in unknown.items() if found} == {}
    rows = {name for name, kind in KINDS.items() if not issubclass(kind, Elementwise | Index)}
    assert rows - FORMULAS.keys() - WITHOUT_FORMULA.keys() == set()


def test_the_sheet_shows_names_labels_and_reasons(tmp_path):
    calculation = hc.examples.self_attention()
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    book = openpyxl.load_workbook(tmp_path / "sheet.xlsx")
    page = book["Self-attention"]
    said = {cell.value: cell for row in page for cell in row if isinstance(cell.value, str)}
    assert {
        "Self-attention",
        "X",
        "W_Q",
        "Q = W_Q X",
        "(Kᵀ)",
        "S = Kᵀ Q",
        "Z = V A",
        "q₁",
        "f₆",
    } <= said.keys()
    assert calculation["A"].why in said["A = E / E_sum"].comment.text
    assert book.defined_names["W_Q"].attr_text == "'Self-attention'!$B$27:$G$29"
    assert page["J27"].value == "=MMULT($B27:$G27,J$6:J$11)"
    assert page["V6"].value == "=J33/SQRT(d_k)"
    assert page["J6"].value == 2
    assert page.conditional_formatting


def test_a_sheet_for_each_block(tmp_path):
    calculation = hc.examples.heads()
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    book = openpyxl.load_workbook(tmp_path / "sheet.xlsx")
    assert {"head_1", "head_2"} <= set(book.sheetnames)
    assert book["head_1"]["A1"].value == calculation.blocks["head_1"].title


def test_hidden_scores_are_a_text(tmp_path):
    cases.build("self_attention_causal").save_xlsx(tmp_path / "sheet.xlsx")
    page = openpyxl.load_workbook(tmp_path / "sheet.xlsx").worksheets[0]
    values = [str(cell.value) for row in page for cell in row]
    assert values.count("−∞") == 6
    assert any(value.startswith("=IF(") and '="−∞",0,EXP(' in value for value in values)


def test_the_same_numbers_are_the_same_file(tmp_path):
    for name in ("one.xlsx", "two.xlsx"):
        hc.examples.self_attention().save_xlsx(tmp_path / name)
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


def test_names_that_a_spreadsheet_would_take_for_cells(tmp_path):
    names = {"R": 2, "C": 3, "X1": 5, "x1": 7, "a b": 11, "=B3": 13, "ŷ": 17, "2nd": 19}
    givens = [
        hc.Matrix([[value, 1]], name, rows=["+"], columns=["=A1", "-"])
        for name, value in names.items()
        if "=" not in name
    ]
    total = sum(givens[1:], givens[0]).named("total")
    calculation = hc.Calculation(total)
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    found = hc.read_xlsx(tmp_path / "sheet.xlsx")
    workbooks.assert_same(found, calculation)
    assert found["total"].columns == ("=A1", "-")


def test_too_large_for_a_workbook(tmp_path):
    with pytest.raises(
        hc.HandcalcError, match="It has 90,000 numbers; a workbook of handcalc has at most 50,000"
    ):
        hc.Calculation(hc.Matrix(np.ones((300, 300)), "X")).save_xlsx(tmp_path / "sheet.xlsx")


def test_too_wide_for_a_workbook(tmp_path):
    with pytest.raises(hc.HandcalcError, match="A sheet would have 4,501 columns; it may have 4,000"):
        hc.Calculation((hc.Matrix(np.ones((1, 4500)), "X") * 2).named("Y")).save_xlsx(tmp_path / "sheet.xlsx")


def test_without_the_extra_one_sentence_says_how_to_get_it(monkeypatch, tmp_path):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(extras, "import_module", missing)
    for attempt in (
        lambda: hc.examples.self_attention().save_xlsx(tmp_path / "s.xlsx"),
        lambda: hc.read_xlsx("s.xlsx"),
    ):
        with pytest.raises(hc.HandcalcError, match=r'This needs openpyxl.*: pip install "handcalc\[xlsx\]"'):
            attempt()
    assert not (tmp_path / "s.xlsx").exists()
