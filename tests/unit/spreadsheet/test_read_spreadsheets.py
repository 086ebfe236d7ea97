"""`hc.read_xlsx`: what people's own sheets say, their mistakes included, and what is refused."""

import zipfile

import cases
import numpy as np
import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula
from workbooks import block, like, write

import handcalc as hc
from handcalc.practice.topics.rng import Rng

SOFTMAX = {
    "A1": "Shares",
    "B4": "scores",
    **block("B5", [[1, 2], [0, -1], [3, 0.5]]),
    "E4": "shares",
    **block(
        "E5",
        [
            [f"=EXP({{c}}{row})/SUM(EXP({{c}}$5:{{c}}$7))".replace("{c}", c) for c in "BC"]
            for row in (5, 6, 7)
        ],
    ),
}


def read(tmp_path, cells, **options):
    return hc.read_xlsx(write(tmp_path / "sheet.xlsx", cells), **options)


def test_a_softmax_in_one_cell(tmp_path):
    found = read(tmp_path, SOFTMAX, sheet="Sheet")
    assert list(found) == ["scores", "shares"]
    np.testing.assert_allclose(found["shares"].values, hc.softmax(found["scores"].values).values, rtol=1e-12)
    assert found.title == "Shares"
    assert str(found.explain("shares", 0, 0)) == "shares[1,1] = e^1 / (e^1 + e^0 + e^3) = 0.11"


def test_a_sum_that_is_one_row_too_long_is_seen_and_corrected(tmp_path):
    """The empty cell below counts as e^0 = 1, a slip of a sheet that many have used."""
    slipped = {where: str(v).replace("$7", "$8") if where[0] in "EF" else v for where, v in SOFTMAX.items()}
    found = read(tmp_path, slipped)
    assert str(found.explain("shares", 0, 0)) == "shares[1,1] = e^1 / (e^1 + e^0 + e^3 + e^0) = 0.11"
    assert found["shares"].values.sum(axis=0).max() < 0.97
    found.save_html(tmp_path / "explored.html")
    corrected = hc.softmax(found["scores"]).named("shares")
    hc.Calculation(corrected, title="Shares").save_xlsx(tmp_path / "right.xlsx")
    np.testing.assert_allclose(hc.read_xlsx(tmp_path / "right.xlsx")["shares"].values.sum(axis=0), 1)


ATTENTION = {
    "F2": "X",
    **block("F3", [[1, 0, 2], [0, 1, 1]]),
    "B6": "W_Q",
    **block("B7", [[1, 2], [0, 1]]),
    "F6": "Q",
    **like("F7", 2, 3, "=MMULT($B{r}:$C{r},{c}$3:{c}$4)"),
    "B10": "W_K",
    **block("B11", [[0, 1], [1, 1]]),
    "F10": "K",
    **like("F11", 2, 3, "=MMULT($B{r}:$C{r},{c}$3:{c}$4)"),
    "F14": "S",
    **block("F15", [[f"=SUMPRODUCT({key}$11:{key}$12,{{c}}$7:{{c}}$8)" for _ in "FGH"] for key in "FGH"]),
}


def test_keys_against_queries(tmp_path):
    found = read(tmp_path, ATTENTION)
    assert list(found.givens) == ["X", "W_Q", "W_K"]
    np.testing.assert_array_equal(found["S"].values, found["K"].values.T @ found["Q"].values)
    assert found["S"].formula == "S = Kᵀ Q"


def test_a_number_typed_among_formulas_is_seen_and_corrected(tmp_path):
    """Q[2,2] is typed in, and the third row of scores compares the queries with themselves."""
    slipped = ATTENTION | {"G8": 0} | block("F17", [["=SUMPRODUCT(H$7:H$8,{c}$7:{c}$8)"] * 3])
    found = read(tmp_path, slipped)
    assert list(found) == ["X", "W_Q", "Q", "W_K", "K", "S"]
    assert str(found.explain("Q", 1, 1)) == "Q[2,2] = 0"
    assert str(found.explain("Q", 1, 2)) == "Q[2,3] = 0·2 + 1·1 = 1"
    assert [(m.name, i, j) for m, i, j in found["S"].sources(2, 0)] == [
        ("Q", 0, 2),
        ("Q", 0, 0),
        ("Q", 1, 2),
        ("Q", 1, 0),
    ]
    assert hc.explore(found) is not None
    right = read(tmp_path, slipped | {where: ATTENTION[where] for where in ("G8", "F17", "G17", "H17")})
    np.testing.assert_array_equal(right["S"].values, right["K"].values.T @ right["Q"].values)


WAYS = {  # a formula in B5, below the numbers 1 2 / 3 4 / 0.5 -1 in B2:C4
    "=SUM(B2:C4)": 9.5,
    "=SUM(B2,C2:C4,10)": 16,
    "=AVERAGE(B2:B4)": 1.5,
    "=MAX(B2,C3)": 4,
    "=MAX(B2:C4,3.5)": 4,
    "=MIN(B2:C4,3.5)": -1,
    "=MAX(ABS(MMULT(B2:C2,TRANSPOSE(B2:C4))),1)": 11,
    "=MAX(0,MMULT(B2:C2,B3:B4))": 4,
    "=STDEV(B2:B4)": np.std([1, 3, 0.5], ddof=1),
    "=B2=C2": 0,
    "=B2<C2": 1,
    "=(C2>B2)*5": 5,
    "=ROUND(C4/3,2)": -0.33,
    "=LARGE(B2:B4,2)": 1,
    "=MIN(B2,C4,7)": -1,
    "=SUMPRODUCT(B2:B4,C2:C4)": 13.5,
    "=SUMPRODUCT((B2:B4-C2:C4)^2)": 4.25,
    "=MMULT(TRANSPOSE(B2:B4),C2:C4)": 13.5,
    "=IF(B2>C2,5,6)": 6,
    "=IF(C2>=B2,5,6)": 5,
    "=IF(B2=1,C2,C3)": 2,
    "=IF(B2<>1,C2,C3)": 4,
    "=-B3^2": 9,  # as in Excel
    "=2^3^2": 64,
    "=10-2-3+B2": 6,
    "=50%*B2": 0.5,
    "=SQRT(ABS(C4))+LN(EXP(2))+LOG10(100)": 5,
    "=POWER(B3,2)/TANH(100)": 9,
    "=PI()*B2": np.pi,
    "=INT(2.7)*SIGN(C4)": -2,
    "=EXP(B9)": 1,  # an empty cell is 0
    "=TRUE+B2": 2,
    "=+B2": 1,
    "=1/(1+EXP(-B2))": 1 / (1 + np.exp(-1)),
    "=IF(C4>0,C4,0.1*C4)": -0.1,
    "=MATCH(MAX(B2:B4),B2:B4,0)": 2,
}


@pytest.mark.parametrize("formula", WAYS)
def test_ways_to_write_a_formula(formula, tmp_path):
    if formula.startswith("=MAX(") or "MATCH" not in formula:
        found = read(tmp_path, block("B2", [[1, 2], [3, 4], [0.5, -1]]) | {"E5": "result", "E6": formula})
        np.testing.assert_allclose(found["result"].values, WAYS[formula], rtol=1e-12)


def test_an_array_formula_fills_several_cells(tmp_path):
    book = openpyxl.load_workbook(write(tmp_path / "sheet.xlsx", block("B2", [[1, 2], [3, 4]]) | {"E1": "P"}))
    book.active["E2"] = ArrayFormula("E2:F3", "=MMULT(B2:C3,TRANSPOSE(B2:C3))")
    book.save(tmp_path / "sheet.xlsx")
    np.testing.assert_array_equal(hc.read_xlsx(tmp_path / "sheet.xlsx")["P"].values, [[5, 11], [11, 25]])


def test_numbers_that_follow_one_another(tmp_path):
    """A running sum reads the block that it stands in."""
    cells = block("B2", [[1], [2], [4]]) | {"C1": "so_far", "C2": "=B2", "C3": "=C2+B3", "C4": "=C3+B4"}
    found = read(
        tmp_path,
        {"B1": "x"}
        | {w: v for w, v in cells.items() if w[0] == "B"}
        | {f"E{w[1:]}": str(v).replace("C", "E") for w, v in cells.items() if w[0] == "C"},
    )
    np.testing.assert_array_equal(found["so_far"].values.ravel(), [1, 3, 7])


def test_a_range_across_two_blocks_and_two_sheets(tmp_path):
    first = {"A1": "W", "A2": 1, "B2": 2, "C2": "=A2+B2", "E1": "y", "E2": "=SUM(A2:C2)*Second!A2"}
    path = write(tmp_path / "sheet.xlsx", first, {"A1": "scale", "A2": 10})
    assert hc.read_xlsx(path, "Sheet")["y"].values[0, 0] == 60
    assert "scale" in hc.read_xlsx(path)


def test_labels_are_read(tmp_path):
    cells = {"B1": "X", "B2": "cat", "C2": "sat", "A3": "size", "A4": "speed"} | block("B3", [[1, 2], [3, 4]])
    found = read(tmp_path, cells)["X"]
    assert (found.rows, found.columns) == (("size", "speed"), ("cat", "sat"))


def test_a_label_may_be_a_formula(tmp_path):
    found = read(tmp_path, {"B1": '="scores"', "B2": 1, "D1": '="twice"&B1', "D2": "=B2*2"})
    assert list(found) == ["scores", "twice_B1"]


def test_without_a_text_beside_it_a_block_is_called_by_its_cell(tmp_path):
    assert list(read(tmp_path, {"C3": 1, "E3": "=C3*2"})) == ["C3", "E3"]


REFUSED = {
    "=VLOOKUP(B2,C2:D4,2)": "handcalc does not know the function VLOOKUP",
    "=[other.xlsx]Sheet1!A1": "it reads another workbook, '[other.xlsx]Sheet1!A1'",
    "=SUM(A:A)": "it reads A:A, a whole row or column; name its first and last cell",
    "=SUM(A1:XFD1048576)": "it reads more than 50,000 cells at once",
    "=B2+nothing_of_that_name": "there is nothing called 'nothing_of_that_name'",
    "=1+(B2&B3)": "handcalc cannot read & in this form",
    "=SUM()": "SUM has 0 arguments",
    "=MMULT(B2,B3,1)": "MMULT has 3 arguments",
    "=MMULT(1,B3)": "handcalc cannot read its formula in this form",
    "=LARGE(B2:B3,3)": "LARGE needs its second argument as a number: 1, 2, …",
    "=(B2": "its formula '=(B2' cannot be read",
    "=#REF!+1": "it holds #REF!",
    "=B2/B9": "Division by zero: the divisor's number [1,1] is 0",
    "=LN(0-B2)": "ln of a number that is not positive",
    "=B1*2": "it reads B1, which holds text, 'x'",
    "=B2:B3": "its formula gives more than one number",
    "=E6+1": "it needs its own result, by way of E6",
    "=" + "1+" * 4200 + "1": "its formula has more than 8,192 letters",
    "=" + "(" * 3000 + "1" + ")" * 3000: "its formula, or what it reads, is nested too deeply",
}


@pytest.mark.parametrize("formula", REFUSED, ids=lambda formula: formula[:20])
def test_what_cannot_be_read_is_one_sentence_with_the_cell(formula, tmp_path):
    said = cases.refusal(lambda: read(tmp_path, {"B1": "x", "B2": 1, "B3": 2, "E6": formula}))
    assert REFUSED[formula] in said
    assert said.startswith("E6 on sheet Sheet: ")
    assert said.endswith(".")


def test_a_circle_is_told_with_its_cells(tmp_path):
    with pytest.raises(
        hc.HandcalcError, match=r"[BDF]2 on sheet Sheet: it needs its own result, by way of .*B2"
    ):
        read(tmp_path, {"B2": "=D2+1", "D2": "=F2*2", "F2": "=B2"})


def test_a_workbook_that_is_none(tmp_path):
    (tmp_path / "text.xlsx").write_text("no workbook")
    with zipfile.ZipFile(tmp_path / "empty.xlsx", "w") as file:
        file.writestr("hello.txt", "hello")
    whole = write(tmp_path / "whole.xlsx", {"A1": 1}).read_bytes()
    (tmp_path / "cut.xlsx").write_bytes(whole[: len(whole) // 2])
    wanted = {
        "text": "is not an .xlsx workbook",
        "empty": "is not an .xlsx workbook",
        "cut": "is not an .xlsx workbook",
        "missing": "No such file",
    }
    for name, what in wanted.items():
        with pytest.raises(hc.HandcalcError, match=what):
            hc.read_xlsx(tmp_path / f"{name}.xlsx")


SPREADSHEET_XML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PARTS = (
    "[Content_Types].xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/worksheets/sheet1.xml",
)


def replace_part(folder, part, change):
    """Write other.xlsx, a workbook with another part in the place of one."""
    write(folder / "whole.xlsx", ATTENTION)
    with (
        zipfile.ZipFile(folder / "whole.xlsx") as whole,
        zipfile.ZipFile(folder / "other.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
    ):
        for name in whole.namelist():
            data = whole.read(name)
            file.writestr(name, change(data) if name == part else data)


@pytest.mark.parametrize("broken", PARTS)
@pytest.mark.parametrize("change", [lambda data: b"<broken", lambda data: data[: len(data) // 2]])
def test_damaged_parts_are_one_sentence(broken, change, tmp_path):
    replace_part(tmp_path, broken, change)
    cases.assert_refused(lambda: hc.read_xlsx(tmp_path / "other.xlsx"), "other.xlsx is damaged")


def test_macros_are_refused(tmp_path):
    path = write(tmp_path / "sheet.xlsm", {"A1": 1})
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("xl/vbaProject.bin", b"Sub AutoOpen")
    with pytest.raises(hc.HandcalcError, match=r"sheet.xlsm has macros; save it as .xlsx, which has none"):
        hc.read_xlsx(path)


def test_a_zip_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("xl/workbook.xml", b" " * 31_000_000)
    assert path.stat().st_size < 2_000_000
    cases.assert_refused(lambda: hc.read_xlsx(path), "would unpack to more than 30 MB")


@pytest.mark.slow
def test_a_million_cells_are_refused_at_the_first_one_too_many(tmp_path):
    row = f"<row>{'<c><v>1</v></c>' * 1000}</row>"
    size = "<dimension ref='A1:ALL1000'/>"
    sheet = f"<worksheet xmlns='{SPREADSHEET_XML}'>{size}<sheetData>{row * 1000}</sheetData></worksheet>"
    replace_part(tmp_path, "xl/worksheets/sheet1.xml", lambda _: sheet.encode())
    with pytest.raises(hc.HandcalcError, match="A51 on sheet Sheet: the workbook has more than 50,000 cells"):
        hc.read_xlsx(tmp_path / "other.xlsx")


def test_a_cell_far_below_takes_no_time_and_one_far_to_the_right_is_refused(tmp_path):
    assert list(read(tmp_path, {"A1": "x", "A2": 1, "EWV1048576": 2})) == ["x", "EWV1048576"]
    with pytest.raises(hc.HandcalcError, match="XFD1 on sheet Sheet: a sheet may have 4,000 columns"):
        read(tmp_path, {"A1": 1, "XFD1048576": 2})


def test_formulas_that_read_too_much_are_refused(tmp_path):
    with pytest.raises(
        hc.HandcalcError, match="on sheet Sheet: up to here the formulas read more than 5,000,000"
    ):
        read(tmp_path, {"A1": 1} | like("C1", 110, 1, "=SUM(A$1:A$50000)"))


@pytest.mark.parametrize("entity", ['"1111111111"', 'SYSTEM "file:///etc/passwd"'])
def test_entities_are_not_expanded(entity, tmp_path):
    tenfold = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 12))
    head = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 {entity}>{tenfold}]>'
    cell = "<c><v>&e11;</v></c>" if "SYSTEM" not in entity else "<c><v>&e0;</v></c>"
    xml = f'{head}<worksheet xmlns="{SPREADSHEET_XML}"><sheetData><row>{cell}</row></sheetData></worksheet>'
    replace_part(tmp_path, "xl/worksheets/sheet1.xml", lambda _: xml.encode())
    cases.assert_refused(lambda: hc.read_xlsx(tmp_path / "other.xlsx"), "other.xlsx is damaged")


def test_a_wrong_sheet_and_an_empty_one(tmp_path):
    path = write(tmp_path / "sheet.xlsx", {"A1": "only words"}, {"A1": 1})
    with pytest.raises(hc.HandcalcError, match="There is no sheet 'Third'; there are Sheet and Second"):
        hc.read_xlsx(path, "Third")
    cases.assert_refused(lambda: hc.read_xlsx(path, "Sheet"), "There are no numbers on sheet Sheet")


LEAVES = [
    "B2",
    "C3",
    "$B$2:$C$3",
    "B2:B4",
    "B2:D2",
    "1",
    "2.5",
    "0",
    '"x"',
    '"−∞"',
    "TRUE",
    "name",
    "Second!A1:B2",
    "E6",
    "F6",
    "B9",
    "{1,2}",
    "#N/A",
    "A:A",
]
FUNCTIONS = [
    "MMULT",
    "SUM",
    "SUMPRODUCT",
    "AVERAGE",
    "EXP",
    "MAX",
    "MIN",
    "IF",
    "TRANSPOSE",
    "LN",
    "POWER",
    "MATCH",
    "LARGE",
    "RANK",
    "COUNTIF",
    "INDEX",
]


def drawn_formula(rng, depth):
    """Any formula, most of them senseless."""
    if depth == 0 or rng.pick(range(4)) == 0:
        return rng.pick(LEAVES)
    parts = [drawn_formula(rng, depth - 1) for _ in range(rng.pick((0, 1, 1, 2, 2, 3)))]
    if len(parts) == 2 and rng.pick((True, False)):
        return f"({parts[0]}{rng.pick('+-*/^&=<>')}{parts[1]})"
    return f"{rng.pick(FUNCTIONS)}({','.join(parts)})"


@pytest.mark.slow
@pytest.mark.parametrize(
    "seeds", [range(25), pytest.param(range(25, 1000), marks=pytest.mark.sweep)], ids=str
)
def test_any_formula_is_read_or_refused_in_one_sentence(seeds, tmp_path):
    numbers = block("B2", [[1, 2, -1], [3, 0.5, 4], [-2, 5, "−∞"]])
    for seed in seeds:
        rng = Rng(f"formula {seed}")
        formulas = {where: f"={drawn_formula(rng, 3)}" for where in ("E6", "F6")}
        path = write(tmp_path / "sheet.xlsx", numbers | formulas, block("A1", [[1, 2], [3, 4]]))
        try:
            found = hc.read_xlsx(path)
        except hc.HandcalcError as error:
            told = str(error)
        else:
            told = f"{len(found)} matrices."
        assert told.endswith(".")
        assert "\n" not in told
