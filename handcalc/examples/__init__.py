"""Worked examples, each with its source and licence; those of a lesson are in `lessons/`.

`__init__.pyi` says which there are and where they are; each is fetched when somebody asks for it.
"""

import lazy_loader as _lazy_loader

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
