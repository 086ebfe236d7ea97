"""Ribbons show the way of the data: they run around the numbers, and those of one number are thick."""

import re
from itertools import pairwise

import cases
import pytest
from on_page import ask, spot, to_start

import handcalc as hc

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


def routed(node, boxes, ways):
    code = """({ lanes }, [boxes, ways]) =>
      lanes.waysBetween(boxes, [], ways.map(([a, b]) => ({ from: boxes[a], to: boxes[b], source: a })))"""
    return node(code, [boxes, ways])


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
        assert is_at_edge(BOXES[end], points[-1])
        for here, there in pairwise(points):
            assert here[0] == there[0] or here[1] == there[1]
            assert not any(crosses(box, here, there) for box in BOXES)
    assert [len(points) for points in found[:2]] == [2, 2]  # neighbours are joined straight
    lanes = [points[1][0] for points in found if len(points) > 2]
    assert len(set(lanes)) == len(lanes) == 3  # of three sources, each in a lane of its own


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
