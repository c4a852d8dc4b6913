"""Reciprocal Rank Fusion: one score from the ranks of several lists (SEED.md, Fusion; Cormack et al. 2009); and the order of any score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from curator_core.first_look import at_first_look
from curator_core.ranking import Ranking, falling
from curator_core.records import Bools, Floats, FusionRecord, Ints, frozen
from curator_core.score_fusion import ScoreFusion
from curator_core.settings import Settings

_EVERYTHING_UP_TO = 4_000  # of more tools, ranks that are known are looked up for those that can come first
_ALL_UP_TO = 300  # of so many tools the whole order costs no more than the places of a few


def fuse(ranks: Mapping[str, Ints], size: int, settings: Settings) -> FusionRecord:
    """Add 1 / (rrf_k + rank) for each list that ranks a tool; ranks start at 1, and 0 (not ranked) adds nothing.

    ranks: for each list's name, the rank of each of `size` tools, (size,), or of several questions at once, (m, size).
    """
    parts = {name: _parts(some, settings) for name, some in ranks.items()}
    return FusionRecord(parts, sum(parts.values(), np.zeros(size)))


def _parts(ranks: Ints, settings: Settings) -> Floats:
    return np.divide(1.0, ranks + settings.rrf_k, out=np.zeros(ranks.shape), where=ranks > 0)


@lru_cache(maxsize=4)
def _shares(rrf_k: int, size: int) -> Floats:
    """Return what each rank adds to a score: from the first to the last of so many."""
    return _shares_by_rank(rrf_k, size)[1:]


@lru_cache(maxsize=4)
def _shares_by_rank(rrf_k: int, size: int) -> Floats:
    """Return the same for ranks from 0, which is not ranked and adds nothing."""
    return frozen(np.append(0.0, 1.0 / (rrf_k + np.arange(1, size + 1))))


class RankFusion:
    """Reciprocal Rank Fusion over the lists' rankings of a pool. floor: a score must be above it to be listed."""

    floor = 0.0

    def __init__(self, lists: Mapping[str, Ranking], size: int, settings: Settings) -> None:
        self.lists, self._size, self._settings = lists, size, settings

    @property
    def lists_all(self) -> bool:
        """Whether every position has a score above the floor: some list ranks them all."""
        return any(ranking.ranks_all for ranking in self.lists.values())

    @at_first_look
    def _at_hand(self) -> Floats | None:
        """The combined score of every position, where that costs no more than some of them: every rank is there anyway."""
        return self._added_up() if self._size <= _EVERYTHING_UP_TO and self._all_known else None

    @property
    def _all_known(self) -> bool:
        return all(ranking.all_known for ranking in self.lists.values())

    def of(self, positions: Ints) -> FusionRecord:
        """Return the combined scores of some positions."""
        return fuse({name: ranking.of(positions) for name, ranking in self.lists.items()}, len(positions), self._settings)

    def everything(self) -> FusionRecord:
        """Return the combined score of every position."""
        return fuse({name: ranking.ranks for name, ranking in self.lists.items()}, self._size, self._settings)

    def scores(self) -> Floats:
        """Return the combined score of every position, without its parts."""
        known = self.__dict__.get("_at_hand")
        return self._added_up() if known is None else known

    def _added_up(self) -> Floats:
        shares = _shares(self._settings.rrf_k, self._size)
        return sum((ranking.shared_out(shares) for ranking in self.lists.values()), np.zeros(self._size))

    def bounds(self, positions: Ints) -> tuple[Floats, Floats]:
        """Return how much and how little each position can score, as far as the rankings know without being exact."""
        if (known := self._at_hand) is not None:
            return known[positions], known[positions]
        shares, most, least = _shares_by_rank(self._settings.rrf_k, self._size), np.zeros(len(positions)), np.zeros(len(positions))
        for ranking in self.lists.values():
            best, worst = ranking.between(positions)
            part = shares[best]
            most += part
            least += part if worst is best else shares[worst]
        return most, least

    def leaders(self, count: int, forced: Bools | None) -> tuple[Ints, Floats] | None:
        """Return positions among which are the first `count`, and numbers that stand in the order of their scores, equal where those are.

        None where ranking all costs no more. forced: None where nobody is. A tool that is past place L * (rrf_k + count) - rrf_k in all L
        lists scores less than 1 / (rrf_k + count): less than each of the first `count` of one list, so it is not among the first `count`
        of all. The others are narrowed down by what their rankings know without being exact.
        """
        if (known := self._at_hand) is not None:
            if 2 * count >= self._size:
                return None
            places = best_of(known, count, forced)
            return places, known[places]
        reach = len(self.lists) * (self._settings.rrf_k + count) - self._settings.rrf_k
        if 2 * reach >= self._size:
            return None
        possible = np.zeros(self._size, bool) if forced is None else forced.copy()
        for ranking in self.lists.values():
            possible[ranking.leaders(reach)] = True
        places = possible.nonzero()[0]
        most, least = self.bounds(places)
        if len(places) > count:
            enough = most >= np.partition(least, -count)[-count]
            kept = (enough if forced is None else enough | forced[places]).nonzero()[0]
            places, most, least = places[kept], most[kept], least[kept]
        return places, self._in_order(places, most, least)

    def _in_order(self, places: Ints, most: Floats, least: Floats) -> Floats:
        """Return numbers in the order of the scores, exact where bounds overlap.

        Most ranks need not be exact for that: a few places up or down far behind in one list move no tool past another.
        """
        order = (-most).argsort()
        apart = np.minimum.accumulate(least[order])[:-1] > most[order[1:]]  # all so far score more than all that follow
        if not apart.all() and len(doubtful := order[~(np.append(True, apart) & np.append(apart, True))]):
            most[doubtful] = self.of(places[doubtful]).scores
        return most


def best_of(scores: Floats, count: int, forced: Bools | None) -> Ints:
    """Return the positions of the `count` highest scores, of those equal to the last of them, and of the forced ones."""
    best = scores >= np.partition(scores, -count)[-count]
    places: Ints = (best if forced is None else best | forced).nonzero()[0]
    return places


class CombinedRank:
    """The order of a pool: forced tools first, then by combined score, then by position. Tools with neither are not in it.

    fusion: how the lists' rankings come to one score; forced: which tools the name rule puts first. An answer takes the first few: only
    tools that can be among them are ranked in every list, the whole order is made when somebody asks for a tool that is not.
    """

    def __init__(self, fusion: RankFusion | ScoreFusion, forced: Bools) -> None:
        self.fusion, self.forced = fusion, forced
        self._known: Ints = np.zeros(0, dtype=np.int64)  # the first of the order, as far as they were asked for

    @at_first_look
    def scores(self) -> FusionRecord:
        """The combined score of every position."""
        return self.fusion.everything()

    @at_first_look
    def order(self) -> Ints:
        """Every position that is ranked, from first to last."""
        scores = self.fusion.scores()
        order = falling(scores)
        if self._any_forced:
            order = np.concatenate([order[self.forced[order]], order[~self.forced[order]]])
        if not self.fusion.lists_all:
            order = order[: int(np.count_nonzero((scores > self.fusion.floor) | self.forced))]
        return frozen(order)

    @at_first_look
    def _any_forced(self) -> bool:
        return bool(self.forced.any())

    @at_first_look
    def ranks(self) -> Ints:
        """The place of every position in the order, 0 = not in it."""
        ranks = np.zeros(len(self.forced), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        return frozen(ranks)

    def first(self, count: int) -> Ints:
        """Return the first positions, from first to last."""
        if count > len(self._known):
            self._known = self._first(count)
        return self._known[:count]

    def scores_of(self, positions: Ints) -> FusionRecord:
        """Return the combined scores of some positions."""
        return self.fusion.of(positions)

    def ranks_of(self, positions: Ints) -> Ints:
        """Return the places of some positions in the order, 0 = not in it."""
        known = {position: rank for rank, position in enumerate(self._known.tolist(), 1)}
        if "ranks" in self.__dict__ or (len(self.forced) <= _ALL_UP_TO and not known.keys() >= set(positions.tolist())):
            return self.ranks[positions]
        scores = self.scores_of(positions).scores.tolist()
        places = (known.get(position) or self._place(position, score) for position, score in zip(positions.tolist(), scores, strict=True))
        return np.fromiter(places, dtype=np.int64, count=len(positions))

    def _place(self, position: int, score: float) -> int:
        """Count what stands before one position: most of it is known without being exact."""
        forced = bool(self.forced[position])
        if not forced and score <= self.fusion.floor:
            return 0
        most, least = self._score_bounds
        like = self.forced if forced else ~self.forced
        doubtful = np.flatnonzero(like & (most >= score) & (least <= score))
        scores = self.scores_of(doubtful).scores
        before = int(np.count_nonzero(like & (least > score)))
        before += int(np.count_nonzero(scores > score) + np.count_nonzero(scores[doubtful < position] == score))
        return before + 1 + (0 if forced else int(np.count_nonzero(self.forced)))

    @at_first_look
    def _score_bounds(self) -> tuple[Floats, Floats]:
        """How much and how little each position can score, as far as the rankings know without being exact."""
        return self.fusion.bounds(np.arange(len(self.forced)))

    def _first(self, count: int) -> Ints:
        """Rank what can be among the first `count`, and nothing else."""
        everything = "order" in self.__dict__ or 2 * count >= len(self.forced)  # of so few tools it is known, or costs no more
        leaders = None if everything else self.fusion.leaders(count, self.forced if self._any_forced else None)
        if leaders is None:
            return self.order[:count]
        places, scores = leaders
        if not self._any_forced and self.fusion.lists_all:
            return frozen(places[(-scores).argsort(kind="stable")[:count]])
        forced = self.forced[places]
        listed = (scores > self.fusion.floor) | forced
        places, scores, forced = places[listed], scores[listed], forced[listed]
        return frozen(places[np.lexsort((-scores, ~forced))][:count])
