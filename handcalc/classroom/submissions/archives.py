"""A .zip as a learning platform gives it, read in memory: no file is written, no path in it is used."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from os import SEEK_END
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.opened_files import check_file_size, in_megabytes, is_skipped
from handcalc.foundation.errors import HandcalcError

ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")  # of a .zip, and of an empty one
LIST_END, LONG_LIST_END = b"PK\x05\x06", b"PK\x06\x06"  # where a .zip gives the length of its list of files
SHORTEST_END, LONGEST_END, LONG_END = 22, 22 + 65_535 + 76, 76
OFFICE_FILES = ("[Content_Types].xml", "mimetype")  # of Word, Excel, OpenOffice


class Unpacked:
    """The count of bytes that one .zip unpacks to, with those in it."""

    def __init__(self) -> None:
        self.count = self.depth = 0

    def add(self, count: int) -> None:
        """Raise HandcalcError, the end of a sentence, once there is more than anybody hands in."""
        self.count += count
        if self.count > input_limits.MAX_UNPACKED_BYTES:
            raise HandcalcError(
                f"unpacks to more than {in_megabytes(input_limits.MAX_UNPACKED_BYTES)}; "
                "unpack it into a folder"
            )


class Archive:
    """The files of a .zip. Raises HandcalcError, the end of a sentence, where it cannot be opened."""

    def __init__(self, file: BinaryIO | str, unpacked: Unpacked) -> None:
        try:
            with open(file, "rb") if isinstance(file, str) else nullcontext(file) as opened:  # noqa: PTH123
                _check_list(opened)
            self._archive = ZipFile(file)
        except HandcalcError:
            raise
        except (BadZipFile, ValueError, OSError, NotImplementedError, EOFError, struct.error):
            raise HandcalcError("is a .zip that cannot be opened; download it again") from None
        self._files = [one for one in self._archive.infolist() if not _is_passed_over(one)]
        unpacked.add(sum(one.file_size for one in self._files))
        self._check_overlap()
        names = [one.filename for one in self._files]
        if any(name in OFFICE_FILES for name in names):
            raise HandcalcError("is a document; save it as .csv, with a line for each number")
        if len(names) > input_limits.MAX_PACKED_FILES:
            raise HandcalcError(
                f"holds {len(names):,} files; up to {input_limits.MAX_PACKED_FILES:,} are read: "
                "unpack it into a folder"
            )

    def files(self) -> Iterator[tuple[str, ZipInfo]]:
        """Each file by its name, which says nothing about where anything is."""
        for one in self._files:
            yield "".join(sign if sign.isprintable() else "\ufffd" for sign in one.filename), one

    def _check_overlap(self) -> None:
        """Raise HandcalcError where files share their bytes, as small files do that unpack to endless ones.

        https://www.bamsoftware.com/hacks/zipbomb/
        """
        packed = sum(one.compress_size for one in self._archive.infolist())
        if self._archive.fp is None or packed > self._archive.fp.seek(0, SEEK_END):
            raise HandcalcError("is a .zip whose files share their bytes; it is not read: pack it again")

    def contents(self, one: ZipInfo) -> bytes:
        """The bytes of one file. Raises HandcalcError, the end of a sentence."""
        if one.flag_bits & 1:
            raise HandcalcError("is locked with a password; hand it in without one")
        if one.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise HandcalcError("is packed in a way that is not read; unpack it into a folder")
        check_file_size(one.file_size)
        if (
            one.file_size > input_limits.MEGABYTE
            and one.file_size > input_limits.MAX_UNPACK_RATIO * one.compress_size
        ):
            raise HandcalcError(
                f"unpacks from {one.compress_size:,} bytes to {in_megabytes(one.file_size)}; it is not read: "
                "hand it in unpacked"
            )
        try:
            with self._archive.open(one) as file:
                data = file.read(input_limits.MAX_FILE_BYTES + 1)
        except (BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError):
            raise HandcalcError("is damaged in its .zip; download it again") from None
        check_file_size(len(data))
        return data


def _check_list(file: BinaryIO) -> None:
    """Raise HandcalcError where the list of files alone would fill the memory: ZipFile reads all of it."""
    end = file.seek(0, SEEK_END)
    file.seek(max(end - LONGEST_END, 0))
    tail = file.read()
    for place in {tail.rfind(LIST_END), len(tail) - SHORTEST_END}:
        long = tail[max(place - LONG_END, 0) : max(place, 0)]
        sizes = [struct.unpack_from("<I", tail, place + 12)[0]] if tail[place : place + 4] == LIST_END else []
        sizes += [struct.unpack_from("<Q", long, 40)[0]] if long.startswith(LONG_LIST_END) else []
        if max(sizes, default=0) > input_limits.MAX_ZIP_LIST_BYTES:
            raise HandcalcError("holds too many files; unpack it into a folder")
    file.seek(0)


def _is_passed_over(one: ZipInfo) -> bool:
    return one.is_dir() or any(map(is_skipped, one.filename.split("/")))
