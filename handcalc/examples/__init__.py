"""Worked examples, each with its source and licence; those of a lesson are in `lessons/`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from handcalc.examples.worked import SOURCE, animal, handout_shortcuts, self_attention

if TYPE_CHECKING:
    from handcalc.examples.lessons.backwards import backwards, gpt_loss, next_word, softmax_jacobian
    from handcalc.examples.lessons.before_attention import additive_score, dot_score, fading
    from handcalc.examples.lessons.block import transformer_block
    from handcalc.examples.lessons.cost import cached, six_words, window
    from handcalc.examples.lessons.gpt import continue_pattern, gpt, gpt_writing
    from handcalc.examples.lessons.heads import heads, in_proj_weight, one_wide_head
    from handcalc.examples.lessons.masks import bird, le_chat, padded
    from handcalc.examples.lessons.minilm import minilm_heads, minilm_shares
    from handcalc.examples.lessons.pictures import picture, two_bars
    from handcalc.examples.lessons.positions import positions, vocabulary, waves
    from handcalc.examples.lessons.real_model import (
        minilm_cls,
        minilm_first_layer,
        minilm_pairs,
        minilm_sentences,
    )
    from handcalc.examples.lessons.sorting_gpt import (
        sort_letters,
        sorted_without,
        sorting_gpt,
        sorting_gpt_writing,
    )
    from handcalc.examples.lessons.translation import (
        SPANISH,
        all_at_once,
        temperatures,
        translate,
        translation,
    )
    from handcalc.examples.lessons.two_layers import two_layers
    from handcalc.examples.lessons.your_own import lstm_cell

_LATER = {  # name -> the module of its lesson, which is imported when somebody asks for it
    "SPANISH": "translation",
    "additive_score": "before_attention",
    "all_at_once": "translation",
    "backwards": "backwards",
    "bird": "masks",
    "cached": "cost",
    "continue_pattern": "gpt",
    "dot_score": "before_attention",
    "fading": "before_attention",
    "gpt": "gpt",
    "gpt_loss": "backwards",
    "gpt_writing": "gpt",
    "heads": "heads",
    "in_proj_weight": "heads",
    "le_chat": "masks",
    "lstm_cell": "your_own",
    "minilm_cls": "real_model",
    "minilm_first_layer": "real_model",
    "minilm_heads": "minilm",
    "minilm_pairs": "real_model",
    "minilm_sentences": "real_model",
    "minilm_shares": "minilm",
    "next_word": "backwards",
    "one_wide_head": "heads",
    "padded": "masks",
    "picture": "pictures",
    "positions": "positions",
    "six_words": "cost",
    "softmax_jacobian": "backwards",
    "sort_letters": "sorting_gpt",
    "sorted_without": "sorting_gpt",
    "sorting_gpt": "sorting_gpt",
    "sorting_gpt_writing": "sorting_gpt",
    "temperatures": "translation",
    "transformer_block": "block",
    "translate": "translation",
    "translation": "translation",
    "two_bars": "pictures",
    "two_layers": "two_layers",
    "vocabulary": "positions",
    "waves": "positions",
    "window": "cost",
}


def __getattr__(name: str) -> Any:
    """The examples of a lesson are imported when asked for, so that `import handcalc` stays quick."""
    if name in _LATER:
        return getattr(import_module(f"{__name__}.lessons.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "SOURCE",
    "SPANISH",
    "additive_score",
    "all_at_once",
    "animal",
    "backwards",
    "bird",
    "cached",
    "continue_pattern",
    "dot_score",
    "fading",
    "gpt",
    "gpt_loss",
    "gpt_writing",
    "handout_shortcuts",
    "heads",
    "in_proj_weight",
    "le_chat",
    "lstm_cell",
    "minilm_cls",
    "minilm_first_layer",
    "minilm_heads",
    "minilm_pairs",
    "minilm_sentences",
    "minilm_shares",
    "next_word",
    "one_wide_head",
    "padded",
    "picture",
    "positions",
    "self_attention",
    "six_words",
    "softmax_jacobian",
    "sort_letters",
    "sorted_without",
    "sorting_gpt",
    "sorting_gpt_writing",
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
