"""Notation: writing and reading of numbers, names, arithmetic and sentences."""
