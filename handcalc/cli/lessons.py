"""`handcalc lessons`: the course in a folder; `handcalc check`: what works on this computer."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from handcalc.cli.arguments import Command, flag, option
from handcalc.course import workbook
from handcalc.foundation import extras
from handcalc.foundation.atomic_files import read_path
from handcalc.foundation.errors import listed, many

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
KINDS = {"notebooks": "notebook", "templates": "template", "docs": "page"}


def write_lessons(options: argparse.Namespace) -> Iterator[str]:
    """Write the lessons, and open them."""
    if options.open:
        extras.needed("jupyterlab", "lab")
    folder = read_path(options.folder)
    done = workbook.write_course(folder)
    yield f"{folder}: {_counted(done.written)} written." if done.written else f"{folder} is up to date."
    if done.changed:
        yield f"You have changed {listed(done.changed)}; your version stays."
    if options.open:
        _open_lab(folder)
    else:
        yield f"Open {folder / workbook.START} in JupyterLab, VS Code or any other notebook."


def _counted(names: list[str]) -> str:
    counts = {kind: sum(name.startswith(top) for name in names) for top, kind in KINDS.items()}
    return listed([many(count, kind) for kind, count in counts.items() if count])


def _open_lab(folder: Path) -> None:
    """Run JupyterLab on the first lesson, until Ctrl-C."""
    command = [sys.executable, "-m", "jupyterlab", "--ip=127.0.0.1"]
    command += [
        f"--ServerApp.root_dir={folder.absolute()}",
        f"--LabApp.default_url=/lab/tree/{workbook.START}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container one is root, which Jupyter refuses
        command.append("--allow-root")
    if sys.platform == "linux" and not any(map(os.environ.get, SCREENS)):
        command.append("--no-browser")
    subprocess.run(command, check=False)


def check_computer(_: argparse.Namespace) -> Iterator[str]:
    """List what works on this computer, and what each missing extra would bring."""
    from handcalc.models.minilm import INSTALL
    from handcalc.models.minilm_in_notebook import is_installed
    from handcalc.views.setup_check import check_core

    yield from repr(check_core()).splitlines()[:-1]
    for name, extra in extras.EXTRAS.items():
        if extras.has_extra(name):
            yield f"ok  {extra.brings}"
        else:
            yield f"--  {extra.brings}: {extras.install(name)}"
    has_weights = is_installed()
    yield f"{'ok' if has_weights else '--'}  MiniLM's weights{'' if has_weights else f': {INSTALL}'}"


LESSON_COMMANDS = (
    Command(
        "lessons",
        write_lessons,
        "write the lessons into a folder, and open them",
        (
            option("folder", f"where to (default {workbook.FOLDER})", nargs="?", default=workbook.FOLDER),
            flag("--open", "open the first one in JupyterLab"),
        ),
    ),
    Command("check", check_computer, "say what works on this computer, and what else can be installed"),
)
