"""An atlas: a calculation of millions of numbers as a map, of which one block at a time is opened."""
