"""`handcalc class serve`."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.classes.command import command
from handcalc.cli.terminal import whole


def add_to(inner: Any) -> None:
    """Add the command to those of a class."""
    live = command(inner, "serve", serve, "teach live: a page for phones, and the teacher's page")
    live.add_argument(
        "--port", type=whole, default=8737, help="where it listens (default 8737; 0: a free one)"
    )
    live.add_argument("--lan", action="store_true", help="let phones in the same network reach it")
    live.add_argument(
        "--host", action="append", default=[], metavar="NAME", help="another name that this computer goes by"
    )
    live.add_argument(
        "--database", default="", metavar="URL", help="where answers are kept (default: class.db in CLASS)"
    )


def serve(options: argparse.Namespace) -> list[str]:
    """Teach a class until Ctrl-C."""
    from handcalc.classroom.optional import needed

    for name in ("tornado", "sqlalchemy", "segno"):
        needed(name)
    from handcalc.classroom.live import serving

    return serving.run(
        options.path, serving.Options(options.port, options.lan, options.host, options.database)
    )
