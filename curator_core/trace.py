"""The trace of one question: what every stage recorded, the tools that came out, and look-ups into both."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curator_core.errors import UnknownName
from curator_core.passes import PassRecord
from curator_core.pools import Pool
from curator_core.records import ConfidenceRecord, Pick, Row, SplitRecord
from curator_core.settings import Settings
from curator_core.story import Story, left_out_story, outside_story, picked_story
from curator_core.synonyms import FiredSynonym

if TYPE_CHECKING:
    from curator_core.no_tool import NoToolLine

_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Trace:
    """How the tools for one question were picked.

    searched: which tools were searched; registry: all keys. top_k: tools asked for, after clamping. passes: the whole question first,
    then its parts; empty where there was nothing to search. places: where the tools of the answer stand in the pool, in order. reason:
    why there is no answer. notes: what was adjusted. picked: makes `picks`. line_of: works out the line of `no_tool`. fired: looks up
    `synonyms`.
    """

    query: str
    role: str | None
    settings: Settings
    model: str | None
    fingerprint: str
    searched: Pool
    registry: Collection[str]
    top_k: int
    confidence: ConfidenceRecord
    split: SplitRecord = SplitRecord()
    passes: tuple[PassRecord, ...] = ()
    places: tuple[int, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    picked: Callable[[], tuple[Pick, ...]] | None = field(default=None, repr=False, compare=False)
    line_of: Callable[[], NoToolLine] | None = field(default=None, repr=False, compare=False)
    fired: Callable[[], tuple[FiredSynonym, ...]] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The keys of the answer, in order: exactly what an agent gets."""
        return tuple(map(self.pool.__getitem__, self.places))

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The answer, in order, with what brought each tool."""
        return () if self.picked is None else self.picked()

    @property
    def pool(self) -> tuple[str, ...]:
        """The keys that were searched, in order of keys."""
        return self.searched.keys

    @property
    def positions(self) -> Mapping[str, int]:
        """The pool position of each pool tool."""
        return self.searched.places

    @cached_property
    def synonyms(self) -> tuple[FiredSynonym, ...]:
        """The synonym phrases that the question says and that stand in the text of a tool of the pool."""
        return () if self.fired is None else self.fired()

    @cached_property
    def no_tool_line(self) -> NoToolLine | None:
        """The line of `no_tool`, None without meaning match; the first look asks the registry's test queries."""
        return None if self.line_of is None or self.confidence.max_similarity is None else self.line_of()

    @property
    def no_tool(self) -> bool:
        """Whether probably no tool applies: the best meaning match is lower than those of nine in ten of the registry's own questions."""
        best, line = self.confidence.max_similarity, self.no_tool_line
        return not self.places or (best is not None and line is not None and best < line.value)

    @property
    def no_tool_reason(self) -> str:
        """Why probably no tool applies, in plain words; "" where one probably does."""
        if not self.no_tool or self.no_tool_line is None or not self.places:
            return self.reason
        best, line = self.confidence.max_similarity, self.no_tool_line
        return f"perhaps no tool applies: the best meaning match is {best:z.2f}, and {line.sentence}"

    @property
    def effective_k(self) -> int:
        """How many tools the answer has at least, where the pool and the stages give so many."""
        return self.confidence.effective_k

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """The question's words that no tool of the registry has."""
        sparse = self.passes[0].sparse if self.passes else None
        return tuple(word.word for word in sparse.words if not word.tools) if sparse else ()

    @property
    def evidence(self) -> Literal["clear", "weak", "none"]:
        """How much speaks for the answer as a whole; "none" = nothing here fits the question.

        none: no answer, or the best meaning match is below the unsure line, no tool shares a word that weighs anything with any part of
        the question, and no name is in it. weak: as none, but words are shared. Without meaning match every answer counts as clear.
        """
        if not self.places:
            return "none"
        best = self.confidence.max_similarity
        named, matched = (any(found) for found in zip(*(one.speaks for one in self.passes), strict=True))
        if best is None or best >= self.confidence.unsure_below or named:
            return "clear"
        return "weak" if matched else "none"

    def pass_of(self, pick: Pick) -> int:
        """Return which pass brought a pick: of the parts that gave it the one where it ranks best, else the whole question."""
        return min(pick.parts, key=lambda part: self.passes[part].rank_of(pick.position)) if pick.parts else 0

    def row(self, number: int, position: int) -> Row:
        """Return what pass `number` (0 = the whole question) knows of the tool at a pool position."""
        return next(self.passes[number].rows([position], [self.pool[position]]))

    def rows(self, number: int = 0, which: Literal["listed", "all"] = "listed") -> Iterator[Row]:
        """Make the rows of one pass, best first. "listed": tools of the answer, and those before the pass's own cut."""
        one = self.passes[number]
        positions = one.first().tolist()
        if which == "all":
            positions = [*one.order.tolist(), *np.flatnonzero(one.ranks == 0).tolist()]
        elif further := [position for position in self.places if position not in set(positions)]:
            ranks = one.combined.ranks_of(np.array(further)).tolist()
            positions += [position for rank, position in sorted(zip(ranks, further, strict=True)) if rank]
        for start in range(0, len(positions), _ROWS_AT_ONCE):
            some = positions[start : start + _ROWS_AT_ONCE]
            yield from one.rows(some, [self.pool[position] for position in some])

    def story(self, tool: str) -> Story:
        """Return one tool's way through the stages, picked or not. Raises UnknownName for a tool that the registry does not have."""
        if not isinstance(tool, str):
            raise UnknownName(f"the tool is {tool!r}; pass its key, which is a text")
        if tool not in self.registry:
            close = difflib.get_close_matches(str(tool), self.registry, 3) or list(self.registry)[:3]
            raise UnknownName(f"no tool {tool!r} in this registry; it has, for example: {', '.join(close) or 'none'}")
        position = self.positions.get(tool)
        if position is None:
            return outside_story(tool, self.role)
        steps = tuple((one.kind, one.query, self.row(number, position)) for number, one in enumerate(self.passes))
        if tool not in self.tools:
            return left_out_story(tool, steps, *self._left_out(position), len(self.places), self.reason)
        place = self.tools.index(tool)
        return picked_story(tool, steps, place + 1, self.picks[place], self.pass_of(self.picks[place]), len(self.picks))

    def _left_out(self, position: int) -> tuple[float | None, str]:
        """Return the combined score that a tool lacks to the whole question's cut, or what took the places where that is not the point."""
        rank = self.passes[0].rank_of(position) if self.passes else 0
        if not rank:
            return None, ""
        if rank <= self.effective_k:
            return None, "the parts of the question took the places"
        whole = self.passes[0]
        last = int(whole.combined.first(self.effective_k)[-1])
        if whole.anchor is not None and whole.anchor.forced[last] and not whole.anchor.forced[position]:
            return None, "tools whose names are in the question took the places"
        scores = whole.combined.scores_of(np.array([last, position])).scores
        return float(scores[0] - scores[1]), ""

    def to_dict(self, rows: Literal["listed", "all"] = "listed") -> dict[str, Any]:
        """Return the trace as JSON-serialisable values; rows: those of the answer and each pass's cut, or the whole pool's."""
        return {
            "query": self.query,
            "role": self.role,
            "profile": self.settings.profile,
            "settings": dataclasses.asdict(self.settings),
            "model": self.model,
            "fingerprint": self.fingerprint,
            "pool_size": len(self.pool),
            "top_k": self.top_k,
            "effective_k": self.effective_k,
            "low_confidence": self.confidence.low_confidence,
            "max_similarity": self.confidence.max_similarity,
            "unsure_below": self.confidence.unsure_below,
            "no_tool": self.no_tool,
            "no_tool_line": self.no_tool_line.to_dict() if self.no_tool_line else None,
            "reason": self.reason,
            "notes": list(self.notes),
            "unknown_words": list(self.unknown_words),
            "synonyms": [dataclasses.asdict(synonym) | {"tools": list(synonym.tools)} for synonym in self.synonyms],
            "tools": list(self.tools),
            "picks": [{"tool": self.pool[pick.position], "via": pick.via, "parts": list(pick.parts)} for pick in self.picks],
            "split": {"markers": list(self.split.markers), "parts": [dataclasses.asdict(part) for part in self.split.parts]},
            "passes": [self._pass(number, rows) for number in range(len(self.passes))],
        }

    def _pass(self, number: int, rows: Literal["listed", "all"]) -> dict[str, Any]:
        one = self.passes[number]
        words = {word.word: {"count": word.count, "idf": word.idf, "tools": word.tools} for word in one.sparse.words} if one.sparse else {}
        return {
            "kind": one.kind,
            "query": one.query,
            "budget": one.budget,
            "encoded": one.dense.encoded if one.dense else None,
            "sparse": {"skipped_because": one.sparse.skipped_because, "words": words} if one.sparse else None,
            "rows": [dataclasses.asdict(row) | {"forced_by": list(row.forced_by)} for row in self.rows(number, rows)],
        }
