"""A live class without the web, for one test each."""

import asyncio
from contextlib import asynccontextmanager
from functools import partial

from class_files import class_of

from handcalc.classroom.live.state.live_class import open_live_class


def of_three(path):
    return class_of(path, ["Ada", "Ben", "Cyd"], "dot_product", "softmax")


@asynccontextmanager
async def open_room(made, *database):
    room = open_live_class(made, *database, processes=0)
    try:
        yield room
    finally:
        await room.close()


def opens(made, path):
    """How to open a class without answers, which go into a database of their own."""
    return partial(open_room, made, f"sqlite:///{path / 'class.db'}")


def taught(test):
    """Runs a test in a loop of its own."""

    def run(a_class):
        async def in_class():
            async with a_class() as room:
                await test(room)

        asyncio.run(in_class())

    run.__name__ = test.__name__
    return run


def code_of(room, number=1, topic="dot_product"):
    return next(one.code for one in room.folder.register if (one.number, one.topic) == (number, topic))


def right(room, code, shift=0.0):
    """Every number of a sheet as a page sends it."""
    exercise = room.folder.numbers.exercise(code)
    n = 0
    for step in exercise.blank:
        for (row, column), value in _cells(exercise.calculation[step].values):
            n += 1
            yield [n, step, row, column, f"{value + shift:.2f}"]


def _cells(values):
    return [((i, j), float(values[i, j])) for i in range(values.shape[0]) for j in range(values.shape[1])]


async def all_marked(room):
    while not room.marker.is_idle:
        await asyncio.sleep(0.005)


def seat(room, code):
    return next(one for one in room.seats.all() if one.entry.code == code)
