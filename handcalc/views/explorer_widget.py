"""The explorer: all matrices of a calculation, live in the browser; Python gets the givens that were set."""

from __future__ import annotations

from typing import Any

import traitlets

from handcalc.formulas.handout import handout
from handcalc.gradients import Training
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS
from handcalc.record.calculation import Calculation
from handcalc.views import training_views
from handcalc.views.html import sheet_html
from handcalc.views.text import sheet_text
from handcalc.views.variants import variants
from handcalc.views.widget_script import Kind, PageWidget
from handcalc.what_if.variations import order_of

ARITHMETICS = ("exact", "handout")


class Explorer(PageWidget, kind=Kind("explorer_widget")):
    """A widget that shows a calculation, explains every number and lets the givens be moved.

    Numbers are computed in the browser, from `to_spec()`. When a movement ends, the new givens reach
    Python: `calculation` is then the Calculation on the page, and can be observed.
    """

    variants: Any = traitlets.List().tag(sync=True)  # from views/variants.py
    mode = traitlets.Unicode("explore").tag(sync=True)
    givens = traitlets.Dict().tag(sync=True)  # only those that differ from the start, as it was opened
    what_if = traitlets.Dict().tag(sync=True)  # what is switched, as `calc.what_if` takes it
    convention = traitlets.Enum(TOKEN_CONVENTIONS).tag(sync=True)
    arithmetic = traitlets.Enum(ARITHMETICS, "exact").tag(sync=True)
    places = traitlets.Int(2, min=0, max=20).tag(sync=True)
    at = traitlets.Unicode().tag(sync=True)  # what is open: "head_1", "head_1.Z" or "head_1.Z[2,1]"
    watch = traitlets.Unicode().tag(sync=True)  # the number that is kept in view: "Z[2,1]"
    calculation = traitlets.Instance(Calculation, read_only=True)  # set `givens` to change it

    def __init__(self, calculation: Calculation, **options: Any) -> None:
        self._start = calculation
        super().__init__(variants=variants(calculation), convention=calculation.convention, **options)
        self.set_trait("calculation", self._on_page())

    @traitlets.validate("givens")
    def _read_givens(self, proposal: Any) -> dict[str, Any]:
        """Calculate before anything changes, so that bad givens raise and leave all as it was."""
        text = {name: asked for name, asked in self.what_if.items() if name == "text"}  # of other shapes
        moved = self._start.what_if(**text).with_givens(**proposal["value"])
        return {name: moved.givens[name].values.tolist() for name in proposal["value"]}

    @traitlets.validate("what_if")
    def _read_what_if(self, proposal: Any) -> dict[str, Any]:
        """Likewise: an impossible switch raises, and leaves all as it was."""
        asked = dict(proposal["value"])
        if "zero" in asked:
            raise traitlets.TraitError("Set a matrix of zeros in `givens`, not in `what_if`.")
        self._start.what_if(**asked)
        if "order" in asked:
            asked["order"] = {
                name: list(places) for name, places in order_of(self._start, asked["order"]).items()
            }
        return {name: "none" if state is None else state for name, state in asked.items()}

    @traitlets.observe("givens", "what_if", "convention", "arithmetic")
    def _on_change(self, _: Any) -> None:
        self.set_trait("calculation", self._on_page())

    def _on_page(self) -> Calculation:
        """The calculation on the page: the start, switched, with moved givens, in the chosen form."""
        asked = self._start.what_if(**self.what_if) if self.what_if else self._start
        moved = asked.with_givens(**self.givens) if self.givens else asked
        shown = handout(moved) if self.arithmetic == "handout" else moved
        return shown.in_convention(self.convention)

    def reset(self) -> None:
        """Put the givens back to those that the explorer was opened with, and switch everything back."""
        with self.hold_trait_notifications():
            self.givens, self.what_if = {}, {}

    def fallback(self) -> dict[str, str]:
        """The numbers."""
        told, drawn = (write(self.calculation, places=self.places) for write in (sheet_text, sheet_html))
        return {"text/plain": told, "text/html": drawn}

    def __repr__(self) -> str:
        return f"Explorer({self.calculation.title}: {', '.join(self.calculation)})"


class TrainingExplorer(Explorer):
    """The explorer of a training: a slider goes through its steps."""

    training: Any = traitlets.Dict().tag(sync=True)

    def __init__(self, training: Training, **options: Any) -> None:
        self._of = training
        super().__init__(training.calculation, training=training_views.training_spec(training), **options)

    def fallback(self) -> dict[str, str]:
        told, picture = training_views.training_text(self._of), training_views.loss_html(self._of)
        return {"text/plain": told, "text/html": picture}

    def __repr__(self) -> str:
        return f"Explorer({training_views.training_text(self._of)})"
