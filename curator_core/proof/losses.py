"""Which stage lost a failing question: read from its trace, as a word to count by and as a sentence to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from curator_core.passes import PassRecord
from curator_core.splitting import is_soft
from curator_core.story import ordinal
from curator_core.trace import Trace

Lost = Literal["role", "no match", "words", "meaning", "combined", "cut", "name rule", "split", "part budget", "forbidden", "not unsure"]
LOST: tuple[Lost, ...] = get_args(Lost)
_NAMED = 3  # tools that a sentence lists


@dataclass(frozen=True, slots=True)
class Loss:
    """Why one tool does not stand where it should. tool: its key, "" where no tool fits the question. sentence: `stage` in plain words.

    stage: "role": the role may not see it; "no match": neither list ranks it; "words", "meaning": the other list has it in front, this
    one pulled it down; "combined": in front in both, but others lead one of them; "cut": in front in neither; "name rule": tools whose
    names are in the question came first; "split": the parts of the question took the places; "part budget": the part that has it in
    front may not give so many; "forbidden": it must not come and did; "not unsure": no tool fits, and the answer looks sure.
    """

    tool: str
    stage: Lost
    sentence: str


def losses_of(trace: Trace, expected: Sequence[str], forbidden: Sequence[str], within: int, given: int) -> tuple[Loss, ...]:
    """Return why the expected tools are not among the first `within`, then which forbidden ones are among the first `given`."""
    places = {tool: place for place, tool in enumerate(trace.tools, 1)}
    lost = [_lost(trace, tool, places.get(tool), within) for tool in dict.fromkeys(expected) if places.get(tool, within + 1) > within]
    came = [tool for tool in dict.fromkeys(forbidden) if places.get(tool, given + 1) <= given]
    return (*lost, *(Loss(tool, "forbidden", f"{tool} must not come and is {ordinal(places[tool])}") for tool in came))


def looked_sure(trace: Trace) -> Loss:
    """Return why a question that no tool fits was answered as if one did."""
    best, line = trace.confidence.max_similarity, trace.confidence.unsure_below
    if best is None or not trace.settings.low_confidence:
        return Loss("", "not unsure", "nothing here can say “unsure”: meaning match or low confidence is off")
    return Loss("", "not unsure", f"no tool fits, but the best meaning match is {best:z.2f}, not below {line:g}")


def _lost(trace: Trace, tool: str, place: int | None, within: int) -> Loss:
    position = trace.positions.get(tool)
    if position is None:
        return Loss(tool, "role", f"role {trace.role} may not see {tool}")
    if not trace.passes:
        return Loss(tool, "no match", f"{tool} was not ranked: {trace.reason}")
    number, rank = _best_pass(trace, position)
    now = f"{ordinal(place)} of the answer" if place else "not in the answer"
    if rank and rank <= within:  # only a split question can still lose it
        one = trace.passes[number]
        where = f"{ordinal(rank)} for part {number}, “{one.query}”" if number else f"{ordinal(rank)} for the whole question"
        if number and rank > one.budget:
            return Loss(tool, "part budget", f"{tool} is {where}, which may give {one.budget}; {now}")
        return Loss(tool, "split", f"{tool} is {where}, but the parts of the question took the places: {now}")
    stage, why = _in_pass(trace, number, position, rank, within)
    part = f" for part {number}, “{trace.passes[number].query}”" if number else ""
    return Loss(tool, stage, f"{tool} is {now}{part}: {why}")


def _best_pass(trace: Trace, position: int) -> tuple[int, int]:
    """Return the pass that ranks a tool best and its rank there, (0, 0) where none ranks it; the whole question first among equals."""
    at = np.array([position])
    passes = trace.passes[:1] if is_soft(trace.settings) else trace.passes  # parts that only add to the score give no places
    ranks = [int(one.combined.ranks_of(at)[0]) for one in passes]
    return min(((number, rank) for number, rank in enumerate(ranks) if rank), key=lambda found: found[1], default=(0, 0))


def _in_pass(trace: Trace, number: int, position: int, rank: int, within: int) -> tuple[Lost, str]:
    if not rank:
        return "no match", "neither meaning nor words rank it"
    anchor = trace.passes[number].anchor
    ahead = [] if anchor is None or anchor.forced[position] else np.flatnonzero(anchor.forced).tolist()
    if ahead and rank - len(ahead) <= within:
        names = [trace.pool[one] for one in ahead]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return "name rule", f"it would be {ordinal(rank - len(ahead))}, but the name rule puts {', '.join(names[:_NAMED])}{more} first"
    return _in_lists(trace.passes[number], position, within)


def _in_lists(one: PassRecord, position: int, within: int) -> tuple[Lost, str]:
    at = np.array([position])
    dense_rank, sparse_rank = (int(found.ranking.of(at)[0]) or None if found else None for found in (one.dense, one.sparse))
    meaning = f"meaning #{dense_rank}" if dense_rank else ""
    words = f"words #{sparse_rank}" if sparse_rank else "no word shared" if one.sparse else ""
    one.settle()
    in_meaning, in_words = (rank is not None and rank <= within for rank in (dense_rank, sparse_rank))
    if not (meaning and words) or in_meaning == in_words:
        said = " and ".join(filter(None, (meaning, words)))
        if in_meaning or in_words:
            return "combined", f"{said}, but others lead one list by more"
        return "cut", f"beyond the first {within}: {said}"
    if in_meaning:
        return "words", f"{meaning}, but {words}{' pulled it down' if sparse_rank else ': tools in both lists come first'}"
    return "meaning", f"{words}, but {meaning} pulled it down"
