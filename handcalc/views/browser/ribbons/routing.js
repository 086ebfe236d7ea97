// Ways around the boxes of a sheet: short, with few bends, together where they come from or go to the same box,
// and side by side elsewhere.

import { Grid } from "./routing_grid.js";

const BEND = 16; // a bend costs as much as so many pixels
const CROSSING = 22; // and so does another way that is crossed
const TOGETHER = 0.3; // of its length is what a way costs that another one has made
const CLOSE = 0.6; // of its length on top, where a way runs close beside another one
const TIGHT = 0.25; // and where it runs close beside a box
const FOREIGN = 600; // on top of another way that has nothing to do with it
const NEAR = 9; // pixels
const HOPE = 0.5; // of the distance is what is left to pay, at a guess

// `boxes` are {left, top, right, bottom}, `wires` {from, to, out, into, side, rank}: boxes by their places, the levels
// at which a way leaves and enters, on which side it enters, the left (-1) or the right (1), and its rank:
// 0, or 1 for those that go around what `placed` puts beside the first, boxes too. Returns for each a list of points,
// [x, y], or null where there is no way.
export function routeWires(boxes, wires, size, placed = () => []) {
  const grid = new Grid(boxes, wires.flatMap(({ out, into }) => [out, into]), size);
  const workplace = new Workplace(grid);
  const ways = new Array(wires.length).fill(null);
  const reach = ({ from, to }) => Math.abs(boxes[from].left - boxes[to].left) + Math.abs(boxes[from].top - boxes[to].top);
  const order = wires.map((_, k) => k).sort((a, b) => reach(wires[a]) - reach(wires[b]));
  const route = (k) => {
    const way = new Search(workplace, wires[k]).run();
    if (way) workplace.use(way.edges, wires[k]);
    ways[k] = way && straighten(way.points);
  };
  for (const k of order.filter((k) => !wires[k].rank)) route(k);
  for (const box of placed(ways)) grid.mark(grid.tight, box, 2, 60); // through them only where there is no other way
  for (const k of order.filter((k) => wires[k].rank)) route(k);
  return ways;
}

// What one search after another needs: the edges that ways run along, and lists that are filled anew for each.
class Workplace {
  constructor(grid) {
    this.grid = grid;
    this.used = [new Map(), new Map()]; // edge -> the wires on it
    this.strange = [0, 1].map(() => new Uint8Array(grid.size + 1)); // the edges of ways that come and go elsewhere
    this.kin = [0, 1].map(() => new Uint8Array(grid.size + 1)); // and of those that do not
    this.cost = new Float64Array(4 * grid.size); // by node and direction
    this.before = new Int32Array(4 * grid.size);
    this.hope = new Float64Array(grid.size);
    this.heap = new Heap();
  }

  use(edges, wire) {
    for (const [edge, isDown] of edges) this.used[isDown].set(edge, [...(this.used[isDown].get(edge) ?? []), wire]);
  }

  // For a wire: whose ways are on each edge.
  clear({ from, to }) {
    this.cost.fill(Infinity);
    this.before.fill(-1);
    this.hope.fill(-1);
    this.heap.clear();
    this.used.forEach((edges, isDown) => {
      for (const [edge, wires] of edges) {
        const isKin = wires.every((other) => from === other.from || to === other.to);
        this.kin[isDown][edge] = isKin ? 1 : 0;
        this.strange[isDown][edge] = isKin ? 0 : 1;
      }
    });
  }
}

class Search {
  constructor(workplace, wire) {
    const { grid, kin, strange, cost, before, hope, heap } = workplace;
    workplace.clear(wire);
    Object.assign(this, { grid, kin, strange, cost, before, hope, heap });
    this.steps = [1, grid.columns, -1, -grid.columns]; // right, down, left, up: how a node's number changes
    this.starts = this.doors(wire.from, wire.out, [-1, 1]);
    this.ends = this.doors(wire.to, wire.into, [wire.side]);
  }

  doors(place, level, sides) {
    const box = this.grid.boxes[place];
    return sides.map((side) => ({ side, ...this.grid.door(box, side, level) })).filter(({ node }) => node !== undefined);
  }

  run() {
    if (!this.starts.length || !this.ends.length) return null;
    for (const { node, side } of this.starts) this.reach(4 * node + (side < 0 ? 2 : 0), 0, -1);
    for (let state = this.heap.pop(); state !== undefined; state = this.heap.pop()) {
      if (this.heap.rank > this.cost[state] + this.hope[state >> 2]) continue; // a shorter way there was followed already
      const end = this.endAt(state);
      if (end) return this.told(state, end);
      this.goOn(state);
    }
    return null;
  }

  // A way enters its box from the left going right, or from the right going left.
  endAt(state) {
    return this.ends.find(({ node, side }) => node === state >> 2 && (side < 0 ? 0 : 2) === (state & 3));
  }

  goOn(state) {
    const [node, direction, { columns, size }] = [state >> 2, state & 3, this.grid];
    const cost = this.cost[state];
    this.reach(4 * node + ((direction + 3) & 3), cost + BEND, state);
    this.reach(4 * node + ((direction + 1) & 3), cost + BEND, state);
    const isBorder = (direction === 0 && node % columns === columns - 1) || (direction === 2 && node % columns === 0);
    const to = node + this.steps[direction];
    if (!isBorder && to >= 0 && to < size) this.walk(state, node, to, direction);
  }

  walk(state, node, to, direction) {
    const edge = direction < 2 ? node : to;
    const isDown = direction & 1;
    const { closed, tight } = this.grid;
    if (closed[isDown][edge]) return;
    const length = this.grid.between(node, to);
    const isForeign = this.strange[isDown][edge];
    const price = this.kin[isDown][edge] ? TOGETHER * length : length * (1 + CLOSE * this.beside(edge, isDown) + TIGHT * tight[isDown][edge]) + FOREIGN * isForeign;
    this.reach(4 * to + direction, this.cost[state] + price + CROSSING * this.crossed(to, isDown), state);
  }

  // Whether an unrelated way runs on the next line, close by.
  beside(edge, isDown) {
    const strange = this.strange[isDown];
    const [before, after] = isDown ? [edge - 1, edge + 1] : [edge - this.grid.columns, edge + this.grid.columns];
    return (strange[before] && this.grid.between(edge, before) < NEAR) || (strange[after] && this.grid.between(edge, after) < NEAR) ? 1 : 0;
  }

  // Whether a stranger goes across at this node.
  crossed(node, isDown) {
    const across = this.strange[1 - isDown];
    return across[node] || across[isDown ? node - 1 : node - this.grid.columns] ? 1 : 0;
  }

  reach(state, cost, before) {
    if (cost >= this.cost[state]) return;
    this.cost[state] = cost;
    this.before[state] = before;
    const node = state >> 2;
    if (this.hope[node] < 0) this.hope[node] = HOPE * this.grid.between(node, this.ends[0].node);
    this.heap.push(state, cost + this.hope[node]);
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
function straighten(points) {
  const isOn = ([x, y], [a, b], [c, d]) => (x === a && a === c) || (y === b && b === d);
  return points.filter((point, k) => k === 0 || k === points.length - 1 || !isOn(points[k - 1], point, points[k + 1]));
}

// Numbers with a rank; the lowest comes first, and its rank is kept.
class Heap {
  constructor() {
    [this.values, this.ranks] = [[], []];
  }

  clear() {
    this.values.length = 0;
    this.ranks.length = 0;
  }

  push(value, rank) {
    const { values, ranks } = this;
    let at = ranks.length;
    values.push(value);
    ranks.push(rank);
    for (let above = (at - 1) >> 1; at > 0 && ranks[above] > rank; above = (at - 1) >> 1) {
      values[at] = values[above];
      ranks[at] = ranks[above];
      at = above;
    }
    values[at] = value;
    ranks[at] = rank;
  }

  pop() {
    const { values, ranks } = this;
    const first = values[0];
    this.rank = ranks[0];
    const [value, rank] = [values.pop(), ranks.pop()];
    if (values.length) this.sink(value, rank);
    return first;
  }

  sink(value, rank) {
    const { values, ranks } = this;
    const count = ranks.length;
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && ranks[child + 1] < ranks[child]) child += 1;
      if (ranks[child] >= rank) break;
      values[at] = values[child];
      ranks[at] = ranks[child];
      at = child;
    }
    values[at] = value;
    ranks[at] = rank;
  }
}
