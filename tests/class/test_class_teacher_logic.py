"""The teacher's page without a page: what is told of the class, how it changes, who needs help."""

import json
import random
from dataclasses import replace
from pathlib import Path

import in_node
import pytest
from in_node import CLASS_PAGE, PRODUCT

from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.insight.sheet_progress import PROGRESS_STATES, Standing
from handcalc.classroom.live.state import help_queue as needs_
from handcalc.classroom.live.state.class_grid import find_changes
from handcalc.classroom.live.state.projector import find_stage, find_worst_state, project_class
from handcalc.classroom.live.state.seats import Seat, count_present
from handcalc.practice.marking.states import BY_NAME, CORRECT, FOLLOWS, WRONG

DOM = "../../../views/browser/page/dom"
MODULES = ("sheet_progress", "teacher_words", "event_stream", "roving_focus", "cell_view", DOM)


@pytest.fixture(scope="module")
def teacher(node, tmp_path_factory):
    """Runs JavaScript that uses what the page's modules export."""
    folder = in_node.sources(tmp_path_factory.mktemp("teacher")) / CLASS_PAGE.relative_to(PRODUCT)
    paths = [f"await import('{(folder / name).as_uri()}.js')" for name in MODULES]
    return lambda code, argument=None: node(
        f"async (_, argument) => {{ const page = Object.assign({{}}, {', '.join(paths)}); {code} }}", argument
    )


def row(code, number, learner=1, last=100.0, kind=0, **steps):
    return {
        "code": code, "number": number, "kind": kind, "learner": learner, "nick": "", "last": last,
        "wrote": last, "steps": steps, "seen": [], "hints": {},
    }  # fmt: skip


KIND = {
    "steps": [{"name": name, "block": name.rpartition(".")[0]} for name in ("h_1.Q", "h_1.Z", "h_2.Q", "Z")],
    "blocks": {"h_1": "Head 1", "h_2": "Head 2"},
}


TABLES = {  # what is called with each of the first, and comes to the second
    "what is only possible is worded so, and `or as` is said of the same numbers alone": (
        """([seen, instead, possible]) => { const told = page.describeMistakes({ seen, instead, possible });
          return [told.seen, told.possible]; }""",
        [
            ([["not-scaled"], [], []], ["not scaled", ""]),
            ([["sign-lost", "not-scaled", "sign-lost"], [], []], ["sign lost and not scaled", ""]),
            ([["not-scaled"], ["not-divided"], []], ["not scaled, or as not divided", ""]),
            ([[], [], ["product-left-out"]], ["", "Possible, not sure: product left out"]),
        ],
    ),
    "a cell says in words what it shows": (
        "(counts) => page.cellWords('Ada', 'S', counts)",
        [
            ([6, 0, 0, 1, 2], "Ada, S: wrong, 6 of 9 right"),
            ([5, 1, 0, 0, 0], "Ada, S: close, 5 of 6 right"),
            ([0, 0, 9, 0, 0], "Ada, S: follows, 9 of 9 right or following"),
            ([3, 0, 0, 0, 6], "Ada, S: right, 3 of 9 right"),
            ([0, 0, 0, 0, 9], "Ada, S: blank"),
            (None, "Ada, S: not asked"),
        ],
    ),
    "the page opens at the kind of sheet on which most is written": (
        "(rows) => page.busiestKind({ kinds: [{}, {}], rows: new Map(rows.map((row) => [row.code, row])) })",
        [
            ([row(f"{k}{n}", n, kind=k, Q=[typed[k], 0, 0, 0, 9]) for k in (0, 1) for n in (1, 2)], kind)
            for typed, kind in (((3, 9), 1), ((4, 4), 0), ((0, 0), 0))
        ],
    ),
    "arrows stay within the grid": (
        "([key, place, ...more]) => page.placeAfterKey(key, place, [4, 5], ...more)",
        [
            (["ArrowUp", [0, 2]], [0, 2]), (["ArrowDown", [0, 2]], [1, 2]), (["ArrowLeft", [3, 0]], [3, 0]),
            (["ArrowRight", [3, 4]], [3, 4]), (["PageDown", [1, 1]], [3, 1]), (["Home", [2, 3]], [2, 0]),
            (["End", [2, 3]], [2, 4]), (["x", [1, 1]], None), (["End", [1, 1], True], [3, 4]),
        ],
    ),
    "hidden names are numbers wherever they are asked for": (
        """(areHidden) => {
          const naming = new page.StudentNames(areHidden); naming.names = { 7: "Ada Lovelace" };
          const nicks = ["Countess", "ada"].map((nick) => naming.nick(7, nick));
          return [naming.of(7), naming.of(8), ...nicks, naming.newcomer("Eve")]; }""",
        [
            (False, ["Ada Lovelace", "Student 8", "Countess", "", "Eve"]),
            (True, ["Student 7", "Student 8", "", "", "Somebody"]),
        ],
    ),
    "steps are grouped by block": (
        "(kind) => page.groupInBlocks(kind).map(({ title, steps }) => [title, steps.length])",
        [(KIND, [["Head 1", 2], ["Head 2", 1], ["", 1]])],
    ),
    "and closed after the last open one": (
        "([kind, until]) => [...page.closedSteps(kind, until)]",
        [
            ([KIND, until], ["h_2.Q", "Z"] if until == "h_1.Z" else [])
            for until in ("h_1.Z", "Z", None, "unknown")
        ],
    ),
    "the first wrong number is looked at first": (
        "(states) => page.firstToLookAt(states.map((line) => line.map((state) => ({ state }))))",
        [([["correct", "not attempted"], ["close", "wrong"]], [1, 1]), ([["not attempted"]], [0, 0])],
    ),
    "who is finished with what is open is finished": (
        "([row, closed]) => page.measureProgress(row, closed ? new Set(closed) : undefined)",
        [
            ([row("A", 1, E=[3, 0, 0, 0, 0], A=[0, 0, 0, 0, 4]), closed], {"done": 3, "all": all_})
            for closed, all_ in ((None, 7), (["A"], 3))
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TABLES)
def test_what_the_page_says_and_chooses(teacher, what):
    function, rows = TABLES[what]
    asked, expected = map(list, zip(*rows, strict=True))
    assert teacher(f"return argument.map({function}).map((one) => one ?? null)", asked) == expected


def test_page_projector_and_report_agree_on_what_a_step_says_first(teacher):
    draw = random.Random(4)
    cells = [[draw.choice((0, 0, 1, 5)) for _ in PROGRESS_STATES] for _ in range(200)]
    signs = [Standing("", {"S": dict(zip(PROGRESS_STATES, cell, strict=True))}).sign("S") for cell in cells]
    assert [PROGRESS_STATES[k] for k in teacher("return argument.map(page.worstState)", cells)] == signs
    assert [PROGRESS_STATES[find_worst_state(cell)] for cell in cells] == signs


def test_events_with_what_has_changed_add_up_to_the_whole(teacher):
    draw = random.Random(7)

    def grid(at, before=None):
        rows = [row(f"C{k}", k, S=[draw.randrange(3) for _ in PROGRESS_STATES]) for k in range(4)]
        if before:  # most of it stays
            rows = [
                old if draw.random() < 0.7 else new for old, new in zip(before["rows"], rows, strict=True)
            ]
        paused = draw.random() < 0.5
        return {"at": at, "paused": paused, "until": draw.choice((None, "S")), "kinds": [], "rows": rows}

    grids = [grid(0)]
    for at in range(1, 25):
        grids.append(grid(at, grids[-1]))
    sent = [{"whole": True, **grids[0]}, *map(find_changes, grids, grids[1:])]
    code = """let known = null; const told = [];
      for (const event of argument) {
        const { known: now, codes } = page.applyEvent(known, event);
        known = now;
        told.push([{ ...now, whole: undefined, rows: [...now.rows.values()] }, codes && codes.sort()]);
      }
      return told.map((one) => JSON.stringify(one));"""
    for before, now, told in zip([None, *grids], grids, teacher(code, sent), strict=False):
        seen, codes = json.loads(told)
        assert seen == now
        if before:
            others = [new["code"] for old, new in zip(before["rows"], now["rows"], strict=True) if old != new]
            assert codes == sorted(others)


def test_events_are_put_together_wherever_they_are_cut(teacher):
    texts = "".join(f"data: {json.dumps({'at': k, 'name': 'Ää|'})}\n\n" for k in range(5))
    cuts = [[texts[:k], texts[k:]] for k in range(len(texts))]
    code = """return argument.map((parts) => {
      const found = []; const read = page.makeEventReader((event) => found.push(event.at));
      for (const part of parts) read(part);
      return found; });"""
    assert teacher(code, cuts) == [[0, 1, 2, 3, 4]] * len(cuts)


def test_rows_are_sorted_by_name_by_progress_and_by_who_needs_help(teacher):
    rows = [
        row("A", 1, S=[9, 0, 0, 0, 0]),
        row("B", 2, S=[1, 0, 0, 2, 6]),
        row("C", 3, learner=0, S=[0, 0, 0, 0, 9]),
        row("D", 4, S=[3, 0, 3, 0, 3]),
    ]
    names = {1: "Zoe", 2: "ada", 3: "Ben", 4: "Student 10"}
    needs = [
        {"number": 4, "kind": "stuck"},
        {"number": 2, "kind": "silent"},
        {"number": 1, "kind": "could explain"},
    ]
    code = """const [rows, names, needs] = argument;
      const about = { nameOf: (number) => names[number], needs, closed: new Set() };
      const sorted = (how) => page.sortRows(rows, how, about).map(({ code }) => code).join("");
      return ["name", "progress", "help"].map(sorted);"""
    found = teacher(code, [rows, {str(k): name for k, name in names.items()}, needs])
    assert found == ["BCDA", "BDAC", "DBAC"]
    rows = [row(str(number), number) for number in (10, 2, 1)]
    code = """return page.sortRows(argument, "name", { nameOf: (number) => `Student ${number}`, needs: [] })
      .map(({ number }) => number);"""
    assert teacher(code, rows) == [1, 2, 10]


def test_only_subscripts_and_superscripts_are_typeset(teacher):
    html = "W<sub>Q, head 1</sub> &lt; e<sup>x<sub>1</sub></sup> <script>alert(1)</script><img src=x>"
    code = """
      const node = (name) => ({ name, children: [], append(...more) { this.children.push(...more); } });
      globalThis.document = { createDocumentFragment: () => node(""), createElement: node };
      const inside = (one, tags) => one.children.flatMap((child) => flat(child, [...tags, one.name]));
      const flat = (one, tags) => (one.children ? inside(one, tags) : [[one, tags]]);
      return flat(page.typesetNodes(argument), []).map(([text, [, ...tags]]) => [text, tags]);"""
    pieces = [one for one in teacher(code, html) if one[0]]
    assert ["Q, head 1", ["sub"]] in pieces
    assert ["1", ["sup", "sub"]] in pieces or ["1", ["sub", "sup"]] in pieces
    assert "".join(text for text, _ in pieces) == "WQ, head 1 < ex1 <script>alert(1)</script><img src=x>"


def test_who_is_here_typing_and_quiet_is_told_by_the_servers_clock(teacher):
    rows = [
        row("A", 1, last=99.0),
        row("B", 1, last=10.0, kind=1),
        row("C", 2, learner=0, last=0.0),
        row("D", 3, last=-300.0) | {"connected": True},
        row("E", 4, last=-300.0),
        row("F", 5, last=99.0) | {"wrote": 0},  # has just joined
    ]
    code = """const rows = new Map(argument.map((row) => [row.code, row]));
      const kinds = [{ title: "Softmax" }, { title: "Scores" }];
      const words = (rests) => argument.map((row) =>
        page.activityWords(page.findActivity(row, { rows, at: 100, rests }), kinds));
      const here = argument.filter((row) => page.isHere(row, { at: 100 })).map(({ number }) => number);
      const typing = page.countTyping({ rows, at: 100 });
      return [new Set(here).size, typing, words([]), words([[-200, null]]), words([[-200, 0]])];"""
    present, typing, words, resting, rested = teacher(code, rows)
    assert (present, typing) == (3, 1)
    seats = [
        Seat(RegisterEntry("", one["code"], "t", 1, one["number"]), one["learner"], last=one["last"],
             is_connected=one.get("connected", False))
        for one in rows
    ]  # fmt: skip
    assert count_present(seats, 100) == present  # what all pages are told is what each row says
    released = replace(seats[0], entry=replace(seats[0].entry, number=6), has_left=True)
    assert count_present([*seats, released], 100) == 3
    assert words == ["typing", "at Softmax", "not here yet", "quiet 6 min", "not connected", ""]
    assert resting[3] == ""  # 100 seconds of work, and 300 of rest
    assert rested[3] == "quiet 3 min"


def seat(number, last=1000.0, again=0, hints=0, **steps):
    entry = RegisterEntry("", f"C{number}", "t", 1, number)
    counts = {step: dict(zip(PROGRESS_STATES, cell, strict=True)) for step, cell in steps.items()}
    found = Standing(entry.code, counts, hints={"S": hints}, again={"S": again})
    return Seat(entry, number, "", found, last)


def told(seats, since, at, rests=()):
    found = needs_.find_needs(seats, since, at, rests)
    return [(one.number, one.kind, one.reason) for one in found]


def test_who_is_stuck_quiet_or_ready_is_named_with_the_reason():
    wrong, right, blank = [1, 0, 0, 2, 0], [3, 0, 0, 0, 0], [1, 0, 0, 0, 2]
    seats = [
        seat(1, S=wrong), seat(2, S=wrong, again=3), seat(3, S=wrong, hints=2), seat(4, last=700, S=blank),
        seat(5, S=right), seat(6, last=0, S=right), Seat(RegisterEntry("", "C7", "t", 1, 7)),
    ]  # fmt: skip
    since = needs_.WrongSince()
    assert told(seats, since, 1000) == [
        (2, "stuck", "2 wrong: S after 3 corrections"),
        (3, "stuck", "2 wrong: S, all hints used"),
        (1, "wrong", "2 wrong: S"),
        (4, "silent", "quiet for 5 min, 2 of 3 blank"),
        (5, "could explain", "everything right"),
        (6, "could explain", "everything right"),
    ]
    rested = needs_.WrongSince()
    before = told(seats, rested, 1000)
    assert told(seats, rested, 1900, [[1000, None]]) == before  # it stands still while the class rests
    after_a_rest = told(seats, rested, 1910, [[1000, 1900]])
    assert after_a_rest == before
    assert (1, "stuck", "2 wrong: S for 3 min") in told(seats, rested, 2081, [[1000, 1900]])
    later = told(seats, since, 1181)
    assert (1, "stuck", "2 wrong: S for 3 min") in later
    assert len(later) == len({number for number, *_ in later})
    seats[0] = seat(1, last=1181, S=blank)
    assert not any(number == 1 for number, *_ in told(seats, since, 1181))
    seats[0] = seat(1, last=1200, S=wrong)  # wrong once more, and only just
    assert (1, "wrong", "2 wrong: S") in told(seats, since, 1200)


def test_who_has_most_wrong_numbers_comes_first_however_long_then_who_is_quiet():
    """Sixteen of thirty had wrong numbers, and nobody was named."""
    counts = [2, 7, 0, 1, 7, 0]
    seats = [
        seat(
            number, last=1000 - 300 * (not count), S=[9 - count, 0, 0, count, 0] if count else [0, 0, 0, 0, 9]
        )
        for number, count in enumerate(counts, 1)
    ]
    seats[4] = replace(seats[4], standing=replace(seats[4].standing, again={"S": 3}))
    two_sheets = seat(4, S=[0, 0, 0, 8, 1])
    seats.append(replace(two_sheets, entry=replace(two_sheets.entry, code="C4b")))
    found = needs_.find_needs(seats, needs_.WrongSince(), 1000)
    assert [(one.number, one.kind) for one in found] == [
        (4, "wrong"), (5, "stuck"), (2, "wrong"), (1, "wrong"), (3, "silent"), (6, "silent"),
    ]  # fmt: skip
    assert (found[0].code, found[0].reason) == ("C4b", "9 wrong: S")


def test_of_two_sheets_the_one_where_somebody_was_last_is_named():
    blank = [1, 0, 0, 0, 2]
    two = [seat(1, last=600, S=blank), seat(1, last=700, S=blank)]
    two = [replace(one, entry=replace(one.entry, code=f"C{k}"), wrote=one.last) for k, one in enumerate(two)]
    found = needs_.find_needs(two, needs_.WrongSince(), 1000)
    assert [one.code for one in found] == ["C1"]


def test_a_step_that_is_begun_is_not_counted_as_right(teacher):
    cells = [[2, 0, 0, 0, 1], [3, 0, 0, 0, 0], [1, 0, 1, 0, 1], [1, 0, 2, 0, 0], [1, 0, 0, 1, 1]]
    rows = [row(f"C{k}", k, S=cell) for k, cell in enumerate(cells)]
    stages = ["blank", "right", "blank", "following", "wrong"]
    assert [PROGRESS_STATES[find_stage(cell)] for cell in cells] == stages
    assert teacher("return argument.map(page.findStage)", cells) == [find_stage(cell) for cell in cells]
    words = teacher("return page.countWords(page.countStages(argument, 'S'))", rows)
    assert words == "1 right, 1 follows, 1 wrong, 2 not finished"


def test_the_projector_is_told_shares_and_addresses_and_never_who():
    pytest.importorskip("segno")
    rows = [row("SM1-4232", 1, S=[0, 0, 0, 1, 2]), row("SM1-4248", 2, S=[3, 0, 0, 0, 0])]
    rows = [
        one | {"left": False, "nick": "Countess"} for one in [*rows, row("SM1-4253", 3, learner=0, S=[0] * 5)]
    ]
    kind = {"title": "Softmax", "steps": [{"name": "S", "long": "S"}], "blocks": {}}
    grid = {"title": "7b", "paused": False, "kinds": [kind], "rows": rows, "names": {"1": "Ada"}}
    grid |= {"here": 2, "students": 3}
    number = {"html": "S = 1"}
    for shown in (None, {"kind": "shares"}, {"kind": "join"}, {"kind": "number", "code": "SM1-4232"}):
        told = project_class(grid | {"shown": shown}, "http://10.0.0.7:8737/", number)
        assert (told["title"], told["here"], told["students"]) == ("7b", 2, 3)
        assert not [word for word in ("SM1", "Ada", "Countess") if word in json.dumps(told)]
    shares = project_class(grid | {"shown": {"kind": "shares"}}, "", None)["kinds"]
    assert shares == [{"title": "Softmax", "steps": [{"html": "S", "counts": [1, 0, 0, 1, 0]}]}]


@pytest.mark.parametrize(
    ("sheet", "names"),
    {
        "classroom/live/page/teacher.css": {"right": CORRECT, "following": FOLLOWS, "wrong": WRONG},
        "classroom/report/report.css": {"right": CORRECT, "following": FOLLOWS, "wrong": WRONG},
        "classroom/live/page/class.css": {"class-wrong": WRONG},
        "views/browser/sheet/sheet.css": {"hc-wrong": WRONG},
        "views/browser/practice/practice.css": {"hc-follows": FOLLOWS},
    }.items(),
)
def test_the_colours_of_every_page_are_those_of_the_table_of_states(sheet, names):
    style = (PRODUCT / sheet).read_text("utf-8").replace(", ", ",")
    for name, state in names.items():
        assert f"--{name}: {BY_NAME[state].colour};" in style


# A learner's page without a page, with the world around its modules (js/phone_world.js).
JS = "".join(
    (Path(__file__).parent / "js" / f"phone_{name}.js").read_text("utf-8") for name in ("world", "cases")
)
NAMES = {
    "browser_storage": "BrowserStorage",
    "answer_outbox": "AnswerOutbox",
    "server_line": "MarksSocket, ServerLine",
    "server_requests": "Refused, retryDelay",
    "unmarked_answers": "outboxOf",
    "ticket": "readCode, isSameCode, findStanding, chooseTicket, decideOnCode",
}


@pytest.fixture(scope="module")
def phone(node, tmp_path_factory):
    """Runs JavaScript with the page's modules and the cases; each time the world is new."""
    page = in_node.sources(tmp_path_factory.mktemp("phone")) / in_node.CLASS_PAGE.relative_to(in_node.PRODUCT)
    imports = "".join(
        f"const {{ {found} }} = await import('{(page / name).as_uri()}.js');" for name, found in NAMES.items()
    )
    return lambda code, argument=None: node(f"async (_, argument) => {{ {imports} {JS} {code} }}", argument)


def test_what_is_typed_reaches_the_teachers_computer_once_whatever_happens(phone):
    """Every case of phone_cases.js: what a learner typed, tickets, waits, sockets that close or stall."""
    names = phone("return Object.keys(cases)")
    run = "const [run, expected] = cases[argument]; return [await run() ?? null, expected];"
    found = {name: phone(run, name) for name in names}
    assert len(found) > 35
    assert {name: seen for name, (seen, _) in found.items()} == {
        name: right for name, (_, right) in found.items()
    }
