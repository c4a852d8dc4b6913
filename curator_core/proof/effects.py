"""What edits do to every test query before anybody saves: the comparison of the draft with what it was made from, and who pushed out whom.

Nothing is reckoned here: the draft's index shares with the saved one all that the edits leave alone (curator_core.index), so that asking
every question once more costs little, and gives exactly what a rebuilt index gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from curator_core.compare import Comparison, compare_runs
from curator_core.evaluation import Evaluation
from curator_core.keys import key_before
from curator_core.proof.query_changes import VERDICTS, QueryChange, Verdict
from curator_core.queries.held_out import is_held_out
from curator_core.registry import Registry
from curator_core.tool import Edit

_ORDER: tuple[Verdict, ...] = ("broke", "fixed", "moved", "still failing", "unknown", "still right")
Shown = Literal["changed", "still failing", "unknown"]


@dataclass(frozen=True, slots=True)
class Push:
    """One tool that came into the first of an answer where another went out. questions: how many questions that happened to."""

    tool: str
    out: str
    questions: int


@dataclass(frozen=True)
class Effect:
    """What edits do. open: what became of each question that may be shown to somebody who writes; held_out: the same, only for counting."""

    comparison: Comparison
    open: tuple[QueryChange, ...]
    held_out: tuple[QueryChange, ...]

    @cached_property
    def counts(self) -> dict[Verdict, int]:
        """How many of the open questions have each verdict."""
        return _counted(self.open)

    @cached_property
    def held_out_counts(self) -> dict[Verdict, int]:
        """How many of the held-out questions have each verdict."""
        return _counted(self.held_out)

    def listed(self, shown: Shown = "changed") -> tuple[QueryChange, ...]:
        """Return the open questions that broke, were fixed or moved, worst first and critical ones first; or those still failing, …"""
        wanted = ("broke", "fixed", "moved") if shown == "changed" else (shown,)
        some = (change for change in self.open if change.verdict in wanted)
        return tuple(sorted(some, key=lambda change: (_ORDER.index(change.verdict), not change.case.critical)))

    @cached_property
    def pushes(self) -> tuple[Push, ...]:
        """Which tool came into the first 5 where which went out, over the open questions; the most frequent first, then by name.

        Where several came and went, the first that came stands against the first that went.
        """
        pairs = Counter(pair for change in self.open for pair in zip(change.entered, change.left, strict=False))
        return tuple(Push(*pair, many) for pair, many in sorted(pairs.items(), key=lambda item: (-item[1], item[0])))


def effect_of(before: Evaluation, after: Evaluation, renames: Mapping[str, str] | None = None) -> Effect:
    """Return what edits do. before, after: all test queries as published, and with the draft; renames: see renamed_keys."""
    comparison = compare_runs(before, after, renames, ("published", "with edits"))
    held_out = tuple(change for change in comparison.changes if is_held_out(change.case))
    return Effect(comparison, tuple(change for change in comparison.changes if not is_held_out(change.case)), held_out)


def renamed_keys(edits: Sequence[Edit], keys: Iterable[str]) -> dict[str, str]:
    """Return, for those of some keys that were another before the edits, the key of now by the key of then."""
    if not any(edit.field in ("name", "group") for edit in edits):
        return {}
    pairs = ((key_before(edits, key), key) for key in dict.fromkeys(keys))
    return {was: key for was, key in pairs if was is not None and was != key}


def renames_between(before: Registry, after: Registry, edits: Sequence[Edit]) -> dict[str, str]:
    """Return the key of now by the key of then, of tools that were renamed, and of those whose key another tool of their name changed."""
    names = renamed_keys(edits, after.keys)
    gone = [key for key in before.keys if key not in after.by_key and key not in names]
    if not gone:
        return names
    free: dict[tuple[str, str], list[str]] = {}
    for key, tool in zip(after.keys, after.tools, strict=True):
        if key not in before.by_key and key not in names.values():
            free.setdefault((tool.name, tool.group), []).append(key)
    for key in gone:
        same = free.get((before.tool(key).name, before.tool(key).group), [])
        if same:
            names[key] = same.pop(0)  # new ones stand behind those that were there
    return names


def _counted(changes: Iterable[QueryChange]) -> dict[Verdict, int]:
    found = Counter(change.verdict for change in changes)
    return {verdict: found[verdict] for verdict in VERDICTS}
