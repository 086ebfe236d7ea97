"""Every sheet is laid out as on paper: left operand left, right operand above, result where they meet."""

import re

import cases
import pytest

import handcalc as hc
from handcalc.notation import numbers
from handcalc.operations import Concat, MatMul
from handcalc.views.drawing_order import drawing_order, strips, towers, towers_of
from handcalc.views.sheet_layout import PlacedMatrix, Track, product, tracks

every_case = pytest.mark.parametrize("case", cases.CALCULATIONS)
every_way = cases.both_ways()

PAPER = {
    "worked_example": """
        X | W_Q Q | W_K K | W_V V
        Q* | Kᵀ* S | S_scaled | E | E_sum
        A | V* Z
    """,
    "self_attention_large_causal": """
        X | W_Q Q | W_K K | W_V V
        Q* | Kᵀ* S | S_scaled | S_masked | S_shifted | E | E_sum
        A | V* Z
    """,
    "cross_attention": """
        X | W_Q Q
        Y | W_K K | W_V V
        Q* | Kᵀ* S | S_scaled | E | E_sum
        A | V* Z
    """,
    "multi_head_attention": """
        X | head_1.W_Q head_1.Q | head_1.W_K head_1.K | head_1.W_V head_1.V
        head_1.Q* | head_1.Kᵀ* head_1.S | head_1.S_scaled | head_1.E | head_1.E_sum
        head_1.A | head_1.V* head_1.Z
        X* | head_2.W_Q head_2.Q | head_2.W_K head_2.K | head_2.W_V head_2.V
        head_2.Q* | head_2.Kᵀ* head_2.S | head_2.S_scaled | head_2.E | head_2.E_sum
        head_2.A | head_2.V* head_2.Z
        concat | W_O Z
    """,
    "feed_forward": """
        X | W_1 H + b_1
        H_relu | W_2 Y + b_2
    """,
}
END_OF_ENCODER = """
    R | mean | centred | variance | N + gamma beta
    N | W_1 H + b_1
    H_relu | W_2 Y + b_2
    N | R + Y
    R | mean | centred | variance | N + gamma beta
"""


def drawn(block: PlacedMatrix) -> str:
    return block.matrix.display_name + ("*" if block.is_copy else "")


def described(track: Track) -> str:
    """`X | W_Q Q`: rows from top to bottom, a left operand before its result; + what stands at the right."""
    return " | ".join(
        " ".join([*map(drawn, filter(None, [row.left, row.main])), *(["+"] if row.right else [])])
        + "".join(f" {drawn(block)}" for block in row.right)
        for row in track.rows
    )


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@cases.each_convention
@pytest.mark.parametrize("case", PAPER)
def test_a_sheet_is_laid_out_as_on_paper_and_mirrored_with_tokens_as_rows(case, convention):
    laid = tracks(cases.build(case, 1, convention))
    assert [described(track) for track in laid] == lines(PAPER[case])
    assert {track.is_horizontal for track in laid} == {convention == "rows"}


@cases.each_convention
def test_the_end_of_an_encoder_layer_is_laid_out_as_on_paper(convention):
    calculation = cases.build("encoder_layer", 1, convention)
    blocks = ("add_norm_1.norm", "ff", "add_norm_2", "add_norm_2.norm")
    found = [described(track) for path in blocks for track in tracks(calculation.level(path))]
    assert found == lines(END_OF_ENCODER)


@every_way
def test_of_a_product_the_left_operand_is_at_the_left_and_the_right_one_heads_the_track(case, convention):
    products = 0
    for track in tracks(cases.build(case, 1, convention)):
        for row in track.rows:
            operands = product(row.main.matrix) if not row.main.is_copy else None
            assert bool(operands) == bool(row.left)
            if operands:
                assert track.is_horizontal == (convention == "rows")
                left, head = (
                    reversed(operands) if track.is_horizontal else operands
                )  # mirrored with tokens as rows
                assert row.left.matrix is left
                assert track.head is head
                assert row is not track.rows[0]
                products += 1
    record = cases.build(case, 1, convention).record
    assert products >= sum(isinstance(m.operation, MatMul) and m.name is not None for m in record)


@every_way
@pytest.mark.parametrize("idle", [False, True])
def test_every_named_matrix_has_one_home_and_its_copies_come_after_it(case, convention, idle):
    calculation = cases.build(case, 1, convention)
    homes: list[str] = []
    for track in tracks(calculation, idle=idle):
        for row in track.rows:
            blocks = [*row.right, row.main, *filter(None, [row.left])]  # a bias is drawn for its sum
            homes += [block.matrix.name for block in blocks if not block.is_copy]
            assert all(b.matrix.name in homes for b in blocks if b.is_copy and b.matrix.name)
    expected = [m.name for m in calculation.record if m.name and (idle or not m.is_idle)]
    assert sorted(homes) == sorted(expected)


@every_way
def test_what_a_step_reads_stands_in_its_row_or_its_track(case, convention):
    for track in tracks(cases.build(case, 1, convention)):
        stacked: list[hc.Matrix] = []
        for row in track.rows:
            step = row.main.matrix
            shown = [*stacked, *(block.matrix for block in row.blocks())]
            reached = {id(m) for block in shown for m in (block, *block.reads()) if block.name is None}
            reached |= {id(m) for m in shown}
            if not row.main.is_copy and not isinstance(step.operation, Concat) and track.rows[0] is not row:
                assert all(id(source) in reached for source in step.reads()), step.name
            stacked.append(step)


@every_case
def test_rows_of_one_track_have_columns_of_the_same_tokens(case):
    for track in tracks(cases.build(case)):
        assert len({row.main.matrix.shape[1] for row in track.rows}) == 1


@every_way
def test_the_written_layout_is_the_one_that_is_drawn_with_idle_steps(case, convention):
    calculation = cases.build(case, 1, convention)

    def entry(block: PlacedMatrix | None):
        return block and [calculation.record.index(block.matrix), block.is_copy]

    expected = [
        [entry(r.left), entry(r.main), [*map(entry, r.right)]]
        for track in drawing_order(tracks(calculation, idle=True))
        for r in track.rows
    ]
    written = [row for strip in calculation.to_spec()["layout"] for row in strip]
    assert [[row["left"], row["main"], row["right"]] for row in written] == expected


@every_way
def test_a_strip_goes_on_to_the_right_with_steps_of_one_shape_and_downwards_with_all_others(case, convention):
    down = 1 if convention == "rows" else 0
    for strip in strips(tracks(cases.build(case, 1, convention))):
        beside = {(row.band, row.column): row.main.matrix for row in strip.rows}
        assert len(beside) == len(strip.rows)  # no two at one place
        for (band, column), matrix in beside.items():
            before = beside.get((band, column - 1))
            if before:
                assert matrix.shape[down] == before.shape[down] or matrix.shape[down] < before.shape[down]
        rows = [row.main for tower in towers_of(strip) for row in tower.rows]
        assert rows == [row.main for row in strip.rows]


# text ------------------------------------------------------------------------------------------

TINY = """\
Tiny, tokens as columns

               x  (2 by 1, given)
                1
               10

A
      c₁  c₂   y = A x + b  (2 by 1, result)   b
r₁     1  -2   r₁  -18.88                      0.13
r₂  0.50   3   r₂   29.50                        -1"""


def test_a_tiny_sheet_reads_as_it_always_did():
    A = hc.Matrix([[1, -2], [0.5, 3]], "A", rows="r", columns="c")
    x, b = hc.Matrix([[1], [10]], "x"), hc.Matrix([[0.125], [-1]], "b")
    calculation = hc.Calculation((A @ x + b).named("y", "result"), title="Tiny")
    assert repr(calculation) == TINY


def test_a_matrix_reads_title_then_labels_then_rows():
    S = hc.examples.self_attention()["S"]
    assert repr(S).splitlines() == [
        "S = Kᵀ Q  (4 by 4, scores)",
        "    q₁  q₂  q₃  q₄",
        "k₁   3   2   2   1",
        "k₂   4   3   1   5",
        "k₃  -1  -1  -2   1",
        "k₄   3   2   2   1",
    ]


def words(matrix: hc.Matrix, row: int) -> list[str]:
    labels = [matrix.rows[row]] if matrix.rows else []
    return [*labels, *(numbers.show(value) for value in matrix.values[row])]


@pytest.mark.parametrize("case", ["worked_example", "self_attention_causal", "cross_attention"])
def test_left_operand_and_result_share_the_lines_of_their_rows(case):
    calculation = cases.build(case, 1)
    blocks = repr(calculation).split("\n\n")[1:]
    rows = [row for track in towers(tracks(calculation)) for row in track.rows]
    assert len(blocks) == len(rows)
    for block, row in zip(blocks, rows, strict=True):
        main = row.main.matrix
        for i, line in enumerate(block.splitlines()[-main.shape[0] :]):
            assert line.split() == (words(row.left.matrix, i) if row.left else []) + words(main, i)


@pytest.mark.parametrize("case", ["worked_example", "cross_attention", "feed_forward"])
def test_with_tokens_as_rows_an_operand_stands_above_its_result(case):
    calculation = cases.build(case, 1, "rows")
    blocks = iter(repr(calculation).split("\n\n")[1:])
    for row in (row for track in towers(tracks(calculation)) for row in track.rows):
        for matrix in [row.left.matrix, row.main.matrix] if row.left else [row.main.matrix]:
            numbers_of = next(blocks).splitlines()[-matrix.shape[0] :]
            for i, line in enumerate(numbers_of):
                assert line.split()[: len(words(matrix, i))] == words(matrix, i)
    assert next(blocks, None) is None


@every_way
def test_numbers_of_one_column_end_at_one_place(case, convention):
    for matrix in cases.build(case, 1, convention).values():
        ends = [[word.end() for word in re.finditer(r"\S+", line)] for line in repr(matrix).splitlines()[1:]]
        ends = [line[-matrix.shape[1] :] for line in ends]
        if matrix.shape[1] <= 12:
            assert all(line == ends[0] for line in ends)


@cases.each_convention
def test_only_a_sheet_with_tokens_says_where_they_are(convention):
    A, B = hc.Matrix([[1, 2], [3, 4]], "A"), hc.Matrix([[5, 6], [7, 8]], "B")
    plain = hc.Calculation((A @ B).named("C"), title="A product").in_convention(convention)
    labelled = hc.Calculation((A @ B).named("C", columns="t"), title="A product").in_convention(convention)
    for calculation, header in [(plain, "A product"), (labelled, f"A product, tokens as {convention}")]:
        assert repr(calculation).splitlines()[0] == header
        assert f"<strong>{header}</strong>" in calculation._repr_html_()
        assert calculation.figure().alt.startswith(f"Heatmaps of {header}: ")


def test_results_of_one_track_begin_at_one_place():
    block = [
        line for line in repr(hc.examples.self_attention()).split("\n\n")[1:5] for line in line.splitlines()
    ]
    titles = [re.search(r"[XQKV](?: =.*)?  \(", line) for line in block]
    assert {found.start() for found in titles if found} == {22}


@pytest.mark.parametrize(("size", "count"), [(2, 1), (20, 3)])
def test_what_is_stacked_stands_beside_the_stack_only_while_there_is_room(size, count):
    parts = [hc.Matrix([[k]] * size, name) for k, name in enumerate("AB")]
    drawn = tracks(hc.Calculation(hc.concat(parts).named("C")))
    assert len([track for track in drawn if track.rows]) == count
