"""What was called otherwise once: whoever asks for an old name is told the new one, and gets nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping

PUBLIC = {"hc.ladder": "hc.faded_examples", "hc.lowered": "hc.subtract_max", "hc.number": "hc.constant"}
PICTURES = {  # of hc.draw; what only one lesson draws is in its folder
    "hc.draw.heads": "hc.draw.head_maps",
    "hc.draw.joined": "hc.draw.concat_heads",
    "hc.draw.kept": "hc.draw.kv_cache",
    "hc.draw.orders": "hc.draw.permutations",
    "hc.draw.pairs": "hc.draw.compare_weights",
    "hc.draw.road": "hc.draw.residual_stream",
    "hc.draw.shares": "hc.draw.attention_weights",
    "hc.draw.tower": "hc.draw.stacked_heads",
    "hc.draw.valley": "hc.draw.loss_curve",
    "hc.draw.waves": "hc.draw.positional_encoding",
    "hc.draw.course": "handcalc.course.start.figures.course_map",
    "hc.draw.arrows": "handcalc.course.queries_keys_values.figures.arrows",
    "hc.draw.cosines": "handcalc.course.queries_keys_values.figures.cosines",
    "hc.draw.growth": "handcalc.course.scores_to_weights.figures.growth",
    "hc.draw.mixture": "handcalc.course.scores_to_weights.figures.mixture",
    "hc.draw.layer": "handcalc.course.whole_sheet.figures.layer",
    "hc.draw.clocks": "handcalc.course.positions.figures.clocks",
    "hc.draw.fans": "handcalc.course.heads.figures.fans",
    "hc.draw.directions": "handcalc.course.block.figures.directions",
    "hc.draw.normed": "handcalc.course.block.figures.normalisation",
    "hc.draw.one_page": "handcalc.course.gpt.figures.one_page",
    "hc.draw.chain": "handcalc.course.before_attention.figures.chain",
    "hc.draw.fading": "handcalc.course.before_attention.figures.vanishing_gradient",
    "hc.draw.score_tables": "handcalc.course.before_attention.figures.score_tables",
    "hc.draw.counts": "handcalc.course.cost.figures.counts",
    "hc.draw.lengths": "handcalc.course.cost.figures.lengths",
    "hc.draw.painted": "handcalc.course.pictures.figures.painted",
    "hc.draw.patches": "handcalc.course.pictures.figures.patch_grid",
    "hc.draw.jacobian": "handcalc.course.backwards.figures.jacobian",
    "hc.draw.way_back": "handcalc.course.backwards.figures.way_back",
}
ATTRIBUTES = {"Matrix.because": "Matrix.with_reason", "Matrix.said": "Matrix.display_name"}
SWITCHES = {"what_if(off=…)": "what_if(ablate=…)"}
STEPS = {"S_lowered": "S_shifted"}  # alone and in a block: head_1.S_lowered
for _k in (1, 2, 3):  # sublayers of an encoder or decoder layer, before they were blocks
    STEPS[f"R_{_k}"] = f"add_norm_{_k}.R"
    STEPS |= {f"{name}_{_k}": f"add_norm_{_k}.norm.{name}" for name in ("N", "gamma", "beta")}


def stale_name_sentence(old: str, names: Mapping[str, str]) -> str | None:
    """What to tell whoever asks for an old name; None for a name that never was one."""
    return f"{old} is now called {names[old]}." if old in names else None


def step_sentence(old: str, steps: Collection[str]) -> str | None:
    """What to tell whoever asks for a step by its old name, where these steps have one of the new name."""
    block, dot, name = old.rpartition(".")
    new = f"{block}{dot}{STEPS.get(name, '')}"
    found = [step for step in steps if name in STEPS and f".{step}".endswith(f".{new}")]
    return f"The step {old} is now called {found[-1]}." if found else None
