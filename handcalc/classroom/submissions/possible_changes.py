"""What code may change that is not run: what names mean, and what is in a value that they have."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from handcalc.classroom.submissions import bounded_arithmetic

IN_PLACE = {
    *("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"),  # of a list
    *("popitem", "setdefault", "update"),  # of a dictionary
    *("byteswap", "fill", "itemset", "partition", "put", "resize", "setfield", "setflags"),  # of an array
}
GIVEN_IN_PLACE = {"at", "copyto", "fill_diagonal", "place", "put_along_axis", "putmask", "shuffle"}
WHOSE = {"dict", "list", "np", "numpy"}  # list.append(Q, 1) changes Q
READING = {name for kind in (list, dict, str, np.ndarray) for name in dir(kind) if name[0] != "_"} - IN_PLACE
READING |= {"check", "hint", "points"}  # of an exercise
READING |= {
    "clone",
    "detach",
    "double",
    "evalf",
    "exp",
    "float",
    "log",
    "matmul",
    "mm",
    "numpy",
    "softmax",
    "sqrt",
}
HARMLESS = {
    *dir(builtins),
    *bounded_arithmetic.FUNCTIONS,
    "array",
    "asarray",
    "deepcopy",
    "display",
    "Matrix",
    "pprint",
}
HARMLESS -= {"delattr", "eval", "exec", "setattr"}
SHARING = {"enumerate", "iter", "list", "reversed", "sorted", "tuple", "zip"}  # the rows are still the same
VIEWS = {"copy", "get", "items", "ravel", "reshape", "squeeze", "transpose", "values", "view"}
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Defined:
    """A function of the notebook: what a call of it changes, and whether it changes what it is given."""

    bound: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    changes_given: bool = False


class Changes(NamedTuple):
    """The names that may get another value, and those of which the value may be changed in place."""

    bound: set[str]
    touched: set[str]


@dataclass
class Known:
    """What is known where code stands: the names with their values, and the names of imported functions.

    `spend` raises UnreadError once all there is to look at is more than anybody writes.
    """

    names: Mapping[str, Any]
    spend: Callable[[int], None]
    imported: set[str] = field(default_factory=set)

    def changes(self, node: ast.AST) -> Changes:
        """All that a statement or an expression may change."""
        found = Changes(set(), set())
        shared: dict[str, set[str]] = {}
        for part in ast.walk(node):
            self._part(part, found)
            for target, value in _shared(part):
                for name in _named(target):
                    shared.setdefault(name, set()).update(owners([value]))
        waiting = list(found.touched)
        while waiting:  # what is changed by one name is changed for all names of it
            new = shared.pop(waiting.pop(), set()) - found.touched
            found.touched.update(new)
            waiting += new
        return found

    def _part(self, part: ast.AST, found: Changes) -> None:
        match part:
            case ast.Name(id=name, ctx=ast.Store()):
                found.bound.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.bound.add(name)
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                found.touched.update(owners([part]))
            case ast.AugAssign(target=ast.Name(id=name)):
                found.touched.add(name)
            case ast.Call():
                called = self.called(part)
                found.bound.update(called.bound)
                found.touched.update(called.touched)

    def called(self, call: ast.Call) -> Changes:
        """What a call may change."""
        given = [*call.args, *(word.value for word in call.keywords)]
        run = [one for name in given if isinstance(name, ast.Name) and (one := self._defined(name.id))]
        found = Changes(set(), set())
        match call.func:
            case ast.Attribute(value=owner, attr=attr):
                found.touched.update(() if attr in READING else owners([owner]))
                is_theirs = isinstance(owner, ast.Name) and owner.id in WHOSE and attr in IN_PLACE
                has_out = any(word.arg == "out" for word in call.keywords)
                is_changing = attr in GIVEN_IN_PLACE or is_theirs or has_out
            case ast.Name(id=name) if one := self._defined(name):
                run.append(one)
                is_changing = False
            case ast.Name(id=name):
                is_changing = name in GIVEN_IN_PLACE or name in self.names or not self._is_harmless(name)
            case _:
                is_changing = True
        for one in run:
            self.spend(len(one.bound) + len(one.touched))
            found.bound.update(one.bound)
            found.touched.update(one.touched)
        if is_changing or any(one.changes_given for one in run):
            found.touched.update(owners(given))
        return found

    def _defined(self, name: str) -> Defined | None:
        found = self.names.get(name)
        return found if isinstance(found, Defined) else None

    def _is_harmless(self, name: str) -> bool:
        return name in HARMLESS or name in self.imported or "*" in self.imported

    def defined(self, function: Function) -> Defined:
        """What calls of a function change, told from its body."""
        given = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
        found = Changes(set(), set())
        for part in function.body if isinstance(function.body, list) else [function.body]:
            inner = self.changes(part)
            found.bound.update(inner.bound)
            found.touched.update(inner.touched)
        outer = {name for one in ast.walk(function) if isinstance(one, ast.Global) for name in one.names}
        local = given | found.bound - outer
        return Defined(
            frozenset(found.bound & outer), frozenset(found.touched - local), bool(found.touched & given)
        )


def owners(values: Iterable[ast.expr]) -> Iterator[str]:
    """The names of which a value, or a part of it, is what these expressions stand for."""
    waiting = list(values)
    while waiting:
        match waiting.pop():
            case ast.Name(id=name):
                yield name
            case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
                waiting.append(value)
            case ast.NamedExpr(target=target, value=value):
                waiting += [target, value]
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
                waiting += parts
            case ast.BoolOp(values=parts):
                waiting += parts
            case ast.IfExp(body=one, orelse=other):
                waiting += [one, other]
            case ast.Call(func=ast.Name(id=name), args=parts) if name in SHARING:
                waiting += parts
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in VIEWS:
                waiting.append(value)


def _shared(part: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets that have a part of a value, with that value: both names are names of it then."""
    match part:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield target, value
        case ast.comprehension(target=target, iter=value):
            yield target, value
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.NamedExpr(target=target, value=value)
        ):
            yield target, value
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield target, value


def _named(target: ast.expr) -> Iterator[str]:
    for part in ast.walk(target):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
