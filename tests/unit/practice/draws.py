"""Problems for the tests, each drawn once: where the draw that was accepted is known, no other is judged.

golden/draws.json has for each topic, of seeds 0 to 24, whose levels take turns, and of some more codes: how
many numbers of its stream come before the draw, and a digest of all their givens.
"""

import functools
import json
import zlib
from pathlib import Path

import handcalc as hc
from handcalc.practice.exercise import codes
from handcalc.practice.topics import TOPICS, problems

GAMMA = 0x9E3779B97F4A7C15  # what SplitMix64 adds to its state for each number
FILE = Path(__file__).parents[2] / "golden" / "draws.json"
KEPT = json.loads(FILE.read_text("utf-8"))


def pinned(topic: str) -> list[str]:
    """The codes of a topic that the file keeps."""
    return [
        *(codes.code(topic, seed, seed % 3 + 1) for seed in range(25)),
        *KEPT.get(topic, {}).get("more", []),
    ]


GOLDEN = {  # code -> how many numbers of the stream come before the draw that was accepted
    code: before
    for topic, kept in KEPT.items()
    for code, before in zip(pinned(topic), kept["before"], strict=True)
}


@functools.cache
def problem(topic: str, seed: int = 1, level: int = 1) -> hc.Calculation:
    """What hc.problem gives; known draws in a millisecond. Keep it as it is: other tests read it, too."""
    code = codes.code(topic, seed, level)
    return accepted(code) if code in GOLDEN else hc.problem(topic, seed, level)


def accepted(code: str) -> hc.Calculation:
    """The draw that a code of the golden file stands for, from the place in the stream where it begins."""
    found = codes.read_code(code)
    rng = problems.stream(found.topic, found.seed, found.level)
    rng.state = (rng.state + GOLDEN[code] * GAMMA) % 2**64
    return TOPICS[found.topic](rng, found.level)


def givens(calculation: hc.Calculation) -> dict[str, list[list[float]]]:
    return {name: matrix.values.tolist() for name, matrix in calculation.givens.items()}


def digest(topic: str) -> str:
    """Of the givens of all codes of a topic that are known."""
    known = [givens(accepted(code)) for code in pinned(topic)]
    return f"{zlib.crc32(json.dumps(known).encode()):08x}"


def numbers_before(topic: str, seed: int, level: int) -> int:
    """How many numbers of the stream come before the first draw that is good enough."""
    rng = problems.stream(topic, seed, level)
    start = rng.state
    while True:
        before = (rng.state - start) * pow(GAMMA, -1, 2**64) % 2**64
        if not any(problems.unmet(TOPICS[topic](rng, level), level)):
            return before


def pin(topic: str) -> None:
    """Add a topic to the file; what is pinned stays."""
    if topic not in KEPT:
        found = [codes.read_code(code) for code in pinned(topic)]
        before = [numbers_before(topic, one.seed, one.level) for one in found]
        GOLDEN.update(zip(pinned(topic), before, strict=True))
        KEPT[topic] = {"before": before, "more": [], "digest": digest(topic)}


def write() -> None:
    entries = [
        f" {json.dumps(topic)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in KEPT[topic].items())
        + "\n }"
        for topic in sorted(KEPT)
    ]
    FILE.write_text("{\n" + ",\n".join(entries) + "\n}\n", "utf-8")


if __name__ == "__main__":
    for name in TOPICS:
        pin(name)
    write()
