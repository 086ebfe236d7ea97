"""Writes what follows from the rows of operations and from tables in Python; `make scripts` runs it.

Of the operations that is a script of the browser, a function for every row of which a second paragraph tells
what it does, and the names of these functions in `handcalc/__init__.pyi`; of the tables two scripts.
"""

import inspect
import json
from pathlib import Path

from handcalc import operations
from handcalc.notation import numbers, truncation
from handcalc.operations import functions, pencil_powers
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.tree_code import JAVASCRIPT_OF_NUMBERS, JAVASCRIPT_OF_TEXT, write_javascript
from handcalc.practice.exercise import parse_number
from handcalc.practice.marking.states import STATES, State
from handcalc.record import matrix_functions
from handcalc.views import assets

SCRIPT = assets.BROWSER_FOLDER / "record" / "elementwise.js"
TABLES_SCRIPT = assets.BROWSER_FOLDER / "record" / "tables.js"
STATES_SCRIPT = assets.BROWSER_FOLDER / "practice" / "states.js"
FUNCTIONS = Path(matrix_functions.__file__)
NAMES = FUNCTIONS.parents[1] / "__init__.pyi"
MARKS = (
    "# the rows of operations/functions.py, written by .ci/elementwise.py\n",
    "# the end of the rows\n",
)
MODULE = "from .record.matrix_functions import "
FUNCTION = '''

def {name}({operands}) -> Matrix:
    """{told}"""
    return apply(functions.{kind}({parameters}), M)
'''
HEAD = """\
// Written by .ci/elementwise.py from the rows of handcalc/operations/: change those, then `make scripts`.
//
// `write` makes the arithmetic of one number as it is read, `compute` the number itself: by another form
// where digits would be lost on the way or a number would be too large.

import {{ special }} from "./special_functions.js";

const plus = (m, a, b) => m.sum(2, (k) => (k ? b : a));

export const elementwise = {{
{rows}
}};
"""


TABLES = {
    numbers: (
        "EXPONENT_FROM INFINITY FLOAT_NOISE CANCELLATION_NOISE MAX_DECIMAL_PLACES "
        "SMALLEST_PLAIN LARGEST_PLAIN SUBSCRIPTS SUPERSCRIPTS"
    ),
    truncation: "MAX_TERMS TERMS_SHOWN",
    pencil_powers: "MOST_TERMS MORE_PLACES NUDGE",
    functions: "LARGEST_POWER",
    parse_number: (
        "MAX_TYPED_LENGTH MAX_QUOTED_LENGTH TROUBLES SPACES SAME_SIGNS TYPED_CONSTANTS PREFIX_STRENGTHS "
        "INFIX_STRENGTHS CLOSING"
    ),
}
TABLES_HEAD = """\
// Tables that Python has, too, written by .ci/elementwise.py: change them there, then run `make scripts`.

"""
STATES_HEAD = """\
// The states of a number that was handed in, written by .ci/elementwise.py. Change
// handcalc/practice/marking/states.py, then run `make scripts`.

export const ROWS = [
{rows}
];

export const BY_NAME = Object.fromEntries(ROWS.map((row) => [row.name, row]));
"""


def row(kind: type[Elementwise]) -> str:
    """One operation, as text and as a number."""
    forms = {
        "write": (kind.shown, JAVASCRIPT_OF_TEXT),
        "compute": (kind.stable or kind.shown, JAVASCRIPT_OF_NUMBERS),
    }
    lines = [f"{name}: {write_javascript(*form, kind.inputs or 0)}," for name, form in forms.items()]
    return f"{kind.name}: {{\n{_indented(chr(10).join(lines))}\n}},"


def script() -> str:
    """All of them by name."""
    return HEAD.format(rows=_indented("\n".join(map(row, _kinds()))))


def told(kind: type[Elementwise]) -> str:
    """What people read of its function; of a row that only slopes need, nothing."""
    return inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[2]


def tables() -> str:
    """What Python and the browser look up alike: constants, signs, sentences."""
    lines = (
        f"// {module.__name__.removeprefix('handcalc.')}\n"
        + "".join(f"export const {name} = {literal(getattr(module, name))};\n" for name in names.split())
        for module, names in TABLES.items()
    )
    return TABLES_HEAD + "\n".join(lines)


def literal(value: object) -> str:
    """A number, a text or a dictionary in JavaScript; one of codes, as of `str.maketrans`, by their signs."""
    if isinstance(value, dict):
        of_sign = {
            chr(k) if isinstance(k, int) else k: chr(v) if isinstance(k, int) else v for k, v in value.items()
        }
        return f"{{ __proto__: null, {json.dumps(of_sign, ensure_ascii=False)[1:-1]} }}"
    return json.dumps(value)


def states() -> str:
    """The table of states; colours are those of style sheets."""
    fields = [name for name in State._fields if name != "colour"]
    rows = (
        ", ".join(f"{name}: {json.dumps(getattr(one, name), ensure_ascii=False)}" for name in fields)
        for one in STATES
    )
    return STATES_HEAD.format(rows="\n".join(f"  {{ {fields} }}," for fields in rows))


def function(kind: type[Elementwise]) -> str:
    """How formulas call it."""
    parameters = [p for p in inspect.signature(kind).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    text = told(kind)
    return FUNCTION.format(
        name=kind.name,
        kind=kind.__name__,
        operands=", ".join(
            ["M: MatrixLike", *(f"{p.name}: {p.annotation} = {p.default}" for p in parameters)]
        ),
        told=text if "\n" not in text else _indented(_indented(text)).lstrip() + "\n    ",
        parameters=", ".join(p.name for p in parameters),
    )


def module_of_functions() -> str:
    """The committed module with the functions of today."""
    before, _, rest = FUNCTIONS.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    return f"{before}{MARKS[0]}{''.join(map(function, _public()))}\n\n{MARKS[1]}{after}"


def names() -> str:
    """The committed list of public names, with theirs."""
    lines = NAMES.read_text("utf-8").splitlines()
    wanted = {f"{MODULE}{kind.name} as {kind.name}" for kind in _public()} - {*lines}
    first = next(k for k, line in enumerate(lines) if line.startswith(MODULE))
    there = [line for line in lines if line.startswith(MODULE)]
    lines[first : first + len(there)] = sorted([*there, *wanted])
    return "\n".join([*lines, ""])


def _public() -> list[type[Elementwise]]:
    return [kind for kind in _kinds() if told(kind)]


def _kinds() -> list[type[Elementwise]]:
    return [kind for _, kind in sorted(operations.KINDS.items()) if issubclass(kind, Elementwise)]


def _indented(text: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))


WRITTEN = {
    SCRIPT: script,
    TABLES_SCRIPT: tables,
    STATES_SCRIPT: states,
    FUNCTIONS: module_of_functions,
    NAMES: names,
}

if __name__ == "__main__":
    for path, text in WRITTEN.items():
        path.write_text(text(), "utf-8")
