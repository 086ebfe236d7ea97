"""The widget of a training: the explorer, with a slider through the steps."""

from __future__ import annotations

from typing import Any

import traitlets

from handcalc.gradients import Training
from handcalc.notation.accepted_types import Convention
from handcalc.views import training_views
from handcalc.views.explorer_widget import Explorer
from handcalc.views.variants import full_address, full_number


class TrainingExplorer(Explorer):
    """The explorer of a training: a slider goes through its steps."""

    training: Any = traitlets.Dict().tag(sync=True)  # from `to_spec`

    def __init__(self, training: Training, **options: Any) -> None:
        self._of = training
        super().__init__(training.calculation, training=training_views.training_spec(training), **options)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {
            "text/plain": training_views.training_text(self._of),
            "text/html": training_views.loss_html(self._of),
        }, metadata

    def __repr__(self) -> str:
        return f"Explorer({training_views.training_text(self._of)})"


def open_training(
    training: Training, convention: Convention | None, places: int, at: str, watch: str = ""
) -> TrainingExplorer:
    """The widget that `hc.explore` shows for a training."""
    training_views.check_size(training)
    shown = training.in_convention(convention or training.calculation.convention)
    at = full_address(shown.calculation, at)
    watched = full_number(shown.calculation, watch)
    return TrainingExplorer(shown, places=places, at=at, watch=watched)
