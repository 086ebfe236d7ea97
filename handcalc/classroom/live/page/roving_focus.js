// A table with a single tab stop: arrow keys move within it, Enter opens a cell.

const ARROW_MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-10, 0], PageDown: [10, 0] };

// The place that a key leads to, in a table of so many rows and columns; null for any other key.
export function placeAfterKey(key, [row, column], [rows, columns], isFar = false) {
  const within = (value, size) => Math.min(Math.max(value, 0), size - 1);
  if (key === "Home") return [isFar ? 0 : row, 0];
  if (key === "End") return [isFar ? rows - 1 : row, columns - 1];
  if (!(key in ARROW_MOVES)) return null;
  return [within(row + ARROW_MOVES[key][0], rows), within(column + ARROW_MOVES[key][1], columns)];
}

export function moveFocusByArrows(table, onOpen) {
  const stopsOf = (line) => [...line.querySelectorAll("[data-column]")];
  const lines = () => [...table.rows].filter((line) => line.querySelector("[data-column]"));
  table.addEventListener("focusin", ({ target }) => {
    const cell = target.closest("[data-column]");
    if (!cell) return;
    for (const other of table.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
  });
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-column]");
    if (!cell || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onOpen(cell);
      return;
    }
    const rows = lines();
    const columns = stopsOf(rows.at(-1));
    const names = columns.map(({ dataset }) => dataset.column);
    const row = rows.indexOf(cell.closest("tr"));
    const to = placeAfterKey(event.key, [row, names.indexOf(cell.dataset.column)], [rows.length, names.length], event.ctrlKey);
    if (!to) return;
    event.preventDefault();
    const next = stopsOf(rows[to[0]]).find(({ dataset }) => dataset.column === names[to[1]]) ?? stopsOf(rows[to[0]])[0];
    next.focus();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
