"""Problems for the tests, each drawn once: where the draw that was accepted is known, no other is judged.

golden/draws.json has for each code its givens, and how many numbers of the stream come before that draw.
"""

import functools
import json
from pathlib import Path

import handcalc as hc
from handcalc.practice import codes, problems
from handcalc.practice.topics import TOPICS

GAMMA = 0x9E3779B97F4A7C15  # what SplitMix64 adds to its state for each number
GOLDEN = json.loads((Path(__file__).parent / "golden" / "draws.json").read_text("utf-8"))


@functools.cache
def problem(topic: str, seed: int = 1, level: int = 1) -> hc.Calculation:
    """What hc.problem gives; known draws in a millisecond. Keep it as it is: other tests read it, too."""
    code = codes.code(topic, seed, level)
    return accepted(code) if code in GOLDEN else hc.problem(topic, seed, level)


def accepted(code: str) -> hc.Calculation:
    """The draw that a code of the golden file stands for, from the place in the stream where it begins."""
    found, (before, _) = codes.read(code), GOLDEN[code]
    rng = problems.stream(found.topic, found.seed, found.level, found.version)
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
