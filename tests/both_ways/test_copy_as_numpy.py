"""What "Copy as numpy" copies runs in Python, gives every number, and nothing in a name or a formula runs."""

import ast
import builtins
import copy
import keyword

import cases
import numpy as np
import pytest

import handcalc as hc

AS_NUMPY = (
    """({ calculation: { Calculation }, export: taken }, spec) => taken.asNumpy(new Calculation(spec))"""
)
A = hc.Matrix([[1.5, -2], [1e-300, 1e300]], "A")
SPEC = hc.Calculation((A * 2 - 1).named("B")).to_spec()
LINE_ENDS = [
    "\n",
    "\r",
    "\r\n",
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\0",
    "\ud800",
]
HOSTILE = [
    *keyword.kwlist, *filter(str.islower, dir(builtins)), "np", "hc",
    'a"b', "a'b", "", "1", "_", "2 X", "ε", "ﬁ",
    "__import__", "__builtins__", "A\nprint('ran')\n#", "x = 1; import os", "A", "A_2",
    "constructor", "__proto__",
]  # fmt: skip


def renamed(*, given="A", result="B", formula="B = 2 A - 1"):
    """A spec as a stranger may have written it, past every check that Python makes."""
    spec = copy.deepcopy(SPEC)
    entries = {entry["name"]: entry for entry in spec["matrices"]}
    entries["A"]["name"] = given
    entries["B"] |= {"name": result, "formula": formula}
    return spec


def arrays(code):
    """Run the code where it may only import numpy, and say what it has named."""
    tree = ast.parse(code)
    kinds = [type(statement) for statement in tree.body]
    assert kinds == [ast.Import, *[ast.Assign] * (len(kinds) - 1)]
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert called <= {"np.array"}
    found = {}
    exec(code, found)
    return {name: value for name, value in found.items() if name not in ("np", "__builtins__")}


@pytest.mark.parametrize("sign", LINE_ENDS, ids=ascii)
def test_nothing_in_a_formula_ends_its_comment(node, sign):
    code = node(AS_NUMPY, renamed(formula=f"B = 2{sign}raise SystemExit{sign}# A"))
    assert [*arrays(code)] == ["A", "B"]
    assert "raise SystemExit" in code
    code.encode("utf-8")


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_every_name_becomes_one_that_python_accepts_and_needs_for_nothing_else(node, name):
    found = arrays(node(AS_NUMPY, renamed(given=name, result="A" if name != "A" else "C")))
    assert len(found) == 2
    for identifier in found:
        assert identifier.isidentifier()
        assert identifier.isascii()
        assert not keyword.iskeyword(identifier)
        assert not hasattr(builtins, identifier)
        assert identifier not in ("np", "hc")
    given, result = found.values()
    np.testing.assert_array_equal(given, A.values)
    np.testing.assert_array_equal(result, A.values * 2 - 1)


def test_names_that_become_alike_stay_apart(node):
    found = arrays(node(AS_NUMPY, renamed(given="a.b", result="a_b")))
    assert list(found) == ["a_b", "a_b_2"]


@pytest.mark.parametrize("case", ["self_attention_causal", "multi_head_attention"])
def test_the_code_gives_every_number_in_full_under_its_formula(node, case):
    calculation = cases.build(case).with_givens(X=cases.givens(1).X / 3)
    code = node(AS_NUMPY, calculation.to_spec())
    found = arrays(code)
    assert sorted(found) == sorted(name.replace(".", "_") for name in calculation)
    for name, matrix in calculation.items():
        array = found[name.replace(".", "_")]
        if matrix.is_given:
            np.testing.assert_array_equal(array, matrix.values)
        # exp may differ by its last bit from Python's
        np.testing.assert_allclose(array, matrix.values, rtol=1e-13, atol=1e-14)
        assert f"# {'given' if matrix.is_given else matrix.formula}\n" in code
