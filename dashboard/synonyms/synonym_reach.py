"""Which tools and test queries a synonym term reaches, and what an edit changes in that before it is published. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curator_core import Edit, Registry, TestQuery, ToolIndex, build_index, is_held_out, key_before, without_held_out
from dashboard.tables import plural, visible


@dataclass(frozen=True, slots=True)
class Reach:
    """What one term does. tools: keys of the tools whose text gets its phrases; queries: test queries that say one of its phrases."""

    tools: tuple[str, ...] = ()
    queries: tuple[TestQuery, ...] = ()

    @property
    def shown(self) -> tuple[TestQuery, ...]:
        """The test queries that may be shown to somebody who writes text."""
        return without_held_out(self.queries)


@dataclass(frozen=True, slots=True)
class Change:
    """What the draft does to one term: phrases, tools and test queries that it has gained and lost against the published registry."""

    phrases: int = 0
    phrases_lost: int = 0
    tools: tuple[str, ...] = ()
    tools_lost: tuple[str, ...] = ()
    queries: tuple[TestQuery, ...] = ()
    queries_lost: tuple[TestQuery, ...] = ()


def reach_of_terms(registry: Registry, index: ToolIndex) -> dict[str, Reach]:
    """Return what each term of the registry does. index: of the same tools and synonyms."""
    tools: dict[str, list[str]] = {}
    for text in index.texts:
        for rule in text.synonyms:
            tools.setdefault(rule.term, []).append(text.key)
    queries: dict[str, dict[TestQuery, None]] = {}
    for case in registry.test_queries:
        for fired in index.fired_synonyms(case.query):
            queries.setdefault(fired.term, {})[case] = None
    return {term: Reach(tuple(tools.get(term, ())), tuple(queries.get(term, ()))) for term in registry.synonyms}


def preview(registry: Registry, phrases: Mapping[str, Sequence[str]]) -> dict[str, Reach]:
    """Return what terms would do with these phrases, without changing anything. Raises CuratorError for an empty term."""
    changed = registry.with_edits([registry.edit(term, "synonyms", tuple(said)) for term, said in phrases.items()])
    reach = reach_of_terms(changed, build_index(changed, None))
    return {term: reach[term] for term in phrases}


def change_of(before: Registry, after: Registry, reach: tuple[Reach, Reach], term: str, edits: Sequence[Edit]) -> Change:
    """Return what a draft does to a term. reach: of the term before and after; edits: those of the draft, for tools that it renamed."""
    was, now = reach
    old, new = (set(registry.synonyms.get(term, ())) for registry in (before, after))
    origin = {key: key_before(edits, key) for key in now.tools}
    kept = set(origin.values())
    asked, asks = ({(case.query, case.role) for case in side.queries} for side in reach)
    return Change(
        len(new - old),
        len(old - new),
        tuple(key for key in now.tools if origin[key] not in was.tools),
        tuple(key for key in was.tools if key not in kept),
        tuple(case for case in now.queries if (case.query, case.role) not in asked),
        tuple(case for case in was.queries if (case.query, case.role) not in asks),
    )


def change_text(change: Change | None, reach: Reach) -> str:
    """Say in one line what the draft does to a term; change None: it is as published."""
    tools = f"the text of {plural(len(reach.tools), 'tool')}"
    if change is None:
        return f"As published: its phrases stand in {tools}."
    phrases = " and ".join(
        f"{plural(count, 'phrase')} {word}" for count, word in ((change.phrases, "more"), (change.phrases_lost, "fewer")) if count
    )
    counts = ((change.tools, change.tools_lost, "tools"), (change.queries, change.queries_lost, "test queries"))
    moved = [f"{name} {_signed(gained, lost)}" for gained, lost, name in counts]
    return f"Against the published list: {' · '.join([f'{phrases} in {tools}' if phrases else 'the same phrases', *moved])}."


def _signed(gained: Sequence[object], lost: Sequence[object]) -> str:
    return f"+{len(gained)} −{len(lost)}" if gained or lost else "±0"


def tool_lines(reach: Reach, change: Change | None) -> str:
    """List the tools that a term reaches: those it gained and lost first, each with its sign."""
    return _lines(reach.tools, change.tools if change else (), change.tools_lost if change else ())


def query_lines(reach: Reach, change: Change | None) -> str:
    """List the test queries that say a phrase: gained and lost first. Those that are held out are counted, not shown."""
    gained, lost = (without_held_out(cases) for cases in ((change.queries, change.queries_lost) if change else ((), ())))
    text = _lines(*([case.query for case in cases] for cases in (reach.shown, gained, lost)))
    held = sum(map(is_held_out, reach.queries))
    return f"{text}\nand {held:,} held out" if held else text


def _lines(now: Sequence[str], gained: Sequence[str], lost: Sequence[str]) -> str:
    kept = (one for one in now if one not in gained)
    return "\n".join([*(f"+ {visible(one)}" for one in gained), *(f"− {visible(one)}" for one in lost), *map(visible, kept)]) or "none"


def reach_text(reach: Reach, named: int = 6) -> str:
    """Say which tools phrases would reach, and how many test queries say one."""
    names = ", ".join(map(visible, reach.tools[:named])) + (", …" if len(reach.tools) > named else "")
    return f"{plural(len(reach.tools), 'tool')}{f': {names}' if names else ''}.\nTest queries that say a phrase: {len(reach.queries)}."
