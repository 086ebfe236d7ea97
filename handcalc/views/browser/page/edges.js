// Fade the edges of what scrolls sideways, where there is more to see.

const SIDEWAYS = ".hc-track, .hc-stepper, .hc-acts, .hc-dots"; // what scrolls sideways where it has no room

export class Edges {
  // `element` is that of an explorer, or of a practice page.
  constructor(explorer) {
    this.explorer = explorer;
    this.element = explorer.element;
    this.element.addEventListener("scroll", ({ target }) => this.onScroll(target), { capture: true, passive: true });
  }

  // Whatever is drawn over the numbers of a track goes along with them.
  onScroll(target) {
    if (!target.matches?.(SIDEWAYS) || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      const { companions } = this.explorer;
      if (companions && target.matches(".hc-track")) companions.tell("lay");
      else this.lay();
    });
  }

  // Measure all of them first, then mark them.
  lay() {
    this.mark([...this.element.querySelectorAll(SIDEWAYS)]);
  }

  mark(elements) {
    const found = elements.map(({ scrollLeft, scrollWidth, clientWidth }) => [scrollLeft > 1, scrollLeft + clientWidth < scrollWidth - 1]);
    elements.forEach(({ classList }, k) => {
      classList.toggle("hc-on-before", found[k][0]);
      classList.toggle("hc-on-after", found[k][1]);
    });
  }
}
