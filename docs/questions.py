"""Write docs/questions.md, what each question is asked on: `.venv/bin/python docs/questions.py`.

The kind is what the stored notebook draws before the answer; what is asked in words alone has its reason.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from handcalc.course.questions import question

HERE = Path(__file__).parent
NOTEBOOKS = sorted((HERE.parent / "notebooks").glob("*.ipynb"))
PAGE = HERE / "questions.md"
ASKED = re.compile(r'\bhc\.guess\(\s*"([\w.]+)"')
DRAWN = re.compile(r'data-drawn="(\w+)"')
IN_WORDS = "words"


def kinds() -> Iterator[tuple[str, str]]:
    """Every question in the order of the notebooks, and what it is asked on."""
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for name in ASKED.findall("".join(cell["source"])) if cell["cell_type"] == "code" else []:
                stored = "".join(cell["outputs"][0]["data"]["text/html"])
                drawn = DRAWN.search(stored)
                yield name, drawn[1] if drawn else IN_WORDS


def page() -> str:
    """The whole page."""
    found = list(kinds())
    counts = Counter(kind for _, kind in found)
    told = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    rows = "".join(f"| `{name}` | {kind} | {question(name).in_words} |\n" for name, kind in found)
    return (
        "# What each question is asked on\n\n"
        "`python docs/questions.py` writes this page from the stored notebooks. A question is drawn\n"
        "before its answer: on the numbers of its own sheet, on its sentence, as bars, as blank shapes,\n"
        "on pictures, or as cards to be put in order.\n\n"
        f"{len(found)} questions: {told}.\n\n"
        f"| question | asked on | why in words |\n|---|---|---|\n{rows}"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8", newline="\n")
