"""A notebook's code read from top to bottom as it would run: which numbers it gives to which step."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.answer_values import Answers, Unread, UnreadError
from handcalc.classroom.submissions.assignments import Assignments, Filled
from handcalc.classroom.submissions.code_matching import LONGEST, Codes, spelt
from handcalc.classroom.submissions.statements import parsed
from handcalc.practice.exercise.exercise import HINT_LEVELS

PRACTISE = "practise"
MAKING = ("Exercise", PRACTISE)  # what makes an exercise of a code
SLIP = "cannot be read; look at the brackets, commas and quotation marks in its cell"


@dataclass(frozen=True)
class Made:
    """An exercise that the notebook makes, with its code."""

    code: str


class Script(Assignments):
    """Takes cell after cell."""

    def __init__(self, codes: Codes, code: str = "") -> None:
        super().__init__(code)
        self.codes = codes
        self.is_practised = False  # on the page, which keeps what is typed in a file of its own

    def take(self, source: str, shown: str = "") -> None:
        """Take in a cell; `shown` is the beginning of what is shown below it."""
        self._literals.begin_cell()
        statements, lost = parsed(source)
        for name in lost:
            self._keep(name, Unread(SLIP))
        self._run(statements, shown)

    def _run(self, statements: list[ast.stmt], shown: str) -> None:
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
            case ast.AugAssign(target=target, op=op, value=value):
                self._calls(value, shown)
                self._add(target, op, value)
            case ast.Expr(value=value):
                if not self._update(value):
                    self._calls(value, shown)
            case ast.Delete(targets=targets):
                for one in targets:
                    self._delete(one)
            case _:
                self._block(statement, shown)

    def _block(self, statement: ast.stmt, shown: str) -> None:
        """A block of statements, if it is run for sure, and once."""
        match statement:
            case ast.Try(body=body, handlers=aside, orelse=more, finalbody=end):
                self._run_beside(aside, [*body, *more, *end], shown)
            case ast.With(body=body, items=aside):
                self._run_beside(aside, body, shown)
            case ast.If(test=test, body=body) if _is_true(test):
                self._run(body, shown)
            case _:
                self._define(statement)

    def _run_beside(self, aside: Sequence[ast.AST], body: list[ast.stmt], shown: str) -> None:
        for part in aside:
            self._aside(part)
        self._run(body, shown)

    def _define(self, statement: ast.stmt) -> None:
        """A function, a module, or what is not run: a loop, a condition, a class."""
        match statement:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self._known.imported.update(one.asname or one.name for one in names)
                self._literals.called |= {one.asname: one.name for one in names if one.asname}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._literals.names[name] = self._known.defined(statement)
                self._checks_inside(statement)
            case ast.ClassDef(name=name):
                self._touch(self._known.changes(statement))
                self._literals.names[name] = Unread()
                self._checks_inside(statement)
            case _:
                self._aside(statement)

    def _aside(self, node: ast.AST) -> None:
        """What is not run gives no answers but those in a check."""
        self._not_run(node)
        self._checks(node)

    def _checks_inside(self, node: ast.AST) -> None:
        """The checks in a function: names that it gives a value to are its own."""
        names = self._literals.names
        own = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)} | self._known.changes(
            node
        ).bound
        kept = {name: names[name] for name in own if name in names}
        names.update((name, Unread()) for name in own)
        self._checks(node)
        for name in own:
            del names[name]
        names.update(kept)

    def _checks(self, node: ast.AST) -> None:
        for part in ast.walk(node):
            match part:
                case ast.Call(func=ast.Attribute(value=exercise, attr="check")):
                    self._check(part, self._sheet_of(exercise))

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        made = self._made(value)
        self.code = made.code if made else self.code  # what comes after it belongs to that sheet
        if not made and not isinstance(value, ast.Lambda):
            read = self._literals.read(value)
            for target in targets:
                self._give(target, read)
            return
        for one in targets:
            if isinstance(one, ast.Name):
                called = self._known.defined(value) if isinstance(value, ast.Lambda) else None
                self._literals.names[one.id] = made or called
            else:
                self._give(one, Unread())

    def _calls(self, node: ast.expr, shown: str) -> None:
        """Every check and hint in an expression, every exercise it makes, every name it sets on the way."""
        self._touch(self._known.changes(node))
        for part in ast.walk(node):
            match part:
                case ast.NamedExpr(target=ast.Name(id=name)):
                    self._keep(name, Unread())
                case ast.Call(func=ast.Attribute(value=exercise, attr="check")):
                    self._check(part, self._sheet_of(exercise))
                case ast.Call(func=ast.Attribute(value=exercise, attr="hint")):
                    self._hint(part, self._sheet_of(exercise), shown)
                case ast.Call():
                    self._call(part, is_all=part is node)

    def _call(self, call: ast.Call, *, is_all: bool) -> None:
        """A call that makes an exercise, or one of a function that gives a name outside another value."""
        made = self._made(call)
        self.code = made.code if made and is_all else self.code
        for name in self._known.called(call).bound:
            self._keep(name, Unread())

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
            if word.arg is None:
                self._note_computed(sheet, read)
            if word.arg is not None or isinstance(read, Answers):
                sheet.answers.take(word.arg or "", read)

    def _hint(self, call: ast.Call, sheet: Filled, shown: str) -> None:
        """How far the hints about a step went: the level asked for, or the one that is shown below."""
        step, *more = (self._literals.read(part) for part in _parts(call))
        if not isinstance(step, str) or len(step) > input_limits.MAX_STEP_NAME_LETTERS:
            return
        before = sheet.hints.get(step, 0)
        level = int(more[0]) if more and isinstance(more[0], float) and 1 <= more[0] <= HINT_LEVELS else 0
        level = level or max(_level(shown), before + 1)
        sheet.hints[step] = min(max(level, before), HINT_LEVELS)


def _parts(call: ast.Call) -> Iterator[ast.expr]:
    yield from [*call.args, *(word.value for word in call.keywords), ast.Constant(None)][:2]


def _level(shown: str) -> int:
    """The level of a hint, by how its words begin; 0 where none is shown."""
    head, is_formula, _ = shown.partition("=")
    return 3 if is_formula and "[" in head else 1 if ": " in head else 2 * bool(is_formula)


def _is_true(test: ast.expr) -> bool:
    """`if True:`, `if __name__ == "__main__":`"""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return True
    return False
