"""Tables and short texts: every cell is a fact of the trace, and no text can hide or pose as markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import Curator, Problem, Registry, Settings, TestQuery, Tool, build_index
from dashboard import tables
from dashboard.playground import comparison
from dashboard.playground.facts import cut_line, verdict, what_happened
from dashboard.tables import answer, below, decimals, list_frame, moved, passes_frame, segments, visible, words_frame
from tests.core.fakes import FakeEncoder

TOOLS = (
    Tool("get_attendance", "Show classes attended."),
    Tool("pay_fees", "Pay tuition fees."),
    Tool("renew_book", "Keep a library book."),
    Tool("list_clubs", "Clubs of the campus."),
)
SYNONYMS = {"fees": ("dues", "challan")}


def curator(**settings: object) -> Curator:
    registry = Registry("r", TOOLS, SYNONYMS)
    return Curator(build_index(registry, FakeEncoder(dimension=64)), Settings().with_values(settings))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("a\u200bb", "a‹U+200B›b"),
        ("\u202eevil", "‹U+202E›evil"),
        ("bell\x07", "bell‹U+0007›"),
        ("\ufeffbom", "‹U+FEFF›bom"),
        ("नमस्ते é 漢字", "नमस्ते é 漢字"),
    ],
)
def test_unseen_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(some.text())
def test_what_is_shown_never_holds_an_unseen_character(text: str) -> None:
    import unicodedata

    assert not [letter for letter in visible(text) if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") and letter not in "\n\t"]


@pytest.mark.parametrize(
    ("number", "shown"), [(0.714, ".71"), (-0.034, "-.03"), (-0.001, ".00"), (1.0, "1.00"), (10.04, "10.04"), (None, "")]
)
def test_figures_have_fixed_decimals(number: float | None, shown: str) -> None:
    assert decimals(number, 2) == shown


@pytest.mark.parametrize(
    ("before", "after", "shown"), [(14, 1, "▲13"), (1, 3, "▼2"), (2, 2, "="), (None, 4, "new"), (4, None, "gone"), (None, None, "")]
)
def test_changes_of_place(before: int | None, after: int | None, shown: str) -> None:
    assert moved(before, after) == shown


def test_the_list_shows_the_figures_of_the_trace() -> None:
    trace = curator().curate("pay the tuition")
    frame = list_frame(answer(trace), trace.settings)
    assert tuple(frame["tool"]) == trace.tools
    row = trace.row(0, trace.picks[0].position)
    first = frame.iloc[0]
    assert first["meaning"] == f"#{row.dense_rank} {decimals(row.similarity, 2)}"
    assert first["words"] == f"#{row.sparse_rank} {row.bm25:.1f}"
    assert first["combined"] == decimals(row.score, 4)


def test_the_line_of_a_split_question_shows_the_pass_that_brought_the_tool() -> None:
    trace = curator().curate("tuition and also library book")
    lines = {line.key: line for line in answer(trace)}
    assert lines["renew_book"].number == 2
    assert "②" in lines["renew_book"].flags
    assert lines["renew_book"].row == trace.row(2, trace.positions["renew_book"])


def test_flags_name_the_rule_and_the_extra_tools() -> None:
    trace = curator(low_confidence_similarity=1.0, top_k=2).curate("pay fees")
    flags = [line.flags for line in answer(trace)]
    assert flags == [("name",), (), ("unsure",), ("unsure",)]


def test_below_the_cut_stand_the_next_tools_of_the_whole_question_and_no_more_than_asked_for() -> None:
    trace = curator(top_k=1).curate("pay fees")
    rest = below(trace, 2)
    assert len(rest) == 2
    assert [line.row.rank for line in rest] == [2, 3]
    assert not {line.key for line in rest} & set(trace.tools)


def test_places_are_compared_with_another_trace() -> None:
    before, after = curator(top_k=2).curate("pay fees"), curator(top_k=2).curate("library book")
    changes = {line.key: line.change for line in answer(after, before)}
    assert changes["renew_book"] in ("new", "▲1")
    assert [line.key for line in comparison.gone(after, before)] == [key for key in before.tools if key not in after.tools]


def test_one_tool_has_a_line_for_each_pass() -> None:
    trace = curator().curate("tuition and also library book")
    frame = passes_frame(trace.story("renew_book"))
    assert list(frame["pass"]) == ["whole question", "① tuition", "② library book"]
    assert list(frame["name rule"])[2] == "1 of 2"


def test_word_shares_add_up_to_the_word_match() -> None:
    trace = curator().curate("pay fees fees xylophone")
    row = trace.row(0, trace.positions["pay_fees"])
    frame = words_frame(trace, 0, row).set_index("word")
    assert row.bm25 is not None
    assert sum(float(part) for part in frame["adds"] if part != "–") == pytest.approx(row.bm25, abs=0.02)
    assert "fees ×2" in frame.index
    assert frame.loc["xylophone", "tools with it"] == "0"


def test_a_tools_text_is_parted_into_what_the_model_reads_and_what_it_does_not() -> None:
    registry = Registry("r", (Tool("pay_fees", "one two three four five six"),), SYNONYMS)
    index = build_index(registry, FakeEncoder(max_tokens=6))
    assert list(segments(index, "pay_fees")) == [
        ("name, as words", "pay fees", ""),
        ("description", "one two", "three four five six"),
        ("synonyms", "", "dues challan"),
    ]


def test_problems_come_with_errors_first_and_what_to_do() -> None:
    frame = tables.problems_table([Problem("b", "odd", "look", "warning"), Problem("a\u200b", "bad", "fix it")])
    assert list(frame["level"]) == ["error", "warning"]
    assert frame.iloc[0]["where"] == "a‹U+200B›"
    assert frame.iloc[0]["what to do"] == "fix it"


def test_example_questions_are_of_different_kinds() -> None:
    cases = [TestQuery(text, ("x",), tags=(tag,)) for text, tag in (("a", "exact"), ("b", "exact"), ("c", "held_out"), ("d", "compound"))]
    assert tables.example_questions(cases, 3) == ("a", "d", "b")


def test_a_choice_of_thousands_offers_some_and_narrows_by_a_part_of_the_name() -> None:
    keys = [f"tool_{number:04}" for number in range(4000)]
    assert tables.offered(keys[:3], None, 500) == tuple(keys[:3])
    assert len(tables.offered(keys, None, 500)) == 499
    assert tables.offered(keys, "tool_3999", 500)[0] == "tool_3999"
    assert tables.offered(keys, "OL_123", 500) == tuple(f"tool_123{digit}" for digit in range(10))
    assert tables.offered(keys, "nothing", 500) == ()


def facts_of(query: str, **settings: object) -> dict[str, str]:
    return {fact.label: fact.text for fact in what_happened(curator(**settings).curate(query))}


def test_while_the_model_is_loading_the_note_says_so_and_not_that_there_is_none() -> None:
    trace = Curator(build_index(Registry(tools=(Tool("pay_fees", "Pay fees"),)), None)).curate("pay")
    assert "words only: no model is loaded" in [fact.text for fact in what_happened(trace)]
    notes = " ".join(fact.text for fact in what_happened(trace, loading=True))
    assert "still loading" in notes and "no model" not in notes


def test_what_happened_names_parts_words_unknown_words_and_synonyms() -> None:
    facts = facts_of("pay my dues, and also renew the xylophone")
    assert facts["two-in-one"] == "split at “, and also” → ① pay my dues  ② renew the xylophone"
    assert facts["words"] == "pay dues renew the"
    assert facts["unknown words"] == "my and also xylophone"
    assert facts["synonyms"] == "dues → fees (1)"
    assert facts["best meaning match"].endswith("(unsure below .25)")


def test_a_switched_off_stage_has_no_fact() -> None:
    assert {"words", "unknown words"}.isdisjoint(facts_of("pay fees", sparse=False))
    assert "best meaning match" not in facts_of("pay fees", dense=False)


def test_an_empty_question_says_so() -> None:
    assert "type at least one letter" in facts_of("?!")["note"]


@pytest.mark.parametrize(
    ("query", "line", "said"),
    [("pay fees", -1.0, ""), ("tuition", 1.0, "Perhaps nothing here fits"), ("zxcv", 1.0, "Nothing here fits")],
)
def test_weak_evidence_is_said_in_one_sentence(query: str, line: float, said: str) -> None:
    found = verdict(curator(low_confidence_similarity=line).curate(query))
    assert found.startswith(said) if said else not found


def test_the_cut_line_says_why_there_are_more_tools_than_asked_for() -> None:
    assert "because the answer is unsure" in cut_line(curator(low_confidence_similarity=1.0, top_k=2).curate("tuition"))
    assert "each part" in cut_line(curator(top_k=1).curate("tuition and also library"))
    assert cut_line(curator(top_k=2).curate("tuition")) == "The agent is shown the 2 tools above."
