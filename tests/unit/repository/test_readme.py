"""What README and docs show is what happens: their code runs, their comments are what is printed."""

import builtins
import doctest
import inspect
import json
import pkgutil
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import model_files
import public_names
import pytest
from own_topics import forgotten

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


# What docstrings show is what happens; each public name shows something.
MODULES = ("handcalc", *(name for _, name, _ in pkgutil.walk_packages(hc.__path__, "handcalc.")))
SHOWN = [name for name in MODULES if ">>> " in Path(find_spec(name).origin).read_text("utf-8")]
FINDER = doctest.DocTestFinder()
MODEL = "all-MiniLM-L6-v2"  # in examples, a folder with its weights


def examples_of(thing, name, module=None):
    found = FINDER.find(thing, name, module, extraglobs={"hc": hc})
    return [test for test in found if test.examples]


def examples():
    """All in handcalc; those of a public function stand under its public name."""
    everywhere = [test for name in SHOWN for test in examples_of(import_module(name), name)]
    public = [
        test for name, thing in public_names.ALL.items() for test in examples_of(source(thing), f"hc.{name}")
    ]
    return {(test.filename, test.lineno): test for test in (*everywhere, *public)}.values()


def source(thing):
    """What was written, of a function that a decorator wraps."""
    return thing if inspect.isclass(thing) else inspect.unwrap(thing)


SLOW = {"hc.check_setup", "hc.save_worksheet", "hc.faded_examples", "hc.draw.kv_cache"}
SLOW |= {"handcalc.practice.exercise.practise.Practice.save_html"}
EXAMPLES = [
    pytest.param(
        test,
        id=test.name,
        marks=[
            *[pytest.mark.minilm] * (MODEL in test.docstring or "models.minilm(" in test.docstring),
            *[pytest.mark.slow] * (test.name in SLOW),
        ],
    )
    for test in examples()
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_a_docstring_come_out_as_they_are_written(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(builtins, "_", None, raising=False)  # where a prompt keeps what it showed last
    if MODEL in example.docstring:
        (tmp_path / MODEL).symlink_to(import_module("handcalc.models.minilm").folder())
    with forgotten():
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        assert runner.run(example).failed == 0


def test_a_public_name_opens_with_an_example_that_is_run():
    for name in public_names.DESCRIBED:
        opening, _, rest = inspect.cleandoc(source(public_names.ALL[name]).__doc__).partition("\n\n")
        assert opening, f"{name}: one sentence says what it is"
        assert rest.startswith(">>> "), f"{name}: an example comes next"
        examples = doctest.DocTestParser().get_examples(rest)
        assert not any(doctest.SKIP in example.options for example in examples), name


def signatures(name):
    """What is told of a public name's parameters and results, its methods' too."""
    thing = source(public_names.ALL[name])
    if not inspect.isclass(thing):
        return [inspect.signature(thing)]
    ours = [kind for kind in thing.__mro__ if kind.__module__.startswith("handcalc.")]
    called = {"__init__", "__new__"} | {where for kind in ours for where in vars(kind) if where[0] != "_"}
    functions = [function_of(vars(kind)[where]) for kind in ours for where in called & vars(kind).keys()]
    return [inspect.signature(function) for function in functions if inspect.isfunction(function)]


def function_of(member):
    """What is behind a property, kept or not, and behind a method of the class."""
    kept = (getattr(member, kind, None) for kind in ("fget", "func", "__func__"))
    return next(filter(None, kept), member)


def test_a_public_signature_says_what_is_taken_and_what_comes_back():
    for name in public_names.DESCRIBED:
        for signature in signatures(name):
            taken = [one.annotation for one in signature.parameters.values()]
            assert not re.search(r"\bAny\b", f"{taken} {signature.return_annotation}"), name


def test_a_vague_signature_is_seen(monkeypatch):
    def vague(self, one: "dict[str, Any]", *many: int) -> int: ...  # noqa: F821

    monkeypatch.setattr(hc.Matrix, "vague", property(vague), raising=False)
    assert len(signatures("Matrix")) > 20
    assert any("Any" in str(signature) for signature in signatures("Matrix"))
