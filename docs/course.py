"""Write what other pages say of the lessons, from each lesson's folder: `.venv/bin/python docs/course.py`.

From lesson.toml come the tables in docs/lessons.md and docs/teaching.md, the head of each lesson's teaching
page, and the links from each notebook to the next; from topics.py comes what practice.ipynb offers; from the
`__all__` of examples.py the names in `hc.examples`.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from handcalc.course import examples
from handcalc.course.catalogue import PRACTICE_MINUTES, Lesson, Practised, lessons
from handcalc.course.lesson_topics import by_lesson
from handcalc.course.questions import Question, question
from handcalc.notation.sentences import Called, list_things
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import problem

ROOT = Path(__file__).parents[1]
NOTEBOOKS, TEACHING = ROOT / "notebooks", ROOT / "docs" / "teaching"
FIRST, PRACTICE = "00_start_here", "practice"
HEAD = re.compile(  # of a teaching page: what the class can do afterwards, and what the lesson needs
    r"Afterwards the class (?s:.*?)\.(?=\s)(\s+It\s+needs\s+lessons?\s+\d\d(?:,\s+\d\d)*(?:\s+and\s+\d\d)?)?"
)
SHEET = re.compile(r"(?m)^Ten minutes of practice:.*$")
SHEETS = re.compile(r"(?m)^(\| \d+–\d+ \| The sheets: ten minutes\. \|).*$")
CLOSING = re.compile(
    r"(?m)^(\| guess \| question \| answer \| what a wrong answer means \|\n\|[-|]+\|\n)(?:\| .*\n)+"
)
ASKED_IN_ONE_LESSON = (
    "queries_keys_values.q31",
    "queries_keys_values.best_k",
    "queries_keys_values.right_angle",
    "queries_keys_values.s21",
    "scores_to_weights.five_over_root_3",
    "scores_to_weights.negative_powers",
    "scores_to_weights.favourite_of_4",
    "scores_to_weights.from_2_to_4",
    "scores_to_weights.not_divided",
    "scores_to_weights.above_20",
)
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGE_WORDS = ROOT / "handcalc" / "views" / "browser" / "page" / "glossary_words.js"
GLOSSARY_ROW = re.compile(r"(?m)^\| ([^|]+) \| ([^|]+\.) \| \[(\d\d)\]")
EXPLAINED = re.compile(r'\[([^\]]*)\]\(\.\./docs/glossary\.md "[^"]*"\)')
# no reader stumbles over a word there: headings, code, formulas, links, sources
NOT_PROSE = re.compile(
    r"(?s:```.*?```|<details>.*?</details>)|(?m:^#.*$|^\*\*(?:Sources?|Back)\b.*$|^Sources:.*$)|`[^`]*`|\$[^$]*\$|\[[^\]]*\]\([^)]*\)"
)
MINUTES = re.compile(r"About \d+ minutes")
Change = Callable[[str], str]


def pages() -> dict[Path, str]:
    """Every file that says something of lessons, as it should be."""
    yours = [lesson for lesson in lessons().values() if lesson.notebook != FIRST]
    found = {
        ROOT / "docs" / "lessons.md": _with_rows(
            "| `", (f"| `{one.notebook}` | {one.about} |" for one in yours)
        ),
        ROOT / "docs" / "teaching.md": _with_rows("| [", map(_row_to_teach, yours)),
        Path(examples.__file__).with_suffix(".pyi"): lambda _: _stub(),
    }
    found[PAGE_WORDS] = lambda _: _words_for_pages()
    found |= {TEACHING / f"{one.notebook}.md": _with_head(one) for one in yours}
    found[TEACHING / "one_lesson.md"] = lambda text: _planned(
        text, lessons()["whole_sheet"], map(question, ASKED_IN_ONE_LESSON)
    )
    changed = {path: change(path.read_text("utf-8")) for path, change in found.items() if path.is_file()}
    return changed | dict(_notebooks())


def _with_rows(begin: str, rows: Iterable[str]) -> Change:
    """A text whose lines for lessons, which begin so and go on with a number, are these."""
    block = re.compile(rf"(?m)(?:^{re.escape(begin)}\d\d[ _].*\n)+")
    lines = "".join(f"{row}\n" for row in rows)
    return lambda text: block.sub(lambda _: lines, text, count=1)


def _row_to_teach(lesson: Lesson) -> str:
    link = f"[{_titled(lesson)}](teaching/{lesson.notebook}.md)"
    return f"| {link} | {lesson.opening} | {', '.join(_numbers(lesson))} |"


def _rows_to_practise() -> Iterator[str]:
    topics = by_lesson()
    for lesson in lessons().values():
        if names := [f"`{name}`" for name in topics.get(_titled(lesson), ()) if name in TOPICS]:
            yield f"- {_link(lesson)}: {', '.join(names)}"


def _with_head(lesson: Lesson) -> Change:
    """A teaching page under the lesson's title, with its goals and what it needs."""
    *others, last = _numbers(lesson) or [""]
    named = f" It needs lessons {', '.join(others)} and {last}" if others else f" It needs lesson {last}"

    def said(found: re.Match[str]) -> str:
        end = "" if found[1] else "."
        return f"Afterwards the class {lesson.goals}." + (f"{named}{end}" if last else "")

    def change(text: str) -> str:
        _, line, rest = text.partition("\n")
        rest = _planned(HEAD.sub(said, rest, count=1), lesson, _closing(lesson))
        return f"# {_titled(lesson)}: 45 minutes{line}{rest}"

    return change


def _planned(text: str, lesson: Lesson, closing: Iterable[Question]) -> str:
    """A teaching page with the practice of a lesson, and the guesses that it ends with."""
    practice = lesson.practice
    if practice:
        text = SHEET.sub(lambda _: _sheet_of(practice), text)
        text = SHEETS.sub(lambda found: f"{found[1]} {_filled_in(practice)} |", text)
    return CLOSING.sub(lambda found: found[1] + "".join(map(_closing_row, closing)), text)


def _sheet_of(practice: Practised) -> str:
    """The commands that make its practice for everybody."""
    topic, options = practice.topic.replace("_", "-"), practice.options
    paper = f".venv/bin/handcalc worksheet {topic} {options} --count 30 -o class"
    phones = f".venv/bin/handcalc class new 8b --count 30 --topic {topic} {options}"
    return f"Ten minutes of practice: on paper, `{paper}`; with phones and marks, too, `{phones}`."


def _filled_in(practice: Practised) -> str:
    """What everybody does with the sheet."""
    numbers = problem(codes.code_parts(practice.topic).topic, 1, practice.level)
    exercise = Exercise(numbers, practice.blank, minutes=PRACTICE_MINUTES)
    steps = "what is blank" if numbers.blocks else list_things(map(Called, exercise.blank)).html
    size = f"{exercise.fields} blanks, about {round(exercise.minutes)} minutes"
    return f"Everybody fills in {steps}, with numbers of their own: {size}. Those who finish first explain."


def _closing(lesson: Lesson) -> list[Question]:
    """The guesses of a lesson that its class is asked at the end."""
    return [question(f"{lesson.name}.{name}") for name in lesson.closing]


def _closing_row(asked: Question) -> str:
    options = {str(option): option.html for option in asked.options}
    wrong = "<br>".join(
        f"“{options.get(said, said.replace('-', '−'))}”: {told.html}" for said, told in asked.slips
    )
    cells = f"`{asked.name}`", asked.question.html, asked.answer_text.html, wrong
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _numbers(lesson: Lesson) -> list[str]:
    """The lessons that it needs, by their numbers; everybody has the first."""
    return [lessons()[name].number for name in lesson.needs if lessons()[name].notebook != FIRST]


def _titled(lesson: Lesson) -> str:
    return f"{lesson.number} {lesson.title}"


def _link(lesson: Lesson) -> str:
    return f"[{_titled(lesson)}]({lesson.notebook}.ipynb)"


def _notebooks() -> Iterator[tuple[Path, str]]:
    """Every notebook with its way back and on; practice with its list."""
    titles = {one.notebook: one.title for one in lessons().values()} | {PRACTICE: "Practice"}
    minutes = {one.notebook: one.minutes for one in lessons().values()}
    around = dict.fromkeys(titles, "")
    links = {name: f"[{title}]({name}.ipynb)" for name, title in titles.items()}
    before = around | {after: links[name] for name, after in pairwise(titles)}
    following = around | {name: links[after] for name, after in pairwise(titles)}
    for name in titles:
        path = NOTEBOOKS / f"{name}.ipynb"
        notebook = json.loads(path.read_text("utf-8"))
        new = {word: told for word, (told, lesson) in glossary().items() if lesson != name[:2]}
        cells = notebook["cells"]
        for cell in cells:
            if cell["cell_type"] == "markdown":
                text = _with_lists("".join(cell["source"]) + "\n", name)[:-1]
                if cell is cells[0] and name != PRACTICE:
                    text = MINUTES.sub(f"About {minutes[name]} minutes", text)
                if cell is cells[-1]:
                    text = _linked(_linked(text, "Back", before[name]), "Next", following[name])
                cell["source"] = _explained(text, new).splitlines(keepends=True)
        yield path, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


@cache
def glossary() -> dict[str, tuple[str, str]]:
    """Every word of the glossary, with its sentence and the lesson that explains it."""
    return {word: (told, lesson) for word, told, lesson in GLOSSARY_ROW.findall(GLOSSARY.read_text("utf-8"))}


def _words_for_pages() -> str:
    """The glossary for explorer, guesses and practice."""
    told = json.dumps({word: told for word, (told, _) in glossary().items()}, indent=2, ensure_ascii=False)
    about = "// The glossary; `make course` writes this from docs/glossary.md."
    return f"{about}\n\nexport const GLOSSARY = {told};\n"


def first_use(word: str, text: str) -> re.Match[str] | None:
    """Where prose uses a word of the glossary, also in the plural, and not within a longer word of it."""
    for pattern in (NOT_PROSE, *(_use_of(longer) for longer in glossary() if f" {word}" in longer)):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return _use_of(word).search(text)


@cache
def _use_of(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(word)}(?:s|es)?\b", 0 if word[0].isupper() else re.IGNORECASE)


def _explained(text: str, new: dict[str, str]) -> str:
    """A text whose first use of each word has its sentence; such words are taken out of `new`."""
    text = EXPLAINED.sub(r"\1", text)
    if text.startswith("Afterwards you can"):  # they are explained further down
        return text
    for word in sorted(new, key=len, reverse=True):
        if found := first_use(word, text):
            told, begin, end = new.pop(word), found.start(), found.end()
            if not text[:begin].endswith("*") or not text[end:].startswith("*"):  # else the text explains it
                text = f'{text[:begin]}[{found[0]}](../docs/glossary.md "{told}"){text[end:]}'
    return text


def _with_lists(text: str, name: str) -> str:
    return _with_rows("- [", _rows_to_practise())(text) if name == PRACTICE else text


def _linked(text: str, where: str, link: str) -> str:
    return re.sub(rf"(\*\*{where}:\*\*) \[[^\]]*\]\([^)]*\)", lambda found: f"{found[1]} {link}", text)


def _stub() -> str:
    """The public examples of each lesson, for type checkers and for examples.py."""
    names = (
        f"from .{lesson}.examples import {name} as {name}\n"
        for lesson, module in sorted((name, one.module("examples")) for name, one in lessons().items())
        if module
        for name in sorted(module.__all__)
    )
    about = "Every example and its lesson; `make course` writes this from the lessons' own `__all__`."
    return f'"""{about}"""\n\n{"".join(names)}'


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, "utf-8", newline="\n")
