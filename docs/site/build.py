"""Write the site, `make site`: the notebooks, run, and the pages of docs/, put together for Sphinx."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gallery
import live_notebooks
import nbformat
import practice
from linked_pages import FIRST, Pages

from handcalc.views import assets

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = '<p class="hc-kept"></p>'
ALL_KEPT = """## What you have done

Your guesses and what you typed in practice are kept in this browser alone. Saved, they are the file that a
notebook keeps beside it: `hc.progress()` reads it, and so does `handcalc class mark`.

<p class="hc-kept" data-all></p>
"""
MANIFEST = {
    "name": "handcalc",
    "description": "Self-attention and the transformer, calculated by hand",
    "start_url": "index.html",
    "display": "minimal-ui",
    "icons": [{"src": "_static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}
EXPORT = re.compile(r"export\s*\{([\w$]+) as default\};?\s*$")
SPHINX = ("-m", "sphinx", "--builder=html", "--quiet", "--fail-on-warning", "--keep-going", "--jobs=auto")


def address() -> str:
    """Where the repository is, https://..., or "": the one setting that further links follow from."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    return str(settings["metadata"]["hooks"]["custom"]["address"]).rstrip("/")


def put_together(pages: Pages, source: Path) -> None:
    """The pages of docs/, the gallery, scripts and styles, as Sphinx reads them."""
    static = source / "static"
    shutil.copytree(HERE / "static", static)
    shutil.copy(HERE / "conf.py", source)
    for kind in live_notebooks.KINDS:
        (static / f"{kind}.js").write_text(_classic(kind), "utf-8")
    (static / "widgets.css").write_text(assets.shut_in(assets.style()), "utf-8")
    shutil.copytree(ROOT / "docs", source / "docs", ignore=_all_but_pictures)
    gallery.write(source, static / "states")
    practice.write(source, static / "states")
    for path, place in pages.places.items():
        if path.endswith(".md"):
            (source / place).parent.mkdir(parents=True, exist_ok=True)
            (source / place).write_text(pages.markdown(path), "utf-8")


def _classic(kind: str) -> str:
    """The script of a widget as one that is no module: modules do not load from file://."""
    body, count = EXPORT.subn(r"return \1;", assets.script(kind))
    assert count == 1, f"the script {kind} ends in no export"
    return f'handcalc.kinds["{kind}"] = (() => {{\n{body}\n}})();\n'


def _all_but_pictures(_: str, names: list[str]) -> set[str]:
    return {name for name in names if Path(name).suffix not in (".png", ".svg", ".webp")}


def run_notebooks(pages: Pages, source: Path, folder: Path) -> None:
    """Run them in a folder of their own, where nobody has guessed yet."""
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns("*.jsonl", "*.py", ".*"))
    paths = sorted(folder.glob("*.ipynb"))
    with ThreadPoolExecutor(2) as pool:
        for path, notebook in zip(paths, pool.map(live_notebooks.run, paths), strict=True):
            live_notebooks.make_live(notebook, source / "static" / "states")
            known = f"notebooks/{path.name}"
            pages.relink(notebook, known)
            notebook.cells[1:1] = map(nbformat.v4.new_markdown_cell, pages.elsewhere(known))
            ending = f"{ALL_KEPT}\n{pages.contents()}" if known == FIRST else KEPT
            notebook.cells.append(nbformat.v4.new_markdown_cell(ending))
            nbformat.write(notebook, source / pages.places[known])


def write_offline(site: Path) -> None:
    """What lets a browser keep the site and install it; blocks of large models are kept once opened."""
    (site / "manifest.webmanifest").write_text(json.dumps(MANIFEST), "utf-8")
    shown = (path for path in sorted(site.rglob("*")) if path.is_file() and path.name[0] != ".")
    paths = [path for path in shown if not path.match("states/*-*.js")]
    version = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]
    names = json.dumps([path.relative_to(site).as_posix() for path in paths])
    script = (HERE / "sw.js").read_text("utf-8")
    (site / "sw.js").write_text(f'const VERSION = "{version}";\nconst FILES = {names};\n{script}', "utf-8")


def build(site: Path, work: Path) -> None:
    """All of it, into `site`; `work` is where it is put together."""
    shutil.rmtree(work, ignore_errors=True)
    source, written, pages = work / "source", work / "site", Pages(ROOT, address())
    put_together(pages, source)
    run_notebooks(pages, source, work / "notebooks")
    subprocess.run(
        [sys.executable, *SPHINX, f"--doctree-dir={work / 'doctrees'}", source, written], check=True
    )
    write_offline(written)
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(written, site)  # whole, or the one before stays


if __name__ == "__main__":
    given = [Path(name) for name in sys.argv[1:]]  # for tests: where to write it, where to put it together
    build(*(given or (ROOT / "site", ROOT / "build" / "site")))
