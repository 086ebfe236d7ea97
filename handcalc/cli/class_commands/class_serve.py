"""`handcalc class serve`."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.class_commands.shared_options import add_class_command
from handcalc.cli.terminal import read_whole_number
from handcalc.foundation.errors import HandcalcError


def add_serve_command(inner: Any) -> None:
    """Add the command to those of a class."""
    live = add_class_command(
        inner, "serve", serve_live, "teach live: a page for phones, and the teacher's page"
    )
    live.add_argument(
        "--port",
        type=read_whole_number,
        default=8737,
        help="the port to listen on (default 8737; 0 takes a free one)",
    )
    live.add_argument("--lan", action="store_true", help="let phones on the same network reach it")
    live.add_argument(
        "--host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name of this computer; may be repeated",
    )
    live.add_argument(
        "--database", default="", metavar="URL", help="where answers are kept (default: class.db in CLASS)"
    )
    live.add_argument("--hub", action="store_true", help="run as a service of JupyterHub, whose users log in")
    live.add_argument(
        "--teachers",
        default="",
        metavar="NAMES",
        help="with --hub: who teaches, besides the Hub's admins; @GROUP for a group (anna,@staff)",
    )


def serve_live(options: argparse.Namespace) -> list[str]:
    """Teach a class until Ctrl-C."""
    from handcalc.foundation.extras import needed

    for name in ("tornado", "sqlalchemy", "segno"):
        needed(name)
    from handcalc.classroom.live.http import serving

    teachers = [name for name in options.teachers.replace(",", " ").split() if name]
    if teachers and not options.hub:
        raise HandcalcError("--teachers names users of a Hub; add --hub, or leave it out.")
    found = serving.ServingOptions(
        options.port, options.lan, options.host, options.database, options.hub, teachers
    )
    return serving.serve_class(options.path, found)
