"""The scripts in the repository are what esbuild makes of the modules."""

import pytest
from bundling import script


@pytest.mark.parametrize("page", script.PAGES, ids=lambda page: page.stem)
def test_a_script_is_fresh(esbuild, page):
    assert esbuild(page) == script.bundle_of(page).read_text("utf-8"), "run: make scripts"


def test_no_other_script_lies_about():
    assert {*map(script.bundle_of, script.PAGES)} == {*script.ROOT.glob("handcalc/**/bundles/*.*")}
