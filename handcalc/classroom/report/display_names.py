"""Display names in the report: of students, steps and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from handcalc.classroom.folder.register import Register, name_separator
from handcalc.classroom.insight import Insight
from handcalc.classroom.insight.sheet_progress import BLANK, CLOSE, FOLLOWING, MISSED, RIGHT
from handcalc.classroom.marking.results import ClassResults
from handcalc.foundation.errors import many
from handcalc.notation.sentences import Called, html_of
from handcalc.practice.marking.states import COUNTED, in_number
from handcalc.record.equations import formula_sentence

INDEXED_NAME = re.compile(r"(?<![\w.&])[^\W\d_](?:\w|\.(?=\w))*_\w(?:\w|\.(?=\w))*")
ABSENT, UNREADABLE = "nothing handed in", "could not be read"
MAX_NAMES_SHOWN = 12  # in one line; the others can be opened


@dataclass(frozen=True)
class ShownClass:
    """A class as the report shows it; without `names` students are called by the codes of their sheets."""

    title: str
    path: str
    register: Register
    found: ClassResults
    told: Insight
    names: bool = True
    places: int = 2
    seed: int = 1  # of the class

    @cached_property
    def labels(self) -> dict[int, str]:
        """The label of each student, as text."""
        if self.names:
            return self.register.labels
        return {number: entries[0].code for number, entries in self.register.students.items()}

    def who(self, number: int) -> str:
        """A student, as HTML."""
        return escape(self.labels[number])

    def people(self, numbers: Iterable[int]) -> str:
        """Students as HTML; of very many the first ones, and the others to be opened."""
        names = [self.who(number) for number in sorted(numbers)]
        first, others = names[:MAX_NAMES_SHOWN], names[MAX_NAMES_SHOWN:]
        sign = name_separator(names)
        if len(others) < 2:
            return sign.join(names)
        more = f"<details><summary>and {len(others)} others</summary>{sign.join(others)}</details>"
        return f"{sign.join(first)} {more}"

    def step(self, topic: str, step: str) -> str:
        """A step as HTML, with its topic where there are several."""
        name = html_of(Called(step))
        return f"{name} <small>({escape(self.topic(topic))})</small>" if len(self.told.grids) > 1 else name

    def steps(self, steps: Iterable[str]) -> str:
        """Steps of one topic, as HTML."""
        return ", ".join(html_of(Called(step)) for step in steps)

    def topic(self, topic: str) -> str:
        """The title of a topic, as text."""
        record = self.found.records.get(topic)
        return record.title if record else topic.replace("_", " ")

    def formula(self, topic: str, step: str) -> str:
        """The formula of a step, as HTML."""
        record = self.found.records[topic]
        return html_of(formula_sentence(record[step])) if step in record else ""

    def prose(self, text: str) -> str:
        """A sentence as HTML, with the names in it typeset: d_k, head_1.A."""
        return INDEXED_NAME.sub(lambda name: html_of(Called(name[0])), escape(text))

    @property
    def summary(self) -> str:
        """The class in one line."""
        came = self.told.students - len(self.told.absent)
        unread = f", {len(self.told.unread):,} {UNREADABLE}" if self.told.unread else ""
        return f"{many(self.told.students, 'student')}, {came:,} handed in{unread}; {self.figures}"

    @property
    def figures(self) -> str:
        """The count of numbers in each state."""
        counts = self.told.numbers
        total = sum(counts.values())
        if not total:
            return "no numbers yet"
        shares = f"{counts[RIGHT]:,} of {many(total, 'number')} right ({counts[RIGHT] / total:.0%})"
        rest = [
            f"{counts[state]:,} {in_number(COUNTED[state].teacher, counts[state])}"
            for state in (FOLLOWING, CLOSE, MISSED, BLANK)
            if counts[state]
        ]
        return ", ".join([shares, *rest])


def join_html(parts: Sequence[str]) -> str:
    """HTML parts in a sentence: `a, b and c`."""
    return " and ".join(filter(None, [name_separator(parts).join(parts[:-1]), *parts[-1:]]))
