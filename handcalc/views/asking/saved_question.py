"""A question as one HTML file: asked, answered and explained without a kernel or a network."""

from __future__ import annotations

from html import escape
from os import PathLike
from typing import Any

from handcalc.foundation.atomic_files import write_whole
from handcalc.views import assets, saved_page
from handcalc.views.explorer import Explorer
from handcalc.views.variants import variants


def save_question(
    path: str | PathLike[str], title: str, state: dict[str, Any], explorer: Explorer | None, fallback: str
) -> None:
    """Write what an `Asking` widget has; an explorer that its answer shows is live on the page, too."""
    asked = f'<script type="application/json" id="question">{saved_page.embedded(state)}</script>\n'
    page = saved_page.PAGE_TEMPLATE.format(
        title=escape(title),
        style=assets.style(*assets.SAVED_PAGE_STYLES),
        policy=saved_page.policy(),
        fallback=fallback,
        places=explorer.places if explorer else 2,
        open=f' data-at="{escape(explorer.at)}"' if explorer and explorer.at else "",
        variants=saved_page.embedded(variants(explorer.calculation) if explorer else None),
        blocks=asked,
        code=saved_page.deflated_script(),
        loader=saved_page.LOADER,
    )
    write_whole(path, page)
