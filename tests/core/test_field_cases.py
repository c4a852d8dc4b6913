"""Kinds of trouble that people report of tool registries and hybrid retrieval, with inputs of our own, on the bundled model."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_core import Curator, Encoder, Registry, Settings, Tool, Trace, build_index, load_encoder, why

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def bundled() -> Encoder:
    return load_encoder("bundled")


def curator_of(bundled: Encoder, tools: dict[str, str]) -> Curator:
    return Curator(build_index(Registry(tools=tuple(Tool(name, text) for name, text in tools.items())), bundled))


def forced(trace: Trace) -> set[str]:
    return {row.tool for row in trace.rows(0, "all") if row.forced}


KITCHEN = {
    "light_oven": "Turn the oven on",
    "clean_oven": "Run the cleaning cycle",
    "brew_coffee": "Make a cup of coffee",
    "order_milk": "Have milk delivered",
}


def test_a_word_in_half_of_the_tools_is_said_to_weigh_nothing_and_meaning_carries_the_answer(bundled: Encoder) -> None:
    trace = curator_of(bundled, KITCHEN).curate("oven", settings=Settings(anchor=False))
    assert set(trace.tools[:2]) == {"light_oven", "clean_oven"}
    assert trace.to_dict()["passes"][0]["sparse"]["skipped_because"] == "no weight"
    assert "shared words weigh nothing" in why(next(trace.rows()))


def test_a_fifth_tool_that_gives_the_word_its_weight_back_is_seen_in_the_record(bundled: Encoder) -> None:
    trace = curator_of(bundled, {**KITCHEN, "water_plants": "Water the plants"}).curate("oven")
    assert trace.to_dict()["passes"][0]["sparse"]["skipped_because"] is None
    assert {row.tool for row in trace.rows() if row.sparse_rank} == {"light_oven", "clean_oven"}


def test_the_only_tool_is_returned_and_not_called_a_stranger_to_its_own_words(bundled: Encoder) -> None:
    trace = curator_of(bundled, {"brew_coffee": "Make a cup of coffee"}).curate("brew coffee")
    assert trace.tools == ("brew_coffee",)
    assert trace.to_dict()["passes"][0]["sparse"]["skipped_because"] == "no weight"


@pytest.mark.parametrize("tools", [{}, {"点菜": "给客人点菜", "结账": "客人付钱"}, {"q": ""}])
@pytest.mark.parametrize("query", ["coffee", "", "结账"])
def test_registries_without_a_latin_word_build_and_answer(bundled: Encoder, tools: dict[str, str], query: str) -> None:
    trace = curator_of(bundled, tools).curate(query)
    assert set(trace.tools) == (set(tools) if query else set())
    assert bool(trace.reason) is not bool(trace.tools)


def test_a_word_of_another_script_is_matched(bundled: Encoder) -> None:
    trace = curator_of(bundled, {"点菜": "给 客人 点菜", "结账": "客人 付钱", "coffee": "a cup", "tea": "a pot"}).curate("付钱")
    assert [row.tool for row in trace.rows(0, "all") if row.sparse_rank] == ["结账"]


SHOP = {
    "list_receipts": "Get the list of receipts",
    "void_receipt": "Cancel a receipt",
    "print_label": "Print the label",
    "get_forecast": "Show the forecast",
    "translate_menu": "Translate text",
    "book_table": "Make a booking",
    "post_letter": "Send a letter",
}


def test_one_matching_tool_is_ranked_by_words_and_the_others_say_no_shared_word(bundled: Encoder) -> None:
    trace = curator_of(bundled, SHOP).curate("forecast")
    assert [row.tool for row in trace.rows(0, "all") if row.sparse_rank] == ["get_forecast"]
    assert all(why(row).endswith("no shared word") for row in trace.rows(0, "all") if row.tool != "get_forecast")


def test_a_hit_on_small_words_says_that_it_rests_on_them(bundled: Encoder) -> None:
    trace = curator_of(bundled, SHOP).curate("where can I get the trombone")
    rows = {row.tool: row for row in trace.rows(0, "all")}
    assert set(rows["list_receipts"].by_word) == {"get", "the"} and "“get”, “the”" in why(rows["list_receipts"])
    assert "trombone" in trace.unknown_words


def test_extra_context_behind_the_models_limit_is_known_and_the_similarity_does_not_move(bundled: Encoder) -> None:
    rules = "Only staff of the front desk may use this after closing time. " * 40

    def index(extra: str) -> Curator:
        return Curator(
            build_index(Registry(tools=(Tool("void_receipt", rules, extra_context=extra), Tool("tea", "a pot"), Tool("milk"))), bundled)
        )

    plain, extended = index(""), index("take back a payment")
    assert extended.index.unseen("void_receipt")["extra_context"] == "take back a payment"
    question = "take back a payment"
    before, after = (next(row for row in one.curate(question).rows(0, "all") if row.tool == "void_receipt") for one in (plain, extended))
    assert after.similarity == pytest.approx(before.similarity, abs=1e-6)
    assert before.bm25 == 0 and after.by_word.keys() >= {"take", "back", "payment"}


def test_an_edit_of_extra_context_moves_the_tool_at_once_and_after_a_restart(bundled: Encoder, tmp_path: Path) -> None:
    base = Registry(
        tools=(Tool("file_report", "Report something"), Tool("menu_today", "What is served"), Tool("lost_property", "Find things"))
    )
    edited = base.with_edits([base.edit("file_report", "extra_context", "the soup was cold and nobody cared")])
    question = "nobody cared that my soup was cold"

    def similarity(registry: Registry) -> float:
        index = build_index(registry, bundled, tmp_path)
        return next(row.similarity or 0.0 for row in Curator(index).curate(question).rows(0, "all") if row.tool == "file_report")

    before, after = similarity(base), similarity(edited)
    assert after > before + 0.2
    assert (similarity(edited), similarity(base)) == (after, before)


@pytest.mark.parametrize("top_k", [20, 0, -1, 1_000_000])
def test_no_tool_is_given_twice_whatever_is_asked_for(bundled: Encoder, top_k: int) -> None:
    trace = curator_of(bundled, {name: SHOP[name] for name in list(SHOP)[:3]}).curate("receipt", top_k=top_k)
    assert len(trace.tools) == len(set(trace.tools)) == (3 if top_k > 3 else 1)
    assert all(-1 <= (row.similarity or 0) <= 1 for row in trace.rows(0, "all"))


def test_a_rare_word_that_one_tool_has_brings_it_into_the_first_three(bundled: Encoder) -> None:
    tools = {f"handle_case_{number}": f"Handles form number {number} of the office" for number in range(60)}
    trace = curator_of(bundled, tools | {"get_qvx_4_sheet": "QVX-4 form"}).curate("qvx-4")
    assert "get_qvx_4_sheet" in trace.tools[:3]


def test_nonsense_is_told_from_a_good_hit_by_evidence_and_not_by_the_combined_score(bundled: Encoder) -> None:
    curator = curator_of(bundled, SHOP)
    nonsense, good = curator.curate("umbrella zeppelin orchestra"), curator.curate("cancel a receipt")
    assert next(nonsense.rows()).rank == next(good.rows()).rank == 1
    assert (nonsense.evidence, good.evidence) == ("none", "clear")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("keep the theme preinstalled", {"theme__install": "Install a theme", "theme__remove": "Take a theme away"}),
        ("the outline was fine online", {"line": "Draw a line", "circle": "Draw a circle"}),
        ("my wishlist is unlisted", {"list": "Show entries", "find": "Search"}),
        ("explanation of the airport support", {"port_plan": "Plan ports", "other": "Another"}),
    ],
)
def test_a_name_inside_another_word_forces_nothing(bundled: Encoder, query: str, names: dict[str, str]) -> None:
    trace = curator_of(bundled, names).curate(query)
    assert forced(trace) == set()


SERVERS = {
    "calendar__list_events": "List events",
    "calendar__create_event": "Add an event",
    "team_wiki__read_page": "Read a page",
    "team_wiki__append_page": "Add to a page",
}


@pytest.mark.parametrize("name", SERVERS)
def test_an_exact_name_in_the_question_puts_that_tool_first(bundled: Encoder, name: str) -> None:
    assert curator_of(bundled, SERVERS).curate(name).tools[0] == name


def test_a_sibling_that_is_forced_too_stands_behind_and_says_with_which_words(bundled: Encoder) -> None:
    trace = curator_of(bundled, SERVERS).curate("list calendar events")
    rows = {row.tool: row for row in trace.rows()}
    assert trace.tools[0] == "calendar__list_events"
    assert rows["calendar__create_event"].forced_by == ("calendar", "event")


@pytest.mark.parametrize(
    "query", ["play the Sunshine Plus channel", "a customer also known as Bob", "if the payment failed then try again"]
)
def test_a_split_inside_one_intent_is_shown_with_what_it_changed(bundled: Encoder, query: str) -> None:
    tools = {"play_channel": "Stream a channel", "find_aliases": "Other names of a customer", "retry_payment": "Try a failed payment again"}
    curator = curator_of(bundled, tools | SHOP)
    trace, unsplit = curator.curate(query), curator.curate(query, settings=Settings(split=False))
    assert trace.split.markers and not unsplit.split.parts
    changed = trace.tools[0] != unsplit.tools[0]
    assert any("splitting the question changed its first tool" in note for note in trace.notes) is changed


def test_the_prefix_is_for_queries_only_and_changes_no_document(bundled: Encoder, tmp_path: Path) -> None:
    registry = Registry(tools=tuple(Tool(name, text) for name, text in SHOP.items()))
    build_index(registry, bundled, tmp_path)
    prefixed = load_encoder("bundled", query_prefix="Represent this sentence: ")
    index = build_index(registry, prefixed, tmp_path)
    assert index.build.embedded == 0
    for asked in ("what is served?", "Represent this sentence: what is served?"):
        encoded = Curator(index).curate(asked).to_dict()["passes"][0]["encoded"]
        assert encoded == "Represent this sentence: what is served?"
