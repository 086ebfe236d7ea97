"""A file of weights before it is read: its SHA-256, and bounds on the file and its header."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path

from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError

MAX_WEIGHTS_BYTES = 4_000_000_000  # bytes, eight for each number that a model may have
MAX_TENSOR_HEADER_BYTES = 10_000_000  # names and shapes; GPT-2 has 14,000 bytes of them
DIGITS_SHOWN = 12  # of a sum, for people to compare


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def brief(digest: str) -> str:
    """The first digits, as in 53aa51172d14…"""
    return f"{digest[:DIGITS_SHOWN]}…"


def check_sum(path: Path, found: str, published: str, name: str, remedy: str) -> None:
    """Raise HandcalcError where the weights are not the published ones."""
    if found != published:
        raise HandcalcError(
            f"{short_path(path)} is not {name} as it was published: its SHA-256 is {brief(found)}, "
            f"not {brief(published)}; {remedy}."
        )


def check_bounds(path: Path) -> None:
    """Raise HandcalcError for a file, or a header, that is larger than any model's; OSError as it comes."""
    size = path.stat().st_size
    if size > MAX_WEIGHTS_BYTES:
        raise HandcalcError(
            f"{short_path(path)} has {size:,} bytes; handcalc opens up to {MAX_WEIGHTS_BYTES:,}."
        )
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
    if length > min(MAX_TENSOR_HEADER_BYTES, size - 8):
        raise HandcalcError(
            f"{short_path(path)} is not a whole safetensors file (its header would have {length:,} bytes); "
            "download it again."
        )
