"""`hc.review`: what is due, by FSRS or by a Leitner box, with fresh numbers each time."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest

import handcalc as hc
from handcalc.course import spaced_review
from handcalc.course.spaced_review import NOTHING, Recall
from handcalc.foundation import extras

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
