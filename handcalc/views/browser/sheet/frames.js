// Frames around marked numbers: those of one mark that lie side by side in a table share one frame. Each number
// draws the sides of it that are its own, so that frames scroll, wrap and print with their numbers; marks.css has the lines.

const FRAMES = ["hc-chosen", "hc-source-c", "hc-source-b", "hc-source-a", "hc-feeds", "hc-upstream", "hc-downstream"];
const FRAMED = FRAMES.map((name) => `.${name}`).join();
const NEIGHBOURS = { t: [-1, 0], r: [0, 1], b: [1, 0], l: [0, -1] };

// The one of a number's marks that gives it a frame; "" for none.
const frameOf = (names) => FRAMES.find((name) => names.contains(name)) ?? "";

// The sides on which a frame continues, "tb" for up and down, by place; `marks` are {place: mark} in a grid of this width.
export function frameSides(marks, width) {
  const goesOn = (place, [down, right]) => {
    const column = (place % width) + right;
    return column >= 0 && column < width && marks.get(place + down * width + right) === marks.get(place);
  };
  const sides = (place) => Object.keys(NEIGHBOURS).filter((side) => goesOn(place, NEIGHBOURS[side])).join("");
  return new Map([...marks.keys()].map((place) => [place, sides(place)]));
}

// Frame the marked numbers of a sheet; `data-frame` of a number says on which sides its frame continues.
export function frameMarks(element) {
  for (const cell of element.querySelectorAll("td[data-frame]")) cell.removeAttribute("data-frame");
  frameCells([...element.querySelectorAll(FRAMED)].map((cell) => [cell, frameOf(cell.classList)]));
}

// Frame these numbers, each an element and its mark.
export function frameCells(marked) {
  for (const [block, parts] of Map.groupBy(marked, ([cell]) => cell.handcalc.block)) {
    const cells = new Map(parts.map(([cell, mark]) => [cell.handcalc.place, [cell, mark]]));
    const marks = new Map([...cells].map(([place, [, mark]]) => [place, mark]));
    for (const [place, sides] of frameSides(marks, block.window.width)) cells.get(place)[0].setAttribute("data-frame", sides);
  }
}

// The sides of a frame that a number in this box draws, as an SVG path and how long it is: clockwise, and out
// into the gap where the frame goes on.
export function sidesOf({ x, y, width, height }, goesOn, line, gap) {
  const out = (side) => (goesOn.includes(side) ? gap / 2 : -line / 2);
  const [left, top, right, bottom] = [x - out("l"), y - out("t"), x + width + out("r"), y + height + out("b")];
  const corners = { t: [left, top], r: [right, top], b: [right, bottom], l: [left, bottom] }; // where each side begins
  const order = ["t", "r", "b", "l"];
  const drawn = order.filter((side) => !goesOn.includes(side));
  const after = (side) => order[(order.indexOf(side) + 1) % 4];
  const isStart = (side) => drawn.length === 4 ? side === "t" : !drawn.includes(order[(order.indexOf(side) + 3) % 4]);
  let length = 0;
  const along = (from, to) => {
    length += Math.hypot(to[0] - from[0], to[1] - from[1]);
    return `L${spot(to)}`;
  };
  const path = drawn.filter(isStart).map((start) => {
    let [side, text] = [start, `M${spot(corners[start])}`];
    do {
      text += along(corners[side], corners[after(side)]);
      side = after(side);
    } while (drawn.includes(side) && side !== start);
    return drawn.length === 4 ? `${text}Z` : text;
  });
  return { path: path.join(""), length };
}

const spot = (point) => point.map((value) => Math.round(value * 100) / 100).join(" ");
