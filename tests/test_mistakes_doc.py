"""docs/mistakes.md: every name in it is known, every known one is in it, its topics are those drawn."""

import re
from pathlib import Path

import known_mistakes
import paper
import pytest
from known_mistakes import KNOWN, PROMISED

import handcalc as hc

TEXT = (Path(__file__).parents[1] / "docs" / "mistakes.md").read_text("utf-8")
NAMES, DRAWS = (
    [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")][1:]
    for part in TEXT.split("## What every draw")
)
OTHERS = {  # slips, and what other tests make
    "entries-swapped", "row-for-column", "wrong-line", "cut-off", "in-percent", "along-each-row",
    "wrong-weights",
}  # fmt: skip
SOURCES = (Path(hc.__file__).parent / "practice").rglob("*.py")
NAMED = r'(?:Outcome\(|yield |found\()"([a-z_]+(?:-[a-z_]+)+)"'  # as it stands in the code
TOPICS = {
    "linear layer": ["linear_layer"],
    "softmax, with powers of 3, with temperature": ["softmax", "softmax_base_3", "softmax_temperature"],
    "self-attention, multi-head attention": ["self_attention", "multi_head_attention"],
    "layer norm": ["layer_norm"],
}


def names(text: str) -> set[str]:
    return set(re.findall(r"`([a-z_-]+)`", text))


def test_every_mistake_that_tests_make_is_in_the_table_and_no_other():
    listed = {re.fullmatch(r"`(.+)`", name)[1] for name, _ in NAMES}
    assert listed == {known.name for known in KNOWN} | OTHERS


def test_every_name_that_the_package_gives_is_in_the_table():
    given = {name for path in SOURCES for name in re.findall(NAMED, path.read_text("utf-8"))}
    assert len(given) > 15
    assert given <= names(TEXT)


def promised(topic: str) -> set[str]:
    """What can be made in a topic and is promised to be told apart, in a dozen of its draws."""
    found = set()
    for seed in range(12):
        calculation = paper.drawn(topic, seed)
        steps = paper.answered(calculation, topic, 2)
        known = known_mistakes.applicable(paper.givens(calculation), steps)
        found |= {one.name for _, one in known if one in PROMISED}
    return found


@pytest.mark.parametrize(("said", "told"), DRAWS, ids=lambda text: text[:20])
def test_what_every_draw_tells_apart_is_what_is_promised(said, told):
    for topic in TOPICS.get(said, [said.replace("-", "_").replace(" ", "_")]):
        more = names(DRAWS[4][1]) if told.startswith("all of these") else set()
        assert promised(topic) == names(told) | more


def test_no_topic_with_a_promise_is_missing():
    listed = {
        topic for said, _ in DRAWS for topic in TOPICS.get(said, [said.replace("-", "_").replace(" ", "_")])
    }
    assert {topic for topic in paper.TOPICS if promised(topic)} == listed
