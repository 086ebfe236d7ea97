"""The picture in the notebook of the collection: all sheets in small, by theme."""

from __future__ import annotations

from typing import Any

from handcalc.course.by_hand import collection
from handcalc.foundation import lazy_rooms


def gallery() -> Any:
    """All 46 sheets in small; a click opens one in the explorer."""
    thumbnails, explorer = (lazy_rooms.view(name) for name in ("thumbnails", "explorer"))

    def shown(name: str) -> Any:
        return thumbnails.Shown(
            name, collection.full_name(name), collection.build(name), f'by_hand("{name}")'
        )

    themes = {theme: [*map(shown, names)] for theme, names in collection.themes().items()}
    return thumbnails.Gallery(themes, lambda name: explorer.explore(collection.build(name)))
