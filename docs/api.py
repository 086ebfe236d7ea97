"""Write docs/api/ from the public docstrings, a page for each room: `.venv/bin/python docs/api.py`."""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ForwardRef

import handcalc as hc

FOLDER = Path(__file__).with_suffix("")
PACKAGE = Path(inspect.getfile(hc)).parent
WIDTH = 100  # of a signature in one line
INDEX = """\
# What `import handcalc as hc` gives you

Every public name, by room; [docs/architecture.md](../architecture.md) says what the rooms are. A matrix is a
`Matrix`, an array or a list of lists; its shape stands in brackets, rows first: (d_model, n) has a column for
each of n tokens. Whatever is wrong is a `HandcalcError` of one sentence. Examples are run by the tests.
`.venv/bin/python docs/api.py` writes these pages from the docstrings.
"""


def public(module: ModuleType = hc, path: str = "hc.") -> Iterator[tuple[str, Any]]:
    """Every public function and class by the name that people type."""
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.ismodule(thing):
            yield from public(thing, f"{path}{name}.")
        elif inspect.isclass(thing) or inspect.isroutine(thing):
            yield f"{path}{name}", thing


def rooms() -> dict[str, list[tuple[str, Any]]]:
    """The public names of each room of handcalc/."""
    found: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for name, thing in sorted(public(), key=lambda one: (one[0].count("."), one[0].lower())):
        found[thing.__module__.split(".")[1]].append((name, thing))
    return dict(sorted(found.items()))


def pages() -> dict[Path, str]:
    """All pages by their file."""
    written = {FOLDER / f"{room}.md": _page(room, things) for room, things in rooms().items()}
    return {FOLDER / "README.md": _index()} | written


def _index() -> str:
    parts = [INDEX]
    for room, things in rooms().items():
        parts.append(f"\n## [{room}]({room}.md)\n\n{_about(room)}| name | what it is |\n|---|---|\n")
        parts += [f"| [`{name}`]({room}.md#{_anchor(name)}) | {_in_row(thing)} |\n" for name, thing in things]
    return "".join(parts)


def _page(room: str, things: list[tuple[str, Any]]) -> str:
    sections = [section for name, thing in things for section in _described(name, thing)]
    return re.sub(r"\n{2,}", "\n\n", f"# {room}\n\n{_about(room)}" + "\n".join(sections)).rstrip() + "\n"


def _about(room: str) -> str:
    """The first sentence of the room's own docstring."""
    told = import_module(f"handcalc.{room}").__doc__ or ""
    return f"{told.partition(chr(10))[0]}\n\n" if told else ""


def _described(name: str, thing: Any) -> Iterator[str]:
    source = Path(inspect.getsourcefile(inspect.unwrap(thing)) or "").relative_to(PACKAGE.parent)
    yield f"## {name}\n\n{_called(name, thing)}{_text(thing)}[{source}](../../{source})\n"
    if inspect.isclass(thing):
        for called, member in _members(thing):
            yield f"### {called}\n\n{_called(called, member)}{_text(member)}"


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """What a class offers by name, its own and what it has from other classes of handcalc."""
    seen = {"__init__"}
    for one in kind.__mro__:
        for name, member in vars(one).items() if one.__module__.startswith("handcalc.") else ():
            function = getattr(member, "__func__", member)
            if not (name.startswith("_") or name in seen) and (
                _is_value(member) or inspect.isfunction(function)
            ):
                yield f"{kind.__name__}.{name}", function
            seen.add(name)


def _is_value(member: Any) -> bool:
    """Whether it is read without brackets."""
    return isinstance(member, property) or hasattr(member, "func")


def _called(name: str, thing: Any) -> str:
    """How it is called, as code."""
    if _is_value(thing):
        return ""
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return ""
    signature = inspect.signature(thing)
    told = [
        _parameter(one) for one in signature.parameters.values() if one.name not in ("self", "cls", "_cls")
    ]
    gives = "" if inspect.isclass(thing) else f" -> {_type(signature.return_annotation)}"
    told = _with_marks(signature, told)
    line = f"{name}({', '.join(told)}){gives}"
    if len(line) > WIDTH:
        line = "\n    ".join([f"{name}(", *(f"{one}," for one in told)]) + f"\n){gives}"
    return f"```python\n{line}\n```\n\n"


def _with_marks(signature: inspect.Signature, told: list[str]) -> list[str]:
    """The parameters with a `*` before those that are given by name alone."""
    kinds = [one.kind for one in signature.parameters.values() if one.name not in ("self", "cls", "_cls")]
    named = inspect.Parameter.KEYWORD_ONLY
    if named not in kinds or inspect.Parameter.VAR_POSITIONAL in kinds:
        return told
    return [*told[: kinds.index(named)], "*", *told[kinds.index(named) :]]


def _parameter(one: inspect.Parameter) -> str:
    star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    kind = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
    if one.default is one.empty:
        return f"{star}{one.name}{kind}"
    default = one.default.__name__ if inspect.isroutine(one.default) else repr(one.default)
    return f"{star}{one.name}{kind} = {default}"


def _type(annotation: Any) -> str:
    told = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
    return told if isinstance(told, str) else inspect.formatannotation(told)


def _text(thing: Any) -> str:
    """Its docstring: examples as code, all else as text."""
    paragraphs = inspect.cleandoc(thing.__doc__ or "").split("\n\n")
    return "".join(f"{_paragraph(one)}\n\n" for one in paragraphs if one)


def _paragraph(text: str) -> str:
    return f"```pycon\n{text}\n```" if text.startswith(">>> ") else _plain(text)


def _plain(text: str) -> str:
    """Without tags: <end> is a word here."""
    return "".join(
        part if part.startswith("`") else part.replace("<", "&lt;") for part in re.split("(`[^`]*`)", text)
    )


def _in_row(thing: Any) -> str:
    first = _plain(inspect.cleandoc(thing.__doc__ or "").partition("\n\n")[0])
    return first.replace("\n", " ").replace("|", "\\|")


def _anchor(name: str) -> str:
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for stale in set(FOLDER.iterdir()) - set(pages()):
        stale.unlink()
    for path, text in pages().items():
        path.write_text(text, "utf-8")
