"""What a teacher is told of a class is what was planted in it, counted once more in plain loops."""

import json
from dataclasses import asdict, replace

import planted_class
import pytest
from planted_class import ADA, MARKUP, PLANTED, number

import handcalc as hc
from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.insight import ClassSheet, gather_insight
from handcalc.classroom.insight.misconceptions import MAX_GROUP_SIZE, _true_of_all
from handcalc.classroom.insight.next_topics import _training, find_training, find_weakest
from handcalc.classroom.insight.shared_numbers import find_shared_numbers
from handcalc.classroom.insight.sheet_progress import OddNumber, SeenMistake, Standing, find_standing
from handcalc.practice.exercise.codes import code_parts
from handcalc.practice.exercise.raw_answers import TypedText
from handcalc.practice.mistakes import mistake_registry
from handcalc.practice.mistakes.mal_rule import Mistake
from handcalc.practice.topics import TOPICS


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return planted_class.made(tmp_path_factory.mktemp("class") / "8b")


@pytest.fixture(scope="module")
def sheets(planted):
    standings = {mark["code"]: mark["standing"] for mark in planted.marks if mark["standing"]}
    found = {code: Standing.from_json(written) for code, written in standings.items()}
    return [ClassSheet(entry, found.get(entry.code)) for entry in planted.folder.register]


@pytest.fixture(scope="module")
def records(planted):
    first = {entry.topic: entry.code for entry in reversed(planted.folder.register.entries)}
    numbers = planted.folder.numbers
    return {topic: numbers.exercise(code).calculation for topic, code in first.items()}


@pytest.fixture(scope="module")
def told(sheets, records):
    return gather_insight(sheets, records)


def who_made(mistake):
    return [number(name) for name, made, *_ in PLANTED if mistake in made.values()]


@pytest.mark.slow
def test_a_mistake_of_two_students_is_the_classs_and_that_of_one_stands_apart(told):
    assert {one.name: one.students for one in told.mistakes} == {
        "not-scaled": who_made("not-scaled"),
        "row-softmax": who_made("row-softmax"),
    }
    assert [one.name for one in told.mistakes] == ["not-scaled", "row-softmax"]  # three students, then two
    assert [(one.name, one.students) for one in told.singles] == [
        ("transposed-scores", who_made("transposed-scores"))
    ]


def test_one_lost_sign_is_a_slip(told):
    assert who_made("a lost sign") == told.slips["sign-lost"]


def test_the_grid_has_the_state_that_says_most_of_each_step(told, planted):
    for grid, topic in zip(told.grids, ("scores", "softmax"), strict=True):
        assert grid.topic == topic
        for row in grid.rows:
            name, mistakes, _, blank = PLANTED[row.number - 1]
            for step, state in zip(grid.steps, row.states, strict=True):
                if name in planted_class.AWAY:
                    assert state is None
                elif topic in blank:
                    assert state == "blank"
                elif (topic, step) in mistakes:
                    assert state == "wrong"
                else:
                    assert state in ("right", "following")
        for place in range(len(grid.steps)):
            wrong = [row for row in grid.rows if row.states[place] == "wrong"]
            assert grid.totals[place]["wrong"] == len(wrong)


def test_numbers_are_counted_once_each(told, planted):
    blanks = sum(
        planted.folder.numbers.exercise(code).calculation[step].values.size
        for code in planted.answers
        for step in planted.folder.numbers.exercise(code).blank
    )
    assert sum(told.numbers.values()) == blanks


def test_three_to_talk_to_each_with_a_reason(told):
    stuck, silent, explains = told.talk
    carl = number("Carl")  # three hints to A, and it is still wrong; Emil had one
    assert (stuck.number, stuck.kind) == (carl, "stuck")
    assert stuck.reason.endswith("still wrong in A, after 3 hints; seen as row softmax.")
    assert (silent.number, silent.kind) == (number(planted_class.LATE), "silent")
    assert silent.reason == "Nothing handed in."
    assert (explains.number, explains.kind) == (number(ADA), "could explain")
    assert "without a hint; could explain S_scaled, which 3 students got wrong" in explains.reason


def test_groups_share_a_misconception_and_nobody_is_in_two(told):
    everybody = [one for group in told.groups for one in [*group.students, group.explainer] if one]
    assert len(everybody) == len(set(everybody))
    assert (told.groups[0].mistake, told.groups[0].students) == ("not-scaled", who_made("not-scaled"))
    assert [group.explainer for group in told.groups] == [
        number(ADA)
    ]  # Emil's mistake is left with him alone


def test_large_groups_are_parted_evenly_and_have_somebody_who_knows_while_there_are_any():
    told = gather_insight([sheet(k, "not-scaled") for k in range(1, 10)] + [sheet(10)], RECORDS)
    assert [group.students for group in told.groups] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert [group.explainer for group in told.groups] == [10, None, None]
    assert MAX_GROUP_SIZE == 4


def test_all_of_it_is_json_without_a_name(told):
    written = json.dumps(asdict(told), allow_nan=False, ensure_ascii=False)
    assert not any(name in written for name in (ADA, MARKUP, "Carl"))


# made by hand: a topic of one step with three numbers ------------------------------------------

RECORDS = {"softmax": hc.Calculation(hc.Matrix([[1]], "X").T.named("A"))}


def counts(**given):
    return {state: given.get(state, 0) for state in ("right", "close", "following", "wrong", "blank")}


def sheet(number, *mistakes, together=False, wrong=3, even=(), hints=None, again=None, right=3, slips=()):
    """One sheet: a step A, wrong where a mistake was seen in it, and right elsewhere.

    Mistakes explain the same numbers, or `together` each its own.
    """
    found = counts(wrong=wrong) if mistakes or slips else counts(right=right, blank=3 - right)
    seen = tuple(
        SeenMistake("A", name, "A", "Said.", name in slips, instead=place > 0 and not together)
        for place, name in enumerate((*mistakes, *slips))
    )
    entry = RegisterEntry(f"Name {number}", f"C{number}", "softmax", 1, number)
    return ClassSheet(entry, Standing(entry.code, {"A": found}, seen, (), even, hints or {}, again or {}))


def test_where_two_mistakes_explain_the_same_numbers_the_one_of_the_class_is_counted():
    told = gather_insight([sheet(1, "x", "y"), sheet(2, "y"), sheet(3, "y")], RECORDS)
    assert {one.name: one.students for one in told.mistakes} == {"y": [1, 2, 3]}
    together = gather_insight([sheet(1, "x", "y"), sheet(2, "x", "y")], RECORDS)
    assert [(one.name, one.others) for one in together.mistakes] == [("x", ["y"])]


def test_mistakes_in_different_numbers_of_a_step_were_all_made():
    told = gather_insight([sheet(k, "x", "y", together=True) for k in (1, 2)] + [sheet(3, "y")], RECORDS)
    assert {one.name: (one.students, one.others) for one in told.mistakes} == {
        "x": ([1, 2], []),
        "y": ([1, 2, 3], []),
    }
    exercise = hc.Exercise(hc.problem("scores"), ["S_scaled"])
    answer = exercise.calculation["S_scaled"].values.copy()
    answer[0, 0], answer[-1, -1] = -answer[0, 0], -answer[-1, -1]
    feedback = exercise.check(S_scaled=answer)
    assert [one.instead for one in find_standing("", exercise, feedback).mistakes] == [False, False]
    again = replace(feedback, mistakes=[replace(one, instead=True) for one in feedback.mistakes])
    assert [one.instead for one in find_standing("", exercise, again).mistakes] == [True, True]


def test_what_several_wrote_and_no_mistake_explains_is_told_with_what_stood_there_before():
    calculation = hc.problem("scores", seed=3)
    exercise = hc.Exercise(calculation, ["S", "S_scaled"])
    answers = {name: calculation[name].values.copy() for name in exercise.blank}
    right = answers["S"][1, 0]
    answers["S"][1, 0] = right + 40
    answers["S_scaled"] = answers["S"].copy()  # not scaled, which has a name
    typed = [TypedText("S", 1, 0, text) for text in ("7", "7", " ", "8", f"{right + 40:g}")]
    found = find_standing("", exercise, exercise.check(**answers), history=typed)
    wrong = OddNumber("S", f"{right + 40:g}".replace("-", "−"), f"{right:g}".replace("-", "−"), "7, 8")
    assert found.odd == (wrong,)
    assert found.again == {"S": 2}
    assert Standing.from_json(json.loads(json.dumps(found.to_json()))) == found
    whose = [ClassSheet(RegisterEntry("", f"C{k}", "scores", 1, k), found) for k in (1, 2, 3)]
    [told] = find_shared_numbers(whose)
    assert (told.students, told.written, told.right) == ([1, 2, 3], wrong.written, wrong.right)
    assert told.before == [("7, 8", 3)]
    assert find_shared_numbers(whose[:2]) == []  # two may have done so by chance
    assert find_shared_numbers(whose[:1] * 3) == []  # one student is not several


@pytest.mark.parametrize(
    ("mistake", "is_slip"),
    [
        (Mistake("S", mistake_registry.NOT_SCALED, "…"), False),
        (Mistake("S", mistake_registry.NOT_SCALED, "In row 1: …", in_part=True), True),
        (Mistake("S", mistake_registry.SIGN_LOST, "…", (0, 1)), True),
        (Mistake("S", mistake_registry.SIGN_LOST, "…"), False),  # every sign
        (Mistake("S", mistake_registry.MISREAD, "…"), True),
        (Mistake("S", mistake_registry.ENTRIES_SWAPPED, "…"), True),
        (Mistake("S", mistake_registry.EARLIER_ANSWER, "…"), True),
    ],
)
def test_what_happens_to_anyone_is_a_slip(mistake, is_slip):
    assert mistake.is_slip == is_slip


def test_a_mistake_in_one_row_alone_is_found_to_be_a_slip():
    calculation = hc.problem("scores", 3)
    answer = calculation["S_scaled"].values.copy()
    answer[0] = calculation["S"].values[0]  # nothing but the first row was not divided
    found = hc.Exercise(calculation).check(S=calculation["S"], S_scaled=answer).mistakes
    assert [(one.name, one.is_slip) for one in found] == [("not-scaled", True)]


def test_what_a_slip_explains_as_well_is_no_misconception():
    told = gather_insight([sheet(k, "x", slips=["sign-lost"], wrong=1) for k in (1, 2)], RECORDS)
    assert (told.mistakes, told.singles, told.slips) == ([], [], {"sign-lost": [1, 2]})
    told = gather_insight([sheet(k, "x", slips=["sign-lost"], wrong=5) for k in (1, 2)], RECORDS)
    assert [one.name for one in told.mistakes] == ["x"]


def test_who_corrects_again_and_again_is_stuck_before_who_has_more_wrong():
    told = gather_insight([sheet(1, "x", wrong=9), sheet(2, "x", wrong=1, again={"A": 4}), sheet(3)], RECORDS)
    assert (told.talk[0].number, told.talk[0].reason) == (
        2,
        "1 number is still wrong in A, after 4 corrections; seen as x.",
    )


def test_a_blank_sheet_is_told_before_one_that_did_not_come_and_what_cannot_be_read_is_not_silent():
    away = [ClassSheet(RegisterEntry("", f"C{k}", "softmax", 1, k)) for k in (1, 2)]
    unread = replace(away[0], entry=RegisterEntry("", "C3", "softmax", 1, 3), trouble="It is not a notebook.")
    told = gather_insight([*away, unread, sheet(4, right=0)], RECORDS)
    assert [(one.number, one.reason) for one in told.talk] == [
        (4, "All 3 numbers are blank."),
        (1, "Nothing handed in; the same goes for 1 other."),
        (2, "Nothing handed in; the same goes for 1 other."),
    ]
    assert (told.absent, told.unread) == ([1, 2], [3])
    assert [row.number for row in told.grids[0].rows if row.is_unread] == [3]


def test_nobody_is_asked_to_talk_twice_and_a_class_of_one_has_one():
    assert [one.number for one in gather_insight([sheet(1)], RECORDS).talk] == [1]
    many = gather_insight([sheet(k, "x") for k in range(1, 9)], RECORDS).talk
    assert [(one.number, one.kind) for one in many] == [(1, "stuck"), (2, "stuck"), (3, "stuck")]


def test_a_matrix_of_one_number_is_flagged_where_others_follow_from_it():
    both = sheet(1, even=("A",))
    follows = Standing("C1", {"A": counts(wrong=3), "B": counts(following=3)}, even=("A",))
    X = hc.Matrix([[1]], "X")
    records = {"softmax": hc.Calculation(X.T.named("A"), X.T.named("B"))}
    told = gather_insight([replace(both, standing=follows), sheet(2, even=("A",))], records)
    assert told.even == {1: ["A"]}


def test_a_step_is_trained_by_the_smallest_topic_that_has_it():
    assert find_training("self_attention", 2, ("S",)) == ("scores", 2, ("S",))
    assert find_training("causal_self_attention", 1, ("Q", "V")) == ("projections", 1, ("Q", "V"))
    assert find_training("multi_head_attention", 1, ("head_1.A", "head_2.A")) == ("softmax", 1, ("A",))
    assert find_training("self_attention", 1, ("S", "A")) == (
        "self_attention",
        1,
        ("S", "A"),
    )  # no smaller one has both
    assert (
        find_training("multi_head_attention", 1, ("Z",)).topic == "multi_head_attention"
    )  # another Z than V A
    assert find_training("worked_example", 1, ("A",)).topic == "softmax"
    assert find_training("example_block", 1, ("attention.head_1.S_scaled",)).topic == "scores"  # another √d_k
    assert (
        find_training("causal_self_attention", 1, ("S_masked",)).topic == "causal_self_attention"
    )  # another mask
    assert find_training("softmax_base_3", 1, ("E",)).topic == "softmax_base_3"  # other powers


def test_steps_that_one_sheet_trains_are_told_together():
    sheets = [
        ClassSheet(
            RegisterEntry("", f"C{k}", "multi_head_attention", 1, k),
            Standing(f"C{k}", {f"head_{k}.A": counts(wrong=2)}),
        )
        for k in (1, 2)
    ]
    (weak,) = find_weakest(sheets)
    assert weak.places == [("multi_head_attention", "head_1.A"), ("multi_head_attention", "head_2.A")]
    assert (weak.students, weak.training) == ([1, 2], ("softmax", 1, ("A",)))


@pytest.mark.slow
def test_every_step_of_every_topic_can_be_trained():
    for topic in TOPICS:
        for step in code_parts(topic, 7).steps:
            found = find_training(topic, 1, (step,))
            (trained,) = found.steps
            assert trained.rpartition(".")[2] == step.rpartition(".")[2]
            assert trained in code_parts(found.topic, 7).steps


@pytest.mark.parametrize(
    ("formula", "is_found"), [(lambda K, Q: K.T @ Q, True), (lambda K, Q: K * Q, False)], ids=["KᵀQ", "K·Q"]
)
def test_a_new_topic_is_found_in_its_record_without_being_named_anywhere(monkeypatch, formula, is_found):
    def draw(rng, level):
        return hc.Calculation(formula(hc.Matrix([[1, 2]], "K"), hc.Matrix([[3, 4]], "Q")).named("S"))

    name = f"scores_alone_{is_found}"  # a topic's record is kept
    monkeypatch.setitem(TOPICS, name, draw)
    _training.cache_clear()
    try:
        found = find_training("self_attention", 1, ("S",))
        assert found == (name if is_found else "scores", 1, ("S",))
    finally:
        _training.cache_clear()


def test_what_to_teach_next_is_what_most_got_wrong(told):
    first, *others = [(*one.places, len(one.students)) for one in told.weakest]
    assert first == (("scores", "S_scaled"), 3)
    assert sorted(others) == [(("scores", "S"), 2), (("softmax", "A"), 2)]
    assert {(plan.number, *plan.weak) for plan in told.plans} == {
        (number(name), *[step for topic, step in made if topic == sheet_topic])
        for name, made, *_ in PLANTED
        for sheet_topic in {topic for topic, _ in made}
    }


def test_every_name_of_a_mistake_and_its_relatives_says_what_was_done():
    for name, entry in mistake_registry.REGISTRY.items():
        assert mistake_registry.describe_mistake(name) == entry.done
        said = _true_of_all(str(name), {"one", "another"})  # to a whole class
        assert said.endswith(".")
        assert "`" not in said
        assert "as rows" not in said
        if entry.template:
            assert mistake_registry.describe_mistake(str(name.of("abc", "xyz"))) in (
                entry.done,
                "",
            )  # "", where two are alike
    assert (
        mistake_registry.describe_mistake("divided-by-sqrt-n")
        == mistake_registry.REGISTRY["divided-by-sqrt-d_model"].done
    )
    assert (
        mistake_registry.describe_mistake("keys-and-values-swapped")
        == mistake_registry.REGISTRY["queries-and-keys-swapped"].done
    )
    assert mistake_registry.describe_mistake("nobody-knows-it") == ""
