"""What surrounds the code keeps step with it: workflows, issue forms, citation, changelog, typing."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path

import needed
import pytest
import yaml
from scripts import ROOT, script

import handcalc as hc

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in (ROOT / ".github" / "workflows").glob("*.yml")
}
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
hatch_build = script("hatch_build.py")
README = (ROOT / "README.md").read_text("utf-8")
TARGET = re.compile(r'\]\(([^)]*)\)|src="([^"]*)"')


def steps(workflow: str) -> list[str]:
    jobs = WORKFLOWS[workflow]["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def commands_of(target: str) -> list[str]:
    """The recipe of a make target, one line each, without the folder of its programs."""
    recipe = re.search(rf"(?m)^{target}:.*\n((?:\t.*\n)+)", MAKEFILE)[1]
    return [line.strip().removeprefix("$(BIN)/") for line in recipe.splitlines()]


def test_each_python_that_is_allowed_is_tested_on_each_system():
    jobs = WORKFLOWS["test"]["jobs"]
    pythons = ["3.11", "3.12", "3.13", "3.14"]
    assert all(job["strategy"]["matrix"]["python"] == pythons for job in jobs.values())
    assert PROJECT["project"]["requires-python"] == f">={pythons[0]}"
    named = [line.rpartition(":: ")[2] for line in PROJECT["project"]["classifiers"] if ":: 3." in line]
    assert named == pythons
    assert jobs["linux"]["runs-on"] == "ubuntu-latest"
    assert jobs["elsewhere"]["strategy"]["matrix"]["system"] == ["macos-latest", "windows-latest"]


def test_linux_runs_the_one_command_for_a_fresh_machine():
    assert ".ci/run" in steps("test")


def test_systems_without_make_run_the_same_checks():
    elsewhere = [step.removeprefix("python -m ") for step in steps("test")]
    assert set(commands_of("check")) <= set(elsewhere)


def test_every_make_target_of_a_workflow_exists():
    named = {
        target
        for workflow in WORKFLOWS
        for run in steps(workflow)
        for target in re.findall(r"make (\S+)", run)
    }
    assert "test-all" in named
    assert {target for target in named if not re.search(rf"(?m)^{target}:", MAKEFILE)} == set()


def test_the_nightly_run_skips_nothing():
    environments = [step.get("env", {}) for step in WORKFLOWS["nightly"]["jobs"]["everything"]["steps"]]
    everything = ",".join(sorted(needed.NEEDED.keys() - needed.NOT_INSTALLED_BY_CI))
    assert {"HANDCALC_REQUIRE": everything} in environments


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_github_asks_for(path):
    form = yaml.safe_load(path.read_text("utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert all(
        {"type", "id", "attributes"} <= field.keys() and field["attributes"]["label"] for field in fields
    )
    assert len({field["id"] for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))


def test_the_citation_is_of_this_version():
    assert {"cff-version", "message", "title", "authors"} <= citation().keys()
    assert citation()["version"] == hc.__version__
    assert citation()["license"] == PROJECT["project"]["license"]


def test_the_changelog_begins_with_this_version():
    headings = re.findall(r"(?m)^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert headings[0].split()[0] == hc.__version__


def targets(text):
    """Where links and pictures lead."""
    return ["".join(found) for found in TARGET.findall(text)]


def test_without_an_address_nothing_leads_nowhere_and_pictures_are_told():
    text = hatch_build.long_description(README, "")
    assert hatch_build.links("") == {}
    assert all(target.startswith("https://") for target in targets(text))
    assert "<" not in re.sub(r"(?s)```.*?```", "", text)
    assert re.search(r"(?m)^\*X fills first, then Q, K and V\..*\*$", text)
    assert "docs/install.md." in text


def test_with_an_address_all_of_it_is_absolute_and_there():
    text = hatch_build.long_description(README, "https://example.org/handcalc")
    there = [target.removeprefix("https://example.org/handcalc/") for target in targets(text)]
    inside = [re.sub(r"^(blob|raw)/main/", "", path) for path in there if not path.startswith("https:")]
    assert len(inside) > 15
    assert [path for path in inside if not (ROOT / path).exists()] == []
    assert "Homepage" in hatch_build.links("https://example.org/handcalc")
    assert "srcset" not in text


def test_zenodo_is_told_what_the_citation_says():
    zenodo = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert zenodo["title"] == citation()["title"]
    assert zenodo["description"] == f"<p>{citation()['abstract']}</p>"
    assert [one["name"] for one in zenodo["creators"]] == [one["name"] for one in citation()["authors"]]
    assert (zenodo["license"], zenodo["keywords"]) == (citation()["license"], citation()["keywords"])
    assert zenodo["keywords"] == PROJECT["project"]["keywords"]


@pytest.mark.parametrize("name", ["release", "review", "run"])
def test_a_script_of_ci_can_be_run(name):
    path = ROOT / ".ci" / name
    assert path.stat().st_mode & 0o100
    assert "set -euo pipefail" in path.read_text("utf-8")


def test_a_release_is_the_script_that_every_push_has_run():
    assert steps("release") == [".ci/release --upload"]
    assert steps("package") == [".ci/review", ".ci/release"]
    (job,) = WORKFLOWS["release"]["jobs"].values()
    assert job["permissions"] == {"contents": "read", "id-token": "write"}
    assert WORKFLOWS["release"][True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as true


def test_what_a_guide_asks_and_is_not_followed_has_its_reason():
    assert all(len(reason) >= 8 for reason in PROJECT["tool"]["repo-review"]["ignore"].values())


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
A_FILE = re.compile(r"[\w.*-][\w./*-]*\.(?:py|pyi|js|css|toml|yml|md|ipynb)|[\w.-]+/(?:[\w.-]+/)*")
A_LEARNER_S = re.compile(r"[A-Z]{2}|^my_|^7b/|^downloads/|^class\.py$")  # in capitals: a name to be put there


@cache
def files() -> list[Path]:
    tops = [path for path in ROOT.iterdir() if path.name not in (".venv", ".git")]
    return [path.relative_to(ROOT) for top in tops for path in (top, *top.rglob("*"))]


@cache
def ends() -> set[tuple[str, ...]]:
    """What the paths of files end in."""
    return {path.parts[start:] for path in files() for start in range(len(path.parts))}


def is_there(name: str) -> bool:
    return any(path.match(name) for path in files()) if "*" in name else Path(name).parts in ends()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_names_only_files_that_exist(page):
    """By their whole path, or by its end; of several that a star stands for there is one at least."""
    codes = re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    named = {word for code in codes for word in code.split() if A_FILE.fullmatch(word)}
    named -= {word for word in named if A_LEARNER_S.search(word)}
    assert {word for word in named if not is_there(word)} == set()


def test_types_are_there_for_others():
    assert (Path(hc.__file__).parent / "py.typed").read_bytes() == b""
