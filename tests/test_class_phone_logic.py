"""A learner's page without a page: what is typed reaches the teacher's computer once, whatever happens."""

import json
import shutil
from pathlib import Path

import pytest

from handcalc.classroom import live
from handcalc.views import assets

pytestmark = pytest.mark.node
PAGE = Path(live.__file__).parent / "page"

WORLD = (Path(__file__).parent / "js" / "phone_world.js").read_text("utf-8")


NAMES = {
    "kept": "Kept",
    "post": "Post",
    "server": "Live, Refused",
    "unmarked": "outboxOf",
    "backoff": "delay",
    "ticket": "codeIn, isSameCode, standing, ticketFrom, toDo",
}


@pytest.fixture(scope="module")
def phone(node, tmp_path_factory):
    """Runs JavaScript with the page's modules and the world around them."""
    folder = tmp_path_factory.mktemp("phone")
    for path in PAGE.glob("*.js"):
        shutil.copy(path, folder)
    (folder / "handcalc.js").write_text(assets.script())
    (folder / "package.json").write_text('{"type": "module"}')
    imports = "".join(
        f"const {{ {found} }} = await import('{(folder / name).as_uri()}.js');"
        for name, found in NAMES.items()
    )
    return lambda code, argument=None: node(
        f"async (_, argument) => {{ {imports} {WORLD} {code} }}", argument
    )


TYPED = [["A", "E", k % 3, 0, str(k)] for k in range(12)]


@pytest.mark.parametrize(
    "trouble",
    [
        [],
        [0, 0, 0],
        ["lost", 0, "lost", 503],
        [429, 429],
        [423, 0, 423],
        [409],
        ["deaf", "deaf"],
        [0, 0, 0, "small"],
        [404, 500, "lost", 409, 429, "lost", 0],
    ],
)
def test_every_text_is_stored_once_and_in_order_whatever_the_server_has(phone, trouble):
    found = phone(
        """server.trouble = argument.trouble;
        const own = storage();
        const post = open(own);
        for (const one of argument.typed) { post.add(...one); if (one[4] % 4 === 0) await turn(); }
        while (await turn());
        const left = Object.keys(own).filter((name) => name.includes("waiting"));
        return { rows: rows(), left, unsent: post.unsent };""",
        {"trouble": trouble, "typed": TYPED},
    )
    assert found == {"rows": TYPED, "left": [], "unsent": []}


def test_a_page_that_is_opened_again_sends_what_the_one_before_could_not(phone):
    found = phone(
        """server.trouble = Array(99).fill(0);
        const own = storage();
        const post = open(own);
        for (const one of argument) post.add(...one);
        await turn(); await turn();
        const before = rows().length;
        server.trouble = ["lost"];
        clock.timers = []; // the page is gone
        const again = open(own);
        while (await turn());
        again.add("A", "E", 0, 0, "last");
        await settle();
        return [before, rows()];""",
        TYPED,
    )
    assert found == [0, [*TYPED, ["A", "E", 0, 0, "last"]]]


def test_two_pages_of_one_browser_never_use_a_number_twice(phone):
    found = phone(
        """server.trouble = [0, 0, "lost", 0, 409];
        const own = storage();
        const [one, two] = [open(own), open(own)];
        for (const typed of argument) [one, two][typed[4] % 2].add(...typed);
        while (await turn());
        one.begin(["A"]); two.begin(["A"]);
        while (await turn());
        return rows();""",
        TYPED,
    )
    assert found == TYPED


def test_a_number_that_was_used_for_something_else_is_counted_over(phone):
    found = phone(
        """for (let n = 1; n <= 500; n += 1) server.rows.set(n, '["A","E",9,9,"before"]');
        const post = open(storage());
        for (const one of argument) post.add(...one);
        while (await turn());
        return [rows().slice(500), server.requests];""",
        TYPED,
    )
    assert sorted(found[0], key=lambda row: int(row[4])) == TYPED
    assert found[1] < 60


def test_what_the_server_cannot_take_keeps_nothing_else_back(phone):
    found = phone(
        """const post = open(storage());
        server.trouble = [0];
        const typed = argument.toSpliced(6, 0, ["A", "poison", 0, 0, "?"]);
        for (const one of typed) post.add(...one);
        while (await turn());
        return [rows(), told.filter(([name]) => name === "dropped"), post.unsent.length];""",
        TYPED,
    )
    assert found == [TYPED, [["dropped", "refused 400"]], 0]


def test_who_is_not_in_the_class_any_more_keeps_what_was_typed_for_the_next_ticket(phone):
    found = phone(
        """server.trouble = [403];
        const own = storage();
        const post = open(own);
        post.add(...argument[0]);
        post.add(...argument[1]);
        await settle();
        const stopped = [rows().length, told.at(-1)[0], clock.timers.length];
        post.begin(["B"]); // somebody else has joined here
        await settle();
        const others = rows().length;
        post.begin(["A"]);
        await settle();
        return [...stopped, others, rows()];""",
        TYPED,
    )
    assert found == [0, "out", 0, 0, TYPED[:2]]


def test_a_sheet_that_is_added_later_is_sent_too(phone):
    assert phone(
        """const post = open(storage());
        post.add("B", "E", 0, 0, "1");
        await settle();
        const before = rows().length;
        post.also(["A", "B"]);
        post.add("B", "E", 0, 0, "2");
        while (await turn());
        return [before, rows()];"""
    ) == [0, [["B", "E", 0, 0, "1"], ["B", "E", 0, 0, "2"]]]


def test_the_page_says_at_once_that_nobody_answers_and_when_somebody_does(phone):
    found = phone(
        """server.trouble = [0, 0, 423];
        const post = open(storage());
        post.add("A", "E", 0, 0, "1");
        while (await turn());
        return told;"""
    )
    assert found == [
        ["reached", False],
        ["reached", False],
        ["reached", True],
        ["held", "refused 423"],
        ["reached", True],
        ["sent", "A"],
    ]


@pytest.mark.parametrize("trouble", ["throws", "full", "none"])
def test_a_browser_that_keeps_nothing_sends_all_the_same(phone, trouble):
    found = phone(
        """const broken = () => { throw new Error("denied"); };
        let isFull = false;
        const own = {
          throws: { getItem: broken, setItem: broken, removeItem: broken },
          full: new Proxy(storage(), {
            get: (of, name) => (name === "setItem" && isFull ? broken : of[name]),
          }),
          none: null,
        }[argument.trouble];
        const kept = new Kept(own);
        isFull = true;
        const post = new Post(kept, server.take, tell, how);
        post.begin(["A"]);
        server.trouble = [0];
        for (const one of argument.typed) post.add(...one);
        while (await turn());
        return [kept.isKept, rows()];""",
        {"trouble": trouble, "typed": TYPED},
    )
    assert found == [trouble == "full", TYPED]


@pytest.mark.parametrize(
    "rubbish", ["{", "[]", "5", '["A"]', '["A","E",0.5,0,"1"]', '["A","E",0,0,7]', "null"]
)
def test_rubbish_in_the_browser_is_passed_over(phone, rubbish):
    assert phone(
        """const rubbish = { "waiting 3": argument, "waiting x": argument, n: '"many"', ticket: argument };
        const named = Object.entries(rubbish).map(([name, text]) => [`handcalc class ${name}`, text]);
        const post = open(storage(Object.fromEntries(named)));
        post.add("A", "E", 0, 0, "1");
        while (await turn());
        return rows();""",
        rubbish,
    ) == [["A", "E", 0, 0, "1"]]


def test_an_older_mark_never_takes_a_newer_text_from_the_page(phone):
    found = phone(
        """const post = open(storage());
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
        return seen;"""
    )
    assert found == [["3"], ["3"], ["4"], [], ["8"], []]


def test_marks_that_come_late_are_passed_over(phone):
    assert phone(
        """const { unmarked } = open(storage());
        return [1, 3, 2, 3, 4].map((seen) => unmarked.isNew({ code: "A", seen }))
          .concat(unmarked.isNew({ code: "B", seen: 1 }));"""
    ) == [True, True, False, True, True, True]


def test_waits_grow_to_a_bound_and_phones_do_not_knock_together(phone):
    found = phone("return [0, 1, 2, 3, 4, 5, 9, 99].map((k) => [delay(k, () => 0), delay(k, () => 1)]);")
    _, most = zip(*found, strict=True)
    assert list(most) == sorted(most)
    assert most[0] <= 500
    assert most[-1] == most[-2] <= 30_000
    assert all(low == high / 2 for low, high in found)


@pytest.mark.parametrize(
    ("hash_", "code"),
    [
        ("#SA1-423E", "SA1-423E"),
        ("#sa1-423e", "SA1-423E"),
        ("#sa1%20423e", "SA1-423E"),
        ("", ""),
        ("#%E0%A4%A", ""),
    ],
)
def test_the_code_of_a_qr_code_is_read(phone, hash_, code):
    assert phone("return codeIn(argument);", hash_) == code


def test_codes_that_look_alike_are_the_same(phone):
    assert phone("return isSameCode('sai-4z3e', 'SA1-423E')") is True
    assert phone("return isSameCode('SA1-423E', 'SA1-424N')") is False


def test_where_somebody_stands(phone):
    found = phone(
        """const away = new Refused("", 0);
        return [{ state: "in" }, { code: "A" }, { state: "waiting" }, { state: "left" }, new Refused("", 403),
          new Refused("", 503), away, new Refused("", 429), new TypeError("x")].map(standing);"""
    )
    assert found == ["in", "in", "waiting", "out", "out", "away", "away", "busy", "away"]
    ticket = {"token": "t", "code": "SA1-423E", "codes": ["SA1-423E", "SM1-4232"]}
    asked = "return argument.map(([code, ticket]) => toDo(code, ticket));"
    cases = [["", None], ["", ticket], ["SM1-4232", ticket], ["SM1-4248", ticket], ["", {}]]
    assert phone(asked, json.loads(json.dumps(cases))) == ["join", "return", "return", "join", "join"]


def test_a_ticket_that_a_page_brings_along_counts(phone):
    found = phone(
        """const given = { token: "t", code: "SA1-423E", nick: "ada" };
        const kept = { token: "old", code: "SA1-423E", at: "SM1-4232", nick: "Ada" };
        const ticket = ticketFrom(given, kept);
        const later = [kept, ticket, null].map((one) => ticketFrom({}, one)?.token);
        return [ticket, toDo("SM1-4248", ticket), ...later];"""
    )
    ticket = {"token": "t", "code": "SA1-423E", "nick": "ada", "at": "SM1-4232", "isGiven": True}
    assert found == [ticket, "return", "old", None, None]


SOCKETS = """
  const sockets = [];
  globalThis.WebSocket = class { // it opens, speaks and closes as it is told to
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
  const heard = [];
  const live = new Live("t", {
    onMessage: (found) => heard.push(found),
    onState: (isReached) => heard.push(isReached),
    onOut: () => heard.push("out"),
  }, how);
"""  # fmt: skip


def test_a_socket_that_closes_is_opened_again_and_only_a_second_time_without_one_is_told(phone):
    found = phone(
        f"""{SOCKETS}
        sockets[0].opens(); sockets[0].says({{ until: "E" }});
        sockets[0].closes();
        await turn(); // a phone that was asleep: once is nothing to speak of
        const quiet = heard.length;
        sockets[1].closes(); await turn(); sockets[2].closes(); await turn();
        sockets[3].opens();
        return [sockets[0].address, sockets[0].sent, quiet, heard];"""
    )
    address = "ws://192.168.1.2:8737/services/class/api/live"
    assert found == [address, [{"token": "t"}], 2, [True, {"until": "E"}, False, False, True]]


def test_a_socket_that_carries_nothing_is_replaced_and_says_nothing_any_more(phone):
    found = phone(
        f"""{SOCKETS}
        sockets[0].opens();
        live.renew();
        sockets[1].opens();
        sockets[0].says({{ old: 1 }}); sockets[0].closes(); sockets[1].says({{ new: 1 }});
        live.stop();
        sockets[1].says({{ late: 1 }}); sockets[1].closes();
        return [sockets.length, clock.timers.length, heard];"""
    )
    assert found == [2, 0, [True, True, {"new": 1}]]


def test_pages_of_one_learner_do_not_push_one_another_out_for_ever(phone):
    assert phone(
        f"""{SOCKETS}
        sockets[0].opens(); sockets[0].closes(1008);
        const before = [sockets.length, clock.timers.length];
        live.wake();
        sockets[1].opens(); sockets[1].closes(4403);
        return [...before, sockets.length, heard];"""
    ) == [1, 0, 2, [True, True, "out"]]
