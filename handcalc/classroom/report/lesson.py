"""What to teach next: the steps that most got wrong, and for each student what to practise."""

from __future__ import annotations

from html import escape
from shlex import quote

from handcalc.classroom.insight.training import Plan, Training, Weak, free_seed
from handcalc.classroom.report.shown import Shown, counted


def lesson(shown: Shown) -> str:
    """The weakest steps of the class with a sheet for everybody, then a sheet for each."""
    if not shown.told.plans:
        return "<p>No step needs another sheet.</p>"
    weak = "".join(_weak(shown, one) for one in shown.told.weakest)
    return (f'<ol class="weak">{weak}</ol>' if weak else "") + _each(shown)


def _weak(shown: Shown, one: Weak) -> str:
    trained = (
        f" A sheet for everybody:<br><code>{command(shown, one.training)}</code>" if one.training else ""
    )
    wrong = counted(len(one.students), "student")
    return f"<li><b>{shown.step(one.topic, one.step)}</b> went wrong for {wrong}.{trained}</li>"


def command(shown: Shown, training: Training) -> str:
    """How to write fresh sheets for the whole class, as HTML."""
    seed = free_seed(training.topic, shown.register.by_code)
    parts = [
        f"handcalc worksheet {training.topic.replace('_', '-')} --blank {','.join(training.steps)}",
        f"--level {training.level}" if training.level > 1 else "",
        f"--count {shown.told.students} --seed {seed} -o {quote(f'{shown.path}-next')}",
    ]
    return escape(" ".join(filter(None, parts)))


def _each(shown: Shown) -> str:
    """Who needs which sheet, those who need the same one together."""
    together: dict[tuple[str, str], list[int]] = {}
    for plan in shown.told.plans:
        together.setdefault(_sheet(shown, plan), []).append(plan.number)
    ranked = sorted(together.items(), key=lambda one: -len(one[1]))
    rows = "".join(
        f'<tr><th scope="row">{topic}</th><td>{steps}</td><td>{shown.people(some)}</td></tr>'
        for (topic, steps), some in ranked
    )
    return (
        "<p>A sheet for each student with something to practise, with fresh numbers and just these steps "
        f"blank:<br><code>handcalc class report {escape(quote(shown.path))} --next</code></p>"
        '<div class="wide" tabindex="0" role="region" aria-label="Who should practise what">'
        '<table class="plain text"><thead><tr><th scope="col">Topic</th><th scope="col">Steps</th>'
        f'<th scope="col">Students</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _sheet(shown: Shown, plan: Plan) -> tuple[str, str]:
    """Its topic and its steps."""
    if plan.training is None:
        return "the same sheet again", shown.steps(plan.weak)
    return escape(plan.training.topic.replace("_", "-")), shown.steps(plan.training.steps)
