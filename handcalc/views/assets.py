"""The browser's files, joined for one page: nothing is built, and nothing is fetched at run time."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent / "browser"
# each after what it imports
SCRIPTS = (
    "numbers", "operations", "writing", "record", "variants", "history", "links", "dom", "sheet",
    "input_control", "stepper", "trace", "compare", "explanation", "highlight", "export", "toolbar",
    "present", "explorer", "blanks", "outbox", "practice", "widget",
)  # fmt: skip
STYLES = ("sheet", "explorer", "controls", "present", "practice")
EXPORTS = "export { Calculation, Explorer, Practice, plain, show };"


@cache
def script() -> str:
    """All modules as one: imports between them go, and only the names that others use are exported."""
    parts = [(HERE / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    joined = "\n".join(re.sub(r"(?m)^import .*?;$|^export (?!default)", "", part) for part in parts)
    return f"{joined}\n{EXPORTS}\n"


@cache
def style(*names: str) -> str:
    """Style sheets by name, in order, without comments and needless spaces: every output carries them."""
    joined = "\n".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in names or STYLES)
    bare = re.sub(r"\s+", " ", re.sub(r"(?s)/\*.*?\*/", "", joined))
    return re.sub(r" ?([{};]) ?", r"\1", bare).strip()
