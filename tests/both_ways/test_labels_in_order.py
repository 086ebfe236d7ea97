"""In the browser, too, words go with the numbers that are sorted, and on to what is picked of them."""

import handcalc as hc

LABELS = """({ calculation: { Calculation } }, [spec, values]) => {
  const calculation = new Calculation(spec);
  calculation.byName.get("P").fill(values);
  calculation.compute();
  const [sums, picked] = ["sums", "picked"].map((name) => calculation.byName.get(name));
  return [sums.labels(0), picked.explain(0, 0, 2).tokens.at(-1).text];
}"""


def test_words_go_with_their_numbers(node):
    P = hc.Matrix([[0.1], [0.2], [0.7]], "P", rows=["a", "b", "c"])
    order = hc.sort(P).named("order")
    picked = hc.sample(order, hc.Matrix([[0.85]], "r")).named("picked")
    calculation = hc.Calculation(hc.cumulative_sum(order).named("sums"), picked)
    for values in ([[0.1], [0.2], [0.7]], [[0.3], [0.6], [0.1]], [[0.1], [0.7], [0.2]]):
        python = calculation.with_givens(P=values)
        words, remark = node(LABELS, [calculation.to_spec(), values])
        assert tuple(words) == python["sums"].rows
        assert remark.strip() in str(python.explain("picked", 0, 0))
