"""Writes the bundles: for each page one script of all the modules that it needs, minified by esbuild.

They are committed: who only uses handcalc needs no Node.js. `install` as argument only fetches esbuild.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ESBUILD = "0.25.12"
ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".venv" / "esbuild"
PACKAGE = PLACE / "node_modules" / "esbuild"
NPM_OPTIONS = (
    "--no-save",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--loglevel=error",
)
OPTIONS = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning")
FIRST_MODULES = {  # of each page, by folder
    "handcalc/views/browser": (
        "explorer_widget",
        "guess_widget",
        "practice_page",
        "practice_widget",
        "question_page",
        "saved_page",
        "sentence_widget",
    ),
    "handcalc/classroom/live/page": ("learner", "projector", "teacher"),
}
PAGES = [ROOT / folder / f"{name}.js" for folder, names in FIRST_MODULES.items() for name in names]


def is_installed() -> bool:
    """Whether Node.js is here, and esbuild in this version."""
    about = PACKAGE / "package.json"
    is_fetched = about.exists() and json.loads(about.read_text("utf-8"))["version"] == ESBUILD
    return is_fetched and shutil.which("node") is not None


def install() -> None:
    """Fetch esbuild into .venv."""
    npm = shutil.which("npm") or sys.exit("Node.js and npm are needed to write scripts, and npm is not here.")
    subprocess.run([npm, "install", *NPM_OPTIONS, "--prefix", PLACE, f"esbuild@{ESBUILD}"], check=True)


def bundle(page: Path) -> str:
    """The script of a page, from its first module on."""
    command = ["node", PACKAGE / "bin" / "esbuild", page.name, *OPTIONS]
    return subprocess.run(command, cwd=page.parent, check=True, stdout=-1, encoding="utf-8").stdout


def bundle_of(page: Path) -> Path:
    """Where the script of a page is kept."""
    return page.parent / "bundles" / page.name


def write() -> None:
    """Write all scripts where they are kept."""
    for page in PAGES:
        bundle_of(page).parent.mkdir(exist_ok=True)
        bundle_of(page).write_text(bundle(page), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if not is_installed():
        install()
    if sys.argv[1:] != ["install"]:
        write()
