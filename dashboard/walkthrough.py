"""How the scores of one question came about, step by step, with the numbers of its trace. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from curator_core import Row, Trace
from dashboard.charts import WORDS
from dashboard.tables import circled, decimals, plural, visible


@dataclass(frozen=True, slots=True)
class Step:
    """One step. label: a fixed word; stage: for its colour; lines: plain text that may quote users."""

    label: str
    stage: str
    lines: tuple[str, ...]


def walkthrough(trace: Trace, tool: str) -> tuple[Step, ...]:
    """Return the way of a searched tool through the stages, in the pass that brought it, in their order."""
    if not trace.passes or tool not in trace.positions:
        return (Step("question", "low_confidence", (trace.story(tool).sentence,)),)
    number = trace.pass_of(trace.picks[trace.tools.index(tool)]) if tool in trace.tools else 0
    row = trace.row(number, trace.positions[tool])
    steps = (_question(trace, number), _meaning(trace, number, row), _words(trace, number, row), _combined(trace, row), _named(trace, row))
    return tuple(step for some in steps for step in some) + tuple(_unsure(trace)) + (_place(trace, tool),)


def combined_line(row: Row, rrf_k: int) -> str:
    """Return the sum of the combined score, with both ranks: 1/(60+1) + 1/(60+3) = .0164 + .0159 = .0323."""
    ranks = {"dense": row.dense_rank, "sparse": row.sparse_rank}
    counted = {name: part for name, part in row.parts.items() if ranks.get(name)}
    if not counted:
        return f"in neither list = {decimals(row.score, 4)}"
    terms = " + ".join(f"1/({rrf_k}+{ranks[name]})" for name in counted)
    values = " + ".join(decimals(part, 4) for part in counted.values())
    return f"{terms} = {values}" + (f" = {decimals(row.score, 4)}" if len(counted) > 1 else "")


def added_line(row: Row) -> str:
    """Return the sum of an added score: .4513 meaning + .1973 words + .0282 name = .6768."""
    terms = " + ".join(f"{decimals(part, 4)} {WORDS[name]}" for name, part in row.parts.items() if part)
    return f"{terms or '0'} = {decimals(row.score, 4)}"


def _question(trace: Trace, number: int) -> Iterator[Step]:
    asked = f"“{visible(trace.query)}” is searched among {plural(len(trace.pool), 'tool')}."
    if not trace.split.parts:
        yield Step("question", "low_confidence", (asked,))
        return
    soft = trace.settings.soft_split
    parts = tuple(
        f"{circled(i)} “{visible(part.query)}”" + ("" if soft else f", up to {plural(part.budget, 'tool')}")
        for i, part in enumerate(trace.split.parts, 1)
    )
    markers = ", ".join(f"“{visible(marker)}”" for marker in trace.split.markers)
    used = f"The figures below are those of part {circled(number)}." if number else "The figures below are those of the whole question."
    does = ", and lifts the tools that answer it" if soft else ""
    yield Step("two-in-one", "split", (asked, f"It is split at {markers}, and each part is searched alone{does}:", *parts, used))


def _meaning(trace: Trace, number: int, row: Row) -> Iterator[Step]:
    dense = trace.passes[number].dense
    if dense is None or row.similarity is None:
        yield Step("meaning", "dense", ("Meaning match is off, or the model is not there.",))
        return
    yield Step(
        "meaning",
        "dense",
        (
            f"The model turns “{visible(dense.encoded)}” into a vector and compares it with each tool's.",
            f"Similarity {decimals(row.similarity, 4)}: rank {row.dense_rank} of {len(trace.pool):,}.",
        ),
    )


def _words(trace: Trace, number: int, row: Row) -> Iterator[Step]:
    sparse = trace.passes[number].sparse
    if sparse is None or row.bm25 is None:
        yield Step("words", "sparse", ("Word match is off.",))
    elif not row.sparse_rank:
        yield Step("words", "sparse", ("Question and tool share no word that weighs anything: no rank in this list.",))
    else:
        words = " + ".join(f"{visible(word)} {decimals(weight, 2)}" for word, weight in row.by_word.items())
        yield Step(
            "words", "sparse", (f"BM25: {words} = {decimals(row.bm25, 2)}.", f"Rank {row.sparse_rank} of the tools that share a word.")
        )


def _combined(trace: Trace, row: Row) -> Iterator[Step]:
    if trace.settings.add_scores:
        settings = trace.settings
        weights = f"similarity, {settings.words_weight:g} × word score, {settings.name_weight:g} × share of the name said"
        yield Step("combined", "low_confidence", (f"Added: {weights}, and what a part of the question lifts it by.", added_line(row)))
        return
    k = trace.settings.rrf_k
    yield Step("combined", "low_confidence", (f"1/({k}+rank) from each list, added:", combined_line(row, k)))


def _named(trace: Trace, row: Row) -> Iterator[Step]:
    if not trace.settings.anchor:
        yield Step("name rule", "anchor", ("The name rule is off.",))
        return
    if trace.settings.soft_anchor:
        said = f"{row.forced_hits} of {plural(row.forced_of, 'word')} of its name in the question"
        found = f" ({', '.join(map(visible, row.forced_by))})" if row.forced_by else ""
        yield Step("name rule", "anchor", (f"{said}{found}; rare words count more.",))
        return
    share = (
        f"{row.forced_hits} of {plural(row.forced_of, 'word')} of its name in the question; {trace.settings.anchor_ratio:.0%} are needed"
    )
    found = f" ({', '.join(map(visible, row.forced_by))})" if row.forced_by else ""
    yield Step("name rule", "anchor", (f"{share}{found}: " + ("it comes before all others." if row.forced else "nothing changes."),))


def _unsure(trace: Trace) -> Iterator[Step]:
    best, line = trace.confidence.max_similarity, trace.confidence.unsure_below
    if best is None:
        return
    verdict = "unsure, so more tools are given" if trace.confidence.low_confidence else "sure enough"
    yield Step(
        "unsure?",
        "low_confidence",
        (f"The best similarity of the question is {decimals(best, 2)}, the line is {decimals(line, 2)}: {verdict}.",),
    )


def _place(trace: Trace, tool: str) -> Step:
    return Step("place", "low_confidence", (visible(trace.story(tool).sentence), f"The agent is shown {plural(len(trace.tools), 'tool')}."))
