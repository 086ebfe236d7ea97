// How wide the columns of a sheet are: wide enough for their longest number, and steady while givens move.

const SQUEEZED = 0.94; // as much smaller a sheet is drawn rather than wrapped from the start
const LEAST_ZOOM = 0.74; // and where its numbers have grown since

// About how wide a number is, in ems: wide enough for the widest of the common fonts.
const emsOf = (text) => [...text].reduce((ems, c) => ems + (c === "." ? 0.32 : c === "-" ? 0.84 : 0.64), 0);

export class Widths {
  constructor(sheet) {
    this.sheet = sheet;
    this.ems = new Map(); // element -> how wide its numbers are
  }

  // Columns keep one width down a track, wide enough for its longest number; `narrow` alone takes it back.
  widen(block, text) {
    const ems = emsOf(text);
    const wide = (block.alike ??= this.alike(block));
    if (ems <= (this.ems.get(wide) ?? 0)) return;
    this.ems.set(wide, ems);
    wide.style.setProperty("--hc-ems", ems.toFixed(2));
    this.isWider = true;
  }

  alike({ table }) {
    const isAlone = this.sheet.isHorizontal || table.classList.contains("hc-left");
    return isAlone ? table : (table.closest(".hc-track") ?? table);
  }

  // Shrink columns to the numbers that they have now.
  narrow(blocks) {
    const before = JSON.stringify([...this.ems.values()]);
    this.ems.clear();
    for (const block of blocks) for (const text of block.texts()) this.widen(block, text);
    if (before !== JSON.stringify([...this.ems.values()])) this.keepLines();
    else this.isWider = false;
  }

  // The window has another width: tracks are laid out anew.
  restart() {
    [this.lines, this.isWider] = [null, true];
    this.keepLines();
  }

  // Wider numbers must not push a track to another line while somebody is looking at it: the sheet is
  // drawn smaller first.
  keepLines() {
    if (!this.isWider || !this.sheet.element.isConnected || this.sheet.isLarge) return;
    this.isWider = false;
    this.lines ??= Math.min(this.linesAt(1), this.linesAt(SQUEEZED));
    for (let zoom = 1; zoom > LEAST_ZOOM; zoom -= 0.03) if (this.linesAt(zoom) <= this.lines) return;
    this.linesAt(1);
  }

  // How many lines the tracks take at this zoom.
  linesAt(zoom) {
    const { element } = this.sheet;
    element.style.zoom = zoom === 1 ? "" : zoom.toFixed(2);
    return new Set([...element.children].map((track) => Math.round(track.getBoundingClientRect().top))).size;
  }
}
