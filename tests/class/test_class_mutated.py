"""Notebooks, logs and tables with odd numbers and broken bytes in them: each has marks or one sentence."""

import json
import random
import re

import filled_notebooks
import played_class
import pytest
from class_files import class_of
from seeds import seeds

from handcalc.classroom.marking.jobs import Job, run_job
from handcalc.classroom.marking.sources import KnownCodes, Source

NUMBERS = 63  # of a sheet
ODD = [
    *["1e308", "-1e308", "9" * 400, "inf", "-inf", "nan", "1/0", "2**99999", "√-1", "e^999", "-0", "1e-320"],
    *["½", "٣", "1,5", "0x10", "", "____", "True", "'a'", "[1", "1|2", "|", "\\n", "hc.____", "10**400"],
    *["((((((1))))))", "e^e^e^e^e", "1_000", "+5", "--5", "exit()", "[[1e309]]"],
]


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", ["", ""], played_class.TOPIC)


@pytest.fixture(scope="module")
def files(a_class):
    """One file of each kind for each of two sheets."""
    found = []
    for entry in a_class.register:
        answers = filled_notebooks.by_loops(a_class, entry)
        found.append(filled_notebooks.filled(a_class, entry.code, answers).encode())
        cells = played_class.typed(answers)
        found.append("\n".join(json.dumps({"code": entry.code, **cell}) for cell in cells).encode())
        lines = [f"{entry.code};{c['step']};{c['row'] + 1};{c['column'] + 1};{c['text']}" for c in cells]
        found.append("\n".join(["code;step;row;column;answer", *lines]).encode())
    return found


def mutated(draw, data):
    """A file with an odd number in place of another, a byte changed, or a part doubled or cut out."""
    for _ in range(draw.randint(1, 12)):
        place = draw.randrange(len(data))
        match draw.randrange(20):
            case 0 | 1:
                data = data[:place] + bytes([draw.randrange(256)]) + data[place + 1 :]
            case 2 | 3:
                part = data[place : place + draw.randint(1, 300)]
                data = part.join([data[:place], data[place:]])
            case 4:
                data = data[:place] + data[place + draw.randint(1, 100) :]
            case _:
                if numbers := [*re.finditer(rb"-?\d+(?:[.,]\d+)?", data)]:
                    start, end = draw.choice(numbers).span()
                    data = data[:start] + draw.choice(ODD).encode() + data[end:]
    return data


@seeds(80, 2000, by=500, marks=[pytest.mark.slow])
def test_files_with_odd_numbers_and_broken_bytes(a_class, files, seeds):
    draw, known = random.Random(seeds[0] + 1), KnownCodes.of(a_class.register)
    marked = 0
    for number in seeds:
        data = mutated(draw, draw.choice(files))
        results, later = run_job(Job(Source("x.ipynb", content=data)), a_class.numbers.exercise, known)
        for sheet in later:  # a table with many codes
            results += run_job(Job(sheet=sheet), a_class.numbers.exercise, known).results
        assert results, (number, data)
        for result in results:
            assert "could not be marked" not in result.trouble, (number, result.trouble, data)
            if standing := result.standing:
                marked += 1
                assert sum(map(standing.count, ("right", "close", "following", "wrong", "blank"))) == NUMBERS
            else:
                assert result.trouble.endswith((".", ".)")), (number, result)
                assert "\n" not in result.trouble
    assert marked > len(seeds) / 3
