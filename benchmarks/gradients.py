"""Slopes: how long the way back takes beside the record forwards, and beside PyTorch's own; how it grows.

One thread, float64. A record is built from its givens on, and its slopes from the record; PyTorch runs a
layer of its own forwards, and forwards and backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np
import sheets
from report import Report, Row, Target
from timing import interleaved, medians, ratio, slope

import handcalc as hc

ROUNDS = 9
TOKENS, WIDTH, HIDDEN, HEADS = 64, 384, 1536, 12  # of a layer of MiniLM
LAYERS = (1, 2, 3, 4, 6, 8, 12)
MOST_SMALL, MOST_LARGE, MOST_EXPONENT = 6, 4, 1.1
Task = Callable[[], object]


def run() -> Report:
    """Models of growing size, and a stack of layers."""
    rows = [_timed(name, *tasks) for name, tasks in _models().items()]
    stacked = _stacked()
    rows += [{"what": f"{layers} encoder layers"} | times for layers, times in stacked.items()]
    exponent = slope([(layers, float(times["slopes ms"])) for layers, times in stacked.items()])
    most = (MOST_SMALL, MOST_SMALL, MOST_SMALL, MOST_LARGE)
    targets = [
        Target(f"{row['what']}: slopes / record", float(row["slopes / record"]), limit)
        for row, limit in zip(rows, most, strict=False)
    ]
    targets.append(Target("layers: exponent of slopes", exponent, MOST_EXPONENT))
    return Report(f"The way back, processor time (medians of {ROUNDS})", rows, targets)


def _timed(name: str, build: Callable[[], hc.Calculation], pytorch: Callable[[bool], Task] | None) -> Row:
    calculation = build()
    tasks: dict[str, Task] = {
        "record": partial(_recorded, build),
        "slopes": partial(_way_back, calculation),
    }
    if pytorch:
        tasks |= {"PyTorch forward": pytorch(False), "PyTorch both ways": pytorch(True)}
    samples = interleaved(tasks, rounds=ROUNDS, clock=process_time)
    row: Row = {"what": name} | {f"{task} ms": 1000 * time for task, time in medians(samples).items()}
    row["slopes / record"] = ratio(samples["slopes"], samples["record"])
    if pytorch:
        ours = [there + back for there, back in zip(samples["record"], samples["slopes"], strict=True)]
        row["both ways / PyTorch"] = ratio(ours, samples["PyTorch both ways"])
    return row


def _models() -> dict[str, tuple[Callable[[], hc.Calculation], Callable[[bool], Task] | None]]:
    small = partial(_with_loss, sheets.layers)
    return {
        "worked example": (hc.examples.backwards, None),
        "encoder and decoder": (small, None),
        "trained GPT that sorts": (_sorting, None),
        f"layer of {TOKENS} tokens by {WIDTH}": (_layer(), _in_pytorch()),
    }


def _with_loss(build: Callable[[], hc.Calculation]) -> hc.Calculation:
    calculation = build()
    target = np.ones(calculation.result.shape)
    return calculation.with_more(
        [hc.half_squared_distance(calculation.result, target)], title=calculation.title
    )


def _sorting() -> hc.Calculation:
    model = hc.examples.sorting_gpt("AACBAB")
    said = hc.softmax(model["logits"]).named("P")
    return model.with_more([hc.cross_entropy(said, [0] * said.shape[1])], title=model.title)


def _layer() -> Callable[[], hc.Calculation]:
    draw, part = sheets.drawer(), WIDTH // HEADS
    X, W_O = draw(WIDTH, TOKENS), draw(WIDTH, WIDTH)
    heads = [(draw(part, WIDTH), draw(part, WIDTH), draw(part, WIDTH)) for _ in range(HEADS)]
    norm = (np.ones((WIDTH, 1)), np.zeros((WIDTH, 1)))
    ff = (draw(HIDDEN, WIDTH), np.zeros((HIDDEN, 1)), draw(WIDTH, HIDDEN), np.zeros((WIDTH, 1)))
    return partial(_with_loss, partial(hc.encoder_layer, X, heads, W_O, norm, ff, norm))


def _in_pytorch() -> Callable[[bool], Task] | None:
    """PyTorch's own layer of the same size; None where PyTorch is not installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, HIDDEN, dropout=0.0, dtype=torch.float64)
    X = torch.ones(TOKENS, 1, WIDTH, dtype=torch.float64, requires_grad=True)

    def task(is_both: bool) -> object:
        loss = ((layer(X) - 1) ** 2).sum() / 2
        return loss.backward() if is_both else loss

    return lambda is_both: partial(task, is_both)


def _stacked() -> dict[int, Row]:
    """Milliseconds of the record and of its slopes, for a stack of so many layers."""
    builds = {layers: partial(_with_loss, partial(sheets.stack, layers, 6, 4)) for layers in LAYERS}
    tasks: dict[str, Task] = {}
    for layers, build in builds.items():
        tasks[f"record {layers}"] = partial(_recorded, build)
        tasks[f"slopes {layers}"] = partial(_way_back, build())
    typical = medians(interleaved(tasks, rounds=ROUNDS, clock=process_time))
    return {
        layers: {f"{what} ms": 1000 * typical[f"{what} {layers}"] for what in ("record", "slopes")}
        for layers in LAYERS
    }


def _recorded(build: Callable[[], hc.Calculation]) -> object:
    return build().record


def _way_back(calculation: hc.Calculation) -> object:
    return hc.gradients(calculation).record
