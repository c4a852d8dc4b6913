from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import (
    PROFILE_NAMES,
    STAGES,
    TUNED_STAGES,
    Curator,
    InvalidQuery,
    Registry,
    Settings,
    Tool,
    Trace,
    UnknownName,
    build_index,
    profile,
)
from tests.core.fakes import FakeEncoder
from tests.core.seed_reference import SeedReference
from tests.core.slow_path import SIZES, differing
from tests.core.strategies import queries, registries
from tests.laws import examples

MakeCurator = Callable[..., Curator]
CAMPUS = {
    "apply_for_hostel_leave": "Ask the warden for days away",
    "submit_grievance": "File a complaint about anything",
    "get_attendance": "Shows attendance in each course",
    "pay_fees": "Pay what is due",
    "get_cgpa": "Grade point average so far",
}


def many(count: int) -> dict[str, str]:
    return {f"tool{number:03d}": f"handles matter{number} of kind{number % 7}" for number in range(count)}


def replay(record: dict[str, Any]) -> list[str]:
    """Pick the tools once more, from nothing but what the trace says (DESIGN: the trace that picks is the trace that explains)."""
    settings = record["settings"]
    orders = []
    for one in record["passes"]:
        ranked = [row for row in one["rows"] if row["forced"] or row["score"] > 0 or (settings["add_scores"] and row["dense_rank"])]
        orders.append(sorted(ranked, key=lambda row: (not row["forced"], -sum(row["parts"].values()), row["tool"])))
    if not orders:
        return []
    best = max((row["similarity"] for one in record["passes"] for row in one["rows"] if row["similarity"] is not None), default=None)
    unsure = settings["low_confidence"] and best is not None and best < settings["low_confidence_similarity"]
    wanted = min(record["top_k"] + settings["low_confidence_extra"], record["pool_size"]) if unsure else record["top_k"]
    whole, parts = [row["tool"] for row in orders[0]], [[row["tool"] for row in order] for order in orders[1:]]
    if not parts or (settings["soft_split"] and settings["add_scores"]):
        return whole[:wanted]
    budget = max(record["top_k"] // len(parts) + settings["split_budget_extra"], settings["split_budget_min"])
    union = dict.fromkeys(part[place] for place in range(budget) for part in parts if place < len(part))
    answer = list(union)[: settings["split_union_factor"] * record["top_k"]]
    answer += [row["tool"] for row in orders[0] if row["forced"] and row["tool"] not in answer]
    return answer + [tool for tool in whole if tool not in answer][: max(wanted - len(answer), 0)]


@given(registries(), queries, st.integers(-1, 20), st.sampled_from([None, "student", "staff"]))
@examples(50)
def test_the_seed_profile_equals_its_independent_reading(registry: Registry, query: str, top_k: int, role: str | None) -> None:
    encoder = FakeEncoder(dimension=24)
    role = role if role in registry.roles else None
    trace = Curator(build_index(registry, encoder)).curate(query, top_k=top_k, role=role)
    assert trace.tools == SeedReference(registry, encoder).curate(query, top_k, role)


def test_random_registries_and_questions_give_the_tools_of_the_slow_path_in_its_order() -> None:
    assert differing(range(200)) == []  # fifty thousand are in tests/soak


@given(registries(), queries, st.integers(1, 12), st.sets(st.sampled_from((*STAGES, *TUNED_STAGES))), st.sampled_from(PROFILE_NAMES))
@examples(50)
def test_replaying_the_records_gives_the_selection_whichever_stages_are_off(
    registry: Registry, query: str, top_k: int, off: set[str], name: str
) -> None:
    numbers = Settings(name, **dict.fromkeys(off, False))
    trace = Curator(build_index(registry, FakeEncoder(24))).curate(query, top_k=top_k, settings=numbers)
    assert replay(trace.to_dict("all")) == list(trace.tools)


def test_a_tool_that_nothing_ranks_is_not_given_whatever_is_off() -> None:
    registry = Registry(tools=(Tool("hostel"), Tool("fee"), Tool("leave")))
    off = {"anchor": False, "sparse": False, "dense": False}
    trace = Curator(build_index(registry, FakeEncoder())).curate("hostel", top_k=1, settings=Settings("tuned", **off))
    assert trace.tools == () and trace.reason


@given(registries(min_size=5), queries, st.integers(1, 3), st.integers(0, 2), st.sampled_from(PROFILE_NAMES))
@examples(50)
def test_ranking_only_what_can_matter_gives_the_trace_of_ranking_everything(
    registry: Registry, query: str, top_k: int, rrf_k: int, name: str
) -> None:
    index, numbers = build_index(registry, FakeEncoder(12)), Settings(name, rrf_k=rrf_k)
    ask = lambda: Curator(index, numbers).curate(query, top_k=top_k).to_dict()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_core.fusion.CombinedRank._first", lambda self, count: self.order[:count])
        everything = ask()
    with pytest.MonkeyPatch.context() as patch:
        for name in SIZES:
            patch.setattr(f"curator_core.{name}", 0)  # as in a large registry
        assert ask() == everything


@given(registries(), queries, st.sampled_from(PROFILE_NAMES), st.sets(st.sampled_from((*STAGES, *TUNED_STAGES)), max_size=3))
@examples(40)
def test_shown_parts_sum_to_the_scores_whichever_stages_are_off(registry: Registry, query: str, name: str, off: set[str]) -> None:
    numbers = Settings(name, **dict.fromkeys(off, False))
    for one in Curator(build_index(registry, FakeEncoder(24)), numbers).curate(query).to_dict("all")["passes"]:
        for row in one["rows"]:
            assert sum(row["parts"].values()) == pytest.approx(row["score"], abs=1e-15)
            assert sum(row["by_word"].values()) == pytest.approx(row["bm25"] or 0.0, abs=1e-9)


@given(registries(min_size=2), queries, st.randoms(use_true_random=False))
@examples(25)
def test_the_order_of_the_file_changes_nothing(registry: Registry, query: str, random: Any) -> None:
    shuffled = list(registry.tools)
    random.shuffle(shuffled)
    other = Registry(name=registry.name, tools=tuple(shuffled), synonyms=dict(reversed(registry.synonyms.items())))
    one, two = build_index(registry, FakeEncoder(24)), build_index(other, FakeEncoder(24))
    assert one.fingerprint == two.fingerprint
    for numbers in map(profile, PROFILE_NAMES):
        assert Curator(one, numbers).curate(query).to_dict("all") == Curator(two, numbers).curate(query).to_dict("all")


@given(registries(), queries, st.integers(1, 8))
@examples(25)
def test_the_answer_is_between_effective_k_and_twice_top_k_plus_forced(registry: Registry, query: str, top_k: int) -> None:
    trace = Curator(build_index(registry, FakeEncoder(24))).curate(query, top_k=top_k)
    if not trace.passes:
        return
    forced = sum(row.forced for row in trace.rows(0, "all"))
    assert len(set(trace.tools)) == len(trace.tools)
    assert trace.effective_k <= len(trace.tools) <= max(2 * trace.top_k + forced, trace.effective_k)
    if len(trace.split.parts) <= 2 * trace.top_k:
        assert all(next(trace.rows(number)).tool in trace.tools for number in range(1, len(trace.passes)))


def test_hostel_leave_forces_the_tool_that_has_two_of_three_words_in_its_name(curator_of: MakeCurator) -> None:
    trace = curator_of(CAMPUS).curate("hostel leave")
    row = next(trace.rows())
    assert trace.tools[0] == "apply_for_hostel_leave"
    assert (row.forced, row.forced_hits, row.forced_of, row.forced_by) == (True, 2, 3, ("hostel", "leave"))


def test_a_forced_tool_keeps_its_fused_score_and_stands_first(curator_of: MakeCurator) -> None:
    trace = curator_of({"a_other": "hostel leave hostel leave", "apply_for_hostel_leave": "days away"}, anchor_ratio=0.6).curate(
        "hostel leave"
    )
    rows = {row.tool: row for row in trace.rows()}
    assert trace.tools == ("apply_for_hostel_leave", "a_other")
    assert rows["apply_for_hostel_leave"].score < rows["a_other"].score


def test_a_question_for_two_things_gives_both_and_says_which_part_brought_them(curator_of: MakeCurator) -> None:
    trace = curator_of(CAMPUS).curate("show my attendance and also raise a grievance", top_k=2)
    assert [part.query for part in trace.split.parts] == ["show my attendance", "raise a grievance"]
    assert trace.split.markers == ("and also",)
    picks = {trace.pool[pick.position]: pick.parts for pick in trace.picks}
    assert list(picks)[:2] == ["get_attendance", "submit_grievance"]
    assert 1 in picks["get_attendance"] and 2 in picks["submit_grievance"]


def test_twenty_five_tools_come_back_when_the_best_meaning_match_is_weak(curator_of: MakeCurator) -> None:
    curator = curator_of(many(40), encoder=FakeEncoder(dimension=2048))
    trace = curator.curate("quantum banana telescope")
    assert trace.confidence.low_confidence and trace.confidence.max_similarity is not None and trace.confidence.max_similarity < 0.25
    assert (trace.effective_k, len(trace.tools)) == (25, 25)
    assert any("unsure" in note for note in trace.notes)
    assert len(curator.curate("quantum banana telescope", settings=Settings(low_confidence=False)).tools) == 20


def test_an_unsure_answer_is_no_longer_than_the_pool(curator_of: MakeCurator) -> None:
    assert len(curator_of(many(22), encoder=FakeEncoder(dimension=2048)).curate("quantum banana telescope").tools) == 22


@pytest.mark.parametrize("query", ["", "   ", "?!…", "\u200b"])
def test_a_question_without_a_letter_or_digit_is_not_encoded(query: str, curator_of: MakeCurator, encoder: FakeEncoder) -> None:
    trace = curator_of(CAMPUS).curate(query)
    assert trace.tools == () and trace.reason.startswith("empty query")
    assert encoder.queries_encoded == 0


def test_an_empty_registry_says_so(curator_of: MakeCurator) -> None:
    trace = curator_of({}).curate("refund")
    assert trace.tools == () and "no tools" in trace.reason
    assert trace.to_dict()["passes"] == []


@pytest.mark.parametrize(("asked", "taken"), [(0, 1), (-1, 1), (1_000_000, 5), (3, 3)])
def test_top_k_is_clamped_with_a_note(asked: int, taken: int, curator_of: MakeCurator) -> None:
    trace = curator_of(CAMPUS).curate("pay my fees", top_k=asked)
    assert trace.top_k == len(trace.tools) == taken
    assert len(set(trace.tools)) == taken
    assert any(f"top_k {asked}" in note for note in trace.notes) is (asked != taken)


@pytest.mark.parametrize("top_k", [2.5, "3", True])
def test_top_k_that_is_no_whole_number_is_refused(top_k: Any, curator_of: MakeCurator) -> None:
    with pytest.raises(InvalidQuery, match="whole number"):
        curator_of(CAMPUS).curate("fees", top_k=top_k)


def test_a_query_that_is_no_text_is_refused(curator_of: MakeCurator) -> None:
    with pytest.raises(InvalidQuery, match="not text"):
        curator_of(CAMPUS).curate(None)  # type: ignore[arg-type]


def roles_registry() -> Registry:
    return Registry(
        tools=(Tool("for_all"), Tool("mark_attendance", roles=("faculty",)), Tool("see_attendance", roles=("student", "parent")))
    )


def test_a_role_sees_its_own_tools_and_those_for_everyone(encoder: FakeEncoder) -> None:
    trace = Curator(build_index(roles_registry(), encoder)).curate("attendance", role="student")
    assert set(trace.tools) == {"for_all", "see_attendance"}


def test_an_unknown_role_or_pool_name_lists_what_exists(encoder: FakeEncoder) -> None:
    curator = Curator(build_index(roles_registry(), encoder))
    with pytest.raises(UnknownName, match="faculty, parent, student"):
        curator.curate("attendance", role="warden")
    with pytest.raises(UnknownName, match="see_attendance"):
        curator.curate("attendance", pool=["see_attendence"])


def test_role_and_pool_intersect(encoder: FakeEncoder) -> None:
    curator = Curator(build_index(roles_registry(), encoder))
    assert curator.curate("attendance", role="student", pool=["for_all", "mark_attendance"]).tools == ("for_all",)
    nothing = curator.curate("attendance", role="student", pool=["mark_attendance"])
    assert nothing.tools == () and "role student" in nothing.reason


def test_each_stage_can_be_switched_off_per_question(curator_of: MakeCurator) -> None:
    curator = curator_of({"a_tool": "leave", "b_tool": "gone"}, synonyms={"leave": ["vacation"]})

    def rows(**off: bool) -> dict[str, Any]:
        return {row.tool: row for row in curator.curate("vacation", settings=Settings(**off)).rows(0, "all")}

    assert rows()["a_tool"].by_word.keys() == {"vacation"} or rows()["a_tool"].bm25 == 0  # half of two tools: the word weighs nothing
    assert rows(synonyms=False)["a_tool"].similarity == 0
    assert rows(dense=False)["a_tool"].similarity is None
    assert rows(sparse=False)["a_tool"].bm25 is None
    assert rows(anchor=False)["a_tool"].forced_of == 0


def test_words_only_answers_with_shared_words_and_says_that_no_model_is_there() -> None:
    registry = Registry(tools=tuple(Tool(name, text) for name, text in CAMPUS.items()))
    curator = Curator(build_index(registry, None))
    trace = curator.curate("complaint")
    assert trace.tools == ("submit_grievance",)
    assert trace.model is None and any("words only" in note for note in trace.notes)
    assert "shares a word" in curator.curate("xylophone").reason


def test_words_that_no_tool_knows_are_in_the_trace(curator_of: MakeCurator) -> None:
    assert curator_of(CAMPUS).curate("xylophone fees").unknown_words == ("xylophone", "fees")[:1]


def test_a_long_question_is_cut_by_the_model_with_a_note(curator_of: MakeCurator) -> None:
    trace = curator_of(CAMPUS).curate("fees " * 600)
    assert trace.tools[0] == "pay_fees"
    assert any("602 tokens" in note and "first 64" in note for note in trace.notes)


def test_the_trace_shows_exactly_what_was_encoded() -> None:
    encoder = FakeEncoder(query_prefix="Represent this sentence: ")
    trace = Curator(build_index(Registry(tools=(Tool("get_fee"),)), encoder)).curate("my fee")
    assert trace.to_dict()["passes"][0]["encoded"] == "Represent this sentence: my fee"


def test_plain_and_does_not_split(curator_of: MakeCurator) -> None:
    assert curator_of(CAMPUS).curate("show my accounts and balances").split.parts == ()


def test_the_trace_is_json_with_the_fields_agents_rely_on(curator_of: MakeCurator) -> None:
    import json

    record = json.loads(json.dumps(curator_of(CAMPUS).curate("pay my fees plus see the cgpa", top_k=2).to_dict(), allow_nan=False))
    assert {"query", "role", "profile", "model", "fingerprint", "top_k", "effective_k", "low_confidence", "max_similarity"} <= record.keys()
    assert {"reason", "notes", "tools", "split", "passes"} <= record.keys()
    assert [one["kind"] for one in record["passes"]] == ["whole", "part", "part"]
    wanted = "tool rank similarity dense_rank bm25 sparse_rank by_word parts score forced forced_hits forced_of"
    assert set(wanted.split()) <= record["passes"][0]["rows"][0].keys()
    assert set(record["passes"][1]["sparse"]) == {"skipped_because", "words"}


def test_one_trace_lists_the_whole_pool_on_demand(curator_of: MakeCurator) -> None:
    trace = curator_of(many(40)).curate("matter3 kind3", top_k=2)
    assert len(trace.to_dict()["passes"][0]["rows"]) == 2
    assert len(trace.to_dict("all")["passes"][0]["rows"]) == 40


def test_settings_differ_per_question_without_touching_each_other(curator_of: MakeCurator) -> None:
    curator = curator_of(many(30))
    first = curator.curate("matter3 kind3").to_dict("all")
    changed: Trace = curator.curate("matter3 kind3", settings=Settings(rrf_k=1, bm25_k1=0.1, bm25_b=0.0))
    assert next(changed.rows()).score == pytest.approx(1 / 2 + 1 / 2)
    assert curator.curate("matter3 kind3").to_dict("all") == first


def test_a_question_in_very_many_parts_keeps_little_and_says_as_much_as_ever(
    curator_of: MakeCurator, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = " and then ".join(f"matter{number} kind{number % 5}" for number in range(60))
    curator = curator_of(many(90))
    trace = curator.curate(question, top_k=4)
    assert sum("stages" in vars(one) for one in trace.passes) == 1 + 32
    record, evidence = trace.to_dict("all"), trace.evidence
    passes = [trace.pass_of(pick) for pick in trace.picks]
    assert sum("stages" in vars(one) for one in trace.passes) <= 1 + 32
    monkeypatch.setattr("curator_core.curator._PARTS_KEPT", 1_000)
    whole = curator.curate(question, top_k=4)
    assert (whole.to_dict("all"), whole.evidence, [whole.pass_of(pick) for pick in whole.picks]) == (record, evidence, passes)


def test_three_parts_and_top_k_one_give_the_first_of_two_parts(curator_of: MakeCurator) -> None:
    question = "matter1 kind1 and then matter2 kind2 and then matter3 kind3"
    assert curator_of(many(30)).curate(question, top_k=1).tools == ("tool001", "tool002")  # cut at twice top_k
