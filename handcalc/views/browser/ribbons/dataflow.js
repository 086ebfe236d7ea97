// The ways on a sheet as it is drawn: from matrix to matrix, and from a matrix to its copies.

// `drawn` are matrices on a sheet, {matrix, isCopy, rowOf, track, isIncoming}: `rowOf` is the step in whose row one
// stands; what is incoming is calculated on another sheet.
// Returns {from, to, isAgain}: two of them, and whether the same numbers stand again.
export function waysOn(drawn) {
  const homes = new Map();
  for (const one of drawn) if (!one.isCopy && !homes.has(one.matrix)) homes.set(one.matrix, one);
  for (const one of drawn) if (!homes.has(one.matrix)) homes.set(one.matrix, one);
  const source = (matrix, reader) => nearestOf(drawn, matrix, reader) ?? homes.get(matrix);
  return drawn.flatMap((one) => {
    if (one.matrix.isGiven && homes.get(one.matrix) === one) return [];
    if (one.matrix.isInline) return waysInto(one, () => false, (matrix) => homes.get(matrix), true);
    if (homes.get(one.matrix) !== one) return [{ from: homes.get(one.matrix), to: one, isAgain: true }];
    if (one.matrix !== one.rowOf || one.isIncoming) return [];
    return waysInto(one, (matrix) => drawn.some((other) => other.matrix === matrix && other.rowOf === one.matrix), source, false);
  });
}

function waysInto(to, isDrawn, source, isAgain) {
  const read = sourcesOf(to.matrix, isDrawn).map((matrix) => source(matrix, to));
  return read.filter(Boolean).map((from) => ({ from, to, isAgain }));
}

// The copy of a matrix that a step reads: in its own row, else above it in its track.
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

// The inputs of a matrix: unnamed and idle ones are replaced by theirs, unless `isDrawn` says that they are drawn
// themselves, as Kᵀ is to the left of S.
export function sourcesOf(matrix, isDrawn = () => false) {
  const found = new Set();
  const walk = (reader) => {
    for (const input of reader.inputs) {
      if (input.isIdle || (input.isInline && !isDrawn(input))) walk(input.isIdle ? { inputs: [input.inputs[0]] } : input);
      else found.add(input);
    }
  };
  walk(matrix.isIdle ? { inputs: [matrix.inputs[0]] } : matrix);
  return [...found];
}

// The matrices whose way to their readers has a hue of its own, in order: each is made by a product from a
// given, and is then an operand of a product of two calculated matrices, as queries and keys are of scores, and values of Z.
export function huesOf(ways) {
  const steps = ways.filter(({ to }) => to.matrix.operation?.name === "matmul" && !to.matrix.isInline).map(({ to }) => to.matrix);
  const made = (matrix) => (matrix.isInline && !matrix.isGiven ? made(matrix.inputs[0]) : matrix);
  const operands = new Set(steps.map(({ inputs }) => inputs.map(made)).filter((both) => both.every((one) => !one.isGiven)).flat());
  const hued = [...operands].filter((one) => steps.includes(one)).sort((one, other) => one.index - other.index);
  return new Map(hued.slice(0, 3).map((matrix, k) => [matrix, k]));
}
