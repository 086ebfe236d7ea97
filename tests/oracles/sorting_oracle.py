"""Oracle of lesson 15's trained GPT: plain numpy, many texts at once; of handcalc only its file."""

import itertools
from functools import cache
from pathlib import Path

import numpy as np

import handcalc

FILE = Path(handcalc.__file__).parent / "course" / "sorting" / "sorting_gpt.npz"
LETTERS, LAYERS, HEADS, D_K = "ABC", 3, 3, 16
ALL = ["".join(letters) for letters in itertools.product(LETTERS, repeat=6)]


@cache
def tensors():
    with np.load(FILE) as found:
        return {name.removeprefix("transformer."): found[name] for name in found.files}


def normed(X, name):
    t = tensors()
    centred = X - X.mean(-1, keepdims=True)
    return (
        centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * t[f"{name}.weight"]
        + t[f"{name}.bias"]
    )


def linear(X, name):
    return X @ tensors()[f"{name}.weight"].T + tensors()[f"{name}.bias"]


def attention(X, name, off):
    """`off` are the heads, from 1, whose findings are 0."""
    Q, K, V = np.split(linear(X, f"{name}.c_attn"), 3, -1)
    n, found = X.shape[1], []
    for h in range(HEADS):
        q, k, v = (M[..., h * D_K : (h + 1) * D_K] for M in (Q, K, V))
        S = np.where(np.tril(np.ones((n, n), bool)), q @ k.swapaxes(1, 2) / D_K**0.5, -np.inf)
        E = np.exp(S - S.max(-1, keepdims=True))
        found.append(E / E.sum(-1, keepdims=True) @ v * (h + 1 not in off))
    return linear(np.concatenate(found, -1), f"{name}.c_proj")


def logits(texts, off=(), dtype=np.float64):
    """(texts, letters of each, 3); `off` are (layer, head), from 1."""
    tokens = np.array([[LETTERS.index(letter) for letter in text] for text in texts])
    X = tensors()["wte.weight"].astype(dtype)[tokens] + tensors()["wpe.weight"][: tokens.shape[1]]
    for count in range(LAYERS):
        heads = [head for layer, head in off if layer == count + 1]
        X = X + attention(normed(X, f"h.{count}.ln_1"), f"h.{count}.attn", heads)
        H = linear(normed(X, f"h.{count}.ln_2"), f"h.{count}.mlp.c_fc")
        active = H / 2 * (1 + np.tanh((2 / np.pi) ** 0.5 * (H + 0.044715 * H * H * H)))
        X = X + linear(active, f"h.{count}.mlp.c_proj")
    return normed(X, "ln_f") @ tensors()["lm_head.weight"].T


def count_sorted(off=()):
    """How many of all 729 texts come out sorted."""
    return int(is_sorted(tuple(off)).sum())


@cache
def is_sorted(off=()):
    """Which of all 729 texts come out sorted: the next letter is right after every right beginning."""
    rights = ["".join(sorted(text)) for text in ALL]
    said = logits([text + right[:5] for text, right in zip(ALL, rights, strict=True)], off, np.float32)
    wanted = np.array([[LETTERS.index(letter) for letter in right] for right in rights])
    return (said[:, 5:].argmax(-1) == wanted).all(-1)
