"""What is released: its metadata follow from one address, and one script does all that a release takes."""

import json
import re
import tomllib

import pytest
import yaml
from scripts import ROOT, script

hatch_build = script("hatch_build.py")
README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
WORKFLOWS = {
    name: yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8"))
    for name in ("package", "release", "test")
}
TARGET = re.compile(r'\]\(([^)]*)\)|src="([^"]*)"')


def targets(text):
    """Where links and pictures lead."""
    return ["".join(found) for found in TARGET.findall(text)]


def runs(workflow):
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


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


def test_each_python_that_is_tested_has_its_classifier():
    tested = WORKFLOWS["test"]["jobs"]["linux"]["strategy"]["matrix"]["python"]
    named = [line.rpartition(":: ")[2] for line in PROJECT["project"]["classifiers"] if ":: 3." in line]
    assert named == tested


def test_zenodo_is_told_what_the_citation_says():
    zenodo = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert zenodo["title"] == CITATION["title"]
    assert zenodo["description"] == f"<p>{CITATION['abstract']}</p>"
    assert [one["name"] for one in zenodo["creators"]] == [one["name"] for one in CITATION["authors"]]
    assert (zenodo["license"], zenodo["keywords"]) == (CITATION["license"], CITATION["keywords"])
    assert zenodo["keywords"] == PROJECT["project"]["keywords"]


@pytest.mark.parametrize("script", ["release", "review", "run"])
def test_a_script_of_ci_can_be_run(script):
    path = ROOT / ".ci" / script
    assert path.stat().st_mode & 0o100
    assert "set -euo pipefail" in path.read_text("utf-8")


def test_a_release_is_the_script_that_every_push_has_run():
    assert runs(WORKFLOWS["release"]) == [".ci/release --upload"]
    assert runs(WORKFLOWS["package"]) == [".ci/review", ".ci/release"]
    (job,) = WORKFLOWS["release"]["jobs"].values()
    assert job["permissions"] == {"contents": "read", "id-token": "write"}
    assert WORKFLOWS["release"][True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as true


def test_what_a_guide_asks_and_is_not_followed_has_its_reason():
    assert all(len(reason) >= 8 for reason in PROJECT["tool"]["repo-review"]["ignore"].values())
