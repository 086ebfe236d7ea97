"""The blocks of large calculations in a notebook, each a file that its page loads when somebody opens it."""

from __future__ import annotations

import gc
import json
from pathlib import Path

from handcalc.views.atlas.atlas_outline import drawn_blocks
from handcalc.views.atlas.atlas_widget import Atlas
from handcalc.views.atlas.block_sheets import block_sheet
from handcalc.views.saved_page import ATLAS_NOTE, book

CELL = "import sys\nsys.path.append({here!r})\nimport stored_blocks\nstored_blocks.write({folder!r})"


def cell(folder: Path) -> str:
    """The code of a notebook's last cell, which writes them into a folder."""
    return CELL.format(here=str(Path(__file__).parent), folder=str(folder))


def write(folder: str) -> None:
    """Write each block without its weights, as FOLDER/MODEL.json: {path: block}; called in the kernel."""
    for atlas in [one for one in gc.get_objects() if issubclass(type(one), Atlas) and one.calculation]:
        calculation = atlas.calculation
        atlas.book, atlas.note = (
            book(calculation)["book"],
            ATLAS_NOTE,
        )  # with no kernel to ask for another map
        blocks = {
            path: block_sheet(calculation, path, has_weights=False) for path in drawn_blocks(calculation)
        }
        Path(folder, f"{atlas.model_id}.json").write_text(json.dumps(blocks), "utf-8")
