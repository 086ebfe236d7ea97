"""Blocks: the named parts of a calculation, declared where a formula is written.

`with block("head_1", "Attention head 1"):` puts every matrix that is named inside into that part: Q is called
head_1.Q outside, and Q inside. Blocks nest, and one that is opened again goes on. TensorFlow's name scopes do
the same for operations.

Some blocks are numbered when a calculation is put together: what one call of a formula makes is a `layer`,
which shows only where several are joined (layer_1, layer_2, …); norms side by side are norm_1, norm_2, ….
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TypeVar

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.identifiers import read_name, read_text


class Block:
    """A part that matrices belong to: its name, the block around it, and its title and reason."""

    __slots__ = ("is_numbered", "name", "parent", "prefix", "title", "why")

    name: str
    title: str  # a few words, such as `Attention head 1`
    why: str  # one sentence on why it is there, or nothing
    parent: Block | None
    is_numbered: bool  # each opening makes a block of its own
    prefix: str  # of the names inside, as long as no number is needed

    def __init__(
        self, name: str, parent: Block | None, title: str = "", why: str = "", *, is_numbered: bool = False
    ) -> None:
        self.name, self.parent, self.is_numbered = name, parent, is_numbered
        self.title, self.why = title, why
        around = parent.prefix if parent else ""
        self.prefix = around if self.is_layer else f"{around}{name}."

    @property
    def is_layer(self) -> bool:
        """Whether it was made by one call of a formula."""
        return self.is_numbered and self.name == LAYER_BLOCK

    def within(self, around: Block | None) -> Block:
        """The same block inside other blocks, or in none."""
        return Block(self.name, around, self.title, self.why, is_numbered=self.is_numbered)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.name, self.parent, self.title, self.why, self.is_numbered)


LAYER_BLOCK = "layer"
RUN_OF_DIGITS = re.compile(r"\d+")
LAYER_NUMBER = re.compile(rf"\b{LAYER_BLOCK}_\d+\b")
Found = TypeVar("Found", bound=Block | None)
_current: ContextVar[Block | None] = ContextVar("_current", default=None)
current_block = _current.get  # the block that is open


class open_block(AbstractContextManager[Found]):  # noqa: N801 - read in a `with` like a function
    """Until the end of `with`, names belong to this block."""

    __slots__ = ("block", "outside")  # a function that yields takes four times as long

    def __init__(self, found: Found) -> None:
        self.block = found

    def __enter__(self) -> Found:
        self.outside = _current.set(self.block)
        return self.block

    def __exit__(self, *_: object) -> None:
        _current.reset(self.outside)


def block(name: str, title: str = "", *, why: str = "") -> open_block[Block]:
    """Everything that is named in here belongs to this part of the calculation.

    >>> with hc.block("head_1", "Attention head 1"):
    ...     Q = (hc.Matrix([[2]], "W_Q") @ hc.Matrix([[3]], "X")).named("Q")
    >>> list(hc.Calculation(Q))
    ['head_1.X', 'head_1.W_Q', 'head_1.Q']

    `title` and `why` are what a reader sees of it. Raises HandcalcError for a name that is not one word.
    """
    name = read_name(name, required=True) or ""
    if "." in name:
        raise HandcalcError(
            f"A block's name is one word such as 'head_1', without a dot, not {short(name)}; "
            "a block inside another has a `with` of its own."
        )
    about = read_text(title, "The title of a block"), read_text(why, "The reason of a block")
    return open_block(Block(name, _current.get(), *(text or "" for text in about)))


def number_block(name: str, title: str = "", why: str = "") -> open_block[Block]:
    """A block that is a new one each time, and gets a number where several are side by side."""
    return open_block(Block(name, _current.get(), title, why, is_numbered=True))


def place_name(name: str, around: Block) -> tuple[str, Block]:
    """A name inside a block as a path, and the block that it belongs to: `a.b` is in a block of its own."""
    if "." in name:
        *path, name = name.split(".")
        for part in path:
            around = Block(part, around)
    return around.prefix + name, around


def path_here(name: str) -> str:
    """The full path of a name in the block that is open now."""
    around = _current.get()
    return f"{around.prefix}{name}" if around else name


def title_from_path(path: str) -> str:
    """The title of a block that was given none: `Head 1` for head_1."""
    return path.rpartition(".")[2].replace("_", " ").strip().capitalize() or path


def number_title(path: str, title: str) -> str:
    """The title of one of several: layer_2 is `Encoder layer 2`, and head_1 needs no further number."""
    number = path.rpartition("_")[2]
    return f"{title} {number}" if number.isdigit() and number not in RUN_OF_DIGITS.findall(title) else title


def _restored(name: str, parent: Block | None, title: str, why: str, is_numbered: bool) -> Block:
    return Block(name, parent, title, why, is_numbered=is_numbered)
