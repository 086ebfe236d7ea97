"""What scripts write into docs/ and the lessons' pages is what is committed, and says what there is."""

import re
import sys

import draws
import numpy as np
import public_names
import pytest
from PIL import Image
from scripts import ROOT, script

import handcalc as hc
from handcalc.operations import KINDS

DOCS = ROOT / "docs"
WRITTEN = {  # by docs/NAME.py: each page with its text
    "api": lambda it: it.pages(),
    "architecture": lambda it: {DOCS / "architecture.svg": it.picture()},
    "commands": lambda it: {DOCS / "commands.md": it.text()},
    "course": lambda it: it.pages(),
    "mistakes": lambda it: {DOCS / "mistakes.md": it.text(draws.problem)},
    "questions": lambda it: {DOCS / "questions.md": it.page()},
    "spec": lambda it: {DOCS / "spec.md": it.page(), DOCS / "spec.schema.json": it.as_text(it.schema())},
}
SLOW = ("api", "architecture", "mistakes")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in WRITTEN]
)
def test_a_page_is_as_it_would_be_written_now(name):
    pages = WRITTEN[name](script(f"docs/{name}.py"))
    stale = [path.name for path, text in pages.items() if path.read_text("utf-8") != text]
    assert not stale, "run `make docs course`"
    if name == "api":
        assert {*pages} == {*(DOCS / "api").iterdir()}


def test_every_public_name_and_every_operation_has_its_place():
    api = {path: path.read_text("utf-8") for path in (DOCS / "api").iterdir()}
    headings = [name for text in api.values() for name in re.findall(r"(?m)^## hc\.([\w.]+)$", text)]
    listed = re.findall(r"(?m)^\| \[`hc\.([\w.]+)`\]", api[DOCS / "api" / "README.md"])
    assert sorted(headings) == sorted(listed) == sorted(public_names.DESCRIBED)
    assert all(f"| `{name}` |" in (DOCS / "spec.md").read_text("utf-8") for name in KINDS)


def test_links_of_the_public_names_lead_somewhere():
    for path in (DOCS / "api").iterdir():
        for target in re.findall(r"\]\(([^)\s]+\.[a-z]+[^)\s]*)\)", path.read_text("utf-8")):
            file, _, place = target.partition("#")
            assert (path.parent / file).is_file(), file
            headings = re.findall(r"(?m)^#+ (.*)$", (path.parent / file).read_text("utf-8"))
            assert not place or place in {re.sub(r"[^\w-]", "", name.lower()) for name in headings}


# The README's animation: what the script draws is what is committed.
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
