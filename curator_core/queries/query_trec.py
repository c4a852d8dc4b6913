"""Test queries as retrieval research writes them: qrels, which judge tools for numbered questions, and topics, which say the questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curator_core.errors import Problem
from curator_core.queries.query_rows import QueryFile, QueryRow
from curator_core.tool import TestQuery

_GRADE = re.compile(r"[+-]?\d+(\.\d+)?")
_HEADER = ("query-id", "query_id", "qid", "topic")
_TOPIC = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?\s*(.*?)\s*(?=<|$)", re.DOTALL | re.IGNORECASE)
_WHAT = "a line of qrels is: number of the question, 0, tool, grade"


@dataclass(frozen=True, slots=True)
class Qrels:
    """Test queries as two texts. left_out: what these cannot say: questions that no tool fits are among the topics only, and roles,
    tags, notes and names with blanks are not written.
    """

    qrels: str
    topics: str
    left_out: tuple[str, ...] = ()


def looks_like_qrels(text: str) -> bool:
    """Say whether most lines are judgements: three or four words, the last a number; "true" of a list of questions would be odd."""
    lines = [line.split() for line in text.splitlines()[:50] if line.strip()]
    return bool(lines) and 2 * sum(len(words) in (3, 4) and bool(_GRADE.fullmatch(words[-1])) for words in lines) > len(lines)


def read_qrels(name: str, qrels: str, topics_name: str, topics: str) -> QueryFile:
    """Return the questions of the topics with the tools that the qrels judge: grade 1 or more = expected, below 0 = must not appear.

    A question without a grade of 1 or more is not judged: qrels cannot say that no tool fits.
    """
    problems: list[Problem] = []
    questions = dict(_topics(topics_name, topics, problems))
    judged: dict[str, dict[str, float]] = {}
    for line, words in enumerate(map(str.split, qrels.splitlines()), 1):
        if not words or (line == 1 and words[0].casefold() in _HEADER):
            continue
        where = f"{name}, line {line}"
        if len(words) not in (3, 4) or not _GRADE.fullmatch(words[-1]):
            problems.append(Problem(where, f"found {len(words)} words, “{' '.join(words)[:60]}”", _WHAT))
        elif words[0] not in questions:
            problems.append(Problem(where, f"{topics_name} has no question {words[0]}", "add it there, or remove the line"))
        else:
            judged.setdefault(words[0], {})[words[-2]] = float(words[-1])
    rows = [_row(line, text, judged.get(number, {})) for number, (line, text) in questions.items()]
    return QueryFile("qrels", tuple(rows), tuple(problems))


def write_qrels(cases: Iterable[TestQuery]) -> Qrels:
    """Return qrels and topics of the test queries, numbered from 1 in their order."""
    qrels, topics, left_out = [], [], []
    for number, case in enumerate(cases, 1):
        topics.append(f"{number}\t{' '.join(case.query.split())}")
        for grade, tools in ((1, case.expected or ()), (-1, case.forbidden)):
            for tool in tools:
                if len(tool.split()) == 1 and tool == tool.strip():
                    qrels.append(f"{number} 0 {tool} {grade}")
                else:
                    left_out.append(f"question {number}: the tool “{tool}” has a blank in its name")
        if case.expected == ():
            left_out.append(f"question {number}: that no tool applies")
    return Qrels("".join(f"{line}\n" for line in qrels), "".join(f"{line}\n" for line in topics), tuple(left_out))


def _row(line: int, text: str, grades: dict[str, float]) -> QueryRow:
    expected = tuple(tool for tool, grade in grades.items() if grade > 0)
    forbidden = tuple(tool for tool, grade in grades.items() if grade < 0)
    return QueryRow(line, TestQuery(text, expected or None, forbidden), frozenset(("query", "expected", "forbidden")))


def _topics(name: str, text: str, problems: list[Problem]) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield number, line and question of each topic: TREC's <top>, JSON lines with "_id" and "text", or lines of number, tab, question."""
    if _TOPIC.search(text):
        yield from _tagged_topics(name, text, problems)
        return
    for line, written in enumerate(text.splitlines(), 1):
        if written.strip():
            number, question = _json_topic(written) if written.lstrip().startswith("{") else _line_topic(written)
            if number and question:
                yield number, (line, question)
            else:
                problems.append(Problem(f"{name}, line {line}", f"found “{written[:60]}”", "a topic is: number, tab, question"))


def _tagged_topics(name: str, text: str, problems: list[Problem]) -> Iterator[tuple[str, tuple[int, str]]]:
    for topic in _TOPIC.finditer(text):
        line, number, title = text.count("\n", 0, topic.start()) + 1, _NUMBER.search(topic[1]), _TITLE.search(topic[1])
        if number and title and title[1].strip():
            yield number[1], (line, " ".join(title[1].split()))
        else:
            problems.append(Problem(f"{name}, line {line}", "a topic without <num> or <title>", "write both"))


def _line_topic(written: str) -> tuple[str, str]:
    parts = written.split("\t", 1) if "\t" in written else written.split(None, 1)
    return parts[0].strip(), parts[1].strip() if len(parts) == 2 else ""


def _json_topic(written: str) -> tuple[str, str]:
    try:
        entry = json.loads(written)
    except (ValueError, RecursionError):
        return "", ""
    number, question = entry.get("_id", entry.get("id")), entry.get("text", entry.get("query"))
    return ("" if number is None else str(number)), question.strip() if isinstance(question, str) else ""
