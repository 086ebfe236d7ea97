"""Who hears of what has changed: the pages of each learner, and those of the teacher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Hears = Callable[[Message], None]
TEACHER = 0  # the number of no learner


class Listeners:
    """Callbacks by the number of the learner."""

    def __init__(self) -> None:
        self._callbacks: dict[int, list[Hears]] = {}

    def add(self, whom: int, callback: Hears) -> Callable[[], None]:
        """Call `callback(message)` for a learner, or for TEACHER, from now on; returns how to stop."""
        self._callbacks.setdefault(whom, []).append(callback)

        def stop() -> None:
            for callbacks in self._callbacks.values():  # a newcomer may go on as somebody else
                if callback in callbacks:
                    callbacks.remove(callback)

        return stop

    def tell(self, whom: int, message: Message) -> None:
        """Let all pages of a learner, or of the teacher, know."""
        for callback in list(self._callbacks.get(whom, ())):
            callback(message)

    def tell_learners(self, message: Message) -> None:
        """Let all learners' pages know."""
        for whom in list(self._callbacks):
            if whom != TEACHER:
                self.tell(whom, message)

    def send_away(self, whom: int, message: Message) -> None:
        """Tell the pages of a learner one last thing."""
        self.tell(whom, message)
        self._callbacks.pop(whom, None)

    def move(self, whom: int, to: int) -> None:
        """The pages of one learner are now another's."""
        self._callbacks[to] = self._callbacks.pop(whom, [])
