"""The package: what a wheel holds, and that it works alone, without the repository and without test tools."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from handcalc.course import workbook
from handcalc.foundation.extras import EXTRAS

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "handcalc"
# All that is installed here beside numpy, matplotlib and what these need: the modules, not the projects.
BEYOND_THE_CORE = (
    "IPython", "anywidget", "axe_playwright_python", "distributed", "fsrs", "hatchling", "hypothesis",
    "importlinter", "ipywidgets", "jupyterlab", "mypy", "nbval", "openpyxl", "playwright",
    "psycopg", "pytest", "rattler", "repo2docker", "ruff", "safetensors", "segno", "sqlalchemy", "tokenizers",
    "torch", "tornado", "traitlets", "typst", "xdist",
)  # fmt: skip
USE = """
import sys
from importlib.metadata import distribution
from pathlib import Path

wheel, kept_away = sys.argv[1], sys.argv[2].split()
sys.path.insert(0, wheel)
sys.modules |= dict.fromkeys(kept_away)  # importing one is an ImportError now

import handcalc as hc

assert hc.__file__.startswith(wheel), hc.__file__
calculation = hc.examples.self_attention()
calculation.save_html("sheet.html")
calculation.figure("Q").savefig("heatmap.svg")
assert "<iframe" in hc.explore(calculation)._repr_html_()
try:
    hc.save_worksheet(hc.Exercise(calculation), "sheet.pdf")
except hc.HandcalcError as error:
    assert str(error).endswith('install it with: pip install "handcalc[paper]"'), error
assert hc.Exercise(calculation).check(Q=calculation["Q"]).count("correct", "Q") == 12

package = distribution("handcalc")
assert package.version == hc.__version__
(command,) = package.entry_points
run = command.load()
assert run(["notebook", "softmax", "-o", "fill_in.ipynb"]) in (0, None)
assert run(["lessons"]) == 0
assert len(list(Path("handcalc-lessons/notebooks").glob("*.ipynb"))) >= 19
assert len(list(Path("handcalc-lessons/templates").rglob("*.ipynb"))) == 64
"""


def build(folder: Path, target: str, root: Path = ROOT) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (built,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel that was built from here."""
    return build(tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def wheel(built):
    """The same, unpacked, which is all that installing a pure one does."""
    zipfile.ZipFile(built).extractall(built.parent / "installed")
    return built.parent / "installed"


@pytest.mark.slow
def test_it_holds_every_file_of_the_package_and_the_course_and_nothing_else(wheel):
    held = {path.relative_to(wheel).as_posix() for path in (wheel / "handcalc").rglob("*") if path.is_file()}
    there = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}
    course = {f"handcalc/workbook/{name}" for name in workbook.course_files(ROOT)}
    assert len(course) > 100
    assert held == {name for name in there if "__pycache__" not in name} | course
    assert "handcalc/py.typed" in held
    assert {path.name.partition("-")[0] for path in wheel.iterdir()} == {"handcalc"}


@pytest.mark.slow
def test_both_files_are_small_and_a_wheel_from_the_sdist_is_the_same(built, tmp_path):
    source = build(tmp_path, "sdist")
    assert source.stat().st_size <= 4_000_000
    assert built.stat().st_size <= 6_000_000
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert build(tmp_path / "again", "wheel", unpacked).read_bytes() == built.read_bytes()


@pytest.mark.slow
def test_it_works_from_another_folder_with_the_core_alone(wheel, tmp_path):
    command = [sys.executable, "-P", "-c", USE, str(wheel), " ".join(BEYOND_THE_CORE)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        "sheet.html", "heatmap.svg", "fill_in.ipynb", "handcalc-lessons",
    }  # fmt: skip


def test_whatever_an_extra_needs_is_kept_from_it():
    assert {module for extra in EXTRAS.values() for module in extra.modules} - set(BEYOND_THE_CORE) == {
        "jupyterhub"  # not imported here: what it imports is kept away
    }
