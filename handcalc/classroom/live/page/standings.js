// What the teacher's page knows of the class, and what follows from it. Nothing here touches the page.

export const STATES = ["right", "close", "following", "wrong", "blank"];
export const SIGNS = ["✓", "≈", "→", "✗", "·"];
export const WORDS = ["right", "close", "follows", "wrong", "blank"];
const [RIGHT, CLOSE, FOLLOWING, WRONG, BLANK] = STATES.keys();
const NEEDS_A_LOOK_FIRST = [WRONG, CLOSE, FOLLOWING, RIGHT];
const TYPING = 8; // seconds after a number in which somebody is at it
const QUIET = 120; // seconds after which it is worth saying

// The state that says most of a step: what needs a look comes first.
export const worst = (counts) => NEEDS_A_LOOK_FIRST.find((state) => counts[state]) ?? BLANK;

export const sum = (counts) => counts.reduce((all, count) => all + count, 0);

// How many numbers need no other look: right ones, and those that follow from an earlier slip.
export const good = (counts) => counts[RIGHT] + counts[FOLLOWING];

export const isDone = (counts) => sum(counts) > 0 && good(counts) === sum(counts);

// The class after an event: all of it, or only what has changed. `codes` are the rows that have, null for all.
export function after(known, event) {
  if (!event.whole) {
    const { rows = [], ...others } = event;
    for (const row of rows) known.rows.set(row.code, row);
    return { known: Object.assign(known, others), codes: others.kinds ? null : rows.map(({ code }) => code) };
  }
  return { known: { ...event, rows: new Map(event.rows.map((row) => [row.code, row])) }, codes: null };
}

// The rows of one kind of sheet, in the order of the register.
export const rowsOf = (known, kind) => [...known.rows.values()].filter((row) => row.kind === kind);

// How far a sheet is: good numbers of all.
export function progress(row) {
  const cells = Object.values(row.steps);
  return { done: sum(cells.map(good)), all: sum(cells.map(sum)) };
}

// In how many sheets each state is the worst of a step; only of those that somebody works on.
export function shares(rows, step) {
  const counts = STATES.map(() => 0);
  for (const { learner, steps } of rows) if (learner && steps[step]) counts[worst(steps[step])] += 1;
  return counts;
}

// What somebody is doing: "away" (has not joined), "left" (the code is released), "typing", "quiet" or nothing; and for how many seconds.
// Nobody is quiet while the class rests: `since` is when it went on, 0 while it rests.
export function activity({ learner, last, left }, { at, since = 1 }) {
  if (!learner) return { kind: "away", seconds: 0 };
  if (left) return { kind: "left", seconds: 0 };
  const seconds = Math.max(0, at - Math.max(last, since));
  if (at - last < TYPING) return { kind: "typing", seconds: 0 };
  return { kind: since && seconds >= QUIET ? "quiet" : "", seconds };
}

// How many students are in the room, and how many are typing.
export function presence(known) {
  const here = new Set();
  const typing = new Set();
  const all = new Set();
  for (const row of known.rows.values()) {
    all.add(row.number);
    if (row.learner && !row.left) here.add(row.number);
    if (activity(row, known).kind === "typing") typing.add(row.number);
  }
  return { here: here.size, typing: typing.size, all: all.size };
}

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

// Rows in another order: by name, the furthest last, or those who need help first.
export function sorted(rows, how, { nameOf, needs }) {
  const places = new Map(needs.filter(({ kind }) => kind !== "could explain").map(({ number }, place) => [number, place]));
  const keys = {
    name: () => 0,
    progress: (row) => (row.learner ? progress(row).done / (progress(row).all || 1) : 2),
    help: (row) => places.get(row.number) ?? (row.learner ? places.size : places.size + 1),
  };
  const key = new Map(rows.map((row) => [row, keys[how](row)]));
  const named = new Map(rows.map((row) => [row, nameOf(row.number)]));
  return [...rows].sort((a, b) => key.get(a) - key.get(b) || byName(named.get(a), named.get(b)) || a.number - b.number);
}

// The steps of a kind, block after block: [{ title, steps }], the title empty where there are no blocks.
export function inBlocks({ steps, blocks }) {
  const found = [];
  for (const step of steps) {
    if (found.at(-1)?.path !== step.block) found.push({ path: step.block, title: blocks[step.block] ?? "", steps: [] });
    found.at(-1).steps.push(step);
  }
  return found;
}

// Which steps come after the one that is open last.
export function closedSteps({ steps }, until) {
  const place = steps.findIndex(({ name }) => name === until);
  return new Set(place < 0 ? [] : steps.slice(place + 1).map(({ name }) => name));
}
