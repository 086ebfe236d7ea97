"""Problems for the tests, each drawn once: where the draw that was accepted is known, no other is judged.

golden/draws/TOPIC.json has for each code its givens, and how many numbers of the stream come before them.
"""

import functools
import json
from pathlib import Path

import handcalc as hc
from handcalc.practice.exercise import codes
from handcalc.practice.topics import TOPICS, problems

GAMMA = 0x9E3779B97F4A7C15  # what SplitMix64 adds to its state for each number
FOLDER = Path(__file__).parents[2] / "golden" / "draws"
GOLDEN = {
    code: kept
    for path in sorted(FOLDER.glob("*.json"))
    for code, kept in json.loads(path.read_text("utf-8")).items()
}


@functools.cache
def problem(topic: str, seed: int = 1, level: int = 1) -> hc.Calculation:
    """What hc.problem gives; known draws in a millisecond. Keep it as it is: other tests read it, too."""
    code = codes.code(topic, seed, level)
    return accepted(code) if code in GOLDEN else hc.problem(topic, seed, level)


def accepted(code: str) -> hc.Calculation:
    """The draw that a code of the golden file stands for, from the place in the stream where it begins."""
    found, (before, _) = codes.read_code(code), GOLDEN[code]
    rng = problems.stream(found.topic, found.seed, found.level)
    rng.state = (rng.state + before * GAMMA) % 2**64
    return TOPICS[found.topic](rng, found.level)


def wanted(code: str) -> dict[str, list[list[float]]]:
    """The givens of the golden file, as numbers."""
    return {
        name: [[*map(float, row.split())] for row in rows.split(", ")]
        for name, rows in GOLDEN[code][1].items()
    }


def givens(calculation: hc.Calculation) -> dict[str, list[list[float]]]:
    return {name: matrix.values.tolist() for name, matrix in calculation.givens.items()}


def pin(topic: str, seed: int, level: int) -> tuple[str, list]:
    """A code with what the golden file keeps of it: the numbers before the accepted draw, and its givens."""
    rng = problems.stream(topic, seed, level)
    start = rng.state
    while True:
        before = (rng.state - start) * pow(GAMMA, -1, 2**64) % 2**64
        drawn = TOPICS[topic](rng, level)
        if not any(problems.unmet(drawn, level)):
            break
    rows = {name: [" ".join(f"{x:g}" for x in row) for row in M] for name, M in givens(drawn).items()}
    return codes.code(topic, seed, level), [before, {name: ", ".join(M) for name, M in rows.items()}]


def write(topic: str) -> None:
    """Pin 25 codes of a topic; what is pinned stays."""
    wanted = {codes.code(topic, seed, seed % 3 + 1): seed for seed in range(25)}
    known = {code: kept for code, kept in GOLDEN.items() if codes.read_code(code).topic == topic}
    new = dict(pin(topic, seed, seed % 3 + 1) for code, seed in wanted.items() if code not in known)
    lines = [
        f"{json.dumps(code)}: {json.dumps(kept, separators=(',', ':'))}"
        for code, kept in (known | new).items()
    ]
    if new:
        (FOLDER / f"{topic}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    for name in TOPICS:
        write(name)
