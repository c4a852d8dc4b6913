from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import HELD_OUT, Curator, NoToolLine, Registry, Settings, TestQuery, Tool, build_index, no_tool_line, profile
from curator_core.dense import PatchedVectors
from curator_core.no_tool import FEWEST, MOST, answerable
from tests.core.fakes import FakeEncoder
from tests.core.strategies import WORDS, registries
from tests.laws import examples

TOOLS = tuple(Tool(f"tool_{word}", f"does {word} for everyone") for word in ("apples", "bread", "cheese", "dates"))
ASKED = tuple(TestQuery(f"does {word} for me {number}", (f"tool_{word}",)) for word in ("apples", "bread") for number in range(FEWEST // 2))
FEW = NoToolLine(Settings().low_confidence_similarity, 0, False)


@pytest.fixture
def fast_switches() -> Iterator[None]:
    """Let threads take turns so often that what must not be interrupted is."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def curator(cases: tuple[TestQuery, ...], name: str = "tuned", dimension: int = 256) -> Curator:
    return Curator(build_index(Registry(tools=TOOLS, test_queries=cases), FakeEncoder(dimension)), profile(name))


@pytest.mark.parametrize("name", ["seed", "tuned"])
def test_a_question_unlike_the_registrys_own_is_one_that_no_tool_fits(name: str) -> None:
    ask = curator(ASKED, name).curate
    near, far = ask("does apples for me 3"), ask("quantum banana telescope")
    assert not near.no_tool and far.no_tool
    assert float(near.confidence) > float(far.confidence)
    assert near.no_tool_reason == "" and "perhaps no tool applies" in far.no_tool_reason and f"of the {FEWEST} test" in far.no_tool_reason


def test_nine_in_ten_of_the_own_questions_reach_the_line() -> None:
    one = curator(ASKED)
    line = one.no_tool_line()
    flagged = sum(one.curate(case.query).no_tool for case in ASKED)
    assert (line.own, line.queries) == (True, FEWEST)
    assert 0 < line.value < 1 and flagged <= len(ASKED) / 10
    assert line.value == round(line.value, 2)


def test_few_questions_held_out_ones_and_those_without_a_tool_draw_no_line_and_that_is_said() -> None:
    for cases, found in ((ASKED[1:], FEWEST - 1), (tuple(replace(case, expected=()) for case in ASKED), 0)):
        line = curator(cases).no_tool_line()
        assert line == replace(FEW, queries=found)
        assert f"{found} test queries with a right tool, too few" in line.sentence
    assert curator(tuple(replace(case, tags=(HELD_OUT,)) for case in ASKED)).no_tool_line() == FEW


def test_without_an_answer_no_tool_applies_and_without_a_model_nobody_can_say() -> None:
    words = Curator(build_index(Registry(tools=TOOLS, test_queries=ASKED), None), profile("tuned"))
    assert words.curate("xylophone").no_tool and not words.curate("apples").no_tool
    assert words.curate("apples").to_dict()["no_tool_line"] is None
    assert curator(ASKED).curate("?!").no_tool


@pytest.mark.parametrize("name", ["seed", "tuned"])
def test_agents_are_told_in_the_trace_and_beside_the_declarations(name: str) -> None:
    one = curator(ASKED, name)
    for question, expected in (("does bread for me 1", False), ("quantum banana telescope", True)):
        trace = one.curate(question)
        record, declared = trace.to_dict(), one.declarations(trace)
        assert (record["no_tool"], declared.no_tool) == (expected, expected)
        assert bool(declared.note) == expected
        assert record["no_tool_line"] == {"value": one.no_tool_line().value, "queries": FEWEST, "own": True}
        assert [entry["function"]["name"] for entry in declared] == list(trace.tools)


def test_more_tools_when_unsure_follow_the_registrys_own_line_in_tuned_and_the_quarter_in_seed() -> None:
    tuned, seed = curator(ASKED), curator(ASKED, "seed")
    line = tuned.no_tool_line().value
    assert line > 0.25
    between = next(
        one
        for one in ("does", "for", "me", "tool", "does quantum", "for quantum", "everyone banana")
        if 0.25 < float(tuned.curate(one).confidence) < line and float(seed.curate(one).confidence) > 0.25
    )
    found = tuned.curate(between, top_k=1)
    assert (found.confidence.low_confidence, found.confidence.unsure_below, len(found.tools)) == (True, line, len(TOOLS))
    assert any("unsure" in note and f"below {line:g}" in note for note in found.notes)
    assert not seed.curate(between, top_k=1).confidence.low_confidence
    off = tuned.curate(between, top_k=1, settings=Settings("tuned", own_line=False))
    assert (off.confidence.low_confidence, off.confidence.unsure_below) == (False, 0.25)


def test_the_line_follows_the_questions_that_a_curator_is_given() -> None:
    index = curator(()).index
    assert Curator(index, profile("tuned")).no_tool_line() == FEW
    assert Curator(index, profile("tuned"), ASKED).no_tool_line() == curator(ASKED).no_tool_line()
    assert no_tool_line(index, profile("tuned"), ASKED).own


def test_many_threads_may_draw_lines_of_one_index_at_once(fast_switches: None) -> None:
    index = curator(ASKED).index
    copies = [tuple(replace(case) for case in ASKED) for _ in range(400)]  # equal, as in the registries of many authors' edits
    with ThreadPoolExecutor(8) as threads:
        lines = list(threads.map(lambda cases: no_tool_line(index, profile("tuned"), cases), copies))
    assert set(lines) == {no_tool_line(index, profile("tuned"), ASKED)}


def test_of_very_many_questions_a_fixed_number_is_asked_evenly() -> None:
    many = tuple(TestQuery(f"does bread {number}", ("tool_bread",)) for number in range(MOST * 2))
    some = answerable(curator(()).index, many)
    assert len(some) == MOST
    assert [case.query for case in some[:3]] == ["does bread 0", "does bread 2", "does bread 4"]


@given(registries(min_size=4, max_size=6), st.integers(0, 3), st.sampled_from(["student", None]))
@examples(8)
def test_an_edit_leaves_the_line_where_an_index_made_anew_has_it(registry: Registry, place: int, role: str | None) -> None:
    cases = tuple(TestQuery(f"{WORDS[number % 7]} {WORDS[number % 11]}", (registry.keys[0],)) for number in range(FEWEST))
    cases += tuple(replace(case, role=role if role in registry.roles else None) for case in cases[:5])
    registry, encoder, key = replace(registry, test_queries=cases), FakeEncoder(24), registry.keys[place]
    base = build_index(registry, encoder)
    for edit in (registry.edit(key, "description", "pay the exam fee"), registry.edit(key, "roles", ("staff",))):
        edited = registry.with_edits([edit])
        anew, patched = (Curator(build_index(edited, encoder, previous=previous)) for previous in (None, base))
        for numbers in (profile("seed"), profile("tuned")):
            Curator(base).no_tool_line(numbers)
            assert anew.no_tool_line(numbers) == patched.no_tool_line(numbers)


def test_a_draft_keeps_no_copy_of_all_vectors_when_it_edits_the_tool_nearest_to_a_question() -> None:
    base = curator(ASKED, "seed")
    base.no_tool_line()
    registry = base.index.registry
    edited = registry.with_edits([registry.edit("tool_apples", "description", "something else")])
    draft = Curator(build_index(edited, base.index.encoder, previous=base.index), base.settings)
    vectors = draft.index.dense(draft.settings)
    assert isinstance(vectors, PatchedVectors) and draft.no_tool_line() != base.no_tool_line()
    assert not [name for name, kept in vars(vectors).items() if getattr(kept, "shape", None) == vectors.rows.shape]


def test_what_a_first_question_would_wait_for_is_read_ahead_with_progress() -> None:
    encoder, seen = FakeEncoder(), list[tuple[int, int]]()
    one = Curator(build_index(Registry(tools=TOOLS, test_queries=ASKED), encoder), profile("tuned"))
    one.prepare(lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] == seen[-1][1] and all(a < b for a, b in itertools.pairwise(seen))
    texts = encoder.documents_encoded
    assert one.curate(ASKED[0].query).tools
    assert encoder.documents_encoded == texts
