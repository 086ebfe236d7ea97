// A sheet with fields where the blanks are.

import { typeset } from "./numbers.js";
import { LONGEST } from "./parse_number.js";
import { Sheet } from "./sheet.js";
import { KEEPS_KEYS, tag } from "./dom.js";

// Copies of a blank matrix show what was typed.
export class BlankSheet extends Sheet {
  constructor(calculation, places, blank, textOf, layout, level = null) {
    super(calculation, places, layout, undefined, level);
    this.blank = blank;
    this.textOf = textOf; // (name, row, column) -> what stands there
    for (const block of this.blocks) {
      for (const record of block.records) if (blank.has(record.owner.name)) this.empty(record);
      if (block.strip) this.writeStrip(block);
    }
  }

  // The colours of a blank would tell its numbers.
  isConcealed({ records: [{ owner }] }) {
    return this.blank?.has(owner.name) || !this.blank;
  }

  // What is being typed belongs to the number that its field stands for now.
  move(block, ...place) {
    if (block.table.contains(document.activeElement)) document.activeElement.blur();
    return super.move(block, ...place);
  }

  write(record, largest) {
    if (this.blank?.has(record.owner.name)) this.refill(record);
    else super.write(record, largest);
  }

  empty(record) {
    const { element, owner, row, column } = record;
    const isHome = element.hasAttribute("data-step");
    element.style.backgroundColor = "transparent";
    element.classList.add("hc-blank");
    if (isHome) {
      const name = `${owner.cellName(row, column)}`;
      record.field = tag("input", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", maxlength: LONGEST + 1, "aria-label": name, ...KEEPS_KEYS });
      record.sign = tag("i", { "aria-hidden": "true" });
      element.replaceChildren(record.field, record.sign);
      element.removeAttribute("tabindex");
    }
    this.refill(record);
  }

  refill(record) {
    const text = this.textOf(record.owner.name, record.row, record.column);
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
