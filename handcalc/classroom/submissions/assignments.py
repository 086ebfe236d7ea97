"""What names mean in a notebook, and what is said of its sheets, statement by statement."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.answer_values import (
    Answers,
    Rows,
    Unread,
    UnreadError,
    innermost,
    replaced,
    size,
    substituted,
)
from handcalc.classroom.submissions.literals import Literals
from handcalc.classroom.submissions.possible_changes import Changes, Known

ANSWERS = "answers"  # where our notebooks keep them


@dataclass
class Filled:
    """What is said of one sheet: the last that was written of each step, and the hints asked for."""

    answers: Answers = field(default_factory=Answers)
    hints: dict[str, int] = field(default_factory=dict)

    @property
    def has_any(self) -> bool:
        """Whether something was written, or asked for."""
        return bool(self.answers or self.hints or self.answers.is_computed)


class Assignments:
    """Takes what is assigned, changed and deleted; `sheets` has what was found, by code, "" before any."""

    def __init__(self, code: str = "") -> None:
        self.code = code
        self.sheets: dict[str, Filled] = {}
        self._literals = Literals()
        self._known = Known(self._literals.names, self._literals.spend)

    @property
    def sheet(self) -> Filled:
        """The sheet that is being filled in."""
        return self.sheets.setdefault(self.code, Filled())

    def _not_run(self, node: ast.AST) -> None:
        """Whatever this may give a value to, or change, is computed."""
        found = self._known.changes(node)
        self._touch(found)
        for name in found.bound:
            self._keep(name, Unread())
        for part in ast.walk(node):
            match part:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    self._literals.names[name] = Unread()

    def _touch(self, found: Changes) -> None:
        for name in found.touched:
            self._lose(name)

    def _lose(self, name: str) -> None:
        """What a name stands for may have been changed in place, and with it what is the same by another."""
        value = self._literals.names.get(name)
        if isinstance(value, Answers):
            for inner in [*value]:
                value.keep(inner, Unread())
                self.sheet.answers.take(inner, Unread())
            self._keep(name, Unread())
        elif isinstance(value, Rows):
            self._change(value, Unread())
        elif name == ANSWERS:
            self.sheet.answers.is_computed = True

    def _change(self, old: Rows, new: Any) -> None:
        """What is changed in place is changed by each of its names, and in each list that holds it."""
        names = self._literals.names
        self._literals.spend(len(names))
        self._literals.spend(sum(map(_width, names.values())))
        for name, value in [*names.items()]:
            if isinstance(value, Answers):
                for inner, answer in [*value.items()]:
                    if (found := substituted(answer, old, new)) is not answer:
                        self._put_answer(value, inner, found)
            elif (found := substituted(value, old, new)) is not value:
                self._keep(name, found)

    def _give(self, target: ast.expr, read: Any) -> None:
        match target:
            case ast.Name(id=name):
                self._keep(name, read)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):  # `Q, K = [[…]], [[…]]`
                are_told = isinstance(read, Rows) and len(read) == len(parts)
                for part, value in zip(parts, read if are_told else [Unread()] * len(parts), strict=True):
                    self._give(part, value)
            case ast.Subscript():
                self._put(target, read)
            case _:
                self._not_run(target)

    def _add(self, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """`answers |= {…}`; whatever else is added is computed."""
        match target:
            case ast.Name(id=name):
                before = ast.Name(name, ast.Load())
                read = (
                    self._literals.read(ast.BinOp(before, op, value)) if isinstance(op, ast.BitOr) else None
                )
                if not isinstance(read, Answers):
                    self._lose(name)
                    read = Unread()
                self._keep(name, read)
            case ast.Subscript():
                self._put(target, Unread())
            case _:
                self._not_run(target)

    def _update(self, call: ast.expr) -> bool:
        """`answers.update({…})`, if that is all that is done, and all of it can be read."""
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=args, keywords=words
            ):
                before = self._literals.names.get(name)
                read = self._literals.read(ast.Call(ast.Name("dict", ast.Load()), args, words))
                if isinstance(before, Answers) and isinstance(read, Answers):
                    self._keep(name, before.merged(read))
                    return True
        return False

    def _delete(self, target: ast.expr) -> None:
        match target:
            case ast.Name(id=name):  # what was written of it before was handed in
                self._literals.names.pop(name, None)
            case ast.Subscript():
                self._put(target, Unread())
            case _:
                self._not_run(target)

    def _put(self, target: ast.Subscript, read: Any) -> None:
        """`answers["Q"] = …`, `Q[0][1] = …`, `Q[0, 1] = …`"""
        places: list[Any] = []
        node: ast.expr = target
        while isinstance(node, ast.Subscript) and len(places) < input_limits.MAX_LIST_DEPTH:
            place = self._literals.read(node.slice)
            places[:0] = place if isinstance(place, Rows) else [place]
            node = node.value
        if not isinstance(node, ast.Name):
            self._touch(self._known.changes(target))
            return
        whole = self._literals.names.get(node.id)
        if places and all(isinstance(place, str) for place in places):
            whole = whole if isinstance(whole, Answers) else Answers()
            self._literals.names[node.id] = whole
            self._put_answer(whole, ".".join(places), read)
        elif isinstance(whole, Answers) and isinstance(places[0], str):
            self._put_answer(whole, places[0], self._replaced(whole.get(places[0]), places[1:], read))
        elif isinstance(whole, Rows):
            new = self._replaced(whole, places, read)
            if isinstance(new, Rows) and not whole.is_array:
                whole, new = innermost(whole, places), innermost(new, places)
            self._change(whole, new)
        else:
            self._lose(node.id)

    def _put_answer(self, answers: Answers, name: str, read: Any) -> None:
        read = (read.unread or read) if isinstance(read, Rows) else read
        answers.keep(name, read)
        self.sheet.answers.take(name, read)

    def _replaced(self, whole: Any, places: list[Any], read: Any) -> Any:
        if not isinstance(whole, Rows):
            return Unread()
        try:
            self._literals.spend(size(whole))
            return replaced(whole, places, read)
        except UnreadError as error:
            return Unread(error.reason)

    def _keep(self, name: str, read: Any) -> None:
        """A name means this from here on; it may be the name of a step."""
        read = (read.unread or read) if isinstance(read, Rows) else read
        self._literals.names[name] = read
        if name == ANSWERS:
            self._note_computed(self.sheet, read)
        self.sheet.answers.take("" if isinstance(read, Answers) else name, read)

    def _note_computed(self, sheet: Filled, read: Any) -> None:
        """That code gives answers of its own, to which steps cannot be told."""
        sheet.answers.is_computed |= (
            read.is_computed if isinstance(read, Answers) else isinstance(read, Unread)
        )


def _width(value: Any) -> int:
    """How much there is to look at for one that is held by it."""
    return 1 + len(value) if isinstance(value, Rows | Answers) else 1
