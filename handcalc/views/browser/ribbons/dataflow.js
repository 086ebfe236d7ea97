// The ways on a sheet as it is drawn: from matrix to matrix, and from a matrix to its copies.


// `drawn` are matrices on a sheet, {matrix, isCopy, rowOf, track, isIncoming}: `rowOf` is the step in whose row one
// stands; what is incoming is calculated on another sheet.
// Returns {from, to, badge, by, isAgain}: two of them, the operation, and whether the same numbers stand again.
export function waysOn(drawn) {
  const homes = new Map();
  for (const one of drawn) if (!one.isCopy && !homes.has(one.matrix)) homes.set(one.matrix, one);
  for (const one of drawn) if (!homes.has(one.matrix)) homes.set(one.matrix, one);
  const source = (matrix, reader) => nearestOf(drawn, matrix, reader) ?? homes.get(matrix);
  return drawn.flatMap((one) => {
    if (one.matrix.isGiven && homes.get(one.matrix) === one) return [];
    if (one.matrix.isInline) return waysInto(one, () => false, (matrix) => homes.get(matrix), true);
    if (homes.get(one.matrix) !== one) return [{ from: homes.get(one.matrix), to: one, badge: "", by: one.matrix, isAgain: true }];
    if (one.matrix !== one.rowOf || one.isIncoming) return [];
    return waysInto(one, (matrix) => drawn.some((other) => other.matrix === matrix && other.rowOf === one.matrix), source, false);
  });
}

function waysInto(to, isDrawn, source, isAgain) {
  const edges = edgesInto(to.matrix, isDrawn);
  return edges.map(({ from, by, badge }) => ({ from: source(from, to), to, by, badge, isAgain })).filter(({ from }) => from);
}

// Where a step reads a matrix: in its own row, else above it in its track.
function nearestOf(drawn, matrix, reader) {
  const all = drawn.filter((one) => one.matrix === matrix && one !== reader);
  return all.find(({ rowOf }) => rowOf === reader.matrix) ?? all.find(({ track }) => track === reader.track);
}

// The ways that have to do with a matrix, by the matrix that is read there: those into it, through the copies that
// it reads, and those out of it.
export function waysAbout(matrix, ways) {
  const [reads, feeds] = [new Map(), new Set()];
  const read = (way, source) => {
    reads.set(way, source);
    for (const before of ways) if (before.isAgain && before.to === way.from && !reads.has(before)) read(before, source);
  };
  for (const way of ways) if (!way.isAgain && way.to.matrix === matrix) read(way, sourceOf(way, ways));
  const feed = (place) => {
    for (const way of ways) {
      if (way.from !== place || feeds.has(way)) continue;
      feeds.add(way);
      if (way.isAgain) feed(way.to);
    }
  };
  for (const place of new Set(ways.map(({ from }) => from))) if (place.matrix === matrix) feed(place);
  return { reads, feeds };
}

// The named matrix that a way brings: K, where Kᵀ is drawn.
function sourceOf(way, ways) {
  const { from } = way;
  return from.matrix.isInline ? (ways.find(({ to }) => to === from)?.from.matrix ?? from.matrix) : from.matrix;
}

const MAX_BADGES = 2; // operations that are written on one way

// An idle step stands for its input.
const awake = (matrix) => (matrix.isIdle ? awake(matrix.inputs[0]) : matrix);

// What goes into a matrix, as {from, to, by, badge}; `by` is the operation at which it meets others, or that makes
// the matrix: edges with the same one share their badge, HTML as Python wrote it. Unnamed inputs are replaced
// by theirs, unless `isDrawn` says that they are drawn themselves, as Kᵀ is to the left of S.
export function edgesInto(to, isDrawn = () => false) {
  if (to.isGiven) return [];
  const ends = (matrix) => !matrix.isInline || isDrawn(matrix);
  const found = new Map(); // each source once: the way on which it is met first
  const walk = (reader, way) => {
    for (const input of reader.inputs.map(awake)) {
      if (!ends(input)) walk(input, [...way, input]);
      else if (!found.has(input)) found.set(input, way);
    }
  };
  walk(awake(to), [awake(to)]);
  return [...found].map(([from, way], k) => ({ from, to, ...meeting(way, [...found.values()].toSpliced(k, 1)) }));
}

// Where a way meets others: at the last of its operations that another way goes through as well.
function meeting(way, others) {
  const met = way.filter((matrix) => others.some((other) => other.includes(matrix)));
  const by = met.at(-1) ?? way[0];
  const badges = (met.length ? [by] : way.toReversed()).map((matrix) => matrix.entry.badge).filter(Boolean);
  return { by, badge: badges.slice(-MAX_BADGES).join(", ") };
}
