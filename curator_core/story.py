"""One tool's way through the stages of one question: the figures, and a plain sentence made from them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from curator_core.records import Pick, Row
from curator_core.text import plural

Passes = tuple[tuple[str, str, Row], ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Why one tool was picked or not.

    in_pool: it was searched at all. place: 1 = first of the answer, None = not in it. via, parts: how it came in (see Pick).
    passes: (kind, query, row) of the whole question and each part, with true ranks. short_of: combined score that it lacks to reach the
    cut in the whole question, None where it has no rank there. sentence: all this in plain words.
    """

    tool: str
    in_pool: bool
    place: int | None
    via: str | None
    parts: tuple[int, ...]
    passes: Passes
    short_of: float | None
    sentence: str

    @property
    def picked(self) -> bool:
        """Whether the tool is in the answer."""
        return self.place is not None

    def to_dict(self) -> dict[str, Any]:
        """Return the story as JSON-serialisable values."""
        passes = [
            {"kind": kind, "query": query, "row": dataclasses.asdict(row) | {"forced_by": list(row.forced_by)}}
            for kind, query, row in self.passes
        ]
        names = ("tool", "in_pool", "picked", "place", "via", "short_of", "sentence")
        return {name: getattr(self, name) for name in names} | {"parts": list(self.parts), "passes": passes}


def outside_story(tool: str, role: str | None) -> Story:
    """Return the story of a tool that was not searched."""
    whose = f"role {role} may not see it" if role else "it is not in the pool that was asked for"
    return Story(tool, False, None, None, (), (), None, f"{tool} was not searched: {whose}.")


def picked_story(tool: str, passes: Passes, place: int, pick: Pick, number: int, answer: int) -> Story:
    """Return the story of a tool of the answer. number: the pass that brought it; answer: how many tools there are."""
    _, query, row = passes[number]
    if pick.via == "part":
        way = f" through part {number}, “{query}” ({ordinal(row.rank or 0)} there)"
    else:
        way = {"rank": "", "forced": " by the name rule on the whole question", "top-up": " as a top-up from the whole question"}[pick.via]
    sentence = f"{tool} is {ordinal(place)} of {answer}{way}: {why(row)}."
    return Story(tool, True, place, pick.via, pick.parts, passes, None, sentence)


def left_out_story(tool: str, passes: Passes, short_of: float | None, taken: str, answer: int, reason: str) -> Story:
    """Return the story of a tool that was searched and is not in the answer.

    short_of: the combined score it lacks; taken: what took the places where that is not the point; reason: why nothing was ranked at all.
    """
    if passes:
        row = passes[0][2]
        where = f"{ordinal(row.rank)} for the question" if row.rank else "in neither list"
        short = f"; it lacks {short_of:.4f} of combined score" if short_of else f"; {taken}" if taken else ""
        given = "the one tool that is given" if answer == 1 else f"among the {answer} tools"
        sentence = f"{tool} is not {given}: it is {where}, {why(row)}{short}."
    else:
        sentence = f"{tool} was not ranked: {reason}."
    return Story(tool, True, None, None, (), passes, short_of, sentence)


def why(row: Row) -> str:
    """Say in a few words what a pass found in favour of a tool: name rule, meaning, words."""
    clauses = []
    if row.forced:
        verb = "is" if len(row.forced_by) == 1 else "are"
        clauses.append(
            f"{_quoted(row.forced_by)} {verb} in its name ({row.forced_hits} of {plural(row.forced_of, 'word')}), so it comes first"
        )
    if row.dense_rank is not None:
        clauses.append(f"meaning #{row.dense_rank} ({row.similarity:.2f})")
    if row.sparse_rank is not None:
        clauses.append(f"words #{row.sparse_rank} ({_quoted(tuple(row.by_word))})")
    elif row.bm25 is not None:
        clauses.append("shared words weigh nothing" if row.by_word else "no shared word")
    if row.parts.get("anchor"):
        clauses.append(f"its name is said ({_quoted(row.forced_by)}, {row.forced_hits} of {plural(row.forced_of, 'word')})")
    if row.parts.get("split"):
        clauses.append("it fits a part of the question")
    return "; ".join(clauses) or "nothing speaks for it"


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f"“{word}”" for word in dict.fromkeys(words))


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th, …"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
