"""Worked examples, each with its source and licence; those of a lesson are in a module of their own."""

from handcalc.examples.before_attention import additive_score, dot_score, fading
from handcalc.examples.block import transformer_block
from handcalc.examples.cost import cached, six_words, window
from handcalc.examples.gpt import continue_pattern, gpt, gpt_writing
from handcalc.examples.heads import heads, in_proj_weight, one_wide_head
from handcalc.examples.masks import bird, le_chat, padded
from handcalc.examples.minilm import minilm_heads, minilm_shares
from handcalc.examples.pictures import picture, two_bars
from handcalc.examples.positions import positions, vocabulary, waves
from handcalc.examples.translation import SPANISH, all_at_once, temperatures, translate, translation
from handcalc.examples.two_layers import two_layers
from handcalc.examples.worked import SOURCE, animal, handout_shortcuts, self_attention

__all__ = [
    "SOURCE",
    "SPANISH",
    "additive_score",
    "all_at_once",
    "animal",
    "bird",
    "cached",
    "continue_pattern",
    "dot_score",
    "fading",
    "gpt",
    "gpt_writing",
    "handout_shortcuts",
    "heads",
    "in_proj_weight",
    "le_chat",
    "minilm_heads",
    "minilm_shares",
    "one_wide_head",
    "padded",
    "picture",
    "positions",
    "self_attention",
    "six_words",
    "temperatures",
    "transformer_block",
    "translate",
    "translation",
    "two_bars",
    "two_layers",
    "vocabulary",
    "waves",
    "window",
]
