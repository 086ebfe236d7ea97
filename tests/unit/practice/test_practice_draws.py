"""Codes on paper stand for their numbers for ever; golden/draws.json keeps at least 25 of each topic."""

import draws
import pytest

from handcalc.practice.exercise import codes
from handcalc.practice.topics import TOPICS

TOPIC_OF = {code: codes.read_code(code).topic for code in draws.GOLDEN}
BY_TOPIC = {topic: [code for code in TOPIC_OF if TOPIC_OF[code] == topic] for topic in TOPICS}


def test_many_codes_of_every_topic_are_pinned():
    assert {topic: len(known) for topic, known in BY_TOPIC.items() if len(known) < 25} == {}
    assert all({codes.read_code(code).level for code in known} == {1, 2, 3} for known in BY_TOPIC.values())


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_drawn_never_changes(topic):
    assert draws.digest(topic) == draws.KEPT[topic]["digest"]


@pytest.mark.parametrize("some", [slice(3), pytest.param(slice(3, None), marks=pytest.mark.sweep)], ids=str)
@pytest.mark.parametrize("topic", TOPICS)
def test_which_draw_is_good_enough_never_changes(topic, some):
    for code in BY_TOPIC[topic][some]:
        assert draws.givens(codes.load(code)) == draws.givens(draws.accepted(code)), code
