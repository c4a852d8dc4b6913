"""Logged questions: read and counted, asked, doubted for plain reasons, grouped by meaning, kept in the store and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curator_core import Curator, CuratorError, Forbidden, Registry, Store, TestQuery, Tool, build_index, evaluate
from curator_core.queries.logged import LoggedAnswer, LoggedQuestion, answer_logged, merged, not_tested, read_logged, usual_similarity
from curator_core.queries.logged_groups import group_questions
from curator_core.queries.logged_store import forget_logged, keep_logged, logged_batches_of, logged_questions_of
from tests.core.authors import ASHA, BEN, VIEWER
from tests.core.fakes import FakeEncoder

MakeCurator = Callable[..., Curator]
TOOLS = {"refund_order": "give money back for an order", "track_parcel": "say where a parcel is", "get_weather": "show the weather"}
ASKED = (LoggedQuestion("where is my parcel", 3), LoggedQuestion("send it back", 2))


# reading


@pytest.mark.parametrize(
    "text",
    [
        "where is my parcel\nWhere is my parcel?\nsend it back\nwhere  is my parcel\nsend it back\n",
        "question,count\nwhere is my parcel,3\nsend it back,2\n",
        "Count;Query\n1;where is my parcel\n2;send it back\n2;where is my parcel!\n",
        "where is my parcel\t3\nsend it back\t2\n",
        '{"query": "where is my parcel", "count": 3, "user": 7}\n{"text": "send it back"}\n{"text": "send it back"}\n',
    ],
)
def test_every_usual_shape_of_a_log_gives_the_questions_with_their_counts(text: str) -> None:
    assert read_logged("log", text).questions == ASKED


def test_lines_that_are_no_question_are_named() -> None:
    found = read_logged("log", "question,count\n???,1\nfine,none\nfine,0\nfine,1\n")
    assert found.questions == (LoggedQuestion("fine"),)
    assert [str(problem).split(":")[0] for problem in found.problems] == ["log, line 2", "log, line 3", "log, line 4"]
    broken_line = read_logged("log", '{"query": "a"}\n{"query": \n7\n')
    assert [str(problem).split(":")[0] for problem in broken_line.problems] == ["log, line 2", "log, line 3"]
    assert "UTF-8" in str(read_logged("log", b"\xff\xfe\xfa").problems[0])


def test_counts_of_two_days_are_added() -> None:
    assert merged(ASKED, [LoggedQuestion("Send it back", 5)]) == (
        LoggedQuestion("send it back", 7),
        LoggedQuestion("where is my parcel", 3),
    )


# doubts


def doubts(curator: Curator, text: str, line: float | None = None) -> tuple[str, ...]:
    (answer,) = answer_logged(curator, [LoggedQuestion(text)], line)
    return answer.doubts


def test_a_question_that_a_tool_plainly_answers_has_no_doubts(curator_of: MakeCurator) -> None:
    assert doubts(curator_of(TOOLS, encoder=FakeEncoder(2048)), "where is my parcel") == ()


def test_a_question_in_words_that_no_tool_has_is_unsure(curator_of: MakeCurator) -> None:
    assert doubts(curator_of(TOOLS, encoder=FakeEncoder(2048)), "quantum banana") == ("unsure", "no shared word")


def test_a_match_below_that_of_the_authors_own_queries_is_weak(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, encoder=FakeEncoder(2048))
    assert doubts(curator, "the weather please tell me", 0.9) == ("weaker than your tests",)
    assert doubts(curator, "show the weather", 0.6) == ()


def test_two_tools_that_one_place_would_swap_are_a_near_tie(curator_of: MakeCurator) -> None:
    tools = TOOLS | {"near": "parcel on the way", "far": "parcel parcel parcel somewhere else"}
    assert doubts(curator_of(tools, encoder=FakeEncoder(2048)), "parcel way") == ()
    assert doubts(curator_of(tools, encoder=FakeEncoder(2048), anchor=False), "parcel weather") == ("near tie",)


def test_a_registry_without_tools_answers_nothing(encoder: FakeEncoder) -> None:
    curator = Curator(build_index(Registry(), encoder))
    assert doubts(curator, "anything") == ("no tool",)


def test_the_usual_similarity_takes_twenty_passing_queries(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, encoder=FakeEncoder(2048))
    cases = [TestQuery(f"show the weather {'now ' * number}", ("get_weather",)) for number in range(20)]
    results = evaluate(curator, cases).results
    line = usual_similarity(results)
    reached = sum(result.max_similarity is not None and line is not None and result.max_similarity >= line for result in results)
    assert reached == 18
    assert usual_similarity(results[:19]) is None


def test_questions_that_are_test_queries_already_are_told_apart(curator_of: MakeCurator) -> None:
    registry = Registry(test_queries=(TestQuery("Where is my parcel?", ("track_parcel",)),))
    assert [one.question for one in not_tested(registry, answer_logged(curator_of(TOOLS), ASKED))] == [ASKED[1]]


# groups


def answers(*texts: str) -> list[LoggedAnswer]:
    return [LoggedAnswer(LoggedQuestion(text, 1 + number % 2), (), None, ()) for number, text in enumerate(texts)]


@pytest.mark.parametrize("encoder", [FakeEncoder(2048), None])
def test_questions_that_say_the_same_are_one_group_the_most_asked_first(encoder: FakeEncoder | None) -> None:
    index = build_index(Registry(tools=tuple(Tool(name, text) for name, text in TOOLS.items())), encoder)
    some = answers("borrow a laptop", "can I borrow laptop", "borrow one laptop today", "gym opening hours", "opening hours gym")
    groups = group_questions(index, some)
    assert [(len(group.answers), group.asked) for group in groups] == [(3, 4), (2, 3)]
    assert {"borrow", "laptop"} <= set(groups[0].words)
    assert [one.question.count for one in groups[0].answers] == [2, 1, 1]
    assert group_questions(index, some[::-1]) == groups


def test_no_question_makes_no_group_and_one_makes_one(encoder: FakeEncoder) -> None:
    index = build_index(Registry(), encoder)
    assert group_questions(index, []) == ()
    assert [group.asked for group in group_questions(index, answers("why"))] == [1]


# the store


def test_a_log_is_kept_for_all_authors_and_counts_of_days_add_up(store: Store) -> None:
    keep_logged(store, ASHA, "Monday", ASKED)
    keep_logged(store, BEN, "Tuesday", [LoggedQuestion("Send it back?", 4), LoggedQuestion("nul \0 \U0001f600")])
    assert logged_questions_of(store)[0].count == 6
    latest, first = logged_batches_of(store)
    assert (latest.name, latest.author, latest.questions, latest.asked) == ("Tuesday", "Ben", 2, 5)
    assert (first.name, first.questions, first.asked) == ("Monday", 2, 5)


def test_the_same_log_is_not_counted_twice(store: Store) -> None:
    keep_logged(store, ASHA, "Monday", ASKED)
    with pytest.raises(CuratorError, match="were loaded before, as 'Monday'"):
        keep_logged(store, BEN, "again", ASKED)


def test_a_log_can_be_forgotten_and_nothing_of_it_is_in_the_registrys_files(store: Store) -> None:
    batch = keep_logged(store, ASHA, "Monday", ASKED)
    files = [path for path in store.folder.rglob("*") if path.is_file() and ".curator" not in path.parts]
    assert not any(b"parcel" in path.read_bytes() for path in files)
    forget_logged(store, BEN, batch.id)
    forget_logged(store, BEN, batch.id)
    assert (logged_batches_of(store), logged_questions_of(store)) == ((), ())


def test_a_viewer_neither_loads_nor_removes(store: Store) -> None:
    with pytest.raises(Forbidden):
        keep_logged(store, VIEWER, "Monday", ASKED)
    with pytest.raises(Forbidden):
        forget_logged(store, VIEWER, "x")
