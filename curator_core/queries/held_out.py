"""Held-out test queries: they measure, and nobody sees them while writing text, so that text is not fitted to them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from curator_core.text import folded_question
from curator_core.tool import TestQuery

HELD_OUT = "held_out"
_SPELLINGS = (HELD_OUT, "held-out", "held out", "heldout")


def is_held_out(case: TestQuery) -> bool:
    """Say whether a test query has the tag, however it is spelt."""
    return bool(case.tags) and _have_the_tag(case.tags)


def released(case: TestQuery) -> TestQuery:
    """Return a test query without the tag."""
    return replace(case, tags=tuple(tag for tag in case.tags if not _is_the_tag(tag)))


def without_held_out(cases: Iterable[TestQuery]) -> tuple[TestQuery, ...]:
    """Return the test queries that may be shown to somebody who writes text."""
    return tuple(case for case in cases if not is_held_out(case))


def to_hold_out(cases: Iterable[TestQuery], share: float) -> tuple[TestQuery, ...]:
    """Return which test queries to hold out so that about this share of the judged ones is, beside those that are already.

    The choice follows a hash of the question, so that it is the same for everybody, and goes tool by tool (the first expected one;
    questions that no tool fits are a group of their own). Never chosen: critical ones, unjudged ones, and the last open one of a tool.
    Questions that differ only in case, blanks or the stop at their end go together.
    """
    groups: dict[str, list[TestQuery]] = {}
    for case in cases:
        if case.expected is not None and not case.critical:
            groups.setdefault(next(iter(case.expected), ""), []).append(case)
    chosen: list[TestQuery] = []
    wanted, taken = Fraction(0), 0
    for name in sorted(groups, key=_hash):
        wanted += Fraction(share).limit_denominator(1000) * len(groups[name])
        taken += sum(map(is_held_out, groups[name]))
        some = _from_group(groups[name], round(wanted) - taken)
        chosen += some
        taken += len(some)
    return tuple(chosen)


def _from_group(cases: Sequence[TestQuery], number: int) -> list[TestQuery]:
    """Return about so many open test queries of one tool, whole questions, and leave it at least one."""
    questions: dict[str, list[TestQuery]] = {}
    for case in without_held_out(cases):
        questions.setdefault(folded_question(case.query), []).append(case)
    some: list[TestQuery] = []
    for question in sorted(questions, key=_hash)[: len(questions) - 1]:
        if len(some) >= number:
            break
        some += questions[question]
    return some


@lru_cache(1024)  # thousands of questions are looked through at each edit, and few tags are there
def _have_the_tag(tags: tuple[str, ...]) -> bool:
    return any(map(_is_the_tag, tags))


def _is_the_tag(tag: str) -> bool:
    return tag.strip().casefold() in _SPELLINGS


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
