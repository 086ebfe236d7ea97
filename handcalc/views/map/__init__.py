"""The map of a calculation: a block diagram, read from the record and laid out once for all renderers."""
