"""The forms of a calculation for a page: the first as it is, of others only what differs from one before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NEW, GONE = "=", "-"  # keys of a patch: another value altogether, keys that are there no more


def folded(forms: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `variants` writes, with `patch` for the `spec` of all but the first; variants.js unfolds it."""
    written = [forms[0]]
    for k, form in enumerate(forms[1:], start=1):
        spec = form["spec"]
        like = (n for n in range(k) if forms[n]["spec"]["convention"] == spec["convention"])
        base = next(like, 0)
        others = {key: value for key, value in form.items() if key != "spec"}
        patch = {"convention": spec["convention"], "like": base, "patch": patch_of(forms[base]["spec"], spec)}
        written.append(others | patch)
    return written


def patch_of(old: Any, new: Any) -> Any:
    """What makes the new value of the old one: anything but an object stands for itself."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        differing = {str(k): patch_of(a, b) for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
        return differing if len(differing) < len(new) / 2 else new
    if not isinstance(new, dict):
        return new
    if not isinstance(old, dict):
        return {NEW: new}
    gone = [key for key in old if key not in new]
    changed = {
        key: patch_of(old.get(key), value)
        for key, value in new.items()
        if key not in old or old[key] != value
    }
    return changed | ({GONE: gone} if gone else {})
