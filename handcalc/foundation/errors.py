"""Errors: one plain sentence about bad input, instead of a traceback."""

from itertools import accumulate
from reprlib import Repr


class HandcalcError(ValueError):
    """What went wrong, in one sentence: the thing, both shapes or values, and what to do.

    >>> X, W_Q = hc.Matrix([[1, 2], [3, 4]], "X"), hc.Matrix([[1, 2, 3]], "W_Q")
    >>> try:
    ...     W_Q @ X
    ... except hc.HandcalcError as error:
    ...     print(error)
    W_Q is (1, 3): 3 columns, but X is (2, 2): 2 rows; for the product W_Q X they must be equal.

    Notebooks show the sentence alone; programs catch it as a `ValueError`.
    """

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython prints in place of a traceback."""
        return [str(self)]


class FrozenError(HandcalcError, AttributeError):
    """Somebody tried to change what cannot be changed."""

    __str__ = HandcalcError.__str__


class UnknownNameError(HandcalcError, KeyError):
    """A name that is not there; the message lists the names that are."""

    __str__ = HandcalcError.__str__


LONGEST_LIST = 120  # characters in one sentence


def listed(names: object, longest: int = LONGEST_LIST, between: str = "") -> str:
    """Join names for a sentence, `X, W_Q and W_K`; of very many the first ones.

    Semicolons separate names that contain a comma.
    """
    words = fit_names(names, longest)
    if not between and any(", " in word for word in words):
        return "; ".join(words)
    return " and ".join(filter(None, [(between or ", ").join(words[:-1]), *words[-1:]]))


def fit_names(names: object, longest: int = LONGEST_LIST) -> list[str]:
    """Names as words of one sentence; of very many the first ones, and how many more there are."""
    words = [cut(str(name)) for name in names]  # type: ignore[attr-defined]
    if len(", ".join(words)) > longest:
        fit = sum(end <= longest for end in accumulate(len(word) + 2 for word in words))
        words[fit:] = [f"{len(words) - fit} more"]
    return words


def many(count: int, what: str) -> str:
    """A count with its noun: `1 student`, `1,200 students`."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as a sentence writes it: `(3, 6)`."""
    return f"({', '.join(str(n) for n in shape)})"


def cut(text: str, longest: int = 40) -> str:
    """A text as it is, or its beginning and "…"."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def short(thing: object) -> str:
    """The repr of an argument, cut to one short line; or the kind of thing it is, where that says more."""
    try:
        text = _BRIEFLY.repr(thing)
    except Exception:  # noqa: BLE001 - a repr may raise anything, and there must still be a sentence
        return kind(thing)
    return cut(text) if text.isprintable() and not text.startswith("<") else kind(thing)


def kind(thing: object) -> str:
    """The type of an argument, in words: `a list`, `an int`."""
    name = cut(type(thing).__name__)
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


class _Briefly(Repr):
    """A repr that stops after a sentence's length, even in a list of a million numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 60
        self.maxlong = 20
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 10

    def repr_str(self, x: str, level: int) -> str:
        return repr(x[: self.maxstring])

    def repr_instance(self, x: object, level: int) -> str:
        return repr(x)  # not reprlib's own: it writes an address where a repr raises


_BRIEFLY = _Briefly()
