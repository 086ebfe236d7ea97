"""One file after another: each has its sheets, or one sentence; none stops the others.

No submission is ever run. The kind of a file is read from its contents: its name may say anything.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipInfo

from handcalc.classroom.folder.csv_tables import decode_text
from handcalc.classroom.submissions import (
    answer_tables,
    archives,
    input_limits,
    notebook_files,
    opened_files,
    practice_logs,
)
from handcalc.classroom.submissions.archives import Archive, Unpacked
from handcalc.classroom.submissions.code_matching import Codes, Names
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.line_log import parse_lines

MAX_BYTES_FOR_CODE = 1_000_000  # of a file that cannot be read: its code is near the beginning
CANNOT_BE_READ = "cannot be read; open it, and mark it by hand"
WANTED_FILES = "hand in the notebook (.ipynb), the practice log (.jsonl) or a table (.csv)"
FOREIGN_STARTS = {  # the beginnings of files handed in by mistake
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "a document",
    b"Rar!": "a .rar",
    b"7z\xbc\xaf": "a .7z",
    b"\x1f\x8b": "a .gz",
}
HTML_START = re.compile(r"\s*<(?:!doctype|html)", re.IGNORECASE)
FIRST_LINES = 50  # in which a log has a whole line


def list_files(paths: Iterable[str | PathLike[str]]) -> Iterator[Path]:
    """Files as they are, and the files of folders: what can be read one by one, by several processes.

    Raises HandcalcError for anything but the name of a file, and for a folder of more than anybody hands in.
    """
    for path in map(read_path, paths):
        if os.path.isdir(path):  # noqa: PTH112 - a Path raises where there is no permission
            try:
                yield from opened_files.list_folder(path)
            except HandcalcError as error:
                raise HandcalcError(f"{short_path(path)} {error}.") from None
        else:
            yield path


class Reader:
    """Reads for one class: its codes as `codes.write_code` spells them, and those of everybody with a name.

    `names` has them by `register.plain_name`, for tables without codes.
    """

    def __init__(self, known_codes: Container[str], names: Names) -> None:
        self.known_codes, self.names = known_codes, names

    def read_path(self, path: Path, source: str) -> list[Submission]:
        """The sheets of a file that is called `source`."""
        return self._guarded(source, partial(self._opened, path, source))

    def read_data(self, data: bytes, source: str, unpacked: Unpacked | None = None) -> list[Submission]:
        """The sheets in the bytes of a file."""
        if data.startswith(archives.ZIP_STARTS):
            archive = partial(self._archive, BytesIO(data), source, unpacked or Unpacked())
            return self._guarded(source, archive)
        read = partial(read_submitted_file, data, source, Codes(self.known_codes), self.names)
        return self._guarded(source, read, data[:MAX_BYTES_FOR_CODE])

    def _opened(self, path: Path, source: str) -> list[Submission]:
        with opened_files.open_file(path) as file:
            start = file.read(len(archives.ZIP_STARTS[0]))
            file.seek(0)
            if start in archives.ZIP_STARTS:
                return self._archive(file, source, Unpacked())
            return self.read_data(opened_files.read_contents(file), source)

    def _archive(self, file: BinaryIO, source: str, unpacked: Unpacked) -> list[Submission]:
        """Each file of a .zip, and of one in it, as learning platforms pack them."""
        if unpacked.depth >= input_limits.MAX_ARCHIVE_DEPTH:
            raise HandcalcError("is a .zip in a .zip in a .zip; unpack it into a folder")
        archive = Archive(file, unpacked)
        found: list[Submission] = []
        unpacked.depth += 1
        for name, packed in archive.files():
            inside = f"{source}/{name}"
            found += self._guarded(inside, partial(self._packed, archive, packed, inside, unpacked))
        unpacked.depth -= 1
        if not found:
            raise HandcalcError("is a .zip with nothing in it; pack it again")
        return found

    def _packed(self, archive: Archive, one: ZipInfo, source: str, unpacked: Unpacked) -> list[Submission]:
        return self.read_data(archive.contents(one), source, unpacked)

    def _guarded(
        self, source: str, read: Callable[[], list[Submission]], start: bytes = b""
    ) -> list[Submission]:
        """The sheets read, or one sentence: whatever is in a file, the next one is read all the same.

        The owner of a file that cannot be read is known by the code in its name, or else by one in the file.
        """
        try:
            return read()
        except HandcalcError as error:
            reason = str(error)
        except MemoryError:
            reason = "is too much for this computer's memory; clear its outputs and hand it in again"
        except Exception:  # noqa: BLE001 - an oversight of ours must not cost the others their marks
            reason = CANNOT_BE_READ
        codes = Codes(self.known_codes)
        code = codes.named(source) or next(codes.inside(start.decode("utf-8", "replace")), "")
        return [Submission(source, code, trouble=f"{short_path(source)} {reason}.")]


def read_submitted_file(data: bytes, source: str, codes: Codes, names: Names) -> list[Submission]:
    """Every sheet in a file. Raises HandcalcError, the end of a sentence, for what is none of ours."""
    opened_files.check_file_size(len(data))
    for start, what in FOREIGN_STARTS.items():
        if data.startswith(start):
            raise HandcalcError(f"is {what}; {WANTED_FILES}")
    text = decode_text(data)
    if HTML_START.match(text):
        raise HandcalcError(f"is a web page; {WANTED_FILES}")
    if source.lower().endswith(".py"):
        return notebook_files.read_script(text, source, codes)
    if text.lstrip()[:1] in ("{", "["):
        return _json(text, source, codes)
    return answer_tables.read_answer_table(text, source, codes, names)


def _json(text: str, source: str, codes: Codes) -> list[Submission]:
    if _is_log(text.split("\n", FIRST_LINES)[:FIRST_LINES]):
        return practice_logs.read_practice_log(text, source, codes)
    try:
        found = notebook_files.load_json(text)
    except HandcalcError:
        if _is_log(text.split("\n", input_limits.MAX_LINES)[: input_limits.MAX_LINES]):
            return practice_logs.read_practice_log(text, source, codes)
        raise
    if not isinstance(found, dict) or not {"cells", "worksheets"} & found.keys():
        raise HandcalcError(f"is not a notebook; {WANTED_FILES}")
    return notebook_files.read_notebook(found, source, codes)


def _is_log(lines: list[str]) -> bool:
    """Whether one of the lines is about a sheet."""
    found = (line for line in parse_lines(line.encode("utf-8", "replace") for line in lines))
    return any("code" in line and "cells" not in line for line in found)
