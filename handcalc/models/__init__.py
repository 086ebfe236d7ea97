"""Trained models as calculations: any of their numbers down to its arithmetic.

>>> import handcalc as hc
>>> calc = hc.models.minilm("It was too tired.")  # doctest: +SKIP
>>> model = hc.models.load("gpt2/model.safetensors")  # doctest: +SKIP

Weights come from files of this computer; nothing is downloaded.
"""

from handcalc.models.loading import load as load
from handcalc.models.minilm import minilm as minilm
from handcalc.models.minilm_in_notebook import look_inside as look_inside
from handcalc.models.model import Model as Model

__all__ = ["Model", "load", "look_inside", "minilm"]
