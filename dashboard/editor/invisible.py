"""Characters that the eye does not see: which a text holds, and where."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_PLAIN = "\t\n\r"
_KINDS = {"Cc": "control character", "Cf": "invisible character", "Co": "private character", "Cn": "unknown character"}


def invisible_notices(text: str, at_most: int = 5) -> tuple[str, ...]:
    """Say which characters of the text do not show: what each is, its code point, and its place counted from 1."""
    found = list(_invisible(text))
    lines = [f"{name} at character {place}: it does not show, but it is part of the text" for place, name in found[:at_most]]
    if len(found) > at_most:
        lines.append(f"and {len(found) - at_most} more such characters")
    return tuple(lines)


def _invisible(text: str) -> Iterator[tuple[int, str]]:
    for place, letter in enumerate(text, 1):
        kind = _KINDS.get(unicodedata.category(letter))
        if kind and letter not in _PLAIN:
            yield place, f"{unicodedata.name(letter, kind).lower()} (U+{ord(letter):04X})"
