"""The browser's files as modules: what they import is there, and joined they are one module."""

import re

import pytest

from handcalc.views import assets

FILES = sorted(path.stem for path in assets.HERE.rglob("*.js"))
# Each room imports from itself and from those before it.
ROOMS = (
    *("page", "record", "navigation", "steps", "givens", "sheet", "slides", "pictures", "ways", "practice"),
    *("lessons", "motion", "explorer", "atlas", "training", "browser"),
)


def test_every_file_is_part_of_the_page():
    assert sorted(assets.modules()) == FILES


def test_rooms_import_downwards_only():
    rooms = {path.stem: ROOMS.index(path.parent.name) for path in assets.HERE.rglob("*.js")}
    assert len(rooms) == len(list(assets.HERE.rglob("*.js")))  # no two files have one name
    upwards = {
        (name, match[2])
        for name in rooms
        for match in assets.IMPORT.finditer(assets.source(name))
        if rooms[match[2]] > rooms[name]
    }
    assert upwards == set()


def test_each_module_stands_after_those_that_it_imports():
    order = assets.modules()
    for name in order:
        for match in assets.IMPORT.finditer(assets.source(name)):
            assert order.index(match[2]) < order.index(name), (name, match[2])


@pytest.mark.parametrize("name", FILES)
def test_imports_and_exports_have_the_form_that_joining_knows(name):
    text = assets.source(name)
    imports, exports = re.findall(r"^\s*import\b", text, re.M), re.findall(r"^\s*export\b", text, re.M)
    assert len(imports) == len(assets.IMPORT.findall(text))
    assert len(exports) == len(assets.EXPORT.findall(text)) + (name == assets.ENTRY)  # export default


@pytest.mark.parametrize("name", FILES)
def test_every_imported_name_is_exported_by_its_file_and_used(name):
    text = assets.source(name)
    for match in assets.IMPORT.finditer(text):
        exported = set(assets.EXPORT.findall(assets.source(match[2])))
        rest = assets.IMPORT.sub("", text)
        for imported in filter(None, re.split(r",\s*", match[1].strip(" ,\n"))):
            assert imported in exported, f"{name}.js imports {imported}, which {match[2]}.js does not export"
            assert re.search(rf"\b{imported}\b", rest), f"{name}.js imports {imported} and does not use it"


@pytest.mark.node
def test_the_joined_modules_are_one_module_without_clashes(node, tmp_path):
    """Node refuses a name that is declared twice, and an import or export that was left behind unresolved."""
    path = tmp_path / "joined.mjs"
    path.write_text(assets.script(), encoding="utf-8")
    exported = node("async (_, url) => Object.keys(await import(url))", path.as_uri())
    assert exported == [
        *(
            "Atlas",
            "Calculation",
            "Explorer",
            "Practice",
            "button",
            "default",
            "plain",
            "show",
            "tag",
            "unpacked",
        )
    ]


@pytest.mark.node
def test_each_file_is_a_module_by_itself(node):
    """Node has loaded them all with their imports; an unknown name would have stopped it."""
    assert sorted(node("(modules) => Object.keys(modules)")) == FILES
