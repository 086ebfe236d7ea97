"""The questions of the lessons: questions.toml in a lesson's folder, read when it is needed.

    [who_bites]
    question = "Which word of both sentences gets most of the attention of “bites”?"
    options = ["dog", "bites", "man"]   # to choose from; without them a number or a few words are asked for
    answer = 1                          # which option, counted from 1; else the number or the words
    because = "One to three sentences that say why."

A question about numbers on a sheet says which: `cell` is "Q[3,1]", a column "Q[,1]", a row "Q[3,]" or all of
"Q". `reads` are the matrices shown beside it, if they are not the ones it is calculated from.
`drawn` is "bars" for a share that is guessed as a bar, "shape" for a matrix whose options are shapes.

A question about words has their `sentence`, and the word in it that `asks`; options that are words of it are
chosen there. The answer to an order is a list: the places of its options, the first one first. A question
that is asked `in_words` alone says why.

`slips` explains wrong answers: {"300" = "The first two tokens have fewer keys."}, or a text for each
option.

A question with a number as its answer may give the decimal `places` asked for (2). An answer in words is
not judged: learners compare it themselves. tests/ work out every answer again.

In questions, options, answers in words and reasons, a name or a formula stands in braces, code in backticks:

    "Why is {S_scaled[2,4]} = 5 ÷ {√d_k}? What are {e^1.15}, {e^(-S_scaled)} and {head_1.Z}? `K.T` is {Kᵀ}."

In plain text the braces are dropped; in HTML, names have subscripts, the part after ^ is raised, and minus
signs are true ones. Everything else stays as written, with × · ÷ √ ᵀ Σ − as letters of their own.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from handcalc.course.catalogue import FOLDER
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation import numbers
from handcalc.notation.markup import ENTITIES, Prose, Text
from handcalc.notation.sentences import Number, Sentence, Typeset, join_sentences

NEEDED_FIELDS = ("question", "answer", "because")
KNOWN_FIELDS = (
    *NEEDED_FIELDS,
    "options",
    "places",
    "cell",
    "reads",
    "drawn",
    "sentence",
    "asks",
    "in_words",
    "slips",
)
MAX_PLACES = 10
DRAWN = ("sheet", "bars", "shape")
HALF = 0.5001  # of the last place that is asked for

MARKED = re.compile(r"\{([^{}]+)\}|`([^`]+)`")
NAME = re.compile(r"[^\W\d_]\w*(?:\.\w+)*")
RAISED = re.compile(r"\^(?:\(([^()]*)\)|([-−]?[\w.∞]+))")


class Question(NamedTuple):
    """One question of a lesson; `name` is `lesson.question`."""

    name: str
    question: Sentence
    answer: int | float | str | list[int]
    because: Sentence
    options: tuple[Sentence, ...] = ()
    places: int = 2
    cell: str = ""
    reads: tuple[str, ...] = ()
    drawn: str = "sheet"
    sentence: str = ""
    asks: str = ""
    in_words: str = ""
    slips: tuple[tuple[str, Sentence], ...] = ()

    @property
    def answer_text(self) -> Sentence:
        """The answer as text: the option itself, a number, or a few words."""
        if isinstance(self.answer, list):
            return join_sentences(", ", [self.options[place - 1] for place in self.answer])
        if self.options:
            return self.options[int(self.answer) - 1]
        return typeset_text(self.answer) if self.kind == "words" else Sentence(Number(f"{self.answer}"))

    def is_answer(self, number: float | None) -> bool:
        """Whether this question's answer is this number of a sheet; or None, where it asks for no number."""
        if number is None or not isinstance(self.answer, int | float):
            return number is None
        return bool(abs(number - self.answer) <= HALF * 10**-self.places)

    @property
    def kind(self) -> str:
        """The kind of answer asked for: "choice", "order", "number" or "words"."""
        if isinstance(self.answer, list):
            return "order"
        return "choice" if self.options else "words" if isinstance(self.answer, str) else "number"


def question(name: str) -> Question:
    """A question by its name, such as "positions.who_bites".

    Raises HandcalcError for a lesson or a question that there is not.
    """
    lesson, dot, which = name.partition(".") if isinstance(name, str) else ("", "", "")
    if not dot:
        raise HandcalcError(f'A question is named as in "positions.who_bites", not {short(name)}.')
    known = read_questions(check_known(lesson, question_files(), "lesson"))
    return known[check_known(which, known, f"question of lesson {short(lesson)}")]


def question_files() -> Mapping[str, Path]:
    """The lessons that have questions, with the file of each."""
    return {path.parent.name: path for path in sorted(FOLDER.glob("*/questions.toml"))}


@lru_cache
def read_questions(lesson: str) -> Mapping[str, Question]:
    """The questions of a lesson, in the order in which they are asked."""
    with (FOLDER / lesson / "questions.toml").open("rb") as file:
        found = tomllib.load(file)
    return {name: read_question(f"{lesson}.{name}", entry) for name, entry in found.items()}


def check_known(name: str, known: Mapping[str, Any], kind: str) -> str:
    """The name, if it is known. Raises HandcalcError, with near names, for any other."""
    if name not in known:
        alike = get_close_matches(name, known, 1)
        hint = f"did you mean {short(alike[0])}?" if alike else f"there are {listed(known, 1000)}."
        raise HandcalcError(f"There is no {kind} called {short(name)}; {hint}")
    return name


def read_question(name: str, entry: Any) -> Question:
    """A question as it stands in a file; raises HandcalcError with one sentence on what is wrong with it."""
    for trouble in _troubles(entry):
        raise HandcalcError(f"Question {name} {trouble}.")
    return Question(
        name,
        typeset_text(entry["question"]),
        entry["answer"],
        typeset_text(entry["because"]),
        tuple(map(typeset_text, entry.get("options", ()))),
        entry.get("places", 2),
        entry.get("cell", ""),
        tuple(entry.get("reads", ())),
        entry.get("drawn", "sheet"),
        entry.get("sentence", ""),
        entry.get("asks", ""),
        entry.get("in_words", ""),
        tuple((said, typeset_text(told)) for said, told in _slips(entry)),
    )


def _slips(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """The wrong answers that have a remark, an option or a number each, with that remark."""
    found = entry.get("slips", {})
    if isinstance(found, dict):
        return list(found.items())
    return [
        (str(typeset_text(option)), told)
        for option, told in zip(entry["options"], found, strict=True)
        if told
    ]


def _troubles(entry: Any) -> Iterator[str]:
    """The faults of an entry, each as the rest of a sentence."""
    if not isinstance(entry, dict):
        yield "is outside a table: write its name in square brackets first"
        return
    yield from (f"has no {field}" for field in NEEDED_FIELDS if field not in entry)
    yield from (
        f"has “{field}”; there are {listed(KNOWN_FIELDS)}" for field in entry if field not in KNOWN_FIELDS
    )
    texts = [entry["question"], entry["because"], *_as_list(entry.get("options"))]
    answer = entry["answer"]
    yield from (
        f"has {short(text)} where a text should be"
        for text in texts
        if not isinstance(text, str) or not text.strip()
    )
    yield from _answer_troubles(entry)
    yield from _picture_troubles(entry)
    texts += [answer] if isinstance(answer, str) else []
    yield from (
        f"has a brace or a backtick without its other half in {short(text)}"
        for text in texts
        if re.search("[{}`]", MARKED.sub("", text))
    )


def _answer_troubles(entry: dict[str, Any]) -> Iterator[str]:
    answer, options, places = entry["answer"], entry.get("options"), entry.get("places", 2)
    if options is not None:
        if not isinstance(options, list) or len(set(options)) < max(2, len(options)):
            yield "needs a list of at least two different options"
        elif isinstance(answer, list):
            if sorted(answer) != list(range(1, len(options) + 1)):
                yield f"has {len(options)} options, and its answer is {short(answer)}: name each of them once"
        elif type(answer) is not int or not 1 <= answer <= len(options):
            yield f"has {len(options)} options, and its answer is {short(answer)}: count them from 1"
    elif isinstance(answer, str):
        if not answer.strip():
            yield "has an empty answer"
    elif type(answer) not in (int, float) or not math.isfinite(answer):
        yield f"needs a number or words as its answer, not {short(answer)}"
    if type(places) is not int or not 0 <= places <= MAX_PLACES:
        yield f"needs from 0 to {MAX_PLACES} places, not {short(places)}"


def _picture_troubles(entry: dict[str, Any]) -> Iterator[str]:
    reads, slips, options = (entry.get(name) for name in ("reads", "slips", "options"))
    for name in ("cell", "sentence", "asks", "in_words"):
        if not isinstance(entry.get(name, ""), str):
            yield f"needs a text as its {name}, not {short(entry[name])}"
    if entry.get("drawn", "sheet") not in DRAWN:
        yield f"is drawn as {listed(DRAWN)}, not as {short(entry['drawn'])}"
    if entry.get("asks") and entry["asks"] not in str(entry.get("sentence", "")).split():
        yield f"has no {short(entry['asks'])} in its sentence"
    if reads is not None and (
        not isinstance(reads, list) or not all(isinstance(name, str) for name in reads)
    ):
        yield f"needs a list of names as what it reads, not {short(reads)}"
    if slips is None:
        return
    told = slips.values() if isinstance(slips, dict) else _as_list(slips)
    if not all(isinstance(text, str) for text in told) or (
        not isinstance(slips, dict) and len(told) != len(_as_list(options))
    ):
        yield "needs as slips a text for each option, or for numbers a table of texts"


def _as_list(options: Any) -> list[Any]:
    return options if isinstance(options, list) else []


def typeset_text(text: Any) -> Sentence:
    """A text with the parts in braces and backticks typeset.

    >>> print(typeset_text("{W_Q} makes {Q[3,1]}"), typeset_text("{W_Q} makes {Q[3,1]}").html)
    W_Q makes Q[3,1] W<sub>Q</sub> makes Q[3,1]
    >>> typeset_text("{e^1.15}, {e^(-S_scaled)}, `K.T`").html
    'e<sup>1.15</sup>, e<sup>−S<sub>scaled</sub></sup>, <code>K.T</code>'
    """
    parts: list[Any] = []
    end = 0
    for found in MARKED.finditer(str(text)):
        parts += [text[end : found.start()], _formula(found[1]) if found[1] else _code(found[2])]
        end = found.end()
    return Sentence(*parts, str(text)[end:])


def _code(text: str) -> Typeset:
    return Typeset(f"`{text}`", f"<code>{text.translate(ENTITIES)}</code>")


def _formula(text: str) -> Typeset:
    """A name or formula in braces: plain with the names as in code, typeset with sub- and superscripts."""
    return Typeset(_names(text, Text().name), _raised(text))


def _raised(text: str) -> str:
    """A formula as HTML: the part after ^ stands higher."""
    pieces: list[str] = []
    end = 0
    for found in RAISED.finditer(text):
        pieces += [_level(text[end : found.start()]), f"<sup>{_level(found[1] or found[2])}</sup>"]
        end = found.end()
    return "".join([*pieces, _level(text[end:])])


def _level(text: str) -> str:
    """One level of a formula as HTML: names have their subscripts, minus signs are true ones."""
    return _names(numbers.typeset_number(text).translate(ENTITIES), Prose().name)


def _names(text: str, name: Callable[[str], str]) -> str:
    return NAME.sub(
        lambda found: name(found[0]) if not text[: found.start()].endswith("&") else found[0], text
    )
