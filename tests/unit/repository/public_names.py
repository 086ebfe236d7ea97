"""Every public name of handcalc with what it is: `softmax`, `draw.words`, `examples.heads`, `models.load`."""

import inspect
import types
from collections.abc import Iterator

import handcalc as hc


def _within(module: types.ModuleType, path: str) -> Iterator[tuple[str, object]]:
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.ismodule(thing):
            yield from _within(thing, f"{path}{name}.")
        else:
            yield f"{path}{name}", thing


ALL = dict(_within(hc, ""))
DESCRIBED = [name for name, thing in ALL.items() if inspect.isclass(thing) or inspect.isroutine(thing)]
