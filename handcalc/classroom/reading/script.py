"""A notebook's code read from top to bottom as it would run: which numbers it gives to which step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from handcalc.classroom.reading import limits
from handcalc.classroom.reading.literals import Literals
from handcalc.classroom.reading.statements import parsed
from handcalc.classroom.reading.values import COMPUTED, Answers, Rows, Unread, UnreadError, size
from handcalc.classroom.reading.whose import LONGEST, Codes, spelt
from handcalc.practice.exercise import LEVELS

PRACTISE = "practise"
MAKING = ("Exercise", PRACTISE)  # what makes an exercise of a code
SLIP = "cannot be read; look at the brackets, commas and quotation marks in its cell"


@dataclass
class Filled:
    """What is said of one sheet: the last that was written of each step, and the hints asked for."""

    answers: Answers = field(default_factory=Answers)
    hints: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Made:
    """An exercise that the notebook makes, with its code."""

    code: str


class Script:
    """Takes cell after cell; `sheets` has what was found, by code, "" for what comes before any."""

    def __init__(self, codes: Codes, code: str = "") -> None:
        self.codes = codes
        self.code = code
        self.sheets: dict[str, Filled] = {}
        self.is_practised = False  # on the page, which keeps what is typed in a file of its own
        self._literals = Literals()

    @property
    def sheet(self) -> Filled:
        """The sheet that is being filled in."""
        return self.sheets.setdefault(self.code, Filled())

    def take(self, source: str, shown: str = "") -> None:
        """Take in a cell; `shown` is the beginning of what is shown below it."""
        self._literals.begin_cell()
        statements, lost = parsed(source)
        for name in lost:
            self._keep(name, Unread(SLIP))
        for statement in statements:
            try:
                self._statement(statement, shown)
            except UnreadError:
                self.sheet.answers.has_more = True

    def _statement(self, statement: ast.stmt, shown: str) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                self._calls(value, shown)
                self._assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._calls(value, shown)
                self._assign([target], value)
            case ast.Expr(value=value):
                self._calls(value, shown)
            case ast.Import() | ast.ImportFrom():
                pass
            case _:  # loops, functions, classes: whatever they do, they are not run
                self._forget(statement)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        made = self._made(value)
        read = Unread() if made else self._literals.read(value)
        self.code = made.code if made else self.code  # what comes after it belongs to that sheet
        for target in targets:
            match target:
                case ast.Name(id=name) if made:
                    self._literals.names[name] = made
                case ast.Name(id=name):
                    self._keep(name, read)
                case ast.Tuple(elts=parts) | ast.List(elts=parts):
                    self._share(parts, read)
                case ast.Subscript():
                    self._put(target, read)

    def _share(self, targets: list[ast.expr], read: Any) -> None:
        """`Q, K = [[…]], [[…]]`"""
        values = read if isinstance(read, Rows) and len(read) == len(targets) else [Unread()] * len(targets)
        for target, value in zip(targets, values, strict=True):
            match target:
                case ast.Name(id=name):
                    self._keep(name, value)
                case ast.Subscript():
                    self._put(target, value)
                case _:
                    self._forget(target)

    def _put(self, target: ast.Subscript, read: Any) -> None:
        """`answers["Q"] = …`, `Q[0][1] = …`, `Q[0, 1] = …`"""
        places: list[Any] = []
        node: ast.expr = target
        while isinstance(node, ast.Subscript) and len(places) < limits.DEEPEST_LIST:
            place = self._literals.read(node.slice)
            places[:0] = place if isinstance(place, Rows) else [place]
            node = node.value
        if not isinstance(node, ast.Name):
            return
        whole = self._literals.names.get(node.id)
        if len(places) == 1 and isinstance(places[0], str):
            whole = whole if isinstance(whole, Answers) else Answers()
            self._literals.names[node.id] = whole
            whole.keep(places[0], read)
            self.sheet.answers.keep(places[0], read)
        elif isinstance(whole, Rows):
            self._keep(node.id, self._replaced(whole, places, read))

    def _replaced(self, whole: Rows, places: list[Any], read: Any) -> Any:
        try:
            self._literals.spend(size(whole))
            return _replaced(whole, places, read)
        except UnreadError as error:
            return Unread(error.reason)

    def _keep(self, name: str, read: Any) -> None:
        """A name means this from here on; it may be the name of a step."""
        self._literals.names[name] = read
        self.sheet.answers.keep("" if isinstance(read, Answers) else name, read)

    def _forget(self, node: ast.AST) -> None:
        """Whatever this may give a value to is computed."""
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name, ctx=ast.Store()):
                    self._keep(name, Unread())
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    self._literals.names[name] = Unread()

    def _calls(self, node: ast.expr, shown: str) -> None:
        """Every check and hint in an expression, every exercise it makes, every name it sets on the way."""
        for part in ast.walk(node):
            match part:
                case ast.NamedExpr(target=ast.Name(id=name)):
                    self._keep(name, Unread())
                case ast.Call(func=ast.Attribute(value=exercise, attr="check")):
                    self._check(part, self._sheet_of(exercise))
                case ast.Call(func=ast.Attribute(value=exercise, attr="hint")):
                    self._hint(part, self._sheet_of(exercise), shown)
                case ast.Call() if (made := self._made(part)) and part is node:
                    self.code = made.code

    def _made(self, node: ast.expr) -> Made | None:
        """`hc.Exercise("SA1-4292")`; one without a code that can be read is that of the sheet before."""
        called = self._literals.function(node) if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or called not in MAKING or not node.args:
            return None
        self.is_practised |= called == PRACTISE
        given = self._literals.read(node.args[0])
        code = (self.codes.read(given) or spelt(given[:LONGEST])) if isinstance(given, str) else ""
        if code:
            self.sheets.setdefault(code, Filled())
        return Made(code or self.code)

    def _sheet_of(self, exercise: ast.expr) -> Filled:
        """That of an exercise by its name, or of one that is made in the same line."""
        name = exercise.id if isinstance(exercise, ast.Name) else ""
        made = self._literals.names.get(name) if name else self._made(exercise)
        return self.sheets.setdefault(made.code, Filled()) if isinstance(made, Made) else self.sheet

    def _check(self, call: ast.Call, sheet: Filled) -> None:
        """`exercise.check(Q=Q, K=[[…]])`, `exercise.check(**answers)`"""
        for word in call.keywords:
            if isinstance(word.value, ast.Name) and word.value.id not in self._literals.names:
                continue  # its cell was deleted, or not yet written
            read = self._literals.read(word.value)
            if word.arg is not None or isinstance(read, Answers):
                sheet.answers.keep(word.arg or "", read)

    def _hint(self, call: ast.Call, sheet: Filled, shown: str) -> None:
        """How far the hints about a step went: the level asked for, or the one that is shown below."""
        step, *more = (self._literals.read(part) for part in _parts(call))
        if not isinstance(step, str) or len(step) > limits.LONGEST_NAME:
            return
        before = sheet.hints.get(step, 0)
        level = int(more[0]) if more and isinstance(more[0], float) and 1 <= more[0] <= LEVELS else 0
        level = level or max(_level(shown), before + 1)
        sheet.hints[step] = min(max(level, before), LEVELS)


def _parts(call: ast.Call) -> Iterator[ast.expr]:
    yield from [*call.args, *(word.value for word in call.keywords), ast.Constant(None)][:2]


def _level(shown: str) -> int:
    """The level of a hint, by how its words begin; 0 where none is shown."""
    head, is_formula, _ = shown.partition("=")
    return 3 if is_formula and "[" in head else 1 if ": " in head else 2 * bool(is_formula)


def _replaced(whole: Rows, places: list[Any], read: Any) -> Any:
    """The same list with one value in it changed."""
    place = _place(places, len(whole))
    if place is None or isinstance(read, Unread | Answers):
        return Unread(COMPUTED)
    values = list(whole)
    if len(places) > 1:
        inner = values[place]
        read = _replaced(inner, places[1:], read) if isinstance(inner, Rows) else Unread()
    if isinstance(read, Unread):
        return read
    values[place] = read
    return Rows(values, is_array=whole.is_array)


def _place(places: list[Any], count: int) -> int | None:
    place = places[0] if places else None
    is_one = isinstance(place, float) and place.is_integer() and -count <= place < count
    return int(place) if is_one and isinstance(place, float) else None
