"""Trained models as calculations: any of their numbers down to its arithmetic.

>>> model = hc.models.load("all-MiniLM-L6-v2")
>>> model.calculation("It was too tired.")["sentence.embedding"].shape
(384, 1)

Weights come from files of this computer; nothing is downloaded.
"""

from handcalc.models.loading import load as load
from handcalc.models.minilm import minilm as minilm
from handcalc.models.minilm_in_notebook import look_inside as look_inside
from handcalc.models.model import Model as Model

__all__ = ["Model", "load", "look_inside", "minilm"]


def __dir__() -> list[str]:
    return [*__all__]
