"""Questions that real users asked: read from a log with how often each was asked, and found wanting where nothing answers them well."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from curator_core.curator import Curator
from curator_core.errors import Problem
from curator_core.files.delimited import UNQUOTED, read_table
from curator_core.files.json_source import JsonFault, broken, decode, parse
from curator_core.proof.query_result import QueryResult
from curator_core.registry import Registry
from curator_core.settings import Settings
from curator_core.text import folded_question, has_word_character
from curator_core.trace import Trace

Doubt = Literal["no tool", "unsure", "no shared word", "weaker than your tests", "near tie"]
DOUBTS: tuple[Doubt, ...] = ("no tool", "unsure", "no shared word", "weaker than your tests", "near tie")
FEWEST_TESTS = 20  # passing test queries from which their tenth percentile says something
_TENTH = 10
_NAMES = {
    **dict.fromkeys(("question", "query", "text", "utterance", "message", "user query", "prompt"), "question"),
    **dict.fromkeys(("count", "times", "asked", "n", "frequency", "number"), "count"),
}


@dataclass(frozen=True, slots=True)
class LoggedQuestion:
    """A question that users asked. text: in the spelling that came first; count: how often it was asked in any spelling."""

    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class LoggedFile:
    """What was read of a log. questions: each once, the most frequent first; problems: lines that are not used."""

    questions: tuple[LoggedQuestion, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class LoggedAnswer:
    """A logged question and what came of it. tools: the first of the answer; similarity: of the best meaning match, None without one;
    doubts: why the answer may not be what the user wanted, empty where nothing speaks against it.
    """

    question: LoggedQuestion
    tools: tuple[str, ...]
    similarity: float | None
    doubts: tuple[Doubt, ...]


def read_logged(name: str, data: bytes | str) -> LoggedFile:
    """Return the questions of a log: one a line, a table with a column "question" and maybe "count", or JSON lines with these keys."""
    try:
        text = data if isinstance(data, str) else decode(data).text
        lines, problems = _json_lines(name, text) if text.lstrip().startswith("{") else _table_lines(name, text)
    except JsonFault as fault:
        return LoggedFile((), (Problem(name, fault.found, fault.fix),))
    counts: dict[str, LoggedQuestion] = {}
    for where, question, count in lines:
        number = _number(count)
        if not has_word_character(question) or broken(question):
            problems.append(Problem(where, f"“{question[:60]}” is no question", "write one with a letter or digit"))
        elif number is None:
            problems.append(Problem(where, f"count is “{str(count)[:20]}”", "write a whole number from 1, or leave it out"))
        else:
            before = counts.get(folded_question(question), LoggedQuestion(" ".join(question.split()), 0))
            counts[folded_question(question)] = LoggedQuestion(before.text, before.count + number)
    return LoggedFile(merged((), counts.values()), tuple(problems))


def merged(some: Iterable[LoggedQuestion], more: Iterable[LoggedQuestion]) -> tuple[LoggedQuestion, ...]:
    """Return the questions of both, counts added, the most frequent first."""
    counts: dict[str, LoggedQuestion] = {}
    for one in (*some, *more):
        before = counts.get(folded_question(one.text), LoggedQuestion(one.text, 0))
        counts[folded_question(one.text)] = LoggedQuestion(before.text, before.count + one.count)
    return tuple(sorted(counts.values(), key=lambda one: (-one.count, one.text)))


def usual_similarity(results: Iterable[QueryResult]) -> float | None:
    """Return the best meaning match that nine in ten of the passing test queries reach; None where too few pass to say."""
    found = sorted(result.max_similarity for result in results if result.standing == "ok" and result.max_similarity is not None)
    return found[math.floor(len(found) / _TENTH)] if len(found) >= FEWEST_TESTS else None


def answer_logged(
    curator: Curator,
    questions: Sequence[LoggedQuestion],
    line: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[LoggedAnswer, ...]:
    """Ask the questions, in their order. line: a meaning match below it is weak, see usual_similarity; None = there is no such line."""
    answers = []
    for number, question in enumerate(questions, 1):
        trace = curator.curate(question.text)
        doubts = tuple(doubt for doubt in DOUBTS if _DOUBTFUL[doubt](trace, line))
        answers.append(LoggedAnswer(question, trace.tools[:3], trace.confidence.max_similarity, doubts))
        if progress:
            progress(number, len(questions))
    return tuple(answers)


def not_tested(registry: Registry, answers: Iterable[LoggedAnswer]) -> tuple[LoggedAnswer, ...]:
    """Return the answers to questions that are no test query yet."""
    known = {folded_question(case.query) for case in registry.test_queries}
    return tuple(one for one in answers if folded_question(one.question.text) not in known)


def _shares_no_word(trace: Trace, _line: float | None) -> bool:
    searched = [one.sparse for one in trace.passes if one.sparse is not None]
    return bool(searched) and not any(sparse.ranks.any() for sparse in searched)


def _is_weaker(trace: Trace, line: float | None) -> bool:
    best = trace.confidence.max_similarity
    return line is not None and best is not None and best < line


def _is_near_tie(trace: Trace, _line: float | None) -> bool:
    """Say whether one place in one list would have swapped the first two tools; of added scores, whether they are a hundredth apart."""
    whole = trace.passes[0] if len(trace.passes) == 1 else None
    if whole is None or len(whole.order) < 2 or whole.dense is None or whole.sparse is None:
        return False
    if whole.anchor is not None and whole.anchor.forced[whole.order[0]] != whole.anchor.forced[whole.order[1]]:
        return False
    first, second = whole.fusion.scores[whole.order[:2]]
    return bool(first - second < _worth_of_a_place(trace.settings))


def _worth_of_a_place(settings: Settings) -> float:
    return 0.01 if settings.add_scores else 1 / (settings.rrf_k + 1) - 1 / (settings.rrf_k + 2)


_DOUBTFUL: Mapping[Doubt, Callable[[Trace, float | None], bool]] = {
    "no tool": lambda trace, _: not trace.picks,
    "unsure": lambda trace, _: trace.confidence.low_confidence,
    "no shared word": _shares_no_word,
    "weaker than your tests": _is_weaker,
    "near tie": _is_near_tie,
}

_Lines = tuple[list[tuple[str, str, Any]], list[Problem]]


def _table_lines(name: str, text: str) -> _Lines:
    table = read_table(text, _NAMES, "question", "count")
    problems = [Problem(f"{name}, line {line}", f"it cannot be read ({why})", UNQUOTED) for line, why in table.faults]
    lines = []
    for line, cells in table.records:
        entry = {column: cell.strip() for column, cell in zip(table.columns, cells, strict=False) if column}
        lines.append((f"{name}, line {line}", entry.get("question", ""), entry.get("count") or 1))
    return lines, problems


def _json_lines(name: str, text: str) -> _Lines:
    lines: list[tuple[str, str, Any]] = []
    problems = []
    for number, written in enumerate(text.split("\n"), 1):
        where = f"{name}, line {number}"
        try:
            value = parse(written)[0] if written.strip() else None
        except JsonFault as fault:
            problems.append(Problem(where, fault.found.removeprefix("line 1, "), fault.fix))
            continue
        if isinstance(value, dict):
            entry = {_NAMES[key.casefold()]: one for key, one in value.items() if key.casefold() in _NAMES}
            lines.append((where, str(entry.get("question") or ""), entry.get("count", 1)))
        elif written.strip():
            problems.append(Problem(where, "no object", 'write {"question": "…"}, and "count" if you know it'))
    return lines, problems


def _number(count: Any) -> int | None:
    try:
        number = int(count)
    except (TypeError, ValueError):
        return None
    return number if number > 0 and not isinstance(count, bool | float) else None
