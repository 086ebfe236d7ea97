"""A formula of a spreadsheet as a tree of the same primitives that operations are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.extras import needed
from handcalc.operations.trees import Tree, number_leaf
from handcalc.spreadsheet.formula_table import HIDDEN, PRIMITIVES, WRITTEN_FUNCTIONS, Part

SIGNS = ("= <> < > <= >=", "&", "+ -", "* /", "^")  # the later, the more tightly they bind
POWERS = {sign: power for power, signs in enumerate(SIGNS) for sign in signs.split()}
HEADS = {"*": "·"}
MAX_FORMULA_LENGTH = 8_192  # letters, as in Excel
FUNCTION = re.compile(r"[A-Z]{2,}[A-Z0-9]*(?=\()")
REDUCING = {
    "SUM",
    "AVERAGE",
    "STDEV",
    "SUMPRODUCT",
    "MAX",
    "MIN",
    "MATCH",
    "LARGE",
    "RANK",
    "COUNTIF",
    "INDEX",
}
# What means the same, the first that fits; written as a formula.
SYNONYMS: Mapping[str, str] = {
    "IF({0}<{1},{2},{3})": "IF({1}>{0},{2},{3})",
    "IF({0}>={1},{2},{3})": "IF({1}>{0},{3},{2})",
    "IF({0}<={1},{2},{3})": "IF({0}>{1},{3},{2})",
    "IF({0}<>{1},{2},{3})": "IF({0}={1},{3},{2})",
    f'IF({{0}}="{HIDDEN}",{{1}},{{2}})': "{2}",
    "IF({0}>0,{0},0)": "MAX(0,{0})",
    "IF(0>{0},0,{0})": "MAX(0,{0})",
    "IF({0}>0,{0},{1}*{0})": "MAX({1}*{0},{0})",
    "IF({0}>0,{1},{2})": "IF({0}>0,1,0)*{1}+(1-IF({0}>0,1,0))*{2}",
    "IF({0}>{1},{2},{3})": "IF(({0}-{1})>0,1,0)*{2}+(1-IF(({0}-{1})>0,1,0))*{3}",
    "IF({0}={1},{2},{3})": "IF({0}={1},1,0)*{2}+(1-IF({0}={1},1,0))*{3}",
    "MAX({0},0)": "MAX(0,{0})",
    "POWER({0},{1})": "{0}^{1}",
    "LOG({0})": "LN({0})/LN(10)",
    "{0}^0.5": "SQRT({0})",
    "LOG10({0})": "LN({0})/LN(10)",
}


class CellRange(NamedTuple):
    """Cells that a formula reads: rows and columns from 1, both ends included; one alone is no `is_range`."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int
    is_range: bool


def parse_formula(text: str, sheet: str, symbols: Mapping[str, Any]) -> Tree:
    """The tree of `=SUM(B3:B5)`: its leaves are numbers, texts and cells. HandcalcError for what is unknown.

    `symbols` says what defined names stand for: cells, or a number.
    """
    if len(text) > MAX_FORMULA_LENGTH:
        raise HandcalcError(f"its formula has more than {MAX_FORMULA_LENGTH:,} letters")
    return _simplified(_Parser(text, sheet, symbols).whole())


class _Parser:
    """Operator precedence as in Excel: a minus before a number binds more tightly than a power."""

    def __init__(self, text: str, sheet: str, symbols: Mapping[str, Any]) -> None:
        tokenizer = needed("openpyxl.formula.tokenizer", "xlsx")
        try:
            items = tokenizer.Tokenizer(text).items
        except (tokenizer.TokenizerError, IndexError, KeyError):
            raise HandcalcError(f"its formula {short(text)} cannot be read") from None
        self.text, self.sheet, self.symbols = text, sheet, symbols
        self.tokens = [t for t in items if t.type != "WHITE-SPACE"]
        self.place = 0

    def whole(self) -> Tree:
        tree = self.signs(0)
        return tree if self.next() is None else self.refuse()

    def next(self) -> Any:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self) -> Any:
        token = self.next() or self.refuse()
        self.place += 1
        return token

    def refuse(self) -> Any:
        raise HandcalcError(f"its formula {short(self.text)} cannot be read")

    def signs(self, least: int) -> Tree:
        left = self.operand()
        while (token := self.next()) and token.type == "OPERATOR-INFIX":
            power = POWERS.get(token.value)
            if power is None:
                raise HandcalcError(f"handcalc does not know the sign {token.value}")
            if power < least:
                break
            self.place += 1
            left = Tree(HEADS.get(token.value, token.value), left, self.signs(power + 1))
        return left

    def operand(self) -> Tree:
        token = self.take()
        if token.type == "OPERATOR-PREFIX":
            inside = self.operand()
            is_number = inside.head == "number"
            if token.value == "+":
                return inside
            return number_leaf(-inside.value) if is_number else Tree("negative", inside)
        if token.type == "FUNC" and token.subtype == "OPEN":
            found = self.call(token.value[:-1].upper())
        elif token.type == "PAREN" and token.subtype == "OPEN":
            found = self.signs(0)
            if self.take().subtype != "CLOSE":
                self.refuse()
        else:
            found = self.leaf(token) if token.type == "OPERAND" else self.refuse()
        while (after := self.next()) and after.type == "OPERATOR-POSTFIX":
            self.place += 1
            found = Tree("/", found, 100)
        return found

    def call(self, name: str) -> Tree:
        name = name.removeprefix("_XLFN.")
        if name not in _known_functions():
            raise HandcalcError(f"handcalc does not know the function {name}")
        parts: list[Tree] = []
        while (token := self.next()) and token.subtype != "CLOSE":
            parts.append(self.signs(0))
            if (token := self.next()) and token.type == "SEP":
                self.place += 1
        self.take()
        return Tree(name, *parts)

    def leaf(self, token: Any) -> Tree:
        if token.subtype == "NUMBER":
            return number_leaf(float(token.value))
        if token.subtype == "TEXT":
            return Tree("text", value=token.value[1:-1])
        if token.subtype == "LOGICAL":
            return number_leaf(float(token.value.upper() == "TRUE"))
        if token.subtype == "RANGE":
            return self.reference(token.value)
        raise HandcalcError(f"it holds {token.value}")

    def reference(self, text: str) -> Tree:
        if "[" in text:
            raise HandcalcError(f"it reads another workbook, {short(text)}")
        if named := self.symbols.get(text.lower()):
            return named if isinstance(named, Tree) else Tree("cells", value=named)
        sheet, _, cells = text.rpartition("!")
        try:
            left, top, right, bottom = needed("openpyxl.utils.cell", "xlsx").range_boundaries(cells)
        except (ValueError, TypeError):
            raise HandcalcError(f"there is nothing called {short(text)}") from None
        if None in (left, top, right, bottom):
            raise HandcalcError(f"it reads {text}, a whole row or column; name its first and last cell")
        sheet = sheet.strip("'").replace("''", "'") or self.sheet
        return Tree("cells", value=CellRange(sheet, top, left, bottom, right, ":" in cells))


# what a formula means ---------------------------------------------------------------------------


def fit(pattern: Tree, tree: Tree, found: dict[Any, Any]) -> bool:
    """Whether a tree matches a pattern; `found` gets the matches of its operands and parameters."""
    if pattern.head == "operand":
        return bool(found.setdefault(pattern.value, tree) == tree)
    if pattern.head == "parameter":
        return tree.head == "number" and bool(found.setdefault(pattern.value, tree.value) == tree.value)
    if pattern.head != tree.head or len(pattern.parts) != len(tree.parts) or pattern.value != tree.value:
        return False
    return all(fit(*pair, found) for pair in zip(pattern.parts, tree.parts, strict=True))


def replace_leaves(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """The same tree with its leaves replaced."""
    if not tree.parts:
        return change(tree)
    return Tree(tree.head, *[replace_leaves(part, change) for part in tree.parts], value=tree.value)


def is_array(tree: Tree) -> bool:
    """Whether a part of a formula is several numbers."""
    if tree.head == "cells":
        return bool(tree.value.is_range)
    if tree.head == "MMULT" and all(part.head == "cells" for part in tree.parts):
        left, right = (part.value for part in tree.parts)
        return bool(left.top < left.bottom or right.left < right.right)
    return tree.head not in REDUCING and any(map(is_array, tree.parts))


def _filled(meaning: Tree, operands: Mapping[Any, Tree]) -> Tree:
    return replace_leaves(meaning, lambda leaf: operands[leaf.value] if leaf.head == "operand" else leaf)


def _simplified(tree: Tree) -> Tree:
    """The tree with functions replaced by primitives."""
    parts = [_simplified(part) for part in tree.parts]
    if tree.head in ("MAX", "MIN") and not any(map(is_array, parts)):
        while len(parts) > 2:
            parts = [Tree(tree.head.lower(), *parts[:2]), *parts[2:]]
    elif tree.head in ("MAX", "MIN"):
        return Tree(tree.head, *parts)
    tree = Tree(tree.head, *parts, value=tree.value)
    for pattern, meaning in _rules().get(tree.head, ()):
        found: dict[Any, Tree] = {}
        if fit(pattern, tree, found):
            return _simplified(_filled(meaning, found))
    return tree


@cache
def _known_functions() -> frozenset[str]:
    """The functions that are written, and their known synonyms."""
    rows = [FUNCTION.findall(template) for template in (*PRIMITIVES.values(), *SYNONYMS)]
    return (
        WRITTEN_FUNCTIONS
        | {"SUMPRODUCT", "TRANSPOSE", "STDEV", "PI"}
        | {name for row in rows for name in row}
    )


@cache
def _rules() -> Mapping[str, Sequence[tuple[Tree, Tree]]]:
    """For each head of a tree, the patterns that start with it, each with the tree that it means."""
    found: dict[str, list[tuple[Tree, Tree]]] = {}
    for pattern, meaning in _all_rules():
        found.setdefault(pattern.head, []).append((pattern, meaning))
    return found


def _all_rules() -> Iterator[tuple[Tree, Tree]]:
    operands = [Tree("operand", value=place) for place in range(4)]
    symbols = {f"_{place}": operand for place, operand in enumerate(operands)}

    def tree(template: str) -> Tree:
        return _Parser("=" + template.format(*map(Part, symbols)), "", symbols).whole()

    yield tree("PI()"), Tree("named", value="pi")
    yield tree("IF({0:b}>0,1,0)"), Tree("step", operands[0])
    yield tree("IF({0}={1},1,0)"), Tree("equal", *operands[:2])
    yield from ((tree(pattern), tree(meaning)) for pattern, meaning in SYNONYMS.items())
    for head, template in PRIMITIVES.items():
        if template[0].isalpha():
            yield tree(template), Tree(head, *operands[: template.count("{")])
