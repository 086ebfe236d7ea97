"""The README's animation: what the script draws is what is committed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import handcalc as hc

ROOT = Path(__file__).parents[3]
MOST_BYTES = 400_000
LEAST_TIME, MOST_TIME = 6000, 8500  # milliseconds
RENDERING = 2.0  # of 255, that another version of the drawing library may be off on average


@pytest.fixture(scope="module")
def animation():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import animation

        return animation
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_committed_film_is_the_one_that_the_script_draws(animation, theme):
    moments = animation.film()
    path = ROOT / "docs" / f"way-{theme}.webp"
    assert path.stat().st_size <= MOST_BYTES
    last, still = animation.drawn(moments[-1], theme), Image.open(path.with_suffix(".png")).convert("RGB")
    with Image.open(path) as film:
        assert (film.n_frames, film.info["loop"]) == (len(moments), animation.PLAYS)
        assert film.size == last.size == still.size
        film.seek(len(moments) - 1)
        assert difference(film.convert("RGB"), last) < RENDERING
    assert difference(still, last) < RENDERING


def difference(one: Image.Image, other: Image.Image) -> float:
    return float(np.abs(np.asarray(one, float) - np.asarray(other, float)).mean())


def test_it_is_short_and_fills_every_matrix_once(animation):
    moments = animation.film()
    assert LEAST_TIME <= sum(moment.time for moment in moments) <= MOST_TIME
    for name in animation.PLACES:
        levels = np.array([moment.shown[name] for moment in moments])
        assert (np.diff(levels, axis=0) >= 0).all()
        assert (levels[-1] == 1).all()
        assert (levels[0] == (name == "X")).all()


def test_the_product_that_is_made_reads_what_the_record_says(animation):
    told = next(moment for moment in animation.film() if moment.is_told)
    sources = hc.examples.self_attention().explain(*animation.CELL).sources
    read = {(name, row, column) for name, row, column, accent in told.lit if accent != "chosen"}
    assert read == {(matrix.name, row, column) for matrix, row, column in sources}
