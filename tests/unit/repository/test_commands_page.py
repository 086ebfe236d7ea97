"""docs/commands.md is what the parser says, with every command in it."""

import importlib.util
from pathlib import Path

from handcalc.cli import arguments

DOCS = Path(__file__).parents[3] / "docs"
SPEC = importlib.util.spec_from_file_location("docs_commands", DOCS / "commands.py")
page = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(page)


def test_the_page_is_as_it_would_be_written_now():
    assert page.text() == page.PAGE.read_text("utf-8"), "make docs writes it again"


def test_every_command_and_option_is_there():
    text = page.text()
    assert text.count("\n## handcalc ") == 17
    assert "## handcalc class serve\n" in text
    assert f"`{arguments.FORCE_OPTION}`" in text
    assert "`[FOLDER]`" in text
