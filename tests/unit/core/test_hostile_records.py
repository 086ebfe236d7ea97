"""Whatever a matrix or a calculation is handed, it works or says one short sentence, never anything else."""

import hostile
import pytest

import handcalc as hc

A = hc.Matrix([[1, 2], [3, 4]], "A")
CALC = hc.Calculation((A @ A).named("B"), (A + 1).named("self"))

CALLS = {
    "Matrix": lambda v: repr(hc.Matrix(v)),
    "name": lambda v: repr(hc.Matrix([1], v)),
    "rows": lambda v: repr(hc.Matrix([1, 2], "A", rows=v)),
    "columns": lambda v: repr(hc.Matrix([[1, 2]], "A", columns=v)),
    "a row label": lambda v: repr(hc.Matrix([1, 2], "A", rows=["a", v])),
    "named": lambda v: repr(A.named(v)),
    "meaning": lambda v: repr(A.named("B", v)),
    "why": lambda v: repr(A.named("B", why=v)),
    "named, rows": lambda v: repr(A.named("B", rows=v)),
    "with_reason": lambda v: repr(A.with_reason(v)),
    "replace": lambda v: repr(A.replace(name=v)),
    "explain, row": lambda v: A.explain(v, 0),
    "explain, column": lambda v: CALC.explain("B", 0, v),
    "explain, places": lambda v: str(CALC.explain("B", 0, 0, places=v)),
    "sources": lambda v: A.sources(v, v),
    "feeds": lambda v: CALC.feeds(A, v, 0),
    "feeds of": lambda v: CALC.feeds(v, 0, 0),
    "Calculation": hc.Calculation,
    "Calculation of two": lambda v: hc.Calculation(A, v),
    "title": lambda v: repr(hc.Calculation(A, title=v)),
    "convention": lambda v: hc.Calculation(A, convention=v),
    "in_convention": CALC.in_convention,
    "a name": lambda v: CALC[v],
    "explain, name": lambda v: CALC.explain(v, 0, 0),
    "with_givens": lambda v: CALC.with_givens(A=v),
    "with_givens, name": lambda v: CALC.with_givens(**{v: 1} if isinstance(v, str) else {}),
    "from_spec": hc.Calculation.from_spec,
    "constant": hc.constant,
    "symbol": lambda v: hc.constant(2, v),
    "handout": hc.handout,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_hostile_value_is_answered_in_one_short_sentence(call):
    troubles = {
        name: hostile.complaint(lambda m=make: CALLS[call](m())) for name, make in hostile.HOSTILE.items()
    }
    assert not {name: trouble for name, trouble in troubles.items() if trouble}


def test_a_step_may_be_called_self():
    assert "self" in CALC.steps
    given = hc.Calculation((hc.Matrix([[1]], "self") + 1).named("B"))
    assert given.with_givens(self=[[5]])["B"].values == 6


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (lambda: hc.Calculation(None), "A calculation is made of matrices; got a NoneType."),
        (lambda: hc.Calculation([[1]]), "A calculation is made of matrices; got a list."),
        (lambda: hc.Calculation.from_spec([1]), "from_spec reads what to_spec wrote; got a list."),
        (lambda: hc.constant(2, "2\nprint('X')\n#"), "A symbol is one word of letters, digits, _ and dots"),
        (lambda: hc.Matrix([1], "x" * 2000), "A name has at most 100 characters; 'xxx"),
        (lambda: hc.Matrix([1], "a\u2028b"), "A matrix's name is a word such as 'Q'"),
        (lambda: A.named("B", 3), "The meaning is 3; it must be text on one line."),
        (lambda: hc.Calculation(A, title=["T"]), "The title is ['T']; it must be text on one line."),
    ],
)
def test_the_sentence_says_what_was_handed_in(attempt, sentence):
    with pytest.raises(hc.HandcalcError) as caught:
        attempt()
    assert str(caught.value).startswith(sentence)


def test_many_names_are_listed_as_far_as_a_sentence_goes():
    many = hc.Calculation(*(hc.Matrix([k], f"matrix_{k}") for k in range(500)))
    with pytest.raises(hc.HandcalcError, match=r"matrix_0, .* and \d+ more\.$") as caught:
        many["Y"]
    assert len(str(caught.value)) < 200
