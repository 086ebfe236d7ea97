// Words on the teacher's page: names or their stand-ins, cells, times.

import { countedOf, STATES, STATE_WORDS, worstState } from "./sheet_progress.js";

// Names are read here and nowhere else, so that hiding them hides them everywhere.
export class StudentNames {
  constructor(isHidden) {
    Object.assign(this, { isHidden, names: {} });
  }

  of(number) {
    return this.isHidden ? `Student ${number}` : (this.names[number] ?? `Student ${number}`);
  }

  // The nickname of a student, if it adds anything to the name.
  nick(number, nick) {
    const own = (this.names[number] ?? "").toLowerCase();
    return this.isHidden || !nick || own === nick.toLowerCase() || own.startsWith(`${nick.toLowerCase()} `) ? "" : nick;
  }

  newcomer(nick) {
    return this.isHidden ? "Somebody" : nick || "Somebody";
  }
}

const [, , FOLLOWING] = STATES.keys();

// The reason why a student's work waits, or should be compared with another sheet.
export function doubtWords({ why, steps, of, shared, odd, waits }, naming) {
  if (why === "even") return `has the same one or two numbers everywhere in ${joinNames(steps.map(plainName))}: no grade until you let it count.`;
  const count = shared === odd ? `all ${odd}` : `${shared} of the ${odd}`;
  return `${count} numbers that do not fit this sheet are those of ${naming.of(of)}: ${waits ? "no grade until you let it count" : "compare the two"}.`;
}

// A cell as a screen reader reads it: "Ada, S: wrong, 6 of 9 right".
export function cellWords(name, step, counts) {
  if (!counts) return `${name}, ${step}: not asked`;
  const state = STATE_WORDS[worstState(counts)];
  if (state === "blank") return `${name}, ${step}: blank`;
  const follows = counts[FOLLOWING] ? "right or following" : "right";
  return `${name}, ${step}: ${state}, ${countedOf(counts)} ${follows}`;
}

export const countedWords = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// The number of students present, in the words of every page.
export const hereWords = ({ here, students }) => `${here} of ${countedWords(students, "student")} here`;

// The words for the stages in a count of sheets: an incomplete step is not finished.
export const STAGES = [...STATE_WORDS.slice(0, -1), "not finished"];

// The count at one stage: "3 wrong", "1 follows", "2 follow".
export const stateWords = (count, state) => `${count} ${state === FOLLOWING && count !== 1 ? "follow" : STAGES[state]}`;

// The count of sheets at each stage: "12 right, 3 wrong".
export const countWords = (counts) =>
  STAGES.flatMap((_, state) => (counts[state] ? [stateWords(counts[state], state)] : [])).join(", ") || "nobody yet";

function agoWords(seconds) {
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

// The activity in words; with the `kinds` of sheets, another sheet that the student is at is named.
export const activityWords = ({ kind, seconds, row }, kinds = []) =>
  ({ away: "not here yet", left: "code released", gone: "not connected", elsewhere: `at ${kinds[row?.kind]?.title ?? "another sheet"}`, typing: "typing", quiet: `quiet ${agoWords(seconds)}`, "": "" })[kind];

export const clockWords = (at) => new Date(at * 1000).toLocaleTimeString("en-GB");

// The name of a step without subscripts, for a screen reader.
export const plainName = (name) => name.replaceAll(".", ", ").replaceAll("_", " ");

// Names in one line, `most` of them at most.
export function joinNames(names, most = 8) {
  const shown = names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} others`] : names;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "");
}
