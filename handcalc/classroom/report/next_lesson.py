"""What to teach next: the steps that most got wrong, and for each student what to practise."""

from __future__ import annotations

from html import escape
from pathlib import Path
from shlex import quote

from handcalc.classroom.folder.class_seeds import elsewhere
from handcalc.classroom.folder.unique_draws import Asked
from handcalc.classroom.insight.next_topics import Plan, Weak
from handcalc.classroom.report.display_names import Shown, listed
from handcalc.foundation.errors import many
from handcalc.practice.exercise.options import SheetOptions
from handcalc.practice.topics import own_topics

USUAL = SheetOptions().places


def lesson(shown: Shown) -> str:
    """The weakest steps of the class with a sheet for everybody, then a sheet for each."""
    if not shown.told.plans:
        return "<p>No step needs another sheet.</p>"
    weak = "".join(_weak(shown, one) for one in shown.told.weakest)
    return (f'<ol class="weak">{weak}</ol>' if weak else "") + _each(shown)


def _weak(shown: Shown, one: Weak) -> str:
    steps = listed([shown.step(*place) for place in one.places])
    trained = f" A sheet for everybody:<br><code>{command(shown, one)}</code>" if one.training else ""
    return f"<li><b>{steps}</b> went wrong for {many(len(one.students), 'student')}.{trained}</li>"


def command(shown: Shown, weak: Weak) -> str:
    """How to write fresh sheets for the whole class, which ask as the last ones did, as HTML."""
    assert weak.training
    topic, level, steps = weak.training
    rows = shown.found.records[weak.places[0].topic].convention == "rows"
    asked = Asked(topic, level, SheetOptions(steps, shown.places, "rows" if rows else "columns"))
    name = topic.replace("_", "-")
    parts = [
        f"handcalc worksheet {name} --blank {','.join(steps)}",
        f"--level {level}" if level > 1 else "",
        "--rows" if rows else "",
        f"--places {shown.places}" if shown.places != USUAL else "",
        f"--count {shown.told.students} --seed {elsewhere(shown.seed, asked)}",
        f"-o {quote('-'.join([shown.path, name, *steps]))}",
        *(_named(file) for file, topics in own_topics.TOPICS_OF_FILES.items() if topic in topics),
    ]
    return escape(" ".join(filter(None, parts)))


def _named(file: Path) -> str:
    """The option that names a file of the teacher's own topics, without which its topics are not known."""
    return f"--file {quote(str(file))}"


def _each(shown: Shown) -> str:
    """Who needs which sheet, those who need the same one together."""
    together: dict[tuple[str, str], list[int]] = {}
    for plan in shown.told.plans:
        together.setdefault(_sheet(shown, plan), []).append(plan.number)
    ranked = sorted(together.items(), key=lambda one: -len(one[1]))
    asked = [quote(shown.path), "--next", *map(_named, own_topics.TOPICS_OF_FILES)]
    rows = "".join(
        f'<tr><th scope="row">{topic}</th><td>{steps}</td><td>{shown.people(some)}</td></tr>'
        for (topic, steps), some in ranked
    )
    return (
        "<p>A sheet for each student with something to practise, with fresh numbers and only these steps "
        f"blank:<br><code>handcalc class report {escape(' '.join(asked))}</code></p>"
        '<div class="wide" tabindex="0" role="region" aria-label="Who should practise what">'
        '<table class="plain text"><thead><tr><th scope="col">Topic</th><th scope="col">Steps</th>'
        f'<th scope="col">Students</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _sheet(shown: Shown, plan: Plan) -> tuple[str, str]:
    """Its topic and its steps."""
    if plan.training is None:
        return "the same sheet again", shown.steps(plan.weak)
    return escape(plan.training.topic.replace("_", "-")), shown.steps(plan.training.steps)
