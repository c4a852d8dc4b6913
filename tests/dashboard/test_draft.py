"""An author's draft over a registry that changed meanwhile: what is shown of it."""

from __future__ import annotations

from datetime import UTC, datetime

from curator_core import Draft, Edit, Registry, TestQuery, Tool
from curator_core.authoring.draft import Step
from dashboard.drafts.draft import Overlay

BEFORE = Registry(
    tools=(Tool("pay_fees", "Pay the fees."), Tool("renew_book", "Renew a book.")),
    synonyms={"fees": ("tuition",)},
    test_queries=(TestQuery("what do I owe?", ("pay_fees",)),),
)


def draft_of(*edits: Edit) -> Draft:
    return Draft(1, tuple(Step((edit,), datetime(2026, 12, 3, tzinfo=UTC)) for edit in edits))


def test_a_draft_that_fits_is_laid_as_it_is() -> None:
    edit = BEFORE.edit("pay_fees", "description", "mine")
    overlay = Overlay(BEFORE, draft_of(edit))
    assert overlay.registry.tool("pay_fees").description == "mine"
    assert (overlay.conflicts, overlay.edits) == ((), (edit,))


def test_where_both_changed_a_text_the_author_s_own_is_shown_and_the_conflict_told() -> None:
    mine = (BEFORE.edit("pay_fees", "description", "mine"), BEFORE.edit("fees", "synonyms", ("charges",)))
    now = BEFORE.with_edits((BEFORE.edit("pay_fees", "description", "theirs"), BEFORE.edit("fees", "synonyms", None)))
    overlay = Overlay(now, draft_of(*mine))
    assert overlay.registry.tool("pay_fees").description == "mine"
    assert overlay.registry.synonyms == {"fees": ("charges",)}
    assert [(conflict.found, conflict.wanted) for conflict in overlay.conflicts] == [("theirs", "mine"), (None, ("charges",))]
    assert now.with_edits(overlay.edits) == overlay.registry


def test_edits_of_a_tool_that_is_gone_are_left_out_and_those_of_others_shown() -> None:
    edits = [BEFORE.edit(tool, "description", "mine") for tool in ("pay_fees", "renew_book")]
    now = BEFORE.with_edits((Edit("pay_fees", "tool", BEFORE.tool("pay_fees"), None), BEFORE.edit("renew_book", "description", "theirs")))
    overlay = Overlay(now, draft_of(*edits))
    assert [(tool.name, tool.description) for tool in overlay.registry.tools] == [("renew_book", "mine")]
    assert [conflict.tool for conflict in overlay.conflicts] == ["pay_fees", "renew_book"]
    assert overlay.pending == tuple(edits)


def test_a_tool_that_both_added_is_shown_as_the_author_added_it() -> None:
    def added(description: str) -> Edit:
        return Edit("find_room", "tool", None, Tool("find_room", description))

    edits = (added("mine"), Edit("find_room", "extra_context", "", "where is"))
    overlay = Overlay(BEFORE.with_edits((added("theirs"),)), draft_of(*edits))
    assert len(overlay.conflicts) > 0
    assert overlay.registry.tool("find_room") == Tool("find_room", "mine", extra_context="where is")
