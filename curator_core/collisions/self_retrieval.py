"""Self-retrieval: does a tool find itself by what it says of itself, asked for real, and if not, what comes instead."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from curator_core.collisions.probes import Source, probes_of
from curator_core.curator import Curator
from curator_core.trace import Trace


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What one text of a tool brings. first: the tool that comes first, None without an answer.

    rank: the tool's own, None where neither list ranks it. margin: by how much its combined score leads the next tool's, below 0 by how
    much it lacks to the first; None where the name rule decides, or it is not ranked.
    """

    text: str
    source: Source
    first: str | None
    rank: int | None
    margin: float | None


@dataclass(frozen=True, slots=True)
class SelfRetrieval:
    """What all texts of a tool bring. key: the tool; role: who asked. thieves: what comes first instead, how often, most first."""

    key: str
    role: str | None
    probes: tuple[ProbeResult, ...]

    @property
    def found(self) -> int:
        """How many of its texts bring the tool first."""
        return sum(probe.first == self.key for probe in self.probes)

    @property
    def thieves(self) -> tuple[tuple[str, int], ...]:
        counts = Counter(probe.first for probe in self.probes if probe.first not in (self.key, None))
        return tuple(sorted(((thief, count) for thief, count in counts.items() if thief), key=lambda one: (-one[1], one[0])))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON-serialisable values."""
        thieves = [{"tool": thief, "texts": count} for thief, count in self.thieves]
        return {
            "tool": self.key,
            "role": self.role,
            "found": self.found,
            "thieves": thieves,
            "probes": [asdict(one) for one in self.probes],
        }


def self_retrieve(curator: Curator, key: str, role: str | None = None) -> SelfRetrieval:
    """Ask each text of a tool as a question, whole, and say what comes first. Raises UnknownName for a tool or role that is not there."""
    index = curator.index
    tool = index.registry.tool(key)
    probes = probes_of(tool, index.texts[index.positions[key]])
    if index.store is not None and curator.settings.dense:
        index.store.queries.ahead(probe.text for probe in probes)
    results = (_result(curator.curate(probe.text, role=role), key) for probe in probes)
    pairs = zip(probes, results, strict=True)
    return SelfRetrieval(key, role, tuple(ProbeResult(probe.text, probe.source, *found) for probe, found in pairs))


def _result(trace: Trace, key: str) -> tuple[str | None, int | None, float | None]:
    first = trace.tools[0] if trace.tools else None
    position = trace.positions.get(key)
    if position is None or not trace.passes:
        return first, None, None
    if first == key:
        own, other = trace.row(0, position), next((tool for tool in trace.tools[1:]), None)
        rest = trace.row(0, trace.positions[other]) if other else None
    else:
        own, rest = trace.row(0, position), trace.row(0, trace.positions[first]) if first else None
    decided = rest is None or own.rank is None or own.forced or rest.forced
    return first, own.rank, None if decided or rest is None else own.score - rest.score
