// The state of the class on the teacher's page, and figures derived from it. Nothing here touches the page.

import { ROWS } from "../../../views/browser/practice/states.js";

export const STATES = [...new Set(ROWS.map(({ counted }) => counted))];
const COUNTED = STATES.map((state) => ROWS.find(({ counted }) => counted === state));
export const SIGNS = COUNTED.map(({ sign }) => sign);
export const STATE_WORDS = COUNTED.map(({ word }) => word);
const [RIGHT, CLOSE, FOLLOWING, WRONG, BLANK] = STATES.keys();
const NEEDS_A_LOOK_FIRST = [WRONG, CLOSE, FOLLOWING, RIGHT];
const TYPING_SECONDS = 8; // seconds after a number in which somebody is at it
const QUIET_SECONDS = 120; // seconds after which it is worth saying
const PRESENT_SECONDS = 60; // seconds in which somebody is here whose page has just gone, or cannot stay connected

// The most telling state of a step: states that need a look come first.
export const worstState = (counts) => NEEDS_A_LOOK_FIRST.find((state) => counts[state]) ?? BLANK;

export const sum = (counts) => counts.reduce((all, count) => all + count, 0);

// The count of numbers that need no second look: right ones, and those that follow from an earlier slip.
const countGood = (counts) => counts[RIGHT] + counts[FOLLOWING];

// The percentage of a step's numbers that are wrong.
export const wrongPercent = (counts) => Math.round((100 * (counts[WRONG] + counts[CLOSE])) / sum(counts));

// "8 of 9": the numbers that need no second look.
export const countedOf = (counts) => `${countGood(counts)} of ${sum(counts)}`;

export const isDone = (counts) => sum(counts) > 0 && countGood(counts) === sum(counts);

// The class after an event, which brings all of it or only changes. `codes` are the changed rows, null for all.
export function applyEvent(known, event) {
  if (!event.whole) {
    const { rows = [], ...others } = event;
    for (const row of rows) known.rows.set(row.code, row);
    return { known: Object.assign(known, others), codes: others.kinds ? null : rows.map(({ code }) => code) };
  }
  return { known: { ...event, rows: new Map(event.rows.map((row) => [row.code, row])) }, codes: null };
}

// The rows of one kind of sheet, in the order of the register.
export const rowsOf = (known, kind) => [...known.rows.values()].filter((row) => row.kind === kind);

// The kind of sheet with most numbers on it: the one to show when the page opens.
export function busiestKind(known) {
  const written = (kind) => sum(rowsOf(known, kind).flatMap(({ steps }) => Object.values(steps).map((counts) => sum(counts) - counts[BLANK])));
  const counts = known.kinds.map((_, kind) => written(kind));
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

// The progress of a sheet: its good numbers, of all that are open.
export function measureProgress(row, closed = new Set()) {
  const cells = Object.entries(row.steps).flatMap(([step, counts]) => (closed.has(step) ? [] : [counts]));
  return { done: sum(cells.map(countGood)), all: sum(cells.map(sum)) };
}

// The stage of a sheet in a step, for a count of sheets: right or following only if the step is complete. A step
// that is begun without a mistake counts as not finished, like a blank one.
export const findStage = (counts) => (isDone(counts) || counts[WRONG] || counts[CLOSE] ? worstState(counts) : BLANK);

// The number of sheets at each stage of a step, of those that somebody works on.
export function countStages(rows, step) {
  const counts = STATES.map(() => 0);
  for (const { learner, steps } of rows) if (learner && steps[step]) counts[findStage(steps[step])] += 1;
  return counts;
}

// The time without the class's pauses: nobody gets quieter during a pause.
const workingTime = (at, rests = []) => rests.reduce((time, [from, to]) => time - Math.max(0, Math.min(at, to ?? at) - from), at);

const byStudent = new WeakMap(); // the codes of each student, of one map of rows

function codesOf({ rows }, number) {
  if (byStudent.get(rows)?.size !== rows.size) {
    const codes = new Map();
    for (const row of rows.values()) codes.set(row.number, [...(codes.get(row.number) ?? []), row.code]);
    byStudent.set(rows, { size: rows.size, codes });
  }
  return byStudent.get(rows).codes.get(number) ?? [];
}

// All the sheets of a student, in the order of the register.
export const sheetsOf = (known, number) => codesOf(known, number).map((code) => known.rows.get(code));

export const isHere = ({ learner, left, connected, last }, { at }) => Boolean(learner && !left && (connected || at - last < PRESENT_SECONDS));

// The activity of a student: "away" (has not joined), "left" (the code is released), "gone" (no page is open),
// "elsewhere" (at another sheet, `row`), "typing", "quiet" or "", and its duration in seconds.
export function findActivity(row, known) {
  const { at, rests } = known;
  if (!row.learner) return { kind: "away", seconds: 0 };
  if (row.left) return { kind: "left", seconds: 0 };
  const own = sheetsOf(known, row.number);
  const latest = own.reduce((found, one) => (one.wrote > found.wrote ? one : found), row);
  const seconds = Math.max(0, workingTime(at, rests) - workingTime(Math.min(at, Math.max(row.last, ...own.map(({ last }) => last))), rests));
  if (!own.some((one) => isHere(one, known))) return { kind: "gone", seconds };
  if (latest !== row) return { kind: "elsewhere", seconds, row: latest };
  if (at - row.wrote < TYPING_SECONDS) return { kind: "typing", seconds: 0 };
  return { kind: seconds >= QUIET_SECONDS ? "quiet" : "", seconds };
}

// The number of students who are typing.
export function countTyping(known) {
  const found = new Set();
  for (const row of known.rows.values()) if (findActivity(row, known).kind === "typing") found.add(row.number);
  return found.size;
}

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

// Rows sorted by name, by progress with the furthest last, or with students who need help first.
export function sortRows(rows, how, { nameOf, needs, closed }) {
  const places = new Map(needs.filter(({ kind }) => kind !== "could explain").map(({ number }, place) => [number, place]));
  const keys = {
    name: () => 0,
    progress: (row) => (row.learner ? measureProgress(row, closed).done / (measureProgress(row, closed).all || 1) : 2),
    help: (row) => places.get(row.number) ?? (row.learner ? places.size : places.size + 1),
  };
  const key = new Map(rows.map((row) => [row, keys[how](row)]));
  const named = new Map(rows.map((row) => [row, nameOf(row.number)]));
  return [...rows].sort((a, b) => key.get(a) - key.get(b) || byName(named.get(a), named.get(b)) || a.number - b.number);
}

// The steps of a kind, block after block: [{ title, steps }], the title empty where there are no blocks.
export function groupInBlocks({ steps, blocks }) {
  const found = [];
  for (const step of steps) {
    if (found.at(-1)?.path !== step.block) found.push({ path: step.block, title: blocks[step.block] ?? "", steps: [] });
    found.at(-1).steps.push(step);
  }
  return found;
}

// The steps that are still closed: those after the last open one, for sheets of one topic and level or for all.
export function closedSteps({ steps, topic, level }, until, of = null) {
  if (of && (of[0] !== topic || of[1] !== level)) return new Set();
  const place = steps.findIndex(({ name }) => name === until);
  return new Set(place < 0 ? [] : steps.slice(place + 1).map(({ name }) => name));
}
