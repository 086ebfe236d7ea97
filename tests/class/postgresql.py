"""A PostgreSQL server of the tests' own: a cluster in a folder, on a socket there, gone when it is done."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


def programs() -> Path | None:
    """Where initdb and postgres are: in $HANDCALC_POSTGRESQL, on PATH, or where Debian puts them."""
    named, found = os.environ.get("HANDCALC_POSTGRESQL"), shutil.which("initdb")
    if named or found:
        places = [Path(named) if named else Path(str(found)).resolve().parent]
    else:
        places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((place for place in reversed(places) if (place / "postgres").exists()), None)


def trouble() -> str:
    """Why there can be no server here, if there cannot."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed"
    if programs() is None:
        return "there is no initdb on PATH, nor below /usr/lib/postgresql, nor in $HANDCALC_POSTGRESQL"
    if not is_root():
        return ""
    import pwd  # not on Windows

    is_there = any(user.pw_name == USER for user in pwd.getpwall())
    return "" if is_there else f"root may not run it, and there is no user {USER}"


def is_root() -> bool:
    """Whether it has to be run by somebody else."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


class Server:
    """One server; `address` is what the class is told, each database is new."""

    def __init__(self, bin_: Path, folder: Path) -> None:
        self.bin, self.folder, self._count = bin_, folder, 0
        self._as = {"user": USER} if is_root() else {}  # it will not be run by root
        self._call(
            "initdb",
            "-D",
            "data",
            "-U",
            USER,
            "--no-sync",
            "--wal-segsize=1",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
        )
        self.start()

    def start(self) -> None:
        """Begin, or begin again after a crash; it listens on a socket alone."""
        options = f"-c listen_addresses='' -k {self.folder}"
        self._call("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        """End: "immediate" leaves it as a crash does."""
        self._call("pg_ctl", "-D", "data", "-w", "-m", how, "stop")

    def new(self) -> str:
        """The address of an empty database."""
        self._count += 1
        self._call("createdb", "-h", str(self.folder), "-U", USER, f"class_{self._count}")
        return f"postgresql://{USER}@/class_{self._count}?host={self.folder}"

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self.bin / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, **self._as)
        assert done.returncode == 0, done.stderr


@contextmanager
def server() -> Iterator[Server]:
    """A server until the block ends."""
    bin_ = programs()
    assert bin_
    with tempfile.TemporaryDirectory(prefix="handcalc-") as name:  # short: a socket's path has 107 letters
        if is_root():
            shutil.chown(name, USER)
        running = Server(bin_, Path(name))
        try:
            yield running
        finally:
            running.stop()
