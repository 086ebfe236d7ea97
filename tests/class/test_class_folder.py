"""The folder of a class: who has which numbers, what is written and said, nothing half done."""

import csv
import json
import re
import shutil
from pathlib import Path

import cases
import pytest
import qr
from class_files import class_of
from test_cli import said

import handcalc as hc
from handcalc.classroom.folder import students
from handcalc.classroom.folder.register import Register
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts import class_folder, class_handouts
from handcalc.classroom.handouts.class_address import find_class_address, read_address
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.cli import main
from handcalc.practice.exercise import codes

NAMES = ["Ada Lovelace", "=<script>alert(1)</script>", "Zoë *Wü* $x$"]
TABLE = "Student ID;NAME;e-mail\r\n" + "".join(
    f"{number};{name};{number}@school.org\r\n" for number, name in enumerate(NAMES, start=1)
)
TOPICS = [("softmax", 1), ("dot_product", 2), ("example_before_attention", 1)]
ADDRESS = "http://192.168.0.7:8737"


def made_in_one_process(arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handcalc.cli.class_making.SHEETS_FOR_TWO_PROCESSES", 1000)
        return main(arguments)


def make(path, *more):
    (path.parent / "names.csv").write_text(TABLE, "utf-8-sig")
    chosen = [f"--topic={topic.replace('_', '-')}:{level}" for topic, level in TOPICS]
    names = ["--students", path.parent / "names.csv"]
    more = ("--codes", "--seed", 7, "--address", ADDRESS, *more)
    return [str(one) for one in ("class", "new", path, *names, *chosen, *more)]


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """A class that is made once; nobody changes it."""
    path = tmp_path_factory.mktemp("school") / "8b"
    assert made_in_one_process(make(path)) == 0
    return ClassFolder(path)


def contents(path):
    return {
        file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()
    }


def cells(path):
    return json.loads(path.read_text("utf-8"))["cells"]


# who has what --------------------------------------------------------------------------------------


def test_everyone_has_a_sheet_of_each_topic_and_the_register_says_which(school):
    with (school.path / "register.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[:4] == ["name", "code", "topic", "level"]
    assert len(rows) == len({row[1] for row in rows}) == len(NAMES) * len(TOPICS)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    for number, own in school.register.students.items():
        assert [(one.topic, one.level) for one in own] == TOPICS
        assert {(one.name, one.id, one.email) for one in own} == {
            (NAMES[number - 1], str(number), f"{number}@school.org")
        }
    for entry in school.register:
        assert codes.read_code(entry.code)[:3:2] == (entry.topic, entry.level)


def test_what_is_stored_is_what_the_code_stands_for(school):
    for entry in school.register:
        kept, drawn = school.numbers.exercise(entry.code), hc.Exercise(entry.code)
        assert (kept.code, kept.blank, kept.solutions) == (entry.code, drawn.blank, False)
        for name, matrix in drawn.calculation.items():
            assert (kept.calculation[name].values == matrix.values).all()


def test_numbers_that_are_damaged_are_drawn_again(tmp_path):
    made = class_of(tmp_path / "c", ["", ""])
    code = made.register[0].code
    right = made.numbers.exercise(code).calculation
    for text in ("", "{}", "[1]", '{"spec": 3, "blank": 0, "places": []}', "\0"):
        (made.path / "numbers" / f"{code}.json").write_text(text)
        again = made.numbers.exercise(code).calculation
        assert all((again[name].values == matrix.values).all() for name, matrix in right.items())
    (made.path / "numbers" / f"{code}.json").write_text(made.numbers.text(made.register[1].code))
    assert (made.numbers.exercise(code).calculation["k"].values == right["k"].values).all()  # another's
    (made.path / "numbers" / f"{code}.json").unlink()
    assert (made.numbers.exercise(code).calculation["k"].values == right["k"].values).all()
    assert made.numbers.outline(code).title == right.title
    cases.assert_refused(lambda: made.numbers.exercise("dot_product"), "is not a code")


# what is handed out --------------------------------------------------------------------------------


def test_sheets_and_keys_come_student_by_student_two_on_a_page_each_with_its_name(school, printed):
    sheets, keys = (
        [page.words for page in printed.pages(school.path / name)] for name in ("sheets.pdf", "keys.pdf")
    )
    own = set(school.register.by_code)
    order, order_of_keys = (
        [[word for word in page if word in own] for page in pages] for pages in (sheets, keys)
    )
    assert order == order_of_keys
    assert list(map(len, order)) == [2, 1] * len(NAMES)  # the example has no room on half a page
    expected = [one.code for own in school.register.students.values() for one in own]  # one pile, not three
    assert [code for page in order for code in page] == expected
    for pages in (sheets, keys):
        said = " ".join(word for page in pages for word in page)
        assert all(said.count(name) == NAMES.count(name) * len(TOPICS) for name in NAMES)
        assert "Name" not in said
    assert all("KEY" in page for page in keys)
    assert not any("KEY" in page for page in sheets)


def test_a_notebook_says_whose_it_is_and_gives_nothing_away(school):
    for entry in school.register:
        path = school.path / "notebooks" / f"{entry.code}.ipynb"
        metadata = json.loads(path.read_text("utf-8"))["metadata"]
        assert metadata["handcalc"] == {"code": entry.code, "name": entry.name}
        first, *others = cells(path)
        text = "".join(first["source"])
        assert entry.code in text
        assert "<script" not in text
        sources = "\n".join("".join(cell["source"]) for cell in others if cell["cell_type"] == "code")
        assert f'hc.Exercise("{entry.code}", solutions=False)' in sources
        assert not re.search(r"solution\(|spec|steps|explain|hint\([^)]*3", sources)
        assert not [cell for cell in others if cell.get("outputs")]
        assert not re.search(r"\d\.\d", sources)  # no result stands in it
    assert "**Zoë \\*Wü\\* \\$x\\$**" in "".join(
        cells(path.with_name(f"{school.register[6].code}.ipynb"))[0]["source"]
    )


def modules(path):
    """The rows of a QR code from the strokes of its picture."""
    strokes = [tuple(map(int, found)) for found in re.findall(r"M(\d+),(\d+)h(\d+)v1H\d+z", path)]
    edge = min(x for x, _, _ in strokes)
    size = max(x + length for x, _, length in strokes) - edge
    rows = [["0"] * size for _ in range(size)]
    for x, y, length in strokes:
        rows[y - edge][x - edge : x - edge + length] = "1" * length
    return ["".join(row) for row in rows]


def test_links_are_cards_with_codes_that_lead_to_everyone_s_own_sheet(school, printed):
    cards, register = printed.pages(school.path / "links.pdf")
    own = list(school.register.students.values())
    assert cards.links == [f"{ADDRESS}/#{sheets[0].code}" for sheets in own]
    everyone_s = list(school.register.by_code)
    for page in (cards, register):
        assert [word for word in page.words if word in everyone_s] == everyone_s
        assert all(name in page.said for name in NAMES)
    titles = dict.fromkeys(school.topics, "T")
    for sheets, link in zip(own, cards.links, strict=True):
        assert qr.text_of(modules(class_handouts._card(sheets, titles, ADDRESS)["qr"])) == link


def test_links_are_written_again_for_another_address_and_nothing_else_is(tmp_path, capsys, printed):
    made = class_of(tmp_path / "c", ["Bo", ""])
    before = contents(made.path)
    code, out, _ = said(capsys, "class", "links", made.path, "--address", "https://example.org/class/")
    assert (code, out.count("https://example.org/class;")) == (0, 1)
    cards, _ = printed.pages(made.path / "links.pdf")
    assert cards.links == [f"https://example.org/class/#{one.code}" for one in made.register]
    after = contents(made.path)
    assert after.pop("links.pdf")
    assert after == before
    assert said(capsys, "class", "links", made.path)[0] == 0
    assert printed.pages(made.path / "links.pdf")[0].links[0].startswith(find_class_address())


# the same again, and more ---------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_class_again_is_the_same_to_the_byte(school, tmp_path):
    """In processes, too: test_cli.py says so of the sheets, whose numbers are drawn by the same lines."""
    again = tmp_path / "8b"
    assert made_in_one_process(make(again)) == 0
    assert contents(again) == contents(school.path)


@pytest.mark.slow
def test_late_comers_get_new_numbers_and_nothing_of_the_others_changes(school, tmp_path, capsys):
    shutil.copytree(school.path, tmp_path / "8b")
    before = contents(tmp_path / "8b")
    more = tmp_path / "more.csv"
    more.write_text(f"name,id,email\n{NAMES[0]},1,\nGrace Hopper,77,\n", "utf-8")
    capsys.readouterr()
    code, out, _ = said(capsys, "class", "add", tmp_path / "8b", "--students", more)
    assert code == 0
    assert "sheets-2.pdf: 3 sheets for 1 student" in out
    assert "1 student left out: already in the class." in out
    assert said(capsys, "class", "add", tmp_path / "8b", "--name", NAMES[0])[0] == 0
    after = contents(tmp_path / "8b")
    for name, data in before.items():
        assert name == "register.csv" or after[name] == data
    assert {name for name in after if "-" in name.rpartition("/")[2] and "/" not in name} == {
        "sheets-2.pdf", "keys-2.pdf", "links-2.pdf", "sheets-3.pdf", "keys-3.pdf", "links-3.pdf",
    }  # fmt: skip
    made = ClassFolder(tmp_path / "8b")
    assert list(made.register)[: len(school.register)] == list(school.register)
    assert [one.name for one in made.register][len(school.register) :] == ["Grace Hopper"] * 3 + [
        NAMES[0]
    ] * 3
    assert {one.number for one in made.register} == set(range(1, 6))
    own = [one.code for one in made.register if one.topic == "softmax"]
    givens = {str(made.numbers.exercise(code).calculation["S"].values.tolist()) for code in own}
    assert len(givens) == 5
    assert all(hc.Exercise(code).calculation for code in own)
    assert said(capsys, "class", "add", tmp_path / "8b", "--students", more)[1].startswith("Everybody in")


@pytest.mark.slow
def test_a_topic_is_added_for_everyone(tmp_path, capsys):
    made = class_of(tmp_path / "c", ["Ada", "Bo"])
    before = contents(made.path)
    assert said(capsys, "class", "add", made.path, "--topic", "softmax:2")[0] == 0
    found = ClassFolder(made.path)
    assert [(one.name, one.number, one.topic, one.level) for one in found.register] == [
        ("Ada", 1, "dot_product", 1), ("Ada", 1, "softmax", 2),
        ("Bo", 2, "dot_product", 1), ("Bo", 2, "softmax", 2),
    ]  # fmt: skip
    changed = {name for name, data in contents(made.path).items() if before.get(name, data) != data}
    assert changed == {"register.csv", "class.json"}
    code, _, err = said(capsys, "class", "add", made.path, "--topic", "softmax", "--level", "2")
    assert (code, err) == (2, "This class already has softmax at level 2; name another topic or level.\n")


# what is refused, and what is interrupted -------------------------------------------------------------


def test_a_second_class_never_goes_over_the_first(school, capsys):
    before = contents(school.path)
    code, _, err = said(capsys, *make(school.path))
    assert code == 2
    assert "is already a class; add to it with: handcalc class add" in err
    assert contents(school.path) == before


@pytest.mark.parametrize("name", ["sheets.pdf", "numbers", "class.json"])
def test_what_somebody_else_put_there_stays(tmp_path, name, capsys):
    (tmp_path / "names.csv").write_text("Ada\nBo\n")
    (tmp_path / name).write_text("mine")
    code, _, err = said(capsys, "class", "new", tmp_path, "--students", tmp_path / "names.csv")
    assert (code, contents(tmp_path)) == (2, {"names.csv": b"Ada\nBo\n", name: b"mine"})
    assert f"already has {name}, but no register.csv; name another folder." in err


@pytest.mark.slow
def test_a_class_may_be_made_around_its_list_of_names(tmp_path, capsys):
    (tmp_path / "names.csv").write_text("Ada\nAda\n")
    arguments = ["--students", str(tmp_path / "names.csv"), "--topic", "dot-product", "--keep-answers"]
    assert main(["class", "new", str(tmp_path), *arguments]) == 0
    assert "Several students are called Ada: their codes tell them apart." in capsys.readouterr().out
    assert not (tmp_path / "keys.pdf").exists()
    assert [(one.name, one.number) for one in ClassFolder(tmp_path).register] == [("Ada", 1), ("Ada", 2)]
    assert (tmp_path / "names.csv").read_text() == "Ada\nAda\n"


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, hc.HandcalcError("The disk is full.")])
@pytest.mark.parametrize("late", ["write_paper", "write_notebooks"])
def test_what_is_interrupted_leaves_nothing_behind(tmp_path, monkeypatch, error, late):
    def stop(*_, **__):
        raise error

    made = class_of(tmp_path / "there", ["Ada"])
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(class_handouts, late, stop)
        with pytest.raises((KeyboardInterrupt, OSError, hc.HandcalcError)):
            class_of(tmp_path / "new", printed=True)
        with pytest.raises((KeyboardInterrupt, OSError, hc.HandcalcError)):
            class_folder.add_students(made.path, [Student("Bo")], printed=True)
    assert contents(tmp_path) == before
    assert not (tmp_path / "new").exists()
    assert [one.name for one in class_folder.add_students(made.path, [Student("Bo")])] == ["Bo"]


@pytest.mark.parametrize("at", ["register.csv", "notebooks", "numbers"])
def test_what_cannot_be_moved_to_its_place_leaves_nothing_behind_either(tmp_path, monkeypatch, at):
    made, replace = class_of(tmp_path / "there"), Path.replace
    before = contents(tmp_path)

    def stop(path, target):
        if path.name == at or path.parent.name == at:
            raise PermissionError(13, "Permission denied")
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stop)
        cases.assert_refused(lambda: class_of(tmp_path / "new"), "permission was denied")
        with pytest.raises(hc.HandcalcError, match="permission was denied"):
            class_folder.add_students(made.path, [Student("Bo")])
    assert contents(tmp_path) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_the_register_comes_last(tmp_path, monkeypatch):
    order, replace = [], Path.replace
    monkeypatch.setattr(Path, "replace", lambda path, target: order.append(target) or replace(path, target))
    class_of(tmp_path / "c", ["Ada"], printed=True)
    assert order[-1] == tmp_path / "c" / "register.csv"
    class_folder.add_students(tmp_path / "c", [Student("Bo")])
    assert order[-1] == tmp_path / "c" / "register.csv"


@pytest.mark.slow
def test_late_comers_never_get_the_givens_that_somebody_has(tmp_path):
    """Softmax at level 1 has three small scores: of forty seeds some give the same."""
    made = class_of(tmp_path / "c", [""] * 20, "softmax")
    class_folder.add_students(made.path, [Student()] * 20)
    scores = [
        hc.Exercise(one.code).calculation["S"].values.ravel() for one in ClassFolder(made.path).register
    ]
    assert len({tuple(one) for one in scores}) == len(scores) == 40


def test_a_register_stays_in_the_order_that_the_teacher_gave_it(tmp_path):
    made = class_of(tmp_path / "c", ["Cy", "Ada", "Bo"])
    Register(sorted(made.register, key=lambda one: one.name)).save(made.path / "register.csv")
    class_folder.add_topics(made.path, [("softmax", 1)])
    class_folder.add_students(made.path, [Student("Al")])
    names = [one.name for one in ClassFolder(made.path).register]
    assert names == ["Ada", "Ada", "Bo", "Bo", "Cy", "Cy", "Al", "Al"]


def test_a_class_that_was_cut_off_while_it_was_moved_is_added_to_all_the_same(tmp_path):
    """The register comes last: what stands beside it without being in it is written again."""
    made = class_of(tmp_path / "c")
    register = (made.path / "register.csv").read_bytes()
    (lost,) = class_folder.add_students(made.path, [Student("Bo")])
    (made.path / "register.csv").write_bytes(register)
    (found,) = class_folder.add_students(made.path, [Student("Cy")])
    assert found.code == lost.code
    assert "Cy" in (made.path / "notebooks" / f"{found.code}.ipynb").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say who is in the class: --students names.csv, or --count 30."),
        (["--count", "3", "--students", "n.csv"], "Say who is in the class"),
        (["--count", "0"], "The count is 0; it must be 1 to 500."),
        (["--count", "-3"], "The count is -3; it must be 1 to 500."),
        (["--count", "501"], "The count is 501; it must be 1 to 500."),
        (["--students", "none.csv"], "none.csv cannot be read: there is no such file."),
        (["--students", "."], ". cannot be read: it is a folder."),
        (["--count", "2", "--topic", "softmaks"], "There is no topic 'softmaks'; did you mean 'softmax'?"),
        (["--count", "2", "--topic", "softmax:9"], "The level is 9; it must be 1, 2 or 3."),
        (["--count", "2", "--level", "9"], "The level is 9; it must be 1, 2 or 3."),
        (["--count", "2", "--topic", "softmax:"], "'softmax:': the level is a whole number"),
        (["--count", "2", "--topic", "softmax", "--topic", "softmax:1"], "is named twice"),
        (["--count", "2", "--topic", "worked-example:2"], "it has only level 1, not 2."),
        (["--count", "2", "--paper", "a5"], "paper is 'a5'; it must be 'a4' or 'letter'."),
        (["--count", "2", "--blank", "Y"], "'Y' is not a step here; the steps are Q, K, V"),
        (["--count", "2", "--places", "99"], "places is 99"),
        (["--count", "2", "--address", "file:///etc"], "'file:///etc' is not an address"),
    ],
)  # fmt: skip
def test_bad_options_get_one_sentence_and_leave_nothing(tmp_path, monkeypatch, capsys, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("handcalc.cli.class_making.SHEETS_FOR_TWO_PROCESSES", 10_000)
    code, out, err = said(capsys, "class", "new", "c", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
    assert not list(tmp_path.iterdir())


def test_a_class_needs_the_name_of_a_folder_that_is_no_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c").write_text("x")
    for name, sentence in ((" ", "Name a folder for the class, such as 8b.\n"), ("c", "\n")):
        code, _, err = said(capsys, "class", "new", name, "--count", "1")
        assert (code, err.count("\n"), err.endswith(sentence)) == (2, 1, True)
    assert contents(tmp_path) == {"c": b"x"}


@pytest.mark.parametrize(
    "arguments", [[], ["--name", "A", "--topic", "softmax"], ["--name", "A", "--count", "2"], ["--name", " "]]
)
def test_who_or_what_is_added_has_to_be_said(school, capsys, arguments):
    before = contents(school.path)
    code, _, err = said(capsys, "class", "add", school.path, *arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert contents(school.path) == before


# lists of names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("Ada\nBo\n\n\n", [Student("Ada"), Student("Bo")]),
        ("Name\nLovelace, Ada\nBo\n", [Student("Lovelace, Ada"), Student("Bo")]),
        ('"Lovelace, Ada"\nBo', [Student("Lovelace, Ada"), Student("Bo")]),
        ("EMAIL\tStudent_Name\na@b\tAda\n", [Student("Ada", "", "a@b")]),
        ("name,id\n  Ada \x00\u202e  L. ,7\n,8\n,\n", [Student("Ada L.", "7"), Student("", "8")]),
        ("First name,Surname,ID number\nAda,Lovelace,7\n", [Student("Ada Lovelace", "7")]),
        ("name\nZoe\u0308\n", [Student("Zoë")]),
        ("name\n'=1+1\n", [Student("=1+1")]),
        ("name,mark\nAda\nBo,1,2,3\n", [Student("Ada"), Student("Bo")]),
    ],
)  # fmt: skip
def test_names_are_found_however_the_table_is_written(tmp_path, table, expected):
    (tmp_path / "n.csv").write_text(table.replace("\x00", ""), "utf-8")
    assert students.read_students(tmp_path / "n.csv") == expected


@pytest.mark.parametrize(
    ("table", "unkept"),
    [
        ("Ada\nBo\n", []),
        ('"Lovelace, Ada"\nBo', []),
        ("name,id,email\nAda,7,a@b\n", []),
        ("First name,Section,Surname,,House\nAda,8b,Lovelace,,Blue\n", ["Section", "House"]),
    ],
)
def test_a_column_that_is_not_kept_is_named(tmp_path, capsys, table, unkept):
    (tmp_path / "n.csv").write_text(table, "utf-8")
    assert students.find_unkept_columns(tmp_path / "n.csv") == unkept
    _, out, _ = said(
        capsys, "class", "new", tmp_path / "8b", "--students", tmp_path / "n.csv", "--topic", "dot-product"
    )
    assert [line for line in out.splitlines() if "Not kept" in line] == (
        ["Not kept of your table: Section and House."] if unkept else []
    )


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("", "has no students"),
        ("name\n\n", "has no students"),
        ("name\n" + "A\n" * 501, "has 501 students; a class has 1 to 500"),
        ("pupil,id\nAda,1\n", "has no column called name; its first line is pupil and id"),
        ("Ada,1\nBo,2\n", "has no column called name"),
        ("id\n1\n", "has no column called name"),
        ("name,id\nAda,1\nBo,1\n", "has '1' twice, for 'Ada' and 'Bo'"),
        ("name\n" + "A" * 200, "has a cell of 200 letters"),
    ],
)
def test_a_table_without_names_gets_one_sentence(tmp_path, table, sentence):
    (tmp_path / "n.csv").write_text(table, "utf-8")
    cases.assert_refused(lambda: students.read_students(tmp_path / "n.csv"), sentence)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://example.org/class/", "https://example.org/class"),
        ("10.0.0.2:8737", "http://10.0.0.2:8737"),
        ("http://[::1]:8737", "http://[::1]:8737"),
    ],
)
def test_an_address_is_read_with_or_without_its_beginning(text, address):
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "http://", "javascript:alert(1)", "http://a b", "http://x/?q", "http://x/#f", "http://u:p@x",
             'http://x/"><script>', "http://x:99999", "ftp://x", "http://" + "x" * 300]
)  # fmt: skip
def test_what_is_no_address_is_refused(text):
    cases.assert_refused(lambda: read_address(text), "is not an address")


def test_this_computer_s_address_is_found_without_sending_anything(monkeypatch):
    import socket

    sent = []
    for name in ("send", "sendto", "sendall"):
        monkeypatch.setattr(socket.socket, name, lambda *_: sent.append(1), raising=False)
    assert re.fullmatch(r"http://[\d.]+:8737", find_class_address())
    assert not sent


def test_without_a_network_the_links_say_that_they_work_here_alone(tmp_path, monkeypatch, printed):
    def alone():
        raise hc.HandcalcError("This computer is in no network.")

    made = class_of(tmp_path / "c", ["Bo"])
    monkeypatch.setattr("handcalc.classroom.handouts.class_address.find_own_address", alone)
    cards, _ = printed.pages(class_folder.rewrite_links(made))
    assert cards.links == [f"http://127.0.0.1:8737/#{made.register[0].code}"]
    assert "the links work only here" in cards.said


@pytest.mark.slow
def test_without_segno_there_are_sheets_and_one_sentence_about_links(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("handcalc.classroom.handouts.qr.find_spec", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "segno", None)
    arguments = ["--count", "1", "--topic", "dot-product"]
    code, out, _ = said(capsys, "class", "new", tmp_path / "c", *arguments)
    assert code == 0
    assert "No links.pdf: it needs more than handcalc itself" in out
    assert (tmp_path / "c" / "sheets.pdf").exists()
    assert not (tmp_path / "c" / "links.pdf").exists()
    code, _, err = said(capsys, "class", "new", tmp_path / "d", *arguments, "--address", ADDRESS)
    assert code == 2
    assert 'install it with: pip install "handcalc[class]"' in err
    assert not Path(tmp_path / "d").exists()
