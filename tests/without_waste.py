"""A plugin for pytest, loaded before nbval: what libraries do in each process or for each message in vain."""

import sys
from pprint import pformat

# jsonschema builds the grammars of addresses, for more than a second in each process.
sys.modules.setdefault("rfc3987_syntax", None)  # as if it were not installed, which jsonschema allows


class Pretty:
    """A text that is made when it is asked for."""

    def __init__(self, message: object) -> None:
        self.message = message

    def __str__(self) -> str:
        return pformat(self.message)


def pytest_configure() -> None:
    """nbval writes every message of a kernel prettily for a log that is off: half of what it works for."""
    if kernel := sys.modules.get("nbval.kernel"):
        kernel.pformat = Pretty
