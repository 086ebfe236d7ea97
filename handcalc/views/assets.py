"""The browser's files, joined for one page: nothing is built, and nothing is fetched at run time."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from handcalc.views.palette import ACCENTS

HERE = Path(__file__).parent / "browser"
ENTRY = "widget"  # what a notebook loads
ENTRIES = (ENTRY, "packing")  # they import all others, directly or not
STYLES = (
    "sheet",
    "explorer",
    "marks",
    "pointing",
    "drawer",
    "ribbons",
    "stages",
    "making",
    "controls",
    "beside",
    "what_if",
    "windows",
    "present",
    "verdicts",
    "practice",
    "guess",
    "map",
    "blocks",
    "atlas",
    "training",
    "narrow",
    "print",  # last, as it takes controls away
)
EXPORTS = "export { Atlas, Calculation, Explorer, Practice, button, plain, show, tag, unpacked };"

# The only two forms of import and export that these modules use; a test holds them to it.
IMPORT = re.compile(r'^import \{ ([\w, \n]+) \} from "\.\.?/(?:\w+/)?(\w+)\.js";\n', re.MULTILINE)
WHITE = re.compile(r"^\s+|^\s*//.*\n", re.MULTILINE)  # every page carries the script
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function\*?) (\w+))", re.MULTILINE)


@cache
def files() -> dict[str, Path]:
    """All files by name, whatever room they are in: no two have the same."""
    return {path.name: path for path in sorted(HERE.rglob("*.*s"))}


def source(name: str) -> str:
    """The text of one module."""
    return files()[f"{name}.js"].read_text(encoding="utf-8")


def modules() -> list[str]:
    """All modules that the entries need, each after those it imports; CycleError where that cannot be."""
    imports: dict[str, list[str]] = {}
    waiting = [*ENTRIES]
    while waiting:
        name = waiting.pop()
        if name not in imports:
            imports[name] = sorted({match[2] for match in IMPORT.finditer(source(name))})
            waiting += imports[name]
    return list(TopologicalSorter(imports).static_order())


@cache
def script() -> str:
    """All modules as one: imports between them go, and only the names that others use are exported."""
    joined = "\n".join(EXPORT.sub("", IMPORT.sub("", source(name))) for name in modules())
    return f"{WHITE.sub('', joined)}\n{EXPORTS}\n"


@cache
def style(*names: str) -> str:
    """Style sheets by name, in order, without comments and needless spaces: every output carries them."""
    joined = "\n".join(files()[f"{name}.css"].read_text(encoding="utf-8") for name in names or STYLES)
    bare = re.sub(r"\s+", " ", re.sub(r"(?s)/\*.*?\*/", "", joined))
    return accents() + re.sub(r" ?([{};]) ?", r"\1", bare).strip()


def accents() -> str:
    """The accents of drawn sheets as custom properties: --hc-chosen, --hc-a, --hc-b and --hc-c."""
    properties = (f"--hc-{role}:light-dark({light},{dark})" for role, (light, dark) in ACCENTS.items())
    return f".handcalc-explorer,.handcalc-sheet,.handcalc-guess{{{';'.join(properties)}}}"
