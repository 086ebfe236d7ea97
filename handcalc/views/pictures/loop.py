"""Words written one after another: the last word goes in, the highest bar goes on, and back in."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, kind
from handcalc.notation.numbers import Values
from handcalc.operations import Argmax
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, WIDTH, Canvas, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.attention_weights import BAR_HIGH, BAR_STEP

CHOICE_GAP = 20.0  # between two choices: an arrow runs there
LEAST_BAR, LONGEST_BAR = 26.0, 90.0  # how long a whole bar is drawn
INPUT_ROOM = 54.0  # the word that goes in, and the line below it
MAX_ACROSS = 4  # choices in a row


class Choice(NamedTuple):
    """A word that was chosen: among which, with which numbers, after which word."""

    after: str
    words: tuple[str, ...]
    numbers: Values
    chosen: int

    @property
    def word(self) -> str:
        return self.words[self.chosen]


def loop(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw every choice of a word: what went in last, a bar for each word, and where the chosen one goes.

    >>> hc.draw.loop(hc.examples.translation("house"))
    <Figure: Word by word. After “<start>”: casa 1.00; the highest is “casa”. After “casa”: ...>

    Reads each step that says which number is the highest, with its words (`hc.argmax`). Raises HandcalcError
    for a calculation that chooses none.
    """
    choices = _choices(calculation)
    word = max(text_width(word, bold=True) for choice in choices for word in choice.words) + 5
    number = text_width("0.00", SMALL) + 5
    across = min(len(choices), MAX_ACROSS)
    slot = min((WIDTH - 2 * MARGIN + CHOICE_GAP) / across, word + LONGEST_BAR + number + CHOICE_GAP)
    slot = max(slot, word + LEAST_BAR + number + CHOICE_GAP)
    whole = slot - CHOICE_GAP - word - number
    rows = [choices[k : k + across] for k in range(0, len(choices), across)]
    block = INPUT_ROOM + BAR_STEP * len(choices[0].words) + 14
    canvas = Canvas(2 * MARGIN + slot * across - CHOICE_GAP, 2 * MARGIN + block * len(rows), theme)
    for down, row in enumerate(rows):
        top = MARGIN + block * down
        for k, choice in enumerate(row):
            _bars(canvas, choice, MARGIN + slot * k, top, word, whole)
        for k, (choice, _) in enumerate(pairwise(row)):
            _back(canvas, choice, MARGIN + slot * k, top, slot)
    told = ". ".join(
        f"After “{choice.after}”: {_told(choice)}; the highest is “{choice.word}”" for choice in choices
    )
    return canvas.finished("Word by word", f"Word by word. {told}.")


def _choices(calculation: Any) -> list[Choice]:
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"loop draws a calculation that chooses words; got {kind(calculation)}.")
    found: list[Choice] = []
    for name, step in calculation.steps.items():
        if not isinstance(step.operation, Argmax) or not step.operation.words:
            continue
        X = calculation.get(f"{name.rpartition('.')[0]}.X".lstrip("."))
        fed = X is not None and (X.columns if step.operation.axis == 0 else X.rows)
        values = step.inputs[0].values
        numbers = values[:, -1] if step.operation.axis == 0 else values[-1]
        chosen = int(step.values.ravel()[-1]) - 1
        after = found[-1].word if found else fed[-1] if fed else "…"
        found.append(Choice(after, step.operation.words, numbers, chosen))
    if not found:
        raise HandcalcError("loop draws choices of words, and this calculation has none (hc.argmax).")
    return found


def _bars(canvas: Canvas, choice: Choice, x: float, top: float, word: float, whole: float) -> None:
    """The word that goes in, and below it a bar for each word that could come next."""
    inks = canvas.theme
    wide = text_width(choice.after, HEAD, bold=True) + 14
    canvas.text(x, top + SMALL, "after", size=SMALL, ink=inks.quiet)
    canvas.box(x, top + 14, wide, 21, edgecolor=inks.left, linewidth=1.2)
    canvas.text(x + 7, top + 29, choice.after, size=HEAD, bold=True)
    largest = max(1.0, float(abs(choice.numbers).max()))
    for k, (name, number) in enumerate(zip(choice.words, choice.numbers, strict=True)):
        y, is_chosen = top + INPUT_ROOM + BAR_STEP * k, k == choice.chosen
        ink = inks.chosen if is_chosen else inks.quiet
        canvas.middle(x + word - 5, y + BAR_HIGH / 2, name, size=TEXT, ha="right", ink=ink, bold=is_chosen)
        fill = canvas.tinted(float(number), largest, never_negative=number >= 0)
        length = max(whole * max(float(number), 0.0) / largest, 0.8)
        canvas.box(x + word, y, length, BAR_HIGH, facecolor=fill, edgecolor=ink)
        canvas.middle(
            x + word + length + 4, y + BAR_HIGH / 2, signed_number(number), size=SMALL, ha="left", ink=ink
        )


def _back(canvas: Canvas, choice: Choice, x: float, top: float, slot: float) -> None:
    """From the highest bar up to the next choice, into which its word goes."""
    turn, level = x + slot - CHOICE_GAP / 2 - 1, top + 24.5
    y = top + INPUT_ROOM + BAR_STEP * choice.chosen + BAR_HIGH / 2
    points = [(turn - 6, y), (turn, y), (turn, level), (x + slot, level)]
    canvas.arrow(points, canvas.theme.chosen, 1.3)


def _told(choice: Choice) -> str:
    told = [
        f"{name} {signed_number(number)}"
        for name, number in zip(choice.words, choice.numbers, strict=True)
        if number >= 0.005
    ]
    return ", ".join(told) or "all below 0.005"
