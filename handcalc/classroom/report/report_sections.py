"""The parts of the report in words: talks, mistakes, groups, hints, missing work."""

from __future__ import annotations

from html import escape
from pathlib import Path
from shlex import quote

import numpy as np

from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.folder.unique_draws import AskedSheet, seed_outside_class
from handcalc.classroom.insight import mistake_in_words
from handcalc.classroom.insight.class_sheets import ClassSheet
from handcalc.classroom.insight.misconceptions import MIN_STUDENTS, Misconception
from handcalc.classroom.insight.next_topics import PracticePlan, WeakSteps
from handcalc.classroom.insight.progress_grid import HintUse
from handcalc.classroom.insight.sheet_progress import FOLLOWING, read_numbers, split_numbers
from handcalc.classroom.marking.class_marks import WAITING_ENDS
from handcalc.classroom.marking.results import FileTrouble
from handcalc.classroom.report.display_names import ABSENT, UNREADABLE, ShownClass, join_html
from handcalc.foundation import atomic_files
from handcalc.foundation.errors import many
from handcalc.practice.exercise.options import SheetOptions
from handcalc.practice.topics import own_topics

MAX_GROUPS = 100
MAX_WORKED = 100  # sheets whose following numbers are worked out
SEEN_REMARK = (
    "Each was seen in the work of two or more students: their numbers are exactly what the mistake leads to. "
    "That is a reason to ask, not a proof."
)
USUAL_PLACES = SheetOptions().places


def write_talk(shown: ShownClass) -> str:
    """The students to talk to, each with the reason."""
    told = "".join(
        f'<li><b>{shown.who(one.number)}</b> <span class="kind">{one.kind}</span>'
        f"<p>{shown.prose(one.reason)}</p></li>"
        for one in shown.told.talk
    )
    return f'<ol class="talk">{told}</ol>' if told else ""


def write_waiting(shown: ShownClass) -> str:
    """Sheets without a grade until the teacher lets them count, each with the command, picked by a click."""
    told = "".join(
        f"<li><b>{shown.who(sheet.entry.number)}:</b> "
        + (f"{shown.prose(sheet.waits.partition(WAITING_ENDS)[0])}. " if shown.names else "")
        + f'To let it count: <code class="pick">handcalc class mark {escape(quote(shown.path))} '
        f"--accept {sheet.entry.code}</code></li>"
        for sheet in shown.found.sheets
        if sheet.waits
    )
    return f"<ul>{told}</ul>" if told else ""


def write_mistakes(shown: ShownClass) -> str:
    """Possible misconceptions of the class, ranked; then mistakes of single students, and slips."""
    ranked = "".join(_mistake(shown, one) for one in shown.told.mistakes)
    found = (
        f'<p class="quiet">{SEEN_REMARK}</p><ol class="mistakes">{ranked}</ol>'
        if ranked
        else "<p>No mistake was seen in the work of two or more students.</p>"
    )
    return found + _singles(shown) + _alike(shown) + _slips(shown)


def _mistake(shown: ShownClass, one: Misconception) -> str:
    steps = join_html([shown.step(place.topic, place.step) for place in one.where])
    place = one.where[0]
    others = join_html([mistake_in_words(name) for name in one.others])
    also = f" The same numbers could also come from: {shown.prose(others)}." if others else ""
    line = shown.formula(place.topic, place.step)
    why = f". {shown.prose(one.why)}" if one.why else ""
    return (
        f'<li><h3>{shown.prose(one.called)} <span class="quiet">'
        f"{many(len(one.students), 'student')}, in {steps}</span></h3>"
        f"<p>{shown.prose(one.sentence)}{also}</p>"
        f'<p class="say"><b>Say:</b> <span class="formula">{line}</span>{why}</p>'
        f'<p class="names">{shown.people(one.students)}</p></li>'
    )


def _singles(shown: ShownClass) -> str:
    told = [
        f"{shown.prose(one.called)} in {shown.step(one.where[0].topic, one.where[0].step)} "
        f"({shown.who(one.students[0])})"
        for one in shown.told.singles
    ]
    return f"<p><b>Seen once:</b> {'; '.join(told)}.</p>" if told else ""


def _alike(shown: ShownClass) -> str:
    """The wrong numbers that several students wrote, and the numbers they had there before."""
    told = ""
    for one in shown.told.alike:
        had = join_html([f"{escape(text)} ({count})" for text, count in one.before])
        told += (
            f"<li>{escape(one.written)} instead of {escape(one.right)} in {shown.step(one.topic, one.step)}: "
            f"{many(len(one.students), 'student')}, {shown.people(one.students)}"
            + (f". Before it they had {had}.</li>" if had else "</li>")
        )
    return f"<p><b>Alike, and no mistake explains them:</b></p><ul>{told}</ul>" if told else ""


def _slips(shown: ShownClass) -> str:
    told = [
        f"{shown.prose(mistake_in_words(name))} ({many(len(some), 'student')})"
        for name, some in shown.told.slips.items()
        if len(some) >= MIN_STUDENTS
    ]
    return f"<p><b>Slips, which can happen to anyone:</b> {', '.join(told)}.</p>" if told else ""


def write_following(shown: ShownClass, numbers: StoredNumbers) -> str:
    """One number of each step that follows from a slip, worked on the student's own; opened by a click."""
    following = [one for one in shown.found.sheets if one.standing and one.standing.count(FOLLOWING)]
    told = "".join(_worked_on_own(shown, one, numbers) for one in following[:MAX_WORKED])
    about = "One number of each step, worked with the student’s own numbers."
    return f'<p class="quiet">{about}</p>{told}' if told else ""


def _worked_on_own(shown: ShownClass, sheet: ClassSheet, numbers: StoredNumbers) -> str:
    exercise = numbers.exercise(sheet.entry.code)
    written = np.array(read_numbers(sheet.standing.written if sheet.standing else ""))
    if written.size != exercise.fields:
        return ""
    feedback = exercise.check(**split_numbers(written, exercise))
    lines = filter(None, map(feedback.worked_on_own, feedback.cells))
    rows = "".join(f"<li>{line.html}</li>" for line in lines)
    summary = f"<summary>{shown.who(sheet.entry.number)}</summary>"
    return f"<details>{summary}<ul>{rows}</ul></details>" if rows else ""


def write_crossing(shown: ShownClass) -> str:
    """Mistake × step: with how many students each was seen in each step."""
    found = [*shown.told.mistakes, *shown.told.singles]
    places = [
        (grid.topic, step)
        for grid in shown.told.grids
        for step in grid.steps
        if any((place.topic, place.step) == (grid.topic, step) for one in found for place in one.where)
    ]
    head = "".join(f'<th scope="col">{shown.step(*place)}</th>' for place in places)
    rows = ""
    for one in found:
        counts = {(place.topic, place.step): len(place.students) for place in one.where}
        cells = "".join(f"<td>{counts.get(place, '')}</td>" for place in places)
        rows += f'<tr><th scope="row">{shown.prose(one.called)}</th>{cells}</tr>'
    if not rows:
        return ""
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Mistakes and steps"><table class="plain">'
        f'<thead><tr><th scope="col">Seen as</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def write_groups(shown: ShownClass) -> str:
    """The groups: who works with whom, on what."""
    told = [
        f"<li><b>{shown.prose(mistake_in_words(one.mistake))}:</b> "
        f"{join_html([shown.who(k) for k in one.students])}"
        + (f", with {shown.who(one.explainer)} to explain" if one.explainer else "")
        + "</li>"
        for one in shown.told.groups
    ]
    more = f"<li>and {len(told) - MAX_GROUPS} more groups</li>" if len(told) > MAX_GROUPS else ""
    return f"<ul>{''.join(told[:MAX_GROUPS])}{more}</ul>" if told else ""


def write_hints(shown: ShownClass) -> str:
    """The steps in which hints were asked for, and what came of it."""
    told = "".join(f"<li>{_hints(shown, one)}</li>" for one in shown.told.hints)
    return f"<ul>{told}</ul>" if told else ""


def _hints(shown: ShownClass, one: HintUse) -> str:
    asked, right = len(one.students), len(one.right_now)
    if asked == 1:
        helped = "who now has the step right" if right else "who does not have the step right yet"
    else:
        helped = f"{right or 'none'} of whom now {'have' if right > 1 else 'has'} the step right"
    return (
        f"<b>{shown.step(one.topic, one.step)}:</b> {many(one.count, 'hint')} for "
        f"{many(asked, 'student')}, {helped}."
    )


def write_missing(shown: ShownClass) -> str:
    """The students who handed in nothing, the files that had trouble, and the numbers that say little."""
    absent = shown.told.absent
    told = [f"<p><b>{ABSENT.capitalize()}</b> ({len(absent)}): {shown.people(absent)}</p>"] if absent else []
    if unread := shown.told.unread:
        who = f"<b>{UNREADABLE.capitalize()}</b> ({len(unread)}): {shown.people(unread)}"
        told.append(f"<p>{who}. Ask for these again, or mark them by hand.</p>")
    told += [
        f"<p><b>{shown.who(number)}</b> wrote the same one or two numbers everywhere in "
        f"{shown.steps(steps)}. What follows was computed from numbers that were not worked out.</p>"
        for number, steps in shown.told.even.items()
    ]
    told += _troubles(shown)
    return "".join(told)


def _troubles(shown: ShownClass) -> list[str]:
    troubles = shown.found.troubles
    if not troubles:
        return []
    if not shown.names:  # a file's name may be its student's
        return [f"<p><b>Files with trouble:</b> {len(troubles)}; the report with names says which.</p>"]
    told = "".join(f"<li>{_trouble(shown, one)}</li>" for one in troubles)
    return [f"<p><b>Files with trouble</b> ({len(troubles)}):</p><ul>{told}</ul>"]


def _trouble(shown: ShownClass, one: FileTrouble) -> str:
    """The student a file belongs to, if known, and its sentence, which often names the file itself."""
    entry = shown.register.by_code.get(one.code)
    who = f"<b>{shown.who(entry.number)}:</b> " if entry else ""
    is_named = one.source in one.sentence or atomic_files.short_path(one.source) in one.sentence
    file = "" if is_named else f"<code>{escape(one.source)}</code>: "
    return f"{who}{file}{escape(one.sentence)}"


def write_next_lesson(shown: ShownClass) -> str:
    """The weakest steps of the class with a sheet for everybody, then a sheet for each."""
    if not shown.told.plans:
        return "<p>No step needs another sheet.</p>"
    weak = "".join(_weak(shown, one) for one in shown.told.weakest)
    return (f'<ol class="weak">{weak}</ol>' if weak else "") + _each(shown)


def _weak(shown: ShownClass, one: WeakSteps) -> str:
    steps = join_html([shown.step(*place) for place in one.places])
    trained = (
        f" A sheet for everybody:<br><code>{worksheet_command(shown, one)}</code>" if one.training else ""
    )
    return f"<li><b>{steps}</b> went wrong for {many(len(one.students), 'student')}.{trained}</li>"


def worksheet_command(shown: ShownClass, weak: WeakSteps) -> str:
    """The command for fresh sheets for the whole class, which ask as the last ones did, as HTML."""
    assert weak.training
    topic, level, steps = weak.training
    rows = shown.found.records[weak.places[0].topic].convention == "rows"
    asked = AskedSheet(topic, level, SheetOptions(steps, shown.places, "rows" if rows else "columns"))
    name = topic.replace("_", "-")
    parts = [
        f"handcalc worksheet {name} --blank {','.join(steps)}",
        f"--level {level}" if level > 1 else "",
        "--rows" if rows else "",
        f"--places {shown.places}" if shown.places != USUAL_PLACES else "",
        f"--count {shown.told.students} --seed {seed_outside_class(shown.seed, asked)}",
        f"-o {quote('-'.join([shown.path, name, *steps]))}",
        *(_named(file) for file, topics in own_topics.TOPICS_OF_FILES.items() if topic in topics),
    ]
    return escape(" ".join(filter(None, parts)))


def _named(file: Path) -> str:
    """The option that names a file of the teacher's own topics, without which its topics are not known."""
    return f"--file {quote(str(file))}"


def _each(shown: ShownClass) -> str:
    """The sheet that each student needs, students who need the same one together."""
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


def _sheet(shown: ShownClass, plan: PracticePlan) -> tuple[str, str]:
    """Its topic and its steps."""
    if plan.training is None:
        return "the same sheet again", shown.steps(plan.weak)
    return escape(plan.training.topic.replace("_", "-")), shown.steps(plan.training.steps)
