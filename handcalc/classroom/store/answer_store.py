"""The answer store of a live class: an answer is stored when `append` returns, and never changed."""

from __future__ import annotations

import json
from asyncio import to_thread, wrap_future
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Table, Update, bindparam, delete, insert, inspect, select, update
from sqlalchemy.dialects import postgresql, sqlite

from handcalc.classroom.store.database import OTHER_DATABASE, Database, DatabaseError
from handcalc.classroom.store.schema import (
    ANSWER_TABLE,
    CLASS_TABLE,
    FOUND_TABLE,
    HINT_TABLE,
    LEARNER_TABLE,
    MARK_TABLE,
    METADATA,
    SCHEMA_VERSION,
    SEAT_TABLE,
)
from handcalc.classroom.store.writer import Writer
from handcalc.foundation.errors import HandcalcError, short
from handcalc.practice.exercise.line_log import HALF_CHARACTERS

T = TypeVar("T")


class Answer(NamedTuple):
    """A text in one blank; `n` is the page's own number of it, `at` is in seconds since 1970."""

    learner: int
    code: str
    n: int
    step: str
    row: int
    column: int
    text: str
    at: float

    @property
    def content(self) -> tuple[str, str, int, int, str]:
        """The content, which must be the same whenever its n comes again."""
        return self.code, self.step, self.row, self.column, self.text


class StoredMark(NamedTuple):
    """The standing of a sheet after so many answers, and the mistakes seen in it: (step, name)."""

    learner: int
    code: str
    upto: int
    marks: Mapping[str, Any]
    seen: Sequence[tuple[str, str]]

    def row(self) -> dict[str, Any]:
        """The row as it is stored."""
        whose = {"learner": self.learner, "code": self.code}
        return {**whose, "upto": self.upto, "json": json.dumps(self.marks)}

    def mistakes(self) -> list[dict[str, Any]]:
        """The mistakes as they are stored."""
        whose = {"learner": self.learner, "code": self.code}
        return [{**whose, "step": step, "mistake": name} for step, name in self.seen]


class ReusedError(HandcalcError):
    """The n of an answer that is stored came again with something else."""


@dataclass(frozen=True)
class StoredClass:
    """All stored data of a class, in order: enough to go on after a restart."""

    state: Mapping[str, Any]
    learners: Sequence[Row[Any]]
    seats: Sequence[Row[Any]]
    answers: Sequence[Row[Any]]
    hints: Sequence[Row[Any]]
    marks: Sequence[Row[Any]]

    @property
    def heard(self) -> float:
        """The time when somebody was last heard of, 0 where nobody was."""
        rows = (*self.learners, *self.answers, *self.hints)
        return max((row.at for row in rows), default=0.0)


class AnswerStore:
    """The database of one class. Awaited methods return once their data is stored.

    Raises DatabaseError where the database cannot be used, or is of another class or version;
    one that `is_serving` refuses where another one is.
    """

    def __init__(self, address: str, title: str, *, is_serving: bool = False) -> None:
        self.address = address
        self.database = Database(address, is_serving=is_serving)
        self.title = _text(title)
        self._writer = Writer(self.database)
        try:
            self._writer.submit(self._open).result()
        except BaseException:
            self._writer.close()
            raise

    def load(self) -> StoredClass:
        """All stored data of the class."""
        kept: StoredClass = self._writer.submit(_all).result()
        return kept

    def close(self) -> None:
        """Store waiting jobs, and let go of the database."""
        self._writer.close()

    async def append(self, answers: Sequence[Answer]) -> None:
        """Store answers; one that is stored already counts as stored.

        Raises ReusedError where the n of one came before with something else; then none of them is stored.
        """
        rows = [
            one._replace(code=_text(one.code), step=_text(one.step), text=_text(one.text)) for one in answers
        ]
        if rows:
            await self._do(lambda connection: self._append(connection, rows))

    async def add_learner(
        self, nick: str, token_hash: str, state: str, code: str, sheets: Sequence[str], at: float
    ) -> int:
        """Add a learner, who works on these sheets; returns their number."""
        row = {"nick": _text(nick), "token_hash": token_hash, "state": state, "code": code, "at": at}

        def job(connection: Connection) -> int:
            connection.execute(self._new(LEARNER_TABLE), row)
            wanted = select(LEARNER_TABLE.c.id).where(LEARNER_TABLE.c.token_hash == token_hash)
            learner = int(connection.execute(wanted).scalar_one())
            _seat(connection, learner, sheets)
            return learner

        return await self._do(job)

    async def let_in(self, learner: int, sheets: Sequence[str]) -> None:
        """Let a waiting learner work on these sheets from now on."""

        def job(connection: Connection) -> None:
            connection.execute(_change(learner, {"state": "in"}))
            _seat(connection, learner, sheets)

        await self._do(job)

    async def vacate(self, learner: int) -> None:
        """Take all sheets from a learner who is sent away; their work stays stored."""

        def job(connection: Connection) -> None:
            connection.execute(_change(learner, {"state": "left"}))
            connection.execute(delete(SEAT_TABLE).where(SEAT_TABLE.c.learner == learner))

        await self._do(job)

    async def take_over(self, learner: int, newcomer: int, **values: str) -> None:
        """Give a learner a new nick, token_hash or state, and delete the newcomer who they came back as."""

        def job(connection: Connection) -> None:
            connection.execute(delete(LEARNER_TABLE).where(LEARNER_TABLE.c.id == newcomer))
            connection.execute(_change(learner, values))

        await self._do(job)

    async def change_learner(self, learner: int, **values: str) -> None:
        """Change the nick, token_hash or state of a learner."""
        await self._run(_change(learner, values))

    async def hint(self, learner: int, code: str, step: str, level: int, at: float) -> None:
        """Store that a learner asked for a hint."""
        row = {"learner": learner, "code": code, "step": step, "level": level, "at": at}
        await self._run(self._new(HINT_TABLE).values(**row))

    async def keep_marks(self, marks: Sequence[StoredMark]) -> None:
        """Store how sheets stand now, in place of how they stood."""

        def job(connection: Connection) -> None:
            here = set(connection.execute(select(LEARNER_TABLE.c.id)).scalars())  # not forgotten
            found = [one for one in marks if one.learner in here]
            whose = [{"of": one.learner, "on": one.code} for one in found]
            if not found:
                return
            for table in (MARK_TABLE, FOUND_TABLE):
                of = (table.c.learner == bindparam("of"), table.c.code == bindparam("on"))
                connection.execute(delete(table).where(*of), whose)
            connection.execute(insert(MARK_TABLE), [one.row() for one in found])
            if mistakes := [mistake for one in found for mistake in one.mistakes()]:
                connection.execute(insert(FOUND_TABLE), mistakes)

        if marks:
            await self._do(job)

    async def decide(self, state: Mapping[str, Any]) -> None:
        """Store the teacher's decisions."""
        await self._run(update(CLASS_TABLE).values(state=json.dumps(state)))

    async def forget(self, learner: int) -> None:
        """Delete a learner and all that they did; `clear_away` leaves nothing of it on the disk."""

        def job(connection: Connection) -> None:
            for table in (SEAT_TABLE, ANSWER_TABLE, HINT_TABLE, MARK_TABLE, FOUND_TABLE):
                connection.execute(delete(table).where(table.c.learner == learner))
            connection.execute(delete(LEARNER_TABLE).where(LEARNER_TABLE.c.id == learner))

        await self._do(job)

    async def clear_away(self) -> None:
        """Leave nothing of a forgotten learner on the disk.

        Raises DatabaseError where another program keeps it there.
        """
        await to_thread(self.database.clear_away, [table.name for table in METADATA.sorted_tables])

    async def _run(self, statement: Any) -> None:
        await self._do(lambda connection: connection.execute(statement))

    async def _do(self, job: Callable[[Connection], T]) -> T:
        found: T = await wrap_future(self._writer.submit(job))
        return found

    def _open(self, connection: Connection) -> None:
        """Make the tables, or check that existing ones are this class's."""
        name, about = self.database.name, None
        if inspect(connection).has_table(CLASS_TABLE.name):
            about = connection.execute(select(CLASS_TABLE.c.version, CLASS_TABLE.c.title)).first()
        if about is None:
            METADATA.create_all(connection)
            connection.execute(
                insert(CLASS_TABLE), {"version": SCHEMA_VERSION, "title": self.title, "state": "{}"}
            )
        elif about.version != SCHEMA_VERSION:
            raise DatabaseError(
                f"{name} has tables of version {about.version}, but this handcalc reads version "
                f"{SCHEMA_VERSION}; {OTHER_DATABASE}."
            )
        elif about.title != self.title:
            raise DatabaseError(
                f"{name} has the answers of {short(about.title)}, not of {short(self.title)}; "
                f"{OTHER_DATABASE}."
            )

    def _append(self, connection: Connection, answers: Sequence[Answer]) -> None:
        """Store the answers that are new; the others have to match what is stored."""
        stored = connection.execute(self._new(ANSWER_TABLE), [one._asdict() for one in answers])
        if stored.rowcount == len(answers):
            return
        for one in answers:
            kept = connection.execute(
                select(ANSWER_TABLE).where(ANSWER_TABLE.c.learner == one.learner, ANSWER_TABLE.c.n == one.n)
            ).one()
            if (kept.code, kept.step, kept.row, kept.column, kept.text) != one.content:
                raise ReusedError(
                    f"Answer {one.n} is stored as {short(kept.text)} in {kept.step}, and came again as "
                    f"{short(one.text)} in {one.step}; load the page again."
                )

    def _new(self, table: Table) -> Any:
        """The statement that inserts the rows that are not there yet."""
        kind = sqlite if self.database.is_sqlite else postgresql
        return kind.insert(table).on_conflict_do_nothing()


def _all(connection: Connection) -> StoredClass:
    state = json.loads(connection.execute(select(CLASS_TABLE.c.state)).scalar_one())
    found = [
        connection.execute(select(table).order_by(*table.primary_key)).all()
        for table in (LEARNER_TABLE, SEAT_TABLE, ANSWER_TABLE, HINT_TABLE, MARK_TABLE)
    ]
    return StoredClass(state, *found)


def _change(learner: int, values: Mapping[str, str]) -> Update:
    texts = {name: _text(value) for name, value in values.items()}
    return update(LEARNER_TABLE).where(LEARNER_TABLE.c.id == learner).values(**texts)


def _seat(connection: Connection, learner: int, sheets: Sequence[str]) -> None:
    """Give these sheets to one learner, and to nobody else any more."""
    if sheets:
        connection.execute(delete(SEAT_TABLE).where(SEAT_TABLE.c.code.in_(sheets)))
        connection.execute(insert(SEAT_TABLE), [{"code": code, "learner": learner} for code in sheets])


def _text(text: str) -> str:
    """A text that databases can hold: PostgreSQL knows no character 0, and none knows half a character."""
    return HALF_CHARACTERS.sub("\ufffd", text.replace("\0", "\ufffd"))
