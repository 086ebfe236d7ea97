"""The blank: what a template has in the place of a number until a learner writes one."""

from __future__ import annotations


class Blank(float):
    """Not a number yet; it prints as `____`, works in lists and arrays, and adds up to nothing."""

    def __new__(cls) -> Blank:
        return super().__new__(cls, "nan")

    def __repr__(self) -> str:
        return "____"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "____"

    def __reduce__(self) -> str:
        return "____"  # the one blank there is, also in copies and files


____ = Blank()  # four underscores: IPython owns one to three
