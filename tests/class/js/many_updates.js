// How many nodes a page has after a few updates of the teacher's grid, and after two thousand.
async () => {
  const { PeopleGrid } = await import("/sources/classroom/live/page/people_grid.js");
  const { StudentNames } = await import("/sources/classroom/live/page/teacher_words.js");
  const steps = ["Q", "S"].map((name) => ({ name, html: name, long: name, block: "", size: 9 }));
  const blank = { kind: 0, nick: "", last: 0, seen: [], steps: { Q: [0, 0, 0, 0, 9], S: [0, 0, 0, 0, 9] } };
  const rows = new Map([1, 2, 3].map((k) => [`C${k}`, { ...blank, code: `C${k}`, number: k, learner: k }]));
  const known = { kinds: [{ title: "t", steps, blocks: {} }], rows, needs: [], at: 0, until: null };
  const desk = { known, naming: new StudentNames(false), marked: new Set(), orderBy: "help" };
  const grid = new PeopleGrid(desk, 0);
  document.body.append(grid.element);
  const counts = [];
  for (let k = 0; k < 2000; k += 1) {
    const code = `C${1 + (k % 3)}`;
    const now = { Q: [k % 9, 0, 0, 9 - (k % 9), 0], S: [0, k % 2, k % 5, 0, 8] };
    rows.set(code, { ...rows.get(code), last: k, steps: now });
    Object.assign(known, { at: k, needs: [{ number: 1 + (k % 3), code, kind: "stuck" }] });
    grid.update([code]);
    if (k === 20 || k === 1999) counts.push(document.querySelectorAll("*").length);
  }
  grid.element.remove();
  return counts;
};
