"""`import handcalc` against `import numpy`, each in fresh interpreters, in turn."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

from report import Report, Row, Target
from timing import ratio

MODULES = {  # what is measured -> what stands behind `import`
    "numpy": "numpy",
    "handcalc": "handcalc",
    "handcalc and its first sheet": "handcalc; handcalc.examples.self_attention()",
}
ROUNDS = 40
MOST_RATIO = 1.1
CODE = """\
from time import perf_counter, thread_time
start, start_cpu = perf_counter(), thread_time()
import {}
print(perf_counter() - start, thread_time() - start_cpu)"""
Times = tuple[float, float, float]  # seconds: the statement, its own processor time, the whole process


def run() -> Report:
    """Import both in turn, after once that leaves compiled files behind."""
    samples: dict[str, list[Times]] = {what: [] for what in MODULES}
    for number in range(ROUNDS + 1):
        for what in MODULES if number % 2 else reversed(MODULES):
            samples[what].append(_imported(MODULES[what]))
    times = {
        what: [list(column) for column in zip(*found[1:], strict=True)] for what, found in samples.items()
    }
    rows = [_row(what, [median(seconds) * 1000 for seconds in columns]) for what, columns in times.items()]
    ratios = {
        what: [ratio(above, below) for above, below in zip(columns, times["numpy"], strict=True)]
        for what, columns in times.items()
        if what != "numpy"
    }
    rows += [_row(f"{what} / numpy", found) for what, found in ratios.items()]
    targets = [Target("import handcalc / import numpy", ratios["handcalc"][0], MOST_RATIO)]
    return Report("Import: fresh interpreters, in turn (medians)", rows, targets)


def _row(what: str, numbers: list[float]) -> Row:
    heads = ("statement ms", "its processor ms", "process ms")
    return {"import": what} | dict(zip(heads, numbers, strict=True))


def _imported(module: str) -> Times:
    """Import once in an interpreter that heeds no PYTHON variables."""
    command = [sys.executable, "-I", "-c", CODE.format(module)]
    start = perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    whole = perf_counter() - start
    statement, processor = map(float, done.stdout.split())
    return statement, processor, whole
