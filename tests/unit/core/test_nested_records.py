"""Random records in random blocks: blocks change names and nothing else, and each block stands alone.

What is right comes from the same operations without a block, and from an own reading of the arithmetic.
"""

import pickle
import re
from contextlib import ExitStack

import arithmetic_parser
import cases
import numpy as np
import pytest
from test_random_records import Drawn

import handcalc as hc
from handcalc.views.sections import sections

SEEDS = range(12)
PATHS = ("", "a", "a.b", "a.b.c", "d", "d.b")


class Nested(Drawn):
    """The same operations on the same numbers; each name is given in a block that is picked at random."""

    def __init__(self, seed):
        self.nesting = np.random.default_rng(seed + 1000)
        super().__init__(seed)

    def _add(self, matrix, values, name=None):
        with ExitStack() as stack:
            for part in filter(None, PATHS[self.nesting.integers(len(PATHS))].split(".")):
                stack.enter_context(hc.block(part, f"Block {part}", why=f"Because of {part}."))
            if matrix.is_given:
                matrix = hc.Matrix(values, matrix.name)
            super()._add(matrix, values, name)


FLAT = {seed: Drawn(seed).calculation for seed in SEEDS}
NESTED = {seed: Nested(seed).calculation for seed in SEEDS}
each = pytest.mark.parametrize("seed", SEEDS)


def short(name):
    return name.rpartition(".")[2]


def without_paths(text):
    return re.sub(r"\b(?:[abcd]\.)+", "", text)


def blocks_of(calculation):
    return {
        path: (list(b), b.title, b.why, list(b.inputs), list(b.outputs))
        for path, b in calculation.blocks.items()
    }


def test_there_is_something_to_see():
    assert sum(len(calculation.blocks) for calculation in NESTED.values()) > 3 * len(SEEDS)
    assert {path for calculation in NESTED.values() for path in calculation.blocks} == set(PATHS) - {""}


@each
@pytest.mark.parametrize("convention", cases.CONVENTIONS)
def test_without_its_blocks_a_record_has_the_same_order_numbers_arithmetic_and_sources(seed, convention):
    flat, nested = (drawn[seed].in_convention(convention) for drawn in (FLAT, NESTED))
    assert [short(name) for name in nested] == list(flat)
    for one, other in zip(flat.values(), nested.values(), strict=True):
        np.testing.assert_array_equal(one.values, other.values)
        assert without_paths(other.formula) == one.formula
        for i, j in cases.cells(one):
            plain, inside = flat.explain(one.name, i, j), nested.explain(other.name, i, j)
            assert without_paths(inside.symbolic) == plain.symbolic
            assert (inside.substituted, inside.result) == (plain.substituted, plain.result)
            for plain_cells, inside_cells in ((plain.sources, inside.sources), (plain.feeds, inside.feeds)):
                assert [(short(m.name), *place) for m, *place in inside_cells] == [
                    (m.name, *place) for m, *place in plain_cells
                ]


@each
def test_files_copies_other_numbers_and_turning_keep_blocks(seed):
    calculation = NESTED[seed]
    given = next(name for name in calculation.givens if name.endswith("G1"))
    for same in (
        hc.Calculation.from_spec(calculation.to_spec()),
        pickle.loads(pickle.dumps(calculation)),
        calculation.in_convention("rows").in_convention("columns"),
        calculation.with_givens(**{given: calculation[given].values + 0.0}),
    ):
        assert blocks_of(same) == blocks_of(calculation)


@each
def test_every_block_alone_has_the_same_numbers_and_explains_every_cell(seed):
    whole = NESTED[seed]
    for path, block in whole.blocks.items():
        for name, matrix in block.items():
            np.testing.assert_array_equal(matrix.values, block.origin(matrix).values)
            assert name in block.inputs or whole[f"{path}.{name}"] is block.origin(matrix)
        for name, step in block.steps.items():
            for i, j in cases.cells(step):
                told = block.explain(name, i, j, None)
                found = arithmetic_parser.evaluate(told.substituted)
                if "⌊" not in told.substituted:  # where a trace decides
                    assert told.value == pytest.approx(found.value, rel=1e-6, abs=1e-9)
        assert hc.Calculation.from_spec(block.to_spec()).to_spec()["matrices"] == block.to_spec()["matrices"]


@each
def test_every_step_stands_on_one_sheet_and_each_sheet_says_what_comes_from_where(seed):
    whole = NESTED[seed]
    found = sections(whole)
    own = [section.origins[step].name for section in found for step in section.steps]
    assert sorted(own) == sorted(whole.steps)
    for section in found if len(found) > 1 else []:
        for matrix in filter(section.is_from_outside, section.sheet.values()):
            assert matrix.meaning.startswith(("from ", "calculated before"))


@pytest.mark.slow
@pytest.mark.paper
@pytest.mark.parametrize("seed", SEEDS[:1])
def test_every_block_alone_can_be_practised_and_printed_and_drawn(seed, tmp_path):
    blocks = NESTED[seed].blocks
    for path, block in blocks.items():
        exercise = hc.Exercise(block)
        assert exercise.check(**{name: step.values for name, step in block.steps.items()}).is_complete, path
        assert all(text in repr(block) for text in map(short, block.steps))
        assert "<table" in block._repr_html_()
    whole = hc.Exercise(NESTED[seed])
    assert whole.calculation.figure().alt
    assert hc.save_worksheet(whole, tmp_path / "sheet.pdf") >= 1
