"""Masks: which keys a query may look at. An array (n_keys, n_queries) has True where it may, False where not.

That is the convention of PyTorch's `scaled_dot_product_attention`; in a boolean mask of its
`nn.MultiheadAttention` True hides. Whatever is hidden gets −∞ for a score, so that its share is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, kind, shape_text, short
from handcalc.notation.validation import check_count_made, read_count, read_list
from handcalc.record.matrix import Matrix

CAUSAL_MASK, PADDING_MASK = "causal", "padding"
PAD_TOKEN = "[PAD]"  # the label of a token that only fills up a short sentence
LATER_KEYS, FAR_KEYS = "later", "far"
Allowed = np.ndarray[Any, np.dtype[np.bool_]]


def causal_mask(n: int) -> Allowed:
    """No token may look at a later one.  n -> (n, n), True where key i ≤ query j

    >>> hc.causal_mask(3)
    array([[ True,  True,  True],
           [False,  True,  True],
           [False, False,  True]])
    """
    count = _read_size(n, "n")
    check_count_made(count * count, f"n is {count}")
    return np.triu(np.ones((count, count), dtype=bool))


def sliding_window(n: int, width: int) -> Allowed:
    """Each token may look at itself and the width − 1 tokens before it.  n -> (n, n)

    >>> hc.sliding_window(3, 2)
    array([[ True,  True, False],
           [False,  True,  True],
           [False, False,  True]])

    True where j − width < i ≤ j, for key i and query j (Beltagy et al. 2020, arXiv:2004.05150, causal). With
    a width of 1 each token sees only itself. Raises HandcalcError for a size below 1.
    """
    allowed = causal_mask(n)
    return allowed & ~np.triu(allowed, _read_size(width, "The width of the window"))


def padding_mask(
    tokens: Matrix | Sequence[str], queries: int | None = None, *, pad: str = PAD_TOKEN
) -> Allowed:
    """No token may look at one that is padding.  n words -> (n, queries), True where key i is a real word

    >>> hc.padding_mask(["we", "saw", "[PAD]"], queries=2)
    array([[ True,  True],
           [ True,  True],
           [False, False]])

    `tokens` is a list of words, or a matrix that has them as column labels; `queries` is the number of
    queries (n). Raises HandcalcError if no token or every token is labelled as padding.
    """
    words = (
        tokens.columns if isinstance(tokens, Matrix) else read_list(tokens, "tokens takes a list of words.")
    )
    name = f"of {tokens.display_name} " if isinstance(tokens, Matrix) else ""
    return _without_padding(words or (), queries, pad, name)


def _without_padding(words: Sequence[Any], queries: int | None, pad: str, name: str = "") -> Allowed:
    real = np.array([word != pad for word in words], dtype=bool)
    if real.all():
        raise HandcalcError(
            f'No token {name}is labelled "{pad}", so there is no padding to hide; '
            f'label it, as in columns=["we", "{pad}"].'
        )
    if not real.any():
        raise HandcalcError(f'Every token {name}is labelled "{pad}": there is nothing left to look at.')
    count = len(real) if queries is None else _read_size(queries, "queries")
    check_count_made(len(real) * count, f"There are {len(real)} keys and {count} queries")
    return np.repeat(real[:, None], count, axis=1)


def _read_size(number: Any, name: str) -> int:
    found = read_count(number, name)
    if found < 1:
        raise HandcalcError(f"{name} is {short(number)}; it must be at least 1.")
    return found


def read_mask(mask: Any, scores: Matrix) -> Allowed:
    """Read a mask of these scores: "causal", "padding", an array, or a list of them that must all allow it.

    The padding is what the scores' rows, the keys, are labelled as. Raises HandcalcError for anything else,
    and for a query that may look at nothing.
    """
    several = mask if _is_several(mask) else [mask]
    allowed = np.ones(scores.shape, dtype=bool)
    for one in several:
        allowed = allowed & _read_one(one, scores)
    blind = np.flatnonzero(~allowed.any(axis=0))
    if blind.size:
        raise HandcalcError(
            f"The mask lets query {blind[0] + 1} look at no key at all; its column needs at least one True."
        )
    return allowed


def _is_several(mask: Any) -> bool:
    return isinstance(mask, list | tuple) and any(isinstance(one, str) for one in mask)


def _read_one(mask: Any, scores: Matrix) -> Allowed:
    keys, queries = scores.shape
    if not isinstance(mask, str):
        return _mask_array(mask, scores.shape)
    if mask == PADDING_MASK:
        return _without_padding(scores.rows or (), queries, PAD_TOKEN)
    if mask != CAUSAL_MASK:
        raise HandcalcError(
            f'mask is {short(mask)}; it must be "causal", "padding", or an array of True and False.'
        )
    if keys != queries:
        raise HandcalcError(f"A causal mask needs as many keys as queries, not {keys} and {queries}.")
    return causal_mask(keys)


def _mask_array(mask: Any, shape: tuple[int, int]) -> Allowed:
    try:
        allowed = np.asarray(mask)
    except ValueError:
        raise HandcalcError("The mask is ragged; all its rows must have the same length.") from None
    except Exception:  # noqa: BLE001 - a foreign class may raise anything
        raise HandcalcError(f"The mask is {kind(mask)} that cannot be read as an array.") from None
    if allowed.shape != shape:
        raise HandcalcError(
            f"The mask is {shape_text(allowed.shape)}, but there are {shape[0]} keys and {shape[1]} queries: "
            f"it must be {shape_text(shape)}."
        )
    if allowed.dtype.kind not in "biuf" or not np.isin(allowed, (0, 1)).all():
        raise HandcalcError("The mask may hold only True (may look) and False (may not).")
    return allowed.astype(bool)


def hidden_by_kind(allowed: Allowed) -> dict[str, Allowed]:
    """The hidden places of a mask by kind: "padding" (keys that no query sees), "later" and "far" keys.

    It is read off the mask, however it was made; nothing for one that is none of these.
    """
    padding: Allowed = ~np.any(allowed, axis=1, keepdims=True) & np.ones(allowed.shape, dtype=bool)
    back = np.arange(allowed.shape[1]) - np.arange(allowed.shape[0])[:, None]  # from a query to a key
    later: Allowed = back < 0
    far: Allowed = back > int(back[allowed].max())
    of_one_sequence = (
        [{PADDING_MASK: padding, LATER_KEYS: later, FAR_KEYS: far}] if len(set(allowed.shape)) == 1 else []
    )
    for parts in ({PADDING_MASK: padding}, *of_one_sequence):
        if np.array_equal(~allowed, np.logical_or.reduce([*parts.values()])):
            return {name: where for name, where in parts.items() if where.any()}
    return {}


def words_for(allowed: Allowed) -> str:
    """The key in `STEP_TEXTS` for a step with this mask: "later", "far_and_padding"; else S_masked."""
    kinds = hidden_by_kind(allowed)
    found = (
        [FAR_KEYS if FAR_KEYS in kinds else LATER_KEYS] if LATER_KEYS in kinds or FAR_KEYS in kinds else []
    )
    return "_and_".join([*found, *[PADDING_MASK] * (PADDING_MASK in kinds)]) or "S_masked"


def titled(name: str, mask: Any) -> str:
    """The title of a calculation with a mask given by word: `Causal self-attention, padding hidden`."""
    several = [mask] if isinstance(mask, str) else mask if _is_several(mask) else []
    words = [one for one in several if isinstance(one, str)]
    before = "causal " if CAUSAL_MASK in words else ""
    return f"{before}{name}".capitalize() + (", padding hidden" if PADDING_MASK in words else "")
