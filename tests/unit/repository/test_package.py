"""The package: what a wheel holds, and that it works alone, without the repository and without test tools."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "handcalc"
# What is installed for the tests only; the modules are called otherwise than their projects, most of them.
TEST_TOOLS = (
    "axe_playwright_python", "distributed", "hatchling", "hypothesis", "importlinter", "mypy", "pebble",
    "playwright", "psycopg", "rattler", "repo2docker", "ruff", "safetensors", "segno", "sqlalchemy",
    "tokenizers", "torch", "xdist",
)  # fmt: skip
USE = """
import sys
from importlib.metadata import distribution

wheel, tools = sys.argv[1], sys.argv[2].split()
sys.path.insert(0, wheel)
sys.modules |= dict.fromkeys(tools)  # importing one is an ImportError now

import handcalc as hc

assert hc.__file__.startswith(wheel), hc.__file__
calculation = hc.examples.self_attention()
calculation.save_html("sheet.html")
calculation.figure("Q").savefig("heatmap.svg")
hc.explore(calculation)
hc.save_worksheet(hc.Exercise(calculation), "sheet.pdf")
assert hc.Exercise(calculation).check(Q=calculation["Q"]).count("correct", "Q") == 12

package = distribution("handcalc")
assert package.version == hc.__version__
(command,) = package.entry_points
run = command.load()
assert run(["notebook", "softmax", "-o", "fill_in.ipynb"]) in (0, None)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel that was built from here and unpacked, which is all that installing a pure one does."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    zipfile.ZipFile(built).extractall(folder / "installed")
    return folder / "installed"


@pytest.mark.slow
def test_it_holds_every_file_of_the_package_and_nothing_of_the_repository(wheel):
    held = {path.relative_to(wheel).as_posix() for path in (wheel / "handcalc").rglob("*") if path.is_file()}
    there = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}
    assert held == {name for name in there if "__pycache__" not in name}
    assert "handcalc/py.typed" in held
    assert {path.name.partition("-")[0] for path in wheel.iterdir()} == {"handcalc"}


@pytest.mark.slow
def test_it_works_from_another_folder_with_its_runtime_dependencies_alone(wheel, tmp_path):
    command = [sys.executable, "-P", "-c", USE, str(wheel), " ".join(TEST_TOOLS)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        "sheet.html", "heatmap.svg", "sheet.pdf", "fill_in.ipynb",
    }  # fmt: skip


def test_every_test_tool_is_kept_from_it():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    needed_anyway = 2  # nbval needs pytest itself, and jupyterlab tornado
    assert len(TEST_TOOLS) == len([*extras["test"], *extras["torch"], *extras["real"]]) - needed_anyway
