"""`handcalc class serve`: the server from its start to Ctrl-C."""

from __future__ import annotations

import asyncio
import sys

from handcalc.classroom.folder import ClassFolder
from handcalc.classroom.live import web
from handcalc.classroom.live.room import open_room


def run(path: str, port: int) -> list[str]:
    """Serve a class until Ctrl-C; what the terminal shows in the end."""
    folder = ClassFolder(path)
    asyncio.run(_serve(folder, port))
    return ["The class is over; every answer is kept."]


async def _serve(folder: ClassFolder, port: int) -> None:
    live = web.Live(open_room(folder))
    server = await web.serve(live, port)
    bound = next(iter(server._sockets.values())).getsockname()[1]
    sys.stdout.write(
        f"Phones and laptops: http://127.0.0.1:{bound}/\n"
        f"Your own page: http://127.0.0.1:{bound}/teacher#{live.teacher}\n"
    )
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await live.room.close()
