"""What an entry of the registry of mistakes is, and how one is found by the name of a relative."""

from __future__ import annotations

import re
from dataclasses import dataclass


class MistakeName(str):
    """The name of a mistake that is in the registry."""

    __slots__ = ()

    def of(self, *words: str) -> MistakeName:
        """The name of a relative, with other words of the record in it: keys-and-values-swapped."""
        return MistakeName(REGISTRY[self].template.format(*words))


@dataclass(frozen=True)
class MistakeEntry:
    """What is known of a mistake.

    From version `promised` of the codes on, no draw has numbers with which it would pass; 0 for never.
    """

    done: str
    promised: int = 0
    template: str = ""


REGISTRY: dict[MistakeName, MistakeEntry] = {}


def register_mistake(name: str, done: str, promised: int = 0, template: str = "") -> MistakeName:
    """A mistake joins the registry."""
    REGISTRY[MistakeName(name)] = MistakeEntry(done, promised, template)
    return MistakeName(name)


def promised_mistakes(version: int) -> frozenset[str]:
    """The mistakes that every draw of this version tells apart wherever they can be made."""
    return frozenset(name for name, entry in REGISTRY.items() if 0 < entry.promised <= version)


def describe_mistake(name: str) -> str:
    """What was done by who made the mistake of this name; of a relative, where it is clear of which one."""
    if name in REGISTRY:
        return REGISTRY[MistakeName(name)].done
    kin = [entry for entry in REGISTRY.values() if _is_of(entry.template, name)]
    longest = max((len(entry.template) for entry in kin), default=0)
    nearest = [entry.done for entry in kin if len(entry.template) == longest]
    return nearest[0] if len(nearest) == 1 else ""


def _is_of(template: str, name: str) -> bool:
    """Whether other words in a template make this name."""
    return bool(template) and bool(re.fullmatch(".+".join(map(re.escape, template.split("{}"))), name))
