"""What a tool lacks in one question to stand among the first few: where it stands, which stage lost it, and by how much."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from curator_core.proof.losses import Lost, losses_of
from curator_core.records import Row
from curator_core.splitting import is_soft
from curator_core.story import ordinal
from curator_core.trace import Trace


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Why a tool is not among the first `within` of an answer.

    place: in the answer, None = not in it. number: the pass that ranks it best, 0 = the whole question. row: what that pass knows of the
    tool, None where it was not searched. bar: the tool at place `within` of that pass, which it has to pass; needs: the combined score that
    it lacks for that, None where score is not the point. stage, sentence: which stage lost it, as in Loss; None and how it stands where
    it stands well.
    """

    tool: str
    within: int
    place: int | None
    number: int
    row: Row | None
    bar: str
    needs: float | None
    stage: Lost | None
    sentence: str


def shortfall_of(trace: Trace, tool: str, within: int) -> Shortfall:
    """Say where a tool stands in a question's answer and what it lacks. Raises UnknownName for a tool that the registry does not have."""
    story = trace.story(tool)
    lost = next(iter(losses_of(trace, (tool,), (), within, within)), None)
    number = _best_pass(trace, tool)
    row = story.passes[number][2] if story.passes else None
    bar, gap = _bar(trace, number, tool, within)
    by_score = lost is not None and lost.stage in ("no match", "words", "meaning", "combined", "cut")
    needs = -gap if by_score and bar and math.isfinite(gap) else None
    sentence = _sentence(lost.sentence, bar, needs, within) if lost else story.sentence
    return Shortfall(tool, within, story.place, number, row, bar, needs, lost.stage if lost else None, sentence)


def _bar(trace: Trace, number: int, tool: str, within: int) -> tuple[str, float]:
    """Return the tool that another must leave behind to be among the first `within` of a pass, and how much more it scores than that.

    "" where the pool is no larger than that, or where the tool was not searched.
    """
    position = trace.positions.get(tool)
    if position is None or not trace.passes:
        return "", 0.0
    one = trace.passes[number]
    ahead = [other for other in one.combined.first(within + 1).tolist() if other != position][:within]
    if len(ahead) < within:
        return "", 0.0
    forced = [one.anchor is not None and bool(one.anchor.forced[place]) for place in (position, ahead[-1])]
    scores = one.combined.scores_of(np.array([position, ahead[-1]], dtype=np.int64)).scores
    gap = float(scores[0] - scores[1]) if forced[0] == forced[1] else math.inf if forced[0] else -math.inf
    return trace.pool[ahead[-1]], gap


def _best_pass(trace: Trace, tool: str) -> int:
    position = trace.positions.get(tool)
    if position is None or is_soft(trace.settings):  # parts that only add to the score give no places
        return 0
    ranks = [one.rank_of(position) for one in trace.passes]
    return min((number for number, rank in enumerate(ranks) if rank), key=lambda number: ranks[number], default=0)


def _sentence(lost: str, bar: str, needs: float | None, within: int) -> str:
    """Put the figure behind the stage's own sentence."""
    if needs is None:
        return f"{lost}."
    lacks = f"it needs {needs:.4f} more combined score" if needs > 0 else "it has the same combined score and a later name"
    return f"{lost}; {lacks} to pass {bar}, which is {ordinal(within)}."
