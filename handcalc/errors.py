"""One plain sentence for whoever handed something in, instead of a traceback."""


class HandcalcError(ValueError):
    """What went wrong, in one sentence: the thing, both shapes or values, and what to do.

    Notebooks show the sentence alone; programs catch it as a `ValueError`.
    """

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in place of a traceback."""
        return [str(self)]


class UnknownNameError(HandcalcError, KeyError):
    """A name that is not there; the message lists the names that are."""

    __str__ = HandcalcError.__str__


def listed(names: object) -> str:
    """Join names for a sentence: `X, W_Q and W_K`."""
    words = [str(name) for name in names]  # type: ignore[attr-defined]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def size(shape: tuple[int, ...]) -> str:
    """A shape as a sentence writes it: `(3, 6)`."""
    return f"({', '.join(str(n) for n in shape)})"


def short(thing: object) -> str:
    """What was handed in, as Python writes it, cut where it is long."""
    text = repr(thing)
    return text if len(text) <= 40 else text[:39] + "…"
