"""The modules that pages are made of: each is part of a page, and rooms import downwards."""

import re
from pathlib import Path

import pytest
from bundling import script
from in_node import CLASS_PAGE

from handcalc.classroom.live.http import pages
from handcalc.views import assets

# Each room imports from itself and from those before it.
ROOMS = (
    *("page", "record", "navigation", "steps", "givens", "sheet", "slides", "pictures", "ribbons"),
    *("practice", "motion", "asking", "explorer", "atlas", "training", "browser"),
)
IMPORT = re.compile(r'^import (?:\{ ([^}]+) \} from )?"([^"]+)";', re.MULTILINE)
BUNDLES = [*assets.BROWSER_FOLDER.glob("bundles/*.js"), *CLASS_PAGE.glob("bundles/*.js")]
PAGES = [bundle.parent.parent / bundle.name for bundle in BUNDLES]  # the module that a page begins with
BROWSER = [path for path in sorted(assets.BROWSER_FOLDER.rglob("*.js")) if path not in BUNDLES]
MODULES = [*BROWSER, *sorted(CLASS_PAGE.glob("*.js"))]


def imports(path: Path) -> dict[Path, list[str]]:
    """The modules that one imports, and the names that it takes from each."""
    found = IMPORT.findall(path.read_text("utf-8"))
    return {(path.parent / file).resolve(): re.findall(r"\w+", names) for names, file in found}


def test_every_module_is_part_of_a_page():
    assert {page.stem for page in PAGES} == {
        *(
            "explorer_widget",
            "guess_widget",
            "practice_page",
            "practice_widget",
            "question_page",
            "saved_page",
            "sentence_widget",
            "learner",
            "projector",
            "teacher",
        )
    }
    reached, waiting = set(), [*PAGES]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += imports(path)
    assert reached == set(MODULES)


def test_rooms_import_downwards_only():
    upwards = {
        (path.name, other.name)
        for path in BROWSER
        for other in imports(path)
        if ROOMS.index(other.parent.name) > ROOMS.index(path.parent.name)
    }
    assert upwards == set()


def test_no_two_modules_of_a_notebooks_pages_have_one_name():
    assert len({path.name for path in BROWSER}) == len(BROWSER)


def test_every_imported_name_is_used():
    for path in MODULES:
        text = path.read_text("utf-8")
        assert len(IMPORT.findall(text)) == len(re.findall(r"^\s*import\b", text, re.M)), path
        imported = {name for names in imports(path).values() for name in names}
        assert imported <= {*re.findall(r"\w+", IMPORT.sub("", text))}, path


def test_each_file_is_a_module_by_itself(node):
    """Node has loaded them all with their imports; an unknown name would have stopped it."""
    rooms = {path.stem for path in BROWSER if path.parent != assets.BROWSER_FOLDER}
    assert set(node("(modules) => Object.keys(modules)")) == rooms


def test_a_class_page_is_one_script():
    for name in ("learner", "projector", "teacher"):
        page = pages.load_page_files()[f"{name}.html"].plain.decode()
        assert re.findall(r'<script[^>]*src="([^"]+)"', page) == [f"files/{name}.js"]
        assert IMPORT.search(pages.load_page_files()[f"{name}.js"].plain.decode()) is None


# The scripts in the repository are what esbuild makes of the modules.
@pytest.mark.parametrize("page", script.PAGES, ids=lambda page: page.stem)
def test_a_script_is_fresh(esbuild, page):
    assert esbuild(page) == script.bundle_of(page).read_text("utf-8"), "run: make scripts"


def test_no_other_script_lies_about():
    assert {*map(script.bundle_of, script.PAGES)} == {*script.ROOT.glob("handcalc/**/bundles/*.*")}
