"""Files as a class hands them in, changed at random: bytes, lines, JSON values, cells, code."""

import io
import json
import random
import zipfile
from copy import deepcopy

import hostile
import malformed

import handcalc as hc
from handcalc.classroom.handouts.exercise_notebook import make_notebook

PLANTED = [
    "9**9**9", '"a" * 10**9', "[" * 500, "]", "(" * 90, '"""', "'", "\\", "\0", "\ud800", "\u2028", "\ufeff",
    "`", "Q = [", "a = [a, a]\n" * 40, "lambda: 0", "*", "**answers", "....", "____", "hc.____", "nan",
    "1e999", "0x", "if 1:\n", "\n\n", "\t", "; ", ":= 1", "{", "}", "{}", "[[1]] * 10**9", "%%time\n",
    "!ls\n", "?", "@x\n", "async ", "exercise.check(**answers)", 'exercise.hint("E")', "answers = {}",
    'answers["E"] = E', 'answers["x"] = answers', "import os", "del E", "E = E", "E += 1", "E[0] = E",
    "E[0, 0] = 1/0", "match E:\n", "f'{E}'", "-" * 400, "\r",
]  # fmt: skip
NUMBERS = [
    "1e308", "-1e308", "9" * 400, "inf", "-inf", "nan", "1/0", "2**99999", "√-1", "e^999", "-0", "1e-320",
    "½", "٣", "1,5", "0x10", "", "____", "True", "'a'", "[1", "1|2", "|", "\\n", "10**400", "1_000", "+5",
    "((((((1))))))", "e^e^e^e^e", "--5", "exit()", "[[1e309]]",
]  # fmt: skip
VALUES = [
    None, True, 0, -1, 1e308, 10**30, "", "x", [], {}, [[]], [{}], {"": {}}, ["a", 1, None], "\ud800", "\0",
    "code", {"cells": []}, [["x"] * 3] * 3, {"code": "x"}, "=1+1", {"text/plain": [1]}, "9" * 500,
    [[[[[[[[1]]]]]]]],
]  # fmt: skip
WRITES = "[open({path!r}, 'w').close()][0]"
SHELL = '__import__("os").system("touch {path}")'


class Files:
    """Files of one class; `mutated` changes one of them, as its seed says."""

    def __init__(self, codes, path):
        self.codes = codes
        exercises = [hc.Exercise(code) for code in codes]
        self.notebooks = [json.loads(json.dumps(make_notebook(one))) for one in exercises]
        self.notebooks += [filled(one) for one in exercises]
        answers = [repr(answer)[:400] for _, answer in malformed.malformed() if no_address(answer)]
        texts = [text[:300] for text in hostile.TEXTS.values()]
        canary = [form.format(path=str(path)) for form in (WRITES, SHELL)]
        self.planted = [*PLANTED, *canary * 5, *(f"E = {answer}" for answer in answers), *answers, *texts]

    def mutated(self, seed):
        """The name and the bytes of a file."""
        rng = random.Random(seed)
        kind = rng.choice((self.book, self.book, self.book, self.log, self.table, self.packed))
        data = kind(rng)
        for _ in range(rng.choice((0, 0, 0, 1, 1, 4))):
            data = in_bytes(rng, data)
        ending = rng.choice(("ipynb", "jsonl", "csv", "py", "zip", "txt"))
        return f"{rng.choice(self.codes)}.{ending}" if rng.random() < 0.5 else f"x.{ending}", data

    def book(self, rng):
        found = json.loads(json.dumps(rng.choice(self.notebooks)))
        for _ in range(rng.randrange(4)):
            self.in_cells(rng, found["cells"])
        for _ in range(rng.choice((0, 0, 1, 3))):
            in_values(rng, found)
        return json.dumps(found, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")

    def in_cells(self, rng, cells):
        """One cell deleted, twice there, elsewhere, or written in."""
        place = rng.randrange(len(cells))
        change = rng.randrange(8)
        if change == 0 and len(cells) > 1:
            del cells[place]
        elif change == 1:
            cells.insert(place, cells[rng.randrange(len(cells))])
        elif change == 2:
            rng.shuffle(cells)
        else:
            cells[place] = {**cells[place], "cell_type": "code", "source": self.code(rng, cells[place])}

    def code(self, rng, cell):
        text = "".join(cell["source"])
        for _ in range(rng.randrange(1, 4)):
            at, to = sorted(rng.randrange(len(text) + 1) for _ in "ab")
            planted = rng.choice((rng.choice(self.planted), f"\n{rng.choice(self.planted)}\n", ""))
            text = text[:at] + planted + text[rng.choice((at, at, to)) :]
        return text[:50_000]

    def log(self, rng):
        return b"".join(self.line(rng) for _ in range(rng.randrange(1, 40)))

    def line(self, rng):
        line = {
            "code": rng.choice(self.codes),
            "step": rng.choice(("E", "A", "E_sum", "p", "step_1.h", "h", "no")),
            "row": rng.choice((0, 0, 1, 2, -1, 10**9)),
            "column": rng.choice((0, 0, 0, 1)),
            "text": rng.choice((*NUMBERS, "1", "2,5", "1/3", rng.choice(self.planted)[:90])),
        }
        if rng.random() < 0.2:
            line[rng.choice(list(line))] = rng.choice(VALUES)
        return json.dumps(line).encode() + rng.choice((b"\n", b"\n", b"\n", b"", b"\r\n"))

    def table(self, rng):
        mark = rng.choice(",;\t")
        lines = [mark.join(("code", "step", "row", "column", "answer"))]
        for _ in range(rng.randrange(30)):
            line = json.loads(self.line(rng))
            lines.append(mark.join(str(line[name]) for name in ("code", "step", "row", "column", "text")))
        return rng.choice(("\n", "\r\n")).join(lines).encode(rng.choice(("utf-8", "utf-16")), "replace")

    def packed(self, rng):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for number in range(rng.randrange(3)):
                archive.writestr(f"{number}", rng.choice((self.book, self.log, self.table))(rng))
        return data.getvalue()


def filled(exercise):
    """Our own notebook with numbers in it, right ones and others."""
    found = json.loads(json.dumps(make_notebook(exercise)))
    for cell in found["cells"]:
        text, parts = "".join(cell["source"]), 0
        while "____" in text and cell["cell_type"] == "code":
            parts += 1
            text = text.replace(
                "____", ("1", "2,72", "1/3", "-0.5", "e^2", *NUMBERS)[parts % (5 + len(NUMBERS))], 1
            )
        cell["source"] = text
    return found


def no_address(answer):
    """Whether its repr is the same the next time, and does not take long."""
    try:
        return not isinstance(answer, str | bytes) and " at 0x" not in repr(answer)
    except Exception:  # noqa: BLE001 - whatever a hostile object raises
        return False


def in_values(rng, found):
    """Some value of a record is another, or gone."""
    places = []
    waiting = [found]
    while waiting:
        thing = waiting.pop()
        keys = (
            list(thing) if isinstance(thing, dict) else range(len(thing)) if isinstance(thing, list) else ()
        )
        places += [(thing, key) for key in keys]
        waiting += [thing[key] for key in keys]
    thing, key = rng.choice(places)
    if rng.random() < 0.3:
        del thing[key]
    else:
        thing[key] = deepcopy(rng.choice(VALUES))


def in_bytes(rng, data):
    """Some bytes are others, gone, or there twice."""
    at, to = sorted(rng.randrange(len(data) + 1) for _ in "ab")
    to = min(to, at + rng.choice((1, 1, 10, 1000)))
    return data[:at] + rng.choice((b"", rng.randbytes(to - at), data[at:to] * 2, bytes(to - at))) + data[to:]
