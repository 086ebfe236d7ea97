"""A file is whole or not there: data is written to a new file beside it, which then takes its name."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from io import BytesIO
from os import PathLike
from pathlib import Path
from threading import Lock

from handcalc.foundation.errors import HandcalcError, short

LONGEST = 60  # letters of a path in a sentence
ELSEWHERE = "choose another folder"
REASONS = {  # the meaning of system errors, and what to do
    errno.ENOSPC: ("the disk is full", "free some space and try again"),
    errno.EFBIG: ("it is larger than this computer allows", "raise the limit (ulimit -f) and try again"),
    errno.EACCES: ("permission was denied", f"{ELSEWHERE}, or close the file where it is open"),
    errno.EPERM: ("permission was denied", ELSEWHERE),
    errno.EROFS: ("the disk is read-only", ELSEWHERE),
    errno.ENOENT: ("there is no such folder", "create it first"),
    errno.ENOTDIR: ("a part of its path is not a folder", ELSEWHERE),
    errno.EEXIST: ("a file has this name", "choose another one"),
    errno.EISDIR: ("it is a folder", "name a file in it"),
    errno.ENAMETOOLONG: ("its name is too long", "choose a shorter one"),
}
if hasattr(errno, "EDQUOT"):  # not on Windows
    REASONS[errno.EDQUOT] = REASONS[errno.ENOSPC]
_SYNCED_LATER = ContextVar[list[Path] | None]("synced_later", default=None)


def write_whole(path: str | PathLike[str], data: bytes | str, *, overwrite: bool = True) -> None:
    """Write one file, text as UTF-8; nothing is left of an attempt that fails, and an older file stays.

    Raises HandcalcError where it cannot be written, and where it exists already unless `overwrite`.
    """
    with whole_files([path], overwrite=overwrite) as (file,):
        file.write(data if isinstance(data, bytes) else _encoded(path, data))


@contextmanager
def whole_files(
    paths: Iterable[str | PathLike[str]], *, overwrite: bool = True
) -> Iterator[Sequence[BytesIO]]:
    """Files in memory, one for each path; all of them are stored when the block ends well, else none.

    Raises HandcalcError before the block begins where a file cannot be written, and where one exists
    already unless `overwrite`.
    """
    names = [read_path(path) for path in paths]
    if not overwrite:
        check_free(names)
    with ExitStack() as stack:
        places = [stack.enter_context(_beside(name)) for name in names]
        contents = [BytesIO() for _ in names]
        yield contents
        for name, place, content in zip(names, places, contents, strict=True):
            _store(name, place, content.getvalue())
        if not overwrite:
            check_free(names)  # someone else may have been faster
        for name, place in zip(names, places, strict=True):
            _rename(name, place)


def check_free(paths: Iterable[str | PathLike[str]], option: str = "overwrite=True") -> None:
    """Raise HandcalcError where one of these files exists; `option` is how to say that it may go."""
    for path in map(read_path, paths):
        if _kind(path) not in (None, "device"):
            raise HandcalcError(
                f"{short_path(path)} exists already; choose another name, or replace it with {option}."
            )


def make_folder(path: str | PathLike[str]) -> Path:
    """Create a folder, and those that it is in, where it is missing; HandcalcError where it cannot be."""
    folder = read_path(path)
    with _translated(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


class _OwnerOnly:
    """The count of active `owner_only` blocks, and the umask from before them."""

    lock, count, before = Lock(), 0, 0


@contextmanager
def owner_only() -> Iterator[None]:
    """Make files and folders with modes 0600 and 0700 meanwhile, where the system has modes."""
    with _OwnerOnly.lock:
        if _OwnerOnly.count == 0:
            _OwnerOnly.before = os.umask(0o077)
        _OwnerOnly.count += 1
    try:
        yield
    finally:
        with _OwnerOnly.lock:
            _OwnerOnly.count -= 1
            if _OwnerOnly.count == 0:
                os.umask(_OwnerOnly.before)


def read_path(path: object) -> Path:
    """An argument read as a path; HandcalcError in one plain sentence."""
    try:
        found = Path(path)  # type: ignore[arg-type]
        os.fsencode(found)
    except (TypeError, ValueError):
        raise HandcalcError(f"{short(path)} is not the name of a file.") from None
    if "\0" in str(found):
        raise HandcalcError(f"{short(path)} is not the name of a file.")
    return found


def short_path(path: object) -> str:
    """A path as a sentence writes it: its end, where it is long."""
    text = "".join(letter if letter.isprintable() else "�" for letter in str(path))
    return text if len(text) <= LONGEST else "…" + text[-LONGEST + 1 :]


def refusal(path: object, error: OSError) -> HandcalcError:
    """One sentence for an error of the system: the file, the reason, and what to do."""
    known = ((error.strerror or str(error)).rstrip(".") or "unknown error", ELSEWHERE)
    reason, remedy = REASONS.get(error.errno or 0, known)
    return HandcalcError(f"{short_path(path)} cannot be written: {reason}; {remedy}.")


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise refusal(path, error) from None


def _kind(path: Path) -> str | None:
    """The kind of a path: "file", "folder", "device" (written to directly), or None if there is nothing."""
    with _translated(path):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            return None
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
    return kinds.get(stat.S_IFMT(mode), "device")


@contextmanager
def synced_together() -> Iterator[None]:
    """Sync files stored in the block to the disk when it ends: all at once takes far less time."""
    later = list[Path]()
    before = _SYNCED_LATER.set(later)
    try:
        yield
    finally:
        _SYNCED_LATER.reset(before)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(_sync, later))


def _sync(path: Path) -> None:
    with _translated(path), path.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A new, empty file in the same folder, gone when the block ends; a device itself."""
    kind = _kind(path)
    with _translated(path):
        if kind == "folder":
            raise IsADirectoryError(errno.EISDIR, "")
        if kind == "file" and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "")
    if kind == "device":
        yield path
        return
    # a link stays a link: what it points at is replaced
    place = Path(os.path.realpath(path)).with_name(f".handcalc-{os.urandom(6).hex()}.tmp")
    try:
        with _translated(path), place.open("xb"):  # not mkstemp, whose files only their owner may read
            pass
        yield place
    finally:
        with suppress(OSError):  # gone, or its folder is
            place.unlink()


def _store(path: Path, place: Path, data: bytes) -> None:
    with _translated(path), place.open("wb") as file:
        file.write(data)
        file.flush()
        later = _SYNCED_LATER.get()
        if place != path and later is None:
            os.fsync(file.fileno())
        elif place != path and later is not None:
            later.append(path)


def _rename(path: Path, place: Path) -> None:
    if place == path:
        return
    with _translated(path):
        if path.exists():
            place.chmod(stat.S_IMODE(path.stat().st_mode))
        place.replace(os.path.realpath(path))


def _encoded(path: object, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise HandcalcError(
            f"{short_path(path)} cannot be written: its text contains {half!r}, half of a "
            "character; remove it."
        ) from None
