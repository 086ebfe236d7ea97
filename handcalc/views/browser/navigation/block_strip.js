// The blocks in the order of the calculation as one line above the sheet, `Attention head 1 ▸ [Attention head 2] ▸ concat`,
// folded around the one that is open. A click opens another one; its first button opens the map. All of it is
// one stop of Tab.

import { linkTo } from "../record/cell_address.js";
import { KEEPS_KEYS, button, nameTag, tag } from "../page/dom.js";
import { OneStop } from "../page/one_stop.js";

// Places of those that are named: the first, the open one with its neighbours, and the last.
function foldedAround(at, count) {
  const named = new Set([0, at - 1, at, at + 1, count - 1]);
  return Array.from({ length: count }, (_, k) => k).filter((k) => named.has(k));
}

export class BlockStrip {
  // `navigation` has the levels, the one that is open, and the map.
  constructor(navigation) {
    this.navigation = navigation;
    this.reached = new Set(); // blocks that a change has reached
    this.list = tag("ol", {});
    this.toMap = button("Map", () => navigation.map.turn(), { "aria-expanded": "false" });
    this.element = tag("nav", { class: "hc-blocks", "aria-label": "Blocks" }, this.toMap, this.list);
    this.oneStop = new OneStop(() => this.element.querySelectorAll("button:not([hidden]), a"));
    this.element.addEventListener("keydown", this.oneStop.onKey);
  }

  refresh() {
    const { explorer: { levels }, level, map } = this.navigation;
    this.element.hidden = !levels.isMany;
    this.toMap.hidden = map.isMissing;
    this.toMap.setAttribute("aria-expanded", String(map.isOpen));
    const all = levels.worked.includes(level) ? levels.worked : [level, ...levels.worked];
    const at = all.indexOf(level);
    const named = foldedAround(at, all.length);
    const items = named.map((k, n) => this.item(all[k], k === at, n > 0 && named[n - 1] < k - 1));
    this.list.replaceChildren(...items);
    this.oneStop.stop(this.element.querySelector("button:not([hidden]), a"));
  }

  item(level, isOpen, isAfterGap) {
    const { path, label, steps } = level;
    const words = path ? label : nameTag({ typeset: level.typesetOf(steps.at(-1)) }); // the steps of no block go by their result
    const title = level.trail.map((around) => around.label).join(" › ");
    const name = isOpen
      ? tag("strong", { "aria-current": "true", title }, words)
      : tag("a", { href: linkTo(path), "data-block": path, title, ...KEEPS_KEYS }, words);
    name.classList.toggle("hc-reached", this.reached.has(path));
    return tag("li", { class: isAfterGap ? "hc-after-gap" : null }, name);
  }

  // These matrices have changed: a dot marks the blocks that they are in; none, and all dots go.
  mark(matrices) {
    const { levels } = this.navigation.explorer;
    const before = this.reached.size;
    if (!matrices) this.reached.clear();
    for (const matrix of matrices ?? []) if (!matrix.isGiven) this.reached.add(levels.home(matrix).path);
    if (this.reached.size !== before) this.refresh();
  }
}
