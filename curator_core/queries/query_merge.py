"""What somebody wants of the test queries, as edits: pin a tool, take over a file, tag many at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from curator_core.errors import Problem
from curator_core.keys import nearest_keys
from curator_core.queries.query_rows import QueryRow
from curator_core.registry import Registry
from curator_core.text import folded_question
from curator_core.tool import Edit, TestQuery

_SEARCHED, _COMPARED = 50, 100_000  # unknown names for which near ones are looked for, and names compared for that in all


@dataclass(frozen=True, slots=True)
class UnknownTool:
    """A tool that test queries name and the registry does not have. near: keys that are written alike, the nearest first."""

    name: str
    cases: tuple[TestQuery, ...]
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A row of a file and what it comes to. old: the test query that it changes, None for a new one."""

    row: QueryRow
    old: TestQuery | None
    new: TestQuery


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What taking over a file would do. same: rows that the registry has already; left_out: rows that name a tool they shall not be
    taken with; problems: rows that repeat another one, and roles that do not exist.
    """

    new: tuple[Planned, ...] = ()
    changed: tuple[Planned, ...] = ()
    same: tuple[QueryRow, ...] = ()
    left_out: tuple[QueryRow, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What it takes to do it, as one step."""
        return tuple(Edit("", "test_query", one.old, one.new) for one in (*self.changed, *self.new))


def pin_tool(registry: Registry, query: str, tool: str, role: str | None = None, forbidden: bool = False) -> Edit | None:
    """Return the edit after which a test query with this question and role expects the tool, or forbids it; None where one does.

    A test query that is there keeps what else it says; the tool is never on both sides.
    """
    old = next((case for case in registry.test_queries if _same(case, query, role)), None)
    case = old or TestQuery(query.strip(), None, role=role)
    expected, unwanted = case.expected or (), case.forbidden
    if forbidden:
        left = tuple(key for key in expected if key != tool)
        new = replace(case, forbidden=_with(unwanted, tool), expected=left or (case.expected if tool not in expected else None))
    else:
        new = replace(case, expected=_with(expected, tool), forbidden=tuple(key for key in unwanted if key != tool))
    return None if new == old else Edit("", "test_query", old, new)


def tag_queries(cases: Iterable[TestQuery], tag: str, on: bool = True) -> tuple[Edit, ...]:
    """Return the edits that give a tag to test queries, or take it from them; nothing for those that need none."""
    changed = ((case, _with(case.tags, tag) if on else tuple(one for one in case.tags if one != tag)) for case in cases)
    return tuple(Edit("", "test_query", case, replace(case, tags=tags)) for case, tags in changed if tags != case.tags)


def unknown_tools(registry: Registry, cases: Iterable[TestQuery]) -> tuple[UnknownTool, ...]:
    """Return the tools that the test queries name and the registry does not have, those that most of them name first."""
    named: dict[str, dict[TestQuery, None]] = {}
    for case in cases:
        for tool in (*(case.expected or ()), *case.forbidden):
            if tool not in registry.by_key:
                named.setdefault(tool, {})[case] = None
    order = sorted(named, key=lambda name: (-len(named[name]), name))
    searched = min(_SEARCHED, max(5, _COMPARED // max(len(registry.keys), 1)))
    near = {name: nearest_keys(name, registry.by_key) for name in order[:searched]}
    return tuple(UnknownTool(name, tuple(named[name]), near.get(name, ())) for name in order)


def plan_queries(registry: Registry, rows: Sequence[QueryRow], instead: Mapping[str, str | None] | None = None) -> QueryPlan:
    """Return what taking over these rows does to the registry's test queries, which are known by question and role.

    A row that says no role changes the test query with its question, whatever the role. Fields that a row does not give stay.
    instead: for names of tools the key to write; None leaves out the rows that have the name.
    """
    known = _Known(registry.test_queries)
    found: dict[str, list[Any]] = {"new": [], "changed": [], "same": [], "left_out": [], "problems": []}
    for original in rows:
        row = _renamed(original, instead or {})
        if row is None:
            found["left_out"].append(original)
            continue
        old, before = known.take(row)
        if before is not None:
            said = f"the same question stands on line {before}"
            found["problems"].append(Problem(f"line {row.line}", said, "it is not taken; put both into one line"))
            continue
        if row.case.role is not None and row.case.role not in registry.roles:
            said = f"role {row.case.role!r} does not exist"
            there = ", ".join(registry.roles) or "none"
            found["problems"].append(Problem(f"line {row.line}", said, f"it is taken, but invalid; there are: {there}", "warning"))
        new = row.case if old is None else replace(old, **{name: getattr(row.case, name) for name in row.given})
        kind = "new" if old is None else "same" if new == replace(old, query=old.query.strip()) else "changed"
        found[kind].append(row if kind == "same" else Planned(row, old, new))
    return QueryPlan(**{name: tuple(entries) for name, entries in found.items()})


class _Known:
    """The test queries by question, each taken by one row at most."""

    def __init__(self, cases: Iterable[TestQuery]) -> None:
        self._cases: dict[str, list[TestQuery]] = {}
        self._lines: dict[tuple[str, str | None], int] = {}
        for case in cases:
            self._cases.setdefault(folded_question(case.query), []).append(case)

    def take(self, row: QueryRow) -> tuple[TestQuery | None, int | None]:
        """Return the test query that a row is about, None for a new one; and the line that has taken it, or the question, before."""
        question = folded_question(row.case.query)
        some = self._cases.get(question, [])
        if "role" in row.given:
            some = [case for case in some if case.role == row.case.role]
        old = min(some, key=lambda case: case.role is not None, default=None)
        key = question, (row.case if old is None else old).role
        before = self._lines.setdefault(key, row.line)
        return old, before if before != row.line else None


def _renamed(row: QueryRow, instead: Mapping[str, str | None]) -> QueryRow | None:
    """Return the row with other names for its tools, None where one of them says that it is to be left out."""
    case = row.case
    if any(instead.get(tool, tool) is None for tool in (*(case.expected or ()), *case.forbidden)):
        return None
    expected, forbidden = (_put_right(tools, instead) for tools in (case.expected or (), case.forbidden))
    return replace(row, case=replace(case, expected=None if case.expected is None else expected, forbidden=forbidden))


def _put_right(tools: Iterable[str], instead: Mapping[str, str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(instead.get(tool, tool)) for tool in tools))


def _same(case: TestQuery, query: str, role: str | None) -> bool:
    return case.role == role and folded_question(case.query) == folded_question(query)


def _with(entries: tuple[str, ...], entry: str) -> tuple[str, ...]:
    return entries if entry in entries else (*entries, entry)
