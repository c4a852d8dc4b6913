"""Families: siblings that are alike by design, such as get_x_1 … get_x_9 of one server. They count as one group, not as all their pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from curator_core.records import Floats
from curator_core.text import fold, name_words
from curator_core.tool import Tool

MEMBERS_AT_LEAST = 4
ANY = "*"
_PIECES = re.compile(r"\d+|[^\W\d_]+")
_LONGEST_NAME = 12  # words of a name that are looked at


@dataclass(frozen=True, slots=True)
class Family:
    """Tools of one group whose names differ in one place. keys: in order; pattern: their name, with `*` where they differ."""

    keys: tuple[str, ...]
    pattern: str


def families_of(tools: Mapping[str, Tool], vectors: Mapping[str, Floats] | None = None, alike: float = 0.0) -> tuple[Family, ...]:
    """Return the families, the largest first, then in order of their first key; no tool is in two.

    At least half of each name's words are the pattern's, and there are at least MEMBERS_AT_LEAST members. vectors: by key, L2-normalised;
    a family whose members' mean similarity is below `alike` is none. None: names alone decide.
    """
    members: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for key, tool in tools.items():
        for pattern in _patterns(_words(tool.name)):
            members.setdefault((tool.group, pattern), []).append(key)
    found = [(pattern, keys) for (_, pattern), keys in members.items() if len(keys) >= MEMBERS_AT_LEAST]
    families, taken = [], set[str]()
    for pattern, keys in sorted(found, key=lambda one: (-len(one[1]), -len(one[0]), one[0], one[1])):
        free = [key for key in keys if key not in taken]
        if len(free) >= MEMBERS_AT_LEAST and (vectors is None or mean_similarity(vectors[key] for key in free) >= alike):
            families.append(Family(tuple(free), " ".join(pattern)))
            taken.update(free)
    return tuple(sorted(families, key=lambda family: (-len(family.keys), family.keys)))


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name; numbers are words of their own."""
    return tuple(_PIECES.findall(fold(name_words(name))))[:_LONGEST_NAME]


def _patterns(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give the patterns of a name: its words with ANY in place of one stretch of at most half of them."""
    for length in range(1, len(words) // 2 + 1):
        for start in range(len(words) - length + 1):
            yield (*words[:start], ANY, *words[start + length :])


def mean_similarity(vectors: Iterable[Floats]) -> float:
    """Return the mean cosine of all pairs."""
    rows = np.array(list(vectors), dtype=np.float64)
    count, total = len(rows), rows.sum(axis=0)
    return float((total @ total - np.vecdot(rows, rows).sum()) / (count * (count - 1)))
