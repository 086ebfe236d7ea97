"""Files of your own on the command line: topics in my_topic.py, or a calculation saved as my.json."""

from __future__ import annotations

import argparse
import json
import re

from handcalc.foundation.atomic_files import read_path, short_path
from handcalc.foundation.errors import HandcalcError, listed
from handcalc.practice.topics.own_topics import read_file
from handcalc.record.calculation import Calculation

TOPIC_FILE = re.compile(r"(?P<path>.+\.(?P<kind>py|json))(?::(?P<rest>.*))?", re.IGNORECASE)
FILE_ERRORS = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


def run_own_files(options: argparse.Namespace) -> None:
    """Run the files that the teacher names, so that their topics are known."""
    for file in options.file or []:
        read_file(file)


def find_content(text: str) -> str | Calculation:
    """The content asked for: a topic by its name, also one from a file; a code; a saved calculation."""
    found = TOPIC_FILE.fullmatch(text)
    if not found:
        return text
    if found["kind"].lower() == "json":
        return _calculation(text)
    name, _, level = name_topic(text).partition(":")
    if level:
        file = short_path(read_path(found["path"]).name)
        raise HandcalcError(f"Give the level by itself here: {file}:{name} --level {level}.")
    return name


def name_topic(text: str) -> str:
    """A topic as it is called: of `my_topic.py` its one, of `my_topic.py:name:2` the rest.

    Raises HandcalcError where a file has no topic of that name, or several and none is named.
    """
    found = TOPIC_FILE.fullmatch(text)
    if not found:
        return text
    file, rest = short_path(read_path(found["path"]).name), found["rest"] or ""
    if found["kind"].lower() == "json":
        raise HandcalcError(
            f"{file} has the same numbers for everyone; a class needs a file of topics, such as my_topic.py."
        )
    names = read_file(found["path"])
    if rest.partition(":")[0].replace("-", "_") in names:
        return rest
    is_level = rest == "" or rest.lstrip("+-").isdecimal()
    if is_level and len(names) == 1:
        return f"{names[0]}:{rest}" if rest else names[0]
    there = f"the topics {listed(names)}" if len(names) > 1 else f"one topic, {names[0]}"
    raise HandcalcError(
        f"{file} has {there}; name {'one' if len(names) > 1 else 'it'}, as in {file}:{names[0]}."
    )


def _calculation(path: str) -> Calculation:
    """A calculation saved with `json.dumps(calc.to_spec())`. Raises HandcalcError for anything else."""
    try:
        return Calculation.from_spec(json.loads(read_path(path).read_text("utf-8")))
    except FileNotFoundError:
        raise HandcalcError(f"There is no file {short_path(read_path(path))}.") from None
    except HandcalcError as error:
        raise HandcalcError(f"{short_path(read_path(path))}: {error}") from None
    except FILE_ERRORS:
        raise HandcalcError(
            f"{short_path(read_path(path))} is not a calculation; save one with "
            "json.dumps(calculation.to_spec())."
        ) from None
