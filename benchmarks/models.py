"""MiniLM as a record against PyTorch's own layers with the same weights: time, and memory of a process.

One thread each. A record is in float64 and keeps every number; PyTorch's forward pass those of the layers.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path
from report import Report, Row, Target
from timing import interleaved, medians, ratio

import handcalc as hc
from handcalc.models.minilm import model

TEXT = "The animal didn't cross the street because it was too tired."
TEXTS = {16: TEXT, 58: " ".join([TEXT] * 4), 254: " ".join([TEXT] * 18)}
DTYPES = ("float64", "float32")
ROUNDS = 15
MOST_RATIO = 3
STATUS = Path("/proc/self/status")
TITLE = f"MiniLM: its record against PyTorch's forward pass, one thread (medians of {ROUNDS})"
Run = Callable[[str], object]


def run() -> Report:
    """Read sentences of three lengths, then one in a process of its own each, for its memory."""
    try:
        variants = {"record": partial(_record), **{f"PyTorch {dtype}": _pytorch(dtype) for dtype in DTYPES}}
    except (ImportError, hc.HandcalcError) as why:
        return Report(TITLE, skipped=str(why))
    rows = [_timed(variants, text) for text in TEXTS.values()]
    if STATUS.exists():
        rows.append(_memory(list(variants)))
    name = "record / PyTorch float64"
    targets = [Target(f"{rows[0]['tokens']} tokens: {name}", float(rows[0][name]), MOST_RATIO)]
    return Report(TITLE, rows, targets)


def _timed(variants: dict[str, Run], text: str) -> Row:
    tasks = {name: partial(task, text) for name, task in variants.items()}
    samples = interleaved(tasks, rounds=ROUNDS, clock=process_time)
    row: Row = {"what": "processor time, ms", "tokens": len(model().tokens(text).numbers)}
    row |= {name: 1000 * seconds for name, seconds in medians(samples).items()}
    others = [name for name in variants if name != "record"]
    return row | {f"record / {name}": ratio(samples["record"], samples[name]) for name in others}


def _record(text: str) -> object:
    return model().calculation(text).record


def _pytorch(dtype: str) -> Run:
    """The forward pass, from the text to the sentence's point; weights are put in once."""
    import models_from_torch
    import torch
    from safetensors.numpy import load_file

    torch.set_num_threads(1)
    tensors = load_file(model().path)
    forward: Callable[[Any], Any] = models_from_torch.bert(torch, tensors, 12, dtype)
    return lambda text: models_from_torch.sentence(torch, forward(list(model().tokens(text).numbers))[-1])


# memory ---------------------------------------------------------------------------------------


def _memory(names: list[str]) -> Row:
    """What reading the weights and one sentence adds to a process that has imported what it needs."""
    row: Row = {"what": "memory, MB", "tokens": 16}
    for name in names:
        command = [sys.executable, str(Path(__file__)), name]
        row[name] = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    others = [name for name in names if name != "record"]
    return row | {f"record / {name}": float(row["record"]) / float(row[name]) for name in others}


def _added(name: str) -> float:
    """Megabytes at the highest, beyond what the imports took."""
    import models_from_torch  # noqa: F401
    import safetensors.numpy  # noqa: F401
    import tokenizers  # noqa: F401

    if name != "record":
        import torch  # noqa: F401
    before = _peak()
    task = _record if name == "record" else _pytorch(name.split()[1])
    task(TEXT)
    return _peak() - before


def _peak() -> float:
    (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1000  # kB; what getrusage tells begins with the process before this one


if __name__ == "__main__":
    print(_added(sys.argv[1]))
