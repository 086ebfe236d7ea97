"""Draw which room imports which, from the code itself: `.venv/bin/python docs/architecture.py`."""

import ast
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "handcalc"
PICTURE = Path(__file__).with_suffix(".svg")
CELL, LEFT, TOP, EDGE = 24, 116, 104, 12  # pixels

STYLE = """
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
  .sheet { fill: #ffffff; } .grid { stroke: #d1d9e0; } .diagonal { fill: #d1d9e0; } .import { fill: #0a5ad6; }
  .late { fill: none; stroke: #0a5ad6; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .sheet { fill: #0d1117; } .grid { stroke: #3d444d; }
    .diagonal { fill: #3d444d; } .import { fill: #6cb0ff; } .late { stroke: #6cb0ff; }
  }
"""


def rooms() -> list[str]:
    """The rooms from the top of the house to its foundations, as import-linter holds them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [room.strip() for layer in layers for room in layer.split("|")]


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """The rooms that these statements import, as handcalc.ROOM... names them."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in found if name.startswith("handcalc.")}


def imports(*, late: bool) -> dict[str, set[str]]:
    """For each room the others that it imports: at once, or (`late`) inside functions and for type hints."""
    house = rooms()
    found: dict[str, set[str]] = {}
    for room in house:
        at_once, every = imports_of(room)
        found[room] = ((every - at_once) if late else at_once) & set(house) - {room}
    return found


@cache
def imports_of(room: str) -> tuple[set[str], set[str]]:
    """What a room imports at once, and what it imports anywhere."""
    paths = [*(PACKAGE / room).rglob("*.py"), PACKAGE / f"{room}.py"]
    trees = [ast.parse(path.read_text("utf-8")) for path in paths if path.is_file()]
    at_once = set().union(*(imported(tree.body) for tree in trees))
    return at_once, set().union(*(imported(ast.walk(tree)) for tree in trees))


def dots(house: list[str], late: bool) -> list[str]:
    """One dot for each import: in the row of the room that imports, in the column of the imported one."""
    kind, how = ("late", "imports late") if late else ("import", "imports")
    return [
        f'<circle class="{kind}" cx="{LEFT + CELL * house.index(other) + CELL // 2}" '
        f'cy="{TOP + CELL * house.index(room) + CELL // 2}" r="5">'
        f"<title>{room} {how} {other}</title></circle>"
        for room, others in imports(late=late).items()
        for other in sorted(others, key=house.index)
    ]


def picture() -> str:
    """The table as SVG."""
    house = rooms()
    extent = CELL * len(house)
    width, height = LEFT + extent + EDGE, TOP + extent + EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        "<title>Which room of handcalc imports which</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="sheet" width="{width}" height="{height}" rx="8"/>',
    ]
    for k, room in enumerate(house):
        x, y, middle = LEFT + k * CELL, TOP + k * CELL, CELL // 2
        lines += [
            f'<path class="grid" d="M{LEFT} {y}h{extent}M{x} {TOP}v{extent}"/>',
            f'<text x="{LEFT - 8}" y="{y + middle + 4}" text-anchor="end">{room}</text>',
            f'<text transform="translate({x + middle + 4} {TOP - 8}) rotate(-90)">{room}</text>',
            f'<rect class="diagonal" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>',
        ]
    return "\n".join([*lines, *dots(house, late=False), *dots(house, late=True), "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
