// Fade the edges of what scrolls, where there is more to see.

const SIDEWAYS = ".hc-track, .hc-stepper, .hc-steps, .hc-acts, .hc-dots, .hc-switched-now"; // what scrolls sideways where it has no room
const UPRIGHT = ".hc-listing > .hc-lists"; // and what scrolls up and down
const ANY_WAY = `${SIDEWAYS}, ${UPRIGHT}`;

export class FadingEdges {
  // `element` is that of an explorer, or of a practice page.
  constructor(explorer) {
    this.explorer = explorer;
    this.element = explorer.element;
    this.element.addEventListener("scroll", ({ target }) => this.onScroll(target), { capture: true, passive: true });
  }

  // Moves everything drawn over the numbers of a track along with them.
  onScroll(target) {
    if (!target.matches?.(ANY_WAY) || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      const { companions } = this.explorer;
      if (companions && target.matches(".hc-track")) companions.tell("lay");
      else this.lay();
    });
  }

  // A list has other lines.
  refresh() {
    this.mark([...this.element.querySelectorAll(UPRIGHT)]);
  }

  settle() {
    this.refresh();
  }

  // Measure all of them first, then mark them.
  lay() {
    this.mark([...this.element.querySelectorAll(ANY_WAY)]);
  }

  mark(elements) {
    const found = elements.map((element) => (element.matches(UPRIGHT) ? [...NO_EDGE, ...endsDown(element)] : [...endsAcross(element), ...NO_EDGE]));
    elements.forEach(({ classList }, k) => FADED_EDGES.forEach((side, at) => classList.toggle(`hc-on-${side}`, found[k][at])));
  }
}

const FADED_EDGES = ["before", "after", "above", "below"];
const NO_EDGE = [false, false];
const endsAcross = (element) => [element.scrollLeft > 1, hasMoreBeyond(element)];
const endsDown = ({ scrollTop, scrollHeight, clientHeight }) => [scrollTop > 1, scrollTop + clientHeight < scrollHeight - 1];

// Whether numbers continue beyond the right edge; in a track a caption that sticks out is no reason to fade.
function hasMoreBeyond(element) {
  const { scrollLeft, scrollWidth, clientWidth } = element;
  if (scrollLeft + clientWidth >= scrollWidth - 1) return false;
  const { right } = element.getBoundingClientRect();
  return !element.matches(".hc-track") || [...element.querySelectorAll("tbody")].some((body) => body.getBoundingClientRect().right > right + 1);
}
