"""A question as one HTML file: asked, answered and explained without a kernel or a network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from handcalc.views import saved_page
from handcalc.views.variants import variants

if TYPE_CHECKING:
    from handcalc.views.explorer_widget import Explorer
    from handcalc.views.framed_page import Opened


def question_page(
    title: str, state: dict[str, Any], explorer: Explorer | Opened | None, fallback: str
) -> str:
    """The page of what an `Asking` widget has; an explorer that its answer shows is live on it, too."""
    asked = f'<script type="application/json" id="question">{saved_page.embedded(state)}</script>\n'
    return saved_page.PAGE_TEMPLATE.format(
        title=escape(title),
        policy=saved_page.policy(),
        fallback=fallback,
        places=explorer.places if explorer else 2,
        open=f' data-at="{escape(explorer.at)}"' if explorer and explorer.at else "",
        variants=saved_page.embedded(variants(explorer.calculation) if explorer else None),
        blocks=asked,
        code=saved_page.deflated_script(),
        loader=saved_page.LOADER,
    )
