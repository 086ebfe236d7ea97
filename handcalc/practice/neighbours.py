"""What else a record has that a step could be taken for: found once, and looked up from then on."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from weakref import WeakKeyDictionary

from handcalc.calculation import Calculation
from handcalc.matrix import Matrix
from handcalc.practice.structure import is_normalization, is_product

MOST_OTHERS = 12  # products on either side whose weights could be taken for a product's own
Operand = tuple[int, tuple[int, int]]  # the first or the second of a product, and its shape


class Neighbours:
    """Products with weights of the same shape, and sums that something is divided by."""

    def __init__(self, calculation: Calculation) -> None:
        record = calculation.record
        self._divisors = {m.inputs[1] for m in record if is_normalization(m)}
        self._products = [m for m in record if m.name and is_product(m)]
        self._place = {m: place for place, m in enumerate(self._products)}
        self._alike: defaultdict[Operand, list[int]] = defaultdict(list)
        for product, place in self._place.items():
            for operand in _given_operands(product):
                self._alike[operand].append(place)

    def is_divisor(self, sums: Matrix) -> bool:
        """Whether what was added up is then divided by its sum, as in softmax."""
        return sums in self._divisors

    def place(self, product: Matrix) -> int:
        """Where a product with a name stands among them."""
        return self._place[product]

    def others(self, product: Matrix) -> list[Matrix]:
        """The nearest products that read a given of the shape of one that this product reads, in order."""
        place = self._place.get(product)
        if place is None:
            return []
        found: set[int] = set()
        for operand in _given_operands(product):
            alike = self._alike[operand]
            middle = bisect(alike, place)
            found |= {*alike[max(0, middle - MOST_OTHERS) : middle + MOST_OTHERS]}
        return [self._products[other] for other in sorted(found)]


def _given_operands(product: Matrix) -> list[Operand]:
    return [(side, m.shape) for side, m in enumerate(product.inputs) if m.is_given]


_known: WeakKeyDictionary[Calculation, Neighbours] = WeakKeyDictionary()


def neighbours(calculation: Calculation) -> Neighbours:
    """Those of a calculation, which are found once."""
    found = _known.get(calculation)
    if found is None:
        found = _known[calculation] = Neighbours(calculation)
    return found
