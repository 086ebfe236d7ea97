"""What is left to the slow tier besides the tests that have its mark: the largest of what tests go through.

Many tests go through every topic, every calculation or every picture. In `make test` they leave out those
that cost most and have nothing of their own; `.ci/run` and `make test-all` leave nothing out.
"""

import pytest

LARGE = {  # by the name of the parameter
    "topic": {
        "attention_backwards", "block", "causal_self_attention", "class_token", "cross_attention",
        "cross_step", "induction", "kv_cache_step", "lstm_cell", "multi_head_attention", "order_matters",
        "sliding_window", "two_layers",
    },
    "case": {
        "backwards", "cached_attention", "decoder_layer", "encoder_layer", "encoder_layer_of_a_gpt",
        "multi_head_attention_on_Y", "rnn_with_slopes", "self_attention_large_causal", "split_heads",
    },
    "example": {
        "all_at_once", "fading", "gpt", "gpt_loss", "heads", "six_words", "temperatures", "transformer_block",
        "two_bars", "two_layers", "window",
    },
    "page": {"09_a_translation", "15_a_trained_gpt"},  # of docs/teaching
    "template": {"heads/3_all_blank"},
    "picture": {
        "arrows", "arrows, four", "fading", "growth", "growth, few", "heads", "jacobian, eight", "joined",
        "layer", "layer, masked", "layer, rows", "mixture, other rows", "mixture, sentence", "one page",
        "patches, six", "shares, words", "tower", "valley, W_V", "way back", "way back, from X",
        "way back, two heads",
    },
}  # fmt: skip


def is_large(parameters: dict[str, object]) -> bool:
    """Whether a test with these parameters is slow by what it looks at."""
    values = {name: parameters[name] for name in LARGE.keys() & parameters}
    return any(getattr(value, "stem", value) in [*LARGE[name]] for name, value in values.items())


def add_mark(item: pytest.Item) -> None:
    """A test of something large is slow, unless it is a sweep anyway."""
    if (call := getattr(item, "callspec", None)) and is_large(call.params):
        item.add_marker("slow")


def is_kept(parameters: object, left_out: set[str]) -> bool:
    """Whether a test is made of these, which may have marks of their own."""
    return not left_out.intersection(mark.name for mark in getattr(parameters, "marks", ()))
