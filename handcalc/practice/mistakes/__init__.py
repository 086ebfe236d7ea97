"""The known mistakes: each is a mal-rule of an operation, with a name from the registry and one sentence.

Each module has those of one kind of operation; where two lead to the same numbers, the first tried is told.
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
