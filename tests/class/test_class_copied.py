"""Copied work is told to the teacher alone and has no grade; honest work is left in peace."""

import random

import known_mistakes
import paper
import pytest

import handcalc as hc
from handcalc.classroom.insight.copied_work import CopySearch, HandedIn
from handcalc.classroom.insight.sheet_progress import find_standing
from handcalc.practice.exercise.exercise import Exercise

TOPIC = "self_attention"
NOT_SCALED = next(one.make for one in known_mistakes.KNOWN if one.name == "not-scaled")


class Classroom:
    """Sheets without a folder; `look` says who has whose numbers."""

    def __init__(self, topic, count, first=1):
        self.topic, self.codes = topic, [f"sheet {k}" for k in range(count)]
        seeds = zip(self.codes, range(first, first + count), strict=True)
        self.sheets = {code: Exercise(hc.problem(topic, seed=seed)) for code, seed in seeds}
        self.search = CopySearch(self.sheets.__getitem__, {topic: self.codes})
        self.handed = {}

    def work(self, k, **slips):
        return paper.answered(self.sheets[self.codes[k]].calculation, self.topic, 2, **slips)

    def hand_in(self, k, answers):
        exercise = self.sheets[self.codes[k]].again()
        standing = find_standing(self.codes[k], exercise, exercise.check(**answers))
        self.handed[k] = HandedIn(k, self.codes[k], self.topic, standing)

    def look(self):
        found = self.search.find(self.handed.values())
        return {k: (self.codes.index(one.code), one.is_sure) for k, one in found.items()}


def several_slips(random, counts=(1, 1, 2, 4)):
    """A few numbers of a step that are off by a little."""

    def slipped(see, right):
        found = [list(row) for row in right]
        for _ in range(random.choice(counts)):
            row = random.choice(found)
            column = random.randrange(len(row))  # a variance stays one
            row[column] += random.choice((1, 2, 3) if row[column] >= 0 else (-2, -1, 1))
        return found

    return slipped


def some_slips(random, steps, *counts):
    return {step: several_slips(random, *counts) for step in random.sample(list(steps), min(len(steps), 2))}


@pytest.fixture(scope="module")
def room():
    return Classroom(TOPIC, 5)


def test_a_neighbours_sheet_is_seen_as_theirs_with_and_without_slips_of_theirs(room):
    for slips in ({}, {"K": several_slips(random.Random(2))}, {"S_scaled": NOT_SCALED}):
        room.handed.clear()
        theirs = room.work(0, **slips)
        room.hand_in(0, theirs)
        room.hand_in(1, theirs)
        room.hand_in(2, room.work(2))
        assert room.look() == {1: (0, True)}


def test_half_a_sheet_or_one_with_a_number_altered_in_every_step_is_seen_too(room):
    theirs, own = room.work(0), room.work(1)
    half = {step: own[step] if step in ("Q", "K", "V") else theirs[step] for step in theirs}
    altered = {step: [[rows[0][0] + 1, *rows[0][1:]], *rows[1:]] for step, rows in theirs.items()}
    for copied in (half, altered):
        room.handed.clear()
        room.hand_in(0, theirs)
        room.hand_in(1, copied)
        assert room.look() == {1: (0, True)}


def test_the_sheet_of_somebody_from_whom_nothing_came_is_known_by_its_key(room):
    room.handed.clear()
    room.hand_in(1, room.work(4))
    assert room.look() == {1: (4, True)}


def test_two_friends_who_forget_the_same_have_not_copied(room):
    room.handed.clear()
    for k in range(3):
        room.hand_in(k, room.work(k, S_scaled=NOT_SCALED))
    assert room.look() == {}


def test_where_it_cannot_be_told_who_copied_both_are_told_and_nothing_is_withheld(room):
    room.handed.clear()
    made_up = {
        step: [[7.5 + i - 2 * j for j, _ in enumerate(row)] for i, row in enumerate(rows)]
        for step, rows in room.work(0).items()
    }
    for k in (0, 1):
        room.hand_in(k, made_up)
    assert room.look() == {0: (1, False), 1: (0, False)}


def test_one_example_for_everybody_is_nobodys():
    room = Classroom(TOPIC, 2)
    room.sheets = dict.fromkeys(room.codes, room.sheets[room.codes[0]])
    room.search = CopySearch(room.sheets.__getitem__, {TOPIC: room.codes})
    answers = room.work(0, Q=several_slips(random.Random(1)))
    room.hand_in(0, answers)
    room.hand_in(1, answers)
    assert room.look() == {}


MANY = [
    pytest.param(topic, 300, marks=pytest.mark.sweep) for topic in (TOPIC, "layer_norm", "cross_attention")
]


@pytest.mark.parametrize(("topic", "count"), [(TOPIC, 12), *MANY])
def test_honest_sheets_are_left_in_peace(topic, count):
    """300 sheets have as many pairs as 680 classes of 12."""
    room, chance = Classroom(topic, count, first=4_000), random.Random(5)
    for k in range(count):
        room.hand_in(k, room.work(k, **some_slips(chance, room.sheets[room.codes[k]].blank)))
    assert sum(one.odd.sum() >= 10 for one in room.handed.values()) > count / 3
    assert room.look() == {}


# What follows counts only if what it follows from was an attempt: three easy numbers are no shortcut.
COMPUTED = "computed from numbers that were not worked out"


def alternating(see, right):
    """0 and 1 by turns."""
    return [[float((i + j) % 2) for j, _ in enumerate(row)] for i, row in enumerate(right)]


def answered(seed, *easy, topic=TOPIC):
    """An exercise, and what somebody writes who fills some steps with 0 and 1 and goes on honestly."""
    calculation = hc.problem(topic, seed=seed)
    slips = dict.fromkeys(easy, alternating)
    return Exercise(calculation), paper.answered(calculation, topic, 2, **slips)


@pytest.mark.parametrize("seeds", [range(1, 4), pytest.param(range(1, 301), marks=pytest.mark.sweep)])
def test_a_pattern_of_two_numbers_is_no_attempt_and_what_follows_from_it_does_not_count(seeds):
    told = []
    for seed in seeds:
        exercise, answers = answered(seed, "Q", "K", "V")
        told.append(find_standing("", exercise, exercise.check(**answers)))
    assert sum(bool(one.no_work) for one in told) >= 0.98 * len(told)
    assert sum(one.count("following") == 0 for one in told) >= 0.95 * len(told)
    assert sum(one.count("right") + one.count("following") for one in told) < 0.3 * 63 * len(told)


def test_two_numbers_everywhere_are_told_so_and_nothing_is_said_to_follow():
    exercise, answers = answered(1)
    feedback = exercise.check(**{step: alternating(None, rows) for step, rows in answers.items()})
    assert feedback.count("follows") == 0
    assert find_standing("", exercise, feedback).no_work


def test_a_learner_reads_why_it_does_not_count_in_words_that_name_no_cell():
    exercise, answers = answered(2, "Q")
    told = exercise.check(**answers)
    assert {*told.unworked} == {"Q"}
    assert [*map(str, told.messages_about("S"))] == [f"S: {COMPUTED}."]
    assert f"S, S_scaled, E, E_sum, A and Z: {COMPUTED}." in map(str, told.lines())
    assert told.count("follows") == 0
    assert told.count("wrong", "K", "V") == 0


def test_a_blank_step_is_passed_through_and_one_that_was_worked_out_ends_it():
    exercise, answers = answered(2, "Q")
    rest = {step: rows for step, rows in answers.items() if step not in ("S", "S_scaled")}
    assert "E" in exercise.again().check(**rest).hollow
    right = paper.answered(exercise.calculation, TOPIC, 2)
    slip = [[right["S"][0][0] + 3, *right["S"][0][1:]], *right["S"][1:]]
    honest = paper.answered(exercise.calculation, TOPIC, 2, S=lambda see, right: slip)
    again = exercise.again().check(**honest | {"Q": answers["Q"]})
    assert (again.count("follows", "E") > 0, {*again.hollow}) == (True, set())


def test_step_by_step_it_is_the_same_as_all_at_once():
    exercise, answers = answered(2, "Q")
    for step in answers:
        told = exercise.check(**{step: answers[step]})
    assert told.count("follows") == 0
    assert [*map(str, told.messages_about("Z"))] == [f"Z: {COMPUTED}."]


TOPICS = (TOPIC, "layer_norm", "cross_attention", "feed_forward", "multi_head_attention")


@pytest.mark.parametrize("count", [2, pytest.param(600, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("topic", TOPICS)
def test_no_honest_step_is_taken_for_no_attempt(topic, count):
    chance = random.Random(7)
    for seed in range(1, count + 1):
        calculation = hc.problem(topic, seed=seed)
        slips = some_slips(chance, calculation.steps, (1, 2))
        told = Exercise(calculation).check(**paper.answered(calculation, topic, 2, **slips))
        assert (seed, {*told.unworked}, {*told.hollow}) == (seed, set(), set())
