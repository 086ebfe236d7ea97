"""Trees as code, which is the same but for a few names: of Python, and twice of JavaScript.

Of JavaScript there is a function of numbers, `(a) => 1 / (1 + Math.exp(0 - a))`, and one of pieces of text,
in which `m` of `expression.js` puts an explanation together. `.ci/elementwise.py` writes both for every row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from handcalc.operations.trees import NUMPY_FUNCTIONS, PRIMITIVES, VALUES_OF_NAMED_NUMBERS, Tree

OPERANDS = "ab"


class Language(NamedTuple):
    """A language: the place of its primitives in `Primitive`, and its numbers, parameters and code lines."""

    place: int
    number: str
    parameter: str
    named: Mapping[str, str]
    shared: str
    branch: tuple[str, str]


_JAVASCRIPT = ("const {} = {};", ("if ({}) {{", "}"))
PYTHON = Language(0, "{}", "{}", {"e": "e", "pi": "pi"}, "{} = {}", ("if {}:", ""))
JAVASCRIPT_OF_NUMBERS = Language(1, "{}", "op.{}", {"e": "Math.E", "pi": "Math.PI"}, *_JAVASCRIPT)
JAVASCRIPT_OF_TEXT = Language(
    2, "m.constant({})", "m.constant(op.{})", {"e": "m.e", "pi": "m.pi"}, *_JAVASCRIPT
)


def compile_tree(tree: Tree, count: int, fields: Iterable[str]) -> Callable[..., Any]:
    """A numpy function of `count` arrays, then of the parameters with these names."""
    arguments = ", ".join([*OPERANDS[:count], *fields])
    lines = [f"def computed({arguments}):", *_indented(_lines(tree, PYTHON))]
    names: dict[str, Any] = {**NUMPY_FUNCTIONS, **VALUES_OF_NAMED_NUMBERS}
    exec("\n".join(lines), names)  # the text is made here, of a tree: nobody handed it in
    computed: Callable[..., Any] = names["computed"]
    return computed


def write_javascript(tree: Tree, language: Language, count: int) -> str:
    """An arrow function."""
    names = [*(["m"] if language is JAVASCRIPT_OF_TEXT else []), *OPERANDS[:count]]
    if any(part.head in ("parameter", "either") for part in tree):
        names.append("op")
    lines = _lines(tree, language)
    if len(lines) > 1:
        return "\n".join([f"({', '.join(names)}) => {{", *_indented(lines), "}"])
    return f"({', '.join(names)}) => {lines[0].removeprefix('return ').removesuffix(';')}"


def _lines(tree: Tree, language: Language) -> list[str]:
    """The lines of a function; a part that occurs several times is worked out once."""
    end = ";" if language is not PYTHON else ""
    if tree.head == "either":
        (begin, close), (then, otherwise) = language.branch, tree.parts
        lines = [begin.format(_condition(tree, language)), *_indented(_lines(then, language)), close]
        return [*filter(None, lines), *_lines(otherwise, language)]
    readers = Counter(part for node in dict.fromkeys(tree) for part in node.parts)
    names: dict[Tree, str] = {}
    lines = []
    for part in dict.fromkeys(tree):
        if readers[part] > 1 and part.parts:
            text = _text(part, language, names)
            names[part] = f"part{len(names) + 1}"
            lines.append(language.shared.format(names[part], text))
    return [*lines, f"return {_text(tree, language, names)}{end}"]


def _text(tree: Tree, language: Language, names: Mapping[Tree, str]) -> str:
    if tree in names:
        return names[tree]
    if tree.head == "operand":
        return OPERANDS[tree.value]
    if tree.head == "named":
        return language.named[tree.value]
    if tree.head in ("number", "parameter"):
        how = language.number if tree.head == "number" else language.parameter
        return how.format(tree.value)
    template = _template(tree, language)
    write = _text if template.endswith(")") else _beside_sign
    parts = [write(part, language, names) for part in tree.parts]
    return (
        template.format(*parts) if template.count("{}") == len(parts) else template.format(", ".join(parts))
    )


def _beside_sign(tree: Tree, language: Language, names: Mapping[Tree, str]) -> str:
    """In brackets, if it is arithmetic with a sign itself."""
    text = _text(tree, language, names)
    has_sign = tree.head in PRIMITIVES and tree not in names and not _template(tree, language).endswith(")")
    return f"({text})" if has_sign else text


def _template(tree: Tree, language: Language) -> str:
    return str(PRIMITIVES[tree.head][language.place])


def _condition(tree: Tree, language: Language) -> str:
    field, named = tree.value
    if language is PYTHON:
        return f"{field} == {named}" if named else str(field)
    return f"op.{field} === {JAVASCRIPT_OF_NUMBERS.named[named]}" if named else f"op.{field}"


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
