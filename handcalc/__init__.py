"""Self-attention and the transformer, calculated by hand, every number explained.

>>> import handcalc as hc
>>> calc = hc.examples.self_attention()
>>> print(calc.explain("Z", 1, 0))
Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83
"""

import sys as _sys

import lazy_loader as _lazy_loader

__version__ = "0.1.0"
# __init__.pyi says which names there are and where they are; each is fetched when somebody asks for it.
_fetched, _, __all__ = _lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in __all__:
        import numpy  # noqa: F401  # first: deep in a chain of imports, numpy's own takes 15% longer

        return _fetched(name)
    wrong = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(wrong, name=name, obj=_sys.modules[__name__])


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
