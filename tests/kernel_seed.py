"""A process that forks a kernel for each line that asks for one; what every kernel imports, it imports once.

To start a kernel of Jupyter takes most of a second, nearly all of it imports. Each is a copy of a process in
which nothing was run, so that no notebook knows of another. Where there is no fork, kernels start as ever.
"""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from typing import Any

IMPORTED = (  # no pyplot: it looks whether a kernel is there
    "ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "IPython.extensions.storemagic",
    "ipywidgets", "anywidget", "numpy.random", "matplotlib.figure", "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg", "handcalc.views.heatmap", "handcalc.views.explorer",
)  # fmt: skip


class Forked:
    """A kernel that somebody else has started, for whom expects a Popen."""

    stdin = stdout = stderr = None
    returncode: int | None = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            self.returncode = 0
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        while self.poll() is None:
            time.sleep(0.01)
        return self.returncode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Seed:
    """The process, started when the first kernel is wanted; it ends with its input, and its kernels too."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", __file__]
        environment = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, text=True, env=environment)

    def kernel(self, connection: str, folder: str, environment: dict[str, str]) -> Forked:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([connection, folder, environment]) + "\n")
        self._process.stdin.flush()
        return Forked(int(self._process.stdout.readline()))

    def end(self) -> None:
        self._process.communicate(timeout=20)


def _become_kernel(connection: str, folder: str, environment: dict[str, str]) -> None:
    """As `python -m ipykernel_launcher -f connection` does in a folder and a session of its own."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.write(1, f"{os.getpid()}\n".encode())
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    kernelapp: Any = import_module("ipykernel.kernelapp")
    kernelapp.launch_new_instance(argv=["-f", connection])


def main() -> None:
    alive: set[int] = set()

    def bury(*_: object) -> None:
        for pid in [*alive]:
            if os.waitpid(pid, os.WNOHANG)[0]:
                alive.discard(pid)

    for name in IMPORTED:
        import_module(name)
    signal.signal(signal.SIGCHLD, bury)
    while line := sys.stdin.readline():
        pid = os.fork()
        if not pid:
            _become_kernel(*json.loads(line))
            return
        alive.add(pid)
        bury()  # if it has ended before anybody knew of it
    for pid in [*alive]:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
