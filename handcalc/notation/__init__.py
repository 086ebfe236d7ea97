"""How numbers, names, arithmetic and sentences are written and read."""
