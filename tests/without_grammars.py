"""A plugin for pytest, loaded before nbval: jsonschema must not build the grammars of addresses, which nobody
uses here; to build them takes more than a second in each process."""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # as if it were not installed, which jsonschema allows
