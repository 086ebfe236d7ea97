"""A trained model: what it is, and what it makes of a text, as a calculation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from handcalc.formulas.transformer import Norm, encoder_layer, layer_norm
from handcalc.foundation.errors import many
from handcalc.models import token_embedding
from handcalc.models.architectures import read_architecture
from handcalc.models.checksums import brief, check_sum, sha256
from handcalc.models.layer_weights import Layer, read_layers, read_norm
from handcalc.models.model_files import ModelSettings
from handcalc.models.sentence_embedding import pooled, read_longest, read_pooling
from handcalc.models.tensor_shapes import BERT, OUTPUT_TABLE, WORD_TABLE
from handcalc.models.tensors import Tensors, unreadable
from handcalc.models.tokenizing import Tokenizer, Tokens
from handcalc.notation.identifiers import UNWRITABLE
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_LETTERS_IN_TITLE = 60
LAYER_WHY = "Every token gathers from the others; then each is worked on by itself."
LOGITS_WHY = (
    "Which token comes next? A score for each one in the vocabulary: the dot product with its own column."
)


class Model:
    """A trained model whose weights were read from a file, once for all its records.

    >>> model = hc.models.load("all-MiniLM-L6-v2")
    >>> model.name, model.calculation("Hello.").result.shape
    ('BERT', (384, 1))
    """

    def __init__(self, path: Path, *, heads: int | None = None, name: str = "", published: str = "") -> None:
        """Read what stands in the file and beside it; the numbers are read when they are needed first.

        `published` is the SHA-256 that the file must have, where it is known.
        """
        self.path = path
        self.sha256 = _summed(path)
        if published:
            check_sum(path, self.sha256, published, name, "install it again")
        settings = ModelSettings(path.parent / "config.json")
        self._tensors = Tensors(path)
        self.architecture = read_architecture(self._tensors, settings, heads)
        self.name = name or self.architecture.kind
        self.longest = read_longest(path.parent, self.architecture.longest)
        self._tokenizer = Tokenizer(path.parent)
        self._pooling = read_pooling(path.parent)
        self._reading = Lock()

    def tokens(self, text: str | Sequence[int]) -> Tokens:
        """The tokens of a text: their numbers and their names. Instead of a text, pass a list of token
        numbers, counted from 0.
        """
        return self._tokenizer.tokens(text, self.architecture.vocabulary, self.longest)

    def calculation(self, text: str | Sequence[int]) -> Calculation:
        """What the model makes of a text, or of a list of token numbers, tokens as columns.

        Blocks: embedding, layer_1 (attention with head_1, …; ff; …), layer_2, …; a model for sentences ends
        in sentence. GPT-2 ends in logits (vocabulary, n): scores of what comes after each token.
        Raises HandcalcError for an empty or too long text, and for a token that is not in the vocabulary.
        """
        tokens = self.tokens(text)
        with self._reading:  # of several threads the first one reads the weights, for all of them
            end = self._bert(tokens) if self.architecture.kind == BERT else self._gpt_2(tokens)
        words = text if isinstance(text, str) else " ".join(tokens.labels)
        return Calculation(end, title=f"{self.name}: {_brief(words)}")

    def __repr__(self) -> str:
        about = self.architecture
        return (
            f"{self.name}: {many(about.layers, 'layer')} of {many(about.heads, 'head')}, "
            f"{many(about.d_model, 'feature')}, {about.vocabulary:,} tokens in its vocabulary, "
            f"at most {many(self.longest, 'token')} in a text; sha256 {brief(self.sha256)}"
        )

    # what is read ---------------------------------------------------------------------------

    @cached_property
    def _layers(self) -> list[Layer]:
        return read_layers(self._tensors, self.architecture)

    @cached_property
    def _norm(self) -> Norm:
        """BERT's first norm, GPT-2's last."""
        is_bert = self.architecture.kind == BERT
        return read_norm(self._tensors, "embeddings.LayerNorm" if is_bert else "ln_f")

    @cached_property
    def _table(self) -> Matrix:
        """GPT-2's columns for all tokens, which read the logits, too."""
        labels = tuple(map(self._tokenizer.label, range(self.architecture.vocabulary)))
        return Matrix(self._tensors.read(WORD_TABLE[self.architecture.kind]).T, rows="f", columns=labels)

    @cached_property
    def _output(self) -> Matrix | None:
        """Where the logits are not read with the same table, their own."""
        if self.architecture.is_tied:
            return None
        return Matrix(self._tensors.read(OUTPUT_TABLE), rows=self._table.columns)

    # what is calculated -----------------------------------------------------------------------

    def _bert(self, tokens: Tokens) -> Matrix:
        """Post-norm, as in the paper; a model for sentences ends in one column."""
        X = token_embedding.of_bert(tokens, self._tensors, self.architecture, self._norm)
        return pooled(self._encoded(X, mask=None, norm_first=False), self._pooling)

    def _gpt_2(self, tokens: Tokens) -> Matrix:
        """Pre-norm, a causal mask, a last norm, and the table again: logits (vocabulary, n)."""
        W_E = self._table.named("W_E", "the vocabulary, a column for each token")
        X = token_embedding.of_gpt_2(tokens, W_E, self._tensors, self.architecture)
        N = layer_norm(
            self._encoded(X, mask="causal", norm_first=True), *self._norm, eps=self.architecture.eps
        )
        read = W_E.T if self._output is None else self._output.named("W_out", "reads the logits")
        return (read @ N).named("logits", "a score for each token", why=LOGITS_WHY, stage="Say")

    def _encoded(self, X: Matrix, **options: Any) -> Matrix:
        """All layers, one after the other."""
        for number, layer in enumerate(self._layers, start=1):
            with block(f"layer_{number}", f"Layer {number}", why=LAYER_WHY):
                X = encoder_layer(
                    X, **layer._asdict(), eps=self.architecture.eps,
                    activation=self.architecture.activation, **options,
                ).result  # fmt: skip
        return X


def _summed(path: Path) -> str:
    try:
        return sha256(path)
    except OSError as error:
        raise unreadable(path, error) from None


def _brief(words: str) -> str:
    """On one line, and of a long text its beginning and its end: two may differ in the last word alone."""
    line = UNWRITABLE.sub("�", " ".join(words.split()))
    if len(line) <= MAX_LETTERS_IN_TITLE:
        return line
    begin, end = line[:36], line[-26:]
    return f"{begin.rpartition(' ')[0] or begin} … {end.partition(' ')[2] or end}"
