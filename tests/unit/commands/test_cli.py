"""The `handcalc` command: what it writes, and one plain sentence for bad input."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import handcalc as hc
from handcalc.classroom.handouts import worksheet
from handcalc.classroom.handouts.worksheet import save_class
from handcalc.cli import main
from handcalc.practice.topics import EXAMPLES
from handcalc.practice.topics.problems import TOPICS


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def said(capsys, *arguments):
    code = main([*map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_topics_lists_every_topic_and_example_once_below_its_lesson_with_its_steps(capsys):
    code, out, err = said(capsys, "topics")
    assert (code, err) == (0, "")
    lines = out.partition("\nThe public collection")[0].splitlines()  # which test_lesson_by_hand.py reads
    names = [line.split()[0].replace("-", "_") for line in lines if line.startswith("  ")]
    assert sorted(names) == sorted([*TOPICS, *EXAMPLES, "sentence/the_cat_sat"])
    *lessons, own = [line for line in lines if line and not line.startswith(" ")]
    assert own == "Your own sentence, of 2 to 8 words"
    assert lessons == sorted(lessons)
    assert all(re.match(r"\d\d [A-Z]", lesson) for lesson in lessons)
    listed = [" ".join(line.split()) for line in lines]
    assert "(1 step)" in out
    assert "(1 steps)" not in out
    assert "self-attention Q, K, V, S, S_scaled, E, E_sum, A, Z" in listed
    assert "multi-head-attention head_1 (9 steps), head_2 (9 steps), concat, Z" in listed
    assert listed.index("06 Masks") < listed.index("padding-mask S_masked, E, E_sum, A")


@pytest.mark.slow
def test_worksheet_writes_a_sheet_and_its_key(capsys):
    options = ["--seed", "7", "--level", "1", "--rows", "--paper", "letter", "--key", "-o", "sheet.pdf"]
    code, out, _ = said(capsys, "worksheet", "self-attention", *options)
    sign = hc.code("self_attention", 7, convention="rows")
    assert code == 0
    assert out == f"sheet.pdf: {sign}, 1 page\nsheet-key.pdf: its key, 1 page\n"
    assert Path("sheet.pdf").read_bytes()[:4] == Path("sheet-key.pdf").read_bytes()[:4] == b"%PDF"


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"places": 3}, ["--places", "3"]),
        ({"blank": ["E", "A"], "convention": "rows"}, ["--blank", "A, E", "--rows"]),
    ],
)
def test_a_key_is_found_by_its_code_alone_and_so_is_the_sheet(capsys, options, flags):
    said(capsys, "worksheet", "softmax", "--seed", "3", "--key", *flags, "-o", "s.pdf")
    sign = hc.code("softmax", 3, **options)
    typed = sign.lower().replace("-", " ")
    code, out, _ = said(capsys, "key", typed, "-o", "key.pdf")
    assert (code, out) == (0, f"key.pdf: key to {sign}, 1 page\n")
    assert Path("key.pdf").read_bytes() == Path("s-key.pdf").read_bytes()
    said(capsys, "worksheet", typed, "-o", "again.pdf")
    assert Path("again.pdf").read_bytes() == Path("s.pdf").read_bytes()


@pytest.mark.usefixtures("undrawn")
def test_the_worked_example_has_a_sheet_and_a_code_too(capsys):
    code, out, _ = said(capsys, "worksheet", "worked-example", "--blank", "Z", "-o", "s.pdf")
    assert (code, out) == (0, f"s.pdf: {hc.code('worked_example', blank='Z')}, 1 page\n")


@pytest.mark.usefixtures("undrawn")
def test_without_a_path_the_code_is_the_file_s_name(capsys):
    said(capsys, "worksheet", "dot-product")
    said(capsys, "notebook", "dot-product")
    sign = hc.code("dot_product")
    assert {path.name for path in Path().iterdir()} == {f"{sign}.pdf", f"{sign}.ipynb"}


@pytest.mark.usefixtures("undrawn")
def test_count_writes_a_class_s_sheets_and_keys_into_a_folder(capsys):
    code, out, _ = said(capsys, "worksheet", "matrix-product", "--count", "2", "-o", "class")
    first, last = (hc.code("matrix_product", seed) for seed in (1, 2))
    assert code == 0
    assert f"2 sheets, {first} to {last}" in out
    assert {path.name for path in Path("class").iterdir()} == {"sheets.pdf", "keys.pdf"}


@pytest.mark.usefixtures("undrawn")
def test_a_folder_a_name_without_ending_and_no_name_at_all_will_do(capsys):
    Path("mine").mkdir()
    sign = hc.code("dot_product")
    for arguments in (["-o", "mine"], ["-o", "sheet"], []):
        assert said(capsys, "worksheet", "dot-product", *arguments)[0] == 0
    assert {str(path) for path in Path().rglob("*.pdf")} == {
        str(Path("mine") / f"{sign}.pdf"), "sheet.pdf", f"{sign}.pdf"
    }  # fmt: skip


@pytest.mark.slow
def test_a_second_process_writes_the_same_as_one():
    save_class("dot_product", 1, "two", processes=2)
    save_class("dot_product", 1, "one")
    for name in ("sheets.pdf", "keys.pdf"):
        assert Path("two", name).read_bytes() == Path("one", name).read_bytes()


@pytest.mark.parametrize(("count", "processes"), [("5", 1), ("6", 2)])
def test_a_second_process_helps_from_six_sheets_on(capsys, monkeypatch, count, processes):
    asked = []
    monkeypatch.setattr(worksheet, "save_class", lambda *_, **how: asked.append(how["processes"]) or ["DP1"])
    said(capsys, "worksheet", "dot-product", "--count", count)
    assert asked == [processes]


def test_notebook_writes_a_template(capsys):
    code, _, _ = said(capsys, "notebook", "softmax", "--seed", "9", "--rows", "--blank", "A", "-o", "n.ipynb")
    cells = json.loads(Path("n.ipynb").read_text("utf-8"))["cells"]
    assert code == 0
    sign = hc.code("softmax", 9, blank=["A"], convention="rows")
    assert f'hc.Exercise("{sign}")' in "".join(cells[1]["source"])


def test_practice_writes_a_page(capsys):
    code, out, _ = said(capsys, "practice", "softmax", "--problems", "2", "-o", "page.html")
    assert (code, out) == (0, "page.html: Softmax, 2 problems\n")
    hc.practise("softmax", seeds=2).save_html("same.html")
    assert Path("page.html").read_text("utf-8") == Path("same.html").read_text("utf-8")


ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "teaching.md").read_text("utf-8")
COMMANDS = sorted(
    {
        tuple(line.partition("#")[0].replace("--count 30", "--count 2").split()[1:])
        for block in re.findall(r"(?s)```sh\n(.*?)```", TEXT)
        for line in block.splitlines()
        if "bin/handcalc" in line and " class " not in line  # a class has tests of its own
    }
)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_that_is_told_of_does_what_is_told(capsys, command):
    code, out, err = said(capsys, *command)
    assert (code, err) == (0, "")
    assert "-o" not in command or Path(command[command.index("-o") + 1]).exists()
    assert all(Path(line.partition(":")[0]).is_file() for line in out.splitlines() if ".pdf:" in line)


def test_the_answers_that_are_told_of_are_right():
    (answer,) = re.findall(r'hc\.Exercise\("(\S+?)"\)\.check\(Q=(\[\[.*?\]\])\)', TEXT)
    exercise = hc.Exercise(answer[0])
    assert exercise.check(Q=json.loads(answer[1])).count("correct") == exercise.calculation["Q"].values.size


INSTALLED = Path(sys.executable).with_name("handcalc")
MODULE = [sys.executable, "-m", "handcalc"]


@pytest.mark.parametrize("command", [[str(INSTALLED)] if INSTALLED.exists() else MODULE, MODULE])
def test_the_installed_command_runs_and_so_does_the_package(command):
    run = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"handcalc {hc.__version__}\n"


@pytest.mark.slow
def test_neither_the_package_nor_topics_draws_anything():
    script = (
        "import sys, handcalc as hc; hc.faded_examples, hc.load; "
        "from handcalc.cli import main; main(['topics']); "
        "assert not {'matplotlib', 'ipywidgets'} & set(sys.modules); "
        "room = 'handcalc.classroom.'; of_room = {m for m in sys.modules if m.startswith(room)}; "
        "assert of_room <= {room + 'folder', room + 'folder.folder_layout'}, of_room"  # names of files alone
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    script = "import sys, handcalc; assert not [m for m in sys.modules if m.startswith('handcalc.practice')]"
    subprocess.run([sys.executable, "-c", script], check=True)
