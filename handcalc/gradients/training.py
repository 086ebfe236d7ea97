"""Many learning steps, and the loss before and after each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from handcalc.foundation import lazy_rooms
from handcalc.foundation.errors import HandcalcError
from handcalc.gradients.gradient_record import gradients, loss_of, slope_of
from handcalc.gradients.learning_step import learning_givens, read_rate
from handcalc.notation.accepted_types import Convention
from handcalc.notation.names import has_slopes
from handcalc.notation.numbers import Values, sealed, show_of, strict_context
from handcalc.notation.validation import read_whole
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_LEARNING_STEPS = 10_000
MAX_WEIGHTS_KEPT = 10_000_000  # numbers of all weights after all steps: 80 MB
Weights = Mapping[str, Values]


class Training:
    """Learning steps: the loss before and after each one, and the sheet after any of them.

    >>> L = hc.half_squared_distance(hc.Matrix([[2]], "W") @ hc.Matrix([[3]], "x"), [[3]])
    >>> hc.train(hc.Calculation(L), rate=0.05, steps=3)
    Training of W, 3 steps of 0.05: L = 4.50 → 1.36 → 0.41 → 0.12
    """

    def __init__(
        self,
        calculation: Calculation,
        loss: str,
        *,
        rate: float,
        weights: Sequence[Weights],
        losses: Sequence[float],
    ) -> None:
        self.calculation, self.loss, self.rate = calculation, loss, rate
        self.weights, self.losses = tuple(weights), list(losses)
        self.trouble = ""  # why it ended before all steps were done

    @property
    def sheets(self) -> Sheets:
        """The calculation before the first step and after each one."""
        return Sheets(self)

    @property
    def of(self) -> tuple[str, ...]:
        """The names of the givens that learned."""
        return tuple(self.weights[0])

    @property
    def note(self) -> str:
        """One sentence if the loss did not fall, otherwise nothing."""
        first, last = (show_of((1, 1), self.losses[k]) for k in (0, -1))
        if self.trouble:
            return self.trouble
        if self.losses[-1] > self.losses[0]:
            return f"The loss has grown, from {first} to {last}: the steps are too large. Try a smaller rate."
        return ""

    def in_convention(self, convention: Convention) -> Training:
        """The same training with tokens as columns or as rows."""
        shown = self.calculation.in_convention(convention)
        if shown is self.calculation:
            return self
        turned = [{name: values.T for name, values in weights.items()} for weights in self.weights]
        found = Training(shown, self.loss, rate=self.rate, weights=turned, losses=self.losses)
        found.trouble = self.trouble
        return found

    def figure(self, *, theme: str = "light") -> Figure:
        """A picture of the loss after each step."""
        figure: Figure = lazy_rooms.view("pictures.loss_pictures").losses(self, theme=theme)
        return figure

    def save_html(self, path: str | PathLike[str], **options: object) -> None:
        """Write a page with the losses, and the sheet of every step behind a slider; it needs no network."""
        lazy_rooms.view("training_views").save_training_html(self, path, **options)

    def __repr__(self) -> str:
        return str(lazy_rooms.view("training_views").training_text(self))

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return lazy_rooms.view("training_views").notebook_view(self)


class Sheets(Sequence[Calculation]):
    """The calculation after k steps, for every k; each is made on demand."""

    def __init__(self, training: Training) -> None:
        self._training = training

    def __len__(self) -> int:
        return len(self._training.weights)

    @overload
    def __getitem__(self, k: int) -> Calculation: ...

    @overload
    def __getitem__(self, k: slice) -> Sequence[Calculation]: ...

    def __getitem__(self, k: int | slice) -> Calculation | Sequence[Calculation]:
        training = self._training
        if isinstance(k, slice):
            return [self[j] for j in range(len(self))[k]]
        if not -len(self) <= k < len(self):
            raise IndexError(f"There is no sheet {k}: they are numbered from 0 to {len(self) - 1}.")
        return training.calculation.with_givens(**training.weights[k]) if k else training.calculation

    def __repr__(self) -> str:
        return f"{len(self)} sheets of {self._training.calculation.title}"


def train(
    calculation: Calculation,
    loss: str = "L",
    *,
    of: Sequence[str] | None = None,
    rate: float = 0.001,
    steps: int = 50,
) -> Training:
    """Learn: take steps W − rate · dW for each given named in `of`, by default for all weights.

    >>> hc.train(hc.examples.backwards(), rate=0.001, steps=2)
    Training of W_Q, W_K, W_V, 2 steps of 0.001: L = 4.00 → 3.62 → 1.24

    If the calculation already has slopes from `hc.gradients`, so have the sheets. Training stops when numbers
    become too large, and `.note` says so. Raises HandcalcError for a name that is not a given, for a loss
    that is not one number, and for too many steps.
    """
    rate = read_rate(rate)
    if isinstance(calculation, Calculation) and has_slopes(calculation):
        slopes, loss = calculation, loss_of(calculation)
    else:
        slopes = gradients(calculation, loss)
    wanted = learning_givens(slopes, of)
    weights = {name: slopes[name].values for name in wanted}
    steps = _checked(steps, sum(values.size for values in weights.values()))
    run = _Run(slopes, loss, wanted)
    found, trouble = [run(weights)], ""
    kept = [weights]
    for k in range(steps):
        try:
            weights = strict_context().run(_stepped, weights, rate, found[-1].slopes)
            found.append(run(weights))
        except (FloatingPointError, HandcalcError):
            trouble = _trouble(k, rate)
            break
        kept.append(weights)
    training = Training(calculation, loss, rate=rate, weights=kept, losses=[each.loss for each in found])
    training.trouble = trouble
    return training


def _checked(steps: Any, numbers: int) -> int:
    """The number of steps, checked; HandcalcError in one plain sentence."""
    count, most = (
        read_whole(steps, "The number of steps"),
        min(MAX_LEARNING_STEPS, MAX_WEIGHTS_KEPT // max(1, numbers)),
    )
    if not 1 <= count <= most:
        raise HandcalcError(f"The number of steps is {count:,}; it must be from 1 to {most:,} here.")
    return count


def _trouble(done: int, rate: float) -> str:
    many = (
        f"After {done} step{'s' * (done != 1)} the numbers became too large to go on: "
        "each step overshot the valley further."
    )
    first = "The first step overshot the valley so far that nothing can be calculated there."
    return f"{many if done else first} Try a rate below {rate:g}."


def _stepped(weights: Weights, rate: float, slopes: Weights) -> dict[str, Values]:
    return {name: sealed(old - rate * slopes[name]) for name, old in weights.items()}


class _Found:
    """The loss and the slopes that one run found."""

    def __init__(self, loss: float, slopes: Weights) -> None:
        self.loss, self.slopes = loss, slopes


class _Run:
    """The loss and the slopes of some givens, calculated again and again: numbers alone, no record."""

    def __init__(self, slopes: Calculation, loss: str, wanted: Sequence[str]) -> None:
        self.givens = {slopes[name]: name for name in wanted}
        self.loss, self.wanted = slopes[loss], {name: slope_of(slopes, name) for name in wanted}
        self.moving = list(self._moving([self.loss, *self.wanted.values()], slopes.record))

    def _moving(self, results: Sequence[Matrix], record: Sequence[Matrix]) -> Iterator[Matrix]:
        """The matrices that the results need and that change from run to run."""
        needed = set(results)
        for matrix in reversed(record):
            if matrix in needed:
                needed.update(matrix.inputs)
        changing = set(self.givens)
        for matrix in record:
            if matrix in needed and not changing.isdisjoint(matrix.inputs):
                changing.add(matrix)
                yield matrix

    def __call__(self, weights: Weights) -> _Found:
        return strict_context().run(self._run, weights)

    def _run(self, weights: Weights) -> _Found:
        now: dict[Matrix, Values] = {given: weights[name] for given, name in self.givens.items()}
        for matrix in self.moving:
            assert matrix.operation is not None  # a given does not follow from others
            now[matrix] = matrix.operation.compute(*[now.get(m, m.values) for m in matrix.inputs])
        slopes = {name: now.get(slope, slope.values) for name, slope in self.wanted.items()}
        return _Found(float(now.get(self.loss, self.loss.values)[0, 0]), slopes)
