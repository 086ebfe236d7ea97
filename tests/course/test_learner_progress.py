"""`hc.progress`: guesses and practice of all lessons in one place; mistakes that came back; deletion."""

import json
import re
import shutil

import numpy as np
import pytest
from matplotlib.text import Text

import handcalc as hc
from handcalc.course.guess_log import log_in
from handcalc.course.learner_progress import NONE, MadeMistake
from handcalc.course.start.figures import clickable_map, course_map


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
