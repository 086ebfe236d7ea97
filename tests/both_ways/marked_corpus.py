"""A corpus of answers over all topics, levels, conventions and places, with what is said of each.

Run as a program it is written anew, after something was changed on purpose: look at the difference.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import draws
import in_node
import needed
import numpy as np
import paper
import planted

import handcalc as hc
from handcalc.notation.numbers import rounded_by_hand
from handcalc.notation.sentences import html_of
from handcalc.practice.diagnosis.cell_errors import cell_slips, wrong_columns, wrong_rows
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.exercise.known_recipes import KnownRecipes
from handcalc.practice.exercise.steps_by_block import within_block
from handcalc.practice.mistakes.mal_rule import wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import TOPIC_LEVELS

STORED = Path(__file__).parents[1] / "golden" / "marked_answers.json"
CONVENTIONS = "columns", "rows"
PLACES = 1, 2, 3
LETTERS = {"correct": "c", "follows": "f", "wrong": "w", "not attempted": "n"}
KINDS = "mistake", "slip", "slip", "slip", "two slips", "slip and blanks", "extreme", "right", "one number"
SAID_OF_PAGE = """({ calculation, marking, sheet_levels }, { spec, answers, known, places }) => {
  const made = new calculation.Calculation(spec);
  const levels = new sheet_levels.Levels(made);
  const nameIn = (...read) => levels.nameBeside(...read);
  const found = new marking.Marking(made, new Map(Object.entries(answers)), places, known, nameIn);
  const words = (step, say) => (one) => [step, one.told[0], Boolean(one.isInCell), one[say]];
  const named = [...found.mistakes].flatMap(([step, all]) => all.map(words(step, "says")));
  const asked = [...found.possible].flatMap(([step, all]) => all.slice(0, 1).map(words(step, "asks")));
  return [Object.fromEntries(found.states), named, asked];
}"""
Said = list[list[Any]]  # [step, name of the mistake, whether it is about one number, sentence]


class Case(NamedTuple):
    """A problem, and how it is answered."""

    topic: str
    seed: int
    level: int
    convention: str
    places: int

    @property
    def numbers(self) -> hc.Calculation:
        return draws.problem(self.topic, self.seed, self.level)

    @property
    def exercise(self) -> Exercise:
        return Exercise(self.numbers, None, self.places, self.convention)

    @property
    def kind(self) -> str:
        """How it is answered."""
        return random.Random(str(tuple(self))).choice(KINDS)

    def answers(self, exercise: Exercise) -> dict[str, np.ndarray]:
        """What was written: a known mistake as loops make it, else slips in right answers."""
        chance, kind = random.Random(f"{tuple(self)} {self.kind}"), self.kind
        made = [*planted.made_on(self.numbers, self.topic)] if kind == "mistake" else []
        if made:
            step, mistake = chance.choice(made)
            written = paper.answered(
                self.numbers, self.topic, self.places, self.convention, **{step: mistake.make}
            )
            return {name: np.array(written[name], dtype=float) for name in exercise.blank}
        right = {name: exercise.calculation[name].values for name in exercise.blank}
        found = {name: rounded_by_hand(values, self.places) for name, values in right.items()}
        if kind == "one number":
            found[chance.choice(exercise.blank)].fill(0.0)
        for _ in range({"right": 0, "one number": 0, "two slips": 2}.get(kind, 1)):
            step = exercise.calculation[chance.choice(exercise.blank)]
            place = chance.randrange(step.values.size)
            slipped = 5000.0 if kind == "extreme" else slip(step, place, self.places, exercise, chance)
            found[step.name].flat[place] = slipped
        for name in exercise.blank if kind == "slip and blanks" else ():
            found[name].flat[chance.randrange(found[name].size)] = np.nan
        return found


def slip(step, place: int, places: int, exercise: Exercise, chance: random.Random) -> float:
    """One number, wrong: by a slip that is known, too few places, one off, or any other number."""
    cell, right = np.unravel_index(place, step.shape), float(step.values.flat[place])
    row, column = map(int, cell)
    replay, parts = LearnerReplay.right(exercise.calculation), StepParts(step)
    slips = [
        one.values[0, 0]
        for find in (cell_slips, wrong_rows, wrong_columns)
        for one in find(parts, row, column, replay)
    ]
    slips += [one.values[cell] for one in wrong_operations(parts, replay)]
    wild = [chance.uniform(-9, 9), right + chance.choice([1, -1]) * 10.0 ** -chance.randint(0, places)]
    known = [float(value) for value in slips if np.isfinite(value)] or wild
    if not np.isfinite(right):
        return chance.choice([0.0, *wild[:1]])
    rough = [round(right, fewer) for fewer in range(places)] + [np.trunc(right * 10**places) / 10**places]
    found = chance.choice(
        [
            chance.choice(known),
            chance.choice(known),
            chance.choice(known),
            chance.choice(wild),
            chance.choice(rough),
        ]
    )
    return float(rounded_by_hand(np.array([found]), places)[0])


def cases() -> Iterator[Case]:
    """One of each, the seeds in turn."""
    draws_of = [(topic, level) for topic in TOPICS for level in TOPIC_LEVELS]
    for number, (topic, level) in enumerate(draws_of):
        for convention in CONVENTIONS:
            for places in PLACES:
                yield Case(topic, 1 + number % 3, level, convention, places)


def said_by_python(feedback: Feedback) -> tuple[dict[str, str], Said, Said]:
    """The states of each step, in letters; mistakes that are named; of each step the first asked about."""
    states = {name: "".join(LETTERS[state] for state in cells.flat) for name, cells in feedback.cells.items()}
    named = [_said(one, one.sentence) for one in feedback.mistakes]
    first = {one.step: one for one in reversed(feedback.possible)}
    return states, named, [_said(one, one.asked) for one in reversed([*first.values()])]


def _said(one, words) -> list[Any]:
    return [one.step, str(one.name), one.cell is not None, html_of(within_block(words, one.step))]


def said_by_page(node, exercise: Exercise, answers) -> tuple[dict[str, str], Said, Said]:
    """The same of a page, without Python."""
    recipes = KnownRecipes()
    known = {"of": recipes.of(exercise), **recipes.in_numbers(exercise)}
    given = {
        "spec": exercise.calculation.to_spec(),
        "answers": {name: values.ravel().tolist() for name, values in answers.items()},
        "known": {**recipes.spec, **known},
        "places": exercise.places,
    }
    states, named, asked = node(SAID_OF_PAGE, given)
    return {step: "".join(LETTERS[state] for state in cells) for step, cells in states.items()}, named, asked


def verdict(case: Case, node=None) -> dict[str, Any]:
    """What Python says of a case, and with a page beside it the steps of which that says nothing."""
    exercise = case.exercise
    answers = case.answers(exercise)
    feedback = exercise.again().check(**answers)
    states, named, asked = said_by_python(feedback)
    found = {
        "states": {step: letters for step, letters in states.items() if {*letters} != {"c"}},
        "named": named,
        "asked": asked,
    }
    if node:
        of_page, told, questions = said_by_page(node, exercise, answers)
        founded = states.keys() - feedback.hollow  # that a step was no attempt, only Python says
        assert {name: of_page[name] for name in founded} == {name: states[name] for name in founded}, case
        found["page says nothing"] = silent = sorted(
            {one[0] for one in named + asked} - {one[0] for one in told + questions}
        )
        assert told == [one for one in named if one[0] not in silent], case
        assert questions == [one for one in asked if one[0] not in silent], case
    return found


def stored() -> dict[Case, dict[str, Any]]:
    """The corpus, as it is stored."""
    kept = json.loads(STORED.read_text("utf-8"))
    words = kept["words"]
    for one in kept["cases"]:
        for said in one.get("named", []), one.get("asked", []):
            said[:] = [
                [step, words[name], bool(is_one), words[sentence]] for step, name, is_one, sentence in said
            ]
    filled = [
        {"states": {}, "named": [], "asked": [], "page says nothing": [], **one} for one in kept["cases"]
    ]
    return dict(zip(cases(), filled, strict=True))


def packed(found: list[dict[str, Any]]) -> str:
    """The corpus as text: each sentence once, nothing that is empty."""
    words: dict[str, int] = {}
    for one in found:
        for said in one["named"], one["asked"]:
            said[:] = [
                [step, words.setdefault(name, len(words)), int(is_one), words.setdefault(text, len(words))]
                for step, name, is_one, text in said
            ]
    lines = [
        json.dumps(
            {key: value for key, value in one.items() if value}, ensure_ascii=False, separators=(",", ":")
        )
        for one in found
    ]
    return (
        f'{{"words": {json.dumps([*words], ensure_ascii=False, separators=(",", ":"))},\n"cases": [\n'
        + ",\n".join(lines)
        + "\n]}\n"
    )


if __name__ == "__main__":  # PYTHONPATH has the folders of pyproject.toml's pythonpath
    with TemporaryDirectory() as folder, in_node.node(needed.node() or "node", Path(folder)) as node:
        STORED.write_text(packed([verdict(case, node) for case in cases()]), "utf-8")
