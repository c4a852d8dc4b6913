"""The parts of a registry as plain values: a tool, a test query, an edit, and where each part came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self


def as_texts(value: Iterable[str]) -> tuple[str, ...]:
    """Return a tuple; a single text counts as one entry, not as its letters."""
    return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as its registry describes it.

    roles: who may see it, empty for everyone. group: the server or family it comes from. parameters: its JSON Schema, not validated.
    examples: questions it answers; the seed profile does not look at them. Lists are accepted and become tuples.
    more: whatever else tools.json says of it (annotations, outputSchema, where it was imported from): kept, exported, not indexed.
    """

    name: str
    description: str = ""
    extra_context: str = ""
    roles: tuple[str, ...] = ()
    group: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    parameters: Mapping[str, Any] | None = field(default=None, hash=False)
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name in ("roles", "tags", "examples"):
            value = getattr(self, name)
            if type(value) is not tuple:
                object.__setattr__(self, name, as_texts(value))


@dataclass(frozen=True, slots=True)
class TestQuery:
    """One judged question. expected: keys of the right tools, empty = no tool applies, None = nobody has judged it yet."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    query: str
    expected: tuple[str, ...] | None = ()
    forbidden: tuple[str, ...] = ()
    role: str | None = None
    tags: tuple[str, ...] = ()
    critical: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        for name in ("expected", "forbidden", "tags"):
            value = getattr(self, name)
            if value is not None and type(value) is not tuple:
                object.__setattr__(self, name, as_texts(value))

    def __hash__(self) -> int:
        """Hash what tells questions apart: whole test sets are keys of what is kept of them, and are looked up at each run of a page."""
        return hash((self.query, self.role))


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a registry, as a value: base + edits is what every page shows and what saving writes.

    tool: the tool's key when the edit is applied; a synonym's term for field "synonyms"; "" for field "test_query".
    field: name, description, extra_context, roles, group, tags, examples, parameters, more (of a tool); "tool" (old None adds, new None
    deletes; an added tool stands under the key that it will have); "synonyms" (tuples of phrases, None = no rule); "test_query"
    (TestQuery, None adds or deletes); "unresolved" (extra context that waits for an absent tool, None = none);
    "settings" (what curator.toml sets, None = as the profile has it).
    old: what the author saw; new: what it becomes.
    """

    tool: str
    field: str
    old: Any
    new: Any

    def inverse(self) -> Self:
        """Return the edit that takes this one back; it addresses the tool by the key that it has afterwards.

        Exact for tools with a name of their own. Of several tools with one name, a group edit is taken back through `name@group`;
        a rename cannot be, since it would again make a name twice.
        """
        tool = self.tool
        if self.field == "name":
            tool = self.new
        elif self.field == "group" and self.old and self.new and tool.endswith(f"@{self.old}"):
            tool = tool.removesuffix(self.old) + self.new
        return replace(self, tool=tool, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True)
class Removed:
    """A tool or test query that an edit deleted: what putting it back restores.

    item: what was deleted; origin: its entry or line in the file, None if it had none; position: its place among the others.
    touched: test queries that the deletion changed, each as (position, before, after).
    """

    key: str
    item: Tool | TestQuery
    origin: int | None
    position: int
    touched: tuple[tuple[int, TestQuery, TestQuery], ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the parts of a loaded registry stand in its files, so that saving changes only what was edited.

    source: the documents (curator_core.files.folder). tools, test_queries: for each its entry or line there, counted from 0, None if new.
    """

    source: Any
    tools: tuple[int | None, ...]
    test_queries: tuple[int | None, ...]
    removed: tuple[Removed, ...] = ()


TOOL_FIELDS = tuple(spec.name for spec in fields(Tool))
BESIDE_TOOLS = ("synonyms", "unresolved", "settings")  # fields of edits that stand by a term, an absent tool's key, or a setting's name
