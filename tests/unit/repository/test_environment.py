"""All ways to install handcalc agree: pyproject.toml, environment.yml, constraints.txt, Binder."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from rattler import MatchSpec

from handcalc.course import workbook
from handcalc.foundation import extras

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
CONSTRAINTS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
PINNED = [canonicalize_name(line.partition("==")[0]) for line in CONSTRAINTS]

EXTRAS = PROJECT["optional-dependencies"]


def needed_by(*extras: str) -> list[Requirement]:
    """What these extras need beyond other extras of handcalc."""
    lines = [line for extra in extras for line in EXTRAS[extra]]
    return [needed for needed in map(Requirement, lines) if needed.name != "handcalc"]


CORE = [Requirement(line) for line in PROJECT["dependencies"]]
NOTEBOOKS = CORE + needed_by("notebook", "lab", "workbook")
CONDA = {
    spec.name.normalized: spec.version
    for spec in (MatchSpec(line, strict=True) for line in ENVIRONMENT["dependencies"][:-1])
}


def bounds(specifiers: SpecifierSet) -> set[tuple[str, str]]:
    return {(bound.operator, bound.version) for bound in specifiers}


def test_conda_installs_from_conda_forge_only():
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]
    assert not [line for line in ENVIRONMENT["dependencies"][:-1] if "::" in line]


def test_conda_has_the_names_and_bounds_of_pyproject():
    conda = {name: version for name, version in CONDA.items() if name not in {"python", "pip"}}
    assert {name: bounds(SpecifierSet(version or "")) for name, version in conda.items()} == {
        canonicalize_name(needed.name): bounds(needed.specifier) for needed in NOTEBOOKS
    }


def test_conda_pins_a_python_that_pyproject_allows():
    pinned = re.fullmatch(r"(3\.\d+)\.\*", CONDA["python"])
    assert pinned, f"python is {CONDA['python']}: not one minor version"
    assert pinned[1] in SpecifierSet(PROJECT["requires-python"])


def test_every_extra_says_what_it_brings():
    for_the_repository = {"workbook", "site", "test", "torch"}
    assert set(extras.EXTRAS) == set(EXTRAS) - for_the_repository
    assert {len(extras.EXTRAS[name].modules) for name in ("hub", "dask", "postgresql")} == {1}
    assert {extra: len(needed_by(extra)) for extra in ("notebook", "class", "real")} == {
        extra: len(extras.EXTRAS[extra].modules) for extra in ("notebook", "class", "real")
    }


def test_the_core_is_small_and_needs_no_notebook():
    assert {needed.name for needed in CORE} == {"numpy", "matplotlib", "tqdm", "lazy-loader"}


def test_conda_leaves_to_pip_only_this_package():
    assert "pip" in CONDA
    assert ENVIRONMENT["dependencies"][-1] == {"pip": ["-e .[class]"]}


def test_constraints_are_names_and_exact_versions_only():
    unfit = [line for line in CONSTRAINTS if not re.fullmatch(r"[\w.-]+==\d[\w.]*", line)]
    assert unfit == []
    assert len(PINNED) == len(set(PINNED))
    assert not {"handcalc", "torch"} & set(PINNED)


@pytest.mark.parametrize(
    "needed",
    NOTEBOOKS + needed_by("class", "site", "postgresql", "dask", "test"),
    ids=lambda needed: needed.name,
)
def test_constraints_hold_a_version_inside_the_bounds(needed):
    tested = dict(line.split("==") for line in CONSTRAINTS)
    assert tested[needed.name] in needed.specifier


def test_constraints_suit_the_oldest_python_that_pyproject_allows():
    oldest = next(iter(SpecifierSet(PROJECT["requires-python"]))).version
    there = {canonicalize_name(found.metadata["Name"]): found.metadata for found in distributions()}
    allowed = {name: there[name].get("Requires-Python", "") for name in PINNED if name in there}
    assert len(allowed) > 50
    assert {name: of for name, of in allowed.items() if oldest not in SpecifierSet(of)} == {}


@pytest.mark.hub
@pytest.mark.real
def test_no_constraint_is_of_something_that_nothing_needs():
    there = {canonicalize_name(found.metadata["Name"]) for found in distributions()}
    assert set(PINNED) - there == set()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # repo2docker's imports
def test_binder_picks_its_conda_builder(monkeypatch):
    from repo2docker.app import Repo2Docker

    monkeypatch.chdir(ROOT)
    app = Repo2Docker()
    picked = next(pack for pack in app.buildpacks if pack(app.base_image).detect())
    assert picked.__name__ == "CondaBuildPack"


@pytest.mark.slow
def test_binder_installs_environment_yml():
    command = [sys.executable, "-m", "repo2docker", "--no-build", "."]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert f"python={CONDA['python'].removesuffix('.*')}" in run.stderr
    # `-e .[class]` can only be installed after the repository has been copied
    source, _, install = run.stdout.partition("COPY --chown=0:0 src/")
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"' in install
    assert "environment.yml" not in source


# The package: what a wheel holds, and that it works alone, without the repository and without test tools.
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
    assert {module for extra in extras.EXTRAS.values() for module in extra.modules} - set(
        BEYOND_THE_CORE
    ) == {
        "jupyterhub"  # not imported here: what it imports is kept away
    }
