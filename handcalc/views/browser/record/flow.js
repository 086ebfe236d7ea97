// The way of the data as plain data: which matrix goes into which, by what operation, and in which stages.

const MOST_BADGES = 2; // operations that are written on one way

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
  return { by, badge: badges.slice(-MOST_BADGES).join(", ") };
}

// The steps in the stages that the record gives them, as {stage, steps}: neighbours of one stage together; a
// step without one joins those before it. Without any stages there is one group without a name.
export function stagesOf(steps) {
  const groups = [];
  for (const step of steps) {
    const stage = step.entry.stage ?? groups.at(-1)?.stage ?? "";
    if (groups.at(-1)?.stage === stage) groups.at(-1).steps.push(step);
    else groups.push({ stage, steps: [step] });
  }
  return groups;
}
