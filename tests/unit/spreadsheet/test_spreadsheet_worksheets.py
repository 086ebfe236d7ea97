"""`handcalc worksheet TOPIC -o sheet.xlsx`: a sheet to fill in, of which all else is locked, and its key."""

import openpyxl
import pytest
import workbooks

import handcalc as hc
from handcalc.cli import main


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def made(capsys, *options):
    code = main(["worksheet", "self-attention", *options, "-o", "sheet.xlsx"])
    told = capsys.readouterr()
    return code, told.out, told.err


def cells_of(name, calculation, path="sheet.xlsx"):
    sheet, area = workbooks.defined_cells(path, calculation)[name]
    return [cell for row in openpyxl.load_workbook(path)[sheet][area] for cell in row]


def test_only_what_is_asked_for_is_open_and_empty(capsys):
    code, out, err = made(capsys, "--blank", "K,S")
    assert (code, err) == (0, "")
    first, second = out.splitlines()
    assert second == "sheet-key.xlsx: its key"
    calculation = hc.load(first.partition(": ")[2])
    assert openpyxl.load_workbook("sheet.xlsx").worksheets[0].protection.sheet
    for name in calculation:
        cells = cells_of(name, calculation)
        is_blank = name in ("K", "S")
        assert {cell.protection.locked for cell in cells} == {not is_blank}
        assert all(cell.value is None if is_blank else isinstance(cell.value, int | float) for cell in cells)


def test_what_is_typed_is_repeated_where_it_is_needed_again(capsys):
    made(capsys, "--blank", "K")
    page = openpyxl.load_workbook("sheet.xlsx").worksheets[0]
    formulas = [cell.value for row in page for cell in row if str(cell.value).startswith("=")]
    assert len(formulas) == 6  # Kᵀ
    assert all('="","",' in formula for formula in formulas)


def test_the_key_calculates_what_the_sheet_asks_for(capsys):
    _, out, _ = made(capsys)
    code = out.splitlines()[0].partition(": ")[2]
    calculation = hc.load(code)
    assert str(hc.read_xlsx("sheet-key.xlsx").explain("Z", 0, 0)) == str(calculation.explain("Z", 0, 0))
    page = openpyxl.load_workbook("sheet-key.xlsx").worksheets[0]
    assert page["F3"].value == code


def test_a_sheet_that_keeps_its_answers_has_no_key(capsys, tmp_path):
    _, out, _ = made(capsys, "--keep-answers")
    assert len(out.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.xlsx"]


def test_what_is_there_stays(capsys):
    made(capsys)
    assert made(capsys) == (
        2,
        "",
        "sheet.xlsx exists already; choose another name, or replace it with --force.\n",
    )
    assert made(capsys, "--force")[0] == 0


def test_a_class_is_a_folder(capsys):
    code, _, err = made(capsys, "--count", "3")
    assert (code, err) == (2, "With --count, -o names a folder, not a file such as sheet.xlsx.\n")
