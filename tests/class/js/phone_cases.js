// A learner's page without a page: what each case does, and what is then seen. The world around it: phone_world.js.
const TYPED = Array.from({ length: 12 }, (_, k) => ["A", "E", k % 3, 0, String(k)]);
const addAll = (post, typed = TYPED) => typed.forEach((one) => post.add(...one));
const allSent = async () => { while (await turn()); };
const waiting = (own) => Object.keys(own).filter((name) => name.includes("waiting"));

const troubles = (trouble) => [async () => {
  server.trouble = [...trouble];
  const own = storage();
  const post = open(own);
  for (const one of TYPED) { post.add(...one); if (one[4] % 4 === 0) await turn(); }
  await allSent();
  return [rows(), waiting(own), post.unsent];
}, [TYPED, [], []]];

const noStorage = (make, isKept) => [async () => {
  const broken = () => { throw new Error("denied"); };
  let isFull = false;
  const kept = new BrowserStorage(make(broken, () => isFull));
  isFull = true;
  const post = new AnswerOutbox(kept, server.take, tell, how);
  post.begin(["A"]);
  server.trouble = [0];
  addAll(post);
  await allSent();
  return [kept.isKept, rows()];
}, [isKept, TYPED]];

const rubbish = (text) => [async () => {
  const kept = { "waiting 3": text, "waiting x": text, n: '"many"', ticket: text };
  const post = open(storage(Object.fromEntries(Object.entries(kept).map(([name, one]) => [`handcalc class ${name}`, one]))));
  post.add("A", "E", 0, 0, "1");
  await allSent();
  return rows();
}, [["A", "E", 0, 0, "1"]]];

// Sockets that open, speak and close as they are told to, and one line to the server.
const connected = () => {
  const sockets = [], heard = [];
  globalThis.WebSocket = class {
    static OPEN = 1; static CLOSING = 2;
    constructor(address) {
      Object.assign(this, { address: String(address), readyState: 0, sent: [] });
      sockets.push(this);
    }
    send(text) { this.sent.push(JSON.parse(text)); }
    opens() { this.readyState = 1; this.onopen?.(); }
    says(found) { this.onmessage?.({ data: JSON.stringify(found) }); }
    closes(code = 1006) { this.readyState = 3; this.onclose?.({ code }); }
    close() { this.readyState = 2; } // whether the other end hears of it is not known
  };
  globalThis.location = { href: "http://192.168.1.2:8737/services/class/" };
  const live = new MarksSocket("t", {
    onMessage: (found) => heard.push(found), onState: (isReached) => heard.push(isReached), onOut: () => heard.push("out"),
  }, how);
  return { sockets, heard, live };
};
const TICKET = { token: "t", code: "SA1-423E", codes: ["SA1-423E", "SM1-4232"] };

const cases = {
  // every text is stored once and in order, whatever the server has
  "no trouble": troubles([]),
  "nobody answers": troubles([0, 0, 0]),
  "answers are lost": troubles(["lost", 0, "lost", 503]),
  "too much at once": troubles([429, 429]),
  "a pause": troubles([423, 0, 423]),
  "a number that is used": troubles([409]),
  "nothing is acknowledged": troubles(["deaf", "deaf"]),
  "a small server": troubles([0, 0, 0, "small"]),
  "all of it": troubles([404, 500, "lost", 409, 429, "lost", 0]),
  "a page that is opened again sends what the one before could not": [async () => {
    server.trouble = Array(99).fill(0);
    const own = storage();
    addAll(open(own));
    await turn(); await turn();
    const before = rows().length;
    server.trouble = ["lost"];
    clock.timers = []; // the page is gone
    const again = open(own);
    await allSent();
    again.add("A", "E", 0, 0, "last");
    await settle();
    return [before, rows()];
  }, [0, [...TYPED, ["A", "E", 0, 0, "last"]]]],
  "two pages of one browser never use a number twice": [async () => {
    server.trouble = [0, 0, "lost", 0, 409];
    const own = storage();
    const both = [open(own), open(own)];
    for (const typed of TYPED) both[typed[4] % 2].add(...typed);
    await allSent();
    for (const one of both) one.begin(["A"]);
    await allSent();
    return rows();
  }, TYPED],
  // one is cut off, a number is used twice, and the clock is put back
  "all tabs of a browser say in which order was typed, whatever comes first": [async () => {
    const own = storage();
    const [one, two] = [open(own), open(own)];
    one.setClock(5_000_000); clock.now = 100;
    one.stop(); server.trouble = [409];
    for (const text of ["0", "1", "2", "3", "4", "5"]) {
      [one, two][text % 2].add("A", "E", 0, 0, text);
      await settle();
      if (text === "3") clock.now = 0;
    }
    await allSent();
    one.begin(["A"]);
    await allSent();
    return [times(), own["handcalc class typed"] > 5_000_000];
  }, [["0", "1", "2", "3", "4", "5"], true]],
  "a number that was used for something else is counted over": [async () => {
    for (let n = 1; n <= 500; n += 1) server.rows.set(n, '["A","E",9,9,"before"]');
    addAll(open(storage()));
    await allSent();
    return [rows().slice(500).sort((one, two) => one[4] - two[4]), server.requests < 60];
  }, [TYPED, true]],
  "texts of one field stay in order where a number was used already": [async () => {
    server.rows.set(11, '["B","E",0,0,"of another device"]');
    const post = open(storage());
    post.countFrom(10); // of the sheet that is open; another sheet has counted on
    server.trouble = [0];
    for (const text of ["1", "2", "3"]) post.add("A", "E", 0, 0, text);
    await allSent();
    return rows().filter(([code]) => code === "A").map((row) => row[4]);
  }, ["1", "2", "3"]],
  "what the server cannot take keeps nothing else back": [async () => {
    const post = open(storage());
    server.trouble = [0];
    addAll(post, TYPED.toSpliced(6, 0, ["A", "poison", 0, 0, "?"]));
    await allSent();
    return [rows(), told.filter(([name]) => name === "dropped"), post.unsent.length];
  }, [TYPED, [["dropped", "refused 400"]], 0]],
  "who is not in the class any more keeps what was typed for the next ticket": [async () => {
    server.trouble = [403];
    const post = open(storage());
    addAll(post, TYPED.slice(0, 2));
    await settle();
    const stopped = [rows().length, told.at(-1)[0], clock.timers.length];
    post.begin(["B"]); // somebody else has joined here
    await settle();
    const others = rows().length;
    post.begin(["A"]);
    await settle();
    return [...stopped, others, rows()];
  }, [0, "out", 0, 0, TYPED.slice(0, 2)]],
  "a sheet that is added later is sent too": [async () => {
    const post = open(storage());
    post.add("B", "E", 0, 0, "1");
    await settle();
    const before = rows().length;
    post.addSheets(["A", "B"]);
    post.add("B", "E", 0, 0, "2");
    await allSent();
    return [before, rows().map((row) => row[4])];
  }, [0, ["1", "2"]]],
  "the page says at once that nobody answers, and when somebody does": [async () => {
    server.trouble = [0, 0, 423];
    open(storage()).add("A", "E", 0, 0, "1");
    await allSent();
    return told;
  }, [["reached", false], ["reached", false], ["reached", true], ["held", "refused 423"], ["reached", true], ["sent", "A"]]],
  "a browser whose storage throws sends all the same": noStorage((broken) => ({ getItem: broken, setItem: broken, removeItem: broken }), false),
  "one whose storage is full": noStorage((broken, isFull) => new Proxy(storage(), {
    get: (of, name) => (name === "setItem" && isFull() ? broken : of[name]),
  }), true),
  "one that has none": noStorage(() => null, false),
  ...Object.fromEntries(["{", "[]", "5", '["A"]', '["A","E",0.5,0,"1"]', '["A","E",0,0,7]', "null"].map((text) =>
    [`rubbish in the browser is passed over: ${text}`, rubbish(text)])),
  "an older mark never takes a newer text from the page": [async () => {
    const post = open(storage());
    const box = outboxOf(post, "A");
    const shown = (texts, n) => {
      if (n) post.unmarked.known("A", n);
      box.confirm(texts);
      return box.entries.map(([, , , text]) => text);
    };
    const seen = [];
    box.add("E", 0, 0, "3");
    seen.push(shown({})); // not sent yet
    await settle();
    seen.push(shown({})); // sent, not marked
    box.add("E", 0, 0, "4"); await settle();
    seen.push(shown({ E: { "0,0": "3" } })); // marks of what was typed first
    seen.push(shown({ E: { "0,0": "4" } }));
    box.add("E", 1, 0, "8"); await settle();
    seen.push(shown({ E: { "1,0": "9" } })); // another page has typed on, or marks are old
    seen.push(shown({ E: { "1,0": "9" } }, 9)); // they know it
    return seen;
  }, [["3"], ["3"], ["4"], [], ["8"], []]],
  "marks that come late are passed over": [() => {
    const { unmarked } = open(storage());
    return [1, 3, 2, 3, 4].map((seen) => unmarked.isNew({ code: "A", seen })).concat(unmarked.isNew({ code: "B", seen: 1 }));
  }, [true, true, false, true, true, true]],
  "marks count for whoever joins next, and after an older database was put back": [() => {
    const { unmarked } = open(storage());
    const seen = (seen) => unmarked.isNew({ code: "A", seen });
    const found = [seen(20), seen(3)];
    unmarked.add(1, ["A", "E", 0, 0, "of somebody else"]);
    unmarked.forget();
    found.push(seen(3), unmarked.of("A", []).length);
    unmarked.from("one"); found.push(seen(20));
    unmarked.from("one"); unmarked.from(undefined); found.push(seen(4));
    unmarked.from("two"); return [...found, seen(4)];
  }, [true, false, true, 0, true, false, true]],
  "waits grow to a bound, and phones do not knock together": [() => {
    const most = [0, 1, 2, 3, 4, 5, 9, 99].map((k) => retryDelay(k, () => 1));
    const isHalf = [0, 5, 99].every((k) => retryDelay(k, () => 0) === retryDelay(k, () => 1) / 2);
    return [most.every((one, k) => !k || one >= most[k - 1]), most[0] <= 500, most.at(-1) === most.at(-2) && most.at(-1) <= 30_000, isHalf];
  }, [true, true, true, true]],
  "the code of a QR code is read, and codes that look alike are the same": [() => [
    ...["#SA1-423E", "#sa1-423e", "#sa1%20423e", "", "#%E0%A4%A"].map(readCode),
    isSameCode("sai-4z3e", "SA1-423E"), isSameCode("SA1-423E", "SA1-424N"),
  ], ["SA1-423E", "SA1-423E", "SA1-423E", "", "", true, false]],
  "where somebody stands": [() => {
    const ours = (status, isOurs) => new Refused("", status, 0, isOurs); // or of a proxy, or of another class here
    return [{ state: "in" }, { code: "A" }, { state: "waiting" }, { state: "left" }, new Refused("", 403), new Refused("", 503),
      new Refused("", 0), new Refused("", 429), new TypeError("x"), ours(403, true), ours(403, false), ours(401, false), ours(421, true),
    ].map(findStanding);
  }, ["in", "in", "waiting", "out", "out", "away", "away", "busy", "away", "out", "away", "away", "away"]],
  "what a code asks of whoever has a ticket": [() => [["", null], ["", TICKET], ["SM1-4232", TICKET], ["SM1-4248", TICKET], ["", {}]].map(
    ([code, ticket]) => decideOnCode(code, ticket),
  ), ["join", "return", "return", "join", "join"]],
  "a ticket that a page brings along counts": [() => {
    const kept = { token: "old", code: "SA1-423E", at: "SM1-4232", nick: "Ada" };
    const ticket = chooseTicket({ token: "t", code: "SA1-423E", nick: "ada" }, kept);
    const later = [kept, ticket, null].map((one) => chooseTicket({}, one)?.token ?? null);
    return [ticket, decideOnCode("SM1-4248", ticket), ...later];
  }, [{ token: "t", code: "SA1-423E", nick: "ada", at: "SM1-4232", isGiven: true }, "return", "old", null, null]],
  "a socket that closes is opened again, and only a second time without one is told": [async () => {
    const { sockets, heard } = connected();
    sockets[0].opens(); sockets[0].says({ until: "E" });
    sockets[0].closes();
    await turn(); // a phone that was asleep: once is nothing to speak of
    const quiet = heard.length;
    sockets[1].closes(); await turn(); sockets[2].closes(); await turn();
    sockets[3].opens();
    return [sockets[0].address, sockets[0].sent, quiet, heard];
  }, ["ws://192.168.1.2:8737/services/class/api/live", [{ token: "t" }], 2, [true, { until: "E" }, false, false, true]]],
  "a socket that carries nothing is replaced and says nothing any more": [() => {
    const { sockets, heard, live } = connected();
    sockets[0].opens();
    live.renew();
    sockets[1].opens();
    sockets[0].says({ old: 1 }); sockets[0].closes(); sockets[1].says({ new: 1 });
    live.stop();
    sockets[1].says({ late: 1 }); sockets[1].closes();
    return [sockets.length, clock.timers.length, heard];
  }, [2, 0, [true, true, { new: 1 }]]],
  "pages of one learner do not push one another out for ever": [() => {
    const { sockets, heard, live } = connected();
    sockets[0].opens(); sockets[0].closes(1008);
    const before = [sockets.length, clock.timers.length];
    live.wake();
    sockets[1].opens(); sockets[1].closes(4403);
    return [...before, sockets.length, heard];
  }, [1, 0, 2, [true, true, "out"]]],
  "marks that are not made yet are asked for again": [() => {
    connected();
    const [unmarked, timers, usual] = [[["A", 0, 0, "1"]], [], setTimeout];
    let asked = 0;
    const outbox = { unmarked: { of: () => unmarked }, unsent: [], retry: { now() {} } };
    const notice = { isReached: true, reached() {} };
    const line = new ServerLine({ token: "t", outbox, notice, refresh: () => (asked += 1) });
    globalThis.setTimeout = (look) => timers.push(look);
    line.expectMarks("SA1-423E");
    timers.shift()(); timers.shift()();
    unmarked.pop(); timers.shift()();
    globalThis.setTimeout = usual;
    return [asked, timers.length];
  }, [2, 0]],
  "each class at an address has names of its own in the browser": [() => {
    const own = storage();
    const [one, two, none] = ["7a", "7b", undefined].map((id) => new BrowserStorage(own, id));
    one.set("ticket", 1); two.set("ticket", 2); two.set("waiting 5", 3);
    const tickets = [one, two, none].map((kept) => kept.get("ticket") ?? null);
    return [...tickets, one.names("waiting"), two.names("waiting")];
  }, [1, 2, null, [], ["waiting 5"]]],
};
