"""The files of a registry folder as a Registry: everything that is usable, and a problem for everything that is not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curator_core.checks.lint import OVERLAY, QUERIES, SYNONYMS, TOOLS, place
from curator_core.errors import Problem, RegistryError
from curator_core.files.journal import Snapshot
from curator_core.files.json_source import Decoded, JsonFault, broken, decode, kind_of, parse, quoted
from curator_core.keys import assign_keys
from curator_core.registry import Registry
from curator_core.tool import TOOL_FIELDS, Provenance, TestQuery, Tool

SCHEMA_VERSION = 1
_SURROGATE = re.compile(r"\\u[dD][89abcdefABCDEF]")


@dataclass(slots=True)
class Source:
    """The documents behind a loaded registry, and what was read from where.

    files: each file as it was on disk, None if absent. texts: its text, for those that can be read. tools: entry of the list -> the tool
    as loaded. bases: entry -> extra context inside tools.json. overlays: key in extra_context.json -> entry it belongs to.
    queries: line -> test query. Entries and lines count from 0. settings: what curator.toml set then.
    """

    folder: Path
    files: Mapping[str, Snapshot | None]
    texts: dict[str, Decoded] = field(default_factory=dict)
    tools: dict[int, Tool] = field(default_factory=dict)
    bases: dict[int, str] = field(default_factory=dict)
    overlays: dict[str, int] = field(default_factory=dict)
    synonyms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    queries: dict[int, TestQuery] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_registry(folder: Path, files: Mapping[str, Snapshot | None]) -> Registry:
    """Return the registry that these files hold, with its problems. Raises RegistryError when there is no list of tools at all."""
    reader = _Reader(Source(folder, files))
    name = reader.read_tools() or folder.resolve().name
    source = reader.source
    unresolved = reader.read_overlay()
    reader.read_synonyms()
    reader.read_queries()
    provenance = Provenance(source, tuple(source.tools), tuple(source.queries))
    problems = reader.problems
    tools, queries = tuple(source.tools.values()), tuple(source.queries.values())
    registry = Registry(name, tools, source.synonyms, queries, tuple(problems), unresolved, provenance)
    return Registry(name, tools, source.synonyms, queries, (*problems, *registry.warnings), unresolved, provenance)


def read_tool(where: str, entry: Any) -> tuple[Tool | None, tuple[Problem, ...]]:
    """Return the tool that an entry of a list makes, None where it makes none, and what is wrong with it."""
    reader = _Reader(Source(Path(), {}))
    return reader.tool(where, entry, True), tuple(reader.problems)


def read_test_queries(file: str, snapshot: Snapshot) -> tuple[tuple[TestQuery, ...], tuple[Problem, ...]]:
    """Return the test queries of one JSON Lines file, and what is wrong with its other lines."""
    reader = _Reader(Source(Path(file), {file: snapshot}))
    reader.read_queries(file)
    return tuple(reader.source.queries.values()), tuple(reader.problems)


def read_test_query(where: str, entry: Mapping[str, Any]) -> tuple[TestQuery | None, tuple[Problem, ...]]:
    """Return the test query that an object of a line makes, None where it makes none, and what is wrong with it."""
    reader = _Reader(Source(Path(), {}))
    return reader.query(where, dict(entry)), tuple(reader.problems)


class _Reader:
    """Reads one file after the other into a Source and collects problems."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def complain(self, where: str, found: str, fix: str, tool: str = "") -> None:
        self.problems.append(Problem(where, found, fix, tool=tool))

    def warn(self, where: str, found: str, fix: str) -> None:
        self.problems.append(Problem(where, found, fix, "warning"))

    def document(self, file: str) -> Any:
        """Return the value of a JSON file, None when it is absent or not usable."""
        text = self.text(file)
        return None if text is None else self.parsed(file, file, text)

    def text(self, file: str) -> str | None:
        snapshot = self.source.files.get(file)
        if snapshot is None:
            return None
        try:
            self.source.texts[file] = decode(snapshot.data)
        except JsonFault as fault:
            self.complain(file, fault.found, fault.fix)
            return None
        return self.source.texts[file].text

    def parsed(self, file: str, where: str, text: str) -> Any:
        try:
            value, duplicates = parse(text)
        except JsonFault as fault:
            if where == file:
                self.source.texts.pop(file)  # nothing can be changed inside a document that cannot be read
            self.complain(where, fault.found if where == file else fault.found.removeprefix("line 1, "), fault.fix)
            return None
        for twice in duplicates:
            line = f", line {twice.line}" if where == file else ""
            self.warn(f"{where}{line}", f'key "{twice.key}" stands twice in one object', "the last one counts; remove the others")
        return value

    def read_tools(self) -> str:
        """Read tools.json and return the registry's name in it."""
        document = self.document(TOOLS)
        entries = document.get("tools") if isinstance(document, dict) else document
        if not isinstance(entries, list):
            if not self.problems or self.problems[-1].level != "error":
                self.complain(TOOLS, *_no_list(self.source, document))
            raise RegistryError(self.problems)
        suspicious = bool(_SURROGATE.search(self.source.texts[TOOLS].text))
        for i, entry in enumerate(entries):
            tool = self.tool(place(i), entry, suspicious)
            if tool is not None:
                self.source.tools[i] = tool
                self.source.bases[i] = tool.extra_context
        if not isinstance(document, dict):
            return ""
        version = document.get("schema_version", SCHEMA_VERSION)
        if version is True or version != SCHEMA_VERSION:
            self.warn(TOOLS, f"schema_version is {version!r}", f"this program knows version {SCHEMA_VERSION}; some fields may be ignored")
        name = document.get("name")
        return name.strip() if isinstance(name, str) and not broken(name) else ""

    def tool(self, where: str, entry: Any, suspicious: bool) -> Tool | None:
        if not isinstance(entry, dict):
            self.complain(where, f"found {kind_of(entry)}", 'write an object with "name" and "description", or remove it')
            return None
        name = entry.get("name")
        if not isinstance(name, str) or not name.strip():
            found = (
                'it has no "name"'
                if "name" not in entry
                else "its name is blank"
                if isinstance(name, str)
                else f"its name is {kind_of(name)}"
            )
            self.complain(where, found, "write a name as text")
            return None
        if suspicious and (faulty := [key for key, value in entry.items() if broken(key) or broken(value)]):
            shown = name.encode("utf-8", "backslashreplace").decode()
            found = f"{', '.join(map(ascii, faulty))} holds half a letter (a lone surrogate such as \\ud800)"
            self.complain(f'{where} "{shown}"', found, "write the whole letter")
            return None
        return self.fields(f'{where} "{name}"', name, entry)

    def fields(self, where: str, name: str, entry: dict[str, Any]) -> Tool | None:
        description = entry.get("description")
        if description is not None and not isinstance(description, str):
            self.complain(where, f"description is {kind_of(description)}", "write it as one text", name)
            return None
        roles = self.texts(where, entry, "roles")
        if roles is None:
            return None  # left out, since without its roles it would be shown to everybody
        parameters = entry.get("parameters")
        if parameters is not None and not isinstance(parameters, dict):
            self.complain(where, f"parameters is {kind_of(parameters)}", "write a JSON Schema object; the tool is used without it", name)
            parameters = None
        return Tool(
            name,
            description or "",
            self.one_text(where, entry, "extra_context"),
            roles,
            self.one_text(where, entry, "group"),
            self.texts(where, entry, "tags") or (),
            self.texts(where, entry, "examples") or (),
            parameters,
            {key: value for key, value in entry.items() if key not in TOOL_FIELDS},
        )

    def one_text(self, where: str, entry: dict[str, Any], key: str) -> str:
        value = entry.get(key)
        if value is None or isinstance(value, str):
            return value or ""
        self.complain(where, f"{key} is {kind_of(value)}", "write it as text; it is left out")
        return ""

    def texts(self, where: str, entry: dict[str, Any], key: str) -> tuple[str, ...] | None:
        """Return a list of texts; null and absent are an empty one, a single text is one entry, anything else a problem and None."""
        value = entry.get(key)
        if value is None:
            return ()
        if isinstance(value, str):
            self.warn(where, f"{key} is a text, read as its only entry", f'write a list: "{key}": ["…"]')
            return (value,)
        strange = [one for one in value if not isinstance(one, str)] if isinstance(value, list) else [value]
        if not strange:
            return tuple(value)
        found = f"{key} {'holds' if isinstance(value, list) else 'is'} {kind_of(strange[0])}"
        self.complain(where, found, 'write a list of texts, such as ["…"]')
        return None

    def read_overlay(self) -> dict[str, str]:
        """Put the overlay's texts into the tools; return those of tools that are not there."""
        unresolved: dict[str, str] = {}
        overlay = self.mapping(OVERLAY, '{"tool": "words to add"}')
        keys = dict(zip(assign_keys(list(self.source.tools.values())), self.source.tools, strict=True)) if overlay else {}
        for key, text in overlay.items():
            if text is not None and (not isinstance(text, str) or broken(text) or broken(key)):
                self.complain(f"{OVERLAY}, {quoted(key)}", f"found {kind_of(text)}", "write the words as one text")
            elif key in keys:
                entry = keys[key]
                self.source.overlays[key] = entry
                if text is not None:
                    self.source.tools[entry] = _with_extra(self.source.tools[entry], text)
            elif text is not None:
                unresolved[key] = text
        return unresolved

    def read_synonyms(self) -> None:
        for term, phrases in self.mapping(SYNONYMS, '{"term": ["what users say"]}').items():
            listed = [phrases] if isinstance(phrases, str) else phrases or [] if isinstance(phrases, list) or phrases is None else None
            if listed is None or not all(isinstance(phrase, str) for phrase in listed) or broken(listed) or broken(term):
                self.complain(
                    f"{SYNONYMS}, {quoted(term)}", f"found {kind_of(phrases)}", 'write a list of phrases, such as ["what users say"]'
                )
            else:
                self.source.synonyms[term] = tuple(listed)

    def mapping(self, file: str, example: str) -> dict[str, Any]:
        value = self.document(file)
        if value is None and file not in self.source.texts:
            return {}
        if not isinstance(value, dict):
            self.source.texts.pop(file)
            self.complain(file, f"found {kind_of(value)}", f"write one object: {example}")
            return {}
        return value

    def read_queries(self, file: str = QUERIES) -> None:
        text = self.text(file)
        for i, line in enumerate(text.split("\n") if text else ()):
            where = f"{file}, line {i + 1}"
            if not line.strip():
                continue
            value = self.parsed(file, where, line)
            if isinstance(value, dict):
                query = self.query(where, value)
                if query is not None:
                    self.source.queries[i] = query
            elif value is not None or line.strip() == "null":
                self.complain(where, f"found {kind_of(value)}", 'write an object: {"query": "…", "expected": ["tool"]}')

    def query(self, where: str, entry: dict[str, Any]) -> TestQuery | None:
        before = sum(problem.level == "error" for problem in self.problems)
        query = entry.get("query")
        if not isinstance(query, str):
            found = 'it has no "query"' if query is None else f"query is {kind_of(query)}"
            self.complain(where, found, "write the question as text")
        elif not query.strip():
            self.warn(where, "query is blank", "write the question; until then it is listed as invalid")
        if broken(entry):
            self.complain(where, "holds half a letter (a lone surrogate such as \\ud800)", "write the whole letter")
        expected = None if entry.get("expected") is None else self.texts(where, entry, "expected")
        forbidden, tags = self.texts(where, entry, "forbidden"), self.texts(where, entry, "tags")
        role, critical, note = entry.get("role"), entry.get("critical"), entry.get("note")
        if role is not None and not isinstance(role, str):
            self.complain(where, f"role is {kind_of(role)}", "write one role as text, or leave it out")
        if critical is not None and not isinstance(critical, bool):
            self.complain(where, f"critical is {kind_of(critical)}", "write true or false")
        if note is not None and not isinstance(note, str):
            self.complain(where, f"note is {kind_of(note)}", "write it as text")
        if sum(problem.level == "error" for problem in self.problems) > before:
            return None
        return TestQuery(str(query), expected, forbidden or (), role, tags or (), bool(critical), note or "")


def _with_extra(tool: Tool, text: str) -> Tool:
    return Tool(tool.name, tool.description, text, tool.roles, tool.group, tool.tags, tool.examples, tool.parameters, tool.more)


def _no_list(source: Source, document: Any) -> tuple[str, str]:
    fix = 'write {"tools": [{"name": "…", "description": "…"}]}'
    if source.files.get(TOOLS) is None:
        return f"there is no such file in {source.folder}", f"a registry is a folder with a tools.json; {fix}"
    if isinstance(document, dict):
        return ('it has no "tools"' if "tools" not in document else f'"tools" is {kind_of(document["tools"])}, not a list'), fix
    return f"found {kind_of(document)}, not a list of tools", fix
