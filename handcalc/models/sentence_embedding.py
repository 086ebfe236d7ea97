"""A sentence as one point, as in sentence-transformers (Reimers and Gurevych 2019, arXiv:1908.10084)."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.models.model_files import ModelSettings, read_json
from handcalc.operations import Means
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums, sqrt

SENTENCE_WHY = "All tokens together become one column, so that sentences can be compared."
MEAN_WHY = "What do all tokens say together? The mean of each feature over all tokens."
LENGTH_WHY = "How long is the mean? The root of the sum of its squares."
POINT_WHY = "Divided by its length, so that only its direction counts: close points mean nearly the same."


class Pooling(Enum):
    """The result to make of the last layer's columns."""

    NONE = "each token keeps its column"
    MEAN = "their mean"
    POINT = "their mean, brought to length 1"


def read_pooling(folder: Path) -> Pooling:
    """The pooling that modules.json names; anything but the mean of all tokens counts as no pooling."""
    listed = read_json(folder / "modules.json") or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise HandcalcError(
            f"{short_path(folder / 'modules.json')} is not a list of modules; download it again."
        )
    kinds = [str(one.get("type")).rpartition(".")[2] for one in listed]
    known = {("Transformer", "Pooling"): Pooling.MEAN, ("Transformer", "Pooling", "Normalize"): Pooling.POINT}
    how = ModelSettings(folder / "1_Pooling" / "config.json").said
    ways = [name for name, is_on in how.items() if name.startswith("pooling_mode_") and is_on is True]
    return known.get(tuple(kinds), Pooling.NONE) if ways == ["pooling_mode_mean_tokens"] else Pooling.NONE


def read_longest(folder: Path, places: int) -> int:
    """The most tokens that are read: as many as there are places, or fewer where the files say so."""
    return min(ModelSettings(folder / "sentence_bert_config.json").count("max_seq_length") or places, places)


def pooled(N: Matrix, pooling: Pooling) -> Matrix:
    """The mean of all columns, brought to length 1 if it is to be.  (d_model, n) -> (d_model, 1)"""
    if pooling is Pooling.NONE:
        return N
    with block("sentence", "Sentence", why=SENTENCE_WHY):
        mean = Means(axis=1)(N).named("mean", "of all tokens", why=MEAN_WHY, stage="Join")  # (d_model, 1)
        if pooling is Pooling.MEAN:
            return mean
        length = sqrt(column_sums(mean**2)).named("length", why=LENGTH_WHY, stage="Measure")  # (1, 1)
        return (mean / length).named("embedding", "the sentence as a point", why=POINT_WHY, stage="Rescale")
