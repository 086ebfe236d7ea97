"""A learner's own sentence as the worked example: one head of attention over 2 to 8 words."""

from __future__ import annotations

from functools import partial

import numpy as np

from handcalc.formulas.attention import self_attention
from handcalc.foundation.errors import listed
from handcalc.practice.topics.own_words import MOST_OF_A_GROUP, count_letters, groups, split_sentence
from handcalc.practice.topics.problems import TOO_LARGE, problem, unmet, unseen_mistakes
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.small_givens import SIZES_OF_LEVEL, weights
from handcalc.practice.topics.topic_registry import SENTENCE, Draw
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rewriting import run_again

MAX_DRAWS, MAX_COMPARED = 200, 20  # draws of weights; those that are compared where none is good
LARGEST_LEVEL = max(SIZES_OF_LEVEL)  # eight words may have numbers as large as there
MEANING = f"letters counted, at most {MOST_OF_A_GROUP} of a group"
NOT_SHOWN = "These words do not show {}."
RULE = (
    f"How many letters of each group a word has, at most {MOST_OF_A_GROUP}: "
    "the same word always has the same numbers."
)


def sentence(text: str, seed: int = 1, level: int = 1) -> Calculation:
    """Attention over your own sentence of 2 to 8 words, with small numbers that follow from its letters.

    >>> hc.sentence("the cat sat")["X"]
    X  (5 by 3, given, letters counted, at most 2 of a group)
         the  cat  sat
    a–f    1    2    1
    g–k    1    0    0
    l–p    0    0    0
    q–u    1    1    2
    v–z    0    0    0

    Each number of X says how many letters of a group a word has, at most 2. The weights are drawn so that
    common mistakes lead to other numbers; where the words are too much alike for that, the reasons for X and
    for the steps say which of them do not show. Another `seed` draws other weights, a `level` of 2 or 3 has
    larger sizes. `hc.practise("sentence/the cat sat")` practises it; `hc.code` and `handcalc worksheet` take
    the same name. What a trained model makes of it says `hc.models.minilm`.
    Raises HandcalcError for fewer words, or more.
    """
    return problem(SENTENCE + "_".join(split_sentence(text)), seed, level)


def draw_of(name: str) -> Draw:
    """A draw of the numbers of a sentence: sentence/the_cat_sat."""
    return partial(_draw, split_sentence(name.removeprefix(SENTENCE)))


def _draw(words: list[str], rng: Rng, level: int) -> Calculation:
    """Weights that are good for the words that differ; where none are, those of which most mistakes show."""
    _, d_model, _, _ = SIZES_OF_LEVEL[level]
    columns = {tuple(count_letters(word, d_model)): word for word in reversed(words)}
    differing = _features(sorted(columns.values(), key=words.index), d_model)
    others: list[Calculation] = []
    for _ in range(MAX_DRAWS):
        drawn = weights(rng, level, differing)
        trouble = next(unmet(self_attention(differing, *drawn), LARGEST_LEVEL), None)
        found = self_attention(_features(words, d_model), *drawn)
        if trouble is None:
            return _told(found, words)
        if trouble != TOO_LARGE or not others:
            others.append(found)
    return _told(min(others[:MAX_COMPARED], key=_count_unseen), words)


def _count_unseen(drawn: Calculation) -> int:
    return sum(map(len, unseen_mistakes(drawn).values()))


def _told(found: Calculation, words: list[str]) -> Calculation:
    """The calculation with its title, and with a sentence on mistakes that its words do not show."""
    unseen = unseen_mistakes(found)
    reasons = {step: f"{found[step].why} {NOT_SHOWN.format(listed(names))}" for step, names in unseen.items()}
    every = dict.fromkeys(name for names in unseen.values() for name in names)
    reasons["X"] = " ".join([RULE, *([NOT_SHOWN.format(listed(every))] if every else [])])

    def told(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        new = run_again(old, inputs)
        return new.replace(why=reasons[new.name]) if new.name in reasons else new

    return Calculation(*found.rewritten(told).record, title=" ".join(words))


def _features(words: list[str], count: int) -> Matrix:
    numbers = np.array([count_letters(word, count) for word in words]).T
    return Matrix(numbers, "X", rows=groups(count), columns=words).named("X", MEANING)
