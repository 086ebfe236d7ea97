"""`hc.progress`: guesses and practice of all lessons in one place; mistakes that came back; deletion."""

import json
import re
import shutil
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.text import Text

import handcalc as hc
from handcalc.course import spaced_review
from handcalc.course.guess_log import log_in
from handcalc.course.learner_progress import NONE, MadeMistake
from handcalc.course.spaced_review import NOTHING, Recall
from handcalc.course.start.figures import clickable_map, course_map
from handcalc.foundation import extras


def fill(practice, **first):
    """Type every number of a problem; what `first` says of a step is typed before it is corrected."""
    calculation = practice.exercise.calculation
    for step in practice.exercise.blank:
        for values in filter(lambda one: one is not None, (first.get(step), calculation[step].values)):
            for (i, j), value in np.ndenumerate(values):
                practice.write(step, i, j, f"{value:.2f}")


@pytest.fixture(scope="module")
def worked(tmp_path_factory):
    """Three problems of one head: twice the division by √d_k was left out at first."""
    folder = tmp_path_factory.mktemp("worked")
    log = log_in(folder)
    log.add(question="positions.who_bites", guess="dog", verdict="right")
    log.add(question="positions.no_longer_asked", guess="no", verdict="second")
    practice = hc.practise("self_attention", seed=1, blank=["S_scaled"], folder=folder)
    for is_wrong in (True, True, False):
        S = practice.exercise.calculation["S"].values
        fill(practice, **({"S_scaled": S} if is_wrong else {}))
        practice.next()
    return folder


def lesson(folder, number):
    return next(found for found in hc.progress(folder=folder) if found.title.startswith(number))


def test_it_says_what_is_done_and_what_was_right_at_first_try(worked):
    found = lesson(worked, "03")
    assert (found.finished, len(found.problems)) == (3, 4)
    numbers = found.problems[0]
    wrong = hc.problem("self_attention", 1)["S_scaled"].values
    differ = (np.round(wrong, 2) != np.round(hc.problem("self_attention", 1)["S"].values, 2)).sum()
    assert numbers.marks.typed - numbers.marks.right == differ
    assert found.problems[2].marks.typed == found.problems[2].marks.right
    assert found.problems[-1].marks.typed == 0


def test_guesses_count_by_lesson(worked):
    found = lesson(worked, "04")
    assert found.questions > len(found.guesses) == 1
    assert found.right_guesses == 1


def test_a_mistake_that_was_made_again_has_come_back(worked):
    (made,) = [made for made in lesson(worked, "03").mistakes if made.name == "not-scaled"]
    assert made.made == (True, True, False, False)
    assert made.has_come_back
    assert str(made) == "not-scaled: came back, in 2 of 4 problems, not in the last 2"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ((True,), "m: once, in the last problem"),
        ((True, False), "m: once, not in the 1 problem since"),
        ((False, True, False, False), "m: once, not in the 2 problems since"),
        ((True, False, True), "m: came back, in 2 of 3 problems"),
    ],
)
def test_a_mistake_is_told_in_words(made, said):
    assert str(MadeMistake("m", made)) == said


def test_text_and_page_say_the_same(worked):
    found = hc.progress(folder=worked)
    for text in ("03 The whole sheet", "3 of 4 problems", "not-scaled: came back, in 2 of 4 problems"):
        assert text in repr(found)
        assert text in found._repr_html_()
    assert "S was not divided by" in found._repr_html_()


def test_the_map_of_the_course_says_what_is_done(worked, tmp_path):
    drawn = clickable_map(folder=worked)
    page, asked = drawn._repr_html_(), lesson(worked, "04").questions
    marks = [text.get_text() for text in drawn.drawn.findobj(Text) if text.get_text().startswith("✓")]
    assert marks == ["✓ 3 done", f"✓ 1 of {asked}"]
    assert "needs 02, 3 problems finished; 04 Positions" in drawn.drawn.alt
    assert re.search(r'title="03 The whole sheet: [^"]*; 3 problems finished"', page)
    assert re.search(r'title="04 Positions: [^"]*; 1 of \d+ guesses"', page)
    assert repr(clickable_map(folder=tmp_path)) == repr(course_map())


def test_all_of_it_is_one_file(worked, tmp_path):
    hc.progress(folder=worked).save(tmp_path / "progress.json")
    saved = json.loads((tmp_path / "progress.json").read_text("utf-8"))
    assert [one["title"][:2] for one in saved["lessons"]] == ["03", "04"]
    assert saved["lessons"][0]["mistakes"]["not-scaled"] == [True, True, False, False]
    (kept,) = worked.iterdir()
    assert saved["lines"] == kept.read_text("utf-8").splitlines()


def test_one_call_deletes_it(worked, tmp_path):
    shutil.copytree(worked, tmp_path, dirs_exist_ok=True)
    (tmp_path / "notes.txt").write_text("mine")
    found = hc.progress(folder=tmp_path)
    assert found.delete() == "Deleted: handcalc-log.jsonl."
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert (repr(found), found.delete(), found._repr_html_()) == (NONE, NONE, f"<p>{NONE}</p>")


def test_your_own_sentence_is_listed_as_your_own(tmp_path):
    fill(hc.practise("sentence/the cat sat", seed=1, blank=["Q"], folder=tmp_path))
    (found,) = hc.progress(folder=tmp_path)
    assert (found.title, found.finished) == ("Your own", 1)


def test_what_no_code_brings_back_and_what_is_no_line_are_passed_over(tmp_path):
    fill(hc.practise(hc.examples.self_attention(), blank=["E_sum"], folder=tmp_path))
    with (tmp_path / "handcalc-log.jsonl").open("ab") as file:
        file.write(b'\xff{}\n{"code": "SA1-0000"}\n{"code": 7}\n[]\n')
    assert repr(hc.progress(folder=tmp_path)) == NONE


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(hc.HandcalcError, match="folder"):
        hc.progress(folder=tmp_path / "file")


# `hc.review`: what is due, by FSRS or by a Leitner box, with fresh numbers each time.
START = date(2026, 3, 1)


def finish(practice):
    for step in practice.exercise.blank:
        for (i, j), value in np.ndenumerate(practice.exercise.calculation[step].values):
            practice.write(step, i, j, f"{value:.2f}")


@pytest.fixture
def leitner(monkeypatch):
    """Without the extra, whether it is installed here or not."""
    next_day = spaced_review.next_day
    has_extra = extras.has_extra

    def next_day_without(times):
        with monkeypatch.context() as patched:
            patched.setattr(extras, "has_extra", lambda extra: extra != "review" and has_extra(extra))
            return next_day(times)

    monkeypatch.setattr(spaced_review, "next_day", next_day_without)


def times(*shares):
    """How many days it is each time until it is due again."""
    found, days = [], [START]
    for share in shares:
        found.append(Recall(days[-1], share))
        days.append(spaced_review.next_day(found))
    return [(after - day).days for day, after in pairwise(days)]


def test_a_leitner_box_doubles_the_days_and_begins_again_after_a_failure(leitner):
    assert times(1, 1, 1, 0.5, 1, 1) == [2, 4, 8, 1, 2, 4]
    assert times(*[1] * 8)[-2:] == [64, 64]
    assert times(0) == [1]


def test_fsrs_waits_longer_each_time_and_less_after_a_failure():
    pytest.importorskip("fsrs")
    well = times(1, 1, 1, 1)
    assert well == sorted(well)
    assert well[0] >= 1
    assert len(set(well)) == 4
    assert times(1, 1, 1, 0)[-1] < well[-1]
    assert times(0.7)[0] <= times(1)[0]


def test_fsrs_agrees_with_the_package_itself():
    """Three good reviews, each on the day that it is due, with its default parameters."""
    fsrs = pytest.importorskip("fsrs")
    scheduler = fsrs.Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=())
    card, day = fsrs.Card(), datetime(2026, 3, 1, 12, tzinfo=UTC)
    for _ in range(3):
        card, _ = scheduler.review_card(card, fsrs.Rating.Good, day)
        day = card.due
    assert START + timedelta(days=sum(times(1, 1, 1))) == day.date()


def test_nothing_is_due_before_anything_was_practised(tmp_path):
    found = hc.review(folder=tmp_path)
    assert (repr(found), found.practice) == (NOTHING, None)
    assert list(tmp_path.iterdir()) == []


def test_what_was_practised_comes_back_with_fresh_numbers(tmp_path, leitner):
    first = hc.practise("softmax", seed=1, folder=tmp_path)
    finish(first)
    today = date.today()
    assert repr(hc.review(folder=tmp_path)).startswith("Nothing is due today. softmax comes back on ")
    found = hc.review(folder=tmp_path, today=today + timedelta(days=2))
    assert repr(found) == "Due today: softmax."
    assert found.practice.code != first.code
    finish(found.practice)
    again = hc.review(folder=tmp_path, today=today + timedelta(days=3))
    assert again.due == []
    assert (again.later[0].due - today).days == 4


def test_the_most_overdue_comes_first(tmp_path, leitner):
    for topic, level in (("softmax", 1), ("dot_product", 2)):
        practice = hc.practise(topic, level, seed=1, folder=tmp_path)
        if topic == "softmax":
            practice.write("A", 0, 0, "9")
        finish(practice)
    found = hc.review(folder=tmp_path, today=date.today() + timedelta(days=9))
    assert repr(found) == "Due today: softmax and dot product at level 2."
    assert found.practice.exercise.calculation.title == hc.problem("softmax").title


def test_a_line_without_a_day_is_none_that_can_be_due(tmp_path):
    code = hc.code("softmax")
    (tmp_path / "handcalc-log.jsonl").write_text(f'{{"code": "{code}", "finished": true}}\n')
    assert repr(hc.review(folder=tmp_path)) == NOTHING
    (found,) = hc.progress(folder=tmp_path)
    assert found.finished == 1


def test_it_is_shown_with_its_practice(tmp_path, leitner, monkeypatch):
    finish(hc.practise("dot_product", seed=1, folder=tmp_path))
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    hc.review(folder=tmp_path, today=date.today() + timedelta(days=9))._ipython_display_()
    assert shown[0].data == "<p>Due today: dot product.</p>"
    assert shown[1].exercise.calculation.title == hc.problem("dot_product").title


def guessed(folder, name, *verdicts):
    asked = hc.guess(name, folder=folder)
    for verdict in verdicts:
        asked.on_message({"guess": "1", "verdict": verdict})


def test_guesses_come_back_in_words_those_that_were_wrong_first(tmp_path, leitner):
    """A wrong one after a day, a right one after two; a number of a sheet cannot be asked without it."""
    guessed(tmp_path, "heads.swapped", "right")
    guessed(tmp_path, "heads.wide", "wrong")
    guessed(tmp_path, "queries_keys_values.q31", "wrong")
    assert repr(hc.review(folder=tmp_path)) == NOTHING
    tomorrow = hc.review(folder=tmp_path, today=date.today() + timedelta(days=1))
    assert repr(tomorrow) == "Due today: 1 guess."
    assert tomorrow.practice is None
    later = hc.review(folder=tmp_path, today=date.today() + timedelta(days=2))
    assert [guess.asked.name for guess in later.guesses] == ["heads.wide", "heads.swapped"]
    assert later.guesses[0].widget.kept == {}  # what was said before does not stand there
    later.guesses[0].on_message({"guess": "2", "verdict": "right"})
    assert "heads.swapped" in {guess.asked.name for guess in hc.review(
        folder=tmp_path, today=date.today() + timedelta(days=2)).guesses}  # fmt: skip


def test_there_are_at_most_three_guesses_a_day_and_they_stand_before_the_practice(
    tmp_path, leitner, monkeypatch
):
    finish(hc.practise("dot_product", seed=1, folder=tmp_path))
    for name in ("heads.swapped", "heads.wide", "heads.row_130", "heads.batch"):
        guessed(tmp_path, name, "wrong")
    found = hc.review(folder=tmp_path, today=date.today() + timedelta(days=9))
    assert repr(found) == "Due today: dot product and 3 guesses."
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    found._ipython_display_()
    assert shown[1:] == [*found.guesses, found.practice]


def test_a_topic_that_is_long_comes_back_in_ten_minutes(tmp_path, leitner):
    finish(hc.practise("self_attention", seed=1, folder=tmp_path))
    found = hc.review(folder=tmp_path, today=date.today() + timedelta(days=9))
    assert 12 <= found.practice.exercise.fields <= 36
