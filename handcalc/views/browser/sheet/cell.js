// One number on a sheet: its text, its colour, and whether it is above or below another one.

import { background } from "../record/colours.js";
import { isPower, showOf, typeset } from "../record/numbers.js";

// Write only what has changed.
export function writeCell(sheet, record, largest) {
  const value = record.matrix.values[record.at];
  const isConcealed = sheet.concealed.has(record.owner);
  if (value !== record.value || isConcealed !== record.isConcealed) {
    sheet.changeMarks.before(record);
    record.value = value;
    writeText(sheet, record, isConcealed ? "" : showOf(record.matrix, value, sheet.places));
    sheet.changeMarks.after(record);
    if (isConcealed !== record.isConcealed) cover(record, isConcealed);
    record.element.setAttribute("data-value", isConcealed ? "" : String(value));
  }
  const tint = isConcealed ? "transparent" : background(value, largest, record.matrix.entry.never_negative);
  if (tint !== record.tint) {
    record.tint = tint;
    record.element.style.backgroundColor = tint;
  }
  compare(record, isConcealed ? null : sheet.before(record.owner));
}

// Write a number as short as its column needs; screen readers get it in full.
export function writeText(sheet, record, usual) {
  const text = sheet.widths.fit(record, usual);
  if (text !== record.text) {
    record.text = text;
    record.number.data = typeset(text);
  }
  const isShort = text !== usual;
  for (const name of ["aria-label", "title"]) {
    if (isShort) record.element.setAttribute(name, typeset(usual));
    else if (record.isShort) record.element.removeAttribute(name);
  }
  if (isShort || record.isShort) record.element.classList.toggle("hc-power", isPower(text));
  record.isShort = isShort;
}

function cover(record, isConcealed) {
  record.isConcealed = isConcealed;
  record.element.classList.toggle("hc-concealed", isConcealed);
  if (isConcealed) record.element.setAttribute("aria-label", "not calculated yet");
  else record.element.removeAttribute("aria-label");
}

// Whether the number is above or below the one it is compared with.
function compare(record, before) {
  const at = record.row * record.owner.columnCount + record.column;
  const change = before ? record.owner.values[at] - before[at] : 0;
  const sign = Math.abs(change) > 1e-12 ? Math.sign(change) : 0; // what is left of rounding is no change
  if (sign === (record.sign ?? 0)) return;
  record.sign = sign;
  record.element.classList.toggle("hc-rose", sign > 0);
  record.element.classList.toggle("hc-fell", sign < 0);
}
