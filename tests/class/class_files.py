"""Files as a class hands them in: notebooks, logs, tables; and what becomes of them."""

import json

import hostile

import handcalc as hc
from handcalc.classroom.handouts import class_folder
from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.submissions import reader
from handcalc.classroom.submissions.submission import Submission

CODE = hc.code("softmax", 1)
OTHER = hc.code("dot_product", 2)
STRANGE = hc.code("softmax", 99)
BLOCKS = hc.code("rnn_step", 1, convention="rows")
OURS = {CODE, OTHER, BLOCKS}


def class_of(path, names=("Ada",), *topics, printed=False, **settings):
    """The folder of a class, whose sheets are of these topics at level 1, or of a dot product."""
    levels = [(topic, 1) for topic in topics or ["dot_product"]]
    made = class_folder.ClassSettings(path.name, topics=levels, **settings)
    return class_folder.make_class(path, list(names), made, printed=printed)


def result(code, source, right=0, wrong=0, **more):
    """What marking found on a sheet of one step."""
    counts = {"right": right, "close": 1, "following": 1, "wrong": wrong, "blank": 2}
    return SheetResult(source, code, json.dumps(Standing(code, {"s": counts}, **more).to_json()))


def cell(source, kind="code", **more):
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def written(*cells, code=CODE, **more):
    """A notebook as a file, its exercise made in the first cell."""
    first = [cell(f'import handcalc as hc\nexercise = hc.Exercise("{code}")')] if code else []
    found = {"cells": [*first, *(one if isinstance(one, dict) else cell(one) for one in cells)]}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, **found, **more}).encode()


def log(*lines):
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def line(code, row, text, step="E", **more):
    """One that practice writes."""
    return {"code": code, "step": step, "row": row, "column": 0, "text": text} | more


def sheets(data, name="x.ipynb", names=None):
    return reader.Reader(OURS, names or {}).read_data(data, name)


def sheet(*cells, **more):
    """The one sheet in a notebook."""
    [found] = sheets(written(*cells, **more))
    return found


def is_sentence(text):
    return text.endswith(".") and text.isprintable() and len(text) <= hostile.SENTENCE


def read_all(path):
    """Every sheet of a file or folder; what is no sheet has its trouble."""
    try:
        files = [*reader.list_files([path])]
    except hc.HandcalcError as error:
        return [Submission(str(path), trouble=str(error))]
    return [sheet for file in files for sheet in reader.Reader(OURS, {}).read_path(file, str(file))]
