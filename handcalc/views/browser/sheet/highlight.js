// Highlighted numbers: the chosen one, its sources and consumers, those traced and asked.

import { frameMarks } from "./frames.js";

const SOURCE_CLASSES = ["hc-source-a", "hc-source-b", "hc-source-c"];
const MARKS = ["hc-chosen", "hc-feeds", "hc-upstream", "hc-downstream", "hc-asked", ...SOURCE_CLASSES];

export class Highlight {
  constructor(explorer) {
    this.explorer = explorer;
  }

  refresh() {
    const { element, openSheets, trace } = this.explorer;
    for (const sheet of openSheets.sheets) this.apply(sheet);
    element.classList.toggle("hc-tracing", trace.isOn);
    this.setTabStops(openSheets);
  }

  // The given that the slider moves.
  markGiven() {
    const { openSheets, input: { target } } = this.explorer;
    const marked = openSheets.sheets.flatMap(({ element }) => [...element.querySelectorAll(".hc-active-given")]); // on the page or not
    for (const cell of marked) cell.classList.remove("hc-active-given");
    for (const cell of target ? openSheets.showing(...target) : []) cell.classList.add("hc-active-given");
  }

  apply(sheet) {
    const { calculation, chosen, stepper, trace } = this.explorer;
    for (const cell of sheet.element.querySelectorAll(MARKS.map((name) => `.${name}`).join())) {
      cell.classList.remove(...MARKS);
    }
    const mark = (address, name) => {
      for (const cell of sheet.showing(...address)) cell.classList.add(name);
    };
    if (trace.isOn) this.markChain(sheet);
    for (const reader of calculation.feeds(...chosen)) mark(reader, "hc-feeds");
    for (const [source, name] of this.roles()) mark(source, name);
    mark(chosen, "hc-chosen");
    this.select(sheet);
    if (stepper.asked) mark(stepper.asked, "hc-asked");
    for (const { table, matrix } of sheet.blocks) table.classList.toggle("hc-to-ask", matrix === stepper.asked?.[0]);
    frameMarks(sheet.element);
  }

  // Select the chosen number where it stands under its own name, or else a copy of it.
  select(sheet) {
    const places = sheet.showing(...this.explorer.chosen);
    const home = places.find(({ dataset }) => dataset.step !== undefined) ?? places[0];
    if (sheet.selected === home) return;
    sheet.selected?.removeAttribute("aria-selected");
    home?.setAttribute("aria-selected", "true");
    sheet.selected = home;
  }

  markChain(sheet) {
    for (const record of sheet.blocks.flatMap((block) => block.records)) {
      const name = this.explorer.trace.markOf(record.owner, record.row, record.column);
      if (name) record.element.classList.add(name);
    }
  }

  // Give each matrix one tab stop: its chosen number, or its first one.
  setTabStops(sheet) {
    const chosen = new Map(sheet.showing(...this.explorer.chosen).map((cell) => [cell.handcalc.block, cell]));
    for (const block of sheet.blocks) {
      const next = chosen.get(block) ?? block.tabStop ?? block.records[0].element;
      if (next === block.tabStop) continue;
      block.tabStop?.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      block.tabStop = next;
    }
  }

  // A function that gives the accent of a number that the chosen one reads.
  roleOf() {
    const keyOf = ([matrix, row, column]) => `${matrix.index}:${row}:${column}`;
    const roles = new Map(this.roles().map(([source, role]) => [keyOf(source), role]));
    return (cell) => roles.get(keyOf(cell));
  }

  // Each source of a number with the accent of the operand it came through: first, second, third.
  roles([matrix, row, column] = this.explorer.chosen) {
    const order = [];
    return matrix.sources(row, column).map((source) => {
      const role = `${source[3]}:${source[0].index}`;
      if (!order.includes(role)) order.push(role);
      return [source, SOURCE_CLASSES[order.indexOf(role) % SOURCE_CLASSES.length]];
    });
  }
}
