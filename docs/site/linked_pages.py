"""Where each page stands in the site, where its links lead, and the contents, which README's table gives."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

import nbformat

from handcalc.course.catalogue import lessons

HOME, FIRST = "index.ipynb", "notebooks/00_start_here.ipynb"
TITLED = re.compile(r'\[((?:[^\[\]]|\[[^\]]*\])*)\]\(((?!https?:|#)[^)\s]+)( "[^"]*")?\)')
LINKED = re.compile(r'href="([\w./-]+)\.ipynb"')
PICTURE = re.compile(
    r'(?s)<picture>\s*<source media="[^"]*dark\)" srcset="([^"]*)">'
    r'\s*<img src="([^"]*)" alt="([^"]*)">\s*</picture>'
)
BOTH_MODES = """```{{image}} {1}
:class: only-light
:alt: {2}
```

```{{image}} {0}
:class: only-dark
:alt: {2}
```"""
ROW = re.compile(r"(?m)^\| (.+?) \| (.*\]\(.*) \|$")
CONTENTS = "```{{toctree}}\n:hidden:\n{options}\n{entries}\n```\n"
ELSEWHERE = {  # what opens a notebook of a repository at GitHub
    "Colab": "https://colab.research.google.com/github/{repository}/blob/main/{path}",
    "Binder": "https://mybinder.org/v2/gh/{repository}/main?labpath={path}",
    "the file for JupyterLab": "https://github.com/{repository}/raw/main/{path}",
}
NESTED = {"docs/teaching.md": "teaching/*", "docs/api/README.md": "*"}


class Pages:
    """The pages of the site, by their path in the repository, which is at `address` or nobody knows where."""

    def __init__(self, root: Path, address: str) -> None:
        self.root, self.address = root, address
        self.table = {
            caption: [target for _, target, _ in TITLED.findall(links)]
            for caption, links in ROW.findall((root / "README.md").read_text("utf-8"))
        }
        named = [target for targets in self.table.values() for target in targets]
        below = [path for page in NESTED for path in root.glob(f"{page.rpartition('/')[0]}/*/*.md")]
        notebooks = [*(root / "notebooks").glob("*.ipynb")]
        found = [*named, *(path.relative_to(root).as_posix() for path in (*below, *notebooks))]
        self.places = {path: self._place(path) for path in dict.fromkeys(found)}

    def _place(self, path: str) -> str:
        return HOME if path == FIRST else path.removeprefix("notebooks/")

    def markdown(self, path: str) -> str:
        """A page of docs/ as Sphinx reads it."""
        text = PICTURE.sub(
            lambda found: BOTH_MODES.format(*found.groups()), (self.root / path).read_text("utf-8")
        )
        nested = CONTENTS.format(options=":glob:\n", entries=NESTED[path]) if path in NESTED else ""
        return f"{self.relinked(text, path)}\n{nested}"

    def relinked(self, text: str, path: str) -> str:
        """Links to pages lead to pages; to other files they lead to the repository, or are plain words."""

        def link(found: re.Match[str]) -> str:
            words, target, title = found[1], found[2], found[3] or ""
            file, mark, anchor = target.partition("#")
            linked = os.path.normpath(PurePosixPath(path).parent / file)
            if linked in self.places:
                return f"[{words}]({self._from(path, self.places[linked])}{mark}{anchor}{title})"
            if text[found.start() - 1 : found.start()] == "!":
                return found[0]
            return f"[{words}]({self.address}/blob/main/{linked}{title})" if self.address else words

        return TITLED.sub(link, text)

    def _from(self, path: str, place: str) -> str:
        return os.path.relpath(place, PurePosixPath(self.places[path]).parent)

    def relink(self, notebook: nbformat.NotebookNode, path: str) -> None:
        """The same for a notebook, what it shows included."""
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = self.relinked(cell.source, path)
            for output in cell.get("outputs", ()):
                if shown := output.get("data", {}).get("text/html"):
                    output.data["text/html"] = LINKED.sub(lambda found: self._href(found[1], path), shown)

    def _href(self, name: str, path: str) -> str:
        linked = os.path.normpath(PurePosixPath(path).parent / f"{name}.ipynb")
        return f'href="{PurePosixPath(self._from(path, self.places[linked])).with_suffix(".html")}"'

    def elsewhere(self, path: str) -> list[str]:
        """Where else a notebook can be opened, in a line; nothing while `address` is empty."""
        repository = self.address.removeprefix("https://github.com/")
        if repository == self.address:
            return []
        links = (
            f'<a href="{to.format(repository=repository, path=path)}">{name}</a>'
            for name, to in ELSEWHERE.items()
        )
        return [f'<p class="hc-open-in">With Python: {" · ".join(links)}</p>']

    def contents(self) -> str:
        """The contents of the whole site, for the page that it begins with."""
        titles = {
            one.notebook: f"{one.number} {one.title}"
            for one in lessons().values()
            if f"notebooks/{one.notebook}.ipynb" != FIRST
        }
        course = [
            *(f"{title} <{name}>" for name, title in titles.items()),
            "practice",
            "every_topic",
            "gallery",
        ]
        groups = {"The course": course} | self.table
        return "\n".join(
            CONTENTS.format(
                options=f":caption: {caption.capitalize()}\n",
                entries="\n".join(entry.removesuffix(".md") for entry in entries),
            )
            for caption, entries in groups.items()
        )
