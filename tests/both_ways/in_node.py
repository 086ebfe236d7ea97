"""The browser's modules in a Node.js process: what needs no page is tested here, within milliseconds."""

import json
import math
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import handcalc
from handcalc.views import assets

PRODUCT = Path(handcalc.__file__).parent
CLASS_PAGE = PRODUCT / "classroom" / "live" / "page"
DRIVER = Path(__file__).parent / "js" / "driver.mjs"


class NodeError(AssertionError):
    """What JavaScript threw."""


class Node:
    """`node("({ numbers }, value) => numbers.show(value, 2)", 1.5)` is "1.50"."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def __call__(self, code: str, argument: Any = None) -> Any:
        """Call a function on all modules by name and on one argument; raises NodeError for what it throws."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"code": code, "argument": _packed(argument)}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline(), object_hook=_unpacked)
        if "error" in answer:
            raise NodeError(answer["error"])
        return answer["value"]


def sources(folder: Path) -> Path:
    """A copy of all modules that pages are made of, in a folder where Node.js takes them for such."""
    for path in PRODUCT.rglob("*.js"):
        place = folder / path.relative_to(PRODUCT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@contextmanager
def node(program: str, folder: Path) -> Iterator[Node]:
    """Node.js with the browser's modules, as they are written: no bundle."""
    command = [program, str(DRIVER), str(sources(folder) / assets.BROWSER_FOLDER.relative_to(PRODUCT))]
    process = subprocess.Popen(command, stdin=-1, stdout=-1, encoding="utf-8")
    try:
        yield Node(process)
    finally:
        process.communicate(timeout=20)  # it ends with its input


def _packed(value: Any) -> Any:
    """JSON knows no infinity and no NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": repr(value).replace("inf", "Infinity").replace("nan", "NaN")}
    if isinstance(value, dict):
        return {key: _packed(inner) for key, inner in value.items()}
    return [_packed(inner) for inner in value] if isinstance(value, list | tuple) else value


def _unpacked(found: dict[str, Any]) -> Any:
    return float(found["$number"]) if "$number" in found else found
