"""Sentences with names, cells, numbers and formulas in them: plain as text, typeset as HTML.

    said("{} was not divided by {}.", S, root)

is text, and everything that takes text takes it. Its parts are kept, so that `.html` typesets just
that, and no regular expression has to find it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple, Protocol

from handcalc.foundation import errors
from handcalc.notation import numbers
from handcalc.notation.expression import Expression
from handcalc.notation.markup import ENTITIES, Prose, Text


class HasHtml(Protocol):
    """Something with a text and an HTML form, such as an explanation or another sentence."""

    @property
    def html(self) -> str: ...


class Named(Protocol):
    """A matrix, which a sentence calls by its name or by the formula it stands for."""

    @property
    def display_name(self) -> str: ...

    def symbol(self) -> Expression: ...


class Number(NamedTuple):
    """A number as it is written; a true minus sign only appears in its HTML."""

    text: str

    @property
    def html(self) -> str:
        return numbers.typeset_number(self.text)

    def __str__(self) -> str:
        return self.text


class Called(NamedTuple):
    """A step by its name, W_Q."""

    name: str

    @property
    def html(self) -> str:
        return html_of(self)

    def __str__(self) -> str:
        return self.name


class Typeset(NamedTuple):
    """A part of a sentence that is typeset already."""

    text: str
    html: str

    def __str__(self) -> str:
        return self.text


Thing = str | int | Called | HasHtml | Named | Expression


class Sentence(str):
    """Text that keeps the parts it is made of."""

    parts: tuple[Thing, ...]

    def __new__(cls, *parts: Thing) -> Sentence:
        new = super().__new__(cls, "".join([part if type(part) is str else text_of(part) for part in parts]))
        new.parts = parts
        return new

    @property
    def html(self) -> str:
        """The same as HTML of text, <sub> and <sup> alone."""
        return html_of(self)

    def _repr_html_(self) -> str:
        return f"<p>{self.html}</p>"


def said(template: str, *things: Thing) -> Sentence:
    """A sentence from a template, with a thing for each {}."""
    texts = template.split("{}")
    return Sentence(texts[0], *chain.from_iterable(zip(things, texts[1:], strict=True)))


def join_sentences(sign: str, sentences: Iterable[Thing]) -> Sentence:
    """Sentences with a sign between them."""
    parts = [part for sentence in sentences for part in (sign, sentence)]
    return Sentence(*parts[1:])


def list_things(things: Iterable[Thing]) -> Sentence:
    """Things in a sentence, `X, W_Q and W_K`; of very many the first ones.

    Where one has a comma itself: `layer 1, head 1; Z`.
    """
    things = list(things)
    words = errors.fit_names(things)
    parts = [thing if word == str(thing) else word for word, thing in zip(words, things, strict=False)]
    if parts[1:] and any(", " in text for part in parts for text in (str(part), html_of(part))):
        return join_sentences("; ", parts)
    ends = [join_sentences(", ", parts[:-1]), *parts[-1:]] if parts[1:] else parts
    return join_sentences(" and ", ends)


def html_of(thing: Any, home: str | None = None) -> str:
    """A sentence, a part of one or plain text as HTML, names seen from the block `home`."""
    if isinstance(thing, Sentence):
        return "".join([html_of(part, home) for part in thing.parts])
    if isinstance(thing, Called):
        return Prose(home=home).name(thing.name)
    if hasattr(thing, "written"):
        return str(thing.written(Prose, home=home))
    if hasattr(thing, "html"):
        return str(thing.html)
    if isinstance(thing, str | int):
        return str(thing).translate(ENTITIES)
    return _expression(thing).write(Prose(symbolic=True, home=home))


def text_of(thing: Any) -> str:
    """A part of a sentence as text."""
    if isinstance(thing, Expression):
        return thing.write(Text(symbolic=True))
    return str(getattr(thing, "display_name", thing))


def _expression(thing: Any) -> Expression:
    return thing if isinstance(thing, Expression) else thing.symbol()
