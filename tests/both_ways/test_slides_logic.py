"""What a slide shows and where, without a page: the way through the steps, the title, arrangements, type."""

import cases
import pytest

import handcalc as hc

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
