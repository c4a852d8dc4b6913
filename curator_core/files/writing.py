"""A registry as the bytes of its files: those it was loaded from with only its edits in them, or fresh ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from curator_core.checks.lint import OVERLAY, QUERIES, SYNONYMS, TOOLS
from curator_core.errors import CuratorError, RegistryError
from curator_core.files.json_patch import (
    REMOVED,
    Box,
    Item,
    Style,
    item_text,
    member,
    member_text,
    open_box,
    patched,
    raw,
    rebuilt,
    renamed,
    root,
    style_of,
    with_members,
    with_value,
    written,
)
from curator_core.files.json_source import Decoded, broken
from curator_core.files.reading import SCHEMA_VERSION, Source
from curator_core.registry import Registry
from curator_core.tool import TOOL_FIELDS, Provenance, TestQuery, Tool

TOOL_ORDER = ("name", "description", "roles", "group", "tags", "examples", "parameters")
QUERY_ORDER = ("query", "expected", "forbidden", "role", "tags", "critical", "note")
_Wanted = list[tuple[Item | None, str]]


def changed_contents(registry: Registry, known: Provenance) -> dict[str, bytes]:
    """Return the files that the edits change, with everything else in them as it was.

    Raises CuratorError for what JSON cannot hold, RegistryError when the edits are for a file that could not be read.
    """
    source: Source = known.source
    makers: Mapping[str, Callable[[], str | None]] = {
        TOOLS: partial(_tools_text, registry, source, known),
        OVERLAY: partial(_overlay_text, registry, source, known),
        SYNONYMS: partial(_synonyms_text, registry, source),
        QUERIES: partial(_queries_text, registry, source, known),
    }
    contents: dict[str, bytes] = {}
    for file, make in makers.items():
        with _as_json(file):
            text = make()
            old = source.texts.get(file, Decoded(""))
            if text is not None and text != old.text:
                if source.files.get(file) is not None and file not in source.texts:
                    raise RegistryError([problem for problem in registry.problems if problem.where.startswith(file)])
                contents[file] = old.encode(text)
    return contents


def fresh_contents(registry: Registry) -> dict[str, bytes]:
    """Return the files of a registry that was made in Python; empty ones are left out. Raises CuratorError for what JSON cannot hold."""
    style = Style()
    texts: dict[str, str] = {}
    with _as_json(TOOLS):
        tools = [_values(_tool_values(tool)) for tool in registry.tools]
        texts[TOOLS] = written({"schema_version": SCHEMA_VERSION, "name": registry.name, "tools": tools}, style) + "\n"
    overlay = {key: tool.extra_context for key, tool in zip(registry.keys, registry.tools, strict=True) if tool.extra_context}
    for file, mapping in ((OVERLAY, {**registry.unresolved, **overlay}), (SYNONYMS, _plain(registry.synonyms))):
        if mapping:
            with _as_json(file):
                texts[file] = written(mapping, style) + "\n"
    if registry.test_queries:
        with _as_json(QUERIES):
            texts[QUERIES] = "".join(query_line(query, style) + "\n" for query in registry.test_queries)
    contents: dict[str, bytes] = {}
    for file, text in texts.items():
        with _as_json(file):
            contents[file] = text.encode()
    return contents


@contextmanager
def _as_json(file: str) -> Iterator[None]:
    try:
        yield
    except (TypeError, ValueError) as error:
        raise CuratorError(f"{file}: a value cannot be written as JSON ({error}); nothing was saved, correct it") from error


def _tools_text(registry: Registry, source: Source, known: Provenance) -> str | None:
    """Return tools.json with changed fields patched, deleted tools taken out and new ones put after the tool that they follow."""
    changes = {
        position: _differences(_tool_values(source.tools[origin]), _tool_values(registry.tools[position]))
        for position, origin in enumerate(known.tools)
        if origin is not None and source.tools[origin] != registry.tools[position]
    }
    if not any(changes.values()) and known.tools == tuple(source.tools):
        return None
    text = source.texts[TOOLS].text
    style, box = style_of(text), root(text)
    if text[box.start] == "{" and (tools := member(box, "tools")) is not None:
        box = open_box(text, tools.value)
    wanted: _Wanted = []
    for entry, position in _merged(known.tools, source.tools.keys(), len(box.items)):
        if entry is None and position is not None:
            wanted.append((None, item_text(box, _values(_tool_values(registry.tools[position])), style)))
        elif entry is not None:
            item = box.items[entry]
            changed = changes.get(position) if position is not None else None
            new = with_members(open_box(text, item.value), changed, style, TOOL_ORDER) if changed else raw(box, item)
            wanted.append((item, new))
    return _spliced(box, rebuilt(box, wanted, style))


def _overlay_text(registry: Registry, source: Source, known: Provenance) -> str | None:
    """Return extra_context.json with changed texts patched and keys that follow their tools."""
    where = {origin: position for position, origin in enumerate(known.tools) if origin is not None}
    box, style = _root_of(source, OVERLAY)
    wanted: _Wanted = []
    done: set[str] = set()
    for item in box.items:
        old_key = str(item.key)
        entry = source.overlays.get(old_key)
        position = where.get(entry) if entry is not None else _position(registry, old_key)
        if position is None:
            text = registry.unresolved.get(old_key)
            if text is not None:  # the words wait for their tool to come back
                wanted.append((item, with_value(box, item, patched(box.text, item.value, item.end, item.parsed, text, style))))
            elif entry is None and (not isinstance(item.parsed, str) or broken(item.parsed)):  # what could not be read stays as it is
                wanted.append((item, raw(box, item)))
            continue
        tool, key = registry.tools[position], registry.keys[position]
        untouched = entry is not None and tool.extra_context == source.tools[entry].extra_context
        new = item.parsed if untouched else _overlay_value(tool, known.tools[position], source)
        if new is not REMOVED and key not in done:
            wanted.append((item, renamed(box, item, key, patched(box.text, item.value, item.end, item.parsed, new, style), style)))
        done.add(key)
    for key, tool, origin in zip(registry.keys, registry.tools, known.tools, strict=True):
        new = _overlay_value(tool, origin, source)
        if key not in done and isinstance(new, str):
            wanted.append((None, member_text(box, key, new, style)))
    waiting = registry.unresolved.keys() - {item.key for item in box.items}
    wanted += [(None, member_text(box, key, registry.unresolved[key], style)) for key in sorted(waiting)]
    return _spliced(box, rebuilt(box, wanted, style)) if wanted or box.items else None


def _position(registry: Registry, key: str) -> int | None:
    return registry.keys.index(key) if key in registry.by_key else None


def _overlay_value(tool: Tool, origin: int | None, source: Source) -> Any:
    """Return the overlay's text for a tool, REMOVED when tools.json itself says the same."""
    base = source.bases[origin] if origin is not None else ""
    return REMOVED if tool.extra_context == base else tool.extra_context


def _synonyms_text(registry: Registry, source: Source) -> str | None:
    """Return domain_synonyms.json with the terms that changed."""
    old, new = _plain(source.synonyms), _plain(registry.synonyms)
    changes = _differences(old, {**dict.fromkeys(old, REMOVED), **new})
    if not changes:
        return None
    box, style = _root_of(source, SYNONYMS)
    return _spliced(box, with_members(box, changes, style))


def _queries_text(registry: Registry, source: Source, known: Provenance) -> str | None:
    """Return test_queries.jsonl with the lines that changed."""
    queries = registry.test_queries
    if known.test_queries == tuple(source.queries) and queries == tuple(source.queries.values()):
        return None
    text = source.texts[QUERIES].text if QUERIES in source.texts else ""
    style = _line_style(text)
    lines = re.findall(r"[^\n]*\n|[^\n]+$", text)
    out: list[str] = []
    for line, position in _merged(known.test_queries, source.queries.keys(), len(lines)):
        if line is None and position is not None:
            out.append(query_line(queries[position], style) + style.newline)
        elif line is not None and (position is None or queries[position] == source.queries[line]):
            out.append(lines[line])
        elif line is not None and position is not None:
            changes = _differences(_query_values(source.queries[line]), _query_values(queries[position]))
            box = root(lines[line])
            out.append(_spliced(box, with_members(box, changes, style, QUERY_ORDER)))
    out[:-1] = [one if one.endswith("\n") else one + style.newline for one in out[:-1]]
    if out and text and not text.endswith("\n"):
        out[-1] = out[-1].rstrip("\r\n")
    return "".join(out)


def _merged(origins: Sequence[int | None], loaded: Set[int], count: int) -> Iterator[tuple[int | None, int | None]]:
    """Yield (place in the file, place in the registry) in the file's new order; what could not be loaded keeps its place in the file."""
    unread = [entry for entry in range(count) if entry not in loaded]
    for position, origin in enumerate(origins):
        while origin is not None and unread and unread[0] < origin:
            yield unread.pop(0), None
        yield origin, position
    yield from ((entry, None) for entry in unread)


def _root_of(source: Source, file: str) -> tuple[Box, Style]:
    """Return the outermost object of a file, or the beginnings of a new one."""
    known = source.texts.get(file)
    return (root(known.text), style_of(known.text)) if known else (root("{}\n"), Style())


def _line_style(text: str) -> Style:
    style = style_of(text)
    return Style(None, style.newline, style.colon, style.escapes)


def query_line(query: TestQuery, style: Style | None = None) -> str:
    """Return a test query as a line of test_queries.jsonl, without the line's end."""
    return written(_values(_query_values(query)), style or Style(), spread=False)


def _spliced(box: Box, new: str) -> str:
    return box.text[: box.start] + new + box.text[box.end :]


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that are other values now, REMOVED for those that are gone."""
    gone = {key: REMOVED for key in old if key not in new}
    return {key: value for key, value in new.items() if key not in old or old[key] != value} | gone


def _values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not REMOVED}


def _tool_values(tool: Tool) -> dict[str, Any]:
    """Return a tool's members in tools.json, REMOVED for the optional ones that say nothing; its extra context lies in the overlay."""
    values: dict[str, Any] = {"name": tool.name, "description": tool.description}
    for name in TOOL_ORDER[2:-1]:
        values[name] = _plain(getattr(tool, name)) or REMOVED
    more = {key: _plain(value) for key, value in tool.more.items() if key not in TOOL_FIELDS}
    return {**values, "parameters": REMOVED if tool.parameters is None else _plain(tool.parameters), **more}


def _query_values(query: TestQuery) -> dict[str, Any]:
    values: dict[str, Any] = {"query": query.query, "expected": REMOVED if query.expected is None else list(query.expected)}
    for name in QUERY_ORDER[2:]:
        values[name] = _plain(getattr(query, name)) or REMOVED
    return values


def _plain(value: Any) -> Any:
    """Return read-only mappings and tuples as the dicts and lists that JSON knows."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def plain_value(registry: Registry) -> object:
    """Return what two registries that are saved alike have in common, as plain values to compare; the name may come from the folder."""
    tools = [(replace(tool, parameters=None, more={}), _plain(tool.parameters), _plain(tool.more)) for tool in registry.tools]
    return tools, dict(registry.synonyms), registry.test_queries, dict(registry.unresolved)
