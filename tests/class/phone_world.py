"""A learner's page without a page: its modules in Node.js, and the world around them (js/phone_world.js)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import in_node

WORLD = (Path(__file__).parent / "js" / "phone_world.js").read_text("utf-8")
NAMES = {
    "browser_storage": "BrowserStorage",
    "answer_outbox": "AnswerOutbox",
    "server_line": "MarksSocket, ServerLine",
    "server_requests": "Refused, retryDelay",
    "unmarked_answers": "outboxOf",
    "ticket": "readCode, isSameCode, findStanding, chooseTicket, decideOnCode",
}


def around(node: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Runs JavaScript with the page's modules and the world around them."""
    page = in_node.sources(folder) / in_node.CLASS_PAGE.relative_to(in_node.PRODUCT)
    imports = "".join(
        f"const {{ {found} }} = await import('{(page / name).as_uri()}.js');" for name, found in NAMES.items()
    )
    return lambda code, argument=None: node(
        f"async (_, argument) => {{ {imports} {WORLD} {code} }}", argument
    )
