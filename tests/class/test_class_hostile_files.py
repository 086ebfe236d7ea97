"""Files handed in to break what reads them: each gets its marks or one sentence, and nothing in it runs."""

import io
import json
import os
import random
import struct
import zipfile
from pathlib import Path

import pytest
from class_files import CODE, is_sentence, read_all, sheets, written

import handcalc as hc
from handcalc.classroom.submissions import input_limits, reader
from handcalc.classroom.submissions.submission import mark_submission

MEGABYTE = 1_000_000


def said(data, name="x.ipynb"):
    """The one sentence about a file of which nothing can be read."""
    [found] = sheets(data, name)
    assert not found.answers
    assert not found.typed
    assert is_sentence(found.trouble), found.trouble
    return found.trouble


def doubled(times):
    """Names that double one another."""
    return "a0 = [1]\n" + "\n".join(f"a{k + 1} = [a{k}, a{k}]" for k in range(times)) + f"\nQ = a{times}"


COSTLY = {
    "names that double": doubled(60),
    "a name in itself": "a = [1]\n" + "a = [a]\n" * 3000 + "Q = a",
    "a long row of names": "a = [1] * 10000\n" + "Q = [a, a]\n" * 3000,
    "dictionaries that double": "answers = {'Q': [1]}\n" + "answers['x'] = answers\n" * 3000 + "Q = 9**9**9",
    "dictionaries in dictionaries": "d = {'a': 1}\n" + "d = {'a': d, 'b': d}\n" * 100 + "Q = 9**9**9",
    "a power": "Q = 9**9**9**9",
    "a shifted number": "Q = 1 << 10**9",
    "a large number in hexadecimal": "Q = 0x" + "f" * 90_000,
    "a number of many digits": "Q = " + "9" * 5000,
    "a repeated text": 'Q = "a" * 10**9',
    "a repeated list": "Q = [[0] * 10**5] * 10**5",
    "an empty list repeated": "Q = [] * 10**12",
    "lists put together": "Q = [1] * 9000\n" + "Q = Q + Q\n" * 100,
    "a range": "Q = list(range(10**12))",
    "a format": "Q = '%1000000000d' % 1",
    "a factorial": "Q = math.factorial(10**9)",
    "brackets": "Q = " + "[" * 10_000 + "]" * 10_000,
    "round brackets": "Q = " + "(" * 199 + "1" + ")" * 199,
    "signs": "Q = " + "-" * 90_000 + "1",
    "a long sum": "Q = " + "1+" * 10_000 + "1",
    "a sum of 400 numbers": "Q = " + "1+" * 400 + "1",
    "a tower of powers": "Q = " + "2**" * 9_000 + "2",
    "a chain of names": "Q = a" + ".b" * 10_000,
    "a chain of calls": "Q = a" + "()" * 10_000,
    "a chain of places": "Q = a" + "[0]" * 9_000,
    "a chain of assignments": "Q=" * 10_000 + "9**9**9",
    "comparisons": "Q = " + "1<" * 10_000 + "1",
    "decorators": "Q = 9**9**9\n" + "@a\n" * 9_000 + "def f(): pass",
    "a text of 90,000 letters": 'Q = "' + "1|" * 45_000 + '"',
    "no end to a text": 'Q = """' + "1 | " * 4_000,
    "a slip in every line": "Q = [1 2\n" * 2_000,
    "half a character": "Q = '\ud800' \ud800",
    "a NUL": "Q = 9**9**9 \0",
    "a soft hyphen": "Q = 1\u00ad",
    "typographic quotation marks": "Q = “1”",
    "a name of 10,000 letters": "Q = 9**9**9\nanswers['" + "Q." * 5_000 + "'] = [1]",
}


@pytest.mark.parametrize("kind", COSTLY)
def test_a_cell_that_would_cost_much_costs_little_and_the_others_are_read(kind):
    [found] = sheets(written(COSTLY[kind], "E = [[1], [2], [3]]"))
    assert "Q" in {*found.unread} | {*found.answers}
    assert all(map(is_sentence, found.unread.values())), found.unread
    assert found.answers["E"] == [[1], [2], [3]]
    standing = mark_submission(found, hc.Exercise(CODE))
    assert standing.steps["E"]["blank"] == 0


def zipped(*files, method=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return data.getvalue()


def locked(data):
    """A .zip that says that its files need a password."""
    place = data.index(b"PK\x01\x02")
    return data[:6] + b"\x01\x00" + data[8 : place + 8] + b"\x01\x00" + data[place + 10 :]


def bomb():
    return zipped(("x.ipynb", bytes(19 * MEGABYTE)))


NOTEBOOK = written("Q = [1]")
HEAD = b"code,step,row,column,answer"
BROKEN = {
    "nothing": (b"", "x.ipynb is empty; save it and hand it in again."),
    "spaces": (b" \n\t" * 99, "x.ipynb is not a notebook, a practice log or a table of answers."),
    "NULs": (b"\0" * 999, "x.ipynb is not a notebook, a practice log or a table of answers."),
    "noise": (random.Random(1).randbytes(9999), "is not a notebook, a practice log or a table of answers."),
    "words": (b"I did it on paper.", "x.ipynb is not a notebook, a practice log or a table of answers."),
    "half of it": (NOTEBOOK[:-9], "x.ipynb is not a complete notebook; save it and hand it in again."),
    "brackets": (b"[" * 100_000, "x.ipynb has too many brackets inside each other; it is not a notebook."),
    "braces": (b'{"a":' * 100_000, "too many brackets"),
    "a list": (b"[1]", "x.ipynb is not a notebook; hand in the notebook (.ipynb)"),
    "another thing": (b'{"a": 1}', "is not a notebook"),
    "a number of 5,000 digits": (b'{"cells": ' + b"9" * 5000 + b"}", "is not a complete notebook"),
    "no cells": (b'{"cells": []}', "does not say which sheet it is"),
    "cells of another kind": (b'{"cells": 7, "worksheets": "x"}', "does not say which sheet it is"),
    "cells that are none": (b'{"cells": [1, null, [], {"source": {}}, {"cell_type": []}]}', "does not say"),
    "too many cells": (json.dumps({"cells": [{}] * 5001}).encode(), "has 5,001 cells; up to 5,000 are read"),
    "a long cell": (written("#" * 200_001), "has too much code"),
    "much code": (written(*["#" * 190_000] * 6), "has too much code"),
    "too many values": (b'{"cells": [' + b"{}," * 1_000_001 + b"{}]}", "holds more than 1,000,000 values"),
    "too large": (b"{" + b" " * 20 * MEGABYTE, "x.ipynb is 20.1 MB large; up to 20 MB are read"),
    "a PDF": (b"%PDF-1.7", "x.ipynb is a PDF; hand in the notebook (.ipynb), the practice log (.jsonl)"),
    "a picture": (b"\x89PNG\r\n", "is a picture"),
    "a page": (b"  <!DOCTYPE html><p>", "is a web page"),
    "a document": (zipped(("[Content_Types].xml", ""), ("word/x.xml", "")), "is a document; save it as .csv"),
    "a .gz": (b"\x1f\x8b\x08", "is a .gz"),
    "an empty .zip": (zipped(), "x.ipynb is a .zip with nothing in it; pack it again."),
    "the start of a .zip": (b"PK\x03\x04", "is a .zip that cannot be opened; download it again."),
    "half a .zip": (zipped(("x", NOTEBOOK))[:90], "is a .zip that cannot be opened"),
    "a damaged .zip": (zipped(("x", NOTEBOOK)).replace(b"PK\x01\x02", b"PK\x01\x03"), "cannot be opened"),
    "a locked .zip": (locked(zipped(("x", NOTEBOOK))), "is locked with a password"),
    "a .zip packed otherwise": (zipped(("x", NOTEBOOK), method=zipfile.ZIP_LZMA), "is packed in a way"),
    "a bomb": (bomb, "to 19 MB; it is not read: hand it in unpacked."),
    "bombs in a .zip": (lambda: zipped(("x.zip", bomb())), "to 19 MB; it is not read: hand it in unpacked."),
    "many .zips": (zipped(("x", zipped(("y", zipped(("z", NOTEBOOK)))))), "is a .zip in a .zip in a .zip"),
    "a table that is never closed": (HEAD + b'\n"' + b"x\n" * 70_000, "is never closed"),
    "a line without end": (HEAD + b"\n" + b"," * 100_001, "has a line of 100,001 characters"),
    "a table without end": (HEAD + b"\n" + b"\n" * 1001, "has more than 1,000 lines"),
    "a log without end": (b'{"code": "x"}\n' + b"\n" * 1000, "has more than 1,000 lines"),
    "a table without answers": (HEAD + b"\n", "has no answers"),
    "a table without codes": (b"step,row,column,answer\nE,1,1,2\n", "lacks code; a table of answers"),
    "a log of nobody": (b'{"code": "x"}\n', "does not say which sheet it is"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_cannot_be_read_gets_one_sentence(kind, monkeypatch):
    if "without end" in kind:
        monkeypatch.setattr(input_limits, "MAX_LINES", 1000)
    data, sentence = BROKEN[kind]
    assert sentence in said(data() if callable(data) else data)


@pytest.mark.parametrize(
    ("data", "name"),
    [(written("Q = [1]")[:-9], "x.ipynb"), (b"%PDF", f"Ada_{CODE}.pdf"), (b"", f"{CODE}.ipynb")],
)
def test_whose_file_it_is_that_cannot_be_read_is_told_where_it_can_be(data, name):
    [found] = sheets(data, name)
    assert (found.code, bool(found.trouble)) == (CODE, True)
    [found] = sheets(zipped((name, data)))
    assert (found.code, bool(found.trouble)) == (CODE, True)


def test_a_name_of_any_kind_is_quoted_in_one_line():
    for name in (
        "a\nb.ipynb",
        "x" * 5000,
        "\x1b[31m.ipynb",
        "\ud800.ipynb",
        "=1+1.ipynb",
        "../../etc/passwd",
    ):
        assert is_sentence(said(b"?", name)), name
        [found] = sheets(zipped((name.replace("\ud800", "?"), b"?")))
        assert is_sentence(found.trouble)


def test_a_zip_that_says_it_is_small_is_read_no_further_than_a_file_may_go():
    data = bytearray(zipped(("x.ipynb", random.Random(1).randbytes(MEGABYTE)), method=zipfile.ZIP_STORED))
    place = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, place + 24, 10)  # its size in the list of files
    assert "is damaged in its .zip" in said(bytes(data)) or "is not a notebook" in said(bytes(data))


def test_what_a_zip_unpacks_to_and_how_many_files_there_are_have_an_end(monkeypatch):
    five = zipped(*((f"{k}.ipynb", NOTEBOOK) for k in range(5)))
    assert not any(one.trouble for one in sheets(five))
    with monkeypatch.context() as changed:
        changed.setattr(input_limits, "MAX_UNPACKED_BYTES", 4 * len(NOTEBOOK))
        assert "unpacks to more than 0.1 MB; unpack it into a folder." in said(five)
        assert "unpacks to more than 0.1 MB" in said(
            zipped(("x", zipped(*((f"{k}", NOTEBOOK) for k in range(4)))))
        )
    monkeypatch.setattr(input_limits, "MAX_PACKED_FILES", 4)
    assert "holds 5 files; up to 4 are read" in said(five)
    monkeypatch.setattr(input_limits, "MAX_ZIP_LIST_BYTES", 200)
    assert said(five) == "x.ipynb holds too many files; unpack it into a folder."


def test_a_long_list_of_files_is_not_hidden_behind_a_short_one(monkeypatch):
    """ZipFile follows the record for long lists, whatever the short one says."""
    monkeypatch.setattr(input_limits, "MAX_ZIP_LIST_BYTES", 10**5)
    data = zipped(("x.ipynb", NOTEBOOK))
    place = data.index(b"PK\x05\x06")
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 10**6, 10**6, 10**9, 0)
    long = data[:place] + record + struct.pack("<4sIQI", b"PK\x06\x07", 0, place, 1) + data[place:]
    assert "holds too many files" in said(long)


def test_files_that_share_their_bytes_are_a_bomb():
    inside = zipped(*((f"{k}.ipynb", b"x" * 900_000) for k in range(3)))
    entries = inside[inside.index(b"PK\x01\x02") : inside.index(b"PK\x05\x06")]
    first = bytearray(entries[: len(entries) // 3])
    end = bytearray(inside[inside.index(b"PK\x05\x06") :])
    struct.pack_into("<HHI", end, 8, 900, 900, 900 * len(first))
    data = inside[: inside.index(b"PK\x01\x02")] + bytes(first) * 900 + bytes(end)
    assert "is a .zip whose files share their bytes" in said(data)


def test_a_folder_without_end_is_read_to_its_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(input_limits, "MAX_FILES", 3)
    for k in range(5):
        (tmp_path / f"{k}").write_bytes(NOTEBOOK)
    [found] = read_all(tmp_path)
    assert found.trouble.endswith("holds more than 3 files; mark a part of it at a time.")


def test_a_folder_too_deep_to_be_read_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(input_limits, "MAX_FOLDER_DEPTH", 2)
    (tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    (tmp_path / "a" / "b" / "real").write_bytes(NOTEBOOK)
    (tmp_path / "a" / "b" / "c" / "lost").write_bytes(NOTEBOOK)
    told = {Path(one.source).name: one.trouble for one in read_all(tmp_path)}
    assert told["real"] == ""
    assert "c is not a file; " in told["c"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_only_files_are_opened_and_nothing_is_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "real").write_bytes(NOTEBOOK)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "folder").symlink_to(tmp_path)
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10**12)
    troubles = {Path(one.source).name: one.trouble for one in read_all(tmp_path)}
    assert troubles["real"] == ""
    assert all(map(is_sentence, filter(None, troubles.values())))
    assert "is not a file" in troubles["pipe"]
    assert {name for name, trouble in troubles.items() if "is a link" in trouble} == {
        "link",
        "loop",
        "folder",
    }
    assert "is 1,000,000 MB large; up to 20 MB are read" in troubles["sparse"]
    for path, sentence in {
        "/dev/zero": "is not a file",
        "nowhere.ipynb": "is not there; check its name",
        "a\0b": "is not the name of a file",
        "x" * 300: "cannot be opened: file name too long",
    }.items():
        [found] = read_all(path)
        assert sentence in found.trouble
        assert is_sentence(found.trouble)


def test_a_failure_of_ours_costs_one_file_its_marks_and_no_other(tmp_path, monkeypatch):
    for name in "abc":
        (tmp_path / name).write_bytes(NOTEBOOK)
    calls = []

    def fails(*_):
        calls.append(1)
        if len(calls) == 2:
            raise {}["no"]
        return []

    monkeypatch.setattr(reader, "read_submitted_file", lambda *_: fails() or [])
    assert [one.source[-1] for one in read_all(tmp_path)] == ["b"]
