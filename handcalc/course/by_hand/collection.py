"""The stored collection: the names of its 46 sheets by theme, their numbers, and their slips.

Names, numbers and formulas are those of ImagineAILab/ai-by-hand-excel, © 2024 Tom Yeh, MIT licence
(data/LICENSE.txt); the words about them are ours.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from handcalc.course.by_hand.parts import BUILDERS, Numbers, Sheet
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.calculation import Calculation
from handcalc.record.slips import Slip, marked

DATA = Path(__file__).parent / "data"
THEMES = {  # theme -> its sheets, module by module, by their short names
    "The workbook": {
        "exercises": (
            "w1_01_05 w1_06_10 w1_11_15 w1_16_20 w1_21_25 w2_01_05 w2_06_10 w2_11_15 w2_16_20 w2_21_25 "
            "w3_01_05 w3_06_10 w3_11_15 w3_16_20 w3_21_25"
        )
    },
    "Number by number": {"single_numbers": "softmax leaky_relu temperature_small temperature_medium"},
    "Networks": {
        "networks": (
            "mlp_small mlp_medium mlp_large resnet_small_mlp resnet_small resnet_medium_mlp resnet_medium "
            "autoencoder_small autoencoder_medium backpropagation"
        )
    },
    "Recurrence": {
        "recurrent": "rnn_small rnn_medium rnn_large lstm_small lstm_medium lstm_seq2seq",
        "scans": "xlstm_mlstm mamba_small",
    },
    "Attention": {
        "attention": (
            "self_attention_small self_attention_medium self_attention_large multi_head_3 "
            "transformer_small transformer_medium"
        ),
        "full_stack": "transformer_full",
        "alphafold": "alphafold_alg7 alphafold_alg11",
    },
}
MODULE_OF = {
    name: module for modules in THEMES.values() for module, names in modules.items() for name in names.split()
}


class Themes(dict[str, tuple[str, ...]]):
    """Theme -> the short names of its sheets; it shows itself as a list."""

    def __repr__(self) -> str:
        lines = []
        for theme, names in self.items():
            lines += [theme, *(f"  {name:22} {full_name(name)}" for name in names)]
        return "\n".join(lines)


@cache
def themes() -> Themes:
    """All sheets by theme."""
    return Themes({theme: tuple(" ".join(modules.values()).split()) for theme, modules in THEMES.items()})


@cache
def entry(name: str) -> dict[str, Any]:
    """The stored data of the sheet with this short name."""
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return found


def full_name(name: str) -> str:
    """The sheet's own name: workbook and sheet."""
    return str(entry(name)["name"])


def find_sheet(name: object) -> str:
    """The short name of the sheet that is meant. Raises HandcalcError that lists the near ones."""
    wanted = name.strip().replace("-", "_").casefold() if isinstance(name, str) else ""
    known = {one.replace("-", "_").casefold(): one for one in MODULE_OF}
    if wanted in known:
        return known[wanted]
    own = {full_name(one).replace("-", "_").casefold(): one for one in MODULE_OF}
    if wanted in own:
        return own[wanted]
    begin = wanted.partition("_")[0].partition("/")[0]
    alike = [(known | own)[one] for one in get_close_matches(wanted, known | own, 5, 0.5)]
    near = list(dict.fromkeys([one for one in MODULE_OF if begin and one.startswith(begin)] + alike))
    hint = f"the nearest: {listed(near[:6])}" if near else "hc.examples.by_hand() lists all by theme"
    raise HandcalcError(f"There is no sheet {short(name)} in the collection; {hint}.")


def build(name: str, givens: dict[str, Numbers] | None = None, *, is_published: bool = False) -> Calculation:
    """A sheet on its own numbers, or on others of the same shapes."""
    import_module(f"handcalc.course.by_hand.sheets.{MODULE_OF[name]}")
    sheet = Sheet(name, givens or entry(name)["givens"], is_published=is_published)
    title = full_name(name) + (", as published" if is_published else "")
    return Calculation(*BUILDERS[name](sheet), title=title)


def as_published(name: str) -> Calculation:
    """The sheet with its slips, each with the number that should be there."""
    right, published = build(name), build(name, is_published=True)
    slips = [Slip.of(told, right) for told in entry(name).get("slips", ())]
    return marked(published, slips)
