"""Which files there are to mark: those that are named, those in folders, those in zips."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from handcalc.classroom import reading
from handcalc.classroom.handed_in import HandedIn
from handcalc.errors import HandcalcError
from handcalc.files import path_of, shown

ZIP = ".zip"
MOST_BYTES = 20_000_000  # of a file in a zip, unpacked
MOST_FILES = 1_000_000
OURS = {"register.csv", "class.json", "marks.json", "marks.csv", "report.csv", "report.html", "class.db"}
HIDDEN = (".", "__MACOSX", "~$")  # what systems and editors leave beside files


@dataclass(frozen=True)
class Source:
    """A file, or one in a zip; `content` where it has come over a network."""

    name: str
    path: str = ""
    member: str = ""
    content: bytes | None = None
    trouble: str = ""

    def sheets(self, codes: Collection[str]) -> list[HandedIn]:
        """The sheets in it; nothing of it is run, and nothing written. Raises HandcalcError for none."""
        if self.trouble:
            raise HandcalcError(self.trouble)
        if self.content is None and not self.member:
            return reading.read(self.path, codes, source=self.name)
        return reading.read_bytes(self.bytes(), self.name, codes)

    def bytes(self) -> bytes:
        """What is in it, up to what anybody would hand in."""
        if self.content is not None:
            return self.content
        try:
            if not self.member:
                with Path(self.path).open("rb") as file:
                    return file.read(MOST_BYTES + 1)
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
                found = file.read(MOST_BYTES + 1)
        except (OSError, *UNREADABLE) as error:
            raise HandcalcError(f"{self.name} cannot be read: {_reason(error)}.") from None
        if len(found) > MOST_BYTES:
            raise HandcalcError(f"{self.name} has more than {MOST_BYTES // 1_000_000} MB, unpacked.")
        return found


UNREADABLE = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    EOFError,
)


def sources(paths: Iterable[str | os.PathLike[str]], beside: Path) -> Iterator[Source]:
    """The files of what is named, folder by folder in the order of their names.

    Where they lie in the folder `beside`, they are called by their way from there.
    Raises HandcalcError before the first for a path that does not exist.
    """
    found = [path_of(path) for path in paths]
    for path in found:
        if not path.exists():
            raise HandcalcError(f"There is no file or folder {shown(path)}.")
    for path in found:
        yield from _in(path, _called(path, beside))


def _called(path: Path, beside: Path) -> str:
    """One name for a file, from whichever folder it is asked for."""
    whole, root = path.resolve(), beside.resolve()
    return (whole.relative_to(root) if whole.is_relative_to(root) else whole).as_posix()


def _in(path: Path, name: str) -> Iterator[Source]:
    if path.is_dir():
        is_class = (path / "register.csv").exists()
        for inner in sorted(path.iterdir()):
            is_ours = is_class and inner.name in OURS
            if not inner.name.startswith(HIDDEN) and not is_ours and not inner.is_symlink():
                yield from _in(inner, f"{name}/{inner.name}")
    elif path.suffix.lower() == ZIP:
        yield from _zipped(path, name)
    elif path.is_file():
        yield Source(name, str(path))
    else:
        yield Source(name, trouble=f"{name} is not a file.")


def _zipped(path: Path, name: str) -> Iterator[Source]:
    """The files in a zip; they are unpacked one by one, where they are marked."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
    except (OSError, *UNREADABLE) as error:
        yield Source(name, trouble=f"{name} cannot be opened: {_reason(error)}.")
        return
    if len(members) > MOST_FILES:
        yield Source(name, trouble=f"{name} has {len(members)} files, more than {MOST_FILES}.")
        return
    for one in members:
        called = f"{name}/{one.filename}"
        if any(part.startswith(HIDDEN) and part != ".." for part in one.filename.split("/")):
            continue
        is_zip = one.filename.lower().endswith(ZIP)
        trouble = f"{called} is a zip in a zip; unpack it and hand in what is in it." if is_zip else ""
        yield Source(called, str(path), one.filename, trouble=trouble)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "it is damaged, or locked with a password"
