"""The map of an index with its clusters, kept between processes: after a restart it is there at once, and the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np

from curator_core.index import Progress, ToolIndex
from curator_core.map.clusters import Clusters, cluster_tools, named_clusters
from curator_core.map.drawing_process import Picture
from curator_core.map.layout import Layout, lay_out, model_of
from curator_core.nearest import Rows
from curator_core.overlap import rows_of, text_digests
from curator_core.records import Ints
from curator_core.settings import Settings

KEPT_FILES = 30  # every draft with an edit is an index of its own
LOOKED_AT = 12
MOSTLY = 0.8  # of the tools; see `_earlier`
Draw = Callable[[Rows, Progress | None], Picture | None]


@dataclass(frozen=True, slots=True, eq=False)
class ToolMap:
    """Where the tools of an index stand, and which belong together; both of one index."""

    layout: Layout
    clusters: Clusters


def kept_map(
    index: ToolIndex,
    cache_dir: str | Path | None,
    previous: ToolMap | None = None,
    progress: Progress | None = None,
    draw: Draw = lambda *_: None,
) -> ToolMap:
    """Return the map of an index: the one kept in the cache folder, else one made now and kept there.

    previous: a map whose tools stay where they are and in their clusters, unless it is of another model or too much is new (`lay_out`).
    Without it an earlier map of nearly the same tools takes its place, so that an edit made outside moves no other tool either.
    cache_dir None keeps nothing. progress: as in `lay_out`. draw: who may draw a map that nothing was there of (a process of its own);
    where that gives None it is drawn here, and comes out the same. Raises ModelUnavailable for an index of words only.
    """
    found = None if cache_dir is None else load_map(cache_dir, index)
    if found is not None and (previous is None or _agree(found.layout, previous.layout)):
        return found
    before = None if cache_dir is None else _earlier(cache_dir, index)
    if previous is not None:
        before = previous.layout, previous.clusters.numbers
    picture = draw(rows_of(index, Settings()), progress) if before is None else None
    made = ToolMap(*picture.of(index)) if picture is not None else _made(index, before, progress)
    if cache_dir is not None:
        save_map(cache_dir, made)
    return made


def load_map(cache_dir: str | Path, index: ToolIndex) -> ToolMap | None:
    """Return the map that was kept for exactly this index; None when there is none, or when the file is damaged or unreadable."""
    file = _file(cache_dir, index.fingerprint)
    kept = _read(file)
    if kept is None:
        return None
    layout, numbers = kept
    same = (layout.fingerprint, layout.model, layout.keys, layout.digests)
    if same != (index.fingerprint, model_of(index), index.keys, text_digests(index)):
        return None
    with suppress(OSError):
        file.touch()  # those that are looked at are kept longest
    with suppress(ValueError):
        return ToolMap(layout, named_clusters(index, numbers))
    return None


def save_map(cache_dir: str | Path, tool_map: ToolMap) -> bool:
    """Keep a map in the cache folder, whole or not at all, and drop all but the last KEPT_FILES. False where it cannot be written."""
    target = _file(cache_dir, tool_map.layout.fingerprint)
    written = target.with_name(f"{target.name}.{uuid4().hex[:8]}.tmp")
    body = json.dumps({"layout": tool_map.layout.to_dict(), "clusters": tool_map.clusters.numbers.tolist()}).encode("ascii")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        written.write_bytes(_checksum(body) + b"\n" + body)
        written.replace(target)
        for old in _by_age(cache_dir)[KEPT_FILES:]:
            old.unlink(missing_ok=True)
    except OSError:
        with suppress(OSError):
            written.unlink(missing_ok=True)
        return False
    return True


# -- pieces

_Kept = tuple[Layout, Ints]  # and the number of each tool's cluster


def _made(index: ToolIndex, before: _Kept | None, progress: Progress | None) -> ToolMap:
    layout = lay_out(index, before and before[0], progress)
    stays = before is not None and _agree(layout, before[0])
    numbers = dict(zip(before[0].digests, before[1].tolist(), strict=True)) if before and stays else None
    return ToolMap(layout, cluster_tools(index, previous=numbers))


def _file(cache_dir: str | Path, fingerprint: str) -> Path:
    return Path(cache_dir) / f"map-{fingerprint[:32]}.json"


def _by_age(cache_dir: str | Path) -> list[Path]:
    """Return the kept files, the newest first, and what a process that was killed has left of one."""
    return sorted(Path(cache_dir).glob("map-*"), key=lambda path: -path.stat().st_mtime_ns)


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode("ascii")


def _read(file: Path) -> _Kept | None:
    """Return what a file holds; None when anything is wrong with it: it can be made again, so damage is as good as absence."""
    try:
        checksum, _, body = file.read_bytes().partition(b"\n")
        if checksum != _checksum(body):
            return None
        values = json.loads(body)
        layout = Layout.from_dict(values["layout"])
        return layout, np.array(values["clusters"], dtype=np.int64).reshape(len(layout.keys))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _earlier(cache_dir: str | Path, index: ToolIndex) -> _Kept | None:
    """Return the newest kept map that most tools of this index are on, and few others; None where much of that was placed later."""
    ours, model = set(text_digests(index)), model_of(index)
    for layout, numbers in filter(None, map(_read, _newest(cache_dir))):
        theirs = set(layout.digests)
        if layout.model == model and len(ours & theirs) >= MOSTLY * max(len(ours), len(theirs), 1):
            return (layout, numbers) if layout.placed.mean() <= 1 - MOSTLY else None
    return None


def _newest(cache_dir: str | Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from _by_age(cache_dir)[:LOOKED_AT]


def _agree(one: Layout, two: Layout) -> bool:
    """Say whether every text that both maps have stands on one spot, and they have the same model."""
    here, there = (dict(zip(layout.digests, layout.positions.tolist(), strict=True)) for layout in (one, two))
    return one.model == two.model and all(here[digest] == there[digest] for digest in here.keys() & there.keys())
