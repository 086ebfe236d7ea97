"""The map: every part of a calculation once, to the right of what it reads, with one of its matrices."""

import cases
import numpy as np
import pytest
from drawings import contrast, extents, overlapping, texts_of
from matplotlib.colors import to_rgb

import handcalc as hc
from handcalc.views.map.map_figure import lay_out
from handcalc.views.map.map_html import map_html
from handcalc.views.map.map_plan import describe_map, plan, short_titles

HEADS = [tuple(np.ones((2, 4)) for _ in range(3))] * 2
NORM, FF = (np.ones(4), np.zeros(4)), (np.ones((8, 4)), np.zeros(8), np.ones((4, 8)), np.zeros(4))
X = hc.Matrix(cases.drawer(3)(4, 3), "X", columns="x")
MULTI = hc.multi_head_attention(X, HEADS, np.ones((4, 4)))
ENCODER = hc.encoder_layer(X, HEADS, np.ones((4, 4)), NORM, FF, NORM)
DECODER = hc.decoder_layer(
    X, np.ones((4, 5)), HEADS, np.ones((4, 4)), NORM, HEADS, np.ones((4, 4)), NORM, FF, NORM
)  # fmt: skip


def layers(count):
    """The same layer again and again, as a formula with paths would name it."""
    Y = X
    for k in range(1, count + 1):
        H = (Y @ np.eye(3)).named(f"layer_{k}.first.H")
        G = (H + 1).named(f"layer_{k}.second.G")
        Y = (Y + G).named(f"layer_{k}.R")
    return hc.Calculation(Y, title="Layers")


def drawn_at_random(seed):
    """Steps with random names in random blocks, each reading one or two of those before."""
    rng = np.random.default_rng(seed)
    paths = ["", "a.", "a.b.", "a.c.", "a.c.e.", "d.", "d.f.", "d.g.", "h_1.", "h_2.", "h_3."]
    pool = [hc.Matrix(rng.normal(size=(2, 2)), name) for name in ("G", "a.F")]
    for k in range(int(rng.integers(3, 25))):
        one, other = (pool[rng.integers(max(0, len(pool) - 6), len(pool))] for _ in range(2))
        made = (one + other, one * other, hc.tanh(one), one @ other.T)[rng.integers(4)]
        pool.append(made.named(f"{paths[rng.integers(len(paths))]}M{k}") if rng.random() < 0.9 else made)
    return hc.Calculation((pool[-1] + pool[-2]).named("out"), *(m for m in pool if m.name))


CASES = {
    "one head": hc.examples.self_attention(),
    "heads": MULTI,
    "encoder": ENCODER,
    "decoder": DECODER,
    "rows": DECODER.in_convention("rows"),
    "layers": layers(12),
    "slopes": hc.gradients(hc.examples.backwards(), "L"),
    "slopes of a GPT": hc.gradients(hc.examples.gpt_loss(), "L"),
} | {f"random {seed}": drawn_at_random(seed) for seed in range(8)}
everywhere = pytest.mark.parametrize("name", CASES)


def pictures(whole):
    return [part for part in whole.walk() if not part.columns]


@everywhere
def test_every_step_belongs_to_one_picture(name):
    found = [matrix for part in pictures(plan(CASES[name])) for matrix in part.names]
    assert len(found) == len(set(found))
    steps = {n for n, m in CASES[name].steps.items() if not m.is_idle}
    assert steps <= set(found)
    assert set(found) <= set(CASES[name])


@everywhere
def test_a_picture_is_one_of_the_matrices_that_it_stands_for(name):
    for part in pictures(plan(CASES[name])):
        assert part.face.name in part.names


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("random")])
def test_what_is_read_stands_further_left(name):
    for frame in (part for part in plan(CASES[name]).walk() if part.columns):
        own = {
            matrix: place for place, column in enumerate(frame.columns) for p in column for matrix in p.names
        }
        home = {matrix: part for column in frame.columns for part in column for matrix in part.names}
        for step in CASES[name].steps.values():
            for source in step.reads():
                if {source.name, step.name} <= own.keys() and home[source.name] is not home[step.name]:
                    assert own[source.name] < own[step.name], (source.name, step.name)


def test_heads_stand_one_above_the_other_and_are_called_by_their_numbers():
    (heads,) = (column for column in plan(MULTI).columns if column[0].kind == "block")
    assert [part.path for part in heads] == ["head_1", "head_2"]
    assert short_titles(heads) == ["1", "2"]
    assert [part.face.name for part in heads] == ["head_1.A", "head_2.A"]  # shares say the most


def test_the_way_back_is_a_frame_of_its_own_steps():
    whole = plan(CASES["slopes"])
    (back,) = (part for part in whole.walk() if part.path == "backward" and part.columns)
    assert {"backward.dX", "backward.dA"} <= set(back.names)
    assert [part.title for part in back.columns[-1]] == ["dW<sub>K</sub>", "dW<sub>Q</sub>", "dX"]


def test_it_says_in_words_what_goes_where():
    told = describe_map(plan(DECODER))
    assert "Feed-forward goes to Add & norm 3" in told
    assert "memory goes to " in told


def test_of_several_layers_a_stored_map_opens_one():
    text = map_html(layers(3))
    assert text.count("hc-map-layer") == 3
    assert text.count("hc-folded") == 2
    assert 'data-block="layer_1.second"' in text
    assert 'data-block="layer_2.second"' not in text
    assert map_html(layers(3), has_all=True).count("hc-folded") == 0  # a page folds them itself


def test_names_with_markup_in_them_stay_words():
    with hc.block("a", "A <b>bold</b> & large title"):
        A = (hc.Matrix([[1.0]], "X", columns="x") + 1).named("<i>")
    with hc.block("b"):
        text = map_html(hc.Calculation((A * 2).named("B")))
    assert "<b>bold" not in text
    assert "A &lt;b&gt;bold&lt;/b&gt; &amp; large title" in text


@everywhere
def test_a_figure_is_as_wide_as_asked_where_its_parts_allow_it(name):
    assert lay_out(CASES[name], 600.0).wide <= 600.0 or "slopes" in name
    assert lay_out(CASES[name], 1e6).wide >= lay_out(CASES[name], 300.0).wide


# The map as a figure: texts apart, none cut, none too small to read; one block is lit.
DRAWN = {
    "decoder": DECODER,
    "layers": layers(3),
    "rows": DECODER.in_convention("rows"),
    "steps": CASES["one head"],
}


@pytest.fixture(scope="module", params=zip(DRAWN, ("light", "dark") * 2, strict=True), ids=str)
def figure(request):
    name, theme = request.param
    lit = {"decoder": "cross.head_1", "layers": "layer_2.first"}.get(name, "")
    return DRAWN[name].figure(map=True, theme=theme, lit=lit)


def test_texts_stand_apart_and_none_is_cut(figure):
    assert not overlapping(figure)
    boxes = extents(figure)
    assert boxes.min() >= 0
    assert (boxes[:, 2:].max(axis=0) <= figure.bbox.size).all()
    assert figure.alt.startswith("Map of ")


def test_every_text_can_be_read(figure):
    paper = figure.get_facecolor()
    for text in texts_of(figure):
        assert contrast(to_rgb(text.get_color()), to_rgb(paper)) >= 4.5
        assert text.get_fontsize() >= 6.3  # an index; names have 9 points


def test_a_narrower_figure_has_more_lines():
    assert DECODER.figure(map=True, width=5).get_figwidth() <= 5
    assert DECODER.figure(map=True).get_figwidth() > 5
