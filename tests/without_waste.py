"""A plugin for pytest, loaded before nbval: what libraries do for each process, message or test in vain."""

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from pprint import pformat
from typing import Any

import pytest

# jsonschema builds the grammars of addresses, for more than a second in each process.
sys.modules.setdefault("rfc3987_syntax", None)  # as if it were not installed, which jsonschema allows


class Pretty:
    """A text that is made when it is asked for."""

    def __init__(self, message: object) -> None:
        self.message = message

    def __str__(self) -> str:
        return pformat(self.message)


class Kernels:
    """How this process starts its kernels: forked from one that has imported what they import."""

    seed: Any = None

    @classmethod
    def launch(cls, usual: Callable[..., object], command: list[str], **options: Any) -> object:
        if command[:3] != [sys.executable, "-m", "ipykernel_launcher"] or command[3] != "-f":
            return usual(command, **options)
        if not cls.seed:
            from tests.kernel_seed import Seed

            cls.seed = Seed()
        folder, environment = options.get("cwd") or Path.cwd(), options.get("env") or os.environ
        return cls.seed.kernel(command[4], str(folder), dict(environment))


def is_told(event: str, told: dict[str, Any]) -> bool:
    """Whether the process that writes the dots wants to know: not of what passed before and after a test."""
    report = told.get("data", {})
    is_of_test = event == "testreport" and report["outcome"] == "passed" and report["when"] != "call"
    return event != "logstart" and not is_of_test


def tell_less(worker: Any) -> None:
    """xdist sends five messages for each test, which cost more than most tests do."""
    tell = worker.sendevent

    def sendevent(name: str, **told: Any) -> None:
        if is_told(name, told):
            tell(name, **told)

    worker.sendevent = sendevent


def pytest_configure(config: pytest.Config) -> None:
    """nbval writes every message of a kernel prettily for a log that is off: half of what it works for."""
    if kernel := sys.modules.get("nbval.kernel"):
        kernel.pformat = Pretty
    local = sys.modules.get("jupyter_client.provisioning.local_provisioner")
    if local and sys.platform == "linux":
        local.launch_kernel = functools.partial(Kernels.launch, local.launch_kernel)
    workers = [plugin for plugin in config.pluginmanager.get_plugins() if hasattr(plugin, "sendevent")]
    if not (config.option.durations or config.option.xmlpath or config.option.verbose > 0):
        for worker in workers:
            tell_less(worker)


def pytest_unconfigure() -> None:
    if Kernels.seed:
        Kernels.seed.end()
