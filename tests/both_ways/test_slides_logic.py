"""Slides and playing the steps, where no page is needed."""

import cases
import numpy as np
import pytest

import handcalc as hc

# What a slide shows and where: the way through the steps, the title, arrangements, type.
LEVELS = """
  const calculation = new modules.calculation.Calculation(argument.spec ?? argument);
  const { list } = new modules.sheet_levels.Levels(calculation);
  const isRows = calculation.spec.convention === "rows";
"""
LINES = f"""(modules, argument) => {{ {LEVELS}
  const lineOf = (level) => modules.slide_flow.stepsInLine(level, isRows);
  return list.filter((level) => level.hasSteps).map((level) =>
    lineOf(level).map((group) => group.map((matrix) => level.typesetOf(matrix).name)));
}}"""
SHORTENED = """({ slide_flow }, [count, now]) =>
  slide_flow.shortenLine(Array.from({ length: count }, (_, k) => k + 1), now)"""
SENTENCE = f"(modules, argument) => {{ {LEVELS} return modules.slide_title.sentenceIn(calculation); }}"
ARRANGED = f"""(modules, argument) => {{ {LEVELS}
  const {{ names, room }} = argument;
  const {{ matrices, byName }} = calculation;
  const layout = (name) =>
    modules.slide_layout.layoutOfStep(byName.get(name), matrices, list[0].layout, isRows, room);
  const drawn = ({{ left, main, right }}) =>
    [left, main, ...right].filter(Boolean).map(([place]) => calculation.matrices[place].name);
  return Object.fromEntries(names.map((name) => [name, layout(name).map((track) => track.map(drawn))]));
}}"""


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_the_way_goes_from_what_comes_in_through_the_steps_in_their_order(node, convention):
    def way(name):
        return node(LINES, cases.build(name, convention=convention).to_spec())

    softmax = ["S"], ["S<sub>scaled</sub>"], ["E"], ["E<sub>sum</sub>"], ["A"], ["Z"]
    assert way("worked_example") == [[["X"], ["Q", "K", "V"], *softmax]]
    assert way("cross_attention") == [[["X", "Y"], ["Q", "K", "V"], *softmax]]
    assert way("feed_forward") == [[["X"], ["H"], ["H<sub>relu</sub>"], ["Y"]]]
    heads = way("multi_head_attention")
    assert heads[1:] == [[["X"], ["Q", "K", "V"], *softmax]] * 2


def test_what_comes_back_from_another_block_stands_after_what_went_into_it(node):
    main = node(LINES, hc.examples.gpt("abab").to_spec())[0]
    assert main == [["places"], ["X"], ["logits"], ["P"]]


def test_a_long_flow_line_leaves_out_what_is_far_from_the_current_step(node):
    assert node(SHORTENED, [11, 5]) == list(range(1, 12))
    assert node(SHORTENED, [30, 0]) == [1, 2, 3, 4, None, 30]
    assert node(SHORTENED, [30, 14]) == [1, None, 12, 13, 14, 15, 16, 17, 18, None, 30]
    assert node(SHORTENED, [30, 29]) == [1, None, 27, 28, 29, 30]


@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_a_title_with_words_shows_how_much_of_each_goes_into_the_one_it_names(node, convention):
    calculation = hc.examples.animal()
    found = node(SENTENCE, calculation.in_convention(convention).to_spec())
    at = calculation["A"].rows.index("it")
    assert (found["words"], found["from"]) == (list(calculation["A"].rows), at)
    assert found["shares"] == pytest.approx(calculation["A"].values[:, at].tolist())
    assert node(SENTENCE, cases.build("worked_example", convention=convention).to_spec()) is None


def test_arcs_are_as_thick_as_shares_and_run_between_the_words(node):
    sentence = {"words": ["a", "long", "word"], "from": 1, "shares": [0.7, 0.1, 0.2]}
    drawn = node("({ slide_title }, sentence) => slide_title.arcsOf(sentence)", sentence)
    assert [arc["share"] for arc in drawn["arcs"]] == [0.7, 0.2]
    thick = [arc["width"] for arc in drawn["arcs"]]
    assert (thick[0] - thick[1]) / (0.7 - 0.2) == pytest.approx((thick[0] - 0.8) / 0.7)
    assert drawn["centres"] == sorted(drawn["centres"])
    assert all(f"M{drawn['centres'][1]:g} 0" in arc["d"] for arc in drawn["arcs"])


def test_matrices_stand_side_by_side_where_that_gives_larger_type(node):
    def arranged(width, height, *names):
        spec = cases.build("worked_example").to_spec()
        return node(ARRANGED, {"spec": spec, "room": {"width": width, "height": height}, "names": names})

    wide, tall = arranged(1200, 300, "A", "E_sum"), arranged(350, 700, "A", "E_sum")
    assert wide == {"A": [[["E"]], [["E_sum"]], [["A"]]], "E_sum": [[["E"]], [["E_sum"]]]}
    assert arranged(730, 550, "A") == {"A": [[["E"], ["E_sum"]], [["A"]]]}
    assert tall == {"A": [[["E"], ["E_sum"], ["A"]]], "E_sum": [[["E"], ["E_sum"]]]}
    for width in (1200, 350):  # a product stands as on paper, with what is left of it and above it
        assert arranged(width, 400, "Q") == {"Q": [[["X"], ["W_Q", "Q"]]]}
    assert arranged(300, 500, "Q") == {"Q": [[["W_Q"]], [["X"], ["Q"]]]}  # where there is room for that


def test_type_has_a_floor_that_a_zoomed_window_does_not_lower(node):
    def least(width):
        return node("({ slide_stage }, width) => slide_stage.typeLimits(width)[0]", width)

    at_100_percent = least(1280)
    assert at_100_percent == 16
    for zoom in (1.25, 1.5, 2, 3):
        assert least(1280 / zoom) * zoom > at_100_percent
    assert least(390) >= 12


def test_a_slide_knows_in_which_directions_there_is_more(node):
    def more(top, left):
        box = {"scrollTop": top, "scrollLeft": left, "scrollHeight": 500, "scrollWidth": 300,
               "clientHeight": 200, "clientWidth": 300}  # fmt: skip
        return node("({ slide_stage }, box) => slide_stage.moreOf(box)", box)

    assert [more(top, 0) for top in (0, 150, 299)] == [["down"], ["up", "down"], ["up"]]


# Playing the steps: what counts, which number is asked for, other numbers.
CALC = hc.examples.self_attention()
NAMES = ["Q", "K", "V"]
SCORED = """({ score }, [names, rounds]) => {
  const now = new score.Score("title");
  for (const [name, kind] of rounds) now.add(name, { kind }, names);
  return [now.words, names.map((name) => now.marks.get(name)?.kind ?? "")];
}"""
KEPT = """({ score }, rounds) => rounds.map((right, k) => {
  const now = new score.Score("title");
  if (k === 0) globalThis.shared = now.bests;
  now.bests = globalThis.shared;
  for (let n = 0; n < 3; n += 1) now.add("QKV"[n], { kind: n < right ? "right" : "wrong" }, [..."QKV"]);
  const before = now.best([..."QKV"]);
  now.keep([..."QKV"]);
  return [before, now.best([..."QKV"])];
})"""
ASKED = """({ calculation: { Calculation }, askable }, [spec, name]) => {
  const [, row, column] = askable.cellToAsk(new Calculation(spec).byName.get(name));
  return [row, column];
}"""
REARRANGED = """({ calculation: { Calculation }, fresh_givens }, [spec, counts]) => {
  const calculation = new Calculation(spec);
  return counts.map((count) => fresh_givens.rearrangeGivens(calculation, count));
}"""
FRESH = """({ calculation: { Calculation }, fresh_givens, variants }, [spec, count]) =>
  fresh_givens.freshGivens(new Calculation(spec), count, (givens) => {
  const other = new Calculation(spec);
  variants.fillGivens(other, givens);
  return other;
})"""


# what counts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "words", "kinds"),
    [
        ([], "", ["", "", ""]),
        ([("Q", "right"), ("K", "wrong")], "1 of 2 right", ["right", "wrong", ""]),
        (
            [("Q", "close"), ("K", "shown"), ("V", "right")],
            "1 of 2 right, 1 close",
            ["close", "shown", "right"],
        ),
        (
            [("Q", "second"), ("K", "right"), ("V", "second")],
            "1 of 3 right, 2 on the second try",
            ["second", "right", "second"],
        ),
        ([("Q", "wrong"), ("K", "wrong"), ("K", "right")], "0 of 2 right", ["wrong", "wrong", ""]),
        ([("Q", "wrong"), ("K", "wrong"), ("Q", "right")], "1 of 1 right", ["right", "", ""]),
    ],
    ids=["nothing", "some", "all kinds", "second tries", "a second look", "a new round"],
)
def test_the_first_answer_to_a_step_counts_until_its_block_begins_again(node, answers, words, kinds):
    assert node(SCORED, [NAMES, answers]) == [words, kinds]


def test_the_best_round_is_kept_without_storage_too(node):
    assert node(KEPT, [1, 3, 2]) == [[None, 1], [1, 3], [3, 3]]


# which number is asked for ------------------------------------------------------------------------------


def asked(node, calculation, name):
    return tuple(node(ASKED, [calculation.to_spec(), name]))


def test_a_mask_is_asked_for_where_it_masks(node):
    for convention in cases.CONVENTIONS:
        masked = cases.build("self_attention_causal", 1, convention)
        name = next(name for name, step in masked.steps.items() if np.isinf(step.values).any())
        assert masked[name].values[asked(node, masked, name)] == -np.inf


def test_relu_is_asked_for_where_it_cuts_off_and_nothing_else_for_a_zero(node):
    M = hc.Matrix([[3.0, -2], [0, 5]], "M")
    cut = hc.Calculation(hc.relu(M).named("R"))
    assert asked(node, cut, "R") == (0, 1)
    sums = hc.Calculation((M + hc.Matrix([[0.0, 2], [0, 1]], "N")).named("T"))
    assert sums["T"].values[asked(node, sums, "T")] == 6


def test_of_a_large_matrix_some_number_is_asked_for(node):
    large = hc.Calculation((hc.Matrix(np.arange(1.0, 7501).reshape(75, 100), "M") * 2).named("T"))
    row, column = asked(node, large, "T")
    assert large["T"].values[row, column] > 0


def test_what_a_calculator_gets_for_the_line_is_right_also_where_the_line_says_about(node):
    """e^2.8868 is 17.94 on a calculator; the exact number, which the sheet shows, is 17.93."""
    judged = """({ calculation: { Calculation }, score }, [spec, guesses]) => guesses.map((guess) =>
      score.judgeCell(guess, Number(guess), [new Calculation(spec).byName.get("E"), 1, 3], 2))"""
    calculation = hc.examples.self_attention()
    assert str(calculation.explain("E", 1, 3)) == "E[2,4] = e^2.8868 ≈ 17.93"
    assert node(judged, [calculation.to_spec(), ["17.93", "17.94", "17.95"]]) == ["right", "right", "close"]


def test_an_infinite_number_is_right_or_wrong_and_never_close(node):
    judged = """({ score }, guesses) => guesses.map((guess) => {
      const mask = { at: () => -Infinity, values: [-Infinity, 1], explain: () => ({ printed: [-Infinity] }) };
      return score.judgeCell(String(guess), guess, [mask, 0, 0], 2);
    })"""
    assert node(judged, [-np.inf, 3, np.inf]) == ["right", "wrong", "wrong"]


# other numbers ------------------------------------------------------------------------------------------


def lines(values):
    """Along the longer side, what each line holds."""
    along = values if values.shape[0] <= values.shape[1] else values.T
    return [sorted(line) for line in along.tolist()]


def test_each_line_keeps_its_numbers_in_other_places_and_a_count_stands_for_its_own(node):
    for convention in cases.CONVENTIONS:
        calculation = CALC.in_convention(convention)
        one, same, other = node(REARRANGED, [calculation.to_spec(), [1, 1, 2]])
        assert one == same != other
        assert list(one) == list(calculation.givens)
        for name, rows in one.items():
            assert lines(np.array(rows)) == lines(calculation[name].values)


def test_learnt_decimals_stay_beside_whole_numbers_and_equal_numbers_stay_too(node):
    X = hc.Matrix([[1.0, 2], [3, 4]], "X")
    learnt = hc.Calculation((hc.Matrix([[0.5, 0.25]], "W") @ X).named("Y"))
    (found,) = node(REARRANGED, [learnt.to_spec(), [1]])
    assert list(found) == ["X"]
    alone = hc.Calculation((hc.Matrix([[0.5, 0.25]], "W") * 2).named("Y"))
    assert list(node(REARRANGED, [alone.to_spec(), [1]])[0]) == ["W"]
    alike = hc.Calculation((hc.Matrix([[7.0, 7]], "M") * 2).named("Y"))
    assert node(REARRANGED, [alike.to_spec(), [1]]) == [None]


def test_fresh_numbers_can_be_calculated_with_and_leave_no_step_all_alike(node):
    M, N = hc.Matrix([[1.0, 0, 2]], "M"), hc.Matrix([[0.0, 1, 0]], "N")
    roots = hc.Calculation(hc.sqrt(M - N * 2 + 2).named("R"))  # not of 0 − 2 + 2 alone
    for count in range(1, 9):
        givens, _ = node(FRESH, [roots.to_spec(), count])
        values = np.sqrt(np.array(givens["M"]) - np.array(givens["N"]) * 2 + 2)
        assert np.isfinite(values).all()
        assert len(np.unique(values)) > 1
