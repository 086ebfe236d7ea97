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
