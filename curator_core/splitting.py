"""The compound split: questions that ask for several things are also searched part by part (SEED.md, Compound query splitting)."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

import numpy as np

from curator_core.passes import PassRecord
from curator_core.records import Part, Pick, SplitRecord
from curator_core.settings import Settings
from curator_core.text import has_word_character

# Plain "and" and "or" are left out on purpose: they are common in questions with one intent.
_MARKERS = re.compile(
    r"\b(?:and\s+then|and\s+also|after\s+that|additionally|,\s*then|,\s*and\s+also|then\s+also|as\s+well\s+as|along\s+with|then|also|plus)\b",
    re.IGNORECASE,
)
# The soft split only adds to scores, so it may cut wherever another wish could begin.
_BORDERS = re.compile(
    r"\b(?:and\s+then|and\s+also|after\s+that|additionally|then\s+also|as\s+well\s+as|along\s+with|then|also|plus|and)\b"
    r"|[,;:!?\n]+|\.(?=\s|$)",
    re.IGNORECASE,
)
_EDGES = string.whitespace + "\u00a0,.;:!?"


def is_soft(settings: Settings) -> bool:
    """Say whether parts add to the scores; that takes scores which are added up."""
    return settings.soft_split and settings.add_scores


def split_query(query: str, top_k: int, settings: Settings) -> SplitRecord:
    """Cut a question into parts; fewer than two different ones with a letter or digit is no split.

    At the seed's markers, each part may give max(top_k // parts + split_budget_extra, split_budget_min) tools. The soft split also cuts at
    "and", commas and ends of sentences, leaves out parts of a word or two, and stops after parts_at_most.
    """
    markers, parts = _cut(query, is_soft(settings))
    if is_soft(settings):
        parts = tuple(part for part in parts if len(part.split()) >= settings.part_words)[: settings.parts_at_most]
    if len(parts) < 2:
        return SplitRecord(markers)
    budget = max(top_k // len(parts) + settings.split_budget_extra, settings.split_budget_min)
    return SplitRecord(markers, tuple(Part(part, top_k if is_soft(settings) else budget) for part in parts))


@lru_cache(maxsize=1_000)  # test questions are asked again after each edit
def _cut(query: str, everywhere: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the markers of a question and its different parts; none where there is no marker."""
    border = _BORDERS if everywhere else _MARKERS
    if border.search(query) is None:
        return (), ()
    pieces = (piece.strip(_EDGES) for piece in border.split(query))
    return tuple(border.findall(query)), tuple(dict.fromkeys(piece for piece in pieces if has_word_character(piece)))


def pick_split(whole: PassRecord, parts: Sequence[PassRecord], top_k: int, effective_k: int, settings: Settings) -> tuple[Pick, ...]:
    """Unite the parts' tools and top up from the whole question.

    The parts' budgets are interleaved by rank without repeats and cut at split_union_factor * top_k; then come tools that the whole
    question forces and that are not yet in; then the whole question's others until there are effective_k.
    """
    members = [{int(position) for position in part.first()} for part in parts]
    ranked = (position for row in zip_longest(*(part.first().tolist() for part in parts)) for position in row if position is not None)
    union = list(dict.fromkeys(ranked))[: settings.split_union_factor * top_k]
    picks = [Pick(position, "part", tuple(number for number, member in enumerate(members, 1) if position in member)) for position in union]
    union_set = set(union)
    forced = whole.combined.forced
    wanted = len(union) + effective_k + int(np.count_nonzero(forced))  # more of the whole question's order is never needed
    others = [position for position in whole.combined.first(wanted).tolist() if position not in union_set]
    picks += [Pick(position, "forced") for position in others if forced[position]]
    top_up = [position for position in others if not forced[position]]
    picks += [Pick(position, "top-up") for position in top_up[: max(effective_k - len(picks), 0)]]
    return tuple(picks)


def pick_whole(places: Sequence[int]) -> tuple[Pick, ...]:
    """Say of the first tools of a question that was not split that their rank brought them."""
    return tuple(Pick(position, "rank") for position in places)
