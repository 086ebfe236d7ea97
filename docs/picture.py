"""Take the README's pictures of the explorer again: `.venv/bin/python docs/picture.py`."""

from __future__ import annotations

import importlib
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import handcalc as hc

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests" / "browser"))
SIZE = {"width": 1400, "height": 940}  # the first screen of a laptop


def encoder_layer() -> hc.Calculation:
    """The worked example's tokens in a layer of two heads, with weights of one decimal place."""
    source = np.random.default_rng(3)

    def draw(rows: int, columns: int) -> np.ndarray:
        return source.integers(-9, 10, (rows, columns)) / 10

    heads = [(draw(3, 6), draw(3, 6), draw(3, 6)) for _ in range(2)]
    norm = hc.Norm(np.ones((6, 1)), np.zeros((6, 1)))
    ff = hc.FeedForward(draw(8, 6), draw(8, 1), draw(6, 8), draw(6, 1))
    X = hc.examples.self_attention()["X"]
    return hc.encoder_layer(X, heads, draw(6, 6), norm, ff, norm)


PICTURES = {
    "explorer": (hc.examples.self_attention, "Z[2,1]"),
    "blocks": (encoder_layer, "attention.head_2.A[1,1]"),
}


def main() -> None:
    """Save each picture in light and dark, with one number chosen and traced."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        program = importlib.import_module("browsers").program()
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (calculation, cell) in PICTURES.items():
            page_file = Path(folder) / f"{name}.html"
            calculation().save_html(page_file)
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport=SIZE, color_scheme=scheme, device_scale_factor=1.5)
                page.goto(f"{page_file.as_uri()}#{cell}")
                page.locator(".hc-chosen").first.wait_for()
                page.get_by_role("button", name="Trace").click()  # back to the givens, and on to the end
                page.mouse.move(0, 0)
                page.wait_for_timeout(600)  # ways are drawn when there is time
                taken = Image.open(BytesIO(page.screenshot())).convert("RGB")
                few = taken.quantize(256, dither=Image.Dither.NONE)  # colours: a third of the bytes
                few.convert("RGB").save(HERE / f"{name}-{scheme}.webp", lossless=True, quality=100)
        browser.close()


if __name__ == "__main__":
    main()
