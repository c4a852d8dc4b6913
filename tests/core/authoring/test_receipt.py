"""Receipts: what lasts of a comparison, and what is said when there are no figures."""

from __future__ import annotations

import json

from curator_core import Curator, Edit, Receipt, Registry, TestQuery, Tool, build_index, compare_runs, evaluate, receipt_of
from tests.core.fakes import FakeEncoder

TOOLS = (Tool("pay", "Pay fees."), *(Tool(f"other_{n}", "Fees and dues.") for n in range(8)))
QUERIES = (TestQuery("challan", ("pay",)), TestQuery("challan now", ("pay",), tags=("held_out",)), TestQuery("rain", ()))
BASE = Registry(tools=TOOLS, test_queries=QUERIES)


def receipt_for(*edits: Edit, base: Registry = BASE) -> Receipt:
    sides = [Curator(build_index(registry, FakeEncoder(dimension=64))) for registry in (base, base.with_edits(edits))]
    before, after = (evaluate(side, side.index.registry.test_queries) for side in sides)
    return receipt_of(compare_runs(before, after))


def test_a_receipt_counts_what_was_fixed_and_names_what_may_be_seen() -> None:
    receipt = receipt_for(BASE.edit("pay", "extra_context", "challan challan"))
    assert (receipt.queries, receipt.held_out_queries) == (1, 1)
    assert (receipt.fixed, receipt.broke, receipt.fixed_queries) == (2, 0, ("challan",))
    assert receipt.before["recall@5"] < receipt.after["recall@5"] and receipt.held_out["recall@5"] == (0.0, 1.0)
    assert (receipt.model, receipt.missing) == ("fake", "")
    assert receipt.fingerprint != receipt.fingerprint_before
    assert not receipt.is_telling  # one query says nothing about the mean


def test_what_broke_is_named_too() -> None:
    good = BASE.with_edits([BASE.edit("pay", "extra_context", "challan challan")])
    assert receipt_for(good.edit("pay", "extra_context", ""), base=good).broke_queries == ("challan",)


def test_without_a_judged_query_it_is_said_that_there_are_no_figures() -> None:
    assert receipt_for(base=Registry(tools=TOOLS)).missing == "no test query is judged on both sides"


def test_a_receipt_goes_through_json_and_what_is_none_is_no_receipt() -> None:
    receipt = receipt_for(BASE.edit("pay", "extra_context", "challan"))
    assert Receipt.from_json(json.loads(json.dumps(receipt.to_json()))) == receipt
    assert Receipt.from_json(receipt.to_json() | {"of a later version": 1}) == receipt
    assert Receipt.from_json({"recall@5": [0.8, 0.9]}) is None and Receipt.from_json(None) is None
