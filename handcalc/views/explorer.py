"""`hc.explore` and `hc.present`: live widgets, or the saved page in a frame where none are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handcalc.foundation import extras, lazy_rooms
from handcalc.foundation.errors import HandcalcError
from handcalc.gradients import Training
from handcalc.notation.accepted_types import Convention
from handcalc.notation.validation import read_places
from handcalc.record.calculation import Calculation
from handcalc.views import saved_page, training_views
from handcalc.views.atlas import atlas_outline
from handcalc.views.framed_page import FramedPage, Opened
from handcalc.views.variants import full_address, full_number, openable

if TYPE_CHECKING:
    from handcalc.views.atlas.atlas_widget import Atlas
    from handcalc.views.explorer_widget import Explorer

FRAME_NOTE = "What you change here does not reach Python. For the live explorer:"


def explore(
    calculation: Calculation | Training,
    *,
    convention: Convention | None = None,
    places: int = 2,
    open: str = "",  # noqa: A002 - the word for it
    watch: str = "",
) -> Explorer | Atlas | FramedPage:
    """Show a calculation as a live sheet: click any number, drag any given, play it step by step.

    >>> hc.explore(hc.examples.self_attention())
    Explorer(Self-attention: X, W_Q, W_K, W_V, Q, K, V, S, S_scaled, E, E_sum, A, Z)

    `convention` is "columns" or "rows" (as the calculation has it, if left out); `places` is how many
    decimal places numbers have; `open` is what it opens with: a block, "head_1", a matrix, "head_1.Z", or
    a number counted from 1, "head_1.Z[2,1]". `watch` is the number whose change is told beside the slider,
    "Z[1,2]"; without it, it is one of the last step. Of a calculation of millions of numbers that has blocks
    the map is shown, and one block at a time; of a training the falling loss, with a slider.
    Raises HandcalcError for a sheet too large to be explored, and for what is not there.
    """
    if not extras.has_extra("notebook"):
        return _framed(calculation, convention, places, open, watch)
    if isinstance(calculation, Calculation) and atlas_outline.opens_by_block(calculation):
        shown = calculation if convention is None else calculation.in_convention(convention)
        if watch:
            raise HandcalcError(saved_page.WATCHED_IN_PARTS)
        atlas: Atlas = lazy_rooms.view("atlas.atlas_widget").Atlas(
            shown, places=read_places(places), at=full_address(shown, open)
        )
        return atlas
    if isinstance(calculation, Training):
        training_views.check_size(calculation)
        training = calculation.in_convention(convention or calculation.calculation.convention)
        return _widget(training.calculation, places, open, watch=watch, training=training)
    shown = openable(calculation, convention, "explore")
    return _widget(shown, places, open, watch=watch)


def _framed(
    calculation: Calculation | Training, convention: Convention | None, places: int, at: str, watch: str = ""
) -> FramedPage:
    """The page that `save_html` writes, for where there are no widgets."""
    told = f"{FRAME_NOTE} {extras.install('notebook')}"
    if isinstance(calculation, Training):
        page = training_views.training_page(calculation, convention=convention, places=places, watch=watch)
        return FramedPage(page, told, f"Explorer({training_views.training_text(calculation)})")
    page = saved_page.page_html(
        calculation, convention=convention, places=places, open=at, watch=watch, action="explore"
    )
    is_atlas = atlas_outline.opens_by_block(calculation)
    shown = calculation if convention is None else calculation.in_convention(convention)
    opened = None if is_atlas else Opened(shown, places, full_address(shown, at))
    return FramedPage(page, told, f"Explorer({calculation.title}: {', '.join(calculation)})", opened)


def _widget(
    shown: Calculation, places: int, at: str, mode: str = "explore", watch: str = "", training: Any = None
) -> Explorer:
    widgets = lazy_rooms.view("explorer_widget")
    kind = widgets.TrainingExplorer if training else widgets.Explorer
    place = {"at": full_address(shown, at), "watch": full_number(shown, watch)}
    widget: Explorer = kind(training or shown, places=read_places(places), mode=mode, **place)
    return widget


def present(
    calculation: Calculation,
    *,
    convention: Convention | None = None,
    places: int = 2,
    open: str = "",  # noqa: A002 - as explore has it
) -> Explorer | FramedPage:
    """Show a calculation to a class: over the whole window, one step at a time, by keys or a clicker.

    >>> hc.present(hc.examples.self_attention())
    Explorer(Self-attention: X, W_Q, W_K, W_V, Q, K, V, S, S_scaled, E, E_sum, A, Z)

    Each step asks for one of its numbers before it shows. Arguments and errors are those of `explore`; slides
    that `open` with a block begin there, those that open with a number ask for it first.
    """
    if isinstance(calculation, Calculation) and atlas_outline.opens_by_block(calculation):
        path = atlas_outline.first_path(calculation, full_address(calculation, open))
        raise HandcalcError(
            "present cannot show so many numbers at once; show one block, such as "
            f'hc.present(calculation.blocks["{path}"]).'
        )
    shown = openable(calculation, convention, "present")
    if not extras.has_extra("notebook"):
        return _framed(shown, convention, places, open)
    return _widget(shown, places, open, "present")
