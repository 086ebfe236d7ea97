"""A class that keeps its answers: nothing that is handed out gives its key to whoever has handcalc."""

import ast
import json
import re

import cases
import live_class
import pytest
from class_files import class_of

import handcalc as hc
from handcalc.classroom.folder import tickets
from handcalc.classroom.handouts.bare_notebook import make_bare_notebook
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.cli import main
from handcalc.practice.exercise import codes

SECRET = "0123456789abcdef" * 2
SECRETS = {"numbers", "class.json", "keys.pdf"}  # the teacher's alone, in a folder of next sheets, too
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9–—_. -]{3,30}")


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "8b"
    more = ["--topic", "dot-product", "--topic", "softmax", "--seed", "1", "--keep-answers"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handcalc.cli.class_making.SHEETS_FOR_TWO_PROCESSES", 1000)  # in one process
        assert main(["class", "new", str(path), "--count", "2", *more]) == 0
    return ClassFolder(path)


def entry(school, topic="dot_product", number=1):
    return next(one for one in school.register if (one.topic, one.number) == (topic, number))


def notebook(school, code):
    return json.loads((school.path / "notebooks" / f"{code}.ipynb").read_text("utf-8"))


def source(cell):
    return "".join(cell["source"])


def score(school, code):
    """The dot product of what stands in the notebook, by a loop."""
    (given,) = (source(cell) for cell in notebook(school, code)["cells"] if "## Given" in source(cell))
    k, q = (
        list(map(float, re.findall(r"-?[\d.]+", part))) for part in re.findall(r"\$\$(.*?)\$\$", given, re.S)
    )
    return sum(a * b for a, b in zip(k, q, strict=True))


def names_a_code(text):
    """Whether any code of a sheet can be read in a text."""
    for word in {*re.findall(r"\S+", text), *WORD.findall(text)}:
        for part in {word, *re.split(r"[^A-Za-z0-9-]", word)}:
            try:
                codes.read_code(part)
            except hc.HandcalcError:
                continue
            return True
    return False


# tickets -------------------------------------------------------------------------------------------


def test_no_ticket_is_a_code_and_none_comes_twice():
    made = []
    for seed in range(3000):
        made.append(tickets.make_ticket(SECRET, hc.code("softmax", seed), set(made[-20:])))
        with pytest.raises(hc.HandcalcError):
            codes.read_code(made[-1])
        assert re.fullmatch(r"[2-9A-Z]{4}-[2-9A-Z]{4}", made[-1])
    assert len(set(made)) == len(made)
    assert tickets.make_ticket(SECRET, "SM1-4232", {tickets.make_ticket(SECRET, "SM1-4232")}) != made[1]
    assert tickets.new_secret() != tickets.new_secret()
    assert tickets.make_ticket(SECRET, "SM1-4232") != tickets.make_ticket(SECRET[::-1], "SM1-4232")


def test_every_wrong_sign_and_every_swap_is_noticed():
    for seed in range(20):
        right = tickets.make_ticket(SECRET, f"SM1-{seed}")
        signs = right.replace("-", "")
        others = {signs[:k] + sign + signs[k + 1 :] for k in range(8) for sign in codes.CODE_SIGNS}
        others |= {
            signs[:a] + signs[b] + signs[a + 1 : b] + signs[a] + signs[b + 1 :]
            for b in range(8)
            for a in range(b)
        }
        for other in others - {signs}:
            with pytest.raises(hc.HandcalcError, match="is not a code"):
                tickets.spell_code_or_ticket(other)


def test_a_ticket_is_read_however_it_is_typed():
    right = tickets.make_ticket(SECRET, "SM1-4232")
    for typed in (right.lower(), right.replace("-", ""), right.replace("-", " – "), f" {right} "):
        assert tickets.spell_code_or_ticket(typed) == right
    assert tickets.spell_code_or_ticket("sm1 4232") == "SM1-4232"


# what is handed out --------------------------------------------------------------------------------


def test_nothing_handed_out_has_a_code_in_it(school):
    drawn = {school.numbers.drawn_from(one.code) for one in school.register}
    assert len(drawn) == 4
    assert all(names_a_code(f"sheet {code}") for code in drawn)  # what we look for would be found
    files = [file for file in school.path.rglob("*") if file.is_file()]
    for file in files:
        if SECRETS.isdisjoint(file.relative_to(school.path).parts):
            text = file.read_bytes().decode("latin-1")
            assert not any(code in text for code in drawn)
            assert file.suffix == ".pdf" or not names_a_code(text), file
            assert school.settings.secret not in text
    assert not (school.path / "keys.pdf").exists()


def test_notebooks_have_numbers_formulas_and_blanks_and_compute_nothing(school):
    for one in school.register:
        made = notebook(school, one.code)
        assert made["metadata"]["handcalc"] == {"code": one.code, "name": one.name}
        assert one.code in source(made["cells"][0])
        text = " ".join(map(source, made["cells"]))
        assert not re.search("Exercise|check|hint|import|handcalc", text)
        assert "bmatrix" in text
        for cell in made["cells"]:
            if cell["cell_type"] == "code":
                nodes = list(ast.walk(ast.parse(source(cell))))
                assert not [node for node in nodes if isinstance(node, ast.Call | ast.BinOp | ast.Import)]
        names = {name for cell in made["cells"] for name in re.findall(r'^\S+ = """', source(cell), re.M)}
        assert len(names) > 0


def test_where_steps_are_in_blocks_answers_have_a_place_and_are_read():
    exercise = hc.Exercise(hc.code("multi_head_attention", 1))
    made = make_bare_notebook(exercise, student="Ada")
    found = {}
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            exec(source(cell).replace("____", "7"), found)
    assert set(found["answers"]) == set(exercise.blank)
    assert all(set(text) <= set("7| \n") for text in found["answers"].values())


def test_a_step_that_is_given_has_its_numbers():
    exercise = hc.Exercise("SA1-4292", blank=["S"])
    text = " ".join(map(source, make_bare_notebook(exercise)["cells"]))
    assert text.count('"""') == 2  # S alone
    k = exercise.calculation["K"].values
    assert " & ".join(f"{number:g}" for number in k[0]) in text


def test_the_command_for_one_notebook_leaves_out_what_computes(tmp_path, capsys):
    path = tmp_path / "a.ipynb"
    assert main(["notebook", "softmax", "--keep-answers", "-o", str(path)]) == 0
    assert "nothing that gives the key away" in capsys.readouterr().out
    text = path.read_text("utf-8")
    assert not names_a_code(text)
    assert "Exercise" not in text


def test_with_nbgrader_what_grades_is_hidden():
    """https://nbgrader.readthedocs.io: what stands between these lines is taken out of what students get."""
    cells = make_bare_notebook(hc.Exercise("SM1-4232"), nbgrader=True)["cells"]
    graded = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade")]
    assert len(graded) == 3
    for cell in cells:
        begin, end = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
        left = re.sub(f"{begin}.*{end}", "", source(cell), flags=re.S)
        assert not names_a_code(left)
        assert "Exercise" not in left
    one = source(graded[0])
    found = {"E": [[7.39], [1], [2]]}
    exec(one, found)
    assert ast.unparse(ast.parse(one).body[-1]).startswith("hc.Exercise('SM1-4232'")


@pytest.mark.slow
def test_the_sheet_has_the_ticket_and_so_have_links_and_the_key(school, tmp_path, capsys, printed):
    def words(path):
        return {word for page in printed.pages(path) for word in page.words}

    one = entry(school)
    assert {one.code for one in school.register} <= words(school.path / "sheets.pdf")
    assert not any(map(names_a_code, words(school.path / "sheets.pdf")))
    path = tmp_path / "key.pdf"
    assert main(["class", "key", str(school.path), one.code.lower(), "-o", str(path)]) == 0
    assert {"KEY", one.code, f"{score(school, one.code):g}".replace("-", "−")} <= words(path)
    assert one.code in words(school.path / "links.pdf")
    assert main(["class", "keys", str(school.path), "-o", str(path)]) == 0
    assert {one.code for one in school.register} <= words(path)
    assert main(["class", "key", str(school.path), "SM1-4232"]) == 2
    assert "'SM1-4232' is not the code of a sheet in this class" in capsys.readouterr().err


# and what comes back -------------------------------------------------------------------------------


def test_a_phone_joins_with_a_ticket_and_is_told_no_code(school):
    taught, code = live_class.Taught(school), entry(school).code
    try:
        token = taught.ask("/api/join", {"code": code.lower().replace("-", " "), "nick": "A"}).json["token"]
        sheet = taught.ask("/api/sheet", token=token)
    finally:
        taught.close()
    assert sheet.json["code"] == code
    assert not names_a_code(sheet.data.decode())


def test_latecomers_get_tickets_and_numbers_of_their_own(tmp_path):
    made = class_of(tmp_path / "c", secret=SECRET)
    assert main(["class", "add", str(made.path), "--name", "Bo"]) == 0
    made = ClassFolder(made.path)
    assert len({one.code for one in made.register if tickets.is_ticket(one.code)}) == 2
    assert len({made.numbers.drawn_from(one.code) for one in made.register}) == 2
    (made.path / "numbers" / f"{made.register[0].code}.json").write_text("{}")
    with pytest.raises(hc.HandcalcError, match="is missing or cannot be read; restore the original"):
        made.numbers.exercise(made.register[0].code)


def test_a_register_with_a_ticket_needs_its_topic(tmp_path):
    made = class_of(tmp_path / "c", secret=SECRET)
    register = made.path / "register.csv"
    text = register.read_text("utf-8")
    register.write_text(text.replace("dot_product", "dots"))
    cases.assert_refused(lambda: ClassFolder(made.path), "'dots'")
    register.write_text(text.replace("dot_product,1", "dot_product,"))
    cases.assert_refused(lambda: ClassFolder(made.path), "level")
