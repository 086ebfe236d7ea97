"""Questions are asked in the picture; no answer stands above its question."""

import json
import re
from collections import Counter

import pytest
from scripts import script

from handcalc.course.questions import question

pages = script("docs/questions.py")

KINDS = dict(pages.kinds())
LEAST_ON_THEIR_OWN, MOST_IN_WORDS = 95, 10
# Answers of this many digits or letters are no accident where they stand on a page.
DIGITS, LETTERS = 2, 4


def test_most_are_asked_on_their_own_numbers_or_words_and_few_in_words_alone():
    counts = Counter(KINDS.values())
    assert counts["sheet"] + counts["sentence"] >= LEAST_ON_THEIR_OWN
    assert counts[pages.IN_WORDS] <= MOST_IN_WORDS
    assert {"sheet", "sentence", "bars", "shape", "pictures", "cards", pages.IN_WORDS} == counts.keys()


def test_what_is_asked_in_words_alone_has_a_reason_and_nothing_else_has_one():
    for name, kind in KINDS.items():
        assert bool(question(name).in_words) == (kind == pages.IN_WORDS), name


def cells_before(path):
    """Each question with all that a page says above it, and with what its own section says."""
    above = ""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            above = source if source.startswith("#") else f"{above}\n{source}"
        else:
            for name in pages.ASKED.findall(source):
                yield name, above


@pytest.mark.parametrize("path", pages.NOTEBOOKS, ids=lambda path: path.stem)
def test_no_answer_stands_above_its_question_in_its_section(path):
    for name, above in cells_before(path):
        asked = question(name)
        words = re.sub(r"\$[^$]*\$|`[^`]*`|\]\([^)]*\)", " ", above)
        answer = str(asked.answer_text)
        if asked.kind == "number" and len(re.sub(r"\D", "", answer)) >= DIGITS:
            assert not re.search(rf"(?<![\d.]){re.escape(answer)}(?![\d.]*\d)", words), name
        elif asked.kind == "words" and len(answer) >= LETTERS:
            assert answer not in words, name
