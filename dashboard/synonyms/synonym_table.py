"""The synonym list as a table, what is noteworthy about each term, and a pasted list as a table. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from curator_core import ListedTerm, Registry, SynonymRemark, ToolIndex, check_synonyms
from dashboard.synonyms.synonym_reach import Reach
from dashboard.tables import plural, visible

Remarks = Mapping[str, Sequence[SynonymRemark]]  # by term
REMARK_WORDS = {
    "dead": "reaches no tool",
    "empty": "no phrases",
    "doubled": "same as another",
    "conflict": "pulls both ways",
    "unreachable": "phrase without a word",
    "broad": "reaches very many",
    "loop": "phrase is a term",
}


def remarks_of_terms(registry: Registry, index: ToolIndex) -> Remarks:
    """Return the remarks on each term that has some. index: of the same tools and synonyms."""
    found: dict[str, list[SynonymRemark]] = {}
    for remark in check_synonyms(registry, index.texts):
        found.setdefault(remark.term, []).append(remark)
    return found


def in_order(terms: Iterable[str]) -> list[str]:
    """Return terms as in a dictionary: without regard to capital letters."""
    return sorted(terms, key=lambda term: (term.casefold(), term))


def matching_terms(synonyms: Mapping[str, Sequence[str]], text: str = "") -> tuple[str, ...]:
    """Return the terms, in order, that hold all words of a text in themselves or their phrases."""
    words = text.casefold().split()
    return tuple(term for term in in_order(synonyms) if all(word in "\n".join((term, *synonyms[term])).casefold() for word in words))


def synonyms_table(
    synonyms: Mapping[str, Sequence[str]],
    terms: Iterable[str],
    reach: Mapping[str, Reach],
    remarks: Remarks,
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
            ", ".join([*(["edited"] if term in changed else []), *remark_words(remarks.get(term, ()))]),
        )
        for term in terms
    ]
    return pd.DataFrame(rows, columns=["term", "phrases", "tools", "test queries", "remarks"])


def remark_words(remarks: Iterable[SynonymRemark]) -> list[str]:
    """Return the remarks in a few words, each kind once."""
    return list(dict.fromkeys(REMARK_WORDS[remark.kind] for remark in remarks))


def listed_table(listed: Sequence[ListedTerm], reach: Mapping[str, Reach]) -> pd.DataFrame:
    """Return one row a term of a pasted list: what the list does to it, the phrases that are added, and how many tools it reaches then."""
    order = {"new": 0, "extended": 1, "same": 2}
    rows = [
        (visible(one.term), one.kind, visible(", ".join(one.added)), len(reach[one.term].tools))
        for one in sorted(listed, key=lambda one: order[one.kind])
    ]
    return pd.DataFrame(rows, columns=["term", "what", "phrases added", "tools"])


def listed_text(listed: Sequence[ListedTerm], unread: int) -> str:
    """Say how many terms of a pasted list are new, get phrases, are there already, and how many places cannot be read."""
    counts = {kind: sum(one.kind == kind for one in listed) for kind in ("new", "extended", "same")}
    said = f"{plural(counts['new'], 'new term')} · {counts['extended']} extended · {counts['same']} the same"
    return f"{said} · {plural(unread, 'place')} not read" if unread else f"{said}."


def phrase_lines(text: str) -> tuple[str, ...]:
    """Return the phrases that a text holds, one a line, none twice."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
