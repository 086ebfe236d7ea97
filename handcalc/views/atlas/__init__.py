"""An atlas: a calculation of millions of numbers as a map that opens one block at a time."""
