"""Old public names: they work for one more release, with a warning that gives the new name."""

import warnings

FUNCTIONS = {"ladder": "faded_examples", "lowered": "subtract_max", "number": "constant"}
ATTRIBUTES = {"because": "with_reason", "said": "display_name"}  # of a Matrix
STEPS = {"S_lowered": "S_shifted"}  # also in a part of a calculation: head_1.S_lowered
for _k in (1, 2, 3):  # sublayers of an encoder or decoder layer, before they were blocks
    STEPS[f"R_{_k}"] = f"add_norm_{_k}.R"
    STEPS |= {f"{name}_{_k}": f"add_norm_{_k}.norm.{name}" for name in ("N", "gamma", "beta")}


def current(old: str, names: dict[str, str]) -> str | None:
    """What an old name is called now; None for a name that never was one."""
    part, dot, last = old.rpartition(".")
    return f"{part}{dot}{names[last]}" if last in names else None


def warn(old: str, new: str, *, above: int = 2) -> None:
    """Warn about the line that is two or more calls above."""
    warnings.warn(
        f"{old} is now called {new}; the old name will be removed.", DeprecationWarning, stacklevel=above + 1
    )
