"""A text as numbers of a model's vocabulary, by the tokenizer.json beside its weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError, many, short
from handcalc.foundation.extras import needed
from handcalc.notation.identifiers import UNWRITABLE
from handcalc.notation.validation import read_count, read_list

TOKENIZER_FILE = "tokenizer.json"
VISIBLE = str.maketrans({" ": "␣", "\n": "⏎", "\t": "⇥"})


class Tokens(NamedTuple):
    """A model's input: the number of each token in its vocabulary, and its label."""

    numbers: tuple[int, ...]
    labels: tuple[str, ...]


class Tokenizer:
    """Cuts a text into tokens; without a file it knows numbers alone."""

    def __init__(self, folder: Path) -> None:
        """Read tokenizer.json. Raises HandcalcError for one that cannot be read."""
        self.path = folder / TOKENIZER_FILE
        self._cut: Any = None
        if self.path.is_file():
            tokenizers = needed("tokenizers", "real")
            with _whatever_fails(
                f"{short_path(self.path)} is not a tokenizer that can be read; download it again."
            ):
                self._cut = tokenizers.Tokenizer.from_file(str(self.path))
                self._cut.no_truncation()  # a text that is too long is refused, not cut without a word
                self._cut.no_padding()

    def tokens(self, given: Any, vocabulary: int, longest: int) -> Tokens:
        """A text, or token numbers from 0, as what the model reads.

        Raises HandcalcError for no tokens, more than the model can read, or one that it does not know.
        """
        numbers = self._of_text(given) if isinstance(given, str) else _of_list(given)
        if not numbers:
            raise HandcalcError("There are no tokens; the model needs at least one.")
        if len(numbers) > longest:
            what = "The text has" if isinstance(given, str) else "There are"
            raise HandcalcError(
                f"{what} {many(len(numbers), 'token')}, but the model reads at most {longest:,}; "
                "hand in fewer."
            )
        for number in numbers:
            if not 0 <= number < vocabulary:
                raise HandcalcError(
                    f"Token {number} is not in the vocabulary, which has the numbers 0 to {vocabulary - 1}."
                )
        return Tokens(tuple(numbers), tuple(map(self.label, numbers)))

    def label(self, number: int) -> str:
        """The label of a token: its piece of a word, or else its number."""
        piece = self._cut.id_to_token(number) if self._cut is not None else None
        if piece is None:
            return str(number)
        return UNWRITABLE.sub("�", self._as_text(number, piece).translate(VISIBLE)) or "␣"

    def _as_text(self, number: int, piece: str) -> str:
        """A piece as a reader knows it: GPT-2 writes bytes as letters, such as Ġ for a space."""
        if "ByteLevel" not in type(self._cut.decoder).__name__:
            return piece
        with _whatever_fails(f"{short_path(self.path)} has no text for token {number}; download it again."):
            text = self._cut.decode([number], skip_special_tokens=False)
        return piece if not text or "�" in text else str(text)

    def _of_text(self, text: str) -> Sequence[int]:
        if not text.strip():
            raise HandcalcError("The text is empty; write a sentence.")
        if self._cut is None:
            raise HandcalcError(
                f"There is no {TOKENIZER_FILE} beside the weights, so words have no numbers: "
                "hand in a list of token numbers, such as [3, 1, 4]."
            )
        with _whatever_fails(f"{short_path(self.path)} cannot cut this text into tokens; download it again."):
            found: list[int] = self._cut.encode(re.sub("[\ud800-\udfff]", "�", text)).ids
        return found


@contextmanager
def _whatever_fails(sentence: str) -> Iterator[None]:
    """Say one sentence for every error: a broken tokenizer may end in a panic, which is no Exception."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - pyo3's PanicException is one
        raise HandcalcError(sentence) from None


def _of_list(given: Any) -> Sequence[int]:
    wanted = f"The text is {short(given)}; it must be words in quotes, or a list of token numbers."
    return [read_count(number, "A token") for number in read_list(given, wanted)]
