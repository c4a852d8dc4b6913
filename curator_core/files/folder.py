"""A registry folder: read it with every complaint at once, and save it so that only what was edited changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from curator_core.checks.lint import OVERLAY, QUERIES, SYNONYMS, TOOLS
from curator_core.errors import CuratorError, NotWritable, Problem, RegistryChanged, RegistryError
from curator_core.files import journal
from curator_core.files.config import CONFIG, changed_config, settings_in
from curator_core.files.reading import Source, read_registry, read_test_queries
from curator_core.registry import Registry, TestQuery

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
    registry = _with_settings(read_registry(path, files), settings_in(path))
    if strict and any(problem.level == "error" for problem in registry.problems):
        raise RegistryError(registry.problems)
    return registry


def load_test_queries(file: str | Path) -> tuple[tuple[TestQuery, ...], tuple[Problem, ...]]:
    """Load a file of test queries in test_queries.jsonl's format; return those that can be read, and what is wrong with the others.

    Raises RegistryError when there is no such file, it cannot be read, or none of its lines is a test query.
    """
    path = Path(file)
    try:
        snapshot = journal.Snapshot(path.read_bytes())
    except OSError as error:
        raise RegistryError([Problem(str(path), f"it cannot be read ({error.strerror})", "give a file of test queries")]) from error
    queries, problems = read_test_queries(path.name, snapshot)
    if problems and not queries:
        raise RegistryError(problems[:1])
    return queries, problems


def save_registry(registry: Registry, folder: str | Path) -> Registry:
    """Save a registry and return it as it now is on disk; of a loaded one only what was edited is written, all of it or nothing.

    A registry that was loaded elsewhere or made in Python goes to a folder that holds none yet.
    Raises RegistryChanged naming the files that others changed since, NotWritable, CuratorError for what JSON cannot hold.
    """
    path = Path(folder)
    source = _source(registry)
    at_home = source is not None and source.folder.resolve() == path.resolve()
    old = source.files if source and at_home else dict.fromkeys(FILES)
    try:
        if not at_home:
            path.mkdir(parents=True, exist_ok=True)
        with journal.saving(path):
            _refuse_if_changed(path, old, at_home)
            contents = _contents(registry, at_home)
            if at_home and source and (config := changed_config(path, source.settings, registry.settings)):
                contents[CONFIG] = config
            if not contents:
                return registry
            _refuse_links(path, contents)
            new = {file: journal.Snapshot(data) for file, data in contents.items() if file in FILES}
            saved = _read_back(registry, path, {**old, **new})
            written = journal.replace_files(path, contents)
    except OSError as error:
        raise NotWritable(journal.refusal(path, error, "nothing was saved")) from error
    source = _source(saved)
    if source is not None:
        source.files = {**old, **{file: read for file, read in written.items() if file in FILES}}
    return saved


def changed_files(registry: Registry, folder: str | Path) -> tuple[str, ...]:
    """Return the registry's files that are no longer on disk as they were loaded; cheap enough to ask at every rerun."""
    source = _source(registry)
    if source is None:
        return ()
    path = Path(folder)
    return tuple(file for file in FILES if not _is_current(path / file, source.files.get(file)))


def _with_settings(registry: Registry, settings: Mapping[str, Any]) -> Registry:
    source = _source(registry)
    if source is not None:
        source.settings = settings
    return replace(registry, settings=settings)


def _is_current(path: Path, snapshot: journal.Snapshot | None) -> bool:
    try:
        return journal.is_current(path, snapshot)
    except OSError:  # it cannot be read any more, which is a change too
        return False


def _source(registry: Registry) -> Source | None:
    return registry._provenance.source if registry._provenance else None


def _refuse_if_changed(path: Path, old: Mapping[str, journal.Snapshot | None], at_home: bool) -> None:
    changed = [file for file in FILES if not journal.has_content(path / file, old.get(file))]
    if not changed:
        return
    if at_home:
        raise RegistryChanged(
            f"{path}: changed on disk since the registry was loaded: {', '.join(changed)}; nothing was saved. "
            "Load the registry again and apply the edits to it"
        )
    raise RegistryChanged(
        f"{path}: there is another registry in it ({', '.join(changed)}); nothing was saved. "
        "Load that one and edit it, or choose an empty folder"
    )


def _refuse_links(path: Path, contents: Mapping[str, bytes]) -> None:
    """Refuse to put a file in the place of a link, which would part it from the file it stands for."""
    for file in contents:
        if (path / file).is_symlink():
            raise NotWritable(
                f"{path / file} is a link to {(path / file).resolve()}; nothing was saved. Open the registry where its files lie"
            )


def _contents(registry: Registry, at_home: bool) -> dict[str, bytes]:
    """Return the files to write."""
    from curator_core.files.writing import changed_contents, fresh_contents  # what reading does not need is not waited for

    known, source = registry._provenance, _source(registry)
    if known is None or source is None:
        return fresh_contents(registry)
    changed = changed_contents(registry, known)
    return changed if at_home else {file: read.data for file, read in source.files.items() if read} | changed


def _read_back(registry: Registry, path: Path, files: Mapping[str, journal.Snapshot | None]) -> Registry:
    """Return the registry that these files will hold, before they are written. Raises CuratorError if it is not the one to save."""
    from curator_core.files.writing import plain_value

    saved = _with_settings(read_registry(path, files), registry.settings)
    seen = set(registry.problems)
    errors = [problem for problem in saved.problems if problem.level == "error"]
    harmless = len(errors) <= sum(problem.level == "error" for problem in registry.problems)
    if harmless and plain_value(saved) == plain_value(registry):
        return saved
    reasons = [str(problem) for problem in errors if problem not in seen]
    raise CuratorError("\n".join(reasons) or f"{path}: the registry would not be read back as it is; nothing was saved")
