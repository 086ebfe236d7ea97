"""The course as files in a learner's folder, and which of them the learner has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from handcalc.foundation import atomic_files
from handcalc.foundation.errors import HandcalcError

PACKAGE = Path(__file__).parents[1]
FOLDER = "handcalc-lessons"
START = "notebooks/00_start_here.ipynb"
MANIFEST = ".handcalc-lessons.json"  # the files written, so that a change can be told
PATTERNS = ("notebooks/*.ipynb", "templates/*/*.ipynb", "docs/*.md", "docs/teaching/*.md")
NOT_SHIPPED = {"docs/architecture.md", "docs/calculations.md", "docs/spec.md"}  # these need the repository


class Outcome(NamedTuple):
    """The outcome of writing the course: the files by name."""

    written: list[str]
    changed: list[str]  # by their owner: these are left alone


def write_course(folder: str | PathLike[str]) -> Outcome:
    """Write the course into a folder; a file that its owner has changed is left as it is.

    A notebook that was run is not changed: its cells count, not what they show. A second call changes
    nothing; a newer handcalc replaces all files that are as they were written.
    Raises HandcalcError where a file cannot be written.
    """
    target = atomic_files.read_path(folder)
    source = course_folder()
    if target.resolve() == source.resolve():
        raise HandcalcError("The lessons are here already; name another folder.")
    known = _read_manifest(target)
    outcome = Outcome([], [])
    for name in course_files(source):
        new = (source / name).read_bytes()
        old = _read(target / name)
        shipped = known.get(name) or [_digest(new), _own_part(name, new)]
        if old is not None and _own_part(name, old) != shipped[1]:
            outcome.changed.append(name)
            continue
        if old is None or (old != new and shipped[0] != _digest(new)):
            atomic_files.make_folder((target / name).parent)
            atomic_files.write_whole(target / name, new)
            outcome.written.append(name)
        known[name] = [_digest(new), _own_part(name, new)]
    manifest = json.dumps(known, indent=1, sort_keys=True).encode()
    if _read(target / MANIFEST) != manifest:
        atomic_files.write_whole(target / MANIFEST, manifest)
    return outcome


def course_folder() -> Path:
    """The folder of the course: in the package, or beside it in a checkout."""
    for place in (PACKAGE / "workbook", PACKAGE.parent):
        if (place / START).is_file():
            return place
    raise HandcalcError("This installation has no lessons; install handcalc again.")


def course_files(source: Path) -> Iterator[str]:
    """The names of its files, in order."""
    for pattern in PATTERNS:
        names = (path.relative_to(source).as_posix() for path in sorted(source.glob(pattern)))
        yield from (name for name in names if name not in NOT_SHIPPED)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise atomic_files.refusal(path, error) from None


def _read_manifest(folder: Path) -> dict[str, list[str]]:
    """For each file digests of all of it and of its owner's part; empty where the manifest cannot be read."""
    try:
        found: Any = json.loads(_read(folder / MANIFEST) or b"{}")
        return {name: [whole, own] for name, (whole, own) in found.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _own_part(name: str, data: bytes) -> str:
    """A digest of the part that a person changes: the source of a notebook's cells, else the whole file."""
    if not name.endswith(".ipynb"):
        return _digest(data)
    try:
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(data)["cells"]]
    except (ValueError, KeyError, TypeError):
        return _digest(data)
    return _digest(json.dumps(cells).encode())
