"""A registry folder: read it with every complaint at once, and save it so that only what was edited changes."""

from __future__ import annotations

from pathlib import Path

from curator_core import journal
from curator_core.errors import Problem, RegistryError
from curator_core.lint import OVERLAY, QUERIES, SYNONYMS, TOOLS
from curator_core.reading import read_registry
from curator_core.registry import Registry

FILES = (TOOLS, OVERLAY, SYNONYMS, QUERIES)


def load_registry(folder: str | Path, strict: bool = True) -> Registry:
    """Load a registry folder.

    strict: raise RegistryError with every problem that makes a part unusable. Otherwise return what is usable; `problems` has the rest.
    A folder without a readable tools.json raises either way.
    """
    path = Path(folder)
    if not path.is_dir():
        found = "this is a file" if path.exists() else "there is no such folder"
        raise RegistryError([Problem(str(path), found, f"give a folder that holds a {TOOLS}")])
    try:
        files = journal.read_files(path, FILES)
    except OSError as error:
        problem = Problem(
            str(error.filename or path), f"it cannot be read ({error.strerror})", "check the permissions, or copy the registry"
        )
        raise RegistryError([problem]) from error
    registry = read_registry(path, files)
    if strict and any(problem.level == "error" for problem in registry.problems):
        raise RegistryError(registry.problems)
    return registry


def save_registry(registry: Registry, folder: str | Path) -> Registry:
    """Save a registry and return it as it now is on disk; of a loaded one only what was edited is written, all of it or nothing.

    A registry that was loaded elsewhere or made in Python goes to a folder that holds none yet.
    Raises RegistryChanged naming the files that others changed since, NotWritable, CuratorError for what JSON cannot hold.
    """
    path = Path(folder)
    known = registry._provenance
    source: Source | None = known.source if known else None
    at_home = source is not None and source.folder.resolve() == path.resolve()
    if not at_home:
        _make(path)
    with journal.saving(path):
        old = source.files if source and at_home else dict.fromkeys(FILES)
        _refuse_if_changed(path, old, at_home)
        contents = changed_contents(registry, known) if known and source else fresh_contents(registry)
        if source and not at_home:
            contents = {file: read.data for file, read in source.files.items() if read} | contents
        if not contents:
            return registry
        saved = _read_back(registry, path, {**old, **{file: journal.Snapshot(data, (0, 0, 0, 0)) for file, data in contents.items()}})
        written = journal.replace_files(path, contents)
    return replace_source(saved, {**old, **written})
