"""Listeners for changes: the pages of each learner, and those of the teacher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Callback = Callable[[Message], None]
TEACHER_NUMBER = 0  # no learner has this number


class Listeners:
    """Callbacks by the number of the learner."""

    def __init__(self, came_or_went: Callable[[int], None] = lambda _: None) -> None:
        self._callbacks: dict[int, list[Callback]] = {}
        self._came_or_went = came_or_went  # called when a page of a learner opens or closes

    def has(self, whom: int) -> bool:
        """Whether a page of a learner is open."""
        return bool(self._callbacks.get(whom))

    def add(self, whom: int, callback: Callback) -> Callable[[], None]:
        """Call `callback(message)` for a learner, or for TEACHER, from now on; returns how to stop."""
        self._callbacks.setdefault(whom, []).append(callback)
        self._came_or_went(whom)

        def stop() -> None:
            for one, callbacks in self._callbacks.items():  # a newcomer may continue as another learner
                if callback in callbacks:
                    callbacks.remove(callback)
                    self._came_or_went(one)

        return stop

    def publish(self, whom: int, message: Message) -> None:
        """Tell all pages of a learner, or of the teacher."""
        for callback in list(self._callbacks.get(whom, ())):
            callback(message)

    def publish_to_learners(self, message: Message) -> None:
        """Tell all learners' pages."""
        for whom in list(self._callbacks):
            if whom != TEACHER_NUMBER:
                self.publish(whom, message)

    def send_away(self, whom: int, message: Message) -> None:
        """Tell the pages of a learner one last thing."""
        self.publish(whom, message)
        self._callbacks.pop(whom, None)
        self._came_or_went(whom)

    def move(self, whom: int, to: int) -> None:
        """Move the pages of one learner to another."""
        self._callbacks[to] = self._callbacks.pop(whom, [])
        self._came_or_went(to)
