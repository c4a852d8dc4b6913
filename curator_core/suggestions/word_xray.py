"""Word X-ray of a tool: for each word and phrase of its texts, whether it helps the tool's test queries, hurts them, or does nothing.

Each is left out in turn, as an edit like any other, and the tool's open test queries are asked again. What they lose without it is what
it is worth. Synonym phrases are left out of their rule, so other tools that the rule reaches lose them too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from curator_core.curator import Curator
from curator_core.evaluation import evaluate
from curator_core.index import build_index
from curator_core.proof.margin import margin_of
from curator_core.proof.query_result import RIGHT_WITHIN
from curator_core.queries.held_out import without_held_out
from curator_core.registry import Edit, TestQuery
from curator_core.synonyms import SynonymRules, indexed_text
from curator_core.text import fold
from curator_core.trace import Trace

Field = Literal["description", "extra_context", "synonyms"]
Kind = Literal["word", "phrase"]
Verdict = Literal["helps", "hurts", "mixed", "in reserve", "dead weight"]
Progress = Callable[[int, int], None]

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PHRASE = re.compile(r"[^,;:.!?()\n]+")
LEAST_SIMILARITY = 0.005  # of meaning match, below which a piece adds nothing
_BLOCK = 16  # pieces whose texts are encoded together


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or phrase of a tool's text. field: where it stands; term: of a synonym phrase, the rule's term; edit: what leaves it out."""

    text: str
    kind: Kind
    field: Field
    term: str
    edit: Edit


@dataclass(frozen=True, slots=True)
class PieceWorth:
    """What a piece is worth to the tool's test queries, of which there are Xray.queries.

    helps, hurts: queries in which the tool stands lower, or higher, without it. keeps, keeps_out: queries in which the tool is among the
    first 5 only with it, or only without it. gain: places that the tool stands higher with it, in the mean. similarity, bm25: what it
    adds to meaning match and word match, in the mean.
    """

    piece: Piece
    helps: int
    hurts: int
    keeps: int
    keeps_out: int
    gain: float
    similarity: float
    bm25: float

    @property
    def verdict(self) -> Verdict:
        """Whether it helps, hurts, or both; of what changes no rank: whether it adds to a match at all ("in reserve") or not."""
        if self.helps and self.hurts:
            return "mixed"
        if self.helps or self.hurts:
            return "helps" if self.helps else "hurts"
        return "in reserve" if self.similarity >= LEAST_SIMILARITY or self.bm25 > 0 else "dead weight"


@dataclass(frozen=True, slots=True)
class Xray:
    """The X-ray of a tool. queries: how many open test queries expect it; pieces: by what they are worth, the most helpful first."""

    tool: str
    queries: int
    pieces: tuple[PieceWorth, ...]

    def having(self, *verdicts: Verdict) -> tuple[PieceWorth, ...]:
        """Return the pieces with one of these verdicts."""
        return tuple(piece for piece in self.pieces if piece.verdict in verdicts)


def xray(curator: Curator, tool: str, progress: Progress | None = None, cases: Iterable[TestQuery] | None = None) -> Xray:
    """X-ray a tool's description, extra context and synonyms, with the curator's settings.

    cases: test queries, of which the tool's open ones are asked; None = the registry's. progress: called with (pieces tried, pieces).
    Raises UnknownName for a tool that the registry does not have.
    """
    pieces = tuple(pieces_of(curator, tool))
    some = without_held_out(curator.index.registry.test_queries if cases is None else cases)
    asked = [result.case for result in evaluate(curator, [case for case in some if tool in (case.expected or ())]).having("judged")]
    start, worth = _standings(curator, tool, asked), []
    for number, piece in enumerate(pieces if start else (), 1):
        if number % _BLOCK == 1:
            _encode(curator, tool, pieces[number - 1 : number - 1 + _BLOCK])
        worth.append(_worth(piece, start, _standings(_without(curator, piece), tool, asked)))
        if progress:
            progress(number, len(pieces))
    worth.sort(key=lambda one: (-one.gain, -one.similarity, one.piece.field, one.piece.text))
    return Xray(tool, len(start), tuple(worth))


def pieces_of(curator: Curator, tool: str) -> Iterator[Piece]:
    """Return the words of a tool's description and extra context, none twice a field, its phrases of several words, and its synonyms."""
    index, registry = curator.index, curator.index.registry
    texts: dict[Field, str] = {"description": registry.tool(tool).description, "extra_context": registry.tool(tool).extra_context}
    for field, text in texts.items():
        for word in dict.fromkeys(map(fold, _WORD.findall(text))):
            yield Piece(word, "word", field, "", registry.edit(tool, field, _cut(text, rf"(?<!\w){re.escape(word)}(?!\w)")))
        phrases = [phrase.strip() for phrase in _PHRASE.findall(text) if phrase.strip()]
        for phrase in dict.fromkeys(phrase for phrase in phrases if len(phrase.split()) > 1 and len(phrases) > 1):
            yield Piece(phrase, "phrase", field, "", registry.edit(tool, field, _cut(text, re.escape(phrase))))
    for rule in index.texts[index.positions[tool]].synonyms:
        for phrase in rule.phrases:
            others = tuple(one for one in registry.synonyms[rule.term] if one.strip() != phrase)
            yield Piece(phrase, "phrase", "synonyms", rule.term, registry.edit(rule.term, "synonyms", others))


def _cut(text: str, pattern: str) -> str:
    """Return a text without what a pattern finds, and without the blanks and doubled commas that it leaves behind."""
    left = re.sub(pattern, "", text, flags=re.IGNORECASE)
    left = re.sub(r"[ \t]+(?=[,;.:!?])", "", re.sub(r"[ \t]{2,}", " ", left))
    return re.sub(r"([,;])(?:\s*[,;])+", r"\1", left).strip(" ,;\t")


def _encode(curator: Curator, tool: str, pieces: Sequence[Piece]) -> None:
    """Make the vectors of the tool's text without each of some pieces, together."""
    store, registry = curator.index.store, curator.index.registry
    if store is not None:
        edited = (registry.with_edits((piece.edit,)) for piece in pieces)
        store.rows([indexed_text(tool, one.tool(tool), SynonymRules(one.synonyms)).text() for one in edited])


def _without(curator: Curator, piece: Piece) -> Curator:
    index = curator.index
    folder = None if index.store is None else index.store.cache_dir
    edited = index.registry.with_edits((piece.edit,))
    return Curator(build_index(edited, index.encoder, folder, previous=index), curator.settings)


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a tool stands in one question. rank: behind all others where neither list ranks it."""

    rank: int
    similarity: float
    bm25: float


def _standings(curator: Curator, tool: str, cases: Sequence[TestQuery]) -> list[_Standing]:
    """Return how a tool stands in each question that searched it."""
    traces = (curator.curate(case.query, top_k=max(20, curator.settings.top_k), role=case.role) for case in cases)
    return [_standing(trace, tool) for trace in traces if tool in trace.positions]


def _standing(trace: Trace, tool: str) -> _Standing:
    margin = margin_of(trace, (tool,), (), RIGHT_WITHIN, RIGHT_WITHIN)
    row = trace.row(0, trace.positions[tool]) if trace.passes else None
    rank = margin.rank if margin and margin.rank else len(trace.pool) + 1
    return _Standing(rank, (row and row.similarity) or 0.0, (row and row.bm25) or 0.0)


def _worth(piece: Piece, start: Sequence[_Standing], without: Sequence[_Standing]) -> PieceWorth:
    pairs, count = list(zip(start, without, strict=True)), len(start)
    return PieceWorth(
        piece,
        helps=sum(other.rank > one.rank for one, other in pairs),
        hurts=sum(other.rank < one.rank for one, other in pairs),
        keeps=sum(one.rank <= RIGHT_WITHIN < other.rank for one, other in pairs),
        keeps_out=sum(other.rank <= RIGHT_WITHIN < one.rank for one, other in pairs),
        gain=sum(other.rank - one.rank for one, other in pairs) / count,
        similarity=sum(one.similarity - other.similarity for one, other in pairs) / count,
        bm25=sum(one.bm25 - other.bm25 for one, other in pairs) / count,
    )
