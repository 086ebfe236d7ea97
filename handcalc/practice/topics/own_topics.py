"""Topics of your own: a function that draws a calculation, in a notebook or in a file that you name.

A file is run only where a teacher names it, never because of what a learner hands in or types.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import wraps
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from os import PathLike
from pathlib import Path
from types import CodeType
from typing import TypeVar

import numpy as np

from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, kind, short
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.topic_registry import (
    OWN_LETTERS,
    OWN_TOPICS,
    TOPIC_LETTERS,
    TOPIC_NUMBERS,
    TOPICS,
)
from handcalc.record.calculation import Calculation

Own = TypeVar("Own", bound=Callable[[Rng, int], Calculation])
TOPIC_NAME = re.compile(r"[a-z][a-z_]*")
TOPICS_OF_FILES: dict[Path, list[str]] = {}  # the files read, with their topics
ENTERED_TOPICS: Counter[str] = Counter()  # how often the file being read has a topic of each name
DECORATOR_EXAMPLE = '@hc.topic("my_topic", letters="YM")'


def topic(name: str, *, letters: str = "") -> Callable[[Own], Own]:
    """Make a topic of your own function `draw(rng, level)`, which returns a calculation with fresh numbers.

    >>> @hc.topic("doubled", letters="YD")
    ... def doubled(rng, level):
    ...     X = hc.Matrix(rng.matrix(1, 2 * level, range(1, 10)), "X")
    ...     return hc.Calculation((X + X).named("Y"))
    >>> print(hc.problem("doubled", seed=1)["Y"].explain(0, 0))
    Y[1,1] = 6 + 6 = 12

    `rng.pick(choices)` draws one number, `rng.matrix(rows, columns, choices)` a matrix; `level` is 1, 2 or 3.
    `letters` begin its codes: two, of which the first is Y, which no built-in topic uses. Until Python ends,
    `hc.problem(name, seed)`, `hc.practise(name)`, `hc.code(name, seed)` and `handcalc worksheet my_file.py`
    know the topic like any other. Codes stand for the same numbers as long as the function draws the same
    ones.
    Raises HandcalcError for a name or letters that are already taken.
    """
    _check_name(name)
    _check_letters(name, letters)

    def enter(draw: Own) -> Own:
        TOPICS[name], TOPIC_LETTERS[name], TOPIC_NUMBERS[name] = (
            _careful(draw, name),
            letters,
            OWN_LETTERS[letters],
        )
        OWN_TOPICS.add(name)
        ENTERED_TOPICS[name] += 1
        return draw

    return enter


def read_file(path: str | PathLike[str]) -> list[str]:
    """Run a teacher's file of topics; returns their names.

    Raises HandcalcError where it is not there, where it stops with an error, where it has no topic or two of
    one name, and where another file has one of that name.
    """
    file = read_path(path).resolve()
    before = {name: TOPICS[name] for name in OWN_TOPICS}
    ENTERED_TOPICS.clear()
    _run(file, read_path(path))
    if twice := [name for name, count in ENTERED_TOPICS.items() if count > 1]:
        raise HandcalcError(
            f"{short_path(read_path(path))} has two topics called {short(twice[0])}; give one of "
            "them another name."
        )
    for name, draw in before.items():
        _check_replaced(name, draw, TOPICS[name])
    TOPICS_OF_FILES[file] = [
        name for name in TOPICS if name in OWN_TOPICS and before.get(name) is not TOPICS[name]
    ]
    if not TOPICS_OF_FILES[file]:
        raise HandcalcError(
            f"{short_path(read_path(path))} has no topic: "
            f"write {DECORATOR_EXAMPLE} above a function that draws a calculation."
        )
    return TOPICS_OF_FILES[file]


class _AsItIsNow(SourceFileLoader):
    """Compiles a file anew: one that was changed within a second passes for the compiled one of before."""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _run(file: Path, called: Path) -> None:
    if not file.is_file():
        raise HandcalcError(f"There is no file {short_path(called)}.")
    if file.suffix != ".py":
        raise HandcalcError(f"{short_path(called)} is not a Python file; name one that ends in .py.")
    loader = _AsItIsNow(f"own_topics_of_{file.stem}", str(file))
    module = module_from_spec(ModuleSpec(loader.name, loader, origin=str(file)))
    module.__file__ = str(file)
    sys.modules[loader.name] = module
    sys.path.insert(0, str(file.parent))  # it may import files beside it, as when Python runs it
    try:
        loader.exec_module(module)
    except HandcalcError:
        raise
    except (Exception, SystemExit) as error:
        raise HandcalcError(f"{short_path(called)} stops{_where(error, file)}: {_told(error)}") from error
    finally:
        with suppress(ValueError):  # the file may have tidied up after itself
            sys.path.remove(str(file.parent))


def _check_name(name: str) -> None:
    if not isinstance(name, str) or not TOPIC_NAME.fullmatch(name):
        raise HandcalcError(
            f"The topic is called {short(name)}; a name has only lowercase letters and _, like 'my_topic'."
        )
    if name in TOPIC_LETTERS and name not in OWN_TOPICS:
        raise HandcalcError(f"handcalc already has a topic {short(name)}; give yours another name.")


def _check_letters(name: str, letters: str) -> None:
    if not isinstance(letters, str) or letters not in OWN_LETTERS:
        raise HandcalcError(
            f"The letters of {short(name)} are {short(letters)}; they must be a capital Y and another "
            "capital letter, such as 'YM' (but not I, O or Y)."
        )
    others = [other for other in OWN_TOPICS if TOPIC_LETTERS[other] == letters and other != name]
    if others:
        raise HandcalcError(
            f"Your topic {short(others[0])} already has the letters {letters}; give {short(name)} others."
        )


def _check_replaced(name: str, before: object, now: object) -> None:
    """Raise HandcalcError where a file's topic takes the place of another file's."""
    first, second = _file_of(before), _file_of(now)
    if first.is_file() and second.is_file() and not first.samefile(second):
        raise HandcalcError(
            f"{short_path(Path(first.name))} and {short_path(Path(second.name))} both have a topic called "
            f"{short(name)}; give one of them another name."
        )


def _file_of(draw: object) -> Path:
    """The file in which a function was written; none for any other callable."""
    function = getattr(draw, "__wrapped__", draw)
    return Path(getattr(getattr(function, "__code__", None), "co_filename", ""))


def _careful(draw: Own, name: str) -> Callable[[Rng, int], Calculation]:
    """The same function, with any error in it told in one sentence, with its line."""
    _check_arguments(draw, name)

    @wraps(draw)
    def drawn(rng: Rng, level: int) -> Calculation:
        again = copy(rng)
        found = _drawn(draw, name, rng, level)
        if not _are_same(found, _drawn(draw, name, again, level)):
            raise HandcalcError(
                f"{short(name)} draws different numbers every time, so no code can stand for them; "
                "draw all of them from rng."
            )
        return found

    return drawn


def _drawn(draw: Own, name: str, rng: Rng, level: int) -> Calculation:
    try:
        found: object = draw(rng, level)
    except HandcalcError:
        raise
    except Exception as error:
        where = _where(error, _file_of(draw))
        raise HandcalcError(f"{short(name)} cannot be drawn{where}: {_told(error)}") from error
    if not isinstance(found, Calculation):
        raise HandcalcError(
            f"The function of {short(name)} returns {kind(found)}; let it return an hc.Calculation(…)."
        )
    if not found.steps:
        raise HandcalcError(
            f"The calculation of {short(name)} has only givens and nothing to work out; "
            'make a step of a result: .named("z").'
        )
    return found


def _are_same(one: Calculation, other: Calculation) -> bool:
    """Whether two calculations have the same names and numbers."""
    return [*one] == [*other] and all(
        np.array_equal(one[name].values, other[name].values, equal_nan=True) for name in one
    )


def _check_arguments(draw: object, name: str) -> None:
    try:
        inspect.signature(draw).bind(None, 1)  # type: ignore[arg-type] # what is no function is refused
    except TypeError:
        raise HandcalcError(
            f"The function of {short(name)} takes two arguments: def {name}(rng, level)."
        ) from None


def _where(error: BaseException, file: Path) -> str:
    """` on line 7`, the last line of the file that Python came through."""
    lines = [error.lineno] if isinstance(error, SyntaxError) and error.lineno else []
    trace = error.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename) == file:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" on line {lines[-1]}" if lines else ""


def _told(error: BaseException) -> str:
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}, {short(words)}."
