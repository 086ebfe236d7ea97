"""What a first look shows of nine calculations: the number it speaks of, its arithmetic, its controls."""

from typing import NamedTuple

from playwright.sync_api import Page

import handcalc as hc

PAGE_SIZES = [(1920, 1080), (1400, 900), (1280, 720), (800, 600), (390, 844), (360, 640)]
LAB_SIZES = PAGE_SIZES[:4]
SOURCES = {  # the last line of a cell that shows it, and where its lesson opens it
    "first product": ('hc.Calculation((N @ M).named("P"), title="A first product")', ""),
    "worked example": ("hc.examples.self_attention()", ""),
    "heads": ("hc.examples.heads()", "Z[1,2]"),
    "block": ("hc.examples.transformer_block()", "add_norm_2.norm.N[1,1]"),
    "GPT": ("hc.examples.gpt()", "layer_2.A[4,5]"),
    "translation": ("hc.examples.translation()", "word_2.word[1,1]"),
    "slopes": ('hc.gradients(hc.examples.backwards(), "L")', "backward.dS_scaled[2,1]"),
    "trained GPT": ('hc.examples.sorting_gpt("CBABBC")', "P[3,6]"),
    "pairs": ('hc.examples.minilm_pairs("4.2")', "shift[2,1]"),
}
MATRICES = {"hc": hc, "N": hc.Matrix([[1, 2], [3, 4]], "N"), "M": hc.Matrix([[1, 0], [2, 1]], "M")}
MIN_NUMBERS = 12  # that can be clicked, or all there are
MAX_CONTROLS, MAX_WITH_BLOCKS = 16, 20

# Of a number, what lies in its middle is the number itself: nothing covers it, and it is within the window.
LOOK = """async () => {
  for (let k = 0; k < 4; k += 1) await new Promise(requestAnimationFrame);
  await new Promise((go) => setTimeout(go, 120));
  const root = document.querySelector(".handcalc-explorer");
  const covers = (node, x, y) => node.contains(document.elementFromPoint(x, y));
  const isReached = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    return isInside && right > left && covers(node, (left + right) / 2, (top + bottom) / 2);
  };
  const cells = [...root.querySelectorAll("td[data-row]")].filter((cell) => cell.checkVisibility());
  const line = root.querySelector("[data-arithmetic]");
  const { left, top } = line.getBoundingClientRect();
  const { scrollWidth: over } = document.documentElement;
  const { offsetHeight: high } = line;
  line.style.whiteSpace = "nowrap";
  const room = line.parentElement.clientWidth || line.closest(".hc-about").clientWidth;
  const isBroken = line.offsetHeight < high && line.scrollWidth <= room;
  line.style.whiteSpace = "";
  const kinds = 'button, input, select, textarea, summary, a[href], [tabindex]:not([tabindex="-1"])';
  const shown = { visibilityProperty: true };
  const controls = [...root.querySelectorAll(kinds)] // but explained words, and what only Tab shows
    .filter((node) => !node.closest("td[data-row], abbr, .hc-skip") && node.checkVisibility(shown));
  return {
    number: [...root.querySelectorAll('[role="gridcell"][aria-selected="true"]')].some(isReached),
    isBroken,
    arithmetic: parseFloat(getComputedStyle(line).fontSize) >= 12 && covers(line, left + 3, top + 9),
    reached: cells.filter(isReached).length,
    all: cells.length,
    controls: controls.length,
    over: over - innerWidth,
    hasBlocks: Boolean(root.querySelector(".hc-blocks:not([hidden])")),
  };
}"""


class FirstScreen(NamedTuple):
    """What is on it: the chosen number, its arithmetic, how many numbers and controls."""

    number: bool
    is_broken: bool
    arithmetic: bool
    reached: int
    all: int
    controls: int
    over: float
    has_blocks: bool

    @property
    def faults(self) -> list[str]:
        """What keeps it from being a good first screen, in words."""
        most = MAX_WITH_BLOCKS if self.has_blocks else MAX_CONTROLS
        found = {
            "the chosen number cannot be seen": not self.number,
            "its arithmetic breaks, and has room for one line": self.is_broken,
            "its arithmetic cannot be seen": not self.arithmetic,
            f"only {self.reached} numbers can be clicked": self.reached < min(MIN_NUMBERS, self.all),
            f"{self.controls} controls": self.controls > most,
            "it is wider than the window": self.over > 0,
        }
        return [words for words, is_so in found.items() if is_so]


def calculation(name: str) -> hc.Calculation:
    made: hc.Calculation = eval(SOURCES[name][0], dict(MATRICES))
    return made


def look(page: Page) -> FirstScreen:
    return FirstScreen(*page.evaluate(LOOK).values())
