"""A learner's page without a page: its modules in Node.js, with the world around them (js/phone_world.js)."""

from pathlib import Path

import in_node
import pytest

JS = "".join(
    (Path(__file__).parent / "js" / f"phone_{name}.js").read_text("utf-8") for name in ("world", "cases")
)
NAMES = {
    "browser_storage": "BrowserStorage",
    "answer_outbox": "AnswerOutbox",
    "server_line": "MarksSocket, ServerLine",
    "server_requests": "Refused, retryDelay",
    "unmarked_answers": "outboxOf",
    "ticket": "readCode, isSameCode, findStanding, chooseTicket, decideOnCode",
}


@pytest.fixture(scope="module")
def phone(node, tmp_path_factory):
    """Runs JavaScript with the page's modules and the cases; each time the world is new."""
    page = in_node.sources(tmp_path_factory.mktemp("phone")) / in_node.CLASS_PAGE.relative_to(in_node.PRODUCT)
    imports = "".join(
        f"const {{ {found} }} = await import('{(page / name).as_uri()}.js');" for name, found in NAMES.items()
    )
    return lambda code, argument=None: node(f"async (_, argument) => {{ {imports} {JS} {code} }}", argument)


def test_what_is_typed_reaches_the_teachers_computer_once_whatever_happens(phone):
    """Every case of phone_cases.js: what a learner typed, tickets, waits, sockets that close or stall."""
    names = phone("return Object.keys(cases)")
    run = "const [run, expected] = cases[argument]; return [await run() ?? null, expected];"
    found = {name: phone(run, name) for name in names}
    assert len(found) > 35
    assert {name: seen for name, (seen, _) in found.items()} == {
        name: right for name, (_, right) in found.items()
    }
