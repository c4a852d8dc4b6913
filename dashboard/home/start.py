"""Where a registry can come from: the samples, or a new folder. Pure: no Streamlit."""

from __future__ import annotations

import shutil
import tempfile
from itertools import count
from pathlib import Path

from curator_core import NotWritable, Registry, save_registry

FILES = ("tools.json", "extra_context.json", "domain_synonyms.json", "test_queries.jsonl", "curator.toml")
SAMPLE_TEXTS = {
    "campus": "A university: attendance, fees, hostel, exams, grievances. The tour is about it.",
    "banking": "A retail bank: accounts, cards, loans, payments.",
    "workplace_mcp": "Four MCP servers of an office, whose tools have names of four habits.",
}
_HERE = Path(__file__).resolve().parents[1]
_SAMPLES = next((folder for folder in (_HERE.parent / "sample_registries", _HERE / "sample_registries") if folder.is_dir()), None)


def samples() -> tuple[Path, ...]:
    """Return the folders of the sample registries: those we have a text for first, in its order."""
    found = {folder.name: folder for folder in sorted(_SAMPLES.iterdir() if _SAMPLES else ()) if (folder / "tools.json").is_file()}
    return tuple(found[name] for name in (*(name for name in SAMPLE_TEXTS if name in found), *(set(found) - set(SAMPLE_TEXTS))))


def place_for_copy(sample: Path) -> Path:
    """Return a folder of the user's own that is not there yet, for a copy of a sample."""
    own = Path("~/tool-registries").expanduser()
    places = (own / (sample.name if number == 1 else f"{sample.name}-{number}") for number in count(1))
    return next(place for place in places if not place.exists())


def copy_sample(sample: Path, folder: str) -> Path:
    """Copy the files of a sample into a folder that is made for it; return that. Nobody's drafts go with it.

    Raises NotWritable, with nothing written, for a folder that is not named in full, that is there already, or that cannot be made.
    """
    path = _whole_path(folder)
    try:
        if path.exists():
            raise NotWritable(f"{path} exists already; open it instead, or name another folder. Nothing was changed")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as made:
            whole = Path(made) / path.name
            whole.mkdir()
            for name in FILES:
                if (sample / name).is_file():
                    shutil.copyfile(sample / name, whole / name)
            whole.rename(path)
    except OSError as error:
        raise NotWritable(f"{path} cannot be made ({error.strerror}); name another folder") from error
    return path


def _whole_path(folder: str) -> Path:
    """Return the path of a folder that is named in full. Raises NotWritable."""
    typed = folder.strip()
    try:
        path = Path(typed).expanduser()
    except RuntimeError:  # ~somebody, who does not exist
        path = Path()
    if not path.is_absolute() or "\0" in typed:
        raise NotWritable(f"folder {typed!r}: write the whole path of a folder, from / or ~")
    return path


def new_registry(folder: str, name: str) -> Path:
    """Write an empty registry into a folder, which is made when it is not there; return the folder.

    Raises NotWritable, with nothing written, for a folder that is not named in full, that holds a registry, or that cannot be made.
    """
    path = _whole_path(folder)
    try:
        if path.exists() and not path.is_dir():
            raise NotWritable(f"{path} is a file; name a folder")
        if there := [file for file in FILES if (path / file).exists()]:
            raise NotWritable(f"{path} holds {', '.join(there)} already; open it instead, or name another folder. Nothing was changed")
    except OSError as error:
        raise NotWritable(f"{path} cannot be used ({error.strerror}); name another folder") from error
    save_registry(Registry(name=name.strip() or path.name), path)
    return path
