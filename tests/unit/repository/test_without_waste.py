"""What is saved in each run of the tests changes nothing of what they find."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests import kernel_seed, without_waste

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("when", ["setup", "call", "teardown"])
def test_a_worker_tells_of_all_that_failed_or_was_skipped(when):
    for outcome in ("failed", "skipped"):
        assert without_waste.is_told("testreport", {"data": {"outcome": outcome, "when": when}})
    passed = {"data": {"outcome": "passed", "when": when}}
    assert without_waste.is_told("testreport", passed) == (when == "call")


@pytest.mark.slow
def test_a_failure_before_and_after_a_test_is_told_through_a_worker(tmp_path):
    (tmp_path / "test_two.py").write_text(
        textwrap.dedent("""
            import pytest

            @pytest.fixture
            def before(): 1 / 0

            @pytest.fixture
            def after():
                yield
                1 / 0

            def test_one(before): pass
            def test_other(after): pass
            def test_third(): print("said")
        """),
        "utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "1",
        "-p",
        "no:cacheprovider",
        "-c",
        ROOT / "pyproject.toml",
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path], env=environment, capture_output=True, text=True
    )
    assert "2 passed, 2 errors" in run.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux alone")
def test_each_kernel_is_a_process_of_its_own_that_ends_when_told(tmp_path):
    from jupyter_client import BlockingKernelClient
    from jupyter_client.connect import write_connection_file

    seed = kernel_seed.Seed()
    kernels, clients = [], []
    for k in (1, 2):
        file, _ = write_connection_file(str(tmp_path / f"{k}.json"))
        kernels.append(seed.kernel(file, str(tmp_path), {**os.environ, "WHICH": str(k)}))
        clients.append(BlockingKernelClient(connection_file=file))
        clients[-1].load_connection_file()
        clients[-1].start_channels()
        clients[-1].wait_for_ready(timeout=60)
    ask = "import os; x = globals().get('x', 0) + int(os.environ['WHICH'])"
    told = [
        client.execute(ask, reply=True, user_expressions={"x": "[x, os.getpid(), os.getcwd()]"})
        for client in clients
    ]
    found = [
        json.loads(one["content"]["user_expressions"]["x"]["data"]["text/plain"].replace("'", '"'))
        for one in told
    ]
    assert found == [[k, kernel.pid, str(tmp_path)] for k, kernel in enumerate(kernels, start=1)]
    kernels[0].kill()
    assert kernels[0].wait() == 0
    assert kernels[1].poll() is None
    seed.end()
    assert kernels[1].wait() == 0  # with the process that it came from
    for client in clients:
        client.stop_channels()
