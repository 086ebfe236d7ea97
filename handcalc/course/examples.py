"""The worked examples of all lessons, `hc.examples.heads()`, each with its source and licence.

Those of a lesson stand in its examples.py, which names them in `__all__`. `make course` gathers the names in
examples.pyi; a lesson's module is imported when somebody asks for one of them.
"""

import re
from importlib import import_module
from pathlib import Path

_GATHERED = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_LESSON_OF = {name: lesson for lesson, name in re.findall(r"from \.(\w+)\.examples import (\w+)", _GATHERED)}
__all__ = sorted(_LESSON_OF)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name not in _LESSON_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found: object = getattr(import_module(f"handcalc.course.{_LESSON_OF[name]}.examples"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return list(__all__)
