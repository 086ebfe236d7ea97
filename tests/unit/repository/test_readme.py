"""What README and docs show is what happens: their code runs, their comments are what is printed."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import model_files
import pytest

import handcalc as hc
from handcalc.cli import make_parser
from handcalc.foundation.extras import EXTRAS

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
CODE = re.compile(r"(?ms)^( *)```python\n(.*?)^\1```")
# the pages of lessons and docs/your_own.md are run by tests/course
RUN = (
    "README.md",
    *(f"docs/{name}.md" for name in ("calculations", "lessons", "spec", "spreadsheets", "teaching")),
)
RUN_ELSEWHERE = {"docs/models.md", "docs/deploy.md", "docs/your_own.md"}


def blocks(page):
    """The code of a page, without the margin that it has inside a list."""
    found = CODE.findall((ROOT / page).read_text("utf-8"))
    return [re.sub(rf"(?m)^{margin}", "", code) for margin, code in found]


def run(page, capsys):
    """Run a page in one session, from top to bottom, and hold what it prints against its comments."""
    names = {}
    for block in blocks(page):
        exec(block, names)
    expected = re.findall(r"(?m)^print\(.*?\)\s+# (.+)$", "\n".join(blocks(page)))
    assert capsys.readouterr().out.splitlines()[: len(expected)] == expected


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", [pytest.param(RUN[0], marks=pytest.mark.slow), *RUN[1:]])
def test_the_code_of_a_page_runs_in_order_and_prints_what_it_says(page, capsys):
    run(page, capsys)


def test_no_page_with_code_is_forgotten():
    pages = ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
    assert {page for page in pages if blocks(page)} == {*RUN, *RUN_ELSEWHERE}


@pytest.mark.slow
def test_readme_writes_what_it_says(tmp_path, capsys):
    run("README.md", capsys)
    log, *sheets = sorted(path.name for path in tmp_path.iterdir())
    assert sheets == ["practice.html", "sheet.html", "sheet.pdf"]
    assert log == "handcalc-log.jsonl"


@pytest.mark.slow
@pytest.mark.usefixtures("minilm", "real")
def test_the_code_about_trained_models_runs(tmp_path, capsys):
    words = {word: number for number, word in enumerate(("?", "Once", "upon", "a", "time"))}
    folder = tmp_path / "my-gpt2"
    folder.mkdir()
    model_files.write(folder, model_files.gpt_2(), model_files.GPT_2_SETTINGS)
    tokenizer = {"model": {"type": "WordLevel", "vocab": words, "unk_token": "?"}}
    tokenizer["pre_tokenizer"] = {"type": "Whitespace"}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    run("docs/models.md", capsys)


def test_the_configuration_of_a_hub_starts_a_command_that_exists():
    (block,) = blocks("docs/deploy.md")
    c = SimpleNamespace(JupyterHub=SimpleNamespace())
    exec(block, {"c": c})
    (service,) = c.JupyterHub.services
    options = make_parser().parse_args(service["command"][1:])
    assert (options.hub, options.teachers) == (True, "anna,@staff")


def test_readme_is_one_page():
    assert len(README.splitlines()) <= 110
    assert len(README.split()) <= 900


def test_code_comes_within_the_first_thirty_lines():
    assert "```python" in README[: README.index("<picture>", 900)]
    assert "```sh" in "\n".join(README.splitlines()[:20])


def test_each_extra_is_listed_with_what_it_brings():
    listed = re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", (ROOT / "docs" / "install.md").read_text("utf-8"))
    assert dict(listed) == {name: extra.brings for name, extra in EXTRAS.items()}


def test_the_page_of_lessons_lists_every_notebook_in_order():
    page = (ROOT / "docs" / "lessons.md").read_text("utf-8")
    listed = re.findall(r"(?m)^\| `(\d\d_\w+|practice)` \|", page)
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
    assert len(names) > 6
    assert {name for name in names if not hasattr(hc, name)} == set()


def test_pictures_have_an_alternative_text():
    assert all(re.search(r'alt="[^"]{20,}"', tag) for tag in re.findall(r"<img[^>]*>", README))
