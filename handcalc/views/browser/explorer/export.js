// Taking the numbers along: as numpy code, and the sheet as a picture, SVG or PNG.

import { sidesOf } from "../sheet/frames.js";

const SCALE = 2; // of a PNG, so that it stays sharp on slides

// Names that Python reserves, or that later code needs unchanged.
const RESERVED = new Set([
  "False None True and as assert async await break class continue def del elif else except finally for from global if",
  "import in is lambda nonlocal not or pass raise return try while with yield np hc",
  "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright",
  "credits delattr dict dir display divmod enumerate eval exec exit filter float format frozenset get_ipython getattr",
  "globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min",
  "next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str",
  "sum super tuple type vars zip",
].flatMap((words) => words.split(" ")));

// Every named matrix as an array, in full; givens first, formulas as comments.
export function asNumpy(calculation, hidden = new Set()) {
  const shown = calculation.matrices.filter((m) => (m.isVisible || m.isGiven) && !hidden.has(m));
  const taken = new Set(RESERVED);
  const arrays = [...shown.filter((m) => m.isGiven), ...shown.filter((m) => !m.isGiven)].map((matrix) => {
    const rows = matrix.toRows().map((row) => `    [${row.map(literal).join(", ")}],\n`);
    const comment = oneLine(matrix.isGiven ? "given" : matrix.entry.formula);
    return `# ${comment}\n${identifier(matrix.name ?? "given", taken)} = np.array([\n${rows.join("")}])`;
  });
  return `import numpy as np\n\n${arrays.join("\n")}\n`;
}

const literal = (value) => (Number.isFinite(value) ? String(value) : value < 0 ? "-np.inf" : value > 0 ? "np.inf" : "np.nan");

// Nothing in a comment may end its line or reverse the reading order.
const oneLine = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");

// A name that Python accepts and that nothing else has: class becomes class_2, X[1] becomes X_1_.
function identifier(name, taken) {
  const base = name.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_").replace(/^__+/, "_");
  let free = base;
  for (let k = 2; taken.has(free); k += 1) free = `${base}_${k}`;
  taken.add(free);
  return free;
}

// Put text on the clipboard; resolves to whether that worked.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or a page that is not secure
  }
}

// The sheet on the page, drawn as SVG: the same places, colours and letters.
export function asSvg(sheet, title) {
  const frame = sheet.getBoundingClientRect();
  const margin = 10;
  const place = (box) => ({ x: box.left - frame.left + margin, y: box.top - frame.top + margin, width: box.width, height: box.height });
  const right = [...sheet.querySelectorAll("table")].map((table) => table.getBoundingClientRect().right);
  const size = { width: Math.ceil(Math.max(...right, 0) - frame.left + 2 * margin), height: Math.ceil(frame.height + 2 * margin) };
  const ground = paper(sheet);
  const cells = [...sheet.querySelectorAll("td[data-row]")].filter((cell) => cell.checkVisibility());
  const parts = [element("rect", { ...size, fill: ground }), ...cells.map((cell) => box(cell, place))];
  const frames = cells.filter((cell) => cell.dataset.frame !== undefined).map((cell) => strokes(cell, place));
  for (const layer of ["halo", "line", "gap"]) {
    for (const frame of frames) if (frame[layer]) parts.push(element("path", { fill: "none", "stroke-linejoin": "round", ...frame[layer](ground) }));
  }
  for (const strip of sheet.querySelectorAll("canvas")) {
    if (strip.checkVisibility()) parts.push(element("image", { ...place(strip.getBoundingClientRect()), href: strip.toDataURL() }));
  }
  for (const [text, rect, style] of words(sheet)) {
    const { x, y, height } = place(rect);
    const font = { "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight };
    parts.push(element("text", { x: round(x), y: round(y + height * 0.79), fill: style.color, ...font }, text));
  }
  const attributes = { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "img" };
  return element("svg", attributes, element("title", {}, title, false) + parts.join(""), true);
}

function box(cell, place) {
  const style = getComputedStyle(cell);
  const { x, y, width, height } = place(cell.getBoundingClientRect());
  const size = { x: round(x + 0.5), y: round(y + 0.5), width: round(width - 1), height: round(height - 1), rx: 3 };
  return element("rect", { ...size, fill: style.backgroundColor, stroke: style.borderTopColor });
}

const DASHES = { dashed: [3, 2], dotted: [1, 1] }; // of a line, and between its dashes, in line widths

// A number's part of its frame: the paper around the line, the line, and the gap in a double one.
function strokes(cell, place) {
  const style = getComputedStyle(cell, "::before");
  const [wide, kind] = ["--hc-wide", "--hc-style"].map((name) => style.getPropertyValue(name));
  const [width, gap] = [parseFloat(wide), parseFloat(style.getPropertyValue("--hc-gap")) || 1.5];
  const { path, length } = sidesOf(place(cell.getBoundingClientRect()), cell.dataset.frame, width, gap);
  const [dash, space] = (DASHES[kind] ?? [0, 0]).map((part) => part * width);
  const count = dash && Math.max(1, Math.round(length / (dash + space))); // dashes meet those of the next number
  const dashed = count ? { pathLength: round(count * (dash + space)), "stroke-dasharray": `${dash} ${space}`, "stroke-dashoffset": dash / 2 } : {};
  return {
    halo: (paper) => ({ d: path, stroke: paper, "stroke-width": width + 2 }),
    line: () => ({ d: path, stroke: getComputedStyle(cell, "::before").getPropertyValue("border-top-color"), "stroke-width": width, ...dashed }),
    gap: kind === "double" ? (paper) => ({ d: path, stroke: paper, "stroke-width": width / 3 }) : null,
  };
}

// Every text on the sheet, line by line, with its place and style.
function* words(sheet) {
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || !node.parentElement.checkVisibility() || node.parentElement.closest(".hc-under, .hc-over-sheet")) continue;
    const style = getComputedStyle(node.parentElement);
    for (const [text, rect] of linesOf(node)) if (text.trim()) yield [text.trim(), rect, style];
  }
}

// A text that the page has broken into lines, word by word.
function linesOf(node) {
  const range = document.createRange();
  const lines = [];
  for (const { index, 0: word } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.trimEnd().length);
    const rect = range.getClientRects()[0];
    if (!rect) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last[1].top - rect.top) < 2) last[0] += ` ${word.trim()}`;
    else lines.push([word.trim(), rect]);
  }
  return lines;
}

// The colour behind the sheet: that of its nearest ancestor with an opaque background.
function paper(sheet) {
  for (let node = sheet; node; node = node.parentElement) {
    const { backgroundColor } = getComputedStyle(node);
    if (!/^transparent$|, 0\)$/.test(backgroundColor)) return backgroundColor;
  }
  const probe = sheet.appendChild(document.createElement("i"));
  probe.style.backgroundColor = "Canvas";
  const { backgroundColor } = getComputedStyle(probe);
  probe.remove();
  return backgroundColor;
}

const round = (value) => Math.round(value * 100) / 100;

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

function element(name, attributes, content = "", isMarkup = false) {
  const written = Object.entries(attributes).filter(([, value]) => value !== undefined).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join("")}>${isMarkup ? content : escaped(content)}</${name}>`;
}

export async function asPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * image.width, SCALE * image.height];
  const paint = canvas.getContext("2d");
  paint.scale(SCALE, SCALE);
  paint.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
