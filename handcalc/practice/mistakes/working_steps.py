"""What is worked out on the way to a step: unnamed matrices, and steps before it that were left blank."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from functools import cached_property

from handcalc.record.matrix import Matrix

MAX_BLANK_STEPS = 60  # blank steps, the nearest: further back nobody looks for what went wrong
NO_MATRICES: frozenset[Matrix] = frozenset()


class StepParts:
    """The parts of a step, and what has to be worked out again when one of them has other numbers."""

    def __init__(self, step: Matrix, skipped: Collection[str] = ()) -> None:
        self.step = step
        self.inline = tuple(
            _homes(step, NO_MATRICES)
        )  # the step, and the unnamed matrices that it is made of
        blank = _nearest(step, skipped) if skipped else NO_MATRICES
        self.homes = _homes(step, blank) if blank else dict.fromkeys(self.inline, step)
        self._paths: dict[Matrix, list[Matrix]] = {}

    def blank(self) -> Iterator[Matrix]:
        """What leads to the step through blank ones; `homes` has the step that each is a part of."""
        own = set(self.inline)
        return (part for part in self.homes if part not in own)

    @cached_property
    def order(self) -> tuple[Matrix, ...]:
        """All parts, inputs before their readers; the step comes last."""
        found: dict[Matrix, None] = {}
        waiting = [self.step]
        while waiting:
            missing = [m for m in waiting[-1].inputs if m in self.homes and m not in found]
            if missing:
                waiting += missing
            else:
                found[waiting.pop()] = None
        return tuple(found)

    def path(self, part: Matrix) -> list[Matrix]:
        """From a part to the step: what has to be worked out again, inputs first."""
        if part is self.step:
            return []
        if part not in self._paths:
            changed, found = {part}, []
            for matrix in self.order:
                if not changed.isdisjoint(matrix.inputs):
                    changed.add(matrix)
                    found.append(matrix)
            self._paths[part] = found
        return self._paths[part]


def _homes(step: Matrix, blank: Collection[Matrix]) -> dict[Matrix, Matrix]:
    """The step and its parts, each with the step that it is a part of, in the order of the formula."""
    waiting, found = [(step, step)], {step}
    homes: dict[Matrix, Matrix] = {}
    while waiting:
        matrix, home = waiting.pop()
        homes[matrix] = home
        for source in reversed(matrix.inputs):
            if source not in found and (source in blank or _is_inline(source)):
                found.add(source)
                waiting.append((source, source if source in blank else home))
    return homes


def _nearest(step: Matrix, skipped: Collection[str]) -> set[Matrix]:
    """The blank steps from which one comes to a step past nothing that was written."""
    found: set[Matrix] = set()
    waiting, seen = deque([step]), {step}
    while waiting and len(found) < MAX_BLANK_STEPS:
        for source in waiting.popleft().inputs:
            is_blank = source.name in skipped and not source.is_idle
            if source not in seen and (is_blank or _is_inline(source)):
                seen.add(source)
                waiting.append(source)
                found |= {source} if is_blank else NO_MATRICES
    return found


def _is_inline(matrix: Matrix) -> bool:
    return matrix.operation is not None and (matrix.name is None or matrix.is_idle)
