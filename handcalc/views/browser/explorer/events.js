// Mouse and keys on the sheet: choosing a number, walking among them, undoing.

import { claim } from "../page/dom.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export function bindEvents(explorer) {
  const { element, stage, input } = explorer;
  const onCell = (name, act) => stage.addEventListener(name, (event) => {
    const cell = event.target.closest?.("td[data-row]");
    if (cell) act(event, cell);
  });
  onCell("pointerdown", (event, cell) => input.press(event, cell));
  onCell("click", (event, cell) => input.hasDragged() || explorer.pick(cell, { isByHand: true }));
  onCell("dblclick", (event, cell) => cell.handcalc.owner.isGiven && input.type());
  onCell("keydown", (event, cell) => onCellKey(explorer, event, cell));
  element.addEventListener("keydown", (event) => onKey(explorer, event));
  element.addEventListener("click", (event) => onLink(explorer, event));
}

// An arrow's step, or in a window of a large matrix a page's.
function stepOf(key, { isWhole, height, columnCount }) {
  const pages = isWhole ? {} : { PageDown: [height, 0], PageUp: [-height, 0], Home: [0, -columnCount], End: [0, columnCount] };
  return ARROWS[key] ?? pages[key];
}

// Arrows choose as they walk; Tab passes by, so that what was chosen stays while controls are reached.
function onCellKey(explorer, event, cell) {
  if (cell.handcalc.owner.isGiven && explorer.input.onCellKey(event, cell)) return;
  const step = stepOf(event.key, cell.handcalc.block.window);
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (!step && event.key !== " " && event.key !== "Enter") return;
  claim(event);
  const next = step ? cell.handcalc.block.beside(cell.handcalc, ...step) : cell;
  if (next) explorer.pick(next, { isOnTheWay: Boolean(step) });
}

// A link to a block or a matrix opens it here; with Shift or Ctrl beside what is open.
function onLink({ navigation }, event) {
  const link = event.target.closest?.("[data-open], [data-block]");
  if (!link) return;
  event.preventDefault();
  const { open, names, block } = link.dataset;
  navigation.follow(open ?? names?.split("\n")[0] ?? block, event.shiftKey || event.ctrlKey || event.metaKey);
}

function onKey(explorer, event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target === explorer.input.field) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  claim(event);
  if (key === "y" || event.shiftKey) explorer.edits.redo();
  else explorer.edits.undo();
}
