"""Practice in the site: problems that a page marks itself, in the lessons and for every topic."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import live_notebooks

from handcalc.course.lesson_topics import by_lesson
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.practice_file import page_problems
from handcalc.practice.exercise.problem_series import CodedSeries
from handcalc.views.saved_page import embedded
from handcalc.views.thumbnails import STYLE

PROBLEMS = int(os.environ.get("HANDCALC_SITE_PROBLEMS", "10"))  # of each topic; tests of the site need fewer
WAITING = "Practice"
PAGE = """# Practice every topic

Choose a topic: its problems are marked as you type, on your own earlier numbers, and stay in this browser.
*Save my answers* writes them as the file that a teacher can mark.

```{{raw}} html
<style>{style}</style><div class="hc-gallery hc-topics" style="display: block">{topics}</div>
```
"""


def state_of(code: str, problems: int = 1) -> dict[str, Any]:
    """What a page draws a series of problems from, asked for as `code` does, the same for everyone."""
    asked = codes.read_code(code)
    first = codes.write_code(asked._replace(seed=1)) if asked.seed else code
    series = CodedSeries(first, problems=max(problems, PROBLEMS))
    found = page_problems(series, first)
    return {
        "kind": live_notebooks.PRACTICE,
        "codes": [one[name] for one in found["problems"] for name in ("code", "whole") if one[name]],
        "state": {"problems": json.loads(embedded(found))},
    }


def write(source: Path, states: Path) -> None:
    """Write the page of all topics, and for each of them the file that it is opened from."""
    (source / "every_topic.md").write_text(PAGE.format(style=STYLE, topics="".join(_topics(states))), "utf-8")


def _topics(states: Path) -> Iterator[str]:
    for lesson, names in by_lesson().items():
        yield f"<h4>{escape(lesson)}</h4><div>"
        for name in names:
            key = f"practise_{name}"
            live_notebooks.write_file(states, key, {key: state_of(codes.code(name))})
            yield f'<button type="button" data-name="{key}">{escape(name.replace("_", " "))}</button>'
        yield "</div>"
