"""Mal-rules (Brown and Burton 1978): wrong ways to work out an operation, what each leads to, and its words.

A mal-rule is a function under `@mal_rule(MatMul)`, which is then tried wherever that operation is. The result
of a mistake, a `Candidate`, is worked out on the learner's own numbers, in the step itself, in operations
written inline in it, or in blank steps before it, and carried on to the step. Mistakes are recognised by the
operations in the record alone; where a name speaks of queries or weights, these are words from the matrices'
meaning. The words of a mistake are in the registry (mistake_registry.py), under its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import Called, Sentence, Thing, said
from handcalc.operations import Operation
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay, StepParts
from handcalc.practice.replay.patterns import is_slope, without_transpose
from handcalc.record.matrix import Matrix
from handcalc.record.subgraph import CALCULATED_BEFORE

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


USED_INSTEAD = "{} was used where {} belongs."  # for a mistake without words of its own
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


Make = Callable[[Matrix, LearnerReplay], Iterator[Candidate]]


@dataclass(frozen=True)
class MalRule:
    """A wrong way to work out some operations (any, if none is named), in a step that `when` is true of.

    One that `is_whole` is made in all of a step at once, as places that are counted from 1 are. One that
    `judges` has a say in fresh numbers: they are drawn so that promised mistakes are told apart from it.
    """

    make: Make
    operations: tuple[type[Operation], ...] = ()
    when: Callable[[Matrix], object] | None = None
    is_whole: bool = False
    judges: bool = True

    def holds(self, part: Matrix) -> bool:
        """Whether it is tried on this step."""
        is_operation = not self.operations or type(part.operation) in self.operations
        return is_operation and (self.when is None or bool(self.when(part)))


MAL_RULES: list[MalRule] = []  # the first is tried first


def mal_rule(
    *operations: type[Operation],
    when: Callable[[Matrix], object] | None = None,
    is_whole: bool = False,
    judges: bool = True,
) -> Callable[[Make], Make]:
    """Make a mal-rule of a function from a matrix with one of these operations to wrong results."""

    def enter(make: Make) -> Make:
        MAL_RULES.append(MalRule(make, operations, when, is_whole, judges))
        return make

    return enter


def last_word(matrix: Matrix) -> str:
    """One word for a matrix: the last of its meaning, else of its name."""
    matrix = without_transpose(matrix)
    if is_slope(matrix):
        return "slopes"
    meaning = "" if matrix.meaning == CALCULATED_BEFORE else matrix.meaning
    return (meaning or matrix.display_name).split()[-1].rstrip(",")


def say_used(used: Thing, meant: Thing) -> Sentence:
    """The sentence that one matrix was read for another."""
    return said(USED_INSTEAD, used, meant)


def used_instead(
    name: MistakeName,
    node: Matrix,
    used: Matrix,
    meant: Matrix,
    replay: LearnerReplay,
    sentence: str = "",
    *,
    transposed: bool = False,
) -> Iterator[Candidate]:
    """The result of an operation with one matrix read in the place of another, where that can be done.

    With `transposed`, an operation that reads the transpose reads that of the other matrix instead.
    """
    numbers = replay.read(used)
    instead = {m: numbers.T for m in node.inputs if transposed and without_transpose(m) is meant}
    values = replay.compute(node, instead | {meant: numbers})
    if values is not None:
        yield Candidate(name, sentence or say_used(used, meant), values)


def wrong_operations(
    parts: StepParts, replay: LearnerReplay, *, judging: bool = False
) -> Iterator[Candidate]:
    """Every known mistake in a step's own operation, or in one that is written inline in it.

    `judging` a draw, those alone that have a say in it.
    """
    for part in parts.inline:
        way = parts.path(part)
        for made in mistakes_in(part, replay, judging=judging):
            outcome = carry_forward(made, part, way, replay)
            if outcome is not None:
                yield outcome


def mistakes_in(part: Matrix, replay: LearnerReplay, *, judging: bool = False) -> Iterator[Candidate]:
    """The known mistakes in one operation, each with its result."""
    for rule in MAL_RULES:
        if rule.holds(part) and (rule.judges or not judging):
            yield from (made._replace(is_whole=rule.is_whole) for made in replay.tried(rule.make, part))


def carry_forward(
    outcome: Candidate, node: Matrix, way: Sequence[Matrix], replay: LearnerReplay
) -> Candidate | None:
    """The outcome of a part of a step, carried on to the step along a path."""
    values: Values | None = outcome.values
    if values is None or values.shape != node.shape:
        return None
    changed = {node: values}
    for matrix in way:
        values = replay.compute(matrix, changed)
        if values is None:
            return None
        changed[matrix] = values
    return outcome._replace(values=values, changed=changed, at=None if way else outcome.at)
