"""Writes the rows of handcalc/operations/ as a script of the browser, which `make scripts` then bundles."""

from handcalc import operations
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.tree_code import NUMBERS, WRITING, javascript
from handcalc.views import assets

SCRIPT = assets.HERE / "record" / "elementwise.js"
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


def row(kind: type[Elementwise]) -> str:
    """One operation, as text and as a number."""
    forms = {"write": (kind.shown, WRITING), "compute": (kind.stable or kind.shown, NUMBERS)}
    lines = [f"{name}: {javascript(*form, kind.inputs or 0)}," for name, form in forms.items()]
    return f"{kind.name}: {{\n{_indented(chr(10).join(lines))}\n}},"


def script() -> str:
    """All of them by name."""
    kinds = [kind for _, kind in sorted(operations.KINDS.items()) if issubclass(kind, Elementwise)]
    return HEAD.format(rows=_indented("\n".join(map(row, kinds))))


def _indented(text: str) -> str:
    return "".join(f"  {line}" for line in text.splitlines(keepends=True))


if __name__ == "__main__":
    SCRIPT.write_text(script(), "utf-8")
