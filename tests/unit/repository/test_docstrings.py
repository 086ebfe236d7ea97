"""What docstrings show is what happens; each public name shows something."""

import builtins
import doctest
import inspect
import pkgutil
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import public_names
import pytest
from own_topics import forgotten

import handcalc as hc

MODULES = ("handcalc", *(name for _, name, _ in pkgutil.walk_packages(hc.__path__, "handcalc.")))
SHOWN = [name for name in MODULES if ">>> " in Path(find_spec(name).origin).read_text("utf-8")]
FINDER = doctest.DocTestFinder()
MODEL = "all-MiniLM-L6-v2"  # in examples, a folder with its weights


def examples_of(thing, name, module=None):
    found = FINDER.find(thing, name, module, extraglobs={"hc": hc})
    return [test for test in found if test.examples]


def examples():
    """All in handcalc; those of a public function stand under its public name."""
    everywhere = [test for name in SHOWN for test in examples_of(import_module(name), name)]
    public = [
        test for name, thing in public_names.ALL.items() for test in examples_of(source(thing), f"hc.{name}")
    ]
    return {(test.filename, test.lineno): test for test in (*everywhere, *public)}.values()


def source(thing):
    """What was written, of a function that a decorator wraps."""
    return thing if inspect.isclass(thing) else inspect.unwrap(thing)


SLOW = {"hc.check_setup", "hc.save_worksheet", "hc.faded_examples", "hc.draw.kv_cache"}
SLOW |= {"handcalc.practice.exercise.practise.Practice.save_html"}
EXAMPLES = [
    pytest.param(
        test,
        id=test.name,
        marks=[
            *[pytest.mark.minilm] * (MODEL in test.docstring or "models.minilm(" in test.docstring),
            *[pytest.mark.slow] * (test.name in SLOW),
        ],
    )
    for test in examples()
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_a_docstring_come_out_as_they_are_written(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(builtins, "_", None, raising=False)  # where a prompt keeps what it showed last
    if MODEL in example.docstring:
        (tmp_path / MODEL).symlink_to(import_module("handcalc.models.minilm").folder())
    with forgotten():
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        assert runner.run(example).failed == 0


def test_a_public_name_opens_with_an_example_that_is_run():
    for name in public_names.DESCRIBED:
        opening, _, rest = inspect.cleandoc(source(public_names.ALL[name]).__doc__).partition("\n\n")
        assert opening, f"{name}: one sentence says what it is"
        assert rest.startswith(">>> "), f"{name}: an example comes next"
        examples = doctest.DocTestParser().get_examples(rest)
        assert not any(doctest.SKIP in example.options for example in examples), name


def signatures(name):
    """What is told of a public name's parameters and results, its methods' too."""
    thing = source(public_names.ALL[name])
    if not inspect.isclass(thing):
        return [inspect.signature(thing)]
    ours = [kind for kind in thing.__mro__ if kind.__module__.startswith("handcalc.")]
    called = {"__init__", "__new__"} | {where for kind in ours for where in vars(kind) if where[0] != "_"}
    functions = [function_of(vars(kind)[where]) for kind in ours for where in called & vars(kind).keys()]
    return [inspect.signature(function) for function in functions if inspect.isfunction(function)]


def function_of(member):
    """What is behind a property, kept or not, and behind a method of the class."""
    kept = (getattr(member, kind, None) for kind in ("fget", "func", "__func__"))
    return next(filter(None, kept), member)


def test_a_public_signature_says_what_is_taken_and_what_comes_back():
    for name in public_names.DESCRIBED:
        for signature in signatures(name):
            taken = [one.annotation for one in signature.parameters.values()]
            assert not re.search(r"\bAny\b", f"{taken} {signature.return_annotation}"), name


def test_a_vague_signature_is_seen(monkeypatch):
    def vague(self, one: "dict[str, Any]", *many: int) -> int: ...  # noqa: F821

    monkeypatch.setattr(hc.Matrix, "vague", property(vague), raising=False)
    assert len(signatures("Matrix")) > 20
    assert any("Any" in str(signature) for signature in signatures("Matrix"))
