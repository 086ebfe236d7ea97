"""Which tests one worker does in one go: what loads PyTorch, a kernel or a browser loads it once."""

import functools
import re
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

# What a file's text has if it loads something dear; all files that do are one unit of work.
DEAR = {
    "torch": re.compile(r"\btorch\b"),
    "spreadsheets": re.compile(r"\blibreoffice\b"),
    "browser": re.compile(r"\bmark\.browser\b|\bchromium\b|\bopen_page\b|\bopen_text\b"),
}
ORDER = ("notebooks", "torch", "spreadsheets", "browser")


@functools.cache
def unit(path: Path) -> str:
    """The name of what a file is done with: "torch", "browser", "notebooks", or its own."""
    if path.suffix == ".ipynb":
        return "notebooks"
    text = path.read_text("utf-8")
    return next((name for name, words in DEAR.items() if words.search(text)), str(path))


def turn(item: pytest.Item) -> int:
    """What takes long comes first, so that none is left over at the end for one worker alone."""
    name = unit(item.path)
    if name in ORDER:
        return ORDER.index(name)
    return len(ORDER) + (not item.get_closest_marker("slow"))


class Scheduler(LoadFileScheduling):
    """All files that load the same go to one worker; slow tests in a browser are too many for one."""

    def _split_scope(self, nodeid: str) -> str:
        path = self.config.rootpath / nodeid.split("::", 1)[0]
        name = unit(path)
        has_slow = self.config.getoption("slow") or self.config.getoption("sweep")
        return str(path) if name == "browser" and has_slow else name
