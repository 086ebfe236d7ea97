"""The gallery: small pictures of all examples, each opened from a file of its own when it is chosen."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path

import live_notebooks

from handcalc.course import examples
from handcalc.course.by_hand import collection
from handcalc.course.catalogue import lessons
from handcalc.record.calculation import Calculation
from handcalc.views.explorer import explore
from handcalc.views.thumbnails import STYLE, Shown, gallery_html

MOST_NUMBERS = 10_000  # of an example: a page of more takes long to come
PAGE = """# Examples

Each picture is a calculation, and each of its squares a number. Choose one to open it: click any number to
read its arithmetic, drag any given.

```{{raw}} html
<style>{style}</style>{html}
```
"""


def write(source: Path, states: Path) -> None:
    """Write the page, and for each example the file that it is opened from."""
    themes = dict(_themes())
    (source / "gallery.md").write_text(PAGE.format(style=STYLE, html=gallery_html(themes)), "utf-8")
    states.mkdir()
    for shown in [one for theme in themes.values() for one in theme]:
        state = explore(shown.calculation).get_state()
        kept = {shown.name: {"kind": live_notebooks.kind_of(state), "state": live_notebooks.shown(state)}}
        live_notebooks.write_file(states, shown.name, kept)


def _themes() -> Iterator[tuple[str, list[Shown]]]:
    found = {name: calculation for name in examples.__all__ if (calculation := _example(name))}
    for lesson in lessons().values():
        module = lesson.module("examples")
        names = [name for name in getattr(module, "__all__", ()) if name in found]
        if names:
            yield (
                f"{lesson.number} {lesson.title}",
                [_shown(name, found[name], f"{name}()") for name in names],
            )
    for theme, names in collection.themes().items():
        yield theme, [_shown(name, collection.build(name), f'by_hand("{name}")') for name in names]


def _example(name: str) -> Calculation | None:
    """An example that needs to be told nothing, if it is a calculation for a page."""
    make = getattr(examples, name)
    if not callable(make) or _needs_more(inspect.signature(make).parameters):
        return None
    made = make()
    is_small = isinstance(made, Calculation) and sum(m.values.size for m in made.values()) <= MOST_NUMBERS
    return made if is_small else None


def _needs_more(parameters: Mapping[str, inspect.Parameter]) -> bool:
    return any(one.default is one.empty for one in parameters.values())


def _shown(name: str, calculation: Calculation, call: str) -> Shown:
    return Shown(name, calculation.title, calculation, f"hc.examples.{call}")
