"""What a screen reader would say of a page that is worked by keyboard alone, by Chromium's own tree."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

AROUND = ("group", "grid", "toolbar", "listbox", "dialog", "navigation", "region")
ROLES = {
    "textbox": "field",
    "spinbutton": "field",
    "slider": "slider",
    "radio": "choice",
    "DisclosureTriangle": "button",
}
# Each change of a live region, as a whole, once all changes of the moment have been made.
LISTEN = """() => {
  window.heard = [];
  const regions = "[role=status], [role=alert], [aria-live]:not([aria-live=off])";
  const said = new Set();
  const tell = () => {
    for (const region of said) {
      if (region.closest("[aria-busy=true]") || !region.checkVisibility()) continue;
      const text = region.innerText.replace(/\\s+/g, " ").trim();
      if (text) window.heard.push(text);
      said.delete(region);
    }
  };
  const note = (changes) => {
    for (const { target } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(regions);
      if (region) said.add(region);
    }
    setTimeout(tell);
  };
  const seen = { childList: true, characterData: true, subtree: true, attributeFilter: ["aria-busy"] };
  new MutationObserver(note).observe(document.body, seen);
}"""
# Where a number stands, as a table says it: by its labels, where it has some.
PLACE = """() => {
  const cell = document.activeElement?.closest("[role=gridcell]");
  if (!cell) return null;
  const row = cell.parentElement;
  const numbers = [...row.querySelectorAll("[role=gridcell]")];
  const column = numbers.indexOf(cell);
  const head = cell.closest("table").tHead?.querySelectorAll("th")[column]?.textContent;
  const rows = [...row.parentElement.rows];
  return [
    row.querySelector("th")?.textContent ?? `row ${rows.indexOf(row) + 1}`,
    head ?? `column ${column + 1}`,
  ];
}"""


class Listener:
    """Presses keys on a page and writes down what is heard."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tree = page.context.new_cdp_session(page)
        self.around: list[str] = []
        self.place: list[str] = []
        self.at: Any = None
        page.evaluate(LISTEN)

    def press(self, *keys: str) -> str:
        """Press keys one after another, and hear what the last one brings."""
        for key in keys[:-1]:
            self.page.keyboard.press(key)
        self.page.evaluate("() => { window.heard.length = 0; }")
        self.page.keyboard.press(keys[-1])
        return self.hear()

    def type(self, text: str) -> None:
        """Type a text; a screen reader echoes the letters."""
        self.page.keyboard.type(text)

    def hear(self) -> str:
        """What has the keyboard now, if that is another thing, then what live regions say."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 30))")
        told: list[str] = self.page.evaluate("() => window.heard.splice(0)")
        return " | ".join(filter(None, [self._focus(), *told]))

    @property
    def role(self) -> str:
        """Of what has the keyboard."""
        return str(self._node()[0]["role"]["value"])

    @property
    def name(self) -> str:
        """Of what has the keyboard."""
        return _text(self._node()[0], "name")

    def _node(self) -> list[dict[str, Any]]:
        """What has the keyboard, and what is around it, from the inside out."""
        found = self.tree.send("Runtime.evaluate", {"expression": "document.activeElement"})
        asked = {"objectId": found["result"]["objectId"], "fetchRelatives": True}
        nodes = self.tree.send("Accessibility.getPartialAXTree", asked)["nodes"]
        known = {node["nodeId"]: node for node in nodes}
        way = [nodes[0]]
        while parent := known.get(way[-1].get("parentId", "")):
            way.append(parent)
        return way

    def _focus(self) -> str:
        node, *rest = self._node()
        state = _state(node)
        around = [
            f"{_text(one, 'name')}"
            for one in reversed(rest)
            if not one["ignored"] and one["role"]["value"] in AROUND
        ]
        around = [name for name in around if name]
        entered = [name for name in around if name not in self.around]
        place = self.page.evaluate(PLACE) or []
        at = (node.get("backendDOMNodeId"), state)
        is_same, self.at = at == self.at, at
        before, self.around, self.place = self.place, around, place
        if is_same:
            return ""
        if place:
            where = (
                place
                if entered or not before
                else [one for one, other in zip(place, before, strict=True) if one != other]
            )
            return "; ".join([*entered, ", ".join([_text(node, "name"), *where])])
        role = node["role"]["value"]
        own = ", ".join(filter(None, [_text(node, "name"), ROLES.get(role, role), state]))
        return "; ".join([*entered, own])


def _text(node: dict[str, Any], what: str) -> str:
    return " ".join(str(node.get(what, {}).get("value", "")).split())


def _state(node: dict[str, Any]) -> str:
    """Checked, pressed, open, off, and what stands in a field."""
    found = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
    words = {
        "checked": {"true": "chosen", "false": ""},
        "pressed": {"true": "on", "false": "off"},
        "expanded": {True: "open", False: "closed"},
        "disabled": {True: "cannot be used"},
    }
    said = [words[name].get(found[name], "") for name in words if name in found]
    return ", ".join(filter(None, [*said, str(found.get("valuetext") or "") or _text(node, "value")]))
