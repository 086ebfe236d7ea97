"""Attention and the transformer as formulas, written like the papers."""
