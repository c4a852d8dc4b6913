"""What importing a source into a registry would do, tool by tool, before anything changes; as edits, to be published like any other.

A tool keeps where it came from and a hash of what it said there, field by field. So a text that its author changed here stays as long as
the source says the same, a change of the source is told from one made here, and a tool that the source no longer has is known to be gone.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from curator_core.checks.lint import TOOLS
from curator_core.errors import Problem
from curator_core.exchange.importing import ORIGIN, Imported, Origin
from curator_core.formats.entry import NO_PARAMETERS
from curator_core.keys import assign_keys
from curator_core.registry import Registry
from curator_core.tool import Edit, Tool

FIELDS = ("description", "parameters", "extra_context", "roles", "tags", "examples", "group")
State = Literal["new", "changed", "same", "both", "gone"]
_Match = tuple[int | None, int | None]  # places of a tool in the source and in the registry


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What becomes of one tool.

    key: in the registry; of a new tool the one that it gets when all new ones come. state: new; changed by the source; same; both: changed
    by the source and here, so that its text here stays unless the source's is asked for; gone: no longer in the source it was imported
    from. fields: what the source changed. tool: as the source has it; now: as the registry has it. where: its place in the source.
    """

    key: str
    state: State
    fields: tuple[str, ...] = ()
    tool: Tool | None = None
    now: Tool | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do. collisions: for each name that more than one tool would have, the keys of all of them.

    remark: what its author should know of where the tools came from before; "" where there is nothing to say.
    """

    rows: tuple[ImportRow, ...]
    edits: tuple[Edit, ...]
    collisions: Mapping[str, tuple[str, ...]]
    remark: str = ""

    def keys(self, state: State) -> tuple[str, ...]:
        """Return the keys of the tools in one state."""
        return tuple(row.key for row in self.rows if row.state == state)


def new_registry(imported: Imported) -> Registry:
    """Return an imported registry as a folder of its own begins: each tool knows where it came from."""
    registry = imported.registry
    tools = tuple(_with_origin(tool, origin) for tool, origin in zip(registry.tools, imported.origins, strict=True))
    return replace(registry, tools=tools, problems=())


def plan_import(
    registry: Registry, imported: Imported, *, theirs: bool = False, keep_gone: bool = False, skip: Collection[str] = ()
) -> ImportPlan:
    """Return what importing does to a registry.

    theirs: of texts changed on both sides take the source's. keep_gone: leave tools that the source no longer has. skip: keys of rows that
    are not to be carried out. The words of a tool that is taken out wait in extra_context.json for it to come back.
    """
    matches = _matched(registry, imported)
    work, edits, rows = list(registry.tools), [], []
    for at, here in matches:
        if at is not None and here is not None:
            row, some = _compared(registry, imported, at, here, theirs)
            rows.append(row)
            edits += some if row.key not in skip else []
    gone = [] if keep_gone else [here for at, here in matches if at is None and here is not None]
    rows += [ImportRow(registry.keys[here], "gone", now=registry.tools[here]) for here in gone]
    out, waiting = _taken_out([here for here in gone if registry.keys[here] not in skip], registry, work)
    added, new = _added([at for at, here in matches if here is None and at is not None], registry, imported, work, skip)
    keys = assign_keys(work)
    waiting = [edit for edit in waiting if edit.tool not in set(keys)]
    edits += [*out, *waiting, *added, *_beside(registry, imported)]
    return ImportPlan((*rows, *new), tuple(edits), _collisions(work, keys, imported), _remark(registry, imported, matches))


def changed_since_import(registry: Registry) -> tuple[Problem, ...]:
    """Return a warning for each imported tool whose texts are no longer what its source said when it was imported."""
    found = []
    for key, tool in registry.by_key.items():
        said = _said_by(tool)
        fields = [field for field in FIELDS[:2] if field in said and _hash(getattr(tool, field)) != said[field]]
        if fields:
            what = f"{' and '.join(fields)} changed since it was imported from {_origin_of(tool)['source']}"
            fix = "words of your own are better kept in extra context; import it again to see what the source says now"
            found.append(Problem(f'{TOOLS}, "{tool.name}"', what, fix, "warning", key))
    return tuple(found)


def _matched(registry: Registry, imported: Imported) -> list[_Match]:
    """Pair the tools of both, and those that are gone with nothing."""
    free = set(range(len(registry.tools)))
    places: dict[int, int] = {}
    tools = imported.registry.tools
    for near in (_sure_places(registry, imported), _likely_places(registry, imported)):
        for at in range(len(tools)):
            if at not in places and (here := next((one for one in near(at) if one in free), None)) is not None:
                places[at] = here
                free.discard(here)
    known = {_origin_of(registry.tools[here])["source"] for here in places.values()}  # another list may be called the same
    sources = known & {origin.source for origin in imported.origins} if imported.complete else set()
    gone = [here for here in sorted(free) if _origin_of(registry.tools[here])["source"] in sources]
    return [*((at, places.get(at)) for at in range(len(tools))), *((None, here) for here in gone)]


def _remark(registry: Registry, imported: Imported, matches: Sequence[_Match]) -> str:
    """Say that the source was called otherwise before, or that another list was called so: both hide what is gone."""
    known = [here for at, here in matches if at is not None and here is not None]
    sources = Counter(_origin_of(registry.tools[here])["source"] for here in known)
    names = {origin.source for origin in imported.origins}
    before, number = max(sources.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    if imported.complete and before and number * 2 > len(known) and before not in names:
        return f"Most of these tools came from {before}. Call this source the same, and tools that it no longer has are noticed."
    others = [tool for tool in registry.tools if _origin_of(tool)["source"] in names - sources.keys()]
    if imported.complete and others:
        name = _origin_of(others[0])["source"]
        return f"None of what came from {name} is in it, so it is taken as another list of that name: those tools stay."
    return ""


def _sure_places(registry: Registry, imported: Imported) -> Callable[[int], Sequence[int]]:
    """Return where a tool of the source stands in the registry by what it was imported as, then by name and group."""
    imported_as, named = defaultdict(list), defaultdict(list)
    for here, tool in enumerate(registry.tools):
        record = _origin_of(tool)
        imported_as[record["source"], record["name"], record["group"]].append(here)
        named[tool.name, tool.group].append(here)

    def places(at: int) -> Sequence[int]:
        tool = imported.registry.tools[at]
        return *imported_as[imported.origins[at].source, tool.name, tool.group], *named[tool.name, tool.group]

    return places


def _likely_places(registry: Registry, imported: Imported) -> Callable[[int], Sequence[int]]:
    """Return where a tool stands by its name alone: one of this name on both sides, and not of two servers."""
    named = defaultdict(list)
    for here, tool in enumerate(registry.tools):
        named[tool.name].append(here)
    names = Counter(tool.name for tool in imported.registry.tools)

    def places(at: int) -> Sequence[int]:
        tool = imported.registry.tools[at]
        there = named[tool.name]
        if not there or len(there) > 1 or names[tool.name] > 1:
            return ()
        now = registry.tools[there[0]]
        return there if not tool.group or (not now.group and now.description == tool.description) else ()

    return places


def _compared(registry: Registry, imported: Imported, at: int, here: int, theirs: bool) -> tuple[ImportRow, list[Edit]]:
    """Return what becomes of a tool that both have, and the edits for it."""
    tool, origin, now, key = imported.registry.tools[at], imported.origins[at], registry.tools[here], registry.keys[here]
    recorded = _said_by(now)
    said = dict(recorded)
    edits: list[Edit] = []
    both: list[str] = []
    for field in _stated(tool, origin, recorded):
        mine, new = getattr(now, field), getattr(tool, field)
        if field == "group" and key != now.name:
            continue  # its key hangs on it
        if _hash(mine) == _hash(new) or _hash(new) == recorded.get(field):
            said[field] = _hash(new)
        elif field in recorded and _hash(mine) != recorded[field] and not theirs:
            both.append(field)
        else:
            edits.append(Edit(key, field, mine, new))
            said[field] = _hash(new)
    more = {name: value for name, value in tool.more.items() if name != ORIGIN and now.more.get(name) != value}
    fields = [*(edit.field for edit in edits), *more]
    if fields or (recorded and said != recorded):
        record = {**_origin(tool, origin), "said": said}
        edits.append(Edit(key, "more", now.more, {**now.more, **more, ORIGIN: record}))
    state: State = "both" if both else "changed" if fields else "same"
    return ImportRow(key, state, (*fields, *both), tool, now, origin.where), edits


def _stated(tool: Tool, origin: Origin, recorded: Mapping[str, str]) -> Iterator[str]:
    """Yield the fields in which the source counts: those it fills, and those it filled before and now states to be empty."""
    for field in FIELDS:
        if getattr(tool, field) or (field in origin.stated and field in recorded and field != "extra_context"):
            yield field


def _taken_out(gone: Sequence[int], registry: Registry, work: list[Tool]) -> tuple[list[Edit], list[Edit]]:
    """Take tools out of `work`; return the edits that do it, and those that keep their words."""
    out: list[Edit] = []
    waiting: list[Edit] = []
    for here in sorted(gone, reverse=True):
        tool, key = registry.tools[here], assign_keys(work)[here]
        del work[here]
        out.append(Edit(key, "tool", tool, None))
        if tool.extra_context:
            waiting.append(Edit(key, "unresolved", registry.unresolved.get(key), tool.extra_context))
    return out, waiting


def _added(
    fresh: Sequence[int], registry: Registry, imported: Imported, work: list[Tool], skip: Collection[str]
) -> tuple[list[Edit], list[ImportRow]]:
    edits: list[Edit] = []
    rows: list[ImportRow] = []
    names = {tool.name for tool in work}
    with_all = assign_keys((*work, *(imported.registry.tools[at] for at in fresh)))[len(work) :]  # the same whatever is skipped
    for at, row_key in zip(fresh, with_all, strict=True):
        tool = _with_origin(imported.registry.tools[at], imported.origins[at])
        rows.append(ImportRow(row_key, "new", tool=tool, where=imported.origins[at].where))
        if row_key in skip:
            continue
        key = tool.name if tool.name not in names else assign_keys((*work, tool))[-1]
        if registry.unresolved.get(key):  # words that wait for it
            tool = replace(tool, extra_context="")
        work.append(tool)
        names.add(tool.name)
        edits.append(Edit(key, "tool", None, tool))
    return edits, rows


def _beside(registry: Registry, imported: Imported) -> Iterator[Edit]:
    """Yield the edits of synonyms and test queries: what is not there yet is added, nothing is taken away."""
    for term, phrases in imported.registry.synonyms.items():
        old = registry.synonyms.get(term)
        new = tuple(dict.fromkeys((*(old or ()), *phrases)))
        if new != old:
            yield Edit(term, "synonyms", old, new)
    asked = {case.query for case in registry.test_queries}
    yield from (Edit("", "test_query", None, case) for case in imported.registry.test_queries if case.query not in asked)


def _collisions(work: Sequence[Tool], keys: Sequence[str], imported: Imported) -> dict[str, tuple[str, ...]]:
    named: dict[str, list[str]] = defaultdict(list)
    for tool, key in zip(work, keys, strict=True):
        named[tool.name].append(key)
    return {tool.name: tuple(named[tool.name]) for tool in imported.registry.tools if len(named[tool.name]) > 1}


def _with_origin(tool: Tool, origin: Origin) -> Tool:
    if ORIGIN in tool.more:
        return tool
    said = {field: _hash(getattr(tool, field)) for field in FIELDS if getattr(tool, field)}
    return replace(tool, more={**tool.more, ORIGIN: {**_origin(tool, origin), "said": said}})


def _origin(tool: Tool, origin: Origin) -> dict[str, Any]:
    return {"source": origin.source, "name": tool.name, **({"group": tool.group} if tool.group else {})}


def _origin_of(tool: Tool) -> dict[str, str]:
    """Return source, name and group of what a tool was imported as; empty texts where nothing that can be used says it."""
    found = tool.more.get(ORIGIN)
    texts = found if isinstance(found, Mapping) else {}
    return {key: texts[key] if isinstance(texts.get(key), str) else "" for key in ("source", "name", "group")}


def _said_by(tool: Tool) -> dict[str, str]:
    """Return the hash of what each field said where the tool was imported from."""
    found = tool.more.get(ORIGIN)
    said = found.get("said") if isinstance(found, Mapping) else None
    return {key: value for key, value in said.items() if isinstance(value, str)} if isinstance(said, Mapping) else {}


def _hash(value: Any) -> str:
    """Return what two values that say the same have in common; an object without any property says what no parameters say."""
    value = None if value == NO_PARAMETERS else value
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:16]
