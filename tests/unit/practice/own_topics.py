"""Topics of somebody's own, as a teacher would write them into a file; and none of them left behind."""

from collections.abc import Iterator
from contextlib import contextmanager

from handcalc.practice.topics import OWN_TOPICS, TOPIC_LETTERS, TOPIC_NUMBERS, TOPICS, own_topics

GATED = """import handcalc as hc


@hc.topic("gated_sum", letters="YG")
def gated_sum(rng, level):
    x = hc.Matrix(rng.matrix(2 + level, 1, [-1, 1, 2]), "x")
    W, b = hc.Matrix(rng.matrix(2, 2 + level, [-1, 0, 1, 2]), "W"), hc.Matrix(rng.matrix(2, 1, [-1, 1]), "b")
    z = (W @ x + b).named("z", why="A weighted sum for each gate.")
    f = hc.sigmoid(z).named("f", "gate", why="How far each gate is open.")
    return hc.Calculation(f, title="A gate of my own")
"""


def forget() -> None:
    """As in another Python, which never saw the file."""
    for name in OWN_TOPICS:
        del TOPICS[name], TOPIC_LETTERS[name], TOPIC_NUMBERS[name]
    OWN_TOPICS.clear()
    own_topics.TOPICS_OF_FILES.clear()


@contextmanager
def forgotten() -> Iterator[None]:
    """Whatever topics are entered within, none is there afterwards."""
    forget()
    try:
        yield
    finally:
        forget()
