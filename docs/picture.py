"""Take the README's pictures of the explorer again: `.venv/bin/python docs/picture.py`."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import handcalc as hc

HERE = Path(__file__).parent
SIZE = {"width": 1180, "height": 900}


def main() -> None:
    """Save docs/explorer-light.png and docs/explorer-dark.png, with Z[2,1] chosen."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "explorer.html"
        hc.examples.self_attention().save_html(page_file)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport=SIZE, color_scheme=scheme, device_scale_factor=1.5)
            page.goto(page_file.as_uri())
            page.locator('[data-step="Z"][data-row="1"][data-column="0"]').click()
            page.mouse.move(0, 0)
            page.locator("#explorer").screenshot(path=HERE / f"explorer-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
