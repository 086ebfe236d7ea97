"""A training as text, as a widget and as a page: the falling loss, and the sheet after each step."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from handcalc.foundation import extras, lazy_rooms
from handcalc.foundation.atomic_files import write_whole
from handcalc.foundation.errors import HandcalcError
from handcalc.notation import packed_numbers
from handcalc.notation.accepted_types import Convention
from handcalc.notation.numbers import show_of
from handcalc.record.equations import typeset_equation
from handcalc.views import saved_page
from handcalc.views.atlas import atlas_outline
from handcalc.views.pictures import loss_pictures

if TYPE_CHECKING:
    from handcalc.gradients import Training

MAX_TOLD = 6  # losses that are all written
MAX_WEIGHTS_ON_PAGE = 2_000_000  # numbers of all weights on one page: 16 MB at most


def training_text(training: Training) -> str:
    """A training in text: the givens that learned, the steps, and the losses, shortened if there are many."""
    found = [show_of((1, 1), loss) for loss in training.losses]
    told = found if len(found) <= MAX_TOLD else [*found[:3], "…", found[-1]]
    names = (
        training.of
        if len(training.of) <= MAX_TOLD
        else [*training.of[:MAX_TOLD], f"{len(training.of) - MAX_TOLD} more"]
    )
    line = f"Training of {', '.join(names)}, {_steps(training)}: {training.loss} = {' → '.join(told)}"
    return "\n".join(filter(None, [line, training.note]))


def _steps(training: Training) -> str:
    done = len(training.losses) - 1
    return f"{done} step{'s' * (done != 1)} of {training.rate:g}"


def loss_html(training: Training) -> str:
    """The picture of the loss, for where no widget can be."""
    return str(training.figure()._repr_html_())


def notebook_view(training: Training) -> Any:
    """The notebook's view: the widget, or the picture alone for a large calculation or without widgets."""
    if atlas_outline.opens_by_block(training.calculation) or not extras.has_extra("notebook"):
        return {"text/plain": training_text(training), "text/html": loss_html(training)}
    return lazy_rooms.view("explorer_widget").TrainingExplorer(training)._repr_mimebundle_()


def save_training_html(training: Training, path: str | PathLike[str], **options: Any) -> None:
    """Write the page of a training; options are those of `training_page`."""
    write_whole(path, training_page(training, **options))


def training_page(
    training: Training, *, convention: Convention | None = None, places: int = 2, watch: str = ""
) -> str:
    """The page of a training: the falling loss, and the sheet after each step behind a slider."""
    check_size(training)
    shown = training.in_convention(convention or training.calculation.convention)
    return saved_page.page_html(shown.calculation, places=places, watch=watch, training=training_spec(shown))


def check_size(training: Training) -> None:
    """Raise HandcalcError for a calculation whose steps are too many numbers for a page."""
    if atlas_outline.opens_by_block(training.calculation):
        raise HandcalcError(
            "This calculation is too large for a page of its steps; training.figure() draws the loss, and "
            "training.sheets[k].save_html(path) writes the sheet after k steps."
        )


def training_spec(training: Training) -> dict[str, Any]:
    """The losses, and the weights after every step, or after as many as a page can carry, evenly spread."""
    size = sum(values.size for values in training.weights[0].values())
    kept = _spread(len(training.weights), max(2, MAX_WEIGHTS_ON_PAGE // max(1, size)))
    of = ", ".join(typeset_equation(training.calculation[name])["name"] for name in training.of[:MAX_TOLD])
    of += " and more" * (len(training.of) > MAX_TOLD)
    return {
        "title": f"Each step is {training.rate:g} times the slope of {of}, downhill.",
        "note": training.note,
        "alt": loss_pictures.losses(training).alt,
        "loss": typeset_equation(training.calculation[training.loss])["name"],
        "losses": training.losses,
        "steps": kept,
        "weights": {
            name: {
                "shape": list(values.shape),
                "values": [packed_numbers.pack_numbers(training.weights[k][name]) for k in kept],
            }
            for name, values in training.weights[0].items()
        },
    }


def _spread(count: int, most: int) -> list[int]:
    """The places from 0 to count − 1, or as many of them as there may be, with the first and the last."""
    if count <= most:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})
