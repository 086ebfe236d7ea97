"""Messages of requests: JSON of a few known shapes; anything else gets one plain sentence."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from handcalc.classroom.live.marking.live_marks import Json
from handcalc.classroom.live.state.refusals import RefusedError
from handcalc.classroom.live.state.sheet_state import MAX_COUNTER
from handcalc.foundation.errors import kind, short

MAX_BODY_BYTES = 64_000
MAX_ANSWERS = 400  # in one request
MAX_TEXT_LETTERS = 200  # letters of a text in a blank, of a code, of a step
MAX_PLACE = 10_000  # rows and columns of a sheet
NOT_JSON = "Send JSON: Content-Type: application/json."
MAX_FACTS = 10  # the details of a decision


def read_json_body(body: bytes, content_type: str = "application/json") -> Json:
    """The JSON object of a request. Raises RefusedError for anything else."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(NOT_JSON, 415)
    if len(body) > MAX_BODY_BYTES:
        raise refuse_size(len(body))
    try:
        found = json.loads(body.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RefusedError("This is not JSON that a page of the class sends.") from None
    if not isinstance(found, dict):
        raise RefusedError(f"A request is an object with names, but this is {kind(found)}.")
    return found


def refuse_size(size: int) -> RefusedError:
    """The refusal of a body of this size."""
    sentence = (
        f"That is more than a page of the class sends: {size:,} bytes; at most {MAX_BODY_BYTES:,} are read."
    )
    return RefusedError(sentence, 413)


def read_string(body: Json, name: str, default: str | None = None, longest: int = MAX_TEXT_LETTERS) -> str:
    """A text of a request. Raises RefusedError where it is missing, no text, or too long."""
    found = body.get(name, default)
    if not isinstance(found, str):
        raise RefusedError(f"{name} is {short(found)}; it should be text.")
    return _text(name, found, longest)


def read_answers(body: Json) -> list[tuple[Any, ...]]:
    """Typed answers: [[n, step, row, column, text, at], …], rows and columns from 0; `at` may be missing."""
    found = body.get("answers")
    if not isinstance(found, list):
        raise RefusedError(f"answers is {short(found)}; it should be a list.")
    if len(found) > MAX_ANSWERS:
        raise RefusedError(f"That is {len(found)} answers; at most {MAX_ANSWERS} are read at once.", 413)
    read = [_answer(one) for one in found]
    if len({n for n, *_ in read}) < len(read):
        raise RefusedError("Two of these answers have the same number n; each has its own.")
    return read


def read_decision(body: Json) -> tuple[str, Json]:
    """The teacher's decision and its details: texts, whole numbers and lists of them, yes or no."""
    what, about = read_string(body, "do"), {name: body[name] for name in body if name != "do"}
    if len(about) > MAX_FACTS:
        raise RefusedError(f"A decision is about {MAX_FACTS} things at most, but this names {len(about)}.")
    for name, value in about.items():
        _text("A name", name)
        if isinstance(value, str):
            _text(name, value)
        elif value is not None and not isinstance(value, bool):
            for one in value[:MAX_ANSWERS] if isinstance(value, list) else [value]:
                _whole(name, one, MAX_COUNTER)
    return what, about


def _answer(one: Any) -> tuple[Any, ...]:
    if not isinstance(one, list) or len(one) not in (5, 6):
        raise RefusedError(f"An answer is [n, step, row, column, text, at], but this is {short(one)}.")
    n, step, row, column, typed, *at = one
    for name, value in (("step", step), ("text", typed)):
        if not isinstance(value, str):
            raise RefusedError(f"{name} is {short(value)}; it should be text.")
    return (
        _whole("n", n, MAX_COUNTER),
        _text("step", step),
        _whole("row", row, MAX_PLACE),
        _whole("column", column, MAX_PLACE),
        _text("text", typed),
        *(_whole("at", one, MAX_COUNTER) for one in at),
    )


def _text(name: str, found: str, longest: int = MAX_TEXT_LETTERS) -> str:
    if len(found) > longest:
        raise RefusedError(f"{name} has {len(found)} letters; at most {longest} are read.")
    if "\0" in found or any("\ud800" <= letter <= "\udfff" for letter in found):
        raise RefusedError(f"{name} has a character that cannot be stored; type it again.")
    return found


def _whole(name: str, value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise RefusedError(f"{name} is {short(value)}; it should be a whole number from 0 to {most}.")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
