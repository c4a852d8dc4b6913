from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import PROFILE_NAMES, Curator, Edit, ModelUnavailable, Registry, Settings, Tool, build_index
from tests.core.fakes import FakeEncoder
from tests.core.strategies import queries, registries, texts, word
from tests.laws import examples

THREE = Registry(
    name="three",
    tools=(Tool("submit_grievance", "File a complaint"), Tool("get_timetable", "Class times"), Tool("pay_fees", "Pay what is due")),
    synonyms={"grievance": ["formal complaint"], "fee": ["dues"]},
)


def rebuilt(edit: Edit, tmp_path: Path) -> Any:
    build_index(THREE, FakeEncoder(), tmp_path)
    return build_index(THREE.with_edits([edit]), FakeEncoder(), tmp_path)


@pytest.mark.parametrize("field", ["description", "extra_context", "name"])
def test_an_edit_of_one_tool_embeds_one_text(field: str, tmp_path: Path) -> None:
    index = rebuilt(THREE.edit("get_timetable", field, "when_lectures_are"), tmp_path)
    assert (index.build.embedded, index.build.reused) == (1, 2)


def test_an_edited_synonym_embeds_the_texts_it_reaches(tmp_path: Path) -> None:
    assert rebuilt(Edit("fee", "synonyms", ("dues",), ("dues", "tuition")), tmp_path).build.embedded == 1


def test_undoing_an_edit_embeds_nothing_and_gives_the_first_result(tmp_path: Path) -> None:
    first = build_index(THREE, FakeEncoder(), tmp_path)
    edited = THREE.with_edits([THREE.edit("submit_grievance", "extra_context", "raise a formal issue")])
    changed, undone = build_index(edited, FakeEncoder(), tmp_path), build_index(THREE, FakeEncoder(), tmp_path)
    results = [Curator(index).curate("raise a formal issue").to_dict("all") for index in (first, changed, undone)]
    assert undone.build.embedded == 0
    assert results[0] == results[2] != results[1]


def test_an_edit_on_a_previous_index_embeds_one_text_without_any_disk() -> None:
    encoder = FakeEncoder()
    first = build_index(THREE, encoder)
    index = build_index(THREE.with_edits([THREE.edit("pay_fees", "description", "Settle dues")]), encoder, previous=first)
    assert index.build.embedded == 1
    assert encoder.documents_encoded == 4


def test_a_second_process_embeds_nothing(tmp_path: Path) -> None:
    build_index(THREE, FakeEncoder(), tmp_path)
    encoder = FakeEncoder()
    assert build_index(THREE, encoder, tmp_path).build.embedded == 0
    assert encoder.documents_encoded == 0


@given(registries(), queries)
@examples(12)
def test_the_state_of_the_cache_changes_nothing(tmp_path_factory: pytest.TempPathFactory, registry: Registry, query: str) -> None:
    folder = tmp_path_factory.mktemp("cache")
    traces = [Curator(build_index(registry, FakeEncoder(), cache)).curate(query).to_dict("all") for cache in (None, folder, folder)]
    assert traces[0] == traces[1] == traces[2]


EDITS = st.sampled_from(["name", "description", "extra_context", "roles"])


@given(registries(), EDITS, texts, st.data())
@examples(25)
def test_every_edit_that_can_change_a_ranking_changes_the_fingerprint(
    registry: Registry, field: str, text: str, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(registry.by_key)))
    new: Any = ("student", "guest") if field == "roles" else f"{text.replace(' ', '_')}_x" if field == "name" else f"{text} changed"
    edited = registry.with_edits([registry.edit(key, field, new)])
    assert build_index(edited, None).fingerprint != build_index(registry, None).fingerprint


def test_a_synonym_that_reaches_a_tool_changes_the_fingerprint() -> None:
    edited = THREE.with_edits([Edit("fee", "synonyms", ("dues",), ("dues", "tuition"))])
    assert build_index(edited, None).fingerprint != build_index(THREE, None).fingerprint


def test_another_model_or_query_prefix_changes_the_fingerprint_and_a_prefix_embeds_nothing(tmp_path: Path) -> None:
    plain = build_index(THREE, FakeEncoder(), tmp_path)
    prefixed = build_index(THREE, FakeEncoder(query_prefix="find: "), tmp_path)
    other = build_index(THREE, FakeEncoder(model_id="other"), tmp_path)
    assert len({plain.fingerprint, prefixed.fingerprint, other.fingerprint}) == 3
    assert (prefixed.build.embedded, other.build.embedded) == (0, 3)


def test_switching_synonyms_off_embeds_only_the_texts_that_had_some() -> None:
    encoder = FakeEncoder()
    curator = Curator(build_index(THREE, encoder))
    for _ in range(2):
        curator.curate("dues", settings=Settings(synonyms=False))
    assert encoder.documents_encoded == 3 + 2


def test_what_the_model_does_not_read_is_known_per_segment() -> None:
    tool = Tool("search_replace", "rule " * 70, extra_context="undo a payment")
    index = build_index(Registry(tools=(tool, Tool("short"))), FakeEncoder(max_tokens=64))
    unseen = index.unseen("search_replace")
    assert set(unseen) == {"description", "extra_context"}
    assert unseen["extra_context"] == "undo a payment"
    assert len(unseen["description"].split()) == 70 - 60  # 64 tokens hold two special ones and the two words of the name
    assert index.unseen("short") == {}
    assert (index.tokens("search_replace"), index.tokens("short")) == (2 + 70 + 3 + 2, 1 + 2)
    assert index.cut_off() == ("search_replace",)
    assert build_index(index.registry, None).tokens("short") is None


def test_building_tells_how_far_it_is(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    build_index(THREE, FakeEncoder(), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (3, 3)


def test_what_was_read_before_the_process_ended_is_not_read_again(tmp_path: Path) -> None:
    registry = Registry(tools=tuple(Tool(f"tool_{number:04d}", "does thing " * (number % 7)) for number in range(1_000)))

    def end(done: int, total: int) -> None:
        if done >= 500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(registry, FakeEncoder(), tmp_path, progress=end)
    after = build_index(registry, encoder := FakeEncoder(), tmp_path)
    assert after.build.reused >= 500 and after.build.embedded == encoder.documents_encoded == 1_000 - after.build.reused
    plain = build_index(registry, FakeEncoder())
    assert [Curator(one).curate("thing 42").to_dict("all") for one in (after, plain)] == [
        Curator(plain).curate("thing 42").to_dict("all")
    ] * 2


@pytest.mark.parametrize("name", PROFILE_NAMES)
def test_a_registry_too_large_for_memory_is_ranked_alike_and_read_from_the_disk_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tuple(Tool(f"tool_{number}", f"does thing{number % 5}", examples=("thing3 please",) * (number % 3)) for number in range(9))
    ask = lambda index: Curator(index, Settings(name)).curate("thing3 and tool 4").to_dict("all")
    plain = ask(build_index(Registry(tools=tools), FakeEncoder()))
    monkeypatch.setattr("curator_core.index._MIXED_AT_ONCE", 2)
    monkeypatch.setattr("curator_core.vector_store._IN_MEMORY", 3)
    index = build_index(Registry(tools=tools), encoder := FakeEncoder(), tmp_path)
    assert ask(index) == plain
    encoded = encoder.documents_encoded
    assert ask(build_index(Registry(tools=tools[::-1]), encoder, tmp_path, previous=index)) == plain
    assert encoder.documents_encoded == encoded


def test_equal_names_are_two_tools_with_keys_of_their_own() -> None:
    registry = Registry(tools=(Tool("search", "Search files", group="files"), Tool("search", "Search mail", group="mail")))
    assert build_index(registry, FakeEncoder()).keys == ("search@files", "search@mail")
    assert Curator(build_index(registry, FakeEncoder())).curate("mail").tools[0] == "search@mail"


def test_a_folder_that_cannot_be_written_means_working_in_memory_and_saying_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    index = build_index(THREE, FakeEncoder(), tmp_path / "file" / "cache")
    assert index.build.embedded == 3
    assert any("memory" in notice for notice in index.build.notices)
    assert Curator(index).curate("formal complaint").tools[0] == "submit_grievance"


def test_faiss_holds_the_vectors_and_finds_the_same_neighbours() -> None:
    index = build_index(THREE, FakeEncoder())
    dense = index.dense(Settings())
    assert dense is not None
    scores, found = dense.faiss.search(dense.rows, 3)
    assert found[:, 0].tolist() == [0, 1, 2]
    assert scores.max() <= 1.00001


def test_the_same_words_in_another_segment_give_another_fingerprint() -> None:
    one, two = (Registry(tools=(Tool("t_x", *texts),)) for texts in (("alpha beta", "gamma"), ("alpha", "beta gamma")))
    assert build_index(one, None).fingerprint != build_index(two, None).fingerprint


@pytest.mark.parametrize("fault", ["dimension", "nan"])
def test_an_encoder_that_gives_no_usable_vectors_is_one_clear_error(fault: str) -> None:
    class Faulty(FakeEncoder):
        def encode_documents(self, texts: list[str], **_: Any) -> Any:
            rows = super().encode_documents(texts)
            return rows[:, 1:] if fault == "dimension" else rows * float("nan")

    with pytest.raises(ModelUnavailable, match="dimension" if fault == "dimension" else "NaN"):
        build_index(THREE, Faulty())


def kinds_of_edits(registry: Registry, data: st.DataObject) -> list[Edit]:
    """Draw one edit of any kind that the registry allows."""
    key = data.draw(st.sampled_from(sorted(registry.by_key)))
    field = data.draw(
        st.sampled_from(
            ["name", "description", "extra_context", "roles", "tags", "group", "parameters", "examples", "delete", "add", "synonyms"]
        )
    )
    new: Any = data.draw(texts)
    if field == "delete":
        return [registry.edit(key, "tool", None)] if len(registry.tools) > 1 else []
    if field in ("add", "name"):
        name = f"{data.draw(word)}_{len(new)}_{data.draw(st.integers(0, 99))}"
        if any(tool.name == name for tool in registry.tools):
            return []
        return [registry.edit(name, "tool", Tool(name, new)) if field == "add" else registry.edit(key, "name", name)]
    if field == "synonyms":
        return [registry.edit(data.draw(word), "synonyms", data.draw(st.one_of(st.none(), st.just((new, "what users say")))))]
    if field == "parameters":
        new = {"properties": {data.draw(word): {"description": new}}}
    return [
        registry.edit(key, field, ("student",) if field in ("roles", "tags") else (new, "what users ask") if field == "examples" else new)
    ]


@given(registries(min_size=3), st.lists(queries, min_size=1, max_size=3), st.integers(1, 5), st.booleans(), st.data())
@examples(20)
def test_an_index_after_edits_gives_to_the_last_bit_what_a_rebuild_gives(
    registry: Registry, asked: list[str], steps: int, with_model: bool, data: st.DataObject
) -> None:
    encoder = FakeEncoder(24) if with_model else None
    index = build_index(registry, encoder)
    for _ in range(steps):
        if not (edits := [edit for edit in kinds_of_edits(registry, data) if edit.new != edit.old]):
            continue
        registry = registry.with_edits(edits)
        index = build_index(registry, encoder, previous=index)
        rebuilt = build_index(registry, FakeEncoder(24) if with_model else None)
        assert (index.keys, index.texts, index.fingerprint) == (rebuilt.keys, rebuilt.texts, rebuilt.fingerprint)
        for query in asked:
            for name in PROFILE_NAMES:
                some = Settings(name, anchor_ratio=0.4, synonyms=len(query) % 2 == 0)
                one, two = (Curator(each, some).curate(query).to_dict("all") for each in (index, rebuilt))
                assert one == two
            assert index.fired_synonyms(query) == rebuilt.fired_synonyms(query)


def test_edits_of_a_few_tools_share_what_they_leave_alone_and_many_edits_stand_alone() -> None:
    registry = Registry(tools=tuple(Tool(f"tool_{number:04d}", f"does thing{number}") for number in range(700)))
    first = build_index(registry, FakeEncoder())
    one = build_index(registry.with_edits([registry.edit("tool_0007", "description", "changed")]), FakeEncoder(), previous=first)
    encoder = first.encoder
    assert one.base is one, "another encoder"
    few = build_index(one.registry, encoder, previous=first)
    assert few.base is first and few.keys is first.keys and few.build.embedded == 1
    undone = build_index(registry, encoder, previous=few)
    assert undone.base is first and undone.build.embedded == 0
    edits = [registry.edit(f"tool_{number:04d}", "extra_context", "much else") for number in range(100)]
    many = build_index(registry.with_edits(edits), encoder, previous=few)
    assert many.base is many


def test_a_words_only_index_of_a_draft_shares_the_words_of_the_full_one() -> None:
    encoder = FakeEncoder()
    full = build_index(THREE, encoder)
    draft = build_index(THREE.with_edits([THREE.edit("pay_fees", "description", "Settle tuition")]), None, previous=full)
    assert draft.base is full and draft.encoder is None
    assert Curator(draft).curate("settle").tools == ("pay_fees",)
