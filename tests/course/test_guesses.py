"""How a guess is judged: right to the places that were typed, close, or not quite."""

import handcalc as hc
from handcalc.notation import numbers

CALC = hc.examples.self_attention()
JUDGED = """({ parse_number, calculation: { Calculation }, score }, [spec, name, row, column, texts]) => {
  const matrix = new Calculation(spec).byName.get(name);
  const value = (text) => parse_number.parseNumber(text).value;
  const judge = (text) => score.judgeCell(text, value(text), [matrix, row, column], 2);
  return texts.map(judge);
}"""


def judged(node, texts, name="Z", row=0, column=0, calculation=CALC):
    return node(JUDGED, [calculation.to_spec(), name, row, column, texts])


def test_as_many_places_must_be_right_as_were_typed(node):
    expected = {  # Z[1,1] is 10.31
        "10.31": "right",
        "10,3": "right",
        "10": "close",
        "9.4": "close",
        "8.2": "wrong",
        "-10.31": "wrong",
    }
    assert dict(zip(expected, judged(node, list(expected)), strict=True)) == expected


def test_every_number_is_right_as_it_is_written_and_close_and_wrong_beside_it(node):
    """Close is within a tenth, or within a twentieth of the matrix's largest."""
    for name, matrix in CALC.steps.items():
        value, largest = matrix.values[0, 0], numbers.largest(matrix.values)
        near = value + max(0.08 * abs(value), 0.04 * largest)
        far = value + max(0.12 * abs(value), 0.06 * largest)
        texts = [numbers.show(value), f"{near:.4f}", f"{far:.4f}"]
        assert judged(node, texts, name) == ["right", "close", "wrong"], (name, texts)


def test_a_fraction_is_right_to_the_places_that_are_shown(node):
    third = hc.Calculation((hc.Matrix([[1.0], [9]], "M") / 3).named("T"))
    assert judged(node, ["1/3", "0.33", "0.4", "1/30"], "T", calculation=third) == [
        "right", "right", "close", "wrong",
    ]  # fmt: skip
