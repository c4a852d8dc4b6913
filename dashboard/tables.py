"""What pages show, as tables and short texts made from core records. Pure: no Streamlit."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from curator_core import Problem, Row, Settings, Story, TestQuery, Tool, ToolIndex, Trace, why, without_held_out
from curator_core.text import plural as plural  # pages take it from here, with the other short texts
from dashboard.charts import bar_image

NAME, TOP_UP, EXTRA = "name", "top-up", "unsure"
STAGE_WORDS = {"dense": "meaning", "sparse": "words"}
SEGMENT_WORDS = {
    "name": "name, as words",
    "description": "description",
    "extra_context": "extra context",
    "synonyms": "synonyms",
    "group": "group (profile tuned)",
    "parameters": "names of parameters (word match, profile tuned)",
    "parameter_texts": "descriptions of parameters (word match, profile tuned)",
    "examples": "example question (profile tuned)",
}
COMBINED_HELP = (
    "Combined score. Profile seed: 1 / (60 + rank) from each list, added (Reciprocal Rank Fusion); only its order means something. "
    "Profile tuned: similarity + 0.02 × word score + 0.06 × share of the name + what a part of the question adds (score fusion)."
)

if TYPE_CHECKING:
    import pandas as pd
FINGERPRINTED = "every tool's name, description, extra context, synonyms, group, parameters, examples and roles, and the model"
_KEPT = "\n\t"
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def visible(text: str) -> str:
    """Return the text with control, zero-width, bidi and other unseen characters written out, such as ‹U+200B›; line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"‹U+{ord(letter):04X}›" if _unseen(letter) else letter for letter in text)


def _unseen(letter: str) -> bool:
    return letter not in _KEPT and unicodedata.category(letter) in _UNSEEN


def frame(data: Any, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return a table for the screen, of rows or of columns. pandas comes with the first one: a page without tables is there without it."""
    import pandas

    return pandas.DataFrame(data, columns=columns)  # type: ignore[arg-type]


def value_text(value: object) -> str:
    """Return an edit's old or new value as text: lists one entry a line, what is not there in brackets."""
    if value is None:
        return "(not there)"
    return visible("\n".join(map(str, value)) if isinstance(value, tuple) else str(value))


def problems_table(problems: Sequence[Problem]) -> pd.DataFrame:
    """Return what is wrong with a registry: errors first."""
    ordered = sorted(problems, key=lambda problem: problem.level)
    rows = [(problem.level, visible(problem.where), visible(problem.found), visible(problem.fix)) for problem in ordered]
    return frame(rows, ["level", "where", "found", "what to do"])


def short_model(model_id: str) -> str:
    """Return a model's name without its maker or folder."""
    return visible(model_id.rstrip("/").rsplit("/", 1)[-1])


def decimals(number: float | None, places: int) -> str:
    """Return a number with fixed decimals and without the zero before the point: .71, 6.2, -.03; "" for None."""
    if number is None:
        return ""
    text = f"{number:z.{places}f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def circled(number: int) -> str:
    """Return ①, ②, … for a part's number."""
    return chr(0x2460 + number - 1) if 1 <= number <= 20 else f"({number})"


def moved(before: int | None, after: int | None) -> str:
    """Return how a place changed: ▲13, ▼2, =, new, gone, or "" where there was none and is none."""
    if before is None or after is None:
        return "new" if after is not None else "gone" if before is not None else ""
    return f"▲{before - after}" if before > after else f"▼{after - before}" if after > before else "="


def example_questions(cases: Sequence[TestQuery], limit: int) -> tuple[str, ...]:
    """Return questions to start with, of different kinds where the first tags differ; none of those that are held out for measuring."""
    shown = [case for case in without_held_out(cases) if case.expected]
    kinds = {case.tags[:1]: case.query for case in reversed(shown)}
    return tuple(dict.fromkeys((*reversed(kinds.values()), *(case.query for case in shown))))[:limit]


def offered(keys: Collection[str], typed: str | None, limit: int) -> tuple[str, ...]:
    """Return the tools that a choice offers: all if they are few; else the typed one, or up to `limit` whose key has the typed text.

    A list of thousands would keep the browser busy for a second at each redraw.
    """
    if len(keys) <= limit:
        return tuple(keys)
    if typed is None or typed in keys:
        return tuple(dict.fromkeys((*((typed,) if typed else ()), *islice(keys, limit - 1))))
    wanted = typed.casefold()
    return tuple(islice((key for key in keys if wanted in key.casefold()), limit))


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the answer, or below it. place: None below the cut. row: of the pass that brought it; number: which pass that was.

    before: the place in the answer that this one is compared with; change: how it changed.
    """

    key: str
    place: int | None
    number: int
    row: Row
    flags: tuple[str, ...]
    change: str = ""
    before: int | None = None


def answer(trace: Trace, before: Trace | None = None) -> tuple[Listed, ...]:
    """Return the lines of the answer, in order. before: the trace to compare places with."""
    lines = []
    for place, pick in enumerate(trace.picks, 1):
        key, number = trace.pool[pick.position], trace.pass_of(pick)
        row = trace.row(number, pick.position)
        flags = [circled(part) for part in pick.parts]
        flags += [NAME] if row.forced else []
        flags += [TOP_UP] if pick.via == "top-up" else []
        flags += [EXTRA] if pick.via == "rank" and place > trace.top_k else []
        was = _place(before, key)
        lines.append(Listed(key, place, number, row, tuple(flags), moved(was, place) if before else "", was))
    return tuple(lines)


def below(trace: Trace, limit: int, before: Trace | None = None) -> tuple[Listed, ...]:
    """Return the first tools below the cut, in the order of the whole question."""
    if not trace.passes:
        return ()
    inside = set(trace.tools)
    others = islice((row for row in trace.rows(0, "all") if row.tool not in inside), limit)
    return tuple(listed_row(trace, row.tool, _place(before, row.tool)) for row in others)


def listed_row(trace: Trace, key: str, before: int | None) -> Listed:
    """Return the line of a searched tool that is not in the answer, with its figures for the whole question."""
    return Listed(key, None, 0, trace.row(0, trace.positions[key]), (), moved(before, None), before)


def list_frame(lines: Sequence[Listed], settings: Settings, compare: str = "") -> pd.DataFrame:
    """Return the lines as the playground's table: what an author reads in one row, in the order of every page's columns.

    compare: what the places are compared with, in a word; "" = nothing.
    """
    full = best_score(settings, [line.row for line in lines])
    columns: dict[str, list[object]] = {"#": [line.place or line.row.rank for line in lines]}
    if compare:
        columns[f"{compare} #"] = [str(line.before or "–") for line in lines]
        columns[f"vs {compare}"] = [line.change for line in lines]
    columns |= {
        "tool": [visible(line.key) for line in lines],
        "stages": [bar_image(line.row.parts, full) for line in lines],
        "meaning": [meaning_cell(line.row) for line in lines],
        "words": [words_cell(line.row) for line in lines],
        "combined": [decimals(line.row.score, 4) for line in lines],
        "flags": [list(line.flags) for line in lines],
        "why": [visible(why(line.row)) for line in lines],
    }
    return frame(columns)


def best_score(settings: Settings, rows: Iterable[Row]) -> float:
    """Return the score that fills a bar: first in both lists, or the highest of the rows where scores are added."""
    if not settings.add_scores:
        return 2 / (settings.rrf_k + 1)
    return max((row.score for row in rows), default=0.0) or 1.0


def name_cell(row: Row) -> str:
    """Return how many words of the name are said, such as "1 of 2", with a sign where that counts; "–" where none can be."""
    if not row.forced_of:
        return "–"
    counted = " ✓" if row.forced else f" {decimals(row.parts['anchor'], 4)}" if row.parts.get("anchor") else ""
    return f"{row.forced_hits} of {row.forced_of}{counted}"


def meaning_cell(row: Row) -> str:
    """Return rank and similarity, such as "#1 .71"; "–" where the stage is off or the model is not there."""
    return "–" if row.dense_rank is None else f"#{row.dense_rank} {decimals(row.similarity, 2)}"


def words_cell(row: Row) -> str:
    """Return rank and BM25 score, such as "#1 6.2"; "–" where no word is shared or the stage is off."""
    return f"#{row.sparse_rank} {row.bm25:.1f}" if row.sparse_rank and row.bm25 is not None else "–"


def passes_frame(story: Story) -> pd.DataFrame:
    """Return one tool's figures in each pass: the text twin of the stage bars."""
    rows = [
        {
            "pass": "whole question" if kind == "whole" else f"{circled(number)} {visible(query)}",
            "rank": str(row.rank or "–"),
            "meaning": meaning_cell(row),
            "words": words_cell(row),
            "combined": decimals(row.score, 4),
            "name rule": name_cell(row),
        }
        for number, (kind, query, row) in enumerate(story.passes)
    ]
    return frame(rows)


def stage_parts(story: Story) -> tuple[tuple[str, Mapping[str, float], Row], ...]:
    """Return for each pass its short name, what each stage adds to the combined score, and the row."""
    names = ("whole question", *(f"part {circled(number)}" for number in range(1, len(story.passes))))
    return tuple((name, row.parts, row) for name, (_, _, row) in zip(names, story.passes, strict=True))


def words_frame(trace: Trace, number: int, row: Row) -> pd.DataFrame:
    """Return what each word of one pass's question adds to one tool's word match; the tool's own words first."""
    sparse = trace.passes[number].sparse
    words = sorted(sparse.words if sparse else (), key=lambda word: -row.by_word.get(word.word, -1.0))
    rows = [
        {
            "word": visible(word.word) + (f" ×{word.count}" if word.count > 1 else ""),
            "adds": f"{row.by_word[word.word]:.2f}" if word.word in row.by_word else "–",
            "weight": f"{word.idf:.2f}" if word.tools else "–",
            "tools with it": str(word.tools),
        }
        for word in words
    ]
    return frame(rows, ["word", "adds", "weight", "tools with it"])


def tool_texts(tool: Tool) -> tuple[tuple[str, str], ...]:
    """Return what a tool's author wrote, each with its name, empty ones left out."""
    texts = {
        "description": tool.description,
        "extra context": tool.extra_context,
        "roles": ", ".join(tool.roles),
        "group": tool.group,
        "tags": ", ".join(tool.tags),
        "examples": "\n".join(tool.examples),
        "parameters": json.dumps(dict(tool.parameters), indent=1, ensure_ascii=False) if tool.parameters else "",
    }
    return tuple((name, visible(text)) for name, text in texts.items() if text)


def segments(index: ToolIndex, key: str, further: bool = False) -> Iterator[tuple[str, str, str]]:
    """Yield, per segment of a tool's indexed text: its name, what the model reads of it, and what it does not.

    further: also what only the tuned profile looks at.
    """
    unseen = index.unseen(key)
    text = index.texts[index.positions[key]]
    for segment in (*text.segments, *(text.further if further else ())):
        cut = unseen.get(segment.kind, "")
        yield SEGMENT_WORDS[segment.kind], visible(segment.text.removesuffix(cut).rstrip() if cut else segment.text), visible(cut.strip())


def _place(trace: Trace | None, key: str) -> int | None:
    return trace.tools.index(key) + 1 if trace is not None and key in trace.tools else None
