"""The Makefile's commands: the workbook opens for everybody, whoever one is and with or without a screen."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
COMMANDS = re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"))

pytestmark = pytest.mark.skipif(
    not shutil.which("make") or sys.platform == "win32", reason="the Makefile needs make and a Unix shell"
)


def pretend(folder: Path, **programs: str) -> None:
    """Programs of these names that print these words."""
    for name, words in programs.items():
        (folder / name).write_text(f"#!/bin/sh\necho {words}\n", "utf-8")
        (folder / name).chmod(0o755)


def without_screen(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SCREENS} | more


def lab_command(folder: Path, user: str, system: str = "Linux", **screen: str) -> list[str]:
    """What `make lab` would run for this user of this system."""
    pretend(folder, id=user, uname=system)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    command = ["make", "--dry-run", "--always-make", "lab"]
    environment = without_screen(PATH=path, **screen)
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    joined = run.stdout.replace("\\\n", " ")
    return next(line for line in joined.splitlines() if "-m jupyterlab" in line).split()


def test_root_is_allowed_and_nobody_else_needs_it(tmp_path):
    assert "--allow-root" in lab_command(tmp_path, "0")
    assert "--allow-root" not in lab_command(tmp_path, "1000")


@pytest.mark.parametrize("screen", SCREENS)
def test_a_browser_is_opened_where_there_is_a_screen_only(tmp_path, screen):
    assert "--no-browser" in lab_command(tmp_path, "1000")
    assert "--no-browser" not in lab_command(tmp_path, "1000", **{screen: ":0"})
    assert "--no-browser" not in lab_command(tmp_path, "1000", "Darwin")


def test_make_alone_lists_every_command_once():
    run = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.findall(r"(?m)^  make (\S+)", run.stdout) == COMMANDS
