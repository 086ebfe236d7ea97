"""Topics from a teacher's own file: numbers, codes, sheets, a class; and what is told without it."""

import functools
import json
import os
import re
import shlex
import sys

import cases
import numpy as np
import pytest
from own_topics import GATED, forget, forgotten
from test_cli import said

import handcalc as hc
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts import class_folder, worksheet
from handcalc.classroom.handouts.class_folder import ClassFolder, ClassSettings
from handcalc.classroom.handouts.exercise_notebook import make_notebook
from handcalc.classroom.insight.next_topics import find_training
from handcalc.course.lesson_topics import by_lesson
from handcalc.practice.exercise import codes
from handcalc.practice.topics import OWN_LETTERS, TOPIC_LETTERS, TOPIC_NUMBERS, TOPICS, own_topics, problems


@pytest.fixture(autouse=True)
def alone():
    with forgotten():
        yield


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_topic.py"
    path.write_text(GATED, "utf-8")
    return path


def test_a_topic_of_ones_own_is_practised_as_any_other(file):
    assert own_topics.read_file(file) == ["gated_sum"]
    code = hc.code("gated_sum", 7, 2)
    assert code.startswith("YG2-")
    drawn = hc.problem("gated_sum", 7, 2)
    assert all((hc.load(code.lower())[name].values == drawn[name].values).all() for name in drawn)
    assert drawn["x"].shape == (4, 1)
    numbers = {name: matrix.values for name, matrix in drawn.items()}
    z = numbers["W"] @ numbers["x"] + numbers["b"]
    np.testing.assert_allclose(numbers["f"], 1 / (1 + np.exp(-z)), rtol=1e-14)
    assert hc.Exercise(code).check(z=z, f=1 / (1 + np.exp(-z))).is_complete
    assert codes.read_code(codes.following_code(code))[:3] == ("gated_sum", 8, 2)
    assert hc.faded_examples("gated_sum")[0].code.startswith("YG1-")
    assert by_lesson()["Your own"] == ["gated_sum"]


def test_the_function_can_still_be_called_and_a_cell_run_again(file):
    own_topics.read_file(file)
    before = hc.problem("gated_sum")

    @hc.topic("gated_sum", letters="YG")
    def other(rng, level):
        A = hc.Matrix(rng.matrix(2, 2, [1, 2, 3, 4, 5]), "A")
        return hc.Calculation((A @ A).named("B"), title="Another")

    assert hc.problem("gated_sum").title == "Another" != before.title
    assert other.__name__ == "other"


def test_a_file_may_import_what_lies_beside_it(file):
    (file.parent / "beside_my_topic.py").write_text("CHOICES = [-1, 1, 2]\n", "utf-8")
    file.write_text("from beside_my_topic import CHOICES\n" + GATED.replace("[-1, 1, 2]", "CHOICES"), "utf-8")
    before = list(sys.path)
    assert own_topics.read_file(file) == ["gated_sum"]
    assert sys.path == before
    assert hc.problem("gated_sum", 2).steps


def test_where_the_file_is_not_known_a_code_says_what_it_is(file):
    own_topics.read_file(file)
    code = hc.code("gated_sum", 7)
    forget()
    sentence = f"^'{code}' is the code of a custom topic: import the file .* --file.$"
    for attempt in (hc.load, hc.Exercise, hc.practise):
        with pytest.raises(hc.HandcalcError, match=sentence):
            attempt(code)
    with pytest.raises(hc.HandcalcError, match="one of its characters is mistyped"):
        hc.load(code[:-1] + ("2" if code[-1] != "2" else "3"))
    assert codes.spell_code(f" {code.lower()} ") == code


def test_no_slip_turns_the_letters_of_a_topic_into_those_of_ones_own():
    """Beside every built-in topic whose letters one slip or swap would change, the check sign differs."""
    known = {
        word.translate(codes.MISTAKEN_SIGNS): TOPIC_NUMBERS[name] for name, word in TOPIC_LETTERS.items()
    }
    assert [OWN_LETTERS[f"Y{letter}"] for letter in "ABHJNPXZ"] == [0, 1, 7, 8, 12, 13, 21, 22]  # for ever
    assert not any(word.startswith("Y") for word in TOPIC_LETTERS.values())
    assert len({value % codes.CODE_BASE for value in OWN_LETTERS.values()}) == len(OWN_LETTERS)
    for letters, count in OWN_LETTERS.items():
        first, second = letters.translate(codes.MISTAKEN_SIGNS)
        for other, number in known.items():
            if other[1] == second or other == second + first:
                assert (number - count) % codes.CODE_BASE, (letters, other)


@pytest.mark.parametrize(
    ("name", "letters", "sentence"),
    [
        ("softmax", "YS", "handcalc already has a topic 'softmax'; give yours another name."),
        ("My Topic", "YM", "The topic is called 'My Topic'; a name has only lowercase letters and _"),
        (7, "YM", "The topic is called 7;"),
        ("mine", "SM", "The letters of 'mine' are 'SM'; they must be a capital Y and another capital letter"),
        ("mine", "YI", "(but not I, O or Y)"),
        ("mine", None, "The letters of 'mine' are None"),
        ("mine", "YG", "Your topic 'gated_sum' already has the letters YG; give 'mine' others."),
    ],
)
def test_a_name_or_letters_that_cannot_be_are_refused(file, name, letters, sentence):
    own_topics.read_file(file)
    cases.assert_refused(lambda: hc.topic(name, letters=letters), sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1 / 0", "my_topic.py stops on line 1: ZeroDivisionError, 'division by zero'."),
        ("def f(:\n", "my_topic.py stops on line 1: SyntaxError, 'invalid syntax'."),
        ("raise SystemExit('enough')", "my_topic.py stops on line 1: SystemExit, 'enough'."),
        ("import not_beside_it", "my_topic.py stops on line 1: ModuleNotFoundError, "),
        ("x = 1\0", "my_topic.py stops: "),
        ("# coding: latin-9999", "my_topic.py stops: SyntaxError, 'unknown encoding: latin-9999'."),
        (
            GATED + GATED.replace("YG", "YH"),
            "my_topic.py has two topics called 'gated_sum'; give one of them",
        ),
        ("import handcalc", 'has no topic: write @hc.topic("my_topic", letters="YM") above a function'),
        (GATED.replace("(rng, level)", "(rng)"), "takes two arguments: def gated_sum(rng, level)."),
    ],
)
def test_a_file_that_is_no_good_gets_one_sentence(file, capsys, text, sentence):
    file.write_text(text, "utf-8")
    code, _, err = said(capsys, "worksheet", file)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("    return None", "The function of 'mine' returns a NoneType; let it return an hc.Calculation(…)."),
        ('    return hc.Calculation(hc.Matrix([[1]], "A"))', "has only givens and nothing to work out;"),
        ("    return level.x", "'mine' cannot be drawn on line 4: AttributeError, "),
        ("    return hc.Matrix([[1]]) @ [[1, 2], [3, 4]]", "for the product"),
        (
            '    return hc.Calculation((hc.Matrix([[0], [0]], "A") * 2).named("B"))',
            "No good numbers were found for 'mine' with seed 1; mostly a token is all zeros",
        ),
    ],
)
def test_a_function_that_is_no_good_gets_one_sentence(file, line, sentence):
    file.write_text(f'import handcalc as hc\n@hc.topic("mine", letters="YM")\ndef f(rng, level):\n{line}\n')
    own_topics.read_file(file)
    cases.assert_refused(lambda: hc.problem("mine"), sentence)


def test_another_file_does_not_take_the_place_of_a_topic(file, tmp_path):
    """A copy of a file in which only the letters are new: half a class would get its numbers, unnoticed."""
    own_topics.read_file(file)
    assert own_topics.read_file(file) == ["gated_sum"]
    (tmp_path / "copied.py").write_text(GATED.replace("YG", "YH"), "utf-8")
    told = "my_topic.py and copied.py both have a topic called 'gated_sum'; give one of them another name."
    assert cases.refusal(lambda: own_topics.read_file(tmp_path / "copied.py")) == told


def test_numbers_that_come_from_elsewhere_than_rng_are_refused(file):
    """The key of a code would have other numbers than the sheet."""
    file.write_text(
        "import random\n" + GATED.replace("rng.matrix(2, 1, [-1, 1])", "[[random.random()], [1]]")
    )
    own_topics.read_file(file)
    with pytest.raises(hc.HandcalcError, match="'gated_sum' draws different numbers every time, so no code"):
        hc.problem("gated_sum")


def test_whatever_can_be_called_makes_a_topic():
    def two(low, rng, level):
        return hc.Calculation((hc.Matrix(rng.matrix(2, 2, [low, 2, 5]), "A") @ [[1], [3]]).named("B"))

    hc.topic("partly", letters="YP")(functools.partial(two, 1))
    assert "B" in hc.problem("partly")
    hc.topic("partly", letters="YP")(functools.partial(two, "x"))
    with pytest.raises(hc.HandcalcError):
        hc.problem("partly", 2)
    hc.topic("partly", letters="YP")(functools.partial(lambda low, rng, level: {}[low], 1))
    assert cases.refusal(lambda: hc.problem("partly", 3)) == "'partly' cannot be drawn: KeyError, '1'."


@pytest.mark.slow
def test_the_command_takes_a_file_for_a_topic(file, tmp_path, capsys):
    code, out, _ = said(capsys, "worksheet", file, "--level", 2, "-o", tmp_path)
    assert (code, out) == (0, f"{tmp_path}/YG2-423C.pdf: YG2-423C, 1 page\n")
    forget()
    code, out, _ = said(capsys, "notebook", f"{file}:gated-sum", "-o", tmp_path)
    assert (code, out.split()[-1]) == (0, "YG1-4238")
    forget()
    assert said(capsys, "key", "YG1-4238", "-o", tmp_path / "k.pdf")[0] == 2
    assert said(capsys, "key", "YG1-4238", "--file", file, "-o", tmp_path / "k.pdf")[0] == 0
    listed = said(capsys, "topics", "--file", file)[1].splitlines()
    assert ["gated-sum", "z,", "f"] in [line.split() for line in listed]
    _, _, err = said(capsys, "worksheet", f"{file}:other", "-o", tmp_path)
    assert err == "my_topic.py has one topic, gated_sum; name it, as in my_topic.py:gated_sum.\n"
    for named in (f"{file}:gated_sum:2", f"{file}:2"):
        _, _, err = said(capsys, "worksheet", named, "-o", tmp_path)
        assert err == "Give the level by itself here: my_topic.py:gated_sum --level 2.\n"
    _, _, err = said(capsys, "worksheet", tmp_path / "none.py")
    assert err.startswith("There is no file ")
    assert err.endswith("none.py.\n")


def test_the_command_takes_a_calculation_that_was_saved(tmp_path, capsys):
    A = hc.Matrix([[1, 2], [3, 4]], "A")
    spec = hc.Calculation((A @ A).named("B"), title="A square").to_spec()
    (tmp_path / "square.json").write_text(json.dumps(spec))
    code, out, _ = said(capsys, "worksheet", tmp_path / "square.json", "-o", tmp_path)
    assert (code, out) == (0, f"{tmp_path}/square.pdf: A square, 1 page\n")
    _, _, err = said(capsys, "worksheet", tmp_path / "square.json", "--seed", 3)
    assert err.endswith("stands for one sheet; leave out --seed, --level and --count.\n")
    (tmp_path / "square.json").write_text("[1, 2")
    _, _, err = said(capsys, "worksheet", tmp_path / "square.json")
    assert "is not a calculation; save one with" in err
    _, _, err = said(capsys, "class", "new", tmp_path / "c", "--count", 1, "--topic", "square.json")
    assert err.startswith("square.json has the same numbers for everyone;")


@pytest.mark.slow
@pytest.mark.parametrize("secret", ["", "s" * 32])
def test_a_class_on_it_is_marked_where_the_file_is_not(file, tmp_path, capsys, secret):
    own_topics.read_file(file)
    topics = [("gated_sum", 1)]
    class_folder.make_class(tmp_path / "c", ["Ada", "Bo"], ClassSettings("c", topics=topics, secret=secret))
    forget()
    made = ClassFolder(tmp_path / "c")
    assert made.topics == topics
    entry = made.register[0]
    exercise = made.numbers.exercise(entry.code)
    assert (entry.topic, entry.level, exercise.calculation.title) == ("gated_sum", 1, "A gate of my own")
    assert find_training("gated_sum", 1, ("z",)) is None
    z = exercise.calculation["z"].values
    filled = "\n".join(
        f'{{"code": "{entry.code}", "step": "z", "row": {i}, "column": 0, "text": "{z[i, 0] + i}"}}'
        for i in (0, 1)
    )
    (tmp_path / "Ada.jsonl").write_text(filled)
    code, out, _ = said(capsys, "class", "mark", tmp_path / "c", tmp_path / "Ada.jsonl")
    assert code == 0
    assert "✓ 1 right, → 0 following, ✗ 1 wrong" in out
    lost = tmp_path / "c" / "numbers" / f"{made.register[1].code}.json"
    kept = lost.read_bytes()
    lost.unlink()  # only the file has these numbers
    with pytest.raises(hc.HandcalcError, match="is missing" if secret else "is the code of a custom topic"):
        made.numbers.exercise(lost.stem)
    lost.write_bytes(kept)
    _, out, _ = said(capsys, "class", "report", tmp_path / "c", "--next")
    assert "Fresh numbers of gated_sum need the file that it comes from: name it with --file." in out
    _, _, err = said(capsys, "class", "add", tmp_path / "c", "--name", "Cy")
    assert err.startswith("This class practises gated_sum, a topic of your own: ")
    own_topics.read_file(file)
    assert find_training("gated_sum", 1, ("z",)) == ("gated_sum", 1, ("z",))
    class_folder.add_students(tmp_path / "c", [Student("Cy")])
    assert len(ClassFolder(tmp_path / "c").register) == 3


@pytest.mark.slow
def test_a_class_on_topics_of_two_files_and_of_handcalc_is_reported_without_and_added_to_with_them(
    file, tmp_path, capsys
):
    other = tmp_path / "other.py"
    other.write_text(GATED.replace("gated_sum", "closed_sum").replace("YG", "YH"), "utf-8")
    asked = [word for one in (file, other, "matrix-product") for word in ("--topic", one)]
    assert said(capsys, "class", "new", tmp_path / "c", "--count", 1, "--codes", *asked)[0] == 0
    forget()
    entry = next(one for one in ClassFolder(tmp_path / "c").register if one.topic == "matrix_product")
    step = next(iter(hc.load(entry.code).steps))
    wrong = {"code": entry.code, "step": step, "row": 0, "column": 0, "text": "99"}
    (tmp_path / "Ada.jsonl").write_text(json.dumps(wrong))
    assert said(capsys, "class", "mark", tmp_path / "c", tmp_path / "Ada.jsonl")[0] == 0
    code, out, err = said(capsys, "class", "report", tmp_path / "c", "--next")
    assert (code, err) == (0, "")
    assert "1 sheet for 1 student" in out
    add = ("class", "add", tmp_path / "c", "--name", "Cy", "--file", file)
    assert "This class practises closed_sum" in said(capsys, *add)[2]
    forget()
    assert said(capsys, *add, "--file", other)[0] == 0
    assert len(ClassFolder(tmp_path / "c").register) == 6
    forget()
    file.write_text(GATED.replace("YG", "YJ"), "utf-8")  # a function that draws differently has other letters
    assert said(capsys, *add[:-4], "--name", "Di", "--file", file, "--file", other)[::2] == (0, "")
    letters = [one.code[:3] for one in ClassFolder(tmp_path / "c").register if one.topic == "gated_sum"]
    assert letters == ["YG1", "YG1", "YJ1"]


def test_a_file_that_was_changed_within_a_second_is_read_as_it_is_now(file, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    before = file.stat()
    own_topics.read_file(file)
    forget()
    file.write_text(GATED.replace("YG", "YH"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert {TOPIC_LETTERS[name] for name in own_topics.read_file(file)} == {"YH"}


@pytest.mark.slow
def test_a_report_tells_how_to_write_a_sheet_of_it_with_its_file(file, tmp_path, capsys):
    assert said(capsys, "class", "new", tmp_path / "c", "--count", 3, "--topic", file)[0] == 0
    wrong = [
        json.dumps({"code": one.code, "step": "z", "row": 0, "column": 0, "text": "99"})
        for one in ClassFolder(tmp_path / "c").register
    ]
    (tmp_path / "Ada.jsonl").write_text("\n".join(wrong))
    said(capsys, "class", "mark", tmp_path / "c", tmp_path / "Ada.jsonl")
    assert said(capsys, "class", "report", tmp_path / "c", "--file", file)[0] == 0
    (told,) = re.findall(
        "<code>handcalc worksheet (.*?)</code>", (tmp_path / "c" / "report.html").read_text()
    )
    forget()
    assert said(capsys, "worksheet", *shlex.split(told), "-o", tmp_path)[0] == 0


def test_a_notebook_of_it_carries_the_numbers(file):
    """A learner has no file: what the notebook calculates is in it, and marks what is filled in."""
    own_topics.read_file(file)
    exercise = hc.Exercise(hc.code("gated_sum", 3), blank=["f"])
    made = make_notebook(exercise)
    forget()
    start = [cell for cell in made["cells"] if cell["cell_type"] == "code"][:2]
    assert start[0]["metadata"]["jupyter"] == {"source_hidden": True}
    names = {}
    for cell in start:
        exec("".join(cell["source"]), names)
    assert names["exercise"].blank == ("f",)
    assert names["exercise"].check(f=exercise.calculation["f"].values).is_complete


def drawn_quickly(exercises, path, *, key, paper):
    """The files of a sheet, empty: what is on it is tested elsewhere, and takes its time."""
    for one in (path, *([key] if key else [])):
        one.write_bytes(b"")


def test_templates_of_it_lead_from_worked_to_fresh_numbers(file, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(worksheet, "save_worksheets", drawn_quickly)
    code, out, _ = said(capsys, "templates", file, "-o", tmp_path / "g")
    assert (code, out.count("\n")) == (0, 4)
    names = ["1_worked", "2_some_blanks", "3_all_blank", "4_fresh_numbers"]
    found = sorted(path.name for path in (tmp_path / "g").iterdir())
    keys = [f"{name}-key.pdf" for name in names[1:]]
    assert found == sorted([*keys, *(f"{name}{end}" for name in names for end in (".ipynb", ".pdf"))])
    forget()
    exercises = []
    for name in names:
        cells = json.loads((tmp_path / "g" / f"{name}.ipynb").read_text("utf-8"))["cells"]
        variables = {}
        for cell in [cell for cell in cells if cell["cell_type"] == "code"][:2]:
            exec("".join(cell["source"]), variables)
        exercises.append(variables["exercise"])
    assert [one.blank for one in exercises] == [(), ("f",), ("z", "f"), ("z", "f")]
    same = [(one.calculation["W"].values == exercises[0].calculation["W"].values).all() for one in exercises]
    assert same == [True, True, True, False]
    _, _, err = said(capsys, "templates", file, "-o", tmp_path / "g")
    assert "exists already; choose another name, or replace it with --force." in err
    assert said(capsys, "templates", "SM1-4232")[2].startswith("'SM1-4232' is the code of one sheet; ")


def test_another_name_for_it_leaves_its_codes_as_they_are(file):
    own_topics.read_file(file)
    code = hc.code("gated_sum", 5)
    before = hc.load(code)
    forget()
    file.write_text(GATED.replace("gated_sum", "gated"), "utf-8")
    own_topics.read_file(file)
    assert hc.code("gated", 5) == code
    assert all((hc.load(code)[name].values == before[name].values).all() for name in before)


def test_of_ones_own_topic_a_draw_in_which_two_mistakes_are_alike_will_do(file, monkeypatch):
    """But only where there is no better one among the first draws; a topic of handcalc has a better one."""
    own_topics.read_file(file)
    monkeypatch.setattr(problems, "unmet", lambda *_: iter([problems.ALIKE]))
    first = TOPICS["gated_sum"](problems.stream("gated_sum", 81, 1), 1)
    drawn = hc.problem("gated_sum", 81)
    assert all((drawn[name].values == first[name].values).all() for name in first)
    monkeypatch.setattr(problems, "MAX_DRAWS", 3)
    with pytest.raises(hc.HandcalcError, match="No good numbers were found for 'softmax' with seed 81;"):
        hc.problem("softmax", 81)
