"""The synonym list: which tools each term reaches, which test queries say a phrase, and what a change would reach. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from curator_core import Registry, TestQuery, ToolIndex, build_index, without_held_out
from dashboard.tables import visible


@dataclass(frozen=True, slots=True)
class Reach:
    """What one term does. tools: keys of the tools whose text gets its phrases; queries: test queries that say one of its phrases."""

    tools: tuple[str, ...] = ()
    queries: tuple[TestQuery, ...] = ()


def reach_of_terms(registry: Registry, index: ToolIndex) -> dict[str, Reach]:
    """Return what each term of the registry does. index: of the same tools and synonyms."""
    tools: dict[str, list[str]] = {}
    for text in index.texts:
        for rule in text.synonyms:
            tools.setdefault(rule.term, []).append(text.key)
    queries: dict[str, dict[TestQuery, None]] = {}
    for case in without_held_out(registry.test_queries):  # the phrases are edited beside them
        for fired in index.fired_synonyms(case.query):
            queries.setdefault(fired.term, {})[case] = None
    return {term: Reach(tuple(tools.get(term, ())), tuple(queries.get(term, ()))) for term in registry.synonyms}


def preview(registry: Registry, term: str, phrases: Sequence[str]) -> Reach:
    """Return what a term would do with these phrases, without changing anything. Raises CuratorError for an empty term."""
    changed = registry.with_edits([registry.edit(term, "synonyms", tuple(phrases))])
    return reach_of_terms(changed, build_index(changed, None))[term]


def in_order(terms: Iterable[str]) -> list[str]:
    """Return terms as in a dictionary: without regard to capital letters."""
    return sorted(terms, key=lambda term: (term.casefold(), term))


def matching_terms(
    synonyms: Mapping[str, Sequence[str]], text: str = "", tool: str | None = None, reach: Mapping[str, Reach] | None = None
) -> tuple[str, ...]:
    """Return the terms, in order, that hold all words of a text in themselves or their phrases, and reach a tool if one is named."""
    words = text.casefold().split()
    found = (term for term in in_order(synonyms) if all(word in "\n".join((term, *synonyms[term])).casefold() for word in words))
    return tuple(term for term in found if tool is None or (reach and tool in reach[term].tools))


def synonyms_table(
    synonyms: Mapping[str, Sequence[str]],
    terms: Iterable[str],
    reach: Mapping[str, Reach],
    edited: Iterable[str] = (),
) -> pd.DataFrame:
    """Return one row a term: its phrases, how many tools it reaches, how many test queries say a phrase, and what is noteworthy."""
    changed = set(edited)
    rows = [
        (
            visible(term),
            visible(", ".join(synonyms[term])),
            len(reach[term].tools),
            len(reach[term].queries),
            ", ".join([*(["edited"] if term in changed else []), *remarks(synonyms[term], reach[term])]),
        )
        for term in terms
    ]
    return pd.DataFrame(rows, columns=["term", "phrases", "tools", "test queries", "remarks"])


def remarks(phrases: Sequence[str], reach: Reach) -> list[str]:
    """Say what keeps a term from doing anything."""
    if not any(phrase.strip() for phrase in phrases):
        return ["no phrases"]
    return [] if reach.tools else ["reaches no tool"]


def phrase_lines(text: str) -> tuple[str, ...]:
    """Return the phrases that a text holds, one a line, none twice."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
