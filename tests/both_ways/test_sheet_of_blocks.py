"""A sheet of an encoder and a decoder, eight heads in all: right, explained, and good block by block."""

from functools import cache
from types import SimpleNamespace

import cases
import numpy as np
import pytest
from test_browser_evaluator import assert_same_numbers, load
from test_explanations import assert_says
from test_formulas_torch import assert_equals, fill_attention, fill_layer, rows

import handcalc as hc
from handcalc.classroom.handouts import worksheet
from handcalc.views import paper
from handcalc.views.map.map_figure import lay_out
from handcalc.views.paper_sheet import printed_sections
from handcalc.views.sections import sections

D_MODEL, D_FF, VOCABULARY = 6, 8, 5
TOKENS, WORDS = 4, 3  # what is read, and what has been written
COUNTS = {"encoder": 2, "self": 3, "cross": 3}


def weights(seed: int = 23) -> SimpleNamespace:
    """Plain arrays, drawn once: what PyTorch and handcalc both get."""
    draw = cases.drawer(seed)

    def attention() -> SimpleNamespace:
        return SimpleNamespace(large=[draw(D_MODEL, D_MODEL) for _ in range(3)], W_O=draw(D_MODEL, D_MODEL))

    def ff() -> hc.FeedForward:
        return hc.FeedForward(draw(D_FF, D_MODEL), draw(D_FF, 1), draw(D_MODEL, D_FF), draw(D_MODEL, 1))

    return SimpleNamespace(
        source=draw(D_MODEL, TOKENS),
        target=draw(D_MODEL, WORDS),
        attention={name: attention() for name in COUNTS},
        norms=[hc.Norm(draw(D_MODEL, 1), draw(D_MODEL, 1)) for _ in range(5)],
        ffs=[ff(), ff()],
        W_out=draw(VOCABULARY, D_MODEL),
    )


def heads(w: SimpleNamespace, name: str) -> tuple[list, np.ndarray]:
    """One (W_Q, W_K, W_V) a head, and what mixes them."""
    parts = [np.split(large, COUNTS[name]) for large in w.attention[name].large]
    return list(zip(*parts, strict=True)), w.attention[name].W_O


def made(w: SimpleNamespace) -> hc.Calculation:
    n = w.norms
    source, target = hc.Matrix(w.source, "source", columns="x"), hc.Matrix(w.target, "target", columns="t")
    with hc.block("encoder", "Encoder", why="What is read is understood, each word in the light of all."):
        memory = hc.encoder_layer(source, *heads(w, "encoder"), n[0], w.ffs[0], n[1]).result
    with hc.block("decoder", "Decoder", why="What comes next is found in what was read and written so far."):
        own, cross = (*heads(w, "self"), n[2]), (*heads(w, "cross"), n[3])
        found = hc.decoder_layer(target, memory, *own, *cross, w.ffs[1], n[4]).result
    with hc.block("output", "Output"):
        logits = (hc.Matrix(w.W_out, "W_out") @ found).named("logits", "a number for each word")
    return hc.Calculation(logits, title="Encoder and decoder")


HEADS = {"encoder.attention": 2, "decoder.self": 3, "decoder.cross": 3}


@cache
def sheet(convention: str = "columns") -> hc.Calculation:
    return made(weights()).in_convention(convention)


def test_it_has_the_blocks_of_the_paper():
    blocks = sheet().blocks
    for path, count in HEADS.items():
        assert [p for p in blocks if p.startswith(f"{path}.")] == [
            f"{path}.head_{k + 1}" for k in range(count)
        ]
    assert [p for p in blocks if p.count(".") == 0] == ["encoder", "decoder", "output"]
    assert sum(p.endswith(".norm") for p in blocks) == 5
    assert len(sheet().steps) > 100


def test_its_numbers_are_pytorchs(torch):
    w = weights()
    options = {"dropout": 0.0, "batch_first": True, "dtype": torch.float64}
    encoder = torch.nn.TransformerEncoderLayer(6, 2, D_FF, **options).eval()
    decoder = torch.nn.TransformerDecoderLayer(6, 3, D_FF, **options).eval()
    for layer, norms, ff in ((encoder, w.norms[:2], w.ffs[0]), (decoder, w.norms[2:], w.ffs[1])):
        fill_layer(torch, layer, norms, ff)
    modules = {"encoder": encoder.self_attn, "self": decoder.self_attn, "cross": decoder.multihead_attn}
    for name, module in modules.items():
        fill_attention(torch, module, w.attention[name].large, w.attention[name].W_O)
    X, T = rows(torch, w.source)[None], rows(torch, w.target)[None]
    hidden = torch.triu(torch.ones(T.shape[1], T.shape[1], dtype=torch.bool), 1)
    memory = encoder(X)
    found = decoder(T, memory, tgt_mask=hidden)
    assert_equals(sheet()["encoder.add_norm_2.norm.N"], memory[0])
    assert_equals(sheet()["decoder.add_norm_3.norm.N"], found[0])
    assert_equals(sheet()["logits"], found[0] @ rows(torch, w.W_out))


@cases.each_convention
def test_every_cell_explains_itself_on_the_sheet_of_its_block(convention):
    count = 0
    for section in sections(sheet(convention)):
        for name, step in section.sheet.steps.items():
            for i, j in cases.cells(step):
                told = section.sheet.explain(name, i, j, None)
                assert_says(told.substituted, told.value)
                assert told.value == section.origins[step].values[i, j]
                count += 1
    assert count == sum(step.values.size for step in sheet(convention).steps.values())


@pytest.mark.slow
@cases.each_convention
def test_the_browser_has_the_same_numbers(node, convention):
    load(node, sheet(convention))
    assert_same_numbers(node, sheet(convention))


def test_its_map_fits_one_screen():
    drawn = lay_out(sheet(), 1000.0)
    assert drawn.high <= 700


@pytest.mark.slow
def test_each_block_stands_alone():
    for path, block in sheet().blocks.items():
        answers = {name: step.values for name, step in block.steps.items()}
        assert hc.Exercise(block).check(**answers).is_complete, path
        again = hc.Calculation.from_spec(block.to_spec())
        assert list(again) == list(block)
        for name, matrix in again.items():
            np.testing.assert_array_equal(matrix.values, block[name].values)


@pytest.mark.slow
def test_a_head_is_printed_with_a_worked_one_before_it_and_what_it_reads_is_given(printed):
    exercise = hc.Exercise(sheet(), blank=["decoder.cross.head_2"])
    paths = [section.path for section in printed_sections(worksheet._sheet(exercise))]
    assert paths == ["decoder.cross.head_1", "decoder.cross.head_2"]
    data, count = paper.set_pdf([worksheet._sheet(exercise)], "A head", paper.Printing())
    assert len(printed.pages(data)) == count
    inputs = sheet().level("decoder.cross.head_2").inputs
    assert [m.meaning for m in inputs.values()] == [
        "from Add & norm 1 › Layer norm",
        "from Encoder › Add & norm 2 › Layer norm",
    ]
