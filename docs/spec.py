"""Write the operations into docs/spec.md and docs/spec.schema.json: `.venv/bin/python docs/spec.py`."""

import inspect
import json
from pathlib import Path
from typing import Any

from handcalc.operations import KINDS
from handcalc.record.spec import SPEC_VERSION

PAGE = Path(__file__).with_suffix(".md")
SCHEMA = Path(__file__).with_suffix(".schema.json")
MARKS = ("<!-- operations, written by docs/spec.py -->\n", "<!-- end of operations -->\n")
Json = dict[str, Any]

WHOLE: Json = {"type": "integer", "minimum": 0}
POSITIVE: Json = {"type": "number", "exclusiveMinimum": 0}
PARAMETERS: dict[str, Json] = {
    "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "allowed": {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}},
    "approximate": {"type": "boolean"},
    "axis": {"enum": [0, 1]},
    "base": POSITIVE,
    "below": POSITIVE,
    "count": {"type": "integer", "minimum": 1},
    "d_model": {"type": "integer", "minimum": 1},
    "exponent": {"type": "integer", "minimum": 1},
    "indices": {"type": "array", "items": WHOLE, "minItems": 1},
    "limit": POSITIVE,
    "size": {"type": "integer", "minimum": 1},
    "start": WHOLE,
    "stop": {"type": "integer", "minimum": 1},
    "symbol": {"type": ["string", "null"]},
    "from_end": {"type": "boolean"},
    "places": {"type": "integer", "minimum": 0, "maximum": 15},
    "turn": POSITIVE,
    "value": {"type": "number"},
    "width": {"type": "integer", "minimum": 1},
    "words": {"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1},
}


def operation(name: str) -> Json:
    """The schema of one operation."""
    fields = KINDS[name].fields
    required = [field for field in KINDS[name].fields if field not in KINDS[name].optional]
    return {
        "type": "object",
        "properties": {"name": {"const": name}} | {field: PARAMETERS[field] for field in fields},
        "required": ["name", *required],
        "additionalProperties": False,
    }


def schema() -> Json:
    """The committed schema with the operations of today."""
    now: Json = json.loads(SCHEMA.read_text("utf-8"))
    kinds = [operation(name) for name in sorted(KINDS)]
    now["properties"]["version"] = {"const": SPEC_VERSION}
    now["$defs"]["operation"] = {"oneOf": kinds}
    return now


def table() -> str:
    """One row for each operation: its name, its parameters, what it computes."""
    rows = ["| name | inputs | parameters | what it computes |", "|---|---|---|---|"]
    for name in sorted(KINDS):
        fields = ", ".join(f"`{field}`" for field in KINDS[name].fields)
        what = inspect.cleandoc(KINDS[name].__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        count = "any" if KINDS[name].inputs is None else KINDS[name].inputs
        rows.append(f"| `{name}` | {count} | {fields} | {what} |")
    return "\n".join([*rows, ""])


def page() -> str:
    """The committed page with the table of today."""
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    return before + MARKS[0] + table() + MARKS[1] + rest.partition(MARKS[1])[2]


def as_text(schema: Json) -> str:
    """The schema as it is committed."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(as_text(schema()), "utf-8")
    PAGE.write_text(page(), "utf-8")
