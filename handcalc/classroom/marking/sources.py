"""Sources to mark: named files, those in folders and zips, and answers from phones."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipInfo

from handcalc.classroom.folder.folder_layout import DATABASE_FILE, REGISTER_FILE, SETTINGS_FILE, is_ours
from handcalc.classroom.folder.register import Register, plain_name
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.submissions import opened_files
from handcalc.classroom.submissions.archives import Archive, Unpacked
from handcalc.classroom.submissions.reader import Reader, list_files
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.foundation.extras import needed
from handcalc.practice.exercise.raw_answers import TypedText

ZIP = ".zip"
NOTHING_IN_IT = HandcalcError(
    "holds the files of a class and nothing that was handed in; name another folder"
)
EMPTIED = "This seat was emptied on the teacher’s page"
PHONE_SOURCE = "phone of "  # the beginning of their sources: no file has such a name


@dataclass(frozen=True)
class KnownCodes:
    """The clues to the owner of a sheet: the codes of a class, and those of each name."""

    codes: Collection[str]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, register: Register) -> KnownCodes:
        """The known codes of a class."""
        found: dict[str, list[str]] = {}
        for entry in register:
            found.setdefault(plain_name(entry.name), []).append(entry.code)
        found.pop("", None)
        return cls(frozenset(register.by_code), found)


@dataclass(frozen=True)
class Source:
    """A file, or one in a zip by its place there; `content` where it has come over a network."""

    name: str
    path: str = ""
    member: int | None = None
    content: bytes | None = None
    trouble: str = ""

    def sheets(self, known: KnownCodes) -> list[Submission]:
        """The sheets in it; nothing of it is run, and nothing written. Raises HandcalcError for none."""
        if self.trouble:
            raise HandcalcError(self.trouble)
        reader = Reader(known.codes, known.names)
        if self.content is None and self.member is None:
            return reader.read_path(Path(self.path), self.name)
        return reader.read_data(self.bytes(), self.name)

    def bytes(self) -> bytes:
        """The bytes of the file. Raises HandcalcError where it cannot be read, or is larger than allowed."""
        if self.content is not None:
            return self.content
        try:
            if self.member is not None:
                archive = _archive(self.path, os.stat(self.path).st_mtime_ns)  # noqa: PTH116
                return archive.archive.contents(archive.files[self.member][1])
            with opened_files.open_file(Path(self.path)) as file:
                return opened_files.read_contents(file)
        except (HandcalcError, OSError) as error:
            raise HandcalcError(_sentence(self.name, error)) from None


def list_sources(paths: Iterable[str | os.PathLike[str]], beside: Path) -> Iterator[Source]:
    """The files of these paths, folder by folder in the order of their names, each once.

    Where they lie in the folder `beside`, they are called by their way from there.
    Raises HandcalcError before the first for a path that does not exist.
    """
    found = [read_path(path) for path in paths]
    for path in found:
        if not os.path.lexists(path):
            raise HandcalcError(f"There is no file or folder {short_path(path)}; check its name.")
    seen: set[str] = set()
    for path in found:
        called = _called(path, beside)
        for source in _in(path, called):
            place = f"{_called(Path(source.path), beside)}:{source.member}" if source.path else source.name
            if place not in seen:
                seen.add(place)
                yield source


def _called(path: Path, beside: Path) -> str:
    """One name for a file, from whichever folder it is asked for."""
    whole, root = path.absolute().parent.resolve() / path.name, beside.resolve()
    return (whole.relative_to(root) if whole.is_relative_to(root) else whole).as_posix()


def _in(path: Path, name: str) -> Iterator[Source]:
    is_empty = True
    try:
        for file in list_files([path]):
            if not _is_ours(file, path):
                yield from _file(
                    file, name if file == path else f"{name}/{file.relative_to(path).as_posix()}"
                )
                is_empty = False
    except HandcalcError as error:
        yield Source(name, trouble=str(error))  # the error names the folder already
        return
    if is_empty:
        yield Source(name, trouble=_sentence(name, NOTHING_IN_IT))


def _is_ours(file: Path, below: Path) -> bool:
    """Whether a class keeps this file in its folder; a class may be in a folder that is marked."""
    inside = file.relative_to(below).parts
    folders = (below.joinpath(*inside[:depth]) for depth in range(len(inside)))
    return any(is_ours(part) and _is_class(folder) for part, folder in zip(inside, folders, strict=False))


def _is_class(folder: Path) -> bool:
    return all(os.path.isfile(folder / name) for name in (REGISTER_FILE, SETTINGS_FILE))  # noqa: PTH113 - a Path raises


def _file(path: Path, name: str) -> Iterator[Source]:
    """A file, or the files in a zip: they are unpacked one by one, where they are marked."""
    if path.suffix.lower() != ZIP or not _is_file(path):
        yield Source(name, str(path))
        return
    try:
        found = _archive(str(path), path.stat().st_mtime_ns).files
    except (HandcalcError, OSError) as error:
        yield Source(name, trouble=_sentence(name, error))
        return
    for place, (inside, _) in enumerate(found):
        yield Source(f"{name}/{inside}", str(path), place)
    if not found:
        yield Source(
            name, trouble=_sentence(name, HandcalcError("is a .zip with nothing in it; pack it again"))
        )


def _is_file(path: Path) -> bool:
    """Whether it is a file and no link; where nobody may look, opening it says so."""
    return os.path.isfile(path) and not os.path.islink(path)  # noqa: PTH113, PTH114 - a Path raises


class OpenedZip(NamedTuple):
    """A zip, and its contents."""

    archive: Archive
    files: list[tuple[str, ZipInfo]]


@lru_cache(maxsize=1)
def _archive(path: str, _changed_at: int) -> OpenedZip:
    """Open a zip, and keep it open: to list its contents takes longer than to unpack one file."""
    archive = Archive(path, Unpacked())
    return OpenedZip(archive, list(archive.files()))


def _sentence(name: str, error: HandcalcError | OSError) -> str:
    """The whole sentence about a file, of which an error has only the end."""
    reason = str(error) if isinstance(error, HandcalcError) else "cannot be opened; copy it to another folder"
    return f"{short_path(name)} {reason.rstrip('.')}."


def read_phone_sheets(folder: ClassFolder, database: str = "") -> list[Submission] | None:
    """Everything that was typed, sheet by sheet and learner by learner; None where there is no database.

    Raises HandcalcError where there are answers and they cannot be read.
    """
    if not database and not (folder.path / DATABASE_FILE).exists():
        return None
    needed("sqlalchemy")
    from handcalc.classroom.store.answer_store import AnswerStore
    from handcalc.classroom.store.database import file_address

    store = AnswerStore(database or file_address(folder.path / DATABASE_FILE), folder.settings.title)
    try:
        kept = store.load()
    finally:
        store.close()
    nicks = {one.id: one.nick for one in kept.learners}
    typed: dict[tuple[int, str], list[TypedText]] = {}
    hints: dict[tuple[int, str], dict[str, int]] = {}
    for one in sorted(kept.answers, key=lambda one: one.at):  # by the time of typing, not of arrival
        typed.setdefault((one.learner, one.code), []).append(
            TypedText(one.step, one.row, one.column, one.text)
        )
    for one in kept.hints:
        asked = hints.setdefault((one.learner, one.code), {})
        asked[one.step] = asked.get(one.step, 0) + 1
    accepted = dict(kept.state).get("accepted", {})  # the answers that each had when it was accepted
    seats = [(seat.learner, seat.code) for seat in kept.seats]  # a learner who waits has none
    away = [key for key in typed if key not in seats and key[0] in nicks]  # with an emptied seat
    return [
        Submission(
            f"{PHONE_SOURCE}{nicks[who]} ({who})",
            code,
            typed=tuple(typed[who, code]),
            hints=hints.get((who, code), {}),
            foreign=EMPTIED if (who, code) in away else "",
            is_accepted=accepted.get(code) == len(typed[who, code]),
        )
        for who, code in (*seats, *away)
        if (who, code) in typed
    ]
