"""How safely a test query passes, or how far it is from passing, in places of the answer; read from its trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curator_core.trace import Trace


@dataclass(frozen=True, slots=True)
class Margin:
    """places: above 0, the query passes, and one of its tools would have to move so many places before it fails; below 0, it fails,
    and a tool has to move so many places before it passes. The worst of its expected and forbidden tools counts, and is named by tool.

    rank: where the last of the expected tools stands, also below the answer; None where neither list ranks it, or none is expected.
    """

    places: int
    tool: str
    rank: int | None = None


def margin_of(trace: Trace, expected: Sequence[str], forbidden: Sequence[str], within: int, given: int) -> Margin | None:
    """Return the margin of a query whose expected tools belong into the first `within` of the answer, and whose forbidden ones do not
    belong into the first `given`, which an agent gets.

    None where no tool is named. Places below the answer are ranks for the whole question; a tool that is ranked nowhere, or that the
    role may not see, stands behind all others.
    """
    standing = {tool: _place(trace, tool) for tool in (*expected, *forbidden)}
    cuts = [min(cut, len(trace.tools)) for cut in (within, given)]
    return _margin(standing, expected, forbidden, cuts, _nowhere(trace))


def margin_in(tools: Sequence[str], expected: Sequence[str], forbidden: Sequence[str], within: int, given: int) -> Margin | None:
    """Return the margin as far as an answer alone tells it: a tool that is not in it stands behind all others."""
    nowhere = len(tools) + 1
    places = {tool: place for place, tool in enumerate(tools, 1)}
    standing = {tool: places.get(tool, nowhere) for tool in (*expected, *forbidden)}
    return _margin(standing, expected, forbidden, [min(cut, len(tools)) for cut in (within, given)], nowhere)


def _margin(
    standing: Mapping[str, int], expected: Sequence[str], forbidden: Sequence[str], cuts: Sequence[int], nowhere: int
) -> Margin | None:
    wanted = [(_inside(standing[tool], cuts[0]), tool) for tool in expected]
    unwanted = [(-_inside(standing[tool], cuts[1]), tool) for tool in forbidden]
    if not (wanted or unwanted):
        return None
    last = max((standing[tool] for _, tool in wanted), default=0)
    places, tool = min((*wanted, *unwanted))
    return Margin(places, tool, last if wanted and last < nowhere else None)


def _inside(place: int, cut: int) -> int:
    """Return how many places a tool would have to lose to fall out of the first `cut`; below 0, to gain to come in."""
    return cut + 1 - place if place <= cut else cut - place


def _place(trace: Trace, tool: str) -> int:
    if tool in trace.tools:
        return trace.tools.index(tool) + 1
    position = trace.positions.get(tool)
    rank = trace.passes[0].rank_of(position) if position is not None and trace.passes else 0
    return max(rank, len(trace.tools) + 1) if rank else _nowhere(trace)


def _nowhere(trace: Trace) -> int:
    """Return the place behind every tool that could have one."""
    return max(len(trace.pool), len(trace.tools)) + 1
