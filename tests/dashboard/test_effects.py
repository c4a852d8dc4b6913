from __future__ import annotations

from curator_core import CloserPair, Curator, Edit, Push, Registry, TestQuery, Tool, build_index
from dashboard.drafts.effects import Question, closer_table, pushes_table, summary, verdicts_text, watch, watched_questions, watched_table
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
    found = watch(before, after, [Question("weekend", ("hostel_leave",), "yours")], edits)
    row = watched_table(found).iloc[0]
    assert row["with edits"] == "1"
    assert row["change"] == f"▲{int(row['published']) - 1}"
    assert row["first tool"].endswith("→ hostel_leave")
    assert summary(found) == "1 better · 0 worse · 0 unchanged"


def test_a_tool_past_the_cut_has_its_rank_in_brackets_and_coming_into_the_answer_is_said() -> None:
    edits = [CAMPUS.edit("hostel_leave", "extra_context", "proof that i paid the receipt of a payment")]
    before, after = both(edits)
    one = before.settings.with_values({"top_k": 1, "low_confidence": False})
    found = watch(before, after, [Question("proof that i paid", ("hostel_leave",), "yours")], edits, one)
    row = watched_table(found).iloc[0]
    assert row["published"].startswith("(")
    assert row["change"].endswith(", in")


def test_a_renamed_tool_is_compared_with_itself() -> None:
    edits = [CAMPUS.edit("grievance", "name", "submit_grievance")]
    before, after = both(edits)
    found = watch(before, after, [Question("written complaint", ("submit_grievance",), "yours")], edits)
    assert found[0].before is not None and found[0].before.rank == 1


def test_a_tool_that_the_draft_adds_is_new_and_has_no_rank_before() -> None:
    edits = [CAMPUS.edit("pay_dues", "tool", Tool("pay_dues", "Pay what is due"))]
    before, after = both(edits)
    found = watch(before, after, [Question("pay what is due", ("pay_dues",), "yours")], edits)
    assert (found[0].before and found[0].before.rank, found[0].change, found[0].better) == (None, "new", 1)


def test_questions_come_from_the_author_first_then_from_test_queries_without_repeats_or_held_out_ones() -> None:
    mine = Question("written complaint", ("grievance",), "yours")
    assert watched_questions(CAMPUS, ("grievance",), [mine]) == (mine,)
    assert [question.role for question in watched_questions(CAMPUS, ("hostel_leave",))] == ["student"]
    assert len(watched_questions(CAMPUS, CAMPUS.keys, at_most=2)) == 2


def test_a_question_of_a_role_that_an_edit_removed_is_explained_instead_of_asked() -> None:
    edits = [CAMPUS.edit("hostel_leave", "roles", ())]
    before, after = both(edits)
    found = watch(before, after, watched_questions(CAMPUS, ("hostel_leave",)), edits)
    assert (found[0].after, found[0].note) == (None, "no tool has the role student with the edits")


def test_what_becomes_of_all_questions_is_said_in_words_and_who_pushed_out_whom_in_a_table() -> None:
    counts = {"fixed": 3, "broke": 0, "still failing": 1_200, "moved": 1, "still right": 9, "unknown": 0}
    assert verdicts_text(counts) == "3 fixed · 0 broke · 1,200 still failing · 1 moved · 0 unknown"  # type: ignore[arg-type]
    assert pushes_table([Push("pay\u200b", "due", 2)]).to_dict("records") == [{"came in": "pay‹U+200B›", "went out": "due", "questions": 2}]


def test_tools_that_come_closer_have_both_similarities() -> None:
    table = closer_table([CloserPair("pay_dues", "pay_fine", 0.412, 0.7)])
    assert table.values.tolist() == [["pay_dues", "pay_fine", ".41", ".70"]]


def test_the_published_side_is_asked_once_whoever_edits_it_and_each_draft_anew() -> None:
    edits = [CAMPUS.edit("hostel_leave", "extra_context", "weekend weekend weekend")]
    before, after = both(edits)
    asked: list[Curator] = []
    for curator in (before, after):
        curate = curator.curate
        curator.curate = lambda *some, curate=curate, curator=curator, **more: (asked.append(curator), curate(*some, **more))[1]  # type: ignore[method-assign]
    questions = [Question("weekend", ("hostel_leave",), "yours"), Question("leave", ("grievance",), "yours")]
    found = [watch(before, after, questions, edits) for _ in range(3)]
    assert found[0] == found[1] == found[2]
    assert (asked.count(before), asked.count(after)) == (2, 6)
    watch(before, after, questions[:1], edits, before.settings.with_values({"top_k": 1}))
    assert asked.count(before) == 3
