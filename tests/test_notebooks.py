"""What every notebook keeps to; that they run is nbval's part."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
MOST_WORDS, MOST_LINES = 60, 6


def read(path):
    notebook = json.loads(path.read_text("utf-8"))
    cells = [(cell["cell_type"], "".join(cell["source"]), cell) for cell in notebook["cells"]]
    return notebook, cells


def texts(cells, kind):
    return [source for cell_kind, source, _ in cells if cell_kind == kind]


def test_there_is_a_start_and_a_first_lesson():
    names = [path.name for path in NOTEBOOKS]
    assert names[:2] == ["00_start_here.ipynb", "01_self_attention_by_hand.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestNotebook:
    def test_every_code_cell_has_a_stored_run_in_order(self, path):
        _, cells = read(path)
        counts = [cell["execution_count"] for kind, _, cell in cells if kind == "code"]
        assert counts == list(range(1, len(counts) + 1))

    def test_no_cell_stores_an_error_or_a_warning(self, path):
        _, cells = read(path)
        outputs = [output for kind, _, cell in cells if kind == "code" for output in cell["outputs"]]
        assert outputs
        assert {output["output_type"] for output in outputs} <= {"execute_result", "display_data"}

    def test_nothing_of_a_session_or_a_machine_is_stored(self, path):
        notebook, cells = read(path)
        assert "widgets" not in notebook["metadata"]
        assert all("execution" not in cell["metadata"] for _, _, cell in cells)
        assert not re.search(r"(?<![\w.:/])/(home|root|tmp|usr|work|Users)/", path.read_text("utf-8"))

    def test_every_widget_has_a_twin_in_html_and_text(self, path):
        _, cells = read(path)
        for kind, _, cell in cells:
            for output in cell["outputs"] if kind == "code" else []:
                if "application/vnd.jupyter.widget-view+json" in output["data"]:
                    assert {"text/html", "text/plain"} <= output["data"].keys()

    def test_there_is_one_first_level_heading_and_no_level_is_skipped(self, path):
        _, cells = read(path)
        found = re.findall(r"(?m)^(#+) ", "\n".join(texts(cells, "markdown")))
        levels = [len(marks) for marks in found]
        assert levels.count(1) == 1
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))

    def test_sections_are_short(self, path):
        _, cells = read(path)
        for text in texts(cells, "markdown"):
            prose = re.sub(r"(?s)<details>.*?</details>|(?m:^#.*$)|^- .*$", "", text)
            words = re.findall(r"\w+", re.sub(r"\$[^$]*\$|\(\S+\)", "formula", prose))
            assert len(words) <= MOST_WORDS + 10 * (text.startswith("# ")), text

    def test_code_is_short_and_ends_in_something_to_see(self, path):
        _, cells = read(path)
        for kind, source, cell in cells:
            if kind == "code":
                assert len([line for line in source.splitlines() if line.strip()]) <= MOST_LINES, source
                assert cell["outputs"], source

    def test_links_to_other_notebooks_lead_somewhere(self, path):
        _, cells = read(path)
        for target in re.findall(r"\]\(([^)]+\.ipynb)\)", "\n".join(texts(cells, "markdown"))):
            assert (path.parent / target).is_file(), target


def test_the_lesson_asks_for_a_guess_in_every_step():
    _, cells = read(NOTEBOOKS[1])
    formulas = re.compile(r"## .*\$.*=|## Scaled|## Column")
    sections = [text for text in texts(cells, "markdown") if formulas.match(text)]
    assert len(sections) >= 9
    assert all("Your guess:" in text for text in sections if "given" not in text.splitlines()[0])
