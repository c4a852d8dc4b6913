"""Why one tool stands before another on a question: both tools' figures side by side, and the stage that decides."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from curator_core.records import Row
from curator_core.text import plural
from curator_core.trace import Trace

Decider = Literal["pool", "forced", "dense", "sparse", "anchor", "split", "name order", "nothing"]
_LISTS: tuple[Decider, ...] = ("dense", "sparse", "anchor", "split")


@dataclass(frozen=True, slots=True)
class Versus:
    """Two tools on one question.

    first, second: the tools' keys, the one that stands before the other first. number, query: the pass in which they are compared (0 =
    the whole question). rows: what that pass knows of each, None for a tool that was not searched. margins: how much more each list
    gives to the first's combined score than to the second's. decided_by: what puts it there: the pool, the name rule ("forced"), a list
    of the combined score, the order of names, or nothing where neither is ranked. sentence: all this in plain words.
    """

    first: str
    second: str
    number: int
    query: str
    rows: tuple[Row | None, Row | None]
    margins: dict[str, float]
    decided_by: Decider
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-serialisable values."""
        rows = [row and dataclasses.asdict(row) | {"forced_by": list(row.forced_by)} for row in self.rows]
        names = ("first", "second", "number", "query", "margins", "decided_by", "sentence")
        return {name: getattr(self, name) for name in names} | {"rows": rows}


def compare_tools(trace: Trace, a: str, b: str) -> Versus:
    """Say why one of two tools stands before the other.

    They are compared in the pass that brought the one that stands first in the answer; in the whole question where neither is in it.
    Raises UnknownName for a tool that the registry does not have.
    """
    stories = {tool: trace.story(tool) for tool in (a, b)}
    places = {tool: story.place or len(trace.pool) + 1 for tool, story in stories.items()}
    number = _pass_of(trace, min((a, b), key=places.__getitem__))
    rows = {tool: story.passes[number][2] if story.passes else None for tool, story in stories.items()}
    first, second = sorted((a, b), key=lambda tool: (places[tool], *_standing(rows[tool], tool)))
    margins, decided_by = _decide(rows[first], rows[second])
    query = trace.passes[number].query if trace.passes else trace.query
    sentence = _sentence(first, second, (rows[first], rows[second]), decided_by, query if number else "")
    return Versus(first, second, number, query, (rows[first], rows[second]), margins, decided_by, sentence)


def _pass_of(trace: Trace, tool: str) -> int:
    return trace.pass_of(trace.picks[trace.tools.index(tool)]) if tool in trace.tools else 0


def _standing(row: Row | None, tool: str) -> tuple[bool, float, str]:
    return (row is None, row.rank or float("inf") if row else float("inf"), tool)


def _decide(first: Row | None, second: Row | None) -> tuple[dict[str, float], Decider]:
    if first is None or second is None:
        return {}, "nothing" if first is None else "pool"
    margins = {name: first.parts[name] - second.parts[name] for name in first.parts}
    if first.rank is None:
        return margins, "nothing"
    if first.forced != second.forced:
        return margins, "forced"
    if first.score == second.score or not margins:
        return margins, "name order"
    return margins, max((name for name in _LISTS if name in margins), key=lambda name: margins[name])


def _sentence(first: str, second: str, rows: tuple[Row | None, Row | None], decided_by: Decider, part: str) -> str:
    where = f" for the part “{part}”" if part else ""
    one, other = rows
    if decided_by == "nothing" or one is None:
        return f"Neither {first} nor {second} is ranked{where}."
    if decided_by == "pool" or other is None:
        return f"{first} stands before {second}{where}: {second} was not searched."
    reasons = {
        "forced": f"the name rule puts {first if one.forced else second} first ({_name_hits(one if one.forced else other)})",
        "dense": f"meaning decides: {_meaning(one)} against {_meaning(other)}",
        "sparse": f"words decide: {_words(one)} against {_words(other)}",
        "anchor": f"more of its name is said: {_name_hits(one)}; of {second}, {other.forced_hits} of {other.forced_of}",
        "split": "it fits a part of the question better",
        "name order": "both have the same score, so the order of names decides",
    }
    return f"{first} stands before {second}{where}: {reasons[decided_by]}."


def _name_hits(row: Row) -> str:
    return f"{row.forced_hits} of {plural(row.forced_of, 'word')} of its name {'is' if row.forced_of == 1 else 'are'} in the question"


def _words(row: Row) -> str:
    return f"#{row.sparse_rank} ({', '.join(f'“{word}”' for word in row.by_word)})" if row.sparse_rank else "no word that weighs anything"


def _meaning(row: Row) -> str:
    return "none" if row.similarity is None else f"#{row.dense_rank} ({row.similarity:.2f})"
