"""Words written one after another: the last word goes in, the highest bar goes on, and back in."""

from __future__ import annotations

from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, kind
from handcalc.operations import Argmax
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, SMALL, TEXT, WIDTH, Page, signed_number, widest
from handcalc.views.picture import Picture

BAR_STEP, CHOICE_GAP, NUMBER = 17.0, 20.0, 26.0  # points from bar to bar; for an arrow; of a number
LEAST_BAR, LONGEST_BAR = 26.0, 90.0  # points of a whole bar
MAX_ACROSS = 4  # choices in a row


class Choice(NamedTuple):
    """A word that was chosen: among which, with which numbers, after which word."""

    after: str
    words: tuple[str, ...]
    numbers: list[float]
    chosen: int


def loop(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw every choice of a word: what went in last, a bar for each word, and where the chosen one goes.

    >>> hc.draw.loop(hc.examples.translation("house"))
    <Figure: Word by word. After “<start>”: casa 1.00; the highest is “casa”. After “casa”: ...>

    Reads each step that says which number is the highest, with its words (`hc.argmax`). Raises HandcalcError
    for a calculation that chooses none.
    """
    choices = _choices(calculation)
    page, across = Page(theme), min(len(choices), MAX_ACROSS)
    beside = max(widest(choice.words, bold=True) for choice in choices) + NUMBER + CHOICE_GAP
    bar = max(LEAST_BAR, min(LONGEST_BAR, WIDTH / across - beside))
    slot, high = beside + bar, BAR_STEP * len(choices[0].words) + 74
    for k, (after, words, numbers, chosen) in enumerate(choices):
        largest = max(1.0, *map(abs, numbers))
        unit, down = (bar / largest, BAR_STEP), len(words)
        panel = page.panel(slot * (k % across), high * (k // across), unit, largest, down)
        ink = [page.theme.chosen if i == chosen else page.theme.quiet for i in range(down)]
        left = 6 - beside + NUMBER + CHOICE_GAP
        panel.write(0, 0, "after", shift=(left, 46), ha="left", size=SMALL, ink=page.theme.quiet)
        frame = {"facecolor": "none", "edgecolor": page.theme.left, "pad": 4}
        panel.write(0, 0, after, shift=(left + 5, 26), ha="left", size=HEAD, bold=True, bbox=frame)
        panel.bars(numbers, largest=largest, ink=ink)
        for i, word in enumerate(words):
            panel.write(0, i + 0.5, word, shift=(-5, 0), ha="right", bold=i == chosen, ink=ink[i], size=TEXT)
        if k + 1 < len(choices) and (k + 1) % across:
            start, turn, end = (x * largest / bar for x in (bar + NUMBER, bar + NUMBER + 6, slot + left))
            level, y = -26 / BAR_STEP, chosen + 0.5
            panel.arrow_through([(start, y), (turn, y), (turn, level), (end, level)], page.theme.chosen, 1.3)
    told = ". ".join(
        f"After “{choice.after}”: {_told(choice)}; the highest is “{choice.words[choice.chosen]}”"
        for choice in choices
    )
    return page.finished("Word by word", f"Word by word. {told}.")


def _choices(calculation: Any) -> list[Choice]:
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"loop draws a calculation that chooses words; got {kind(calculation)}.")
    found: list[Choice] = []
    for name, step in calculation.steps.items():
        if not isinstance(step.operation, Argmax) or not step.operation.words:
            continue
        X, axis = calculation.get(f"{name.rpartition('.')[0]}.X".lstrip(".")), step.operation.axis
        fed = X is not None and (X.columns if axis == 0 else X.rows)
        numbers = step.inputs[0].values[:, -1] if axis == 0 else step.inputs[0].values[-1]
        after = found[-1].words[found[-1].chosen] if found else fed[-1] if fed else "…"
        chosen = int(step.values.ravel()[-1]) - 1
        found.append(Choice(after, step.operation.words, numbers.tolist(), chosen))
    if not found:
        raise HandcalcError("loop draws choices of words, and this calculation has none (hc.argmax).")
    return found


def _told(choice: Choice) -> str:
    told = [
        f"{name} {signed_number(number)}"
        for name, number in zip(choice.words, choice.numbers, strict=True)
        if number >= 0.005
    ]
    return ", ".join(told) or "all below 0.005"
