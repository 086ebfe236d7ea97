"""Practice on a page of its own, without JupyterLab: a model as anywidget has it, and Python behind."""

import json

import numpy as np
import pytest
from on_page import rgba
from playwright.sync_api import Page

import handcalc as hc
from handcalc.practice.exercise.practise import Practice
from handcalc.views import assets
from handcalc.views.palette import FAINTEST, NEVER_NEGATIVE, PLUS, STRONGEST

NAMES = (
    "spec",
    "blank",
    "places",
    "file",
    "texts",
    "states",
    "messages",
    "sizes",
    "hints",
    "spent",
    "notice",
    "back",
    "done",
    "plan",
    "hint",
    "finished",
    "code",
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Practice</title>
<style>html {{ color-scheme: light dark; background: Canvas; }} {style}</style>
</head>
<body><main></main>
<script type="application/json">{script}</script>
<script type="module">
const source = JSON.parse(document.querySelector("script").textContent);
const module = new Blob([source], {{ type: "text/javascript" }});
const widget = (await import(URL.createObjectURL(module))).default;
const values = await state();
const heard = {{}};
const model = {{
  get: (name) => values[name],
  on: (event, hear) => (heard[event] = hear),
  off() {{}},
  async send(message) {{
    const state = (await tell(message)) ?? {{}};
    const text = (of, name) => JSON.stringify(of[name]);
    const changed = Object.keys(state).filter((name) => text(values, name) !== text(state, name));
    Object.assign(values, state); // all at once, as hold_sync sends it
    for (const name of changed) heard[`change:${{name}}`]?.();
  }},
}};
widget.render({{ model, el: document.querySelector("main") }});
</script>
</body>
</html>
"""


class Behind:
    """The kernel behind the page: the practice that answers it, unless the kernel is dead."""

    def __init__(self, practice: Practice) -> None:
        self.practice, self.is_alive = practice, True

    @property
    def text(self) -> str:
        """The page."""
        script = json.dumps(assets.script("practice_widget")).replace("</", "<\\/")
        return PAGE.format(style=assets.style(), script=script)

    def expose(self, page: Page) -> None:
        """Let the page ask and tell."""
        page.expose_function("state", self.state)
        page.expose_function("tell", self.tell)

    def state(self) -> dict:
        return {name: getattr(self.practice.widget, name) for name in NAMES}

    def tell(self, message: dict) -> dict | None:
        if not self.is_alive:
            return None
        self.practice.on_message(message)
        return self.state()


def assert_in_colour(page: Page, calculation: hc.Calculation) -> None:
    """Every number has the colour of the sheet: its hue, and the stronger the larger it is."""
    page.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
    colour = """(cell) => [cell.dataset.step, cell.dataset.row, cell.dataset.column,
      getComputedStyle(cell).backgroundColor]"""
    for name, row, column, found in page.locator("td[data-step]").evaluate_all(
        f"(cells) => cells.map({colour})"
    ):
        values, hue = calculation[name].values, NEVER_NEGATIVE if name in calculation.steps else PLUS
        strength = FAINTEST + (STRONGEST - FAINTEST) * values[int(row), int(column)] / values.max()
        expected = [*hue, strength] if values[int(row), int(column)] else [0, 0, 0, 0]
        assert rgba(found) == pytest.approx(np.array(expected), abs=0.02), (name, row, column)
