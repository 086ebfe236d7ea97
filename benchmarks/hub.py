"""A JupyterHub of 30 students with the workbook: memory of each, and how many fail. By hand; it needs a Hub.

    python benchmarks/hub.py --jupyterhub /PATH/bin/jupyterhub --proxy /PATH/bin/configurable-http-proxy

Each student gets a single-user server (JupyterLab), a kernel, and all code cells of the first lesson's
notebook run in it. Then the memory of their processes is added up: PSS, in which what is shared counts once,
and RSS. A failure is a student of whom any of this has not worked. All of it is bound to 127.0.0.1.

| students | failures | MB a student, PSS | RSS | s, two at a time on two busy cores |
|---|---|---|---|---|
| 30 | 0 | 210 | 266 | 265 |
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "01_queries_keys_values.ipynb"
PATIENCE = 90  # seconds for a server, for a kernel and for a notebook
CONFIG = """
c.JupyterHub.ip = c.JupyterHub.hub_ip = "127.0.0.1"
c.JupyterHub.port, c.JupyterHub.hub_port = {ports[0]}, {ports[1]}
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {token!r}
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.log_level = "WARN"
c.Spawner.cmd = {command!r}
c.Spawner.args = ["--allow-root", "--ServerApp.log_level=WARN"]
c.Spawner.environment = {{"PYTHONPATH": {path!r}, "OPENBLAS_NUM_THREADS": "1"}}
c.Spawner.http_timeout = c.Spawner.start_timeout = {patience}
c.JupyterHub.services = [{{"name": "bench", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [{{"name": "bench", "services": ["bench"],
    "scopes": ["admin:users", "admin:servers", "access:servers"]}}]
"""


class Hub:
    """A Hub in a folder of its own, and requests to it."""

    def __init__(self, folder: Path, jupyterhub: str, proxy: str) -> None:
        self.token, ports = secrets.token_hex(16), [_free() for _ in range(3)]
        self.address = f"127.0.0.1:{ports[0]}"
        config = CONFIG.format(
            ports=ports, proxy=proxy, token=self.token, patience=PATIENCE,
            command=[str(Path(jupyterhub).with_name("jupyterhub-singleuser"))],
            path=str(Path(__file__).parents[1]),
        )  # fmt: skip
        (folder / "config.py").write_text(f"c = get_config()\n{config}", "utf-8")
        self.process = subprocess.Popen(
            ["nice", jupyterhub, "-f", "config.py"], cwd=folder, start_new_session=True,
            stdout=(folder / "log").open("w"), stderr=subprocess.STDOUT,
        )  # fmt: skip

    async def ask(self, path: str, body: Any = None, *, method: str = "") -> Any:
        """What the Hub, or a student's server, answers."""
        data = None if body is None else json.dumps(body)
        request = HTTPRequest(
            f"http://{self.address}{path}", method or ("GET" if body is None else "POST"),
            headers={"Authorization": f"token {self.token}"}, body=data, request_timeout=PATIENCE,
        )  # fmt: skip
        answer = await AsyncHTTPClient().fetch(request)
        return json.loads(answer.body or b"null")

    async def wait(self) -> None:
        """Until the Hub answers."""
        for _ in range(PATIENCE):
            try:
                await self.ask("/hub/api/")
                return
            except (OSError, Exception):  # noqa: BLE001 - not yet
                await asyncio.sleep(1)
        raise SystemExit("The Hub does not answer.")

    def end(self) -> None:
        """End the Hub, its proxy and all servers."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)


async def student(hub: Hub, name: str) -> None:
    """One student: a server, a kernel, a notebook. Raises whatever goes wrong."""
    await hub.ask(f"/hub/api/users/{name}", {})
    await hub.ask(f"/hub/api/users/{name}/server", {})
    for _ in range(2 * PATIENCE):
        if (await hub.ask(f"/hub/api/users/{name}"))["servers"].get("", {}).get("ready"):
            break
        await asyncio.sleep(0.5)
    kernel = (await hub.ask(f"/user/{name}/api/kernels", {"name": "python3"}))["id"]
    await asyncio.wait_for(_run(hub, name, kernel), PATIENCE)


async def _run(hub: Hub, name: str, kernel: str) -> None:
    """All code cells of the notebook."""
    request = HTTPRequest(
        f"ws://{hub.address}/user/{name}/api/kernels/{kernel}/channels",
        headers={"Authorization": f"token {hub.token}"}, request_timeout=PATIENCE,
    )  # fmt: skip
    link = await websocket_connect(request)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    for k, cell in enumerate(one for one in cells if one["cell_type"] == "code"):
        header = {
            "msg_id": f"{k}",
            "msg_type": "execute_request",
            "username": name,
            "session": name,
            "version": "5.3",
        }
        content = {"code": "".join(cell["source"]), "silent": False, "store_history": True,
                   "allow_stdin": False,
                   "user_expressions": {}, "stop_on_error": True,
                   }  # fmt: skip
        sent = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        await link.write_message(json.dumps(sent))
        while True:
            got = json.loads(await link.read_message())
            if got["msg_type"] == "execute_reply" and got["parent_header"].get("msg_id") == f"{k}":
                break
        if got["content"]["status"] != "ok":
            raise RuntimeError(got["content"].get("evalue", "a cell has failed"))
    link.close()


def memory(hub: Hub) -> dict[str, tuple[float, float]]:
    """PSS and RSS of each student's processes, in MB."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, rest = int(path.parent.name), path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(rest[1]), []).append(pid)
    found = {}
    for pid in children.get(hub.process.pid, []):
        if "singleuser" in _words(pid):
            tree = _tree(pid, children)
            found[str(pid)] = tuple(
                sum(_kilobytes(one, kind) for one in tree) / 1024 for kind in ("Pss", "Rss")
            )
    return found


def _tree(pid: int, children: dict[int, list[int]]) -> list[int]:
    return [pid, *(below for child in children.get(pid, []) for below in _tree(child, children))]


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8")
    except OSError:
        return ""


def _kilobytes(pid: int, kind: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


async def measure(options: argparse.Namespace, hub: Hub) -> None:
    await hub.wait()
    begun, failures, at_once = time.monotonic(), [], asyncio.Semaphore(options.at_once)

    async def one(k: int) -> None:
        async with at_once:
            if time.monotonic() - begun > options.seconds:
                failures.append(f"student{k}: no time was left")
                return
            try:
                await student(hub, f"student{k}")
            except Exception as error:  # noqa: BLE001 - it is counted
                failures.append(f"student{k}: {error}")

    await asyncio.gather(*map(one, range(options.students)))
    found = sorted(memory(hub).values())
    pss, rss = ([one[k] for one in found] for k in (0, 1))
    print(
        f"{options.students} students in {time.monotonic() - begun:.0f} s, {len(failures)} failures",
        *failures,
        sep="\n  ",
    )
    print(f"servers running: {len(found)}")
    print(
        f"MB a student: PSS median {statistics.median(pss):.0f}, most {max(pss):.0f}; "
        f"RSS median {statistics.median(rss):.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--at-once", type=int, default=2, help="how many begin at the same time")
    parser.add_argument("--seconds", type=int, default=300, help="then nobody begins any more")
    parser.add_argument("--jupyterhub", default=str(Path(sys.executable).with_name("jupyterhub")))
    parser.add_argument("--proxy", default="configurable-http-proxy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(Path(folder), options.jupyterhub, options.proxy)
        try:
            asyncio.run(measure(options, hub))
        finally:
            hub.end()
            sys.stdout.write((Path(folder) / "log").read_text("utf-8")[-1500:] if "-v" in sys.argv else "")


if __name__ == "__main__":
    main()
