"""A mistake: its name and its row in the registry; as a candidate, with its result; as it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import Called, Sentence, Thing, said
from handcalc.practice.replay.error_carried_forward import Flags
from handcalc.record.matrix import Matrix

At = tuple[int, int]


class MistakeName(str):
    """The name of a mistake that is in the registry, or of a relative of one."""

    base: MistakeName | None = None

    def of(self, *words: str) -> MistakeName:
        """The name of a relative, with other words of the record in it: keys-and-values-swapped."""
        relative = MistakeName(self.entry.template.format(*words))
        relative.base = self
        return relative

    @property
    def entry(self) -> MistakeEntry:
        """Its row, or that of its base."""
        return REGISTRY[self.base or self]

    def says(self, *things: Thing, case: str = "") -> Sentence:
        """The sentence for a learner who made it, in one of its cases, with things in the places of {}."""
        return said(self.entry.says[case], *things)

    def asks(self, *things: Thing, case: str = "") -> Sentence:
        """The question to a learner where the mistake is only possible."""
        return said(self.entry.asks[case], *things)


@dataclass(frozen=True)
class MistakeEntry:
    """The entry of a mistake: all its words, by case where it has several.

    No draw has numbers with which a `promised` one would pass for the right ones, or for another mistake.
    An `accident` is no misconception: it is a slip wherever it is made.
    """

    done: str
    promised: bool = False
    template: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    asks: Mapping[str, str] = field(default_factory=dict)
    accident: bool = False


REGISTRY: dict[MistakeName, MistakeEntry] = {}


def ask(question: str, sentence: str) -> Sentence:
    """The question about a mistake; of one without a question of its own, its sentence."""
    return Sentence(question) if question else said("Was it this? {}", sentence)


@dataclass(frozen=True)
class Mistake:
    """A mistake that was recognised; `cell` is (row, column) from 0 where it is a slip in one cell.

    `in_part` says that it was made in one cell, row or column, while the rest of the step is as it should be;
    `instead` that the mistake before it gives the same numbers as well. `question` asks about it.
    """

    step: str
    name: MistakeName
    sentence: str
    cell: At | None = None
    in_part: bool = False
    instead: bool = False
    question: str = ""

    @property
    def asked(self) -> Sentence:
        """The question whether it was made, for a mistake that is only possible."""
        return ask(self.question, self.sentence)

    @property
    def is_slip(self) -> bool:
        """Whether it can happen to anyone: not a mistake in how the step is understood."""
        is_accident = self.name in REGISTRY and REGISTRY[self.name].accident
        return self.in_part or self.cell is not None or is_accident

    @property
    def where(self) -> Sentence:
        """The step, or the cell as a learner counts: S, or S[1,2]."""
        return Sentence(Called(self.step) if self.cell is None else Address(self.step, *self.cell))

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence} ({self.name})"


class SearchRank(NamedTuple):
    """One kind of explanation: by which search it is found, where, and what it takes to be claimed.

    Of two kinds the one with the lower `rank` comes first. With `names` it is about these mistakes alone,
    and no other kind of the same search is. It is looked for in steps of at most `most_numbers` numbers
    (0: of any size), of which at least `least_wrong` and at most `most_wrong` are wrong (0: any), and in
    steps of many numbers at most `most_share` of the numbers written; `unless_before`: if no other was
    found. Where `all_from` or more are wrong, it explains all of them, or none. Numbers agree within
    `tolerance` halves of the last place that was asked for (0: to the last digit).

    It is claimed if it explains `least` wrong numbers or more, more than `off_by` in the last digit away
    from what is right, and no other kind up to the rank `alone` explains them, too.
    """

    search: str
    rank: int
    names: tuple[str, ...] = ()
    least: int = 2
    alone: int = 0
    off_by: int = 0
    least_wrong: int = 1
    most_wrong: int = 0
    most_numbers: int = 0
    most_share: float = 1.0
    all_from: int = 0
    unless_before: bool = False
    tolerance: float = 1.0


class Candidate(NamedTuple):
    """A mistake that may have been made, and what a matrix of the record comes to with it.

    `values` are those of the matrix; of a slip in one number, before a search has put it in its `cell`, that
    number alone. Where the mistake was made in a part of a step, `changed` has the numbers of all that it
    went through. `at` are the places that it is about; None: all of the step. `is_whole`
    says that it is made in all of a step or not at all: a lone number that fits is chance. `kind` says which
    search found it. For the other fields see Mistake.
    """

    name: MistakeName
    sentence: str
    values: Values
    question: str = ""
    at: Flags | None = None
    changed: Mapping[Matrix, Values] = {}
    is_whole: bool = False
    cell: At | None = None
    in_part: bool = False
    instead: bool = False
    kind: SearchRank = SearchRank("", 0)

    def as_mistake(self, step: Matrix) -> Mistake:
        """The candidate as a mistake in this step, with its words."""
        told = self.cell, self.in_part, self.instead, self.question
        return Mistake(step.name or "", self.name, self.sentence, *told)


def candidate(
    name: MistakeName, values: Values, *things: Thing, case: str = "", at: Flags | None = None
) -> Candidate:
    """A candidate with the words of its row; `things` are named in them."""
    return Candidate(name, name.says(*things, case=case), values, at=at)
