"""What happened to a question, in plain words: one short fact per stage. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from curator_core import Trace
from dashboard.tables import circled, decimals, plural, visible


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to know about an answer. label: a fixed word; text: plain text that may quote users; stage: for its colour; help: more."""

    label: str
    text: str
    stage: str
    help: str = ""


def what_happened(trace: Trace, loading: bool = False, line_known: bool = True) -> tuple[Fact, ...]:
    """Return the facts of a question, in the order of the stages; without the best match where `verdict` tells it.

    loading: the model is on its way, so that words alone are no fault. line_known: whether the test queries are asked already; else
    nothing is said of the line that is drawn through them.
    """
    found = (*((_no_tool,) if line_known else ()), _split, _words, _unknown, _synonyms, *(() if verdict(trace) else (_meaning,)))
    return (*(fact for facts in found for fact in facts(trace)), *_notes(trace, loading))


def verdict(trace: Trace) -> str:
    """Return one sentence where little or nothing speaks for the answer, "" where it is clear."""
    if trace.reason or trace.evidence == "clear":
        return ""
    best, line = decimals(trace.confidence.max_similarity, 2), decimals(trace.confidence.unsure_below, 2)
    if trace.evidence == "none":
        return f"Nothing here fits: the best meaning match is {best} (unsure below {line}), and no tool shares a word with the question."
    return f"Perhaps nothing here fits: the best meaning match is {best} (unsure below {line}); only single words are shared."


def cut_line(trace: Trace) -> str:
    """Say where the answer ends, and why there."""
    given, asked = len(trace.tools), trace.top_k
    if trace.confidence.low_confidence:
        return f"The agent is shown the {plural(given, 'tool')} above: {asked} asked for, and more because the answer is unsure."
    if trace.split.parts and any(pick.parts for pick in trace.picks):
        return f"The agent is shown the {plural(given, 'tool')} above: {asked} asked for; each part brings its own."
    return f"The agent is shown the {plural(given, 'tool')} above."


def _no_tool(trace: Trace) -> Iterator[Fact]:
    line = trace.no_tool_line
    if not trace.no_tool or line is None or not trace.picks or (verdict(trace) and not line.own):
        return
    best, value = decimals(trace.confidence.max_similarity, 2), decimals(line.value, 2)
    said = f"perhaps none applies: best match {best}, your own questions mostly reach {value}"
    if not line.own:
        said = f"perhaps none applies: best match {best}, below {value}"
    yield Fact("no tool?", said, "low_confidence", f"{line.sentence[:1].upper()}{line.sentence[1:]}. The Engine page shows the line.")


def _split(trace: Trace) -> Iterator[Fact]:
    if not trace.split.parts:
        return
    parts = "  ".join(f"{circled(number)} {visible(part.query)}" for number, part in enumerate(trace.split.parts, 1))
    markers = ", ".join(f"“{visible(marker)}”" for marker in trace.split.markers)
    budgets = trace.split.parts[0].budget
    does = "lifts the tools that answer it" if trace.settings.soft_split else f"may give {plural(budgets, 'tool')}"
    yield Fact("two-in-one", f"split at {markers} → {parts}", "split", f"Compound split: each part is searched alone and {does}.")


def _words(trace: Trace) -> Iterator[Fact]:
    sparse = trace.passes[0].sparse if trace.passes else None
    if sparse is None:
        return
    if sparse.skipped_because:
        said = {"no shared word": "no tool shares a word with the question", "no weight": "the shared words weigh nothing"}
        yield Fact("words", said[sparse.skipped_because], "sparse", "Word match (BM25) was left out for the whole question.")
        return
    known = [visible(word.word) for word in sparse.words if word.tools]
    yield Fact("words", " ".join(known), "sparse", "The question's words that some tool has; these count in word match (BM25).")


def _unknown(trace: Trace) -> Iterator[Fact]:
    if trace.unknown_words:
        text = " ".join(map(visible, trace.unknown_words))
        yield Fact("unknown words", text, "low_confidence", "No tool's text has these words. A synonym or extra context can teach them.")


def _synonyms(trace: Trace) -> Iterator[Fact]:
    if trace.synonyms:
        fired = ", ".join(f"{visible(one.phrase)} → {visible(one.term)} ({len(one.tools)})" for one in trace.synonyms)
        yield Fact(
            "synonyms", fired, "sparse", "Phrases of the question that a synonym rule put into tools' texts; in brackets, how many tools."
        )


def _meaning(trace: Trace) -> Iterator[Fact]:
    best = trace.confidence.max_similarity
    if best is None:
        return
    line = decimals(trace.confidence.unsure_below, 2)
    verdict = f"unsure: below {line}" if best < trace.confidence.unsure_below else f"unsure below {line}"
    yield Fact(
        "best meaning match", f"{decimals(best, 2)} ({verdict})", "dense", "Highest cosine similarity of all passes; 1 = the same meaning."
    )


def _notes(trace: Trace, loading: bool) -> Iterator[Fact]:
    for note in (*trace.notes, *((trace.reason,) if trace.reason else ())):
        yield Fact("note", _LOADING if loading and note.startswith("words only") else visible(note), "low_confidence")


_LOADING = "words only so far: the model is still loading, and the answer follows when it is there"
