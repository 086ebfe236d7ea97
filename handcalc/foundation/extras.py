"""The optional extras: what handcalc can do with more than numpy and matplotlib, and how to get it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError


class Extra(NamedTuple):
    """An extra: the features that it brings, and the modules that it needs."""

    brings: str
    modules: tuple[str, ...]


EXTRAS = {
    "notebook": Extra("live widgets in a notebook", ("anywidget", "ipywidgets")),
    "lab": Extra("JupyterLab, which opens the lessons", ("jupyterlab", "anywidget", "ipywidgets")),
    "class": Extra("a server, QR codes and marking for a class", ("tornado", "sqlalchemy", "segno")),
    "paper": Extra("Typst, which sets the sheets to print", ("typst",)),
    "real": Extra("a reader of trained models", ("safetensors", "tokenizers")),
    "postgresql": Extra("a driver for PostgreSQL, to store the answers of a class", ("psycopg",)),
    "xlsx": Extra("openpyxl, which reads and writes spreadsheets", ("openpyxl",)),
    "review": Extra("FSRS, which says when to practise something again", ("fsrs",)),
    "hub": Extra("JupyterHub, for a class behind its login", ("jupyterhub",)),
    "dask": Extra("Dask, for marking on many machines", ("distributed",)),
}


def needed(name: str, extra: str = "class") -> ModuleType:
    """The module of this name. Raises HandcalcError where it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise HandcalcError(f"This needs {EXTRAS[extra].brings}; install it with: {install(extra)}") from None


def install(extra: str) -> str:
    """The command that installs an extra."""
    return f'pip install "handcalc[{extra}]"'


@cache
def has_extra(extra: str) -> bool:
    """Whether all that an extra brings can be imported."""
    try:
        return all(import_module(name) for name in EXTRAS[extra].modules)
    except ModuleNotFoundError:
        return False
