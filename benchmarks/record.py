"""The nine steps with their full record, against the same nine lines in bare numpy."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
from report import Report, Row, Target
from timing import interleaved, medians, ratio

import handcalc as hc
from handcalc.notation.numbers import Values

TOKENS = (4, 16, 64, 256, 1024)
WIDTH = 64  # d_model = d_k = d_v
MOST_RATIOS = {"worked example": 10, "n = 1024": 1.1}


def run() -> Report:
    """Time the worked example, then wider ones of more and more tokens."""
    worked = [m.values.copy() for m in hc.examples.self_attention().givens.values()]
    rows = [_measured("worked example", worked, rounds=400)]
    rows += [_measured(f"d = {WIDTH}", _drawn(n), rounds=_rounds(n)) for n in TOKENS]
    ratios = (float(rows[k]["record / numpy"]) for k in (0, -1))
    targets = [
        Target(f"{name}, record / numpy", found, most)
        for (name, most), found in zip(MOST_RATIOS.items(), ratios, strict=True)
    ]
    return Report("Record: self-attention, nine steps, against bare numpy (medians)", rows, targets)


def bare_numpy(X: Values, W_Q: Values, W_K: Values, W_V: Values) -> tuple[Values, ...]:
    """The nine lines: Q K V S S_scaled E E_sum A Z."""
    Q = W_Q @ X
    K = W_K @ X
    V = W_V @ X
    S = K.T @ Q
    S_scaled = S / np.sqrt(len(K))
    E = np.exp(S_scaled)
    E_sum = E.sum(axis=0, keepdims=True)
    A = E / E_sum
    Z = V @ A
    return Q, K, V, S, S_scaled, E, E_sum, A, Z


def _measured(sizes: str, givens: list[Values], rounds: int) -> Row:
    calculation = hc.self_attention(*givens)
    np.testing.assert_allclose(calculation["Z"].values, bare_numpy(*givens)[-1], rtol=1e-12)
    variants: dict[str, Callable[[], object]] = {
        "numpy": lambda: bare_numpy(*givens),
        "record": lambda: hc.self_attention(*givens).record,
        "with_givens": lambda: calculation.with_givens(X=givens[0]),
    }
    samples = interleaved(variants, rounds=rounds, clock=process_time)
    typical = medians(samples)
    row: Row = {"sizes": sizes, "n": givens[0].shape[1]}
    row |= {f"{name} µs": seconds * 1e6 for name, seconds in typical.items()}
    row |= {f"best {name} µs": min(samples[name]) * 1e6 for name in ("numpy", "record")}
    return row | {
        f"{name} / numpy": ratio(samples[name], samples["numpy"]) for name in ("record", "with_givens")
    }


def _drawn(n: int) -> list[Values]:
    """Numbers of about 1, so that every step has numbers of about 1 too."""
    generator = np.random.default_rng(n)
    weights = [generator.standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH) for _ in range(3)]
    return [generator.standard_normal((WIDTH, n)), *weights]


def _rounds(n: int) -> int:
    return 400 if n <= 64 else 150 if n <= 256 else 100
