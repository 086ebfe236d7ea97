"""A question as one HTML file: asked, answered and explained without a kernel or a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handcalc.views import saved_page

if TYPE_CHECKING:
    from handcalc.views.explorer_widget import Explorer
    from handcalc.views.framed_page import Opened


def question_page(
    title: str, state: dict[str, Any], explorer: Explorer | Opened | None, fallback: str
) -> str:
    """The page of what an `Asking` widget has; an explorer that its answer shows is live on it, too."""
    if explorer is None:
        frame = saved_page.frame(title, "asked", fallback, "question_page", as_it_is=True)
        return saved_page.PAGE_TEMPLATE.format(data=saved_page.data_script("question", state), **frame)
    about = {"data-places": explorer.places, "data-at": explorer.at}
    data = saved_page.data_script("question", state | {"explorer": about})
    data += saved_page.calculation_script(explorer.calculation)
    data += f'<script type="text/plain" id="later">{saved_page.deflated_script("saved_page")}</script>\n'
    frame = saved_page.frame(title, "asked", fallback, "question_page", "saved_page", as_it_is=True)
    return saved_page.PAGE_TEMPLATE.format(data=data, **frame)
