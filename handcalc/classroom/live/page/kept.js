// What a browser keeps for a page; without storage, as in a private window, it is kept as long as the page is open.

const PREFIX = "handcalc class ";

export class Kept {
  constructor(storage) {
    this.storage = storage;
    this.values = new Map(); // what the browser does not keep
    this.isKept = this.works();
  }

  works() {
    try {
      this.storage.setItem(`${PREFIX}works`, "1");
      this.storage.removeItem(`${PREFIX}works`);
      return true;
    } catch {
      return false;
    }
  }

  get(name) {
    if (this.values.has(name)) return this.values.get(name);
    return this.isKept ? parsed(this.storage.getItem(PREFIX + name)) : null;
  }

  // Where the browser is full, this one value is kept by the page.
  set(name, value) {
    this.values.delete(name);
    try {
      if (!this.isKept) throw new Error("nothing is kept");
      this.storage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      this.values.set(name, value);
    }
  }

  remove(name) {
    this.values.delete(name);
    if (this.isKept) this.storage.removeItem(PREFIX + name);
  }

  // The names of all that is kept under names that begin so.
  names(start) {
    const stored = this.isKept ? Object.keys(this.storage).filter((name) => name.startsWith(PREFIX)) : [];
    const all = new Set([...stored.map((name) => name.slice(PREFIX.length)), ...this.values.keys()]);
    return [...all].filter((name) => name.startsWith(start));
  }
}

// Anything may stand in a browser.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Some browsers throw where storage is only asked for.
export function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
