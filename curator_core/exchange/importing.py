"""Registries from anywhere: files, folders, pasted text or parsed JSON, recognised and read with a problem for all that is not used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curator_core.checks.lint import TOOLS
from curator_core.errors import Problem, RegistryError
from curator_core.files.folder import load_registry
from curator_core.files.json_source import MAX_DEPTH, JsonFault, depth_exceeds
from curator_core.formats.document import MAX_BYTES, Document, read_document
from curator_core.formats.recognise import Found, recognise
from curator_core.registry import Registry
from curator_core.tool import TOOL_FIELDS, Tool

SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".tsv", ".txt", ".snap")
PASTED = "pasted text"
ORIGIN = "origin"  # in a tool's further fields: where it was imported from, and the hash of what it said


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an imported tool stands. source: its file. where: file and line or path. stated: the fields that the source speaks of."""

    source: str
    where: str
    stated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Imported:
    """What a source holds. shape: what it was recognised as. registry: its tools and synonyms, with problems.

    origins: one for each tool of the registry. complete: False for a page of a longer list, for single tools, and where a part cannot be
    used: then silence about another tool says nothing.
    """

    shape: str
    registry: Registry
    origins: tuple[Origin, ...]
    complete: bool = True

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is not used, or likely not as meant."""
        return self.registry.problems


def import_tools(source: Any) -> Registry:
    """Return the tools and synonyms of a source as a registry with problems; `read_source` also says what it was recognised as.

    source: a path, a folder of files, text, bytes, {name: bytes}, parsed JSON, or a list of paths. Raises RegistryError where nothing in
    it is a list of tools.
    """
    return read_source(source).registry


def read_source(source: Any, name: str = "") -> Imported:
    """Return what a source holds and what it was recognised as; see import_tools. name: what messages call text and parsed JSON."""
    path = _path_of(source)
    if path is not None and (path / TOOLS).is_file():
        return _own_folder(path)
    found: list[tuple[Document, Found]] = []
    problems: list[Problem] = []
    for label, content in _contents(source, path, name):
        try:
            document = content if isinstance(content, Document) else read_document(label, _bytes_of(content))
            found.append((document, recognise(document)))
        except JsonFault as fault:
            problems.append(Problem(label, fault.found, fault.fix))
    if not found:
        raise RegistryError(
            problems or [Problem(str(source)[:200], "there is no file of tools in it", f"put one there: {', '.join(SUFFIXES)}")]
        )
    imported = _combined(found, problems, path.stem if path is not None else "")
    return imported if imported.registry.tools or imported.registry.synonyms else _empty(imported, found[0][0].name)


def _empty(imported: Imported, name: str) -> Imported:
    """Return a source without tools and synonyms with a warning of that; raise where there are entries, none of which can be used."""
    errors = [problem for problem in imported.problems if problem.level == "error"]
    if errors:
        raise RegistryError(errors)
    warning = Problem(name, "the list is empty, there are no tools in it", "see that it is the right source", "warning")
    return replace(imported, registry=replace(imported.registry, problems=(*imported.problems, warning)))


def called(imported: Imported, group: str = "", origin: str = "") -> Imported:
    """Return a source with a server for its tools that name none, and under another name; "" leaves them."""
    tools = tuple(tool if tool.group or not group else replace(tool, group=group) for tool in imported.registry.tools)
    origins = tuple(replace(one, source=origin or one.source) for one in imported.origins)
    return replace(imported, registry=replace(imported.registry, tools=tools), origins=origins)


def _path_of(source: Any) -> Path | None:
    """Return the path that a source is, None for content. Raises RegistryError for one that does not exist."""
    if isinstance(source, Path):
        path = source
    elif isinstance(source, str) and source.strip() and "\n" not in source and len(source) < 1000 and source.lstrip()[0] not in "{[<\ufeff":
        path = Path(source)
    else:
        return None
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists and isinstance(source, str) and any(sign in source for sign in "{[\t\r"):
        return None  # a text of one line
    if not exists:
        raise RegistryError([Problem(str(path), "there is no such file or folder", "give a path, or the text itself")])
    return path


def _contents(source: Any, path: Path | None, name: str) -> Iterator[tuple[str, Any]]:
    """Yield name and content of each part of a source: a path, text, bytes or a document."""
    if path is not None and path.is_dir():
        files = (one for one in sorted(path.iterdir()) if one.suffix.casefold() in SUFFIXES and not one.name.startswith("."))
        yield from ((_label(file), file) for file in files if file.is_file())
    elif path is not None:
        yield _label(path), path
    elif isinstance(source, (str, bytes)):
        yield name or PASTED, source
    elif isinstance(source, dict) and source and all(isinstance(one, bytes) for one in source.values()):
        yield from source.items()
    elif isinstance(source, (list, tuple)) and source and all(isinstance(one, Path) for one in source):
        for one in source:
            yield from _contents(one, _path_of(one), name)
    else:
        value = _as_parsed(source)
        yield name or "parsed JSON", Document(name or "parsed JSON", value)


def _label(path: Path) -> str:
    return path.name.encode("utf-8", "replace").decode()  # a name that is no text in UTF-8


def _as_parsed(value: Any) -> Any:
    if not isinstance(value, (dict, list)):
        raise RegistryError(
            [Problem("parsed JSON", f"found {type(value).__name__}", "give a path, text, bytes, or a list or object of JSON")]
        )
    if depth_exceeds(value, MAX_DEPTH):
        raise RegistryError([Problem("parsed JSON", f"nested more than {MAX_DEPTH} deep", "make it flatter")])
    return value


def _bytes_of(content: Any) -> bytes | str:
    if not isinstance(content, Path):
        return content  # type: ignore[no-any-return]
    try:
        size = content.stat().st_size
        if size > MAX_BYTES:
            raise JsonFault(f"{size:,} bytes", f"up to {MAX_BYTES:,} are read; give the tools in several files")
        return content.read_bytes()
    except OSError as error:
        raise JsonFault(f"it cannot be read ({error.strerror})", "check the path and the permissions") from error


def _own_folder(path: Path) -> Imported:
    registry = load_registry(path, strict=False)
    origins = tuple(Origin(path.name, f'{TOOLS}, "{key}"', frozenset(TOOL_FIELDS)) for key in registry.keys)
    plain = replace(registry, _provenance=None)
    return Imported("a registry folder", plain, origins)


def _combined(found: Sequence[tuple[Document, Found]], problems: Sequence[Problem], stem: str) -> Imported:
    """Return several documents as one; the same tool in another list is taken once, other tools of its name are kept."""
    several = [one for _, one in found if one.whole and one.tools]
    by_file = len(several) > 1 and not any(one.open for one in several)
    closed = frozenset(server for _, one in found for server in one.closed)
    tools: list[Tool] = []
    origins: list[Origin] = []
    seen: dict[tuple[str, str], list[tuple[tuple[int, int], Tool]]] = {}
    notes = list(problems)
    twice: list[str] = []
    synonyms: dict[str, tuple[str, ...]] = {}
    for number, (document, one) in enumerate(found):
        notes += one.problems
        notes += [_unfinished(document.name)] if one.open - closed else []
        synonyms = _joined(synonyms, one)
        for placed in one.tools:
            tool = placed.tool
            if by_file and one.whole and not tool.group:
                tool = replace(tool, group=Path(document.name).stem)
            lot = (number, placed.lot)
            others = seen.setdefault((placed.tool.name, ""), [])
            if any(other != lot and _is_same(before, placed.tool) for other, before in others):
                twice.append(tool.name)
                continue
            others.append((lot, placed.tool))
            tools.append(tool)
            origins.append(Origin(document.name, placed.where, placed.stated))
    if twice:
        names = dict.fromkeys(twice)
        said = f"{len(names)} of the tools stand in another list too, with the same words: {', '.join([*names][:5])}"
        notes.append(Problem(found[0][0].name, said, "each is taken once", "warning"))
    name = next((one.name for _, one in found if one.name), "") or stem
    used = not any(note.level == "error" for note in notes)
    complete = used and all(one.whole and one.open <= closed for _, one in found)
    registry = Registry(name, tuple(tools), synonyms)
    registry = replace(registry, problems=(*notes, *_placed_warnings(registry, origins)))
    return Imported(_shapes(found), registry, tuple(origins), complete)


def _unfinished(name: str) -> Problem:
    found = "this is one page of a list, more tools exist (nextCursor)"
    return Problem(name, found, "add the further pages: give them together, or in a folder", "warning")


def _joined(synonyms: dict[str, tuple[str, ...]], one: Found) -> dict[str, tuple[str, ...]]:
    return synonyms | {term: tuple(dict.fromkeys((*synonyms.get(term, ()), *said))) for term, said in one.synonyms.items()}


def _placed_warnings(registry: Registry, origins: Sequence[Origin]) -> Iterable[Problem]:
    """Return the registry's warnings with the place in the source in place of that in tools.json."""
    at = dict(zip(registry.keys, origins, strict=True))
    for warning in registry.warnings:
        where = at[warning.tool].where if warning.tool in at else warning.where
        name = f'"{" ".join(registry.tool(warning.tool).name.split())}"'
        yield replace(warning, where=where if name in where else f"{where} {name}")


def _is_same(one: Tool, other: Tool) -> bool:
    """Say whether two entries are one tool, maybe in two renderings: titles that a schema adds by itself do not count."""
    if (one.description, one.group) != (other.description, other.group):
        return False
    return bool(_without_titles(one.parameters, one.description) == _without_titles(other.parameters, other.description))


def _without_titles(schema: Any, description: str) -> Any:
    if isinstance(schema, list):
        return [_without_titles(one, description) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if not (key == "title" and isinstance(value, str)) and value != description}
    return {key: _without_titles(value, description) for key, value in kept.items()}


def _shapes(found: Sequence[tuple[Document, Found]]) -> str:
    if len(found) == 1:
        return found[0][1].shape
    counts: dict[str, int] = {}
    for _, one in found:
        counts[one.shape] = counts.get(one.shape, 0) + 1
    return f"{len(found)} files: {', '.join(f'{shape} ({count})' for shape, count in counts.items())}"
