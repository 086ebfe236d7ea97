"""`python -m handcalc.cli`."""

import sys

from handcalc.cli import main

if __name__ == "__main__":
    sys.exit(main())
