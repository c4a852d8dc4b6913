"""Receipts: the figures of a registry's test queries before and after a change, kept with what was handed over or published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from curator_core.compare import ENOUGH, Comparison
from curator_core.proof.query_changes import QueryChange
from curator_core.queries.held_out import is_held_out

METRICS = ("hit@1", "recall@5", "ndcg@10")
LISTED_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a change did to the test queries; a short form of a Comparison that lasts.

    queries: judged on both sides; before, after: the means over them, by metric; held_out: the same of the held-out ones, as
    (before, after). fixed, broke: how many of all; fixed_queries, broke_queries: the first of them, without the held-out ones. model,
    fingerprint: of the index with the change. missing: why there are no figures, "" if there are. note: what else to know.
    """

    queries: int = 0
    before: Mapping[str, float] = field(default_factory=dict)
    after: Mapping[str, float] = field(default_factory=dict)
    held_out_queries: int = 0
    held_out: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    fixed: int = 0
    broke: int = 0
    fixed_queries: tuple[str, ...] = ()
    broke_queries: tuple[str, ...] = ()
    model: str | None = None
    fingerprint_before: str = ""
    fingerprint: str = ""
    missing: str = ""
    note: str = ""

    @property
    def is_telling(self) -> bool:
        """Whether there are enough queries for the means to say something."""
        return self.queries >= ENOUGH

    def to_json(self) -> dict[str, Any]:
        """Return the receipt as what JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Self | None:
        """Return the receipt that `to_json` made this of, None for anything else, as another program may have left it."""
        if not isinstance(value, Mapping) or not {"queries", "before", "after"} <= value.keys():
            return None
        known = {name: entry for name, entry in value.items() if name in cls.__slots__}
        lists = {name: tuple(known[name]) for name in ("fixed_queries", "broke_queries") if name in known}
        pairs = {name: (was, now) for name, (was, now) in known.get("held_out", {}).items()}
        return cls(**(known | lists | {"held_out": pairs}))


def receipt_of(compared: Comparison, note: str = "") -> Receipt:
    """Return the receipt of a comparison."""
    figures, held_out = compared.means(METRICS), compared.means(METRICS, held_out=True)
    fixed, broke = compared.having("fixed"), compared.having("broke")
    return Receipt(
        queries=max((one.queries for one in figures), default=0),
        before={one.name: one.before for one in figures},
        after={one.name: one.after for one in figures},
        held_out_queries=max((one.queries for one in held_out), default=0),
        held_out={one.name: (one.before, one.after) for one in held_out},
        fixed=len(fixed),
        broke=len(broke),
        fixed_queries=_texts(fixed),
        broke_queries=_texts(broke),
        model=compared.after.model,
        fingerprint_before=compared.before.fingerprint,
        fingerprint=compared.after.fingerprint,
        missing="" if figures or held_out else "no test query is judged on both sides",
        note=note,
    )


def _texts(changes: Sequence[QueryChange]) -> tuple[str, ...]:
    return tuple(change.case.query for change in changes if not is_held_out(change.case))[:LISTED_AT_MOST]
