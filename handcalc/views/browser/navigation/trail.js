// Where a reader is: the titles of the blocks around, the blocks beside, back and on.

import { linkTo } from "../record/cell_address.js";
import { KEEPS_KEYS, allow, button, tag } from "../page/dom.js";

export class Trail {
  constructor(navigation, finder) {
    this.navigation = navigation;
    this.toBack = button("Back to the block before", () => navigation.go(-1), { symbol: "left" });
    this.toOn = button("On again", () => navigation.go(1), { symbol: "right" });
    this.toPrevious = button("Block before this one", () => this.step(-1), { symbol: "up" });
    this.toFollowing = button("Block after this one", () => this.step(1), { symbol: "down" });
    this.list = tag("ol", {});
    this.inside = tag("span", { class: "hc-inside" });
    const group = (words, ...parts) => tag("div", { role: "group", "aria-label": words }, ...parts);
    this.element = tag("nav", { class: "hc-trail", "aria-label": "Blocks" },
      group("Visited", this.toBack, this.toOn), this.list, group("In order", this.toPrevious, this.toFollowing), this.inside, finder);
  }

  step(steps) {
    const { explorer, level } = this.navigation;
    const next = explorer.levels.beside(level, steps);
    if (next) this.navigation.follow(next.path);
  }

  refresh() {
    const { explorer, level, map } = this.navigation;
    this.element.hidden = !explorer.levels.isMany;
    this.list.replaceChildren(...level.trail.map((around) => this.item(around, around === level)));
    const parts = level.inside.filter(({ path }) => path.includes(".") && !map.draws(path));
    this.inside.replaceChildren(...(parts.length ? ["inside: "] : []), ...parts.flatMap((part, k) => [k ? ", " : "", this.link(part)]));
    for (const [node, steps] of [[this.toPrevious, -1], [this.toFollowing, 1]]) {
      const next = explorer.levels.beside(level, steps);
      allow(node, next !== null);
      if (next) node.title = next.label;
    }
    this.allow();
  }

  allow() {
    const { visits } = this.navigation;
    allow(this.toBack, visits.canGoBack);
    allow(this.toOn, visits.canGoOn);
  }

  item(level, isHere) {
    return tag("li", {}, isHere ? tag("strong", { "aria-current": "true" }, level.label) : this.link(level));
  }

  link(level) {
    return tag("a", { href: linkTo(level.path), "data-block": level.path, ...KEEPS_KEYS }, level.label);
  }
}
