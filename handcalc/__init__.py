"""Self-attention and the transformer, calculated by hand, every number explained.

>>> import handcalc as hc
>>> calc = hc.examples.self_attention()
>>> print(calc.explain("Z", 1, 0))
Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as _numpy  # noqa: F401  # first: deep in a chain of imports, numpy's own takes 15% longer

from handcalc import examples, renamed
from handcalc.blocks import block
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.explanation import Explanation
from handcalc.formulas.attention import (
    cross_attention,
    multi_head_attention,
    self_attention,
    split_heads,
)
from handcalc.formulas.cache import cached_attention
from handcalc.formulas.generation import generate, generated_words
from handcalc.formulas.handout import handout
from handcalc.formulas.masks import causal_mask, padding_mask, sliding_window
from handcalc.formulas.recurrence import additive_attention, rnn
from handcalc.formulas.softmax import softmax
from handcalc.formulas.transformer import (
    FeedForward,
    Norm,
    decoder_layer,
    embedding,
    encoder_layer,
    feed_forward,
    layer_norm,
    positional_encoding,
    residual,
)
from handcalc.matrix import Matrix
from handcalc.operands import constant
from handcalc.operations.activations import gelu
from handcalc.operations.choosing import argmax, one_hot
from handcalc.operations.cutting import patches
from handcalc.operations.functions import exp, floor, log, relu, sigmoid, softplus, sqrt, tanh
from handcalc.operations.indexing import columns, concat, rows
from handcalc.operations.piecewise import absolute, leaky_relu
from handcalc.operations.reductions import column_means, column_sums
from handcalc.operations.shifting import subtract_max

if TYPE_CHECKING:
    from handcalc import models
    from handcalc.backward import Training, gradients, train
    from handcalc.classroom.worksheet import save_worksheet
    from handcalc.formulas.losses import cross_entropy, half_squared_distance
    from handcalc.lessons.guess import guess
    from handcalc.lessons.guesses import guesses
    from handcalc.practice.blanks import ____
    from handcalc.practice.codes import code, load
    from handcalc.practice.exercise import Exercise
    from handcalc.practice.faded_examples import faded_examples
    from handcalc.practice.practise import practise
    from handcalc.practice.problems import problem
    from handcalc.practice.topics.own import topic
    from handcalc.views.explorer import explore, present
    from handcalc.views.pictures import draw
    from handcalc.views.setup import check_setup

__version__ = "0.1.0"

_LATER = {  # name -> where it is fetched from when somebody asks for it
    "Exercise": "practice.exercise",
    "____": "practice.blanks",
    "Training": "backward",
    "check_setup": "views.setup",
    "code": "practice.codes",
    "cross_entropy": "formulas.losses",
    "draw": "views.pictures",
    "explore": "views.explorer",
    "faded_examples": "practice.faded_examples",
    "gradients": "backward",
    "guess": "lessons.guess",
    "guesses": "lessons.guesses",
    "half_squared_distance": "formulas.losses",
    "load": "practice.codes",
    "practise": "practice.practise",
    "present": "views.explorer",
    "problem": "practice.problems",
    "save_worksheet": "classroom.worksheet",
    "topic": "practice.topics.own",
    "train": "backward",
}


def __getattr__(name: str) -> Any:
    """Widgets and exercises are imported when asked for, so that `import handcalc` stays quick as numpy."""
    if new := renamed.current(name, renamed.FUNCTIONS):
        renamed.warn(f"hc.{name}", f"hc.{new}")
        return globals().get(new) or __getattr__(new)
    if name == "models":  # a room
        return import_module("handcalc.models")
    if name in _LATER:
        return getattr(import_module(f"handcalc.{_LATER[name]}"), name)
    raise AttributeError(f"module 'handcalc' has no attribute {name!r}")


__all__ = [
    "Calculation",
    "Exercise",
    "Explanation",
    "FeedForward",
    "HandcalcError",
    "Matrix",
    "Norm",
    "Training",
    "____",
    "absolute",
    "additive_attention",
    "argmax",
    "block",
    "cached_attention",
    "causal_mask",
    "check_setup",
    "code",
    "column_means",
    "column_sums",
    "columns",
    "concat",
    "constant",
    "cross_attention",
    "cross_entropy",
    "decoder_layer",
    "draw",
    "embedding",
    "encoder_layer",
    "examples",
    "exp",
    "explore",
    "faded_examples",
    "feed_forward",
    "floor",
    "gelu",
    "generate",
    "generated_words",
    "gradients",
    "guess",
    "guesses",
    "half_squared_distance",
    "handout",
    "layer_norm",
    "leaky_relu",
    "load",
    "log",
    "models",
    "multi_head_attention",
    "one_hot",
    "padding_mask",
    "patches",
    "positional_encoding",
    "practise",
    "present",
    "problem",
    "relu",
    "residual",
    "rnn",
    "rows",
    "save_worksheet",
    "self_attention",
    "sigmoid",
    "sliding_window",
    "softmax",
    "softplus",
    "split_heads",
    "sqrt",
    "subtract_max",
    "tanh",
    "topic",
    "train",
]
