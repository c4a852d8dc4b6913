"""Synonyms as Elasticsearch keeps them: a synonyms set, or the filters of an index's settings; the rules are those of Solr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curator_core.formats.solr import write_lines

Lines = list[tuple[str, str]]


def synonym_lines(value: Any) -> Lines | None:
    """Return place and text of each rule, None where a value has no synonyms of Elasticsearch."""
    if not isinstance(value, dict):
        return None
    held = value.get("synonyms_set")
    if isinstance(held, list):
        rules = [one.get("synonyms") if isinstance(one, dict) else None for one in held]
        return [(f"rule {number}", rule if isinstance(rule, str) else "") for number, rule in enumerate(rules, 1)]
    found = [lines for settings in _inside(value) for lines in _filters(settings)]
    return [line for lines in found for line in lines] or None


def _inside(value: Mapping[str, Any]) -> list[Any]:
    """Return where filters may stand: the settings themselves, under settings, index and analysis, or those of each index."""
    places: list[Any] = [value]
    for key in ("settings", "index", "analysis"):
        places += [one[key] for one in places if isinstance(one, dict) and isinstance(one.get(key), dict)]
    return places


def _filters(settings: Any) -> list[Lines]:
    filters = settings.get("filter") if isinstance(settings, dict) else None
    found = []
    for name, one in filters.items() if isinstance(filters, dict) else ():
        rules = one.get("synonyms") if isinstance(one, dict) else None
        if isinstance(rules, list):
            found.append([(f"filter {name}, rule {i}", rule) for i, rule in enumerate(rules, 1) if isinstance(rule, str)])
    return found


def synonyms_set(synonyms: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the synonyms as a synonyms set."""
    return {"synonyms_set": [{"id": f"rule-{i}", "synonyms": line} for i, line in enumerate(write_lines(synonyms), 1)]}
