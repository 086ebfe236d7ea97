// A browser's storage, a clock that is turned by hand, and a server that has trouble as it is told to: `trouble` has
// what each request meets, a status, "lost" (it arrives, its answer does not), "small" or nothing.
const storage = (kept = {}) => Object.defineProperties(kept, {
  getItem: { value: (name) => kept[name] ?? null },
  setItem: { value: (name, text) => { kept[name] = String(text); } },
  removeItem: { value: (name) => { delete kept[name]; } },
});
const clock = { now: 0, timers: [] };
const how = {
  random: () => 0.5, now: () => clock.now,
  wait: (run, ms) => clock.timers.push({ run, at: clock.now + ms }) && clock.timers.at(-1),
  stop: (timer) => { clock.timers = clock.timers.filter((one) => one !== timer); },
};
const settle = async () => { for (let k = 0; k < 50; k += 1) await null; };
const turn = async () => {
  await settle();
  const next = clock.timers.sort((one, two) => one.at - two.at).shift();
  if (!next) return false;
  clock.now = next.at;
  next.run();
  await settle();
  return true;
};
const server = { rows: new Map(), trouble: [], requests: 0, fits: Infinity };
server.take = async (code, answers) => {
  server.requests += 1;
  const trouble = server.trouble.shift();
  const refuse = (status) => {
    throw new Refused(`refused ${status}`, status);
  };
  if (typeof trouble === "number") refuse(trouble);
  if (trouble === "small") server.fits = 2; // texts at once, from now on
  if (answers.length > server.fits) refuse(413);
  for (const [n, ...cell] of answers) {
    const text = JSON.stringify([code, ...cell]);
    if (cell[0] === "poison") refuse(400);
    if ((server.rows.get(n) ?? text) !== text) refuse(409);
  }
  for (const [n, ...cell] of answers) server.rows.set(n, JSON.stringify([code, ...cell]));
  if (trouble === "lost") refuse(0);
  if (trouble === "deaf") return [];
  return answers.map(([n]) => n);
};
const told = [];
const tell = Object.fromEntries(["reached", "held", "out", "dropped", "sent"].map((name) => [name, (about) => told.push([name, about])]));
const open = (own, codes = ["A"]) => {
  const post = new AnswerOutbox(new BrowserStorage(own), server.take, tell, how);
  post.begin(codes);
  return post;
};
const rows = () => [...server.rows].sort(([one], [two]) => one - two).map(([, text]) => JSON.parse(text).slice(0, 5)); // without when
const times = () => [...server.rows.values()].map((text) => JSON.parse(text)).sort((one, two) => one[5] - two[5]).map((row) => row[4]);
