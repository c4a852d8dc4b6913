"""What differs: between two texts, word by word, and between two registries, as the edits that lead from one to the other."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from curator_core.errors import CuratorError
from curator_core.keys import assign_keys
from curator_core.registry import Registry
from curator_core.tool import TOOL_FIELDS, Edit, TestQuery, Tool

Part = tuple[Literal["equal", "delete", "insert"], str]
_FIELDS = (*(field for field in TOOL_FIELDS if field not in ("name", "group")), "group")  # the group last: a key may depend on it
_WORDS = re.compile(r"(\s*)(\w+|[^\w\s]|\Z)")  # the blank before a word, and the word
LONG_TEXT = 2000  # words; beyond, frequent words are not compared with each other, which would take seconds


def word_diff(old: str, new: str) -> tuple[Part, ...]:
    """Return the parts of two texts in order: what stays, what goes, what comes; whole words, with blanks kept.

    "equal" and "delete" make the old text, "equal" and "insert" the new one.
    """
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    words = [word for _, word in a], [word for _, word in b]
    parts: list[tuple[str, str, str]] = []  # (stays, goes, comes): stays comes before the other two
    for op, a1, a2, b1, b2 in difflib.SequenceMatcher(None, *words, autojunk=len(a) + len(b) > LONG_TEXT).get_opcodes():
        if op == "equal":
            for (blank, word), (new_blank, _) in zip(a[a1:a2], b[b1:b2], strict=True):
                parts += [("", blank, new_blank), (word, "", "")] if blank != new_blank else [(blank + word, "", "")]
        else:
            gone, come = ("".join(map("".join, pairs)) for pairs in (a[a1:a2], b[b1:b2]))
            same = a[a1][0] if gone and come and a[a1][0] == b[b1][0] else ""
            parts.append((same, gone.removeprefix(same), come.removeprefix(same)))
    return tuple(_merged(parts))


def _merged(parts: Iterable[tuple[str, str, str]]) -> Iterator[Part]:
    """Yield neighbours of a kind as one part, what goes before what comes."""
    stays = goes = comes = ""
    for equal, gone, come in (*parts, ("", "", "")):
        if equal and (goes or comes):
            yield from _said(stays, goes, comes)
            stays = goes = comes = ""
        stays, goes, comes = stays + equal, goes + gone, comes + come
    yield from _said(stays, goes, comes)


def _said(stays: str, goes: str, comes: str) -> Iterator[Part]:
    if stays:
        yield "equal", stays
    if goes:
        yield "delete", goes
    if comes:
        yield "insert", comes


def changes_between(old: Registry, new: Registry) -> tuple[Edit, ...]:
    """Return edits that make the tools, synonyms, test queries and waiting texts of `new` out of `old`; the order of tools may differ.

    A tool that is gone while another appeared that differs in its name alone counts as renamed. Where no edits can lead there (a tool
    is called what the key of another would be, "search#2") they still name every text that differs.
    """
    tools, middle = _tool_edits(old, new)
    terms = sorted(old.synonyms.keys() | new.synonyms.keys())
    pairs = ((term, old.synonyms.get(term), new.synonyms.get(term)) for term in terms)
    synonyms = tuple(Edit(term, "synonyms", before, after) for term, before, after in pairs if before != after)
    keys = sorted(key for key in middle.unresolved.keys() | new.unresolved.keys() if key not in middle.by_key)
    waiting = ((key, middle.unresolved.get(key), new.unresolved.get(key)) for key in keys)
    unresolved = tuple(Edit(key, "unresolved", before, after) for key, before, after in waiting if before != after)
    return (*tools, *synonyms, *_query_edits(middle.test_queries, new.test_queries), *unresolved)


def _tool_edits(old: Registry, new: Registry) -> tuple[tuple[Edit, ...], Registry]:
    """Return the edits of tools, and the registry after them: field by field where keys tell tools apart, else of whole tools."""
    edits: tuple[Edit, ...] = ()
    for way in (_by_key, _as_wholes):
        try:
            edits = way(old, new)
            result = old.with_edits(edits) if edits else old
        except CuratorError:
            continue
        if Counter(result.tools) == Counter(new.tools):
            return edits, result
    return edits, old


def _by_key(old: Registry, new: Registry) -> tuple[Edit, ...]:
    structure = _structure(old, new)
    middle = old.with_edits(structure) if structure else old
    return (*structure, *_field_edits(middle, new))


def _as_wholes(old: Registry, new: Registry) -> tuple[Edit, ...]:
    gone, come = Counter(old.tools) - Counter(new.tools), Counter(new.tools) - Counter(old.tools)
    return _gone_and_come(list(old.tools), list(gone.elements()), list(come.elements()))


def _structure(old: Registry, new: Registry) -> tuple[Edit, ...]:
    """Return the renames, deletions and additions after which both have the same keys."""
    if set(old.keys) == set(new.keys):
        return ()
    gone = [tool for key, tool in zip(old.keys, old.tools, strict=True) if key not in new.by_key]
    come = [tool for key, tool in zip(new.keys, new.tools, strict=True) if key not in old.by_key]
    for tool in list(come):  # only its key moved, since a tool of the same name came or went
        if tool in gone:
            gone.remove(tool)
            come.remove(tool)
    work, edits = list(old.tools), []
    for tool in list(gone):
        renamed = next((other for other in come if replace(other, name=tool.name) == tool), None)
        if renamed is not None and not any(other.name in (tool.name, renamed.name) for other in work if other is not tool):
            edits.append(Edit(tool.name, "name", tool.name, renamed.name))
            work[work.index(tool)] = renamed
            gone.remove(tool)
            come.remove(renamed)
    return (*edits, *_gone_and_come(work, gone, come))


def _gone_and_come(work: list[Tool], gone: Iterable[Tool], come: Iterable[Tool]) -> tuple[Edit, ...]:
    """Return the deletions and additions, each under the key that the tool has at that moment."""
    edits = []
    for tool in gone:
        at = work.index(tool)
        edits.append(Edit(assign_keys(work)[at], "tool", tool, None))
        del work[at]
    for tool in come:
        work.append(tool)
        edits.append(Edit(assign_keys(work)[-1], "tool", None, tool))
    return tuple(edits)


def _field_edits(old: Registry, new: Registry) -> tuple[Edit, ...]:
    pairs = ((key, old.by_key[key], tool) for key, tool in new.by_key.items() if key in old.by_key)
    return tuple(
        Edit(key, field, getattr(before, field), getattr(after, field))
        for key, before, after in pairs
        if before != after
        for field in _FIELDS
        if getattr(before, field) != getattr(after, field)
    )


def _query_edits(old: tuple[TestQuery, ...], new: tuple[TestQuery, ...]) -> tuple[Edit, ...]:
    """Return edits of test queries; one that changed is known by its question."""
    gone, come = list((Counter(old) - Counter(new)).elements()), list((Counter(new) - Counter(old)).elements())
    edits = []
    for query in gone:
        after = next((other for other in come if other.query == query.query), None)
        if after is not None:
            come.remove(after)
        edits.append(Edit("", "test_query", query, after))
    return (*edits, *(Edit("", "test_query", None, query) for query in come))
