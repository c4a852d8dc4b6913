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
