"""How tests look at an explorer in a browser, on a saved page or in JupyterLab: numbers, marks, colours."""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from typing import Any

import cases
import colour_vision
import numpy as np
import pytest
from playwright.sync_api import Locator, Page

import handcalc as hc
from handcalc.notation import numbers
from handcalc.notation.markup import Html
from handcalc.record.equations import typeset_equation

Cell = tuple[str, int, int]

ADDRESS = "({ dataset }) => [dataset.step ?? dataset.copy, Number(dataset.row), Number(dataset.column)]"
SHOWN = """([root, kind]) => [...document.querySelectorAll(`${root} [data-${kind}]`)]
  .filter((cell) => cell.checkVisibility())
  .map((cell) => [...address(cell), cell.dataset.value, cell.textContent])"""
LIT = """(name) => [...document.querySelectorAll(`.handcalc-explorer table:not([hidden]) td.${name}`)]
  .map(address)"""
# Clicks every number and tells what is then said and marked.
STORIES = """() => [...document.querySelectorAll(".handcalc-explorer [data-step]")]
  .filter((cell) => cell.checkVisibility())
  .map((cell) => {
    cell.click();
    const lit = (name) => [...document.querySelectorAll(`td.${name}`)].map(address);
    return {
      cell: address(cell),
      line: document.querySelector(".hc-arithmetic").textContent,
      sources: ["hc-source-a", "hc-source-b", "hc-source-c"].map(lit),
      feeds: lit("hc-feeds"),
      chosen: lit("hc-chosen"),
    };
  })"""
# Every text with its colour, and the colours behind it from the page's own background upwards.
COLOURS = """(root) => {
  const canvas = document.body.appendChild(document.createElement("i"));
  canvas.style.background = "Canvas";
  const paper = getComputedStyle(canvas).backgroundColor;
  canvas.remove();
  const colour = (node, name) => getComputedStyle(node)[name];
  const known = new Map([[null, [paper]]]);
  const behind = (node) => {
    if (!known.has(node)) known.set(node, [...behind(node.parentElement), colour(node, "backgroundColor")]);
    return known.get(node);
  };
  const kind = (node) =>
    node.closest("[aria-current]") ? "current" : (node.closest("td, button") ?? node).localName;
  const speaks = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  return [...document.querySelectorAll(`${root} *`)]
    .filter((node) => speaks(node) && node.checkVisibility())
    .map((node) => [`${kind(node)}: ${node.textContent}`, colour(node, "color"), behind(node)]);
}"""
# The field that has the keyboard, unless its middle can be seen.
COVERED = """() => {
  const { left, top, width, height } = document.activeElement.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  return document.activeElement.contains(at) ? "" : document.activeElement.getAttribute("aria-label");
}"""
FOCUSED = """() => {
  const { dataset, type } = document.activeElement;
  return type ? [type] : [dataset.step ?? dataset.copy, dataset.row, dataset.column];
}"""
# What has the keyboard, as a person would call it: a control's words, or whose number it is.
STOP = """() => {
  const now = document.activeElement;
  const { step, copy } = now.dataset;
  const label = now.closest("label")?.innerText.split("\\n")[0].trim();
  return step ?? copy ?? now.getAttribute("aria-label") ?? (label || now.innerText.trim());
}"""


def ask(page: Page, code: str, argument: object = None) -> Any:
    """What a function says of the page, `address(cell)` being a cell's; as one text, since Playwright is slow
    with many small things."""
    wrapped = f"(argument) => {{ const address = {ADDRESS}; return JSON.stringify(({code})(argument)); }}"
    return json.loads(page.evaluate(wrapped, argument))


def spot(page: Page, name: str, row: int, column: int, root: str = ".handcalc-explorer") -> Locator:
    return page.locator(f'{root} [data-step="{name}"][data-row="{row}"][data-column="{column}"]')


def type_into(page: Page, name: str, row: int, column: int, *, text: str) -> None:
    """Choose a given, type its new value, and commit to it."""
    spot(page, name, row, column).click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def texts(page: Page, kind: str = "step", root: str = ".handcalc-explorer") -> list[tuple[Cell, float, str]]:
    """Every number in sight: whose it is, in full, and as it is written."""
    found = ask(page, SHOWN, [root, kind])
    return [((name, i, j), float(value), text) for name, i, j, value, text in found]


def shown(page: Page, root: str = ".handcalc-explorer") -> dict[Cell, float]:
    """The numbers in sight, in full, each at home once."""
    found = texts(page, root=root)
    numbers_of = {cell: value for cell, value, _ in found}
    assert len(numbers_of) == len(found), "a number has two homes"
    return numbers_of


def computed(calculation: Mapping[str, hc.Matrix]) -> dict[Cell, float]:
    return {(name, i, j): m.values[i, j] for name, m in calculation.items() for i, j in cases.cells(m)}


def open_block(page: Page, path: str) -> None:
    """Open a block of a saved page, as a link does; of the steps of no block the path is empty."""
    page.evaluate("(path) => { location.hash = path; }", path)
    page.locator(f'.hc-block[data-path="{path}"]').wait_for()


def sheet_of(calculation: hc.Calculation, path: str) -> dict[str, hc.Matrix]:
    """What stands on the sheet of a block, by the names that the whole calculation has for it."""
    level = calculation.level(path)
    return {level.origin(matrix).name or "": matrix for matrix in level.values()}


def assert_shows(page: Page, calculation: Mapping[str, hc.Matrix], within: float = 1e-9) -> None:
    """The page holds Python's numbers, and copies of a matrix the same as its home."""
    now, expected = shown(page), computed(calculation)
    assert now.keys() == expected.keys()
    for cell, value in expected.items():
        assert now[cell] == pytest.approx(value, rel=within, abs=within), cell
    assert all(now[cell] == value for cell, value, _ in texts(page, "copy"))


def lit(page: Page, name: str) -> set[Cell]:
    """The cells that have a mark, `hc-source-a`; copies count as their homes."""
    return set(map(tuple, ask(page, LIT, name)))


def focused(page: Page) -> tuple[str, ...]:
    """What has the keyboard: a number's matrix, row and column, or a control's type."""
    return tuple(page.evaluate(FOCUSED))


def stop(page: Page) -> str:
    return page.evaluate(STOP)


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until the keyboard is at the control, or the matrix, of this name."""
    for _ in range(60):
        page.keyboard.press(key)
        if stop(page) == name:
            return
    raise AssertionError(f"{key} does not come to {name}")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@contextmanager
def menu(page: Page) -> Iterator[None]:
    """In the menu with what is wanted now and then: what if, find, settings, save."""
    if not page.locator(".hc-menu").is_visible():
        button(page, "More").click()
    yield
    page.locator(".hc-menu").press("Escape")


def present(page: Page) -> None:
    button(page, "More").click()
    button(page, "Present, full screen").click()


def to_start(page: Page) -> None:
    """Hide every step: at rest only Play is there, which brings the buttons that go step by step."""
    if button(page, "Play the steps").is_visible():
        button(page, "Play the steps").click()
    button(page, "Pause").click()
    button(page, "To the start: hide every step").click()


def switch(page: Page, name: str, value: str) -> None:
    """Choose from one of the lists in the menu: "Tokens as", "Arithmetic", "Decimals"."""
    with menu(page):
        page.get_by_label(name).select_option(value)


def ask_first(page: Page) -> None:
    """Turn on or off whether a step asks before it shows."""
    with menu(page):
        page.get_by_label("Ask me first").click()


def centre(cell: Locator) -> tuple[float, float]:
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def arithmetic(page: Page) -> str:
    return page.locator(".handcalc-explorer .hc-arithmetic").inner_text()


def spoken(matrix: hc.Matrix) -> str:
    """A formula in words, as controls are called."""
    return typeset_equation(matrix)["spoken"]


def bare(html: str) -> str:
    """The text in what is typeset."""
    return unescape(re.sub(r"<[^>]*>", "", html))


def place(cell: Cell) -> str:
    """A cell as a page names it: S[1,2], with a subscript beside its letter."""
    return f"{bare(Html().name(cell[0]))}[{cell[1] + 1},{cell[2] + 1}]"


def as_typeset(line: object) -> str:
    """How a page writes what Python says: of an explanation the text alone, else with a true minus."""
    if isinstance(line, hc.Explanation):
        return bare(line.html)
    return numbers.typeset_number(str(line))


def moved(calculation: hc.Calculation, name: str, row: int, column: int, value: float) -> hc.Calculation:
    """The calculation with one number of a given changed."""
    values = calculation[name].values.copy()
    values[row, column] = value
    return calculation.with_givens(**{name: values})


def by_operand(told: hc.Explanation) -> list[set[Cell]]:
    """The cells read, grouped by the operand and matrix through which they came."""
    groups: dict[tuple[int, str], set[Cell]] = {}
    for cell in [] if told.matrix.is_given else told.arithmetic.cells():
        name = cell.matrix.name
        groups.setdefault((cell.operand, name), set()).add((name, cell.row, cell.column))
    return list(groups.values())


@functools.cache
def rgba(colour: str) -> np.ndarray:
    """Red, green and blue up to 255, and how much of it there is; mixed colours are told from 0 to 1."""
    assert colour.startswith(("rgb", "color(srgb ")), colour
    parts = [float(part) for part in re.findall(r"[\d.]+(?:e-?\d+)?", colour)]
    scale = 255 if colour.startswith("color") else 1
    return np.array([*(scale * part for part in parts[:3]), *parts[3:], 1.0][:4])


def contrast(ink: np.ndarray, behind: list[np.ndarray]) -> float:
    """WCAG 2's contrast of a text with the colours laid over one another behind it."""
    paper = behind[0][:3]
    for *colour, strength in behind[1:]:
        paper = paper * (1 - strength) + np.array(colour) * strength
    ink = paper * (1 - ink[3]) + ink[:3] * ink[3]
    return colour_vision.contrast(ink / 255, paper / 255)


def assert_legible(page: Page, root: str = ".handcalc-explorer", *, dark: bool, cells: int = 100) -> None:
    """Every text has 4.5:1 or better, on a page that is dark or is not."""
    page.mouse.move(0, 0)  # pointing at a number takes other texts away
    found = ask(page, COLOURS, root)
    assert sum(text.startswith("td:") for text, _, _ in found) > cells
    for text, ink, colours in found:
        opaque, ratio = seen(ink, tuple(colours))
        if not text.startswith(
            ("button:", "current:", "i:")
        ):  # pressed or lit, or a verdict: the other way round
            assert (opaque < 80) == dark, (text, colours)
        assert ratio >= 4.5, (text, ink, [c for c in colours if rgba(c)[3]])


@functools.cache
def seen(ink: str, colours: tuple[str, ...]) -> tuple[float, float]:
    """How light the paper behind a text is, up to 255, and the contrast of the text with all of it."""
    behind = [*map(rgba, colours)]
    opaque = next(colour for colour in reversed(behind) if colour[3] == 1)
    return float(opaque[:3].max()), contrast(rgba(ink), behind)
