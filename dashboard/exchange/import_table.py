"""What an import would do, as tables and short texts. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from curator_core import Imported, ImportPlan, ImportRow, NearDuplicate, Problem, Registry, check_tools, plan_import, read_source
from curator_core.exchange.import_plan import State
from curator_core.exchange.importing import called
from dashboard.tables import decimals, plural, visible

STATES: dict[State, str] = {
    "new": "new",
    "changed": "changed upstream",
    "both": "changed here and upstream",
    "gone": "gone upstream",
    "same": "same",
}
ACTS: tuple[State, ...] = ("new", "changed", "gone")  # what can be left out as a whole
_LONGEST = 160
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Choices:
    """What the author decided. group: the server of tools that name none; origin: what the source is called, "" = its own name.

    acts: which states to carry out; theirs: of texts changed on both sides take the source's; skip: keys of rows to leave out.
    """

    group: str = ""
    origin: str = ""
    acts: frozenset[State] = frozenset(ACTS)
    theirs: bool = False
    skip: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A source held against a registry. after: the registry with what would be carried out."""

    imported: Imported
    plan: ImportPlan
    after: Registry
    left_out: frozenset[str]


@lru_cache(4)
def read(sources: tuple[tuple[str, bytes], ...]) -> Imported:
    """Return what some files hold; made once for each content. Raises RegistryError."""
    return read_source(dict(sources))


@lru_cache(4)
def preview(registry: Registry, sources: tuple[tuple[str, bytes], ...], choices: Choices) -> Preview:
    """Return what taking over the sources would do to a registry. Raises RegistryError for what is no list of tools."""
    imported = called(read(sources), choices.group, choices.origin)
    whole = plan_import(registry, imported, theirs=choices.theirs)
    unwanted = {row.key for row in whole.rows if row.state in ACTS and row.state not in choices.acts}
    skip = frozenset(unwanted | choices.skip)
    plan = plan_import(registry, imported, theirs=choices.theirs, skip=skip) if skip else whole
    return Preview(imported, plan, registry.with_edits(plan.edits), skip & {row.key for row in plan.rows})


def counts(plan: ImportPlan) -> dict[State, int]:
    """Return how many tools are in each state."""
    return {state: len(plan.keys(state)) for state in STATES}


def listed(plan: ImportPlan, states: Collection[State]) -> tuple[ImportRow, ...]:
    """Return the rows to show: of these states, what changes first."""
    order = list(STATES)
    return tuple(sorted((row for row in plan.rows if row.state in states), key=lambda row: (order.index(row.state), row.key)))


def rows_frame(rows: Sequence[ImportRow], left_out: Collection[str]) -> pd.DataFrame:
    """Return one row a tool: whether it is taken, what becomes of it, what it says, and where it stands in the source."""
    cells = [
        (
            visible(row.key),
            STATES[row.state],
            "left out" if row.key in left_out else "–" if row.state == "same" else "✓",
            visible(", ".join(field.replace("_", " ") for field in row.fields)),
            _says(row),
            visible(row.where),
        )
        for row in rows
    ]
    return pd.DataFrame(cells, columns=["tool", "state", "take", "what changes", "says", "where"])


def collisions_text(preview: Preview) -> str:
    """Say which names several tools would have, with the server or the place of each; "" where none."""
    where = {row.key: row.where for row in preview.plan.rows}
    lines = []
    for name, keys in preview.plan.collisions.items():
        tools = (f"{key}{_origin(preview.after, key, where)}" for key in keys[:_NAMED])
        more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
        lines.append(f"{len(keys)} tools are called {name}; all are kept, as {', '.join(tools)}{more}")
    return visible("\n".join(lines))


def near_frame(found: Sequence[NearDuplicate]) -> pd.DataFrame:
    """Return one row a tool that is near to another."""
    rows = [(visible(one.key), visible(one.other), decimals(one.similarity, 3), "the same text" if one.identical else "") for one in found]
    return pd.DataFrame(rows, columns=["tool", "is near to", "similarity", ""])


def lint_of(imported: Imported, client: str) -> tuple[Problem, ...]:
    """Return what the checks of texts find in a source: hidden text first, then the client's limits, then shared openings."""
    found = check_tools(imported.registry, client)
    return (*found["hidden"], *found["limits"], *found["opening"])


def take_text(preview: Preview) -> str:
    """Return what the button that takes over says."""
    plan, taken = preview.plan, []
    for state in ("new", "changed", "gone"):
        number = sum(row.key not in preview.left_out for row in plan.rows if row.state == state)
        taken += [f"{number:,} {state}"] if number else []
    beside = {"synonyms": "synonym term", "test_query": "test query"}
    for field, said in beside.items():
        number = sum(edit.field == field for edit in plan.edits)
        taken += [plural(number, said).replace("querys", "queries")] if number else []
    if not taken and plan.edits:
        taken = ["where the tools came from"]
    return f"Into the draft: {', '.join(taken)}" if taken else "Nothing to do"


def source_names(sources: Mapping[str, bytes]) -> str:
    """Return what a source is called: its file, or how many files there are."""
    names = list(sources)
    return names[0] if len(names) == 1 else f"{len(names)} files"


def _says(row: ImportRow) -> str:
    tool = row.tool or row.now
    text = " ".join(tool.description.split()) if tool else ""
    return visible(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…") or "(no description)"


def _origin(registry: Registry, key: str, where: Mapping[str, str]) -> str:
    group = registry.tool(key).group if key in registry.by_key else ""
    place = f"server {group}" if group else where.get(key, "") or "of this registry"
    return f" ({place})"
