"""Known mistakes stand in one registry, and docs/mistakes.md shows it."""

import ast
import re
from pathlib import Path

import known_mistakes
import numpy as np
import own_topics
import paper
import pytest
from known_mistakes import KNOWN, PROMISED

import handcalc
import handcalc as hc
from handcalc.practice.mistakes import mistake_registry
from handcalc.practice.mistakes.mal_rule import USED_INSTEAD, wrong_operations
from handcalc.practice.mistakes.mistake_registry import REGISTRY
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.topics import OWN_TOPICS
from handcalc.record.graph import with_names

# docs/mistakes.md is what the registry says, and that is no more than learners by loops find.
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


# A known mistake belongs to operations, or to a lesson's own blocks: never to what a step is called.
TOPICS = ("self_attention", "multi_head_attention", "layer_norm", "feed_forward", "lstm_cell", "next_word")


def found(calculation):
    """The mistakes that can be made in each step, and what each comes to."""
    replay = LearnerReplay.right(calculation)
    return [
        sorted((one.name, one.values.tolist()) for one in wrong_operations(StepParts(step), replay))
        for step in calculation.steps.values()
    ]


@pytest.mark.parametrize("topic", TOPICS)
def test_steps_by_other_names_have_the_same_mistakes(topic):
    """Each is called z, numbered, and the same in each head: nothing but its operation is left to tell by."""
    calculation = hc.problem(topic)
    names, numbers = {}, {}
    for name, step in calculation.steps.items():
        block, dot, last = name.rpartition(".")
        names[step] = f"{block}{dot}z_{numbers.setdefault(last, len(numbers))}z"
    other = calculation._like_this(with_names(calculation.record, names), "z", "columns")
    assert [*other.steps] == [*names.values()]
    assert found(other) == found(calculation)


def test_mistakes_of_a_lesson_are_not_those_of_a_topic_of_ones_own_with_its_names():
    """The cell of lesson 17 has steps z and f, too; what its sigmoid goes wrong by is the sigmoid's."""
    with own_topics.forgotten():
        names = {}
        exec(own_topics.GATED, names)  # a teacher's file
        assert {"gated_sum"} == OWN_TOPICS
        calculation = hc.problem("gated_sum")
        steps = {name: step.values.tolist() for name, step in calculation.steps.items()}
        theirs = {known.name for _, known in known_mistakes.applicable(paper.givens(calculation), steps)}
        assert not theirs & {known.name for known in known_mistakes.KNOWN if "." in known.step}
        a = hc.Matrix([[1, -2], [3, 4]], "a")
        other = hc.Calculation((a * a).named("f"), (a + a).named("z"), title="Other operations")
        made = {one for step in found(other) for one, _ in step}
        assert not made & {"tanh-for-sigmoid", "sigmoid-for-tanh", "gates-swapped", "function-left-out"}
        assert np.all(other["f"].values >= 0)


# Words about a mistake stand in its row of the registry and nowhere else; docs/mistakes.md shows them.
PRACTICE = Path(handcalc.__file__).parent / "practice"
MODULES = [*PRACTICE.glob("mistakes/*.py"), *PRACTICE.glob("diagnosis/*.py"), *PRACTICE.glob("marking/*.py")]
OUTSIDE = {  # what is put around the words of a mistake, or in the place of words of its own
    USED_INSTEAD,
    "This was worked out with your earlier {}. {}",
    "This comes from {}, which is blank. {}",
    "Was it this? {}",
}


def texts_of(module):
    """The strings of a module that are no docstrings."""
    nodes = [*ast.walk(ast.parse(module.read_text("utf-8")))]
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [node.value for node in strings if id(node) not in docstrings]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_sentence_about_a_mistake_stands_outside_the_registry(module):
    sentences = [text for text in texts_of(module) if text[-1:] in {".", "?"} and " " in text]
    assert module.stem == mistake_registry.__name__.rpartition(".")[2] or {*sentences} <= OUTSIDE


def test_each_sentence_stands_in_one_row():
    words = [text for entry in REGISTRY.values() for text in entry.says.values() if text]
    alike = {text for text in words if words.count(text) > 1}
    assert alike == {"The {} was left out; these numbers still have to go through it."}  # it has two names
