"""What the `handcalc` command refuses, in one plain sentence: bad input, and files that are there already."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import handcalc as hc
from handcalc import cli
from handcalc.cli import main


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


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
