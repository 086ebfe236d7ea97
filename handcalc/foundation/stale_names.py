"""What was called otherwise once: whoever asks for an old name is told the new one, and gets nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping

PUBLIC = {"hc.ladder": "hc.faded_examples", "hc.lowered": "hc.subtract_max", "hc.number": "hc.constant"}
ATTRIBUTES = {"Matrix.because": "Matrix.with_reason", "Matrix.said": "Matrix.display_name"}
SWITCHES = {"what_if(off=…)": "what_if(ablate=…)"}
STEPS = {"S_lowered": "S_shifted"}  # alone and in a block: head_1.S_lowered
for _k in (1, 2, 3):  # sublayers of an encoder or decoder layer, before they were blocks
    STEPS[f"R_{_k}"] = f"add_norm_{_k}.R"
    STEPS |= {f"{name}_{_k}": f"add_norm_{_k}.norm.{name}" for name in ("N", "gamma", "beta")}


def sentence(old: str, names: Mapping[str, str]) -> str | None:
    """What to tell whoever asks for an old name; None for a name that never was one."""
    return f"{old} is now called {names[old]}." if old in names else None


def step_sentence(old: str, steps: Collection[str]) -> str | None:
    """What to tell whoever asks for a step by its old name, where these steps have one of the new name."""
    block, dot, name = old.rpartition(".")
    new = f"{block}{dot}{STEPS.get(name, '')}"
    found = [step for step in steps if name in STEPS and f".{step}".endswith(f".{new}")]
    return f"The step {old} is now called {found[-1]}." if found else None
