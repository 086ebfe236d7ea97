"""A learner's page without a page: its modules in Node.js, and the world around them (js/phone_world.js)."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handcalc.classroom import live
from handcalc.views import assets

PAGE = Path(live.__file__).parent / "page"
WORLD = (Path(__file__).parent / "js" / "phone_world.js").read_text("utf-8")
NAMES = {
    "kept": "Kept",
    "post": "Post",
    "server": "Live, Refused",
    "unmarked": "outboxOf",
    "backoff": "delay",
    "ticket": "codeIn, isSameCode, standing, ticketFrom, toDo",
}


def around(node: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Runs JavaScript with the page's modules and the world around them."""
    for path in PAGE.glob("*.js"):
        shutil.copy(path, folder)
    (folder / "handcalc.js").write_text(assets.script())
    (folder / "package.json").write_text('{"type": "module"}')
    imports = "".join(
        f"const {{ {found} }} = await import('{(folder / name).as_uri()}.js');"
        for name, found in NAMES.items()
    )
    return lambda code, argument=None: node(
        f"async (_, argument) => {{ {imports} {WORLD} {code} }}", argument
    )
