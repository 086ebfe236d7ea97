"""`python -m handcalc`: the same as the `handcalc` command."""

import sys

from handcalc.cli import main

if __name__ == "__main__":
    sys.exit(main())
