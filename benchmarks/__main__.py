"""Run all benchmarks, or those that are named: `python benchmarks record slider`."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two wait for each other while another program runs

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import class_load
import moves
import opening
import record
import slider
from report import Report

BENCHMARKS: dict[str, Callable[[], Report]] = {
    "record": record.run,
    "slider": slider.run,
    "moves": moves.run,
    "opening": opening.run,
    "class_load": class_load.run,
}
LONG = {"class_load"}  # five minutes: only when it is named
RESULTS = Path(__file__).with_name("results.json")


def main() -> None:
    """Run, print a table as soon as it is there, and write results.json."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of {', '.join(BENCHMARKS)}")
    names = parser.parse_args().names
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    for name in names or [name for name in BENCHMARKS if name not in LONG]:
        report = BENCHMARKS[name]()
        print(report, end="\n\n", flush=True)
        write(name, report.as_json())


def write(name: str, findings: dict[str, Any]) -> None:
    """Put one benchmark's findings into results.json; the others' stay as they are."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    every = kept | {name: findings}
    ordered = {key: every[key] for key in BENCHMARKS if key in every}
    RESULTS.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
