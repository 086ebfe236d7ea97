"""The tables of a live class. Answers are only ever added; marks and mistakes can always be derived again."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 1  # of these tables; a database of another version is refused

METADATA = MetaData()
Serial = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up in an INTEGER alone


def _whose() -> Column[int]:
    return Column("learner", Serial, ForeignKey("learner.id"), nullable=False)


CLASS_TABLE = Table(  # one row
    "class",
    METADATA,
    Column("version", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("state", Text, nullable=False),  # JSON: the teacher's decisions
)
LEARNER_TABLE = Table(
    "learner",
    METADATA,
    Column("id", Serial, primary_key=True),
    Column("nick", Text, nullable=False),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False),
    Column("code", Text, nullable=False),  # the code they came with
    Column("at", Double, nullable=False),  # seconds since 1970, here and below
    sqlite_autoincrement=True,  # no learner gets the number of a forgotten one
)
SEAT_TABLE = Table(  # which learner works on which sheet
    "seat", METADATA, Column("code", Text, primary_key=True), _whose()
)
ANSWER_TABLE = Table(
    "answer",
    METADATA,
    Column("seq", Serial, primary_key=True),
    _whose(),
    Column("code", Text, nullable=False),
    Column("n", BigInteger, nullable=False),  # the page's own number of the answer
    Column("step", Text, nullable=False),
    Column("row", Integer, nullable=False),  # counted from 0
    Column("column", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    UniqueConstraint("learner", "n"),
)
HINT_TABLE = Table(
    "hint",
    METADATA,
    Column("seq", Serial, primary_key=True),
    _whose(),
    Column("code", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("level", Integer, nullable=False),
    Column("at", Double, nullable=False),
    UniqueConstraint("learner", "code", "step", "level"),
)
MARK_TABLE = Table(
    "mark",
    METADATA,
    _whose(),
    Column("code", Text, nullable=False),
    Column("upto", Integer, nullable=False),  # the number of answers that are marked
    Column("json", Text, nullable=False),
    UniqueConstraint("learner", "code"),
)
FOUND_TABLE = Table(
    "found",
    METADATA,
    _whose(),
    Column("code", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("mistake", Text, nullable=False),
)
