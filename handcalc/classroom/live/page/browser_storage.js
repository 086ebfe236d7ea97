// Values kept in the browser for a page; without storage, as in a private window, only while the page is open.
// Pages of several classes may come from one address, so each class has names of its own.

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

  // If the browser's storage is full, the page itself keeps this value.
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

  // The names of kept values that begin like this.
  names(start) {
    const stored = this.isKept ? Object.keys(this.storage).filter((name) => name.startsWith(this.prefix)) : [];
    const all = new Set([...stored.map((name) => name.slice(this.prefix.length)), ...this.values.keys()]);
    return [...all].filter((name) => name.startsWith(start));
  }
}

// A browser's storage may hold anything.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Some browsers throw on mere access to storage.
export function findStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
