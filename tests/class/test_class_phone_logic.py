"""A learner's page without a page: what is typed reaches the teacher's computer once, whatever happens."""

import pytest
from phone_world import around

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def phone(node, tmp_path_factory):
    return around(node, tmp_path_factory.mktemp("phone"))


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


def test_all_tabs_of_a_browser_say_in_which_order_was_typed_whatever_comes_first(phone):
    """One of them is cut off, a number is used twice, and the clock is put back."""
    found = phone(
        """const own = storage(), texts = [];
        const [one, two] = [open(own), open(own)];
        one.setClock(5_000_000); clock.now = 100;
        one.stop(); server.trouble = [409];
        for (const text of ["0", "1", "2", "3", "4", "5"]) {
          [one, two][text % 2].add("A", "E", 0, 0, text);
          await settle();
          if (text === "3") clock.now = 0;
        }
        while (await turn());
        one.begin(["A"]);
        while (await turn());
        return [times(), own["handcalc class typed"] > 5_000_000];"""
    )
    assert found == [["0", "1", "2", "3", "4", "5"], True]


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
        post.addSheets(["A", "B"]);
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
        const kept = new BrowserStorage(own);
        isFull = true;
        const post = new AnswerOutbox(kept, server.take, tell, how);
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


def test_texts_of_one_field_stay_in_order_where_a_number_was_used_already(phone):
    found = phone(
        """server.rows.set(11, '["B","E",0,0,"of another device"]');
        const post = open(storage());
        post.countFrom(10); // of the sheet that is open; another sheet has counted on
        server.trouble = [0];
        for (const text of argument) post.add("A", "E", 0, 0, text);
        while (await turn());
        return rows().filter(([code]) => code === "A").map((row) => row[4]);""",
        ["1", "2", "3"],
    )
    assert found == ["1", "2", "3"]


def test_marks_count_for_whoever_joins_next_and_after_an_older_database_was_put_back(phone):
    assert phone(
        """const { unmarked } = open(storage());
        const seen = (seen) => unmarked.isNew({ code: "A", seen });
        const found = [seen(20), seen(3)];
        unmarked.add(1, ["A", "E", 0, 0, "of somebody else"]);
        unmarked.forget();
        found.push(seen(3), unmarked.of("A", []).length);
        unmarked.from("one"); found.push(seen(20));
        unmarked.from("one"); unmarked.from(undefined); found.push(seen(4));
        unmarked.from("two"); return [...found, seen(4)];"""
    ) == [True, False, True, 0, True, False, True]
