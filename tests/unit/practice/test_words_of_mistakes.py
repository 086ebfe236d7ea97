"""Words about a mistake stand in its row of the registry and nowhere else; docs/mistakes.md shows them."""

import ast
from pathlib import Path

import pytest

import handcalc
from handcalc.practice.mistakes import mistake_registry
from handcalc.practice.mistakes.mal_rule import USED_INSTEAD
from handcalc.practice.mistakes.mistake_registry import REGISTRY

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
