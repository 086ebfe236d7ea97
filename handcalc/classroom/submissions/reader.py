"""One file after another: each has its sheets, or one sentence; none stops the others."""

from __future__ import annotations

from collections.abc import Callable, Container
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipInfo

from handcalc.classroom.submissions import archives, file_kinds, input_limits, opened_files
from handcalc.classroom.submissions.archives import Archive, Unpacked
from handcalc.classroom.submissions.code_matching import Codes, Names
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError

MAX_BYTES_FOR_CODE = 1_000_000  # bytes of a file that cannot be read: whose it is stands at its beginning
CANNOT_BE_READ = "cannot be read; open it, and mark it by hand"


class Reader:
    """Reads for one class: its codes, and those of everybody with a name."""

    def __init__(self, known_codes: Container[str], names: Names) -> None:
        self.known_codes, self.names = known_codes, names

    def path(self, path: Path, source: str) -> list[Submission]:
        """The sheets of a file that is called `source`."""

        def read() -> list[Submission]:
            with opened_files.open_file(path) as file:
                start = file.read(len(archives.ZIP_STARTS[0]))
                file.seek(0)
                if start in archives.ZIP_STARTS:
                    return self._archive(file, source, Unpacked())
                return self._file(opened_files.read_contents(file), source)

        return _guarded(read, source, self._named(source))

    def data(self, data: bytes, source: str, unpacked: Unpacked | None = None) -> list[Submission]:
        """The sheets of what a file holds."""

        def read() -> list[Submission]:
            if data.startswith(archives.ZIP_STARTS):
                return self._archive(BytesIO(data), source, unpacked or Unpacked())
            return self._file(data, source)

        return _guarded(read, source, self._named(source))

    def _file(self, data: bytes, source: str) -> list[Submission]:
        codes = Codes(self.known_codes)

        def read() -> list[Submission]:
            opened_files.check_file_size(len(data))
            return file_kinds.read_submitted_file(data, source, codes, self.names)

        return _guarded(read, source, lambda: _whose(data, source, codes))

    def _named(self, source: str) -> Callable[[], str]:
        return lambda: Codes(self.known_codes).named(source)

    def _archive(self, file: BinaryIO, source: str, unpacked: Unpacked) -> list[Submission]:
        """Each file of a .zip, and of one in it, as learning platforms pack them."""
        if unpacked.depth >= input_limits.MAX_ARCHIVE_DEPTH:
            raise HandcalcError("is a .zip in a .zip in a .zip; unpack it into a folder")
        archive = Archive(file, unpacked)
        found: list[Submission] = []
        unpacked.depth += 1
        for name, packed in archive.files():
            inside = f"{source}/{name}"
            found += self._packed(archive, packed, inside, unpacked)
        unpacked.depth -= 1
        if not found:
            raise HandcalcError("is a .zip with nothing in it; pack it again")
        return found

    def _packed(self, archive: Archive, one: ZipInfo, source: str, unpacked: Unpacked) -> list[Submission]:
        def read() -> list[Submission]:
            return self.data(archive.contents(one), source, unpacked)

        return _guarded(read, source, self._named(source))


def _whose(data: bytes, source: str, codes: Codes) -> str:
    """The code in the name of a file that cannot be read, or else in what stands in it."""
    start = data[:MAX_BYTES_FOR_CODE].decode("utf-8", "replace")
    return codes.named(source) or next(codes.inside(start), "")


def _guarded(read: Callable[[], list[Submission]], source: str, whose: Callable[[], str]) -> list[Submission]:
    """What was read, or one sentence: whatever is in a file, the next one is read all the same."""
    try:
        return read()
    except HandcalcError as error:
        reason = str(error)
    except MemoryError:
        reason = "is too much for this computer's memory; clear its outputs and hand it in again"
    except Exception:  # noqa: BLE001 - an oversight of ours must not cost the others their marks
        reason = CANNOT_BE_READ
    return [Submission(source, whose(), trouble=f"{short_path(source)} {reason}.")]
