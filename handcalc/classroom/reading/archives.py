"""A .zip as a learning platform gives it, read in memory: no file is written, no path in it is used."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from handcalc.classroom.reading import limits
from handcalc.classroom.reading.opened import check_size, is_skipped, megabytes
from handcalc.errors import HandcalcError

STARTS = (b"PK\x03\x04", b"PK\x05\x06")  # of a .zip, and of one with nothing in it
OFFICE = ("[Content_Types].xml", "mimetype")  # of Word, Excel, OpenOffice


class Unpacked:
    """How many bytes have come out of one .zip and of those in it."""

    def __init__(self) -> None:
        self.count = self.depth = 0

    def add(self, count: int) -> None:
        """Raise HandcalcError, the end of a sentence, once there is more than anybody hands in."""
        self.count += count
        if self.count > limits.MOST_PACKED_BYTES:
            raise HandcalcError(
                f"is not read: its .zip unpacks to more than {megabytes(limits.MOST_PACKED_BYTES)}; "
                "unpack it into a folder"
            )


class Archive:
    """The files of a .zip. Raises HandcalcError, the end of a sentence, where it cannot be opened."""

    def __init__(self, file: BinaryIO | str, unpacked: Unpacked) -> None:
        self._unpacked = unpacked
        try:
            self._archive = ZipFile(file)
            self._files = [one for one in self._archive.infolist() if not _is_passed_over(one)]
        except (BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
            raise HandcalcError("is a .zip that cannot be opened; download it again") from None
        names = [one.filename for one in self._files]
        if any(name in OFFICE for name in names):
            raise HandcalcError("is a document; save it as .csv, with a line for each number")
        if len(names) > limits.MOST_PACKED_FILES:
            raise HandcalcError(
                f"holds {len(names):,} files; up to {limits.MOST_PACKED_FILES:,} are read: "
                "unpack it into a folder"
            )

    def files(self) -> Iterator[tuple[str, ZipInfo]]:
        """Each file by its name, which says nothing about where anything is."""
        for one in self._files:
            yield "".join(sign if sign.isprintable() else "\ufffd" for sign in one.filename), one

    def contents(self, one: ZipInfo) -> bytes:
        """The bytes of one file. Raises HandcalcError, the end of a sentence."""
        if one.flag_bits & 1:
            raise HandcalcError("is locked with a password; hand it in without one")
        if one.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise HandcalcError("is packed in a way that is not read; unpack it into a folder")
        check_size(one.file_size)
        if one.file_size > limits.MEGABYTE and one.file_size > limits.MOST_RATIO * one.compress_size:
            raise HandcalcError(
                f"unpacks from {one.compress_size:,} bytes to {megabytes(one.file_size)}; it is not read: "
                "hand it in unpacked"
            )
        try:
            with self._archive.open(one) as file:
                data = file.read(limits.MOST_BYTES + 1)
        except (BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError):
            raise HandcalcError("is damaged in its .zip; download it again") from None
        check_size(len(data))
        self._unpacked.add(len(data))
        return data


def _is_passed_over(one: ZipInfo) -> bool:
    return one.is_dir() or any(map(is_skipped, one.filename.split("/")))
