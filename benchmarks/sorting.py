"""The trained GPT that sorts six letters: its record and its page, against PyTorch's forward pass.

The record has 143 named steps in float64, and every one of their 21,090 numbers can say its arithmetic.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path
from report import Report, Row, Target
from timing import interleaved, medians, ratio

import handcalc as hc
from handcalc.views.variants import variants

TEXT, ROUNDS = "CABAAB", 15
MOST_BYTES = 2_000_000
TITLE = f"The trained GPT: its record and page against PyTorch's forward pass (medians of {ROUNDS})"


def run() -> Report:
    """Read six letters: as a record, as what a page holds, and by PyTorch; then save the pages."""
    try:
        forward = _pytorch()
    except ImportError as why:
        return Report(TITLE, skipped=str(why))
    tasks = {
        "record": partial(hc.examples.sorting_gpt, TEXT),
        "record and page": lambda: variants(hc.examples.sorting_gpt(TEXT)),
        "PyTorch": forward,
    }
    samples = interleaved(tasks, rounds=ROUNDS, clock=process_time)
    row: Row = {"what": "processor time, ms"}
    row |= {name: 1000 * seconds for name, seconds in medians(samples).items()}
    for name in ("record", "record and page"):
        row[f"{name} / PyTorch"] = ratio(samples[name], samples["PyTorch"])
    pages: Row = {"what": "saved page, bytes", "record": _saved(hc.examples.sorting_gpt(TEXT))}
    pages["record and page"] = _saved(hc.examples.sorting_gpt_writing(TEXT))
    rows = [row, pages | {"what": "saved page, bytes: one letter, all six"}]
    return Report(
        TITLE, rows, [Target("saved page of all six letters", float(pages["record and page"]), MOST_BYTES)]
    )


def _saved(calculation: hc.Calculation) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        calculation.save_html(path)
        return path.stat().st_size


def _pytorch() -> Any:
    """Three encoder layers with the same weights, as the tests have them, put in once."""
    import sorting_oracle
    import torch

    torch.set_num_threads(1)
    tensors = {name: torch.tensor(v, dtype=torch.float64) for name, v in sorting_oracle.tensors().items()}
    layers = [sorting_oracle.encoder_layer(torch, tensors, count) for count in range(3)]
    hidden = torch.triu(torch.ones(len(TEXT), len(TEXT), dtype=torch.bool), 1)
    tokens = [sorting_oracle.LETTERS.index(letter) for letter in TEXT]

    def forward() -> Any:
        with torch.no_grad():
            X = (tensors["wte.weight"][tokens] + tensors["wpe.weight"][: len(TEXT)])[None]
            for layer in layers:
                X = layer(X, src_mask=hidden)
            N = torch.nn.functional.layer_norm(X, (48,), tensors["ln_f.weight"], tensors["ln_f.bias"])
            return (N @ tensors["lm_head.weight"].T).softmax(-1)

    return forward
