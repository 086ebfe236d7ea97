"""The `handcalc` command: what it writes, and one plain sentence for what it refuses."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import handcalc as hc
from handcalc import cli
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


# What it refuses, in one plain sentence: bad input, and files that are there already.
def refused(capsys, *arguments):
    """The sentence on stderr; nothing is written to stdout, and no file that was not there."""
    before = sorted(Path().rglob("*"))
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code
    told = capsys.readouterr()
    assert code == 2
    assert told.out == ""
    assert sorted(Path().rglob("*")) == before
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    assert len(told.err) <= 201
    assert told.err.strip().isprintable()
    return told.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "The following arguments are required: COMMAND."),
        (["explain"], "nvalid choice: 'explain'"),
        (["explain" * 100], "nvalid choice: 'explain"),
        (["worksheet"], "The following arguments are required: topic."),
        (["worksheet", "alchemy"], "There is no topic 'alchemy'; there are dot_product"),
        (["worksheet", "a" * 3000], "There is no topic 'aaa"),
        (["worksheet", "a\n\ud800b"], "There is no topic"),
        (["worksheet", "sofmax"], "There is no topic 'sofmax'; did you mean 'softmax'?"),
        (["worksheet", "attention"], "did you mean '"),
        (["worksheet", "softmax", "-o", "s.docx"], "s.docx is not a .pdf file; name it s.pdf."),
        (["notebook", "softmax", "-o", "s.pdf"], "s.pdf is not a .ipynb file; name it s.ipynb."),
        (["worksheet", "softmax", "--count", "2", "-o", "two.PDF"], "-o names a folder, not a file such as"),
        (["worksheet", "softmax", "--seed", "x"], "Argument --seed: 'x' is not a whole number."),
        (["worksheet", "softmax", "--seed", "9" * 5000], "is not a whole number."),
        (["worksheet", "softmax", "--seed", "-4"], "The seed is -4"),
        (["worksheet", "softmax", "--level", "4"], "The level is 4; it must be 1, 2 or 3."),
        (["worksheet", "softmax", "--paper", "a5"], "paper is 'a5'; it must be 'a4' or 'letter'."),
        (["worksheet", "softmax", "--paper", "a5", "--count", "2"], "paper is 'a5'; it must be 'a4'"),
        (["worksheet", "softmax", "--places", "99"], "places is 99; it must be a whole number from 0 to 20."),
        (["worksheet", "softmax", "--places", "x"], "Argument --places: 'x' is not a whole number."),
        (["worksheet", "softmax", "--blank", "Q"], "the steps are E, E_sum and A."),
        (["worksheet", "softmax", "--blank", ""], "Argument --blank: '' does not name a step."),
        (["worksheet", "softmax", "--blank", ", "], "Argument --blank: ', ' does not name a step."),
        (["worksheet", "softmax", "--count", "0"], "The count is 0; it must be 1 to 500."),
        (["worksheet", "softmax", "--count", "1000000000"], "The count is 1000000000; it must be 1 to 500."),
        (["worksheet", "softmax", "--count", str(10**400)], "it must be 1 to 500."),
        (["worksheet", "softmax", "--key", "--keep-answers"], "leave out one of --key and --keep-answers."),
        (["worksheet", "softmax", "-o", "none/s.pdf"], "none/s.pdf cannot be written: there is no such"),
        (["worksheet", "softmax", "-o", "none/"], "There is no folder none; create it first."),
        (["worksheet", "softmax", "-o", ""], "-o does not name a file."),
        (["worksheet", "softmax", "-o", "n" * 300], "its name is too long; choose a shorter one."),
        (["worksheet", "softmax", "-o", "a\0b"], "is not the name of a file."),
        (["notebook", "softmax", "-o", "n" * 300], "its name is too long; choose a shorter one."),
        (["worksheet", "softmax", "--count", "2", "-o", "n" * 300], "its name is too long"),
        (["worksheet", "worked-example", "--count", "2"], "has only 1 different sheet"),
        (["worksheet", "SM1-AAAA"], "one of its characters is mistyped"),
        (["worksheet", "SM1-4233", "--seed", "4"], "leave out --seed, --level and --count."),
        (["key", "SA1-AAAA"], "one of its characters is mistyped"),
        (["key", "K7FX-2M9P"], "is a ticket, which only the folder of its class has the key to"),
        (
            ["class", "new", "c", "--count", "2", "--codes", "--keep-answers"],
            "--codes and --keep-answers cannot be used together",
        ),
        (
            ["class", "new", "c", "--count", "2", "--solutions", "--keep-answers"],
            "--solutions and --keep-answers cannot be used together",
        ),
        (["key", "softmax"], "'softmax' is not the code of a sheet, such as SM1-4232; to write a new"),
        (["notebook", "softmax", "-o", "none/n.ipynb"], "none/n.ipynb cannot be written: there is no such"),
    ],
)  # fmt: skip
def test_bad_input_is_one_plain_sentence_and_exit_code_2(capsys, arguments, sentence):
    assert sentence in refused(capsys, *arguments)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("there", "arguments"),
    [
        ("s.pdf", ["worksheet", "dot-product", "-o", "s.pdf"]),
        ("s.pdf", ["worksheet", "dot-product", "-o", "s"]),
        ("s-key.pdf", ["worksheet", "dot-product", "--key", "-o", "s.pdf"]),
        ("class/sheets.pdf", ["worksheet", "dot-product", "--count", "2", "-o", "class"]),
        ("class/keys.pdf", ["worksheet", "dot-product", "--count", "2", "-o", "class"]),
        ("k.pdf", ["key", hc.code("dot_product"), "-o", "k.pdf"]),
        ("n.ipynb", ["notebook", "dot-product", "-o", "n.ipynb"]),
        (f"{hc.code('dot_product')}.ipynb", ["notebook", "dot-product"]),
    ],
)
def test_what_is_there_stays_unless_it_is_forced(capsys, there, arguments):
    """Somebody may have filled it in; with --force it is replaced, and with it what belongs to it."""
    path = Path(there)
    path.parent.mkdir(exist_ok=True)
    path.write_text("my answers")
    assert f"{path} exists already; choose another name, or replace it with --force." in refused(
        capsys, *arguments
    )
    assert path.read_text() == "my answers"
    assert main([*arguments, "--force"]) == 0
    assert path.read_text() != "my answers"


@pytest.mark.usefixtures("undrawn")
def test_a_class_keeps_its_answers(capsys):
    assert main(["worksheet", "dot-product", "--count", "1", "--keep-answers", "-o", "class"]) == 0
    assert [path.name for path in Path("class").iterdir()] == ["sheets.pdf"]
    assert "keys" not in capsys.readouterr().out


def test_ctrl_c_is_no_traceback_and_leaves_nothing(capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("handcalc.views.paper.set_pdf", interrupted)
    assert main(["worksheet", "dot-product", "--key", "-o", "s.pdf"]) == cli.STOPPED_EXIT_CODE
    assert capsys.readouterr() == ("", "Stopped; every file that is there is whole.\n")
    assert not list(Path().iterdir())


@pytest.mark.slow
def test_a_reader_who_has_left_a_closed_and_a_full_output_are_no_traceback():
    """One process for all; head reads one line and leaves before the rest is written."""
    script = (
        "import os, sys\n"
        "from handcalc.cli import main\n"
        "codes = []\n"
        "read, write = os.pipe(); os.close(read)\n"
        "sys.stdout = os.fdopen(write, 'w'); codes.append(main(['topics']))\n"
        "sys.stdout = None; codes.append(main(['topics']))\n"
        "sys.stdout = open('/dev/full', 'w') if os.path.exists('/dev/full') else None\n"
        "codes.append(main(['topics']))\n"
        "print(codes, file=sys.stderr)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    full = "The output cannot be written: the disk is full; free some space and try again.\n"
    assert run.stderr == (f"{full}[0, 0, 2]\n" if os.path.exists("/dev/full") else "[0, 0, 0]\n")  # noqa: PTH110
    assert run.returncode == 0


def test_what_a_terminal_cannot_write_is_spelled_out(monkeypatch):
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    Path("σ").mkdir()
    assert main(["notebook", "dot-product", "-o", "σ/n.ipynb"]) == 0
    assert narrow.buffer.getvalue().startswith(b"\\u03c3")


def test_a_notebook_may_call_the_command_though_its_output_is_no_file():
    """IPython's streams and io.StringIO have no encoding to be told."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as errors,
    ):
        assert main(["topics"]) == 0
        assert main(["key", "nothing"]) == 2
    assert "dot-product" in out.getvalue()
    assert errors.getvalue().startswith("'nothing' is not the code of a sheet")


def test_a_class_needs_the_name_of_a_folder(capsys):
    assert main(["worksheet", "dot-product", "--count", "2", "-o", ""]) == 2
    assert capsys.readouterr().err == "-o does not name a folder.\n"
    assert not list(Path().iterdir())
