// What a browser keeps for a page; without storage, as in a private window, it is kept as long as the page is open.
// Pages of several classes may come from one address: each has names of its own.

export class BrowserStorage {
  constructor(storage, class_ = "") {
    this.storage = storage;
    this.prefix = `handcalc class ${class_ && `${class_} `}`;
    this.values = new Map(); // what the browser does not keep
    this.isKept = this.works();
  }

  works() {
    try {
      this.storage.setItem(`${this.prefix}works`, "1");
      this.storage.removeItem(`${this.prefix}works`);
      return true;
    } catch {
      return false;
    }
  }

  get(name) {
    if (this.values.has(name)) return this.values.get(name);
    return this.isKept ? parsed(this.storage.getItem(this.prefix + name)) : null;
  }

  // Where the browser is full, this one value is kept by the page.
  set(name, value) {
    this.values.delete(name);
    try {
      if (!this.isKept) throw new Error("nothing is kept");
      this.storage.setItem(this.prefix + name, JSON.stringify(value));
    } catch {
      this.values.set(name, value);
    }
  }

  remove(name) {
    this.values.delete(name);
    if (this.isKept) this.storage.removeItem(this.prefix + name);
  }

  // The names of all that is kept under names that begin so.
  names(start) {
    const stored = this.isKept ? Object.keys(this.storage).filter((name) => name.startsWith(this.prefix)) : [];
    const all = new Set([...stored.map((name) => name.slice(this.prefix.length)), ...this.values.keys()]);
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
export function findStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
