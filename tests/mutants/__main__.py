"""Do the tests notice when the code goes wrong? `python tests/mutants` makes small mistakes and counts.

Each mutant is one change in a copy of the code, run against the tests of its room; the first failure kills
it. An older checkout can be measured against the same list: `python tests/mutants --tree ../old`.
"""

import argparse
import os
import queue
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import evaluator
import marking
import operations
import page
import slopes

ROOMS = {"operations": operations, "slopes": slopes, "marking": marking, "evaluator": evaluator, "page": page}
HERE = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "paper")
MOST_SECONDS = 300  # a mutant that never ends is seen, too


@dataclass(frozen=True)
class Mutant:
    """A mistake to be made: in the one file of the room that has the text, once."""

    room: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.room}: {self.old.strip()!r} as {self.new.strip()!r}"

    def file(self, tree: Path) -> Path | None:
        """Where it is made; None in a tree that does not have its text exactly once."""
        files = [path for pattern in ROOMS[self.room].ROOM.split() for path in tree.glob(pattern)]
        found = [path for path in files for _ in range(path.read_text("utf-8").count(self.old))]
        return found[0] if len(found) == 1 else None

    def fate(self, tree: Path) -> str:
        """Killed, survived, or absent."""
        path = self.file(tree)
        if path is None:
            return "absent"
        right = path.read_text("utf-8")
        try:
            path.write_text(right.replace(self.old, self.new), "utf-8")
            return "survived" if is_green(tree, self.room) else "killed"
        finally:
            path.write_text(right, "utf-8")


def is_green(tree: Path, room: str) -> bool:
    """Whether the tests of a room pass in a tree."""
    tests = [path for name in ROOMS[room].TESTS for path in tree.glob(f"tests/**/test_{name}.py")]
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *map(str, tests)]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def measure(source: Path, rooms: list[str], workers: int) -> Counter[tuple[str, str]]:
    """How many mutants of each room met which fate; survivors are printed as they are found."""
    fates: Counter[tuple[str, str]] = Counter()
    trees: queue.SimpleQueue[Path] = queue.SimpleQueue()

    def fate(mutant: Mutant) -> tuple[Mutant, str]:
        tree = trees.get()
        try:
            return mutant, mutant.fate(tree)
        finally:
            trees.put(tree)

    mutants = [Mutant(room, *texts) for room in rooms for texts in ROOMS[room].MUTANTS]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        copies = [Path(folder) / str(k) for k in range(workers)]
        for copy in copies:
            trees.put(Path(shutil.copytree(source, copy, ignore=NOT_COPIED)))
        red = [room for room in rooms if not is_green(copies[0], room)]
        if red:
            sys.exit(f"The tests of {', '.join(red)} fail without any mutant; fix them first.")
        for mutant, end in pool.map(fate, mutants):
            fates[mutant.room, end] += 1
            if end != "killed":
                print(f"{end:8}  {mutant}", flush=True)
    return fates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, default=HERE, help="the checkout to measure (default: this one)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("rooms", nargs="*", help=f"of {', '.join(ROOMS)}")
    options = parser.parse_args()
    rooms = options.rooms or list(ROOMS)
    fates = measure(options.tree, rooms, options.workers)
    for room in rooms:
        print(f"{room:10}  {fates[room, 'killed']} killed, {fates[room, 'survived']} survived", end="")
        print(f", {fates[room, 'absent']} absent" if fates[room, "absent"] else "")


if __name__ == "__main__":
    main()
