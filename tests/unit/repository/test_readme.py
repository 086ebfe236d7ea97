"""What the README shows is what happens: its code runs, its comments are what is printed."""

import re
from pathlib import Path

import pytest

import handcalc as hc

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"(?s)```python\n(.*?)```", README)


def test_its_code_runs_in_order_and_prints_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in BLOCKS:
        exec(block, names)  # the blocks are read in one session, from top to bottom
    expected = re.findall(r"(?m)^print\(.*?\)\s+# (.+)$", "\n".join(BLOCKS))
    assert capsys.readouterr().out.splitlines() == expected
    log, *sheets = sorted(path.name for path in tmp_path.iterdir())
    assert sheets == ["sheet.html", "sheet.pdf"]
    assert re.fullmatch(r"practice-softmax-\w+\.jsonl", log)


def test_code_comes_within_the_first_thirty_lines():
    assert "```python" in README.splitlines()[:30]


@pytest.mark.parametrize(
    "name",
    sorted(set(re.findall(r"`((?:notebooks|handcalc|templates|tests|benchmarks|docs)/[\w./]*)`", README))),
)
def test_what_it_names_is_there(name):
    assert (ROOT / name).exists()


def test_its_table_lists_every_notebook_in_order():
    listed = re.findall(r"(?m)^\| `(\d\d_\w+|practice)` \|", README)
    assert ["00_start_here", *listed] == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("command", sorted(set(re.findall(r"(?m)(?:^|`)make ([a-z-]+)", README))))
def test_the_make_targets_exist(command):
    assert re.search(rf"(?m)^{command}:", (ROOT / "Makefile").read_text("utf-8"))


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
    ],
)
def test_links_to_files_lead_somewhere(page):
    path = ROOT / page
    targets = re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_every_public_name_in_it_exists():
    names = set(re.findall(r"\bhc\.([A-Za-z]\w*)", README))
    assert len(names) > 10
    assert {name for name in names if not hasattr(hc, name)} == set()


def test_pictures_have_an_alternative_text():
    assert all(re.search(r'alt="[^"]{20,}"', tag) for tag in re.findall(r"<img[^>]*>", README))


def test_each_file_that_contributing_names_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    files = set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|pyi|js|md|toml))`", text))
    folders = [ROOT / part for part in ("handcalc", "tests", "docs")]
    there = {f"/{path.relative_to(ROOT)}" for folder in folders for path in folder.rglob("*.*")}
    assert len(files) > 25
    there |= {f"/{path.name}" for path in ROOT.glob("*.*")}
    assert {file for file in files if not any(path.endswith(f"/{file}") for path in there)} == set()
