"""Calculations as spreadsheets: written with live formulas, and read from them."""

from handcalc.spreadsheet.reading import read_xlsx as read_xlsx
from handcalc.spreadsheet.writing import save_workbook as save_workbook
