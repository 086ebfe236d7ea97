"""Every picture of the lessons, and more of its kind."""

import math

import numpy as np

import handcalc as hc
from handcalc.course.backwards import figures as backwards_figures
from handcalc.course.before_attention import figures as before_attention_figures
from handcalc.course.block import figures as block_figures
from handcalc.course.cost import figures as cost_figures
from handcalc.course.gpt import figures as gpt_figures
from handcalc.course.heads import figures as heads_figures
from handcalc.course.pictures import figures as pictures_figures
from handcalc.course.positions import figures as positions_figures
from handcalc.course.queries_keys_values import figures as queries_keys_values_figures
from handcalc.course.scores_to_weights import figures as scores_to_weights_figures
from handcalc.course.start import figures as start
from handcalc.course.whole_sheet import figures as whole_sheet_figures

CALC, SENTENCE = hc.examples.self_attention(), hc.examples.animal()
NOTEBOOK = 7.5  # inches: 720 pixels
THEMES = ("light", "dark")


def of_sentence(name, word):
    return hc.Matrix(SENTENCE[name].values[:, SENTENCE["X"].columns.index(word)], f"{name.lower()}_{word}")


def turned(a, degrees, length=1.0):
    angle = math.radians(degrees)
    return [length * (a[0] * math.cos(angle) - a[1] * math.sin(angle)),
            length * (a[0] * math.sin(angle) + a[1] * math.cos(angle))]  # fmt: skip


def drawn_mixture(seed, keys=4):
    rng = np.random.default_rng(seed)
    V = hc.Matrix(rng.integers(-9, 10, (3, keys)), "V", columns="v")
    A = hc.softmax(hc.Matrix(rng.normal(size=(keys, 2)), "S")).named("A")
    return (V @ A).named("Z", columns="z")


LONG = hc.Matrix(np.full((11, 11), 1 / 11), "A", rows=[f"wörter{i}" for i in range(11)], columns="q")
TIRED = hc.examples.two_layers("tired")
GPT = hc.examples.gpt("abab")
MASKED = hc.self_attention(*CALC.givens.values(), mask="causal")

FADING = hc.examples.fading()
WAVES = hc.examples.waves()["PE"]
ORDERS = [
    hc.examples.positions(order, places=places)
    for places in (False, True)
    for order in ("dog bites man", "man bites dog")
]

PICTURES = {
    "counts": cost_figures.counts,
    "lengths": cost_figures.lengths,
    "kept": lambda **o: hc.draw.kv_cache(hc.examples.cached(), **o),
    "kept, first": lambda **o: hc.draw.kv_cache(hc.examples.cached(), 1, **o),
    "mask": lambda **o: hc.draw.mask(hc.examples.bird()["S_masked"], **o),
    "mask, padding": lambda **o: hc.draw.mask(hc.examples.padded(["causal", "padding"])["S_masked"], **o),
    "changes": lambda **o: hc.draw.changes(hc.examples.bird()["Z"], hc.examples.bird(last=(3, 0))["Z"], **o),
    "words": lambda **o: hc.draw.words(SENTENCE["A"], "it", **o),
    "words, first": lambda **o: hc.draw.words(SENTENCE["A"], 0, **o),
    "words, last": lambda **o: hc.draw.words(SENTENCE["A"], "tired", **o),
    "words, other keys": lambda **o: hc.draw.words(LONG, 3, **o),
    "arrows": lambda **o: queries_keys_values_figures.arrows(
        of_sentence("Q", "it"), of_sentence("K", "animal"), of_sentence("K", "street"), **o
    ),
    "arrows, one way": lambda **o: queries_keys_values_figures.arrows([2, 1], [4, 2], **o),
    "arrows, four": lambda **o: queries_keys_values_figures.arrows(
        [-2, 1], [4, -7.25], [0.5, 3], [-0.5, -6], **o
    ),
    "cosines": lambda **o: queries_keys_values_figures.cosines(
        ([3, 1], [2, 1]), ([3, 1], [-1, 3]), ([3, 1], [-2, -1]), **o
    ),
    "growth": scores_to_weights_figures.growth,
    "growth, few": lambda **o: scores_to_weights_figures.growth((2, 1024), seed=3, **o),
    "shares": lambda **o: hc.draw.attention_weights(CALC["A"], **o),
    "shares, words": lambda **o: hc.draw.attention_weights(SENTENCE["A"], **o),
    "mixture": lambda **o: scores_to_weights_figures.mixture(CALC["Z"], 0, **o),
    "mixture, other rows": lambda **o: scores_to_weights_figures.mixture(CALC["Z"], 3, rows=(1, 2), **o),
    "mixture, sentence": lambda **o: scores_to_weights_figures.mixture(SENTENCE["Z"], 5, **o),
    "chain": lambda **o: before_attention_figures.chain(FADING, **o),
    "fading": lambda **o: before_attention_figures.vanishing_gradient(FADING, **o),
    "score tables": lambda **o: before_attention_figures.score_tables(
        hc.examples.dot_score(), hc.examples.additive_score(), **o
    ),
    "waves": lambda **o: hc.draw.positional_encoding(WAVES, **o),
    "clocks": lambda **o: positions_figures.clocks(WAVES, **o),
    "orders": lambda **o: hc.draw.permutations(*ORDERS, query="bites", **o),
    "hops": lambda **o: hc.draw.hops(GPT["layer_1.A"], GPT["layer_2.A"], 4, **o),
    "hops, it": lambda **o: hc.draw.hops(TIRED["layer_1.A"], TIRED["layer_2.A"], "it", **o),
    "pairs": lambda **o: hc.draw.compare_weights(hc.examples.minilm_shares(), **o),
    "loop": lambda **o: hc.draw.loop(hc.examples.translation(), **o),
    "loop, short": lambda **o: hc.draw.loop(hc.examples.translation("house"), **o),
    "one page": lambda **o: gpt_figures.one_page(GPT, **o),
    "course map": start.course_map,
    "layer": lambda **o: whole_sheet_figures.layer(CALC, **o),
    "layer, masked": lambda **o: whole_sheet_figures.layer(MASKED, heads=8, **o),
    "layer, rows": lambda **o: whole_sheet_figures.layer(CALC.in_convention("rows"), heads=3, **o),
    "layer, one head": lambda **o: whole_sheet_figures.layer(SENTENCE, heads=1, **o),
} | {
    f"mixture {seed}": lambda seed=seed, **o: scores_to_weights_figures.mixture(drawn_mixture(seed), **o)
    for seed in range(6)
}
TWO_HEADS = hc.examples.heads()


def cut(tower, count):
    """Heads in a tower of W_Q, W_K and W_V."""
    height = tower.shape[0] // 3
    kinds = [hc.rows(tower, k * height, (k + 1) * height).named(f"W_{kind}") for k, kind in enumerate("QKV")]
    return hc.split_heads(*kinds, count)


SOURCE_PAGE = hc.Matrix(np.zeros((1536, 512)), "tower")
PICTURES |= {
    "fans": lambda **o: heads_figures.fans([TWO_HEADS["head_1.A"], TWO_HEADS["head_2.A"]], "chase", **o),
    "fans, sentence": lambda **o: heads_figures.fans([SENTENCE["A"], MASKED["A"]], 2, **o),
    "joined": lambda **o: hc.draw.concat_heads(TWO_HEADS["Z"], **o),
    "tower": lambda **o: hc.draw.stacked_heads(cut(SOURCE_PAGE, 8), **o),
    "tower, small": lambda **o: hc.draw.stacked_heads(cut(hc.examples.in_proj_weight(), 2), **o),
}
SORTING = hc.examples.sorting_gpt("CABAAB", "AAABB")
PICTURES |= {
    "heads": lambda **o: hc.draw.head_maps(
        [[SORTING[f"layer_{k}.attention.head_{h}.A"] for h in (1, 2, 3)] for k in (1, 2, 3)], 10, **o
    ),
    "heads, sentence": lambda **o: hc.draw.head_maps([[TWO_HEADS["head_1.A"], TWO_HEADS["head_2.A"]]], **o),
}
BLOCK = hc.examples.transformer_block()
PICTURES |= {
    "normed": lambda **o: block_figures.normalisation(BLOCK["add_norm_1.norm.N"], **o),
    "road": lambda **o: hc.draw.residual_stream(BLOCK, **o),
    "road, norm first": lambda **o: hc.draw.residual_stream(
        hc.examples.transformer_block(norm_first=True), **o
    ),
    "directions": lambda **o: block_figures.directions(BLOCK.blocks["attention"], BLOCK.blocks["ff"], **o),
}
BARS = hc.examples.two_bars()
WIDE_PICTURE = hc.patches(hc.Matrix(np.arange(24).reshape(4, 6) % 4, "picture"), 2)
PICTURES |= {
    "patches": lambda **o: pictures_figures.patch_grid(BARS["tokens.patches"], **o),
    "patches, six": lambda **o: pictures_figures.patch_grid(WIDE_PICTURE.named("patches"), **o),
    "painted": lambda **o: pictures_figures.painted(BARS["attention.A"], BARS["tokens.patches"], **o),
}
SLOPES = hc.gradients(hc.examples.backwards(), "L")
SLOPES_OF_HEADS = hc.gradients(hc.Calculation(hc.half_squared_distance(TWO_HEADS["Z"], np.ones((4, 3)))), "L")
SCORES = SLOPES["S_scaled"].values[:, 0].tolist()
PICTURES |= {
    "way back": lambda **o: backwards_figures.way_back(SLOPES, **o),
    "way back, from X": lambda **o: backwards_figures.way_back(SLOPES, "X", **o),
    "way back, two heads": lambda **o: backwards_figures.way_back(SLOPES_OF_HEADS, "head_1.Q", **o),
    "valley": lambda **o: hc.draw.loss_curve(SLOPES, **o),
    "valley, W_V": lambda **o: hc.draw.loss_curve(SLOPES, "W_V", (0.001, 0.01, 0.05, 0.1), **o),
    "jacobian": lambda **o: backwards_figures.jacobian(hc.examples.softmax_jacobian()["J"], **o),
    "jacobian, eight": lambda **o: backwards_figures.jacobian(
        hc.examples.softmax_jacobian(2 * SCORES)["J"], **o
    ),
}
