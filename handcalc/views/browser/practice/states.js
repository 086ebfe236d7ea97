// The states of a number that was handed in, written by .ci/elementwise.py. Change
// handcalc/practice/marking/states.py, then run `make scripts`.

export const ROWS = [
  { name: "correct", counted: "right", sign: "✓", word: "right", learner: "right", teacher: "right" },
  { name: "close", counted: "close", sign: "≈", word: "close", learner: "not right", teacher: "close, but not right" },
  { name: "follows", counted: "following", sign: "→", word: "follows", learner: "follows from your own earlier numbers", teacher: "follows from an earlier slip" },
  { name: "wrong", counted: "wrong", sign: "✗", word: "wrong", learner: "not right", teacher: "wrong" },
  { name: "not attempted", counted: "blank", sign: "·", word: "blank", learner: "", teacher: "blank" },
  { name: "unread", counted: "wrong", sign: "?", word: "not a number", learner: "not a number", teacher: "not a number" },
  { name: "waiting", counted: "blank", sign: "…", word: "not marked yet", learner: "not marked yet", teacher: "not marked yet" },
];

export const BY_NAME = Object.fromEntries(ROWS.map((row) => [row.name, row]));
