"""The exercises of the workbook: dot products, matrix products and linear layers, and their missing numbers.

A, B and b are factors and bias, p a product that is given; where a weight or a bias is missing, d is what
the missing weight is multiplied by. The numbers of a sheet's exercises stand in its name.
"""

from __future__ import annotations

from collections.abc import Iterator

from handcalc.course.by_hand.parts import Sheet, noted, sheet
from handcalc.operations import Absolute, Step
from handcalc.record.matrix import Matrix

EXERCISES = {
    f"{book}_{first:02}_{first + 4:02}": range(first, first + 5)
    for book in ("w1", "w2", "w3")
    for first in range(1, 25, 5)
}


def _parts(g: Sheet, numbers: range) -> Iterator[tuple[int, str, str]]:
    """Each little question: its exercise, the ending of its givens, and the ending of its names."""
    endings = list(dict.fromkeys(key[1:] for key in g.givens))
    for number in numbers:
        own = [one for one in endings if one.startswith(str(number)) and not _is_later(one, number)]
        for ending, letter in zip(own, ("", "b", "c", "d"), strict=False):
            yield number, ending, f"_{number}{letter}"


def _is_later(ending: str, number: int) -> bool:
    """Whether 16 begins with 1, and is no part of exercise 1."""
    return len(str(number)) == 1 and len(ending) == 2 and ending != 2 * str(number)


def _answer(g: Sheet, number: int, ending: str, end: str) -> Matrix:
    given = {name: g(name + ending, name + end) for name in "ABbdp" if name + ending in g}
    product, stage = given["A"] @ given["B"] if "A" in given else None, f"Exercise {number}"
    if "p" not in given:
        assert product is not None
        total = product + given["b"] if "b" in given else product
        return noted(f"y{end}", total, "the answer", WHY["b" in given], stage)
    left = given["p"] if product is None else given["p"] - product
    if "d" not in given:
        return noted(f"b{end}", left, "the missing bias", "What the product leaves to the sum.", stage)
    left = left - given["b"] if "b" in given else left
    why = "What the known pairs leave to the sum, divided by what the missing number is multiplied by."
    return noted(f"x{end}", left / given["d"], "the missing number", why, stage)


WHY = {
    False: "Row by row and column by column: multiply the pairs and add them up.",
    True: "Row by row and column by column: multiply, add up, and add the bias.",
}
COMPARED = {"w1_11_15": (3, 4), "w1_21_25": (0, 1)}  # by a second =, with the answer of another exercise


@sheet(*EXERCISES)
def exercises(g: Sheet) -> list[Matrix]:
    """Many little answers on one sheet, a stage for each exercise."""
    found = [_answer(g, *part) for part in _parts(g, EXERCISES[g.short])]
    if g.is_published and g.short in COMPARED:
        place, other = COMPARED[g.short]
        found[place] = _compared(found[place], found[other])
    return found


def _compared(own: Matrix, other: Matrix) -> Matrix:
    """1 where two numbers are equal, else 0: what a spreadsheet calls TRUE and FALSE."""
    is_equal = 1 - Step()(Absolute()(other - own.replace(name=None)))
    why = "A second = compares: 1 for TRUE, 0 for FALSE."
    return noted(own.name or "", is_equal, "equal or not", why, own.stage)
