"""The model and the index in plain words: what was used, made and kept, and where the limits are. Pure: no Streamlit."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from weakref import WeakKeyDictionary

from curator_core import Config, ToolIndex
from curator_core.cache import MAX_BYTES
from curator_core.encoder import ModelReport
from dashboard.tables import FINGERPRINTED, plural, visible

Facts = tuple[tuple[str, str], ...]  # a fixed label, and text that may hold names and paths
_NAMES = 8
_cut_off: WeakKeyDictionary[ToolIndex, tuple[str, ...]] = WeakKeyDictionary()


def model_facts(report: ModelReport, config: Config) -> Facts:
    """Return which model reads the texts, and why that one."""
    prefix = report.query_prefix if config.query_prefix is None else config.query_prefix
    return (
        ("Model", visible(report.model)),
        ("Why this one", visible(report.reason)),
        ("Asked for in curator.toml", visible(f'model = "{report.asked}"')),
        ("Folder", visible(report.folder)),
        ("Vectors", f"{report.dimension} numbers a text"),
        ("Reads at most", f"{report.max_tokens} tokens of a text"),
        ("Put before questions", f"“{visible(prefix)}”" if prefix else "nothing"),
        ("Fingerprint", visible(report.fingerprint)),
        ("Quick start", f"from {visible(report.kept)}" if report.kept else "not kept yet: the model is read whole at its first use"),
    )


def index_facts(index: ToolIndex, finished_at: datetime | None) -> Facts:
    """Return what the index holds, what was embedded for it and when, and where its vectors are kept."""
    build = index.build
    facts = [
        ("Fingerprint", f"{index.fingerprint}: SHA-256 over {FINGERPRINTED}"),
        ("Tools", f"{len(index.keys):,}"),
    ]
    if index.store is None:
        return (*facts, ("Vectors", "none: the index is of words only"))
    seconds = f"{build.elapsed_ms / 1000:.1f} s"
    facts.append(("Texts", f"{build.embedded:,} read by the model, {build.reused:,} taken from what was kept; {seconds}"))
    if finished_at is not None:
        facts.append(("Made", finished_at.astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")))
    facts.append(("Kept in", _kept_in(index.store.cache.path)))
    return (*facts, *(("Notice", visible(notice)) for notice in build.notices))


def limit_facts(index: ToolIndex) -> Facts:
    """Return where texts or files meet a limit."""
    facts = [("Kept vectors", f"at most {MAX_BYTES / 1e9:.0f} GB a model; then the oldest quarter is dropped")]
    if index.encoder is None:
        return tuple(facts)
    if index not in _cut_off:
        _cut_off[index] = index.cut_off()
    cut = _cut_off[index]
    names = ", ".join(cut[:_NAMES]) + (f" … and {len(cut) - _NAMES} more" if len(cut) > _NAMES else "")
    said = f"{plural(len(cut), 'tool')} of {len(index.keys):,} with more: {names}" if cut else "no tool has more"
    return (("Texts beyond the model's limit", f"{visible(said)}. Meaning match sees only the start, word match all."), *facts)


def _kept_in(path: Path | None) -> str:
    if path is None:
        return "memory only"
    try:
        return f"{visible(str(path))} ({path.stat().st_size / 1e6:.1f} MB)"
    except OSError as error:
        return f"{visible(str(path))} (not there: {error.strerror})"
