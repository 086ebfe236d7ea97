"""A script that stands outside the package, such as docs/api.py, as a module."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[3]


def script(path: str) -> ModuleType:
    name = path.replace("/", "_").removesuffix(".py")
    found = importlib.util.spec_from_file_location(name, ROOT / path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module
