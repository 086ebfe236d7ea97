"""Feedback after a check: cell by cell, by word and sign as well as colour, as text and HTML."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from handcalc.notation import numbers
from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import Called, Number, Sentence, join_sentences, list_things, said
from handcalc.practice.diagnosis.wrong_answer import is_close
from handcalc.practice.exercise import feedback_html
from handcalc.practice.exercise.answers import UnreadNumber
from handcalc.practice.exercise.steps_by_block import (
    ByBlock,
    block_of_step,
    list_names,
    short_name,
    within_block,
)
from handcalc.practice.marking.marking import half_unit
from handcalc.practice.marking.states import (
    BY_NAME,
    CELL_STATES,
    CORRECT,
    FOLLOWS,
    NOT_ATTEMPTED,
    UNREAD,
    WRONG,
    States,
    describe_state,
)
from handcalc.practice.mistakes.mal_rule import Mistake
from handcalc.practice.replay.error_carried_forward import Flags
from handcalc.record.calculation import Calculation
from handcalc.record.equations import formula_sentence
from handcalc.record.rendering import Explanation

MIN_CONSTANT_NUMBERS = 4  # equal numbers in all: fewer may be equal by chance
MAX_NAMES_IN_LINE = 9  # names in one line
MAX_CELLS_TRIED = 20  # numbers that follow, for one whose arithmetic comes to what was written


class StepGroup(NamedTuple):
    """Steps that are summed up together, and their lines; a single step has no heading of its own."""

    steps: list[str]
    lines: list[Sentence]
    is_step: bool = False
    kind: str = ""  # the state that all its cells have, if there is one


class AskedExercise(Protocol):
    """The exercise that was asked, as far as feedback shows it."""

    calculation: Calculation
    places: int
    solutions: bool

    def explained_on(self, answers: Mapping[str, Values], step: str, row: int, column: int) -> Explanation:
        """The arithmetic of one cell on the learner's own earlier numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class Feedback:
    """The state of an exercise.

    `cells[step]` is an array of states; `mistakes` are claimed: enough numbers agree with each. What else
    would explain numbers is `possible`, the likeliest first, and asked about. `problems[step]` is the
    sentence about an answer that could not be read, `unread` has the numbers that could not, each with its
    own.
    """

    exercise: AskedExercise
    cells: Mapping[str, States]
    answers: Mapping[str, Values]
    mistakes: list[Mistake] = field(default_factory=list)
    possible: list[Mistake] = field(default_factory=list)
    problems: Mapping[str, str] = field(default_factory=dict)
    unread: Sequence[UnreadNumber] = ()
    worked: Collection[tuple[str, int, int]] = ()  # cells whose arithmetic may be shown
    unchanged: Collection[str] = ()  # steps handed in just as before
    outdated: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # marks kept, by what has changed since
    odd: Mapping[str, Flags] = field(default_factory=dict)  # neither right nor explained by a claimed mistake
    unworked: Collection[str] = ()  # steps that are no attempt: one or two numbers fill them
    hollow: Collection[str] = ()  # steps that follow from those, without credit

    def count(self, state: str, *steps: str) -> int:
        """How many cells are in a state, in all steps or in some."""
        return sum(int(np.sum(self.cells[step] == state)) for step in steps or self.cells)

    @cached_property
    def marks(self) -> Mapping[str, States]:
        """The states as they are shown: a number that could not be read says so."""
        found = {step: self.cells[step].copy() for step in {one.step for one in self.unread}}
        for step, row, column, _ in self.unread:
            found[step][row, column] = UNREAD
        return {**self.cells, **found}

    @property
    def is_complete(self) -> bool:
        """Whether every blank is filled, and rightly."""
        return not self.outdated and all((states == CORRECT).all() for states in self.cells.values())

    @property
    def first_wrong(self) -> tuple[str, int, int] | None:
        """The first cell that is wrong, in the order of the steps, counted from 0."""
        for step, states in self.cells.items():
            for row, column in np.argwhere(states == WRONG):
                return step, int(row), int(column)
        return None

    @cached_property
    def _blocks(self) -> ByBlock:
        return ByBlock(self.cells)

    def lines(self) -> list[Sentence]:
        """The lines for a learner: one for each step or block, then the first wrong number."""
        others = [self._problem(name) for name in self.problems if name not in self.cells]
        return [*(line for group in self.groups() for line in group.lines), *others, *self.messages()]

    def groups(self) -> list[StepGroup]:
        """The steps in groups: those that need a look, by block; those all right; those not begun."""
        homes = self._blocks.groups(self._kind)
        kinds = {home: {*map(self._kind, steps)} for home, steps in homes.items()}
        alike = {kind: [home for home in homes if kinds[home] == {kind}] for kind in (CORRECT, NOT_ATTEMPTED)}
        if self._blocks.is_one:
            alike[CORRECT] = []  # then each step has a line
        rest = [home for home in homes if not any(home in found for found in alike.values())]
        found = [StepGroup(homes[home], self._about(home, homes[home]), home in self.cells) for home in rest]
        for kind, together in alike.items():
            steps = [step for home in together for step in homes[home]]
            names = self._blocks.names({home: homes[home] for home in together})
            found += [StepGroup(steps, [self._together(kind, names, steps)], kind=kind)] if together else []
        return found

    def _kind(self, step: str) -> str:
        """The one state of all cells of a step that is all right or not begun; else an empty text."""
        states = self.marks[step]
        is_alike = step not in self.problems and (states == states[0, 0]).all()
        return str(states[0, 0]) if is_alike and states[0, 0] in (CORRECT, NOT_ATTEMPTED) else ""

    def messages(self) -> list[Sentence]:
        """The sentences on the mistakes, and the arithmetic of the first wrong number."""
        if self.first_wrong is None:
            return [Sentence("All of it is right.")] if self.is_complete else self._waiting()
        first, later = self._explained(*self.first_wrong), self._wrong()[1:]
        then = [said("Then look at {}.", self._blocks.listed(later))] if later else []
        hollow = [step for step in self.cells if step in self.hollow]
        return [*self._named(), first, *then, *self._computed_from_nothing(*hollow), *self._waiting()]

    def _waiting(self) -> list[Sentence]:
        """The steps marked before an answer that they rest on changed, and not marked since."""
        if not self.outdated:
            return []
        changed = dict.fromkeys(name for names in self.outdated.values() for name in names)
        words = self._blocks.listed(self.outdated), self._blocks.listed(changed)
        return [said("Outdated: {}, marked with your earlier {}. Check again.", *words)]

    def messages_about(self, step: str) -> list[Sentence]:
        """The sentences about one step alone."""
        if step in self.hollow:
            return [*self._named(step), *self._computed_from_nothing(step)]
        cells = np.argwhere(self.cells[step] == WRONG)
        return [*self._named(step), *(self._explained(step, *map(int, cell)) for cell in cells[:1])]

    def worked_on_own(self, step: str) -> Sentence | None:
        """A number that follows, worked with the learner's own numbers, after those it follows from.

        Where solutions are withheld, it reads what was written alone.
        """
        half = half_unit(self.exercise.places)
        for row, column in np.argwhere(self.cells[step] == FOLLOWS)[:MAX_CELLS_TRIED].tolist():
            told = self.exercise.explained_on(self.answers, step, row, column)
            read = [(m.name or "", i, j) for m, i, j in told.sources if m.name in self.cells]
            is_known = self.exercise.solutions or not any(np.isnan(self.answers[m][i, j]) for m, i, j in read)
            own = [cell for cell in read if self.cells[cell[0]][cell[1:]] in (WRONG, FOLLOWS)]
            if is_known and abs(told.value - self.answers[step][row, column]) <= half and own:
                addresses = list_things(Sentence(Address(*cell)) for cell in dict.fromkeys(own))
                return within_block(said("With your {}: {}", addresses, told), step)
        return None

    def _computed_from_nothing(self, *steps: str) -> list[Sentence]:
        words = "{}: computed from numbers that were not worked out."
        return [said(words, self._blocks.listed(steps))] if steps else []

    def _wrong(self) -> list[str]:
        wrong = [step for step, states in self.cells.items() if (states == WRONG).any()]
        return [step for step in wrong if step not in self.hollow]

    def _named(self, *steps: str) -> list[Sentence]:
        """The mistakes that were recognised, in all steps or in some, and one question for each step."""
        sentences: dict[tuple[str, Sentence], list[Sentence]] = {}
        for mistake in self.mistakes:
            told = said("This gives the same numbers: {}" if mistake.instead else "{}", mistake.sentence)
            sentences.setdefault((mistake.step, mistake.where), []).append(told)
        for step in dict.fromkeys(one.step for one in self.possible):
            first = next(one for one in self.possible if one.step == step)
            sentences.setdefault((step, first.where), []).append(first.asked)
        return [
            self._blocks.about(step, said("{}: {}", where, join_sentences(" ", found)))
            for (step, where), found in sentences.items()
            if not steps or step in steps
        ]

    def _together(self, kind: str, names: list[Sentence], steps: list[str]) -> Sentence:
        """The line about steps and blocks that are all right, or not begun."""
        shown = (
            names
            if len(names) <= MAX_NAMES_IN_LINE
            else [*names[: MAX_NAMES_IN_LINE - 1], Sentence("others")]
        )
        marks = self._counted(steps) if kind == CORRECT else f"{BY_NAME[kind].sign} {kind}"
        return said("{}: {}", list_names(shown), marks)

    def _about(self, home: str, steps: list[str]) -> list[Sentence]:
        """The sentences about a step, or about all the steps of a block."""
        problems = [self._problem(step) for step in steps if step in self.problems]
        read = [step for step in steps if step not in self.problems]
        if {*map(self._kind, read)} <= {NOT_ATTEMPTED}:
            return problems
        heading = short_name(home) if home in self.cells else self._blocks.place(home)
        return [said("{}: {}", heading, self._counted(read)), *problems, *self._illegible(read)]

    def _illegible(self, steps: list[str]) -> list[Sentence]:
        """The first number of each step that could not be read, and how many more there are."""
        found = [[one for one in self.unread if one.step == step] for step in steps]
        return [
            within_block(
                said("{}{}", first.told, f" ({len(more)} more could not be read.)" if more else ""),
                first.step,
            )
            for first, *more in filter(None, found)
        ]

    def _counted(self, steps: list[str]) -> Sentence:
        """The number of cells in each state: `✓ 57 correct, ✗ 6 wrong in S`."""
        marks = []
        for state in (*CELL_STATES, UNREAD):
            counts = {step: int((self.marks[step] == state).sum()) for step in steps}
            found = {step: count for step, count in counts.items() if count}
            count, names = sum(found.values()), list_things(map(short_name, found))
            place = said(" in {}", names) if len(steps) > 1 and state != CORRECT else ""
            marks += (
                [said("{} {} {}{}", BY_NAME[state].sign, count, describe_state(state, count), place)]
                if count
                else []
            )
        return join_sentences(", ", marks)

    def _problem(self, step: str) -> Sentence:
        """The sentence about an answer that could not be read, which often names the step itself."""
        problem = self.problems[step]
        begins = problem.startswith(f"{step} ")
        sentence = Sentence(problem) if begins else said("{}: {}", Called(step), problem)
        return self._blocks.about(step, sentence) if step in self.cells else sentence

    def _explained(self, step: str, row: int, column: int) -> Sentence:
        given = Number(self._written(step, row, column))
        place, turn = self._blocks.place(block_of_step(step)), "first" if step == self._wrong()[0] else "then"
        begin = f"{place}, {turn}" if place else turn.capitalize()
        sentence = said("{} look at {}: you wrote {}", begin, Address(step, row, column), given)
        if (step, row, column) not in self.worked:
            return within_block(said("{}.", sentence), step)
        shown = (
            self.exercise.explained_on(self.answers, step, row, column)
            if self.exercise.solutions
            else formula_sentence(self.exercise.calculation[step])
        )
        return within_block(said("{}; {}", sentence, shown), step)

    def _written(self, step: str, row: int, column: int) -> str:
        """A number as the learner wrote it; rounded where it has many digits and does not look right then."""
        value = float(self.answers[step][row, column])
        short, full = numbers.show(value, self.exercise.places), numbers.show(value, None)
        if full == short or len(full) < len(short):
            return full
        right = self.exercise.explained_on(self.answers, step, row, column).result
        return full if short == right else short

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        return feedback_html.render_feedback(self)


def even_steps(feedback: Feedback) -> tuple[str, ...]:
    """The steps, in order, in which one number stands throughout, or two that nobody worked out."""
    asked = feedback.exercise
    return tuple(
        name
        for name, states in feedback.cells.items()
        if name in feedback.unworked
        or (
            name not in feedback.hollow
            and _is_constant(asked.calculation[name].values, feedback.answers[name], states, asked.places)
        )
    )


def is_no_work(feedback: Feedback) -> bool:
    """Whether so many numbers are the same that a person has to look at it before it counts."""
    return (
        sum(int((~np.isnan(feedback.answers[name])).sum()) for name in even_steps(feedback))
        >= MIN_CONSTANT_NUMBERS
    )


def _is_constant(right: Values, answer: Values, states: States, places: int) -> bool:
    """Whether one and the same number was written throughout, where the right ones differ.

    Blanks say nothing. A step without a wrong number is as the ones before it make it.
    """
    written = ~np.isnan(answer)
    if written.sum() < 2 or not (states == WRONG).any():
        return False
    asked = right[written]
    is_one = (answer[written] == answer[written][0]).all()
    return bool(is_one and not is_close(asked, asked[0], 2 * half_unit(places)).all())
