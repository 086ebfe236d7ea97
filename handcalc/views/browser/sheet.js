// The sheet on the page: a table for each matrix, laid out as on paper, its cells patched in place.

import { show, typeset } from "./numbers.js";

export const SOURCE_CLASSES = ["hc-source-a", "hc-source-b", "hc-source-c"];
const HUES = { plus: "225,125,30", minus: "50,115,220", never: "118,80,200" };
const STRONGEST = 0.66; // of a hue, so that ink stays readable on it in light and dark

// About how wide a number is, in ems: wide enough for the widest of the common fonts.
const width = (text) => [...text].reduce((ems, c) => ems + (c === "." ? 0.32 : c === "-" ? 0.84 : 0.64), 0);

export function tag(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

// W_Q as W with Q below it; head_1.Q as Q with "head 1" below it.
export function nameTag(name) {
  const [, prefix, last] = /^(?:(.*)\.)?([^.]*)$/.exec(name);
  const [letter, ...rest] = last.split("_");
  const greek = { gamma: "γ", beta: "β" }[letter] ?? letter;
  const below = [rest.join(" "), (prefix ?? "").replace(/[._]/g, " ")].filter(Boolean).join(", ");
  return tag("b", { class: "hc-name" }, greek, below ? tag("sub", {}, below) : null);
}

// A formula with its names typeset: e^S_scaled as e with S_scaled raised.
export function formulaTags(text) {
  const pieces = text.split(/(\^?[A-Za-z]\w*(?:[._]\w+)+|\^[\w-]+)/);
  return pieces.filter(Boolean).map((piece) => {
    if (piece.startsWith("^")) return tag("sup", {}, ...formulaTags(piece.slice(1)));
    if (!/^[A-Za-z]\w*(?:[._]\w+)+$/.test(piece)) return typeset(piece.replace(" / ", " ÷ "));
    const name = nameTag(piece);
    return tag("span", {}, ...name.childNodes);
  });
}

export class Sheet {
  constructor(calculation, places) {
    this.calculation = calculation;
    this.places = places;
    this.blocks = [];
    this.ems = new Map(); // element -> how wide its numbers are
    this.cells = new Map(); // "matrix:row:column" -> every element that shows the number
    const tracks = calculation.spec.layout.map((rows) => this.track(rows));
    this.element = tag("div", { class: "hc-sheet" }, ...tracks);
    this.element.style.setProperty("--hc-columns", this.columnCount());
    this.patch();
  }

  columnCount() {
    const wide = (block) => (block ? this.calculation.matrices[block[0]].columnCount : 0);
    const track = (rows) =>
      Math.max(...rows.map((row) => wide(row.left))) + Math.max(...rows.map((row) => wide(row.main)));
    return this.calculation.spec.layout.map(track).reduce((a, b) => a + b, 0);
  }

  track(rows) {
    const columns = Math.max(...rows.map((row) => this.calculation.matrices[row.main[0]].columnCount));
    const parts = rows.flatMap((row, k) => {
      const blocks = [["left", row.left], ["main", row.main], ...row.right.map((b) => ["right", b])];
      const drawn = blocks.filter(([, block]) => block).map(([place, block]) => {
        const element = this.block(...block, this.calculation.matrices[row.main[0]]);
        element.classList.add(`hc-${place}`);
        if (this.calculation.matrices[block[0]].columnCount < columns) element.classList.add("hc-narrow");
        return element;
      });
      const right = drawn.filter((element) => element.classList.contains("hc-right"));
      const kept = drawn.filter((element) => !right.includes(element));
      if (right.length) kept.push(tag("div", { class: "hc-right hc-beside" }, ...right));
      for (const element of kept) element.style.gridRow = k + 1;
      return kept;
    });
    return tag("div", { class: "hc-track" }, ...parts);
  }

  block(place, isCopy, rowOf) {
    const matrix = this.calculation.matrices[place];
    const table = tag("table", { class: "hc-matrix", role: "grid", "aria-label": this.said(matrix) });
    if (isCopy) table.classList.add("hc-copy");
    table.append(this.caption(matrix));
    const columns = matrix.labels(1);
    const rows = matrix.labels(0);
    if (columns) {
      const heads = columns.map((text) => tag("th", { scope: "col" }, text));
      table.append(tag("thead", {}, tag("tr", {}, rows ? tag("td") : null, ...heads)));
    }
    const body = tag("tbody");
    for (let i = 0; i < matrix.rowCount; i += 1) {
      const cells = Array.from({ length: matrix.columnCount }, (_, j) => this.cell(matrix, isCopy, i, j));
      body.append(tag("tr", {}, rows ? tag("th", { scope: "row" }, rows[i]) : null, ...cells));
    }
    table.append(body);
    this.blocks.push({ table, matrix, rowOf });
    return table;
  }

  said(matrix) {
    const size = `${matrix.rowCount} by ${matrix.columnCount}`;
    return [matrix.entry.formula, matrix.entry.meaning, size].filter(Boolean).join(", ");
  }

  caption(matrix) {
    const { formula, meaning } = matrix.entry;
    const prefix = /^(.*\.)?/.exec(matrix.name ?? "")[0]; // the formula need not say it again
    const equals = matrix.name ? formula.indexOf(" = ") : -1;
    const right = equals < 0 ? "" : formula.slice(equals + 1).replaceAll(prefix || "\0", "");
    const name = matrix.name ? nameTag(matrix.name) : tag("b", { class: "hc-name" }, ...formulaTags(formula));
    const words = [matrix.isGiven ? "given" : "", meaning].filter(Boolean).join(" · ");
    const quiet = tag("span", {}, " ", ...formulaTags(right), right && words ? " · " : "", words);
    return tag("caption", { title: this.said(matrix) }, name, quiet);
  }

  // A copy shows numbers that live elsewhere: its cells stand for those.
  cell(matrix, isCopy, row, column) {
    const home = matrix.name ? [matrix, row, column] : (matrix.sources(row, column)[0] ?? [matrix, row, column]);
    const [owner, i, j] = home;
    const attributes = { role: "gridcell", tabindex: "-1", "data-lm-suppress-shortcuts": "true" };
    attributes[isCopy ? "data-copy" : "data-step"] = owner.name ?? "";
    const element = tag("td", { ...attributes, "data-row": i, "data-column": j });
    const record = { element, matrix, owner, row: i, column: j, at: row * matrix.columnCount + column };
    element.handcalc = record;
    const key = `${owner.index}:${i}:${j}`;
    if (!this.cells.has(key)) this.cells.set(key, []);
    this.cells.get(key).push(record);
    return element;
  }

  showing(matrix, row, column) {
    return (this.cells.get(`${matrix.index}:${row}:${column}`) ?? []).map((record) => record.element);
  }

  // Write the numbers that have changed; of `changed` matrices only, when that is given.
  patch(changed = null) {
    const largest = new Map();
    for (const { table, matrix, rowOf } of this.blocks) {
      if (changed && !changed.has(matrix)) continue;
      this.hide(table, rowOf.isIdle);
      largest.set(matrix, matrix.values.reduce((most, v) => (Math.abs(v) > most && Number.isFinite(v) ? Math.abs(v) : most), 0));
    }
    for (const records of this.cells.values()) {
      for (const record of records) {
        if (largest.has(record.matrix)) this.write(record, largest.get(record.matrix));
      }
    }
  }

  // Columns keep one width down a track, wide enough for its longest number; they never shrink back.
  widen(record, text) {
    const table = record.element.closest("table");
    record.wide ??= table.classList.contains("hc-left") ? table : (table.closest(".hc-track") ?? table);
    const ems = width(text);
    if (ems <= (this.ems.get(record.wide) ?? 0)) return;
    this.ems.set(record.wide, ems);
    record.wide.style.setProperty("--hc-ems", ems.toFixed(2));
  }

  // A step that changes nothing just now is not there: its numbers have no address either.
  hide(table, hidden) {
    if (table.hidden === hidden) return;
    table.hidden = hidden;
    const [now, then] = hidden ? ["data-step", "data-idle-step"] : ["data-idle-step", "data-step"];
    for (const cell of table.querySelectorAll(`[${now}]`)) {
      cell.setAttribute(then, cell.getAttribute(now));
      cell.removeAttribute(now);
    }
  }

  write(record, largest) {
    const value = record.matrix.values[record.at];
    if (value !== record.value || this.places !== record.places) {
      record.value = value;
      record.places = this.places;
      const text = show(value, this.places);
      if (text !== record.text) {
        record.text = text;
        record.element.textContent = typeset(text);
        this.widen(record, text);
      }
      record.element.dataset.value = String(value);
    }
    const tint = background(value, largest, record.matrix.entry.never_negative);
    if (tint !== record.tint) {
      record.tint = tint;
      record.element.style.backgroundColor = tint;
    }
  }
}

export function background(value, largest, neverNegative) {
  if (value === 0 || !Number.isFinite(value) || largest === 0) return "transparent";
  const hue = value < 0 ? HUES.minus : neverNegative ? HUES.never : HUES.plus;
  const strength = 0.1 + (STRONGEST - 0.1) * (Math.abs(value) / largest);
  return `rgba(${hue},${strength.toFixed(3)})`;
}

