"""A database by its address: SQLite in a file, or PostgreSQL; every error is one sentence."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from handcalc.classroom.folder.folder_layout import DATABASE_FILE
from handcalc.classroom.folder.folder_lock import SERVED_ALREADY, lock_file
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.extras import needed

CREDENTIALS = re.compile("//[^/]*@")  # user and password
Job = Callable[[Connection], Any]
DATABASE_PATIENCE = 5  # seconds, for a file that another program holds, and for a server that does not answer
LOCK_SUFFIX, LOCK_KEY = ".lock", 8737  # the lock of a serving process: beside a file, and in PostgreSQL
OWN_SESSION = "select pid, backend_start from pg_stat_activity where pid = pg_backend_pid()"
END_SESSION = "select pg_terminate_backend(pid) from pg_stat_activity where pid = %s and backend_start = %s"
LOST_CONNECTION = (
    "{} is now served by another `handcalc class serve`; end one of the two, and start the other one again."
)
DATABASE_ERRORS = (DBAPIError, sqlite3.Error)
OTHER_DATABASE = "name another database with --database"
SQLITE_REASONS = {  # the beginning of SQLite's error names, their meaning, and what to do
    "SQLITE_FULL": "the disk is full; free some space",
    "SQLITE_BUSY": "another program holds it; close that program",
    "SQLITE_LOCKED": "another program holds it; close that program",
    "SQLITE_READONLY": "it is read-only; allow writing, or " + OTHER_DATABASE,
    "SQLITE_PERM": "permission was denied; allow writing, or " + OTHER_DATABASE,
    "SQLITE_CANTOPEN": "its folder is missing or read-only; allow writing, or " + OTHER_DATABASE,
    "SQLITE_NOTADB": "it is not a database; move it away, or " + OTHER_DATABASE,
    "SQLITE_CORRUPT": "it is damaged; put back a copy of it, or " + OTHER_DATABASE,
    "SQLITE_IOERR": "the disk does not work; " + OTHER_DATABASE,
}


class DatabaseError(HandcalcError):
    """The database cannot do what it should, in one sentence; nothing of it was stored."""


class Database:
    """Transactions on one connection at a time, which is made again where it was lost.

    With `is_serving`, each connection to PostgreSQL takes the lock of the class before it does anything else,
    so that no other server can begin while a lost one is made again.
    """

    def __init__(self, address: str, *, is_serving: bool = False) -> None:
        self.engine = _engine(address)
        self.url = self.engine.url
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        if is_serving and not self.is_sqlite:
            event.listen(self.engine, "connect", _Alone(self.name))

    @property
    def name(self) -> str:
        """The name in a sentence: a file, or a server without user and password."""
        if self.is_sqlite:
            return short_path(self.url.database)
        host = self.url.host or self.url.query.get("host", "this computer")
        return f"The database {self.url.database} at {host}"

    @property
    def file(self) -> Path:
        """The file itself, whatever link or address names it. Raises DatabaseError where it has other names.

        A file used under two names is damaged: SQLite keeps the latest changes in a file beside each name.
        """
        with closing(self.connected()) as connection:
            found = str(connection.exec_driver_sql("PRAGMA database_list").one()[2])
        path = Path(os.path.realpath(found))
        with suppress(OSError):  # reported when it is used
            if found and path.stat().st_nlink > 1:
                raise DatabaseError(
                    f"{self.name} is also there under another name (a hard link), and would be damaged if "
                    "both were used; move this one away, and put a copy in its place."
                )
        if not found:
            raise DatabaseError(f"{self.name} is only in memory and would be lost; {OTHER_DATABASE}.")
        return path

    def run(self, jobs: Sequence[Job]) -> list[Any]:
        """The results of all jobs, once they are committed together; a job may run twice.

        Raises DatabaseError, or what a job raises; then nothing is stored.
        """
        try:
            return self._transaction(jobs)
        except DATABASE_ERRORS as error:
            is_lost = isinstance(error, IntegrityError) or getattr(error, "connection_invalidated", False)
            if not is_lost:
                raise self._refusal(error) from error
        try:  # the connection was lost, or another process was faster
            return self._transaction(jobs)
        except DATABASE_ERRORS as error:
            raise self._refusal(error) from error

    def connected(self) -> Connection:
        """A connection without an open transaction."""
        try:
            return self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        except DATABASE_ERRORS as error:
            raise self._refusal(error) from error

    def clear_away(self, tables: Sequence[str]) -> None:
        """Leave no deleted content of these tables on the disk."""
        try:
            with self.connected() as connection:
                if not self.is_sqlite:
                    connection.exec_driver_sql(f"VACUUM FULL {', '.join(tables)}")
                elif connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]:
                    raise DatabaseError(
                        f"It is deleted, but another program has {self.name} open, and traces stay beside it "
                        "until you close that program."
                    )
        except DATABASE_ERRORS as error:
            raise self._refusal(error) from error

    def close(self) -> None:
        """Let go of the file or the server."""
        self.engine.dispose()

    def _refusal(self, error: Exception) -> DatabaseError:
        """One sentence for an error of the database."""
        cause = getattr(error, "orig", None) or error
        name = str(getattr(cause, "sqlite_errorname", ""))
        known = next((reason for begin, reason in SQLITE_REASONS.items() if name.startswith(begin)), "")
        lines = str(cause).strip().splitlines() or [type(cause).__name__]
        return DatabaseError(f"{self.name} cannot be used: {known or lines[0].rstrip('.')}.")

    def _transaction(self, jobs: Sequence[Job]) -> list[Any]:
        with self.engine.begin() as connection:
            return [job(connection) for job in jobs]


@contextmanager
def lock_database(address: str) -> Iterator[None]:
    """Keep others from serving a class from this file meanwhile, whatever their folder or name for it.

    The lock beside the file ends with its process; a server's has one of its own (see Database). Raises
    DatabaseError where the database cannot be used, HandcalcError where somebody serves a class from it.
    """
    database = Database(address)
    with closing(database):
        if not database.is_sqlite:
            yield
            return
        with lock_file(Path(f"{database.file}{LOCK_SUFFIX}"), 0.0, SERVED_ALREADY.format(database.name)):
            yield


class _Alone:
    """The lock of PostgreSQL that a connection holds for as long as it lives; for one server at a time.

    A server that lost it to another one stays refused: it does not know what the other one has stored.
    """

    def __init__(self, name: str) -> None:
        self.name, self.refused, self.last = name, "", None

    def __call__(self, connection: Any, _: Any) -> None:
        try:
            self._take(connection)
            connection.commit()  # the lock is the connection's, not the transaction's
        except BaseException:
            connection.close()
            raise

    def _take(self, connection: Any) -> None:
        if self.refused:
            raise DatabaseError(self.refused)
        if self.last:  # its end may not have reached the server
            connection.execute(END_SESSION, self.last)
        until = time.monotonic() + DATABASE_PATIENCE  # a killed server is gone by then
        while not connection.execute(f"select pg_try_advisory_lock({LOCK_KEY})").fetchone()[0]:
            if time.monotonic() > until:
                self.refused = LOST_CONNECTION.format(self.name) if self.last else ""
                raise DatabaseError(self.refused or SERVED_ALREADY.format(self.name))
            time.sleep(0.2)
        self.last = connection.execute(OWN_SESSION).fetchone()


def file_address(path: Path) -> str:
    """The address of a file for SQLite."""
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def own_address(folder: Path) -> str:
    """The address of a class's answers, unless another database is named."""
    return file_address(folder / DATABASE_FILE)


def _engine(address: str) -> Engine:
    with suppress(ArgumentError, NoSuchModuleError, ValueError):
        url = make_url(address)
        kind = url.get_backend_name()
        if kind in ("postgresql", "postgres"):
            needed("psycopg", "postgresql")
            return _pooled(url.set(drivername="postgresql+psycopg"), connect_timeout=DATABASE_PATIENCE)
        if kind == "sqlite" and url.database not in (None, "", ":memory:"):
            _make_ours(url.database or "")
            engine = _pooled(url, timeout=DATABASE_PATIENCE)
            event.listen(engine, "connect", _prepare)
            return engine
    raise DatabaseError(
        f"{short(CREDENTIALS.sub('//', address))} is not a database that a class can use; "
        "leave out --database, or write one such as postgresql://HOST/NAME."
    )


def _make_ours(path: str) -> None:
    """Let nobody else read what is typed, and by whom; an address of a file is left to SQLite."""
    if not path.startswith("file:"):
        with suppress(OSError):  # reported when it is used
            os.close(os.open(path, os.O_CREAT, 0o600))


def _pooled(url: URL, **options: float) -> Engine:
    """An engine with one connection at a time."""
    return create_engine(url, pool_size=1, max_overflow=0, connect_args=options)


def _prepare(connection: sqlite3.Connection, _: Any) -> None:
    """Set up a connection: what is committed is on the disk, what is deleted is overwritten."""
    for option in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {option}")
