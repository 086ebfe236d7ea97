"""One step of one sheet, as the teacher looks at it: what stands there, what is right, what was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handcalc.classroom.insight.sheet_progress import CLOSE, NEAR
from handcalc.notation import numbers
from handcalc.notation.expression import Cell
from handcalc.notation.sentences import Called, Sentence, html, said
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.marking.marking import half_unit
from handcalc.practice.marking.states import WRONG
from handcalc.record.equations import formula

Json = dict[str, Any]
MOST_GIVENS = 24  # numbers that a number is made of


def looked_at(exercise: Exercise, history: Sequence[raw_answers.TypedText], step: str) -> Json:
    """The texts of a step with their states, the right numbers, and the messages that the student sees."""
    raw_answers.remember_texts(exercise, history)
    marked = raw_answers.mark_texts(exercise, raw_answers.latest_texts(history))
    texts = raw_answers.latest_texts(history).get(step, {})
    matrix, feedback = exercise.calculation[step], marked.feedback
    states, answer = marked.states[step], feedback.answers[step]
    with np.errstate(invalid="ignore"):
        is_near = np.abs(answer - matrix.values) <= NEAR * half_unit(exercise.places)
    return {
        "step": step,
        "html": html(Called(step)),
        "formula": html(formula(matrix)),
        "cells": [
            [
                {
                    "text": texts.get(f"{i},{j}", ""),
                    "state": CLOSE if state == WRONG and is_near[i, j] else state,
                    "right": numbers.typeset(numbers.show(float(matrix.values[i, j]), exercise.places)),
                }
                for j, state in enumerate(row)
            ]
            for i, row in enumerate(states)
        ],
        "messages": [html(line) for line in marked.messages.get(step, [])],
        "seen": [one.name for one in feedback.mistakes if one.step == step and not one.instead],
        "instead": [one.name for one in feedback.mistakes if one.step == step and one.instead],
        "possible": [one.name for one in feedback.possible if one.step == step][:1],
    }


def explained(exercise: Exercise, step: str, row: int, column: int) -> Json:
    """The arithmetic of one number on the sheet's own numbers, for everybody to see."""
    told = exercise.calculation[step].explain(row, column, exercise.places)
    return {
        "html": told.html,
        "spoken": told.spoken,
        "formula": html(formula(exercise.calculation[step])),
        "title": exercise.calculation.title,
        "name": html(_place(told.cell)),
        "givens": [
            html(said("{} = {}", _place(cell), numbers.typeset(told.operand(cell))))
            for cell in list(dict.fromkeys(told.named))[:MOST_GIVENS]
        ],
    }


def _place(cell: Cell) -> Sentence:
    """A number's name, counted from 1."""
    return said("{}[{},{}]", Called(cell.matrix.name or ""), cell.row + 1, cell.column + 1)
