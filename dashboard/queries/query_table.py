"""The list of test queries: what they are called, which of them a filter leaves, how they stand, and their figures. Pure: no Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from curator_core import Edit, Evaluation, NearCopy, QueryResult, Registry, TestQuery, is_held_out
from dashboard.tables import decimals, visible

ENOUGH = 20  # judged queries from which a mean says something
STANDINGS = {"failing": "✕ failing", "ok": "✓ ok", "no tool": "∅ no tool", "unjudged": "? unjudged", "invalid": "! invalid"}
FIELDS = {"extra_context": "extra context", "examples": "examples"}
WAITING = "…"
NO_ROLE = "(no role)"
NO_TAG = "(no tag)"
_LONGEST = 120  # letters of a question in its label
_METRICS = ("hit@1", "recall@5", "recall@20", "mrr")


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """What to show of the test queries. text: all its words must stand in the question, its tools or its note; lens: a role sees its own
    and those without one; held_out: show those that are held out too.
    """

    text: str = ""
    tag: str | None = None
    role: str | None = None
    standing: str | None = None
    critical: bool = False
    lens: str | None = None
    held_out: bool = False


def labels(cases: Sequence[TestQuery]) -> tuple[str, ...]:
    """Return what each test query is called on screen and in the address: its question, with the role or a number where that is no name."""
    questions = [_short(case.query) for case in cases]
    twice = Counter(questions)
    named = [name if twice[name] == 1 else f"{name} · {case.role or NO_ROLE}" for name, case in zip(questions, cases, strict=True)]
    seen: Counter[str] = Counter()
    found = []
    for name in named:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)


def matching(cases: Sequence[TestQuery], results: Mapping[TestQuery, QueryResult], wanted: QueryFilter) -> tuple[int, ...]:
    """Return the places of the test queries that the filter leaves, in their order."""
    words = wanted.text.casefold().split()
    return tuple(place for place, case in enumerate(cases) if _fits(case, results.get(case), wanted, words))


def queries_table(cases: Sequence[TestQuery], results: Mapping[TestQuery, QueryResult], marks: Mapping[TestQuery, str]) -> pd.DataFrame:
    """Return one row a test query, and how it stands. marks: further remarks, such as where a near-copy of it stands."""
    found = [results.get(case) for case in cases]
    margins = [result.margin if result else None for result in found]
    columns: dict[str, list[object]] = {
        "query": [visible(case.query) or "(blank)" for case in cases],
        "expected": [expected_text(case) for case in cases],
        "status": [[STANDINGS[result.standing] if result else WAITING] for result in found],
        "rank now": [margin.rank if margin else None for margin in margins],
        "margin": [margin.places if margin else None for margin in margins],
        "lost by": [result.losses[0].stage if result and result.losses else "" for result in found],
        "forbidden": [visible(", ".join(case.forbidden)) for case in cases],
        "role": [visible(case.role or "") for case in cases],
        "tags": [visible(", ".join(case.tags)) for case in cases],
        "critical": ["✓" if case.critical else "" for case in cases],
        "note": [visible(case.note) for case in cases],
        "remarks": [remark(result, marks.get(case, "")) for case, result in zip(cases, found, strict=True)],
    }
    frame = pd.DataFrame(columns)
    return frame.astype({"rank now": "Int64", "margin": "Int64"})


def expected_text(case: TestQuery) -> str:
    """Return the tools that a test query expects, and in words where it names none."""
    if case.expected is None:
        return ""
    return visible(", ".join(case.expected)) or "(no tool)"


def remark(result: QueryResult | None, mark: str = "") -> str:
    """Say what an author should know of a test query beside its figures: why it fails, or why it is not counted. mark: what else."""
    said = []
    if result is not None:
        said = [result.reason] if result.standing in ("invalid", "unjudged") else [loss.sentence for loss in result.losses]
        said += ["answered as unsure, as it should be"] if result.status == "no_tool" and result.right else []
    return visible("; ".join((*said, *([mark] if mark else []))))


def leak_marks(copies: Sequence[NearCopy]) -> dict[TestQuery, str]:
    """Say of each test query in which tools' texts it stands nearly word for word."""
    places: dict[TestQuery, dict[str, None]] = {}
    for copy in copies:
        places.setdefault(copy.case, {})[f"{FIELDS[copy.field]} of {copy.tool}"] = None
    return {case: f"repeated in {', '.join(some)}: passes by its own words" for case, some in places.items()}


def tags_of(cases: Sequence[TestQuery]) -> tuple[str, ...]:
    """Return every tag that some test query has, the most frequent first."""
    counts = Counter(tag for case in cases for tag in dict.fromkeys(case.tags))
    return tuple(sorted(counts, key=lambda tag: (-counts[tag], tag)))


def roles_of(cases: Sequence[TestQuery]) -> tuple[str, ...]:
    """Return every role that some test query has, and NO_ROLE first where some have none."""
    roles = sorted({case.role for case in cases if case.role})
    return (*([NO_ROLE] if any(not case.role for case in cases) and roles else []), *roles)


def count_line(cases: Sequence[TestQuery], results: Mapping[TestQuery, QueryResult]) -> str:
    """Return how many test queries stand how, in words; nothing that is not measured yet is counted."""
    counts: Counter[str] = Counter(results[case].standing for case in cases if case in results)
    left = sum(case not in results for case in cases)
    said = [f"{counts[standing]:,} {standing}" for standing in STANDINGS if counts[standing]]
    return " · ".join((*said, *([f"{left:,} not measured yet"] if left else [])))


def figures_table(parts: Mapping[str, Evaluation]) -> pd.DataFrame:
    """Return the figures of each part of the test queries: means over judged ones with their number, and what is counted apart.

    Below ENOUGH judged queries there are no means: chance would speak.
    """
    rows = []
    for name, found in parts.items():
        judged = len(found.having("judged"))
        means = {metric: found.metrics[metric] for metric in _METRICS} if judged else {}
        few = f"too few queries to say (n = {judged})" if judged else "none judged"
        shown = [decimals(means[metric], 3) for metric in _METRICS] if judged >= ENOUGH else [few, *[""] * (len(_METRICS) - 1)]
        no_tool = found.no_tool
        flagged = f"{no_tool['flagged']:,} of {no_tool['queries']:,}" if no_tool["queries"] else "–"
        apart = (f"{len(found.having(status)):,}" for status in ("unjudged", "invalid"))
        rows.append((name, f"{judged:,}", *shown, flagged, *apart))
    return pd.DataFrame(rows, columns=["", "judged", *_METRICS, "no tool flagged", "unjudged", "invalid"])


def split_parts(evaluation: Evaluation) -> dict[str, tuple[QueryResult, ...]]:
    """Return the results of the open and of the held-out test queries: no figure mixes the two. A part without any is left out."""
    held = tuple(result for result in evaluation.results if is_held_out(result.case))
    shown = tuple(result for result in evaluation.results if not is_held_out(result.case))
    return {name: some for name, some in (("open", shown), ("held out", held)) if some}


def edited_queries(registry: Registry, edits: Sequence[Edit]) -> frozenset[TestQuery]:
    """Return the test queries that the draft has added or changed."""
    return frozenset(edit.new for edit in edits if edit.field == "test_query" and edit.new in registry.test_queries)


def scope_text(marked: int, shown: int) -> dict[str, str]:
    """Return what an act on many queries can be about: those that are marked, or all that the filter leaves."""
    return ({"marked": f"the {marked:,} that are marked"} if marked else {}) | {"shown": f"all {shown:,} that the filter shows"}


def queries(number: int) -> str:
    """Return a number of test queries in words."""
    return f"{number:,} test {'query' if number == 1 else 'queries'}"


def kept_marks(marked: Collection[str], shown: Sequence[str]) -> list[int]:
    """Return which rows are marked, of those that are shown."""
    return [row for row, label in enumerate(shown) if label in marked]


def _fits(case: TestQuery, result: QueryResult | None, wanted: QueryFilter, words: Sequence[str]) -> bool:
    if is_held_out(case) and not wanted.held_out:
        return False
    if wanted.tag is not None and (bool(case.tags) if wanted.tag == NO_TAG else wanted.tag not in case.tags):
        return False
    if wanted.role is not None and (case.role or NO_ROLE) != wanted.role:
        return False
    if wanted.lens is not None and case.role not in (None, wanted.lens):
        return False
    if wanted.standing is not None and (result is None or result.standing != wanted.standing):
        return False
    text = "\n".join((case.query, *(case.expected or ()), *case.forbidden, case.note)).casefold()
    return (case.critical or not wanted.critical) and all(word in text for word in words)


def _short(query: str) -> str:
    text = " ".join(visible(query).split())
    return (text[: _LONGEST - 1] + "…" if len(text) > _LONGEST else text) or "(blank)"
