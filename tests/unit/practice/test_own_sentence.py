"""`hc.sentence`: your own words as the worked example, their numbers, their code, what does not show."""

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc.cli import main
from handcalc.practice.exercise import codes
from handcalc.practice.topics.own_words import count_letters, groups, split_sentence
from handcalc.practice.topics.problems import unseen_mistakes

SENTENCES = (
    "the cat sat",
    "I like tea",
    "time flies like an arrow",
    "to be or not to be",
    "we are all in this together now",
    "Der Fuchs läuft.",
    "我 爱 你",
    "route 66 is long",
)
TOPIC = "sentence/the_cat_sat"


@pytest.mark.parametrize("text", SENTENCES)
def test_every_mistake_shows_where_the_words_differ(text):
    found = hc.sentence(text)
    assert found["X"].columns == tuple(split_sentence(text))
    assert unseen_mistakes(found) == {}
    assert not any("do not show" in matrix.why for matrix in found.values())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["the the", "cat act"])
def test_words_that_are_the_same_say_which_mistakes_do_not_show(text):
    found = hc.sentence(text)
    unseen = unseen_mistakes(found)
    assert "row-softmax" in unseen["A"]
    for step, names in unseen.items():
        assert found[step].why.endswith(".")
        assert all(name in found[step].why.partition("These words do not show ")[2] for name in names)
        assert all(name in found["X"].why for name in names)
    assert "do not show" not in found["Q"].why


@pytest.mark.parametrize("level", [1, 2, 3])
def test_numbers_count_letters_so_the_same_word_has_the_same_ones(level):
    one, other = hc.sentence("to be or not to be", level=level), hc.sentence("be kind to cats", 5, level)
    X = one["X"].values
    np.testing.assert_array_equal(X[:, [0, 1]], X[:, [4, 5]])
    np.testing.assert_array_equal(X[:, [1, 0]], other["X"].values[:, [0, 2]])
    for place, group in enumerate(one["X"].rows):
        first, last = group.split("–")
        counted = [min(2, sum(first <= letter <= last for letter in word)) for word in one["X"].columns]
        np.testing.assert_array_equal(X[place], counted)


def test_the_groups_are_the_alphabet():
    assert groups(5) == ["a–f", "g–k", "l–p", "q–u", "v–z"]
    assert count_letters("didn't", 5) == [2, 1, 1, 1, 0]


def test_another_seed_has_other_weights_and_the_same_words():
    one, other = hc.sentence("the cat sat"), hc.sentence("the cat sat", seed=2)
    np.testing.assert_array_equal(one["X"].values, other["X"].values)
    assert any((one[name].values != other[name].values).any() for name in ("W_Q", "W_K", "W_V"))


def test_its_code_holds_the_words():
    code = hc.code("sentence/The cat sat.", 7, blank=["Z"], convention="rows")
    assert code.endswith("~the-cat-sat")
    exercise = hc.Exercise(code)
    assert (exercise.blank, exercise.code, exercise.calculation.convention) == (("Z",), code, "rows")
    assert codes.read_code(code)[:3] == (TOPIC, 7, 1)
    assert codes.spell_code(code.upper()) == code
    following = codes.following_code(code)
    assert codes.read_code(following)[:3] == (TOPIC, 8, 1)
    np.testing.assert_array_equal(hc.load(following)["X"].values, hc.load(code)["X"].values)


def test_a_slip_in_the_words_of_a_code_is_noticed():
    """All but a for x, b for y and c for z: there are more letters than check signs."""
    code = hc.code(TOPIC, 7)
    start = code.index("~") + 1
    for place in range(start, len(code)):
        other = "" if code[place] == "-" else chr(ord(code[place]) + 1)
        wrong = code[:place] + other + code[place + 1 :]
        with pytest.raises(hc.HandcalcError, match="is not a code"):
            hc.load(wrong)


def test_without_its_words_it_is_no_code_and_with_words_no_other_is_one():
    for wrong in (hc.code(TOPIC).partition("~")[0], hc.code("softmax") + "~the-cat"):
        with pytest.raises(hc.HandcalcError, match="is not a code"):
            hc.load(wrong)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cat", "The sentence 'cat' has 1 word; it needs 2 to 8."),
        ("one two three four five six seven eight nine", "has 9 words; it needs 2 to 8."),
        ("… !", "has 0 words; it needs 2 to 8."),
        ("the c@t", "'c@t' is not a word of at most 20 letters or digits."),
        ("the " + "a" * 21, "is not a word of at most 20 letters or digits."),
        (7, "The sentence is 7; it must be text, such as 'the cat sat'."),
    ],
)
def test_what_is_no_sentence_is_told_in_one(text, said):
    cases.assert_refused(lambda: hc.sentence(text), said)


def test_practice_marks_it_and_goes_on_with_the_same_words(tmp_path):
    practice = hc.practise(TOPIC, seed=3, folder=tmp_path)
    Q = practice.exercise.calculation["Q"].values
    practice.write("Q", 0, 0, str(Q[0, 0]))
    first = practice.code
    practice.next()
    assert practice.code != first
    assert practice.exercise.calculation["X"].columns == ("the", "cat", "sat")
    assert [path.name for path in tmp_path.iterdir()] == ["handcalc-log.jsonl"]


def test_a_sheet_and_its_key(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["worksheet", "sentence/the cat sat", "--key"]) == 0
    code = hc.code(TOPIC)
    assert capsys.readouterr().out.splitlines()[0] == f"{code}.pdf: {code}, 1 page"
    assert main(["worksheet", "sentence/cat"]) == 2
    assert capsys.readouterr().err == "The sentence 'cat' has 1 word; it needs 2 to 8.\n"
