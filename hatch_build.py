"""What the metadata say of where the repository is: links, and the long description with its pictures.

The address stands in pyproject.toml alone. While it is empty, README's pictures are told by their alternative
texts, and its links to files are plain words.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r'(?s)<picture>.*?<img src="([^"]*)" alt="([^"]*)">\s*</picture>')
FILE_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)([^)]*)\)")


class CustomMetadataHook(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling, for each build."""
        address = self.config["address"].rstrip("/")
        text = long_description(Path(self.root, "README.md").read_text("utf-8"), address)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = links(address)


def links(address: str) -> dict[str, str]:
    """The project's links; none while there is no address."""
    if not address:
        return {}
    files = {"Documentation": "docs/lessons.md", "Changelog": "CHANGELOG.md"}
    pages = {name: f"{address}/blob/main/{path}" for name, path in files.items()}
    return {"Homepage": address, "Source": address, "Issues": f"{address}/issues"} | pages


def long_description(readme: str, address: str) -> str:
    """README for readers outside the repository."""
    if not address:
        return FILE_LINK.sub(r"\1", PICTURE.sub(r"*\2*", readme))
    shown = PICTURE.sub(rf'<img src="{address}/raw/main/\1" alt="\2">', readme)
    return FILE_LINK.sub(rf"[\1]({address}/blob/main/\2)", shown)
