from __future__ import annotations

import numpy as np
import pytest

from curator_core import Registry, Settings, Tool, build_index, profile
from curator_core import best_matches as module
from curator_core.best_matches import best_matches
from tests.core.fakes import FakeEncoder

NAMES = ("pay_fee", "find_room", "show_bus", "lend_book", "book_room", "list_fees", "plan_week")
ROLES = {"pay_fee": ("clerk",), "plan_week": ("clerk",)}


@pytest.mark.parametrize("block", [1, 3, 100])
@pytest.mark.parametrize("role", [None, "clerk"])
@pytest.mark.parametrize("settings", [Settings(), profile("tuned")], ids=["seed", "tuned"])
def test_the_closest_tool_is_found_however_many_are_looked_at_together(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, role: str | None, block: int
) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    tools = [Tool(name, name.replace("_", " and "), roles=ROLES.get(name, ())) for name in NAMES]
    encoder = FakeEncoder(64)
    base = build_index(Registry("campus", tuple(tools)), encoder)
    changed = base.registry.edit("find_room", "description", "Settle what is due.")
    draft = build_index(base.registry.with_edits([changed]), encoder, previous=base)
    questions = np.stack([encoder.encode_query(text) for text in ("pay my fee", "find room", "a book to read", "bus week")])
    for index in (base, draft):
        before = None if index is base else best_matches(base, settings, role, questions, None)
        found, pool, vectors = best_matches(index, settings, role, questions, before), index.pool(role).positions, index.dense(settings)
        assert vectors is not None
        wanted = vectors.rows[pool].astype(np.float64) @ questions.T.astype(np.float64)
        assert found.values == pytest.approx(wanted.max(axis=0), abs=1e-6)
        assert found.positions.tolist() == pool[wanted.argmax(axis=0)].tolist()
