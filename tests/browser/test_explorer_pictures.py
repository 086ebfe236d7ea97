"""Pictures beside the numbers: how a query shares itself out, and a softmax from left to right."""

import re
from itertools import pairwise

import cases
import numpy as np
import pytest
from mouse_and_finger import press
from on_page import ask, moved, spot, switch, to_start
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers

CALC = hc.examples.self_attention()
IN_RECORD = """({ calculation: { Calculation }, sharing }, [spec, cells]) => {
  const calculation = new Calculation(spec);
  const shares = sharing.sharedOut(calculation.steps, calculation);
  const cell = ([name, row, column]) => [calculation.byName.get(name), row, column];
  return {
    shares: shares?.name ?? null,
    isAmong: shares ? sharing.isAmongThemselves(shares, calculation) : null,
    queries: shares ? cells.map((each) => sharing.queryOf(cell(each), shares, calculation)) : [],
    softmax: cells.map((each) => {
      const found = sharing.softmaxOf(cell(each), calculation);
      return found && [found.scores.name, found.powers.name, found.sums.name, found.shares.name, found.list];
    }),
  };
}"""


def read(node, calculation: hc.Calculation, cells=()) -> dict:
    return node(IN_RECORD, [calculation.to_spec(), list(cells)])


def attention(kind: str, n: int, n_keys: int, **options) -> hc.Calculation:
    draw = np.random.default_rng(5).normal
    X, Y = draw(size=(4, n)), draw(size=(4, n_keys))
    W = [draw(size=(3, 4)) for _ in range(3)]
    return hc.self_attention(X, *W, **options) if kind == "self" else hc.cross_attention(X, Y, *W, **options)


# read from the record -----------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", ["columns", "rows"])
def test_every_number_that_belongs_to_one_query_says_which(node, convention):
    calculation = CALC.in_convention(convention)
    cells = [
        ("Q", 1, 2),
        ("S", 0, 2),
        ("S_scaled", 3, 2),
        ("E", 1, 2),
        ("E_sum", 0, 2),
        ("A", 2, 2),
        ("Z", 1, 2),
    ]
    many = [("K", 2, 2), ("V", 2, 2), ("X", 0, 2), ("W_Q", 1, 2)]  # which have to do with every query
    turned = [(name, j, i) if convention == "rows" else (name, i, j) for name, i, j in [*cells, *many]]
    found = read(node, calculation, turned)
    assert found["shares"] == "A"
    assert found["queries"] == [2] * len(cells) + [None] * len(many)
    softmax = ["S_scaled", "E", "E_sum", "A", 2]
    assert found["softmax"] == [None] * 3 + [softmax] * 3 + [None] * 5


def test_arcs_go_among_tokens_only_where_keys_and_queries_are_the_same_tokens(node):
    assert read(node, attention("self", 5, 5))["isAmong"] is True
    assert read(node, attention("self", 5, 5, mask="causal"))["isAmong"] is True
    assert read(node, attention("cross", 5, 5))["isAmong"] is False
    assert read(node, attention("cross", 5, 3))["isAmong"] is False
    assert read(node, attention("self", 17, 17))["shares"] is None  # no room
    assert read(node, cases.build("feed_forward"))["shares"] is None


def test_a_softmax_is_told_by_its_operations_whatever_it_is_called(node):
    E = hc.exp(hc.Matrix([[1.0, 2.0, 0.0]], "logits").T, base=2).named("powers")
    shares = (E / hc.column_sums(E).named("whole")).named("portions")
    found = read(node, hc.Calculation(shares), [("portions", 1, 0), ("whole", 0, 0), ("logits", 0, 1)])
    assert found["softmax"] == [[None, "powers", "whole", "portions", 0]] * 2 + [None]
    assert found["shares"] is None  # without labels nobody shares anything out


# on the page --------------------------------------------------------------------------------------------


def written(page: Page, where: str) -> list[str]:
    return page.locator(where).all_text_contents()


def assert_draws(page: Page, calculation: hc.Calculation, query: int) -> None:
    """The picture has the shares of one query as Python has them, as numbers, bars and words."""
    A = calculation["A"].values if calculation.convention == "columns" else calculation["A"].values.T
    texts = [numbers.show(share) for share in A[:, query]]
    bars = page.locator(".hc-shared [data-key] rect").evaluate_all(
        "(bars) => bars.map((bar) => +bar.getAttribute('height'))"
    )
    assert written(page, ".hc-shared [data-key] text:not(.hc-key)") == texts
    np.testing.assert_allclose(np.array(bars) / 58, A[:, query], atol=0.015)  # drawn to a tenth of a pixel
    told = page.get_by_role("img", name=re.compile(f"q{'₁₂₃₄'[query]}")).get_attribute("aria-label")
    assert told.endswith(", ".join(f"{text} to k{'₁₂₃₄'[k]}" for k, text in enumerate(texts)))


@pytest.mark.slow
def test_the_picture_and_the_softmax_move_with_the_hand_and_follow_the_query(open_page):
    page = open_page(CALC)
    assert_draws(page, CALC, 3)
    x, y = press(page, spot(page, "X", 1, 3))
    page.mouse.move(x, y - 60, steps=4)
    page.mouse.up()
    now = moved(CALC, "X", 1, 3, 1.0)
    assert_draws(page, now, 3)
    lines = [now[name].values[:, 3] for name in ("S_scaled", "E", "A")]
    expected = [
        numbers.typeset_number(numbers.show(value)) for line in zip(*lines, strict=True) for value in line
    ]
    assert written(page, ".hc-softmax-number") == expected
    assert written(page, ".hc-softmax-sum") == [numbers.show(now["E_sum"].values[0, 3]), "1"]
    spot(page, "Z", 2, 0).click()
    assert_draws(page, now, 0)
    assert not page.locator(".hc-softmax").is_visible()
    to_start(page)
    assert not page.locator(".hc-shared").is_visible()
    page.get_by_role("button", name="Show every step").click()
    spot(page, "E_sum", 0, 1).click()
    switch(page, "Tokens as", "rows")
    assert_draws(page, now.in_convention("rows"), 1)
    assert written(page, ".hc-aside .hc-picture-title") == [
        "A, row q₂ · attention weights",
        "Softmax of row q₂",
    ]
    box = page.locator(".hc-shared").bounding_box()
    tables = [table.bounding_box() for table in page.locator(".hc-desk table:visible").all()]
    assert not any(overlap(box, table) for table in tables)


def overlap(box: dict, other: dict) -> bool:
    across = box["x"] < other["x"] + other["width"] and other["x"] < box["x"] + box["width"]
    return across and box["y"] < other["y"] + other["height"] and other["y"] < box["y"] + box["height"]


@pytest.mark.slow
def test_a_long_title_stays_above_its_own_picture(open_page):
    logits = hc.Matrix([[1, 2], [3, 4], [0, 1]], "logits", rows=["A", "B", "C"], columns=["A", "B"])
    said = "probabilities of the next letter, and of no other"
    page = open_page(hc.Calculation(hc.softmax(logits).named("P", said)))
    spot(page, "P", 1, 1).click()
    boxes = [figure.bounding_box() for figure in page.locator(".hc-aside figure:visible").all()]
    assert len(boxes) == 2
    assert not overlap(*boxes)


# Ribbons show the way of the data: they run around the numbers, and those of one number are thick.
# Boxes as on a sheet, three below one another and three at their left, and the ways between them.
BOXES = [
    {"left": 120, "right": 220, "top": 10, "bottom": 110, "cells": 30},
    {"left": 120, "right": 220, "top": 130, "bottom": 200, "cells": 150},
    {"left": 120, "right": 220, "top": 220, "bottom": 290, "cells": 240},
    {"left": 10, "right": 100, "top": 130, "bottom": 200, "cells": 150},
    {"left": 10, "right": 80, "top": 220, "bottom": 290, "cells": 240},
    {"left": 260, "right": 360, "top": 10, "bottom": 110, "cells": 30},
]
WAYS = [(0, 1), (3, 1), (0, 2), (4, 2), (0, 5), (1, 4), (5, 2)]


def routed(node, boxes, ways, words=()):
    code = """({ lanes }, [boxes, words, ways]) => {
      const wires = ways.map(([a, b]) => ({ from: boxes[a], to: boxes[b], source: a }));
      return lanes.waysBetween({ boxes, words, width: 500 }, wires);
    }"""
    return node(code, [boxes, words, ways])


def crosses(box, here, there, margin=1):
    (a, b), (c, d) = here, there
    return (
        max(a, c) > box["left"] + margin and min(a, c) < box["right"] - margin
        and max(b, d) > box["top"] + margin and min(b, d) < box["bottom"] - margin
    )  # fmt: skip


def is_at_edge(box, point):
    return point[0] in (box["left"], box["right"]) or point[1] in (box["top"], box["bottom"])


def test_ways_run_upright_and_level_from_edge_to_edge_around_every_box(node):
    found = routed(node, BOXES, WAYS)
    for (start, end), points in zip(WAYS, found, strict=True):
        assert is_at_edge(BOXES[start], points[0])
        assert is_at_edge(BOXES[end] | {"top": BOXES[end]["top"] - 3}, points[-1])  # above its caption
        for here, there in pairwise(points):
            assert here[0] == there[0] or here[1] == there[1]
            assert not any(crosses(box, here, there) for box in BOXES)
    assert [len(points) for points in found[:2]] == [2, 2]  # neighbours are joined straight
    lanes = [points[1][0] for points in found if len(points) > 2]
    assert len(set(lanes)) == len(lanes) == 3  # of three sources, each in a lane of its own


def test_a_bent_way_passes_words_at_three_pixels_and_touches_them_only_where_it_must(node):
    ends = [
        {"left": 10, "right": 100, "top": 10, "bottom": 60, "cells": 10},
        {"left": 200, "right": 300, "top": 150, "bottom": 200, "cells": 150},
    ]
    between = {"top": 70, "bottom": 140}
    lane = [points[1][0] for points in routed(node, ends, [(0, 1)])]
    near = [points[1][0] for points in routed(node, ends, [(0, 1)], [between | {"left": 109, "right": 119}])]
    assert (lane, near) == ([108], [123])
    lower = {
        "left": 110,
        "right": 140,
        "top": 300,
        "bottom": 340,
        "cells": 300,
    }  # a lane 8 pixels from it is 2 from here
    assert routed(node, [*ends, lower], [(0, 1)])[0][1][0] == lane[0]
    all_around = [{"left": 101, "right": 199, "top": y, "bottom": y + 800} for y in (-795, 185)]
    narrow = [between | {"left": x, "right": x + 3} for x in range(1, 399, 5)]
    assert routed(node, ends, [(0, 1)], [*all_around, *narrow])[0][1][0] == lane[0]


def test_a_walled_in_box_has_no_way(node):
    walls = [{"left": -500, "right": 900, "top": 112, "bottom": 128, "cells": 112}]
    assert routed(node, [*BOXES, *walls], [(0, 1)]) == [None]


# Ribbons, and points on them that lie within a number.
ON_NUMBERS = """() => {
  const box = (node) => node.getBoundingClientRect();
  const all = [...document.querySelectorAll(".hc-desk td[data-row]")];
  const cells = all.filter((cell) => cell.checkVisibility()).map(box);
  const covers = (left, right, top, bottom) => cells.some((cell) =>
    left < cell.right - 1.5 && right > cell.left + 1.5 && top < cell.bottom - 1.5 && bottom > cell.top + 1.5);
  const paths = [...document.querySelectorAll(".hc-ribbons-lit path")];
  const found = { paths: paths.length, on: 0 };
  for (const path of paths) {
    const turned = path.getScreenCTM();
    for (let at = 0; at < path.getTotalLength(); at += 5) {
      const { x, y } = path.getPointAtLength(at).matrixTransform(turned);
      if (covers(x, x, y, y)) found.on += 1;
    }
  }
  return found;
}"""
LIT = """() => [...document.querySelectorAll(".hc-ribbons-lit path")]
  .flatMap((path) => [...path.classList]).filter((name) => /-(a|b|c|feeds)$/.test(name)).sort()"""
# The lit ways that do not begin and end in the row or the column of the numbers that they connect.
ASTRAY = """() => {
  const tables = [...document.querySelectorAll(".hc-desk .hc-matrix")];
  const faces = (mark, { x, y }) => tables.some((table) => {
    const boxes = [...table.getElementsByClassName(mark)].map((cell) => cell.getBoundingClientRect());
    const [top, left] = ["top", "left"].map((side) => Math.min(...boxes.map((box) => box[side])));
    const [bottom, right] = ["bottom", "right"].map((side) => Math.max(...boxes.map((box) => box[side])));
    const { left: start, right: end } = table.getBoundingClientRect();
    return boxes.length && (x > left && x < right || y > top && y < bottom && x > start - 3 && x < end + 3);
  });
  const lit = [...document.querySelectorAll(".hc-ribbons-lit path[class*=hc-ribbon-]")];
  return lit.map((path) => {
    const [, kind] = path.getAttribute("class").match(/hc-ribbon-(\\w+)/);
    const [feeds, isAgain] = [kind === "feeds", path.classList.contains("hc-again")];
    const source = feeds ? "hc-chosen" : `hc-source-${kind}`;
    const reader = isAgain ? source : feeds ? "hc-feeds" : "hc-chosen";
    const points = path.getAttribute("d").slice(1).split(/[MLQ ]/);
    const ends = [[source, points[0]], [reader, points.at(isAgain ? -1 : -2)]]; // the last is of its head
    const at = (point) => new DOMPoint(...point.split(",").map(Number)).matrixTransform(path.getScreenCTM());
    return ends.every(([mark, point]) => faces(mark, at(point))) ? "" : `${kind} of ${points}`;
  }).filter(Boolean);
}"""
# Whether the ways of matrices can be seen whose lit ones join numbers.
BESIDE_LIT = """() => {
  const lit = [...document.querySelectorAll(".hc-ribbons-lit path")];
  const all = [...document.querySelectorAll(".hc-ribbons path")];
  const beside = all.filter((_, k) => lit[k].matches("[class*=hc-ribbon-]"));
  return [...new Set(beside.map((path) => getComputedStyle(path).visibility))];
}"""
DRAWN = "() => document.querySelector('.hc-ribbons path') && !document.querySelector('.hc-stale')"


@pytest.mark.slow
def test_no_ribbon_runs_through_a_number_whatever_the_sheet(open_page):
    """A block of thirteen matrices, in both conventions, wide and narrow."""
    page = open_page(cases.build("encoder_layer"), reduced_motion="reduce")
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for convention in ("columns", "rows"):
            page.evaluate(
                """(to) => {
                  const list = document.querySelector("select:has([value=rows])");
                  list.value = to;
                  list.dispatchEvent(new Event("change"));
                }""",
                convention,
            )
            page.wait_for_timeout(150)
            page.wait_for_function(DRAWN)
            found = ask(page, ON_NUMBERS)
            is_cut = width == 390 and convention == "rows"  # what is out of sight has no ribbons
            assert 2 < found["paths"] < 17 if is_cut else found["paths"] >= 16
            assert found["on"] == 0


@pytest.mark.slow
def test_lit_ways_go_from_the_row_or_column_that_is_read_to_that_of_the_number(open_page):
    page = open_page(hc.examples.self_attention(), reduced_motion="reduce")
    page.wait_for_function(DRAWN)
    for name, row, column in [
        ("S", 0, 2),
        ("S_scaled", 3, 0),
        ("A", 1, 3),
        ("E_sum", 0, 3),
        ("Z", 2, 0),
        ("E", 0, 0),
    ]:
        spot(page, name, row, column).click()
        assert len(ask(page, LIT)) >= 2, name
        assert ask(page, ASTRAY) == [], (name, row, column)
    spot(page, "A", 1, 3).click()  # the caption of Z leaves its last column free
    onward = page.locator(".hc-ribbons-lit .hc-ribbon-feeds").bounding_box()
    assert spot(page, "Z", 0, 3).bounding_box()["y"] - onward["y"] - onward["height"] < 4
    assert ask(page, BESIDE_LIT) == ["hidden"]
    page.emulate_media(media="print")  # what is lit is not on paper
    page.wait_for_function(f"() => ({BESIDE_LIT})().join() === 'visible'")


# How far the head of each arrow is from the nearest matrix, in pixels of its sheet.
HEADS = """() => {
  const sheet = document.querySelector(".hc-sheet"), origin = sheet.getBoundingClientRect();
  const boxes = [...sheet.querySelectorAll(".hc-track table")].map((one) => one.getBoundingClientRect());
  return [...sheet.querySelectorAll(".hc-ribbons path:not(.hc-again)")].map((path) => {
    const [x, y] = path.getAttribute("d").split("M")[1].split("L").at(-1).split(",").map(Number);
    return Math.min(...boxes.map((box) => Math.hypot(
      Math.max(box.left - origin.left - x, 0, x - (box.right - origin.left)),
      Math.max(box.top - origin.top - y, 0, y - (box.bottom - origin.top)),
    )));
  });
}"""

# What stands on paper, seen at the moment at which it is laid out.
PRINTED = """() => matchMedia("print").addEventListener("change", ({ matches }) => {
  const isShown = (name) => getComputedStyle(document.querySelector(`.hc-${name}`)).display !== "none";
  if (matches) Object.assign(window, { far: heads(), shown: ["under-sheet", "ribbons-lit"].map(isShown) });
})"""


@pytest.mark.slow
def test_a_number_thickens_its_own_ribbons_alone_and_on_paper_each_is_an_arrow_that_ends_at_its_matrix(
    open_page,
):
    page = open_page(hc.examples.self_attention())
    page.wait_for_function(DRAWN)
    for name, lit in {
        "X": ["feeds"] * 3,
        "E_sum": ["a", "feeds"],
        "Z": ["a", "a", "b"],  # from V to where it stands again, and from there
        "S": ["a", "a", "b", "feeds"],
    }.items():
        spot(page, name, 0, 0).click()
        assert [mark.removeprefix("hc-ribbon-") for mark in ask(page, LIT)] == lit, name

    page.evaluate(f"() => {{ window.heads = {HEADS} }}")
    page.evaluate(PRINTED)
    page.emulate_media(media="null")  # as on a page that is opened by hand
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    far = page.evaluate("far")
    assert len(far) >= 9
    assert max(far) <= 6
    assert page.evaluate("shown") == [True, False]

    to_start(page)
    assert page.locator(".hc-ribbons .hc-coming").count() == page.locator(".hc-ribbons path").count()
