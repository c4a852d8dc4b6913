"""What follows from a registry's content is made anew where that content changes, and only there."""

from __future__ import annotations

import pytest

from curator_core import Registry, TestQuery, Tool, near_copies
from dashboard import derived

CASES = (TestQuery("where can i see my fee receipt", ("fee_receipt",)), TestQuery("renew a book", ("renew",)))


def test_examples_are_looked_over_again_when_they_or_the_test_queries_change_and_not_with_each_other_edit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[Registry] = []
    monkeypatch.setattr(derived, "near_copies", lambda registry: (looked.append(registry), near_copies(registry))[1])
    derived._copies_of.cache_clear()
    tool = Tool("fee_receipt", "Download it.", examples=("Where can I see my fee receipt?",))
    for text in ("Download it.", "Download the receipt.", "Get the receipt of a payment."):
        copies = derived.copies_in_examples(Tool(tool.name, text, extra_context="renew a book", examples=tool.examples), CASES)
        assert [(copy.tool, copy.field, copy.case) for copy in copies] == [("fee_receipt", "examples", CASES[0])]
    assert len(looked) == 1
    assert derived.copies_in_examples(tool, CASES[1:]) == () and derived.copies_in_examples(Tool("fee_receipt"), CASES) == ()
    assert len(looked) == 2
