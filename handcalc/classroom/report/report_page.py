"""The report as one HTML file: no script, nothing from outside, on screen, on a phone and on paper."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from handcalc.classroom.insight.sheet_progress import PROGRESS_SIGNS
from handcalc.classroom.report import report_sections
from handcalc.classroom.report.display_names import ShownClass
from handcalc.classroom.report.progress_heatmap import draw_heatmaps
from handcalc.views import content_policy

REPORT_HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: report</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><p>{summary}</p></header>
<main>
{body}
</main>
</body>
</html>
"""
LEGEND = {  # what the signs of a step mean, in the words of the learners' page
    "right": "right",
    "close": "close, but not right",
    "following": "follows from an earlier slip",
    "wrong": "wrong",
    "blank": "blank",
}


def write_report_page(shown: ShownClass) -> str:
    """The whole of it; what a teacher needs first comes first."""
    style = _style()
    first = ("", "this student", "these two", "these three")[len(shown.told.talk)]
    parts = [
        _section("talk", f"Talk to {first} first", report_sections.write_talk(shown)),
        _section("mistakes", "Common mistakes", report_sections.write_mistakes(shown)),
        _section("next", "What to teach next", report_sections.write_next_lesson(shown)),
        _section("groups", "Groups that share a mistake", report_sections.write_groups(shown)),
        _section("grid", "Where everybody stands", _legend() + draw_heatmaps(shown)),
        _section("crossing", "Which mistake in which step", report_sections.write_crossing(shown)),
        _section("hints", "How hints were used", report_sections.write_hints(shown)),
        _section("missing", "What is missing", report_sections.write_missing(shown)),
    ]
    return REPORT_HTML.format(
        title=escape(shown.title),
        policy=content_policy.meta(style=style),
        style=style,
        summary=escape(shown.summary),
        body="\n".join(filter(None, parts)),
    )


def _section(name: str, heading: str, body: str) -> str:
    return f'<section id="{name}"><h2>{heading}</h2>{body}</section>' if body else ""


def _legend() -> str:
    told = "".join(
        f'<span><b class="{state}">{PROGRESS_SIGNS[state]}</b> {words}</span>'
        for state, words in LEGEND.items()
    )
    return (
        f'<p class="legend">{told}</p><p class="quiet">Each sign stands for a step; '
        "a number beside it says for how many of the step’s numbers it holds, if not for all.</p>"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("report.css").read_text("utf-8")
