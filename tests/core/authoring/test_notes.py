"""Notes on tools and the scratch list: each author's own, kept, found again under a tool's new name, and not lost between two tabs."""

from __future__ import annotations

from curator_core import Store, load_registry
from curator_core.authoring import notes
from tests.core.authoring.test_history import say
from tests.core.authors import ASHA, BEN


def test_notes_are_each_authors_own_and_an_empty_one_is_gone(store: Store) -> None:
    notes.write_note(store, ASHA, "pay", "ask the office\0")
    notes.write_note(store, ASHA, "pay", "ask the bursar")
    assert {tool: note.text for tool, note in notes.notes(store, ASHA).items()} == {"pay": "ask the bursar"}
    assert notes.notes(store, BEN) == {}
    notes.write_note(store, ASHA, "pay", "")
    assert notes.note_on(store, ASHA, "pay") is None


def test_a_note_is_found_under_the_name_that_the_tool_has_now(store: Store) -> None:
    notes.write_note(store, ASHA, "pay", "ask the bursar")
    say(store, "pay", "name", "pay_fees", person=BEN)
    say(store, "pay_fees", "name", "settle", person=BEN)
    draft = [load_registry(store.folder).edit("settle", "name", "settle_dues")]
    found = notes.note_on(store, ASHA, "settle_dues", draft)
    assert found is not None and (found.name, found.text) == ("pay", "ask the bursar")
    notes.write_note(store, ASHA, "settle", "done", instead_of=found.name)
    assert list(notes.notes(store, ASHA)) == ["settle"]
    assert notes.note_on(store, ASHA, "show") is None


def test_the_scratch_list_is_each_authors_own(store: Store) -> None:
    assert notes.write_scratch(store, ASHA, "one\ntwo") == "one\ntwo"
    assert (notes.scratch(store, ASHA), notes.scratch(store, BEN)) == ("one\ntwo", "")
    notes.write_scratch(store, ASHA, "", "one\ntwo")
    assert notes.scratch(store, ASHA) == ""


def test_two_tabs_lose_no_line_of_the_scratch_list(store: Store) -> None:
    notes.write_scratch(store, ASHA, "one\ntwo")
    notes.write_scratch(store, ASHA, "one\ntwo\nfrom the other tab", "one\ntwo")
    assert notes.write_scratch(store, ASHA, "one\nthree", "one\ntwo") == "one\nthree\nfrom the other tab"
