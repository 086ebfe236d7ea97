"""docs/mistakes.md is what the registry says, and the registry says no more than learners by loops find."""

import re
from pathlib import Path

import known_mistakes
import paper
import pytest
from known_mistakes import KNOWN, PROMISED

from handcalc.practice.mistakes.mistake_registry import REGISTRY

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "mistakes.md").read_text("utf-8")
OTHERS = {  # slips, and what other tests make
    "entries-swapped", "row-for-column", "wrong-line", "cut-off", "in-percent", "along-each-row",
    "wrong-weights", "earlier-answer", "number-misread",
    "one-length-only", "lengths-added", "absolutes-summed",
    "shifted-twice", "tanh-for-sigmoid", "sigmoid-for-tanh", "gates-swapped", "relu-for-leaky-relu",
    "relu-forgotten-on-the-way-back", "two-left-out", "sides-swapped", "rate-left-out", "old-weights",
    "n-for-n-minus-1", "eps-left-out", "unsorted", "smallest-first", "not-added-up",
}  # fmt: skip


def names(text: str) -> set[str]:
    return set(re.findall(r"`([a-z0-9_-]+)`", text))


def row(topic: str) -> set[str]:
    """What the page says that every draw of a topic tells apart."""
    lines = TEXT.partition("## What every draw")[2].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return next((names(told) for topics, told in rows if topic in names(topics)), set())


def test_every_mistake_in_the_registry_is_made_by_a_test_and_no_other():
    relatives = {"transposed-keys", "transposed-slopes"}  # of transposed-weights and transposed-scores
    relatives |= {"queries-for-values", "values-from-target", "keys-from-target"}
    assert {*REGISTRY} == {known.name for known in KNOWN} - relatives | OTHERS


@pytest.mark.parametrize("topic", paper.TOPICS)
def test_what_loops_find_to_be_promised_is_on_the_page(topic):
    found = set()
    for seed in range(6):
        calculation = paper.drawn(topic, seed)
        steps = paper.answered(calculation, topic, 2)
        known = known_mistakes.applicable(paper.givens(calculation), steps)
        found |= {one.name for _, one in known if one in PROMISED}
    assert found <= row(topic)
    left_out = {"term-left-out", "residual-left-out"}
    assert row(topic) - found <= left_out  # of a sum that loops leave as it is: y without known
