from __future__ import annotations

from collections.abc import Callable

import pytest

from curator_core import Curator, Registry, Settings, Tool, UnknownName, build_index, why
from tests.core.fakes import FakeEncoder

MakeCurator = Callable[..., Curator]
TOOLS = {
    "apply_for_hostel_leave": "Ask the warden for days away",
    "submit_grievance": "File a complaint about anything",
    "get_attendance": "Shows attendance in each course",
    "pay_fees": "Pay what is due this semester",
    "get_cgpa": "Grade point average so far",
}


def test_a_picked_tools_story_gives_its_place_and_the_reason_in_plain_words(curator_of: MakeCurator) -> None:
    story = curator_of(TOOLS).curate("hostel leave", top_k=2).story("apply_for_hostel_leave")
    assert (story.picked, story.place, story.via, story.short_of) == (True, 1, "rank", None)
    assert story.sentence.startswith(
        "apply_for_hostel_leave is 1st of 2: “hostel”, “leave” are in its name (2 of 3 words), so it comes first;"
    )
    assert "words #1 (“hostel”, “leave”)" in story.sentence


def test_a_tool_that_was_not_picked_has_its_true_ranks_and_what_it_lacks(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS).curate("complaint", top_k=1)
    story, full = trace.story("pay_fees"), {row.tool: row for row in trace.rows(0, "all")}
    assert (story.picked, story.place) == (False, None)
    (kind, query, row) = story.passes[0]
    assert (kind, query, row) == ("whole", "complaint", full["pay_fees"])
    assert story.short_of == pytest.approx(full["submit_grievance"].score - full["pay_fees"].score)
    assert "pay_fees is not the one tool that is given" in story.sentence and f"it lacks {story.short_of:.4f}" in story.sentence


def test_the_story_names_the_part_that_brought_the_tool(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS).curate("show my attendance and also raise a grievance", top_k=2)
    assert "through part 2, “raise a grievance” (1st there)" in trace.story("submit_grievance").sentence
    assert len(trace.story("submit_grievance").passes) == 3


def test_a_tool_outside_the_pool_says_so(encoder: FakeEncoder) -> None:
    registry = Registry(tools=(Tool("a", roles=("staff",)), Tool("b", roles=("student",))))
    curator = Curator(build_index(registry, encoder))
    assert curator.curate("a", role="student").story("a").sentence == "a was not searched: role student may not see it."
    story = curator.curate("a", pool=["b"]).story("a")
    assert (story.in_pool, story.picked) == (False, False) and "pool" in story.sentence


def test_an_unknown_tool_is_an_error_that_offers_close_names(curator_of: MakeCurator) -> None:
    with pytest.raises(UnknownName, match="pay_fees"):
        curator_of(TOOLS).curate("fees").story("pay_fee")


def test_after_an_empty_question_the_story_says_that_nothing_was_ranked(curator_of: MakeCurator) -> None:
    assert "empty query" in curator_of(TOOLS).curate("?").story("pay_fees").sentence


def test_why_says_which_words_a_hit_rests_on(curator_of: MakeCurator) -> None:
    tools = {
        "list_invoices": "Get the list of invoices",
        "delete_invoice": "Delete an invoice",
        "send_mail": "Send mail",
        "translate": "Text",
    }
    rows = {row.tool: row for row in curator_of(tools).curate("how do I get the xylophone").rows(0, "all")}
    assert "words #1 (“get”, “the”)" in why(rows["list_invoices"])
    assert why(rows["send_mail"]).endswith("no shared word")


def test_why_says_that_shared_words_weigh_nothing(curator_of: MakeCurator) -> None:
    (row,) = curator_of({"refund_order": "Give money back"}, anchor=False).curate("refund order").rows()
    assert row.by_word != {} and why(row).endswith("shared words weigh nothing")


def test_a_story_is_json_serialisable(curator_of: MakeCurator) -> None:
    import json

    record = json.loads(json.dumps(curator_of(TOOLS).curate("fees").story("get_cgpa").to_dict()))
    assert record["tool"] == "get_cgpa" and record["passes"][0]["row"]["tool"] == "get_cgpa"


def test_with_every_ranking_stage_off_nothing_is_picked_and_the_reason_is_given(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS).curate("fees", settings=Settings(dense=False, sparse=False, anchor=False))
    assert trace.tools == () and trace.reason
    assert "in neither list" in trace.story("pay_fees").sentence


def test_a_tool_that_parts_or_names_kept_out_says_so_and_not_what_score_it_lacks(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS | {"raise_hand": "Raise a hand to complain"}).curate("hostel leave", top_k=1)
    story = trace.story("get_cgpa")
    assert story.short_of is None and "tools whose names are in the question took the places" in story.sentence
    split = curator_of(TOOLS).curate("pay my fees and also show attendance", top_k=1)
    left = [split.story(tool) for tool in TOOLS if tool not in split.tools]
    assert all(story.short_of is None or story.short_of > 0 for story in left)
