"""Which sheet is marked next, and the processes that mark it."""
