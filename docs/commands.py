"""Write docs/commands.md from the parser of the `handcalc` command: `.venv/bin/python docs/commands.py`."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from handcalc.cli import make_parser

PAGE = Path(__file__).with_suffix(".md")
HEAD = """\
# Commands

What `handcalc COMMAND --help` shows, for every command. Bad input gets one sentence and exit code 2.
`.venv/bin/python docs/commands.py` writes this page.
"""


def text() -> str:
    """The page as it should be."""
    return HEAD + "".join(_sections(make_parser(), "handcalc"))


def _sections(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    """A section for each command, and for those below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            abouts = {choice.dest: choice.help for choice in action._choices_actions}
            for word, child in action.choices.items():
                if not any(isinstance(one, argparse._SubParsersAction) for one in child._actions):
                    yield _section(child, f"{name} {word}", abouts[word] or "")
                yield from _sections(child, f"{name} {word}")


def _section(parser: argparse.ArgumentParser, name: str, about: str) -> str:
    rows = [_row(action) for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    table = "".join(["\n| argument | what it is |\n|---|---|\n", *rows]) if rows else ""
    return f"\n## {name}\n\n{about[:1].upper()}{about[1:]}.\n{table}"


def _row(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    shown = f"{', '.join(action.option_strings)}{value}" if action.option_strings else _place(action)
    return f"| `{shown}` | {(action.help or '').replace('|', chr(92) + '|')} |\n"


def _place(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest).upper()
    return {"*": f"[{name} ...]", "?": f"[{name}]"}.get(str(action.nargs), name)


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8", newline="\n")
