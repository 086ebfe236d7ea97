// Ways around the boxes of a sheet: short, with few bends, together where they come from or go to the same box,
// and side by side elsewhere.

import { Grid } from "./grid.js";

const BEND = 16; // a bend costs as much as so many pixels
const CROSSING = 22; // and so does another way that is crossed
const TOGETHER = 0.3; // of its length is what a way costs that another one has made
const CLOSE = 0.6; // of its length on top, where a way runs close beside another one
const TIGHT = 0.25; // and where it runs close beside a box
const FOREIGN = 600; // on top of another way that has nothing to do with it
const NEAR = 9; // pixels
const HOPE = 0.5; // of the distance is what is left to pay, at a guess

// [right, down, left, up]: how a node's number changes, and which of its two edges it is.
const stepsIn = (columns) => [1, columns, -1, -columns];

// `boxes` are {left, top, right, bottom}, `wires` {from, to, out, into, side, rank}: boxes by their places, the levels
// at which a way leaves and enters, on which side it enters, the left (-1) or the right (1), and its rank:
// 0, or 1 for those that go around what `placed` puts beside the first, boxes too. Returns for each a list of points,
// [x, y], or null where there is no way.
export function routed(boxes, wires, size, placed = () => []) {
  const grid = new Grid(boxes, wires.flatMap(({ out, into }) => [out, into]), size);
  const used = [new Map(), new Map()]; // edge -> the wires on it
  const desk = { cost: new Float64Array(4 * grid.size), before: new Int32Array(4 * grid.size) };
  const ways = new Array(wires.length).fill(null);
  const reach = ({ from, to }) => Math.abs(boxes[from].left - boxes[to].left) + Math.abs(boxes[from].top - boxes[to].top);
  const order = wires.map((_, k) => k).sort((a, b) => reach(wires[a]) - reach(wires[b]));
  const route = (k) => {
    const way = new Search(grid, wires[k], used, desk).run();
    for (const [edge, isDown] of way?.edges ?? []) used[isDown].set(edge, [...(used[isDown].get(edge) ?? []), wires[k]]);
    ways[k] = way && straightened(way.points);
  };
  for (const k of order.filter((k) => !wires[k].rank)) route(k);
  for (const box of placed(ways)) grid.mark(grid.tight, box, 2, 60); // through them only where there is no other way
  for (const k of order.filter((k) => wires[k].rank)) route(k);
  return ways;
}

class Search {
  constructor(grid, wire, used, desk) {
    Object.assign(this, { grid, wire, used });
    this.steps = stepsIn(grid.columns);
    this.cost = desk.cost.fill(Infinity); // by node and direction
    this.before = desk.before.fill(-1);
    this.starts = this.doors(wire.from, wire.out, [-1, 1]);
    this.ends = this.doors(wire.to, wire.into, [wire.side]);
    this.heap = new Heap();
  }

  doors(place, level, sides) {
    const box = this.grid.boxes[place];
    return sides.map((side) => ({ side, ...this.grid.door(box, side, level) })).filter(({ node }) => node !== undefined);
  }

  run() {
    if (!this.starts.length || !this.ends.length) return null;
    for (const { node, side } of this.starts) this.reach(4 * node + (side < 0 ? 2 : 0), 0, -1);
    let state = this.heap.pop();
    while (state !== undefined) {
      const end = this.endAt(state);
      if (end) return this.told(state, end);
      this.goOn(state);
      state = this.heap.pop();
    }
    return null;
  }

  // A way enters its box from the left going right, or from the right going left.
  endAt(state) {
    return this.ends.find(({ node, side }) => node === state >> 2 && (side < 0 ? 0 : 2) === (state & 3));
  }

  goOn(state) {
    const [node, direction] = [state >> 2, state & 3];
    for (let turn = -1; turn <= 1; turn += 1) {
      const next = (direction + turn + 4) & 3;
      const isBorder = (next === 0 && node % this.grid.columns === this.grid.columns - 1) || (next === 2 && node % this.grid.columns === 0);
      const to = node + this.steps[next];
      if (turn) this.reach(4 * node + next, this.cost[state] + BEND, state);
      else if (!isBorder && to >= 0 && to < this.grid.size) this.walk(state, node, to, next);
    }
  }

  walk(state, node, to, direction) {
    const [edge, isDown] = [direction < 2 ? node : to, direction & 1];
    if (this.grid.closed[isDown][edge]) return;
    const length = this.grid.between(node, to);
    const others = this.used[isDown].get(edge) ?? [];
    const isShared = others.length > 0 && others.every((other) => this.isKin(other));
    const price = isShared ? TOGETHER * length : length * (1 + CLOSE * this.beside(edge, isDown) + TIGHT * this.grid.tight[isDown][edge]) + (others.length ? FOREIGN : 0);
    this.reach(4 * to + direction, this.cost[state] + price + CROSSING * this.crossed(to, isDown), state);
  }

  isKin({ from, to }) {
    return from === this.wire.from || to === this.wire.to;
  }

  // Whether a stranger runs on the next line, close by.
  beside(edge, isDown) {
    const { columns } = this.grid;
    return [-1, 1].some((side) => {
      const next = edge + side * (isDown ? 1 : columns);
      if (!this.used[isDown].get(next)?.some((other) => !this.isKin(other))) return false;
      return this.grid.between(edge, next) < NEAR;
    }) ? 1 : 0;
  }

  // How many strangers go across at this node.
  crossed(node, isDown) {
    const across = this.used[1 - isDown];
    const edges = isDown ? [node, node - 1] : [node, node - this.grid.columns];
    return edges.some((edge) => across.get(edge)?.some((other) => !this.isKin(other))) ? 1 : 0;
  }

  reach(state, cost, before) {
    if (cost >= this.cost[state]) return;
    this.cost[state] = cost;
    this.before[state] = before;
    this.heap.push(state, cost + HOPE * this.grid.between(state >> 2, this.ends[0].node));
  }

  // The way back from its end, as points and as edges of the grid.
  told(state, end) {
    const nodes = [];
    for (let at = state; at >= 0; at = this.before[at]) if (nodes.at(-1) !== at >> 2) nodes.push(at >> 2);
    nodes.reverse();
    const start = this.starts.find(({ node }) => node === nodes[0]);
    const edges = nodes.slice(1).map((node, k) => [Math.min(node, nodes[k]), Math.abs(node - nodes[k]) === 1 ? 0 : 1]);
    return { points: [start.point, ...nodes.map((node) => this.grid.point(node)), end.point], edges };
  }
}

// Without the points in the middle of a straight line.
function straightened(points) {
  const isOn = ([x, y], [a, b], [c, d]) => (x === a && a === c) || (y === b && b === d);
  return points.filter((point, k) => k === 0 || k === points.length - 1 || !isOn(points[k - 1], point, points[k + 1]));
}

// Numbers with a rank; the lowest comes first.
class Heap {
  constructor() {
    this.items = [];
  }

  push(value, rank) {
    const { items } = this;
    let at = items.push({ value, rank }) - 1;
    while (at > 0 && items[(at - 1) >> 1].rank > rank) {
      items[at] = items[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    items[at] = { value, rank };
  }

  pop() {
    const { items } = this;
    const [first, last] = [items[0], items.pop()];
    if (!items.length) return first?.value;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1].rank < items[child].rank) child += 1;
      if (items[child].rank >= last.rank) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return first.value;
  }
}
