// A sheet with fields where the blanks are.

import { background, largestOf } from "../record/colours.js";
import { typeset } from "../record/numbers.js";
import { parseNumber } from "../record/parse_number.js";
import { MAX_TYPED_LENGTH } from "../record/tables.js";
import { Sheet } from "../sheet/sheet.js";
import { KEEPS_KEYS, tag } from "../page/dom.js";

// Copies of a blank matrix show the typed numbers.
export class BlankSheet extends Sheet {
  // `typed` gives the text in a blank, `isRight` whether it is right: (name, row, column).
  constructor(calculation, places, blank, { typed, isRight }, layout, level = null) {
    super(calculation, places, layout, undefined, level);
    this.blank = blank;
    Object.assign(this, { typed, isRight });
    for (const block of this.blocks) {
      for (const record of block.records) if (blank.has(record.owner.name)) this.empty(record, block.largest);
      if (block.strip) this.writeStrip(block);
    }
  }

  // The colours of a blank would tell its numbers.
  isConcealed({ records: [{ owner }] }) {
    return this.blank?.has(owner.name) || !this.blank;
  }

  // End typing before a window moves: the typed text belongs to the number that its field stands for now.
  move(block, ...place) {
    if (block.table.contains(document.activeElement)) document.activeElement.blur();
    return super.move(block, ...place);
  }

  write(record, largest) {
    if (this.blank?.has(record.owner.name)) this.refill(record, largest);
    else super.write(record, largest);
  }

  // Write cells; a blank whose numbers are not told takes its colours from the right answers in it.
  writeCells(block) {
    const { owner } = block.records[0];
    if (owner.entry.by_hand && this.blank?.has(owner.name)) block.largest ||= this.largestTyped(owner);
    super.writeCells(block);
  }

  largestTyped(matrix) {
    const typed = [];
    matrix.forEachCell((...cell) => this.isRight(matrix.name, ...cell) && typed.push(this.typedNumber(matrix.name, ...cell)));
    return largestOf(typed);
  }

  typedNumber(...cell) {
    return parseNumber(this.typed(...cell)).value;
  }

  empty(record, largest) {
    const { element, owner, row, column } = record;
    const isHome = element.hasAttribute("data-step");
    element.classList.add("hc-blank");
    if (isHome) {
      const name = `${owner.cellName(row, column)}`;
      record.field = tag("input", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", maxlength: MAX_TYPED_LENGTH + 1, "aria-label": name, ...KEEPS_KEYS });
      record.sign = tag("i", { "aria-hidden": "true" });
      element.replaceChildren(record.field, record.sign);
      element.removeAttribute("tabindex");
    }
    this.refill(record, largest);
  }

  // Write the typed text, in the colour of the sheet once it is right.
  refill(record, largest) {
    const { owner, row, column, element, matrix } = record;
    const text = this.typed(owner.name, row, column);
    const isRight = this.isRight(owner.name, row, column);
    const value = owner.entry.by_hand ? this.typedNumber(owner.name, row, column) : owner.at(row, column);
    element.style.backgroundColor = isRight ? background(value, largest, matrix.entry.never_negative) : "transparent";
    if (record.field) {
      if (document.activeElement !== record.field) record.field.value = text;
    } else record.number.data = typeset(text);
    record.element.setAttribute("data-value", text);
  }
}

// The fields of a matrix, column by column.
export function downwards(table) {
  const fields = [...table.querySelectorAll("td input")];
  const column = (field) => field.closest("td").handcalc.column;
  return fields.sort((one, two) => column(one) - column(two)); // rows keep their order
}
