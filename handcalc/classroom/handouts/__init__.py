"""Handouts of a class: sheets and keys on paper, notebooks, links."""
