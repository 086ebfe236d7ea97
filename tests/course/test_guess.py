"""A question of a lesson: what stands in the notebook, what the widget has, what is kept."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

import handcalc as hc
from handcalc.course import guess as guess_module
from handcalc.course import past_guesses as guesses_module
from handcalc.course.guess import Guess, as_html
from handcalc.course.guess_log import log_in
from handcalc.course.questions import read_question
from handcalc.notation import numbers

CALC = hc.examples.self_attention()
CHOICE = {
    "question": "Who is {W_Q}?",
    "options": ["a cat", "a {k_1}"],
    "answer": 2,
    "because": "Because of {e^2}.",
}
NUMBER = {"question": "What is {Z[1,1]}?", "answer": 10.31, "because": "A mixture."}
WORDS = {"question": "Why?", "answer": "It says so", "because": "There."}


DAY = timedelta(days=1)


ORDER = {"question": "In which order?", "options": ["{b_1}", "a"], "answer": [2, 1], "because": "So."}


def ask(folder, entry=CHOICE, shown=None, on=None):
    return Guess(read_question("positions.who", entry), shown, log_in(folder), on)


def said(guess, verdict):
    return {"guess": guess, "verdict": verdict}


class TestStored:
    def test_the_answer_the_reason_and_what_they_show_stand_in_closed_details_and_nowhere_else(
        self, tmp_path
    ):
        found = ask(tmp_path, shown=CALC["S"]).fallback()
        open_part = re.sub(r"(?s)<style>.*?</style>|<details>.*</details>", "", found["text/html"])
        assert re.sub("<[^>]+>", "", open_part).startswith("Your guess: Who is WQ?a cata k1")
        for hidden in ("Because", "Answer", "scores"):
            assert hidden in found["text/html"]
            assert hidden not in open_part
        assert found["text/plain"] == "Your guess: Who is W_Q?\n  a) a cat\n  b) a k_1"

    def test_it_is_the_same_whatever_was_guessed_before(self, tmp_path):
        before = ask(tmp_path).fallback()
        ask(tmp_path).on_message(said("a cat", "wrong"))
        assert ask(tmp_path).fallback() == before

    def test_nothing_of_it_needs_a_style_sheet_to_be_read(self, tmp_path):
        stored = ask(tmp_path).fallback()["text/html"]
        assert '<ol type="a"' in stored  # letters, where inline styles go as well
        assert "color:" not in stored.partition("</style>")[2].partition("<details>")[0]

    def test_a_widget_is_shown_by_its_twin(self, tmp_path):
        assert "<td" in ask(tmp_path, shown=hc.explore(CALC)).fallback()["text/html"]

    def test_two_outputs_are_shown_the_stored_one_first(self, tmp_path, monkeypatch):
        shown = []
        monkeypatch.setattr("IPython.display.display", lambda thing, **options: shown.append(thing))
        asked = ask(tmp_path)
        asked._ipython_display_()
        assert shown == [asked.fallback(), asked.widget]


class TestShown:
    def test_anything_is_shown_as_a_notebook_would(self):
        assert as_html(None) == ""
        assert as_html([1, "<b>"]) == "<pre>[1, &#x27;&lt;b&gt;&#x27;]</pre>"
        assert as_html(CALC["S"]) == CALC["S"]._repr_html_()
        assert as_html([CALC["S"], 5]) == CALC["S"]._repr_html_() + "<pre>5</pre>"

    def test_a_widget_is_a_child_and_everything_else_html(self, tmp_path):
        explorer, practice = hc.explore(CALC), hc.practise("softmax", seed=1, folder=tmp_path)
        assert ask(tmp_path, shown=explorer).widget.child is explorer
        assert ask(tmp_path, shown=practice).widget.child is practice.widget
        assert ask(tmp_path, shown=explorer).widget.shown == ""
        assert ask(tmp_path, shown=CALC["S"]).widget.shown == CALC["S"]._repr_html_()


class TestKept:
    def test_nothing_is_written_before_somebody_commits(self, tmp_path):
        ask(tmp_path, shown=CALC["S"]).fallback()
        hc.guesses(folder=tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_a_guess_is_a_line_and_is_there_the_next_time(self, tmp_path):
        asked = ask(tmp_path)
        asked.on_message(said("a cat", "wrong"))
        asked.on_message(said("a k_1", "right"))
        lines = [
            json.loads(line) for line in (tmp_path / "handcalc-log.jsonl").read_text("utf-8").splitlines()
        ]
        assert all(abs(datetime.now(UTC) - datetime.fromisoformat(one.pop("at"))) < DAY for one in lines)
        assert lines == [
            {"question": "positions.who", **said(*line)} for line in (("a cat", "wrong"), ("a k_1", "right"))
        ]
        assert asked.widget.kept == ask(tmp_path).widget.kept == said("a k_1", "right")

    def test_the_page_hears_of_every_guess_the_same_one_too(self, tmp_path):
        asked = ask(tmp_path)
        for count in (1, 2):
            asked.on_message(said("a cat", "wrong"))
            assert asked.widget.heard == count

    @pytest.mark.parametrize("message", [None, 3, {}, {"guess": 3, "verdict": "right"}, said("x", "perfect")])
    def test_nothing_else_is_kept(self, tmp_path, message):
        ask(tmp_path).on_message(message)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        "line", ["[]", "7", '{"question": 3}', '{"question": "positions.who", "guess": "a"}']
    )
    def test_no_line_stops_it(self, tmp_path, line):
        (tmp_path / "handcalc-log.jsonl").write_text(line + "\n")
        assert ask(tmp_path).widget.kept == {}
        assert len(hc.guesses(folder=tmp_path)) == 0

    def test_where_the_file_is_a_folder_the_page_says_so(self, tmp_path):
        (tmp_path / "handcalc-log.jsonl").mkdir()
        asked = ask(tmp_path)
        asked.on_message(said("a cat", "wrong"))
        assert asked.widget.kept == said("a cat", "wrong")
        assert "handcalc-log.jsonl" in asked.widget.notice
        assert asked.widget.notice.endswith(guess_module.UNKEPT)


class TestLookingBack:
    ENTRIES = {"b": NUMBER, "a": CHOICE, "c": WORDS}  # noqa: RUF012 - read only

    @pytest.fixture(autouse=True)
    def _bank(self, monkeypatch):
        asked = [read_question(f"positions.{name}", entry) for name, entry in self.ENTRIES.items()]
        monkeypatch.setattr(guesses_module, "_all", lambda: iter(asked))

    def keep(self, folder, *guesses):
        for name, guess, verdict in guesses:
            log_in(folder).add(question=f"positions.{name}", guess=guess, verdict=verdict)

    def test_without_any_there_is_one_sentence(self, tmp_path):
        assert repr(hc.guesses(folder=tmp_path)) == guesses_module.NONE
        assert hc.guesses(folder=tmp_path)._repr_html_() == f"<p>{guesses_module.NONE}</p>"

    def test_the_last_guesses_stand_in_the_order_of_the_lesson(self, tmp_path):
        self.keep(
            tmp_path,
            ("a", "a cat", "wrong"),
            ("b", "10,3", "right"),
            ("a", "a k_1", "right"),
            ("gone", "x", "own"),
        )
        self.keep(tmp_path, ("c", "I <b>see", "own"))
        found = hc.guesses(folder=tmp_path)
        assert [(asked.name, kept.guess) for asked, kept in found] == [
            ("positions.b", "10,3"),
            ("positions.a", "a k_1"),
            ("positions.c", "I <b>see"),
        ]
        assert repr(found).splitlines()[:2] == [
            "3 questions: 2 right, 1 in your own words.",
            "What is Z[1,1]? You said: 10,3. Answer: 10.31 (right)",
        ]
        table = found._repr_html_()
        assert table.count("<tr>") == 4
        assert table.count('<a href="04_positions.ipynb">04</a>') == 3
        assert "a k<sub>1</sub>" in table
        assert "I &lt;b&gt;see" in table

    def test_all_lessons_have_their_place(self):
        names = [asked.name.partition(".")[0] for asked in guesses_module._all()]
        assert names == sorted(names, key=names.index)


class TestJudging:
    JUDGE = """({ judging }, [state, texts]) => texts.map((text) => {
      const { kind, trouble } = judging.judgeGuess(state, text);
      return kind ?? trouble;
    })"""

    @pytest.mark.parametrize(
        ("entry", "expected"),
        [
            (CHOICE, {"a cat": "wrong", "a k_1": "right", "": "Choose one first."}),
            (ORDER, {"a, b_1": "right", "b_1, a": "wrong"}),
            (WORDS, {"It says so": "own", "x": "own", "": "Write a few words first."}),
            (
                NUMBER,
                dict.fromkeys(["10.31", "10,3", "√106.3"], "right")
                | dict.fromkeys(["10", "9.4"], "close")
                | dict.fromkeys(["8", "-10.31"], "wrong")
                | {" ": "Type a number first.", "1,000": "unclear", "ten": "is not a number"},
            ),
        ],
        ids=["choice", "order", "words", "number"],
    )
    def test_each_kind_of_answer_has_its_verdict_or_its_trouble(self, node, tmp_path, entry, expected):
        widget = ask(tmp_path, entry).widget
        state = {name: getattr(widget, name) for name in ("kind", "options", "answer", "places")}
        for (text, verdict), found in zip(
            expected.items(), node(self.JUDGE, [state, [*expected]]), strict=True
        ):
            assert verdict in found, text

    def test_what_was_read_otherwise_than_it_was_typed_is_told(self, node):
        tell = """({ judging }, all) =>
          all.map((text) => judging.wordsOfGuess({ kind: 'number', places: 2 }, text))"""
        assert node(tell, ["1.73", "1,73", "√3"]) == ["1.73", "1,73 = 1.73", "√3 ≈ 1.73"]


# How a guess is judged: right to the places that were typed, close, or not quite.
JUDGED = """({ parse_number, calculation: { Calculation }, score }, [spec, name, row, column, texts]) => {
  const matrix = new Calculation(spec).byName.get(name);
  const value = (text) => parse_number.parseNumber(text).value;
  const judge = (text) => score.judgeCell(text, value(text), [matrix, row, column], 2);
  return texts.map(judge);
}"""


def judged(node, texts, name="Z", row=0, column=0, calculation=CALC):
    return node(JUDGED, [calculation.to_spec(), name, row, column, texts])


def test_as_many_places_must_be_right_as_were_typed(node):
    expected = {  # Z[1,1] is 10.31
        "10.31": "right",
        "10,3": "right",
        "10": "close",
        "9.4": "close",
        "8.2": "wrong",
        "-10.31": "wrong",
    }
    assert dict(zip(expected, judged(node, list(expected)), strict=True)) == expected


def test_every_number_is_right_as_it_is_written_and_close_and_wrong_beside_it(node):
    """Close is within a tenth, or within a twentieth of the matrix's largest."""
    for name, matrix in CALC.steps.items():
        value, largest = matrix.values[0, 0], numbers.largest(matrix.values)
        near = value + max(0.08 * abs(value), 0.04 * largest)
        far = value + max(0.12 * abs(value), 0.06 * largest)
        texts = [numbers.show(value), f"{near:.4f}", f"{far:.4f}"]
        assert judged(node, texts, name) == ["right", "close", "wrong"], (name, texts)


def test_a_fraction_is_right_to_the_places_that_are_shown(node):
    third = hc.Calculation((hc.Matrix([[1.0], [9]], "M") / 3).named("T"))
    assert judged(node, ["1/3", "0.33", "0.4", "1/30"], "T", calculation=third) == [
        "right", "right", "close", "wrong",
    ]  # fmt: skip
