"""`handcalc class serve`."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.classes.command import command
from handcalc.cli.terminal import whole


def add_to(inner: Any) -> None:
    """Add the command to those of a class."""
    live = command(inner, "serve", serve, "teach live: a page for phones, and the teacher's page")
    live.add_argument("--port", type=whole, default=8737, help="where it listens (default 8737)")


def serve(options: argparse.Namespace) -> list[str]:
    """Teach a class until Ctrl-C."""
    from handcalc.classroom.live import serving

    return serving.run(options.path, options.port)
