from __future__ import annotations

from curator_core import Curator, Edit, Registry, TestQuery, Tool, build_index
from dashboard.effects import Question, effects, effects_table, elsewhere, key_before, moved_table, summary, watched_questions
from tests.core.fakes import FakeEncoder

CAMPUS = Registry(
    tools=(
        Tool("fee_receipt", "Download the receipt of a payment"),
        Tool("hostel_leave", "Apply for leave from the hostel", roles=("student",)),
        Tool("grievance", "Submit a written complaint"),
    ),
    test_queries=(
        TestQuery("proof that i paid", ("fee_receipt",)),
        TestQuery("go home for the weekend", ("hostel_leave",), role="student"),
        TestQuery("the mess food is bad", ("grievance",), tags=("held_out",)),
        TestQuery("written complaint", ("grievance",)),
    ),
)


def both(edits: list[Edit]) -> tuple[Curator, Curator]:
    encoder = FakeEncoder()
    before = build_index(CAMPUS, encoder)
    return Curator(before), Curator(build_index(CAMPUS.with_edits(edits), encoder, previous=before))


def test_the_table_says_where_the_tool_stood_and_where_the_edit_brings_it() -> None:
    edits = [CAMPUS.edit("hostel_leave", "extra_context", "weekend weekend weekend")]
    before, after = both(edits)
    found = effects(before, after, [Question("weekend", ("hostel_leave",), "yours")], edits)
    row = effects_table(found).iloc[0]
    assert row["rank with edit"] == "1"
    assert row["change"] == f"▲{int(row['rank saved']) - 1}"
    assert row["first tool"].endswith("→ hostel_leave")
    assert summary(found) == "1 better · 0 worse · 0 unchanged"


def test_a_tool_past_the_cut_has_its_rank_in_brackets_and_coming_into_the_answer_is_said() -> None:
    edits = [CAMPUS.edit("hostel_leave", "extra_context", "proof that i paid the receipt of a payment")]
    before, after = both(edits)
    one = before.settings.with_values({"top_k": 1, "low_confidence": False})
    found = effects(before, after, [Question("proof that i paid", ("hostel_leave",), "yours")], edits, one)
    row = effects_table(found).iloc[0]
    assert row["rank saved"].startswith("(")
    assert row["change"].endswith(", in")


def test_a_renamed_tool_is_compared_with_itself() -> None:
    edits = [CAMPUS.edit("grievance", "name", "submit_grievance")]
    before, after = both(edits)
    found = effects(before, after, [Question("written complaint", ("submit_grievance",), "yours")], edits)
    assert found[0].before is not None and found[0].before.rank == 1
    assert elsewhere(before, after, CAMPUS.with_edits(edits).test_queries, edits).changed == ()
    assert key_before(edits, "submit_grievance") == "grievance"


def test_a_tool_that_the_draft_adds_is_new_and_has_no_rank_before() -> None:
    edits = [CAMPUS.edit("pay_dues", "tool", Tool("pay_dues", "Pay what is due"))]
    before, after = both(edits)
    found = effects(before, after, [Question("pay what is due", ("pay_dues",), "yours")], edits)
    assert (found[0].before and found[0].before.rank, found[0].change, found[0].better) == (None, "new", 1)


def test_questions_come_from_the_author_first_then_from_test_queries_without_repeats_or_held_out_ones() -> None:
    mine = Question("written complaint", ("grievance",), "yours")
    assert watched_questions(CAMPUS, ("grievance",), [mine]) == (mine,)
    assert [question.role for question in watched_questions(CAMPUS, ("hostel_leave",))] == ["student"]
    assert len(watched_questions(CAMPUS, CAMPUS.keys, at_most=2)) == 2


def test_a_question_of_a_role_that_an_edit_removed_is_explained_instead_of_asked() -> None:
    edits = [CAMPUS.edit("hostel_leave", "roles", ())]
    before, after = both(edits)
    found = effects(before, after, watched_questions(CAMPUS, ("hostel_leave",)), edits)
    assert (found[0].after, found[0].note) == (None, "no tool has the role student with the edit")


def test_elsewhere_counts_what_became_right_and_what_became_wrong() -> None:
    edits = [CAMPUS.edit("fee_receipt", "extra_context", "written complaint " * 3)]
    before, after = both(edits)
    told: list[tuple[int, int]] = []
    found = elsewhere(before, after, CAMPUS.test_queries, edits, progress=lambda done, total: told.append((done, total)))
    assert (found.asked, found.count("broke"), found.count("fixed")) == (4, 1, 0)
    assert moved_table(found.changed)["change"].to_list()[0] == "▼ was right"
    assert told[-1] == (4, 4)


def test_elsewhere_stops_when_its_time_is_up_and_says_how_many_are_left() -> None:
    edits = [CAMPUS.edit("fee_receipt", "extra_context", "written complaint")]
    before, after = both(edits)
    assert elsewhere(before, after, CAMPUS.test_queries, edits, seconds=0.0).left == 3
    assert elsewhere(before, after, CAMPUS.test_queries, edits).left == 0
