"""A model from a local file: finding the file, and reading it with its neighbours."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, fit_names, listed
from handcalc.models.model import Model
from handcalc.models.tensors import unreadable

ENDING = ".safetensors"
PICKLES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle"}


def load(path: str | PathLike[str], *, heads: int | None = None) -> Model:
    """A trained model from a safetensors file, or from the folder that it is in.

    >>> hc.models.load("all-MiniLM-L6-v2")
    BERT: 6 layers of 12 heads, 384 features, 30,522 tokens in its vocabulary, ...

    Its tensors have the names of BERT's or GPT-2's in Hugging Face's transformers. config.json beside it
    settles the rest; without one, `heads` is the number of heads in a layer. With tokenizer.json beside it
    the model reads text, otherwise token numbers. Nothing is downloaded, and nothing in a file is run.
    Raises HandcalcError, in one sentence, for what is missing, broken, or another kind of model.
    """
    return Model(file_of(read_path(path)), heads=heads)


def file_of(path: Path) -> Path:
    """The one file of weights that is meant."""
    try:
        return _file_of(path)
    except OSError as error:
        raise unreadable(path, error) from None


def _file_of(path: Path) -> Path:
    if not path.exists():
        raise HandcalcError(f"There is no file {short_path(path)}; check its name and its folder.")
    if not path.is_dir():
        return _checked(path)
    found = sorted(path.glob(f"*{ENDING}"))
    if len(found) == 1:
        return _checked(found[0])
    if found:
        names = listed(fit_names([file.name for file in found]))
        raise HandcalcError(
            f"{short_path(path)} has {len(found)} files of weights, {names}; a model is read from one."
        )
    pickled = sorted(file for file in path.iterdir() if file.suffix in PICKLES)
    return _checked(pickled[0] if pickled else path / f"model{ENDING}")


def _checked(path: Path) -> Path:
    """A file that may be opened: a pickle could run any code written into it."""
    if path.suffix.lower() in PICKLES:
        raise HandcalcError(
            f"{short_path(path)} is a pickle, which can run any program while it is read; "
            "handcalc reads only "
            f"safetensors files, and most models come in that format as well."
        )
    if not path.exists():
        raise HandcalcError(
            f"There is no safetensors file in {short_path(path.parent.resolve())}; it is often "
            f"called {path.name}."
        )
    if not path.is_file():  # to open a pipe waits for a writer
        raise HandcalcError(f"{short_path(path)} is not a file; weights are read from a safetensors file.")
    return path
