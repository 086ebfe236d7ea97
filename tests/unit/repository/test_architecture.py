"""Imports run downwards, also those for type hints."""

import ast
import re

import pytest
from scripts import ROOT, script

DOCS = ROOT / "docs"
PACKAGE = DOCS.parent / "handcalc"


def test_every_room_is_on_the_page():
    text = (DOCS / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)(?:\.py|/)", text))
    assert set(script("docs/architecture.py").rooms()) - named == set()


def imports_of_modules():
    """Each module with the others that it imports: at once, inside functions or for type hints."""
    paths = {".".join(p.relative_to(PACKAGE.parent).with_suffix("").parts): p for p in PACKAGE.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    found = {}
    for name, path in modules.items():
        imported = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{name} imports relatively"
                within = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= within & set(modules) or {node.module}
        found[name] = imported & set(modules) - {name}
    return found


def reached(start, imports):
    """Every module that one imports, itself or through others."""
    found, waiting = set(), [start]
    while waiting:
        more = imports[waiting.pop()] - found
        found |= more
        waiting += more
    return found


def circles(imports):
    """The modules that import each other, itself or through others, a set for each circle."""
    reach = {name: reached(name, imports) for name in imports}
    return {frozenset(m for m in reach[name] if name in reach[m]) for name in imports if name in reach[name]}


@pytest.mark.slow
def test_no_more_than_five_modules_import_each_other_type_hints_included():
    imports = imports_of_modules()
    assert "handcalc.record.matrix" in imports["handcalc.record.graph"]  # a type hint is counted
    assert max(map(len, circles(imports))) <= 5, sorted(max(circles(imports), key=len))
