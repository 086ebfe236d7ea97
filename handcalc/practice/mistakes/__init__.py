"""The known mistakes: each is a mal-rule of an operation, with a name from the registry and one sentence.

A module has those of a kind of operation; what is tried first is told first where two lead to the same.
"""

from importlib import import_module

MODULES = (
    "in_products",
    "in_any_step",
    "in_weights",
    "in_sums",
    "in_quotients",
    "in_functions",
    "in_layouts",
    "in_orders",
    "in_gradients",
)
for _module in MODULES:
    import_module(f"{__name__}.{_module}")
