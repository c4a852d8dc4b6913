"""Which registries were opened lately, kept in the cache folder between starts. Pure: no Streamlit."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

KEPT = 12
FILE = "recent.json"
_LOG = logging.getLogger(__name__)


def recent_folders(cache_dir: Path | None) -> tuple[Path, ...]:
    """Return the folders opened lately, the last one first; those that hold no registry any more are left out.

    cache_dir: where the list is kept, None = nowhere. A damaged list counts as empty; opening a registry writes it anew.
    """
    return tuple(folder for folder in _listed(cache_dir) if _is_registry(folder))


def remember(cache_dir: Path | None, folder: Path) -> None:
    """Put a folder first in the list. Where the list cannot be written, say so in the log: it is a convenience, no work is lost."""
    if cache_dir is None:
        return
    kept = [folder, *(other for other in _listed(cache_dir) if other != folder)][:KEPT]
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        _replace(cache_dir / FILE, json.dumps({"recent": list(map(str, kept))}, indent=1))
    except (OSError, UnicodeEncodeError) as error:
        _LOG.warning("the list of recent registries in %s was not written: %s", cache_dir, error)


def _listed(cache_dir: Path | None) -> Sequence[Path]:
    if cache_dir is None:
        return ()
    try:
        content = json.loads((cache_dir / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, RecursionError) as error:
        _LOG.warning("the list of recent registries in %s cannot be read and counts as empty: %s", cache_dir, error)
        return ()
    found = content.get("recent") if isinstance(content, dict) else None
    texts = [text for text in found if isinstance(text, str)] if isinstance(found, list) else []
    return [folder for folder in dict.fromkeys(map(Path, texts)) if folder.is_absolute()][:KEPT]


def _is_registry(folder: Path) -> bool:
    try:
        return (folder / "tools.json").is_file()
    except (OSError, ValueError):  # a name that this system does not allow
        return False


def _replace(path: Path, text: str) -> None:
    """Write a file in one step: who reads it sees the old list or the new one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
