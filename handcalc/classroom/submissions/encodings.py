"""How the letters of a file are written: as editors and spreadsheets save them."""

from __future__ import annotations

import codecs


def decoded(data: bytes) -> str:
    """A text as spreadsheets and editors save it: UTF-8, UTF-16, or what Windows had before."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
