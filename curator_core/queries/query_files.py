"""Files of test queries, whatever their format: recognised, and read with a complaint for every line that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable

from curator_core.errors import Problem
from curator_core.files.json_source import JsonFault, decode, kind_of, parse
from curator_core.files.writing import query_line
from curator_core.queries.query_csv import read_csv
from curator_core.queries.query_rows import FIELDS, Format, QueryFile, QueryRow, row_of
from curator_core.queries.query_trec import looks_like_qrels, read_qrels
from curator_core.tool import TestQuery


def recognised(name: str, text: str) -> Format:
    """Return the format of a file of test queries by its text; the name decides where the text leaves it open."""
    if text.lstrip().startswith(("{", "[")):
        return "jsonl"
    if looks_like_qrels(text) or name.casefold().endswith((".qrels", ".qrel")):
        return "qrels"
    return "jsonl" if name.casefold().endswith((".jsonl", ".json")) and not text.strip() else "csv"


def read_query_file(name: str, data: bytes | str, topics_name: str = "", topics: bytes | str = "") -> QueryFile:
    """Read test queries from a table, JSON lines, or qrels, which take the topics too, in whichever order. Problems say what is not used.

    name: of the file, for the messages. See read_csv and read_qrels for what stands where.
    """
    texts = []
    for file, content in ((name, data), (topics_name, topics)):
        try:
            texts.append(content if isinstance(content, str) else decode(content).text)
        except JsonFault as fault:
            return QueryFile("csv", (), (Problem(file, fault.found, fault.fix),))
    text, questions = texts
    if questions.strip():
        swapped = looks_like_qrels(questions) and not looks_like_qrels(text)
        return read_qrels(topics_name, questions, name, text) if swapped else read_qrels(name, text, topics_name, questions)
    kind = recognised(name, text)
    if kind == "qrels":
        found = "these are judgements (qrels), which name questions by their number only"
        return QueryFile("qrels", (), (Problem(name, found, "give the topics too: a line with number, tab, question for each"),))
    return read_jsonl(name, text) if kind == "jsonl" else read_csv(name, text)


def read_jsonl(name: str, text: str) -> QueryFile:
    """Return the test queries of a file like test_queries.jsonl, one object a line, or of one list of such objects."""
    rows: list[QueryRow] = []
    problems: list[Problem] = []
    if text.lstrip().startswith("["):
        return _json_list(name, text)
    for line, written in enumerate(text.split("\n"), 1):
        if written.strip():
            row, found = _json_row(f"{name}, line {line}", line, written)
            problems += found
            rows += [row] if row else []
    return QueryFile("jsonl", tuple(rows), tuple(problems))


def write_jsonl(cases: Iterable[TestQuery]) -> str:
    """Return the test queries as test_queries.jsonl has them."""
    return "".join(f"{query_line(case)}\n" for case in cases)


def _json_row(where: str, line: int, written: str) -> tuple[QueryRow | None, tuple[Problem, ...]]:
    try:
        value, twice = parse(written)
    except JsonFault as fault:
        return None, (Problem(where, fault.found.removeprefix("line 1, "), fault.fix),)
    row, found = _object_row(where, line, value)
    remarks = [Problem(where, f'key "{one.key}" stands twice', "the last one counts; remove the others", "warning") for one in twice]
    return row, (*remarks, *found)


def _json_list(name: str, text: str) -> QueryFile:
    try:
        entries, _ = parse(text)
    except JsonFault as fault:
        return QueryFile("jsonl", (), (Problem(name, fault.found, fault.fix),))
    read = [_object_row(f"{name}, entry {number}", number, entry) for number, entry in enumerate(entries, 1)]
    return QueryFile("jsonl", tuple(row for row, _ in read if row), tuple(problem for _, found in read for problem in found))


def _object_row(where: str, line: int, value: object) -> tuple[QueryRow | None, tuple[Problem, ...]]:
    if not isinstance(value, dict):
        return None, (Problem(where, f"found {kind_of(value)}", 'write an object: {"query": "…", "expected": ["tool"]}'),)
    row, found = row_of(where, line, value)
    remarks = []
    if unused := [key for key in value if key not in FIELDS]:
        remarks.append(Problem(where, f"keys that are not used: {', '.join(unused)}", f"there are {', '.join(FIELDS)}", "warning"))
    return row, (*remarks, *found)
