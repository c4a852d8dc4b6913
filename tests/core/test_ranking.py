from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Settings
from curator_core.fusion import CombinedRank, RankFusion, fuse
from curator_core.ranking import Floats, Ints, Ranking, falling
from curator_core.score_fusion import ScoreFusion
from tests.laws import examples

SIZE = 60
values = st.lists(st.one_of(st.integers(0, 8), st.integers(0, 10_000)), min_size=SIZE, max_size=SIZE).map(
    lambda some: np.array(some) / 8_000
)
offs = st.lists(st.integers(-4, 4), min_size=SIZE, max_size=SIZE).map(lambda some: np.array(some) / 4)
positions = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=SIZE, unique=True).map(np.array)


def vague(exact: Floats, off: Floats, slack: float) -> Ranking:
    """Make a ranking that knows its values only to `slack` until it asks for them; a millionth more for the rounding of float32."""
    return Ranking((exact + off * slack).astype(np.float32), slack + 1e-6, lambda some: exact[some])


def plain_ranks(exact: Floats, above: float | None = None) -> Ints:
    order = sorted((i for i in range(len(exact)) if above is None or exact[i] > above), key=lambda i: (-exact[i], i))
    ranks = np.zeros(len(exact), dtype=np.int64)
    ranks[order] = range(1, len(order) + 1)
    return ranks


@given(values, offs, st.sampled_from([1e-5, 1e-3, 0.3, 50.0]), positions, st.integers(1, SIZE))
@examples(30)
def test_what_is_asked_about_has_the_rank_that_sorting_everything_gives(
    exact: Floats, off: Floats, slack: float, some: Ints, count: int
) -> None:
    wanted = plain_ranks(exact)
    assert vague(exact, off, slack).of(some).tolist() == wanted[some].tolist()
    assert vague(exact, off, slack).ranks.tolist() == wanted.tolist()
    assert set(np.flatnonzero(wanted <= count)) <= set(vague(exact, off, slack).leaders(count))
    best, worst = vague(exact, off, slack).between(some)
    assert (best <= wanted[some]).all() and (wanted[some] <= worst).all()
    assert vague(exact, off, slack).best == exact.max()


@given(values, st.sampled_from([1.0, 1e-12, -3.0, 0.0]))
@examples(25)
def test_many_values_fall_as_few_do(exact: Floats, scale: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_core.ranking._SORTED_AT_ONCE", 0)
        assert falling(exact * scale).tolist() == sorted(range(SIZE), key=lambda i: (-exact[i] * scale, i))


@given(values, positions, st.integers(1, SIZE), st.booleans())
@examples(30)
def test_many_exact_values_are_ranked_as_few_are(exact: Floats, some: Ints, count: int, all_at_once: bool) -> None:
    exact = exact - 1e-3
    wanted = plain_ranks(exact, above=0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_core.ranking._AT_ONCE", SIZE if all_at_once else 0)
        ranking: Callable[[], Ranking] = lambda: Ranking(exact, above=0.0)
        assert ranking().of(some).tolist() == wanted[some].tolist()
        leaders = set(ranking().leaders(count).tolist())
        assert set(np.flatnonzero((wanted > 0) & (wanted <= count))) == leaders
        best, worst = ranking().between(some)
        assert (best <= wanted[some]).all() and (wanted[some] <= worst).all()
        assert ranking().ranks.tolist() == wanted.tolist()


@pytest.mark.parametrize("size", [0, 1, 200, 3_000, 20_000])
@pytest.mark.parametrize("different", [1, 40, 1_000_000])
def test_values_of_any_number_are_put_in_order_and_equal_ones_stand_in_order_of_position(size: int, different: int) -> None:
    draw = np.random.default_rng(size)
    far_below = 1 + draw.integers(0, different, size) * 1e-12  # nearly equal, where the highest makes the distance large
    far_below[:1] = 1e6
    for some in (draw.integers(0, different, size) / different, draw.standard_normal(size).round(4), draw.random(size) * 1e-9, far_below):
        assert falling(some).tolist() == np.argsort(-some, kind="stable").tolist()


def test_only_positions_that_can_matter_are_looked_at_exactly() -> None:
    draw, seen = np.random.default_rng(0), set()
    exact = draw.standard_normal(5_000)

    def look(some: Ints) -> Floats:
        seen.update(some.tolist())
        return exact[some]

    ranking = Ranking(exact.astype(np.float32), 1e-5, look)
    order = np.argsort(-exact)
    assert ranking.of(order[:20]).tolist() == list(range(1, 21))
    assert len(seen) < 40


@given(values, values, offs, st.sets(st.integers(0, SIZE - 1), max_size=5), st.integers(1, 20), st.integers(0, 3), st.integers(1, 3))
@examples(30)
def test_the_first_tools_are_the_first_of_the_whole_order(
    dense: Floats, sparse: Floats, off: Floats, named: set[int], count: int, rrf_k: int, which: int
) -> None:
    lists = {"dense": vague(dense, off, 2e-3), "sparse": Ranking(sparse - 2e-3, above=0.0)}
    lists = {name: lists[name] for number, name in enumerate(lists, 1) if which & number}
    forced, numbers = np.zeros(SIZE, dtype=bool), Settings(rrf_k=rrf_k)
    forced[list(named)] = True
    ranks = {"dense": plain_ranks(dense), "sparse": plain_ranks(sparse - 2e-3, above=0.0)}
    scores = fuse({name: ranks[name] for name in lists}, SIZE, numbers).scores
    order = [i for i in sorted(range(SIZE), key=lambda i: (not forced[i], -scores[i], i)) if forced[i] or scores[i] > 0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_core.fusion._ALL_UP_TO", 0)
        some = np.arange(SIZE)
        places = {position: place for place, position in enumerate(order, 1)}
        assert CombinedRank(RankFusion(lists, SIZE, numbers), forced).ranks_of(some).tolist() == [places.get(i, 0) for i in range(SIZE)]
    combined = CombinedRank(RankFusion(lists, SIZE, numbers), forced)
    assert combined.first(count).tolist() == order[:count]
    assert combined.ranks_of(combined.first(count)).tolist() == list(range(1, len(order[:count]) + 1))
    assert CombinedRank(RankFusion(lists, SIZE, numbers), forced).order.tolist() == order
    assert combined.scores_of(np.arange(SIZE)).scores.tolist() == scores.tolist()


@given(
    values, values, offs, st.sets(st.integers(0, SIZE - 1), max_size=5), st.integers(1, 20), st.sampled_from([0.02, 1.0]), st.integers(1, 3)
)
@examples(30)
def test_the_first_by_added_scores_are_the_first_of_the_whole_order(
    dense: Floats, sparse: Floats, off: Floats, named: set[int], count: int, weight: float, which: int
) -> None:
    dense, sparse = dense - 0.4, sparse - 2e-3  # some are below 0
    lists = {"dense": vague(dense, off, 2e-3), "sparse": Ranking(sparse, above=0.0)}
    lists = {name: lists[name] for number, name in enumerate(lists, 1) if which & number}
    forced, floor = np.zeros(SIZE, dtype=bool), -np.inf if which & 1 else 0.0
    forced[list(named)] = True
    parts = {"dense": dense, "sparse": weight * np.maximum(sparse, 0.0)}
    scores = sum((parts[name] for name in lists), np.zeros(SIZE))
    order = [i for i in sorted(range(SIZE), key=lambda i: (not forced[i], -scores[i], i)) if forced[i] or scores[i] > floor]
    places = {position: place for place, position in enumerate(order, 1)}
    make = lambda: CombinedRank(ScoreFusion(lists, {"dense": 1.0, "sparse": weight}, SIZE, floor), forced)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_core.fusion._ALL_UP_TO", 0)
        assert make().ranks_of(np.arange(SIZE)).tolist() == [places.get(i, 0) for i in range(SIZE)]
    combined = make()
    assert combined.first(count).tolist() == order[:count]
    assert combined.ranks_of(combined.first(count)).tolist() == list(range(1, len(order[:count]) + 1))
    assert make().order.tolist() == order
    assert combined.scores_of(np.arange(SIZE)).scores.tolist() == scores.tolist()
