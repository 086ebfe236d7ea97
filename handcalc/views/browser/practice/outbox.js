// Typed texts that are not in the learner's file yet.

import { keep, kept } from "../page/dom.js";

const CELL = /^(.*),(\d+),(\d+)$/s; // step,row,column

// Texts that are not in the file yet, kept in the browser until they are: {"step,row,column": text}.
export class Outbox {
  constructor(file, code) {
    this.key = `handcalc ${file} ${code}`;
    this.texts = {};
    try {
      const stored = Object.entries(JSON.parse(kept(this.key)) ?? {});
      this.texts = Object.fromEntries(stored.filter(([cell, text]) => CELL.test(cell) && typeof text === "string"));
    } catch {} // rubbish; without storage they are kept as long as the page is open
  }

  get entries() {
    return Object.entries(this.texts).map(([place, text]) => {
      const [, step, row, column] = place.match(CELL);
      return [step, Number(row), Number(column), text];
    });
  }

  add(step, row, column, text) {
    this.texts[[step, row, column]] = text;
    this.store();
  }

  // Drop the texts that have reached the file.
  confirm(texts) {
    for (const [step, row, column, text] of this.entries) {
      if (texts[step]?.[[row, column]] === text) delete this.texts[[step, row, column]];
    }
    this.store();
  }

  store() {
    keep(this.key, this.entries.length ? JSON.stringify(this.texts) : null);
  }
}
