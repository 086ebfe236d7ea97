"""The answers in a notebook's code: written numbers are read, computed ones are reported."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.code_literals import TOO_MUCH_TO_READ, is_blank, read_literal
from handcalc.classroom.submissions.code_matching import MAX_SPELT_LETTERS, Codes, spell_if_code
from handcalc.classroom.submissions.shown_givens import ShownGivens, read_carried
from handcalc.practice.exercise.answers import Unread
from handcalc.practice.exercise.exercise import HINT_LEVELS

CELL_SLIP = "cannot be read; look at the brackets, commas and quotation marks in its cell"
MAGIC = re.compile(r"^[ \t]*(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
RUN_ELSEWHERE = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b|prun\b)")  # %%bash: the cell is not Python
ASSIGNED = re.compile(  # but not `Q=Q`, where a call passes on a name already read
    r"""^[ \t]*(?:([^\W\d]\w*)|\w+\[["']([^"'\n]+)["']\])[ \t]*=(?!=|[ \t]*\1\b)"""
    r"""|\.check\(\s*([^\W\d]\w*)\s*=(?!\s*\3\b)""",
    re.MULTILINE,
)
ANSWERS = "answers"  # the name of the answers in our notebooks
PRACTISE = "practise"
MAKING_EXERCISES = {"Exercise", PRACTISE}
CHANGING_METHODS = {
    *("append", "clear", "extend", "fill", "insert", "pop", "popitem", "put", "remove", "resize", "reverse"),
    *("setdefault", "sort", "update"),
}
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Written:
    """The value of a name: a number, a text, a list of these, or answers by step; `Unread` for the rest.

    A list has one value under all its names, so a change by one of them shows under each.
    """

    value: Any

    def by_step(self, name: str) -> dict[str, Written]:
        """The answer by its step's name; those to a block have its path before them."""
        if not isinstance(self.value, dict):
            return {name: self}
        if len(self.value) > input_limits.MAX_ANSWERED_STEPS:  # nested dictionaries can double without end
            return {name: Written(Unread(TOO_MUCH_TO_READ))}
        return {f"{name}.{inner}" if name else inner: answer for inner, answer in self.value.items()}


@dataclass
class FoundAnswers:
    """The answers found for one sheet: the last one to each step, and the hints asked for.

    `is_computed` says that code gives answers of its own.
    """

    answers: dict[str, Written] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    is_computed: bool = False

    @property
    def has_any(self) -> bool:
        """Whether something was written, or asked for."""
        return bool(self.answers or self.hints or self.is_computed)

    def take(self, name: str, found: Written) -> None:
        """Note an answer, but a copy of a cell that was not filled in takes nothing away."""
        for step, answer in found.by_step(name).items():
            before = self.answers.get(step)
            if before is None or not is_blank(answer.value) or is_blank(before.value):
                self.answers[step] = answer


class NotebookCode:
    """A reader of cell after cell; `sheets` has the answers found, by code, "" before any."""

    def __init__(self, codes: Codes, code: str = "") -> None:
        self.codes, self.code = codes, code
        self.sheets: dict[str, FoundAnswers] = {}
        self.givens: ShownGivens = ()
        self.is_practised = False  # on a practice page, which keeps typed texts in a file of its own
        self._names: dict[str, Written] = {}
        self._exercises: dict[str, str] = {}  # codes by their names in the notebook

    @property
    def sheet(self) -> FoundAnswers:
        """The sheet that is being filled in."""
        return self.sheets.setdefault(self.code, FoundAnswers())

    def take(self, source: str, shown: str = "") -> None:
        """Take in a cell; `shown` is the beginning of its output."""
        try:
            for statement in parse_cell(source):
                self._take_statement(statement, shown)
            return
        except RecursionError:
            reason = TOO_MUCH_TO_READ
        except (SyntaxError, ValueError, MemoryError):  # half a character; far too many brackets
            reason = CELL_SLIP
        for name in filter(None, (name for found in ASSIGNED.findall(source) for name in found)):
            self._bind(name, Written(Unread(reason)))

    def _take_statement(self, statement: ast.stmt, shown: str) -> None:
        """Take in the names that a statement assigns; of any other statement only its checks count."""
        value: ast.expr | None = getattr(statement, "value", None)
        targets: list[ast.expr] = []
        match statement:
            case ast.Assign(targets=targets):
                pass
            case ast.AnnAssign(target=target) if value:
                targets = [target]
        for name in changed_names(value if value and targets else statement):
            self._lose(name)
        for part in ast.walk(statement):
            if isinstance(part, ast.Call):
                self._take_call(part, shown, is_run=value is not None)
        made = self._made(value)
        self.code = self.code if made is None else made  # answers after it belong to that sheet
        self._exercises.update((one.id, self.code) for one in targets if made and isinstance(one, ast.Name))
        if value and targets and made is None:
            found = self._read(value)
            for one in targets:
                self._give(one, found)

    def _take_call(self, call: ast.Call, shown: str, *, is_run: bool) -> None:
        """A check, a hint, an exercise that is made, or a function that may fill in answers."""
        match call.func:
            case ast.Attribute(value=exercise, attr="check"):
                self._check(call.keywords, self._sheet_of(exercise), is_run=is_run)
            case ast.Attribute(value=exercise, attr="hint"):
                self._hint(call, self._sheet_of(exercise), shown)
            case ast.Attribute(attr="from_spec"):
                self.givens = self.givens or read_carried(call)
            case ast.Name(id=called) if called not in MAKING_EXERCISES and not hasattr(builtins, called):
                given = [self._names.get(part.id) for part in call.args if isinstance(part, ast.Name)]
                self.sheet.is_computed |= any(held and isinstance(held.value, dict) for held in given)
            case _:
                self._made(call)

    def _give(self, target: ast.expr, found: Written) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, found)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(step))):
                whole = self._names.get(name)
                if whole is None or not isinstance(whole.value, dict):
                    whole = self._names[name] = Written({})
                whole.value |= found.by_step(step)
                self.sheet.take(step, found)
            case _:
                for changed in changed_names(target):
                    self._lose(changed)

    def _bind(self, name: str, found: Written) -> None:
        """Bind a name to this value from here on; it may be the name of a step."""
        self._names[name] = found
        self.sheet.is_computed |= name == ANSWERS and isinstance(found.value, Unread)
        self.sheet.take("" if isinstance(found.value, dict) else name, found)

    def _lose(self, name: str) -> None:
        """Forget the value of a name that code changes, and the same value under other names."""
        held = self._names.get(name)
        if held and isinstance(held.value, dict):
            for answer in held.value.values():
                answer.value = Unread()
        if held and isinstance(held.value, list | dict):
            held.value = Unread()
        self._bind(name, Written(Unread()))

    def _made(self, node: ast.expr | None) -> str | None:
        """The code of `hc.Exercise("SA1-4292")`; one that cannot be read is that of the sheet before."""
        match node:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[of, *_]):
                if called not in MAKING_EXERCISES:
                    return None
            case _:
                return None
        self.is_practised |= called == PRACTISE
        given = self._read(of).value
        given = given if isinstance(given, str) else ""
        code = self.codes.read(given) or spell_if_code(given[:MAX_SPELT_LETTERS])
        if code:
            self.sheets.setdefault(code, FoundAnswers())
        return code or self.code

    def _sheet_of(self, exercise: ast.expr) -> FoundAnswers:
        """The answers to an exercise, by its name or made in the same line."""
        name = exercise.id if isinstance(exercise, ast.Name) else ""
        code = self._exercises.get(name) if name else self._made(exercise)
        return self.sheet if code is None else self.sheets.setdefault(code, FoundAnswers())

    def _check(self, words: list[ast.keyword], sheet: FoundAnswers, *, is_run: bool) -> None:
        """`exercise.check(Q=Q, K=[[…]])`, `exercise.check(**answers)`"""
        for word in words:
            if is_run and isinstance(word.value, ast.Name) and word.value.id not in self._names:
                continue  # its cell was deleted, or not yet written
            found = self._read(word.value)
            if word.arg is None and not isinstance(found.value, dict):
                sheet.is_computed = True
            else:
                sheet.take(word.arg or "", found)

    def _hint(self, call: ast.Call, sheet: FoundAnswers, shown: str) -> None:
        """The level of the hints about a step: the one asked for, or the one shown below."""
        given = [*call.args, *(word.value for word in call.keywords), ast.Constant(None)]
        step, level = (self._read(part).value for part in [*given, ast.Constant(None)][:2])
        if isinstance(step, str):
            before = sheet.hints.get(step, 0)
            is_told = isinstance(level, float) and 1 <= level <= HINT_LEVELS
            level = int(level) if is_told else max(_level_shown(shown), before + 1)
            sheet.hints[step] = min(max(level, before), HINT_LEVELS)

    def _read(self, node: ast.expr) -> Written:
        """The value written here, or that of a name."""
        match node:
            case ast.Name(id=name) if name in self._names:
                return self._names[name]
            case ast.Dict():
                return Written(self._dictionary(node))
        return Written(read_literal(node, self._names))

    def _dictionary(self, node: ast.Dict) -> Any:
        found: dict[str, Written] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return Unread()
            found |= self._read(value).by_step(key.value)
        return found


def parse_cell(text: str) -> list[ast.stmt]:
    """The Python statements of a cell, without IPython's own syntax. Raises what `ast.parse` raises."""
    text = text.replace("\r\n", "\n")
    if RUN_ELSEWHERE.match(text):
        return []
    python = MAGIC.sub("", text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of "\d" and `1 is 1`
        for attempt in (text, python):
            try:
                return ast.parse(attempt).body
            except SyntaxError:
                pass
        return ast.parse(dedent(python)).body


def changed_names(node: ast.AST) -> Iterator[str]:
    """The names that code rebinds, or whose values it changes; a function's own names are left out."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            yield from _owner(node)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in CHANGING_METHODS:
            yield from _owner(owner)
    inside = [name for part in ast.iter_child_nodes(node) for name in changed_names(part)]
    if isinstance(node, SCOPES):
        shared = {name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names}
        own = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        stored = (part for part in ast.walk(node) if isinstance(part, ast.Name))
        own |= {part.id for part in stored if isinstance(part.ctx, ast.Store)} - shared
        inside = [name for name in inside if name not in own]
    yield from inside


def _owner(node: ast.AST) -> Iterator[str]:
    """The name of `name[0].part`."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _level_shown(shown: str) -> int:
    """The level of a hint, by how its words begin; 0 where none is shown."""
    head, is_formula, _ = shown.partition("=")
    return 3 if is_formula and "[" in head else 1 if ": " in head else 2 * bool(is_formula)
