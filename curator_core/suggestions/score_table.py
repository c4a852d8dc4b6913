"""All scores of all test questions in one table, so that hundreds of other texts for a tool are tried in a moment.

A sieve: when one tool's text changes, its own scores are worked out exactly, while those of the others are left as they are, though rare
words weigh a little less afterwards. What is offered is asked again, question by question (curator_core.suggestions.tool_advice).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from curator_core.curator import Curator
from curator_core.evaluation import encode_ahead
from curator_core.index import ToolIndex, segment_kinds
from curator_core.passes import PassRecord
from curator_core.records import Floats, Ints
from curator_core.registry import TestQuery
from curator_core.row_ranks import ranked, ranked_above
from curator_core.score_fusion import score_weights
from curator_core.splitting import is_soft
from curator_core.stems import question_forms
from curator_core.suggestions.phrase_trial import Progress
from curator_core.synonyms import FURTHER

_FIRST = 1.0  # more than any sum of 1 / (constant + rank): a tool that the name rule forces stands before all others
_BLOCK = 50  # questions after which progress is told


class ScoreTable:
    """The scores of questions for all tools, and what they become when one tool has another text.

    cases: judged questions that expect some tool. lead: by how much the best expected tool of each question stands before all that are
    not expected; 0 or less where another one is first. usual: how far apart they are as a rule, the median.
    """

    def __init__(self, curator: Curator, cases: Sequence[TestQuery], progress: Progress | None = None) -> None:
        self.curator, self.cases = curator, tuple(cases)
        self._settings, self._base = curator.settings, curator.index
        self._texts: list[str] = [case.query for case in self.cases]
        self._owners: list[int] = list(range(len(self.cases)))
        size = len(self.cases), len(self._base.keys)
        self._whole, self._forced = np.full(size, -np.inf), np.zeros(size, dtype=bool)
        ranked_by = () if self._settings.add_scores else ("dense", "sparse")  # added scores need no ranks
        self._lists = {name: np.full(size, -np.inf) for name in ranked_by}
        self._parts: Floats = np.zeros((0, size[1]))
        self._read(progress)
        self._forms = [self._forms_of(text) for text in self._texts]
        self._rows_of: dict[str, list[int]] = {}
        for row, forms in enumerate(self._forms):
            for form in forms:
                self._rows_of.setdefault(form, []).append(row)
        self._expected = np.zeros(size, dtype=bool)
        for row, case in enumerate(self.cases):
            self._expected[row, [self._base.positions[key] for key in case.expected or ()]] = True
        self._settle()
        self.usual = float(max(np.median(np.abs(self.lead)), 1e-9)) if self.cases else 1.0

    def expecting(self, key: str) -> Ints:
        """Return which questions expect a tool."""
        return np.flatnonzero(self._expected[:, self._base.positions[key]])

    def column(self, index: ToolIndex, key: str) -> Floats:
        """Return a tool's scores in an index where its text is another: for each question, then for each part of one."""
        place = self._base.positions[key]
        new = self._pieces(index, key)
        if not self._settings.add_scores:
            return self._ranked_column(place, new)
        old, weights = self._pieces(self._base, key), score_weights(self._settings, self._base.meaning_scale)
        change = sum(weights[name] * (new[name] - old[name]) for name in new)
        before: Floats = np.concatenate([self._whole[:, place], self._parts[:, place]])
        return before + change

    def leads_with(self, key: str, column: Floats) -> Floats:
        """Return the leads with other scores of one tool."""
        place, count = self._base.positions[key], len(self.cases)
        scores = column[:count] + self._lifts(column[count:, None], np.maximum(self._best, column[count:]))[:, 0]
        own = self._expected[:, place]
        gained, kept = np.maximum(self._right_without(place), scores) - self._other, np.minimum(self.lead, self._right - scores)
        leads: Floats = np.where(own, gained, kept)
        return leads

    def take(self, key: str, index: ToolIndex, column: Floats) -> None:
        """Go on from these scores of a tool, as after an edit that was accepted."""
        place, count = self._base.positions[key], len(self.cases)
        self._whole[:, place], self._parts[:, place] = column[:count], column[count:]
        if not self._settings.add_scores:
            for name, values in self._pieces(index, key).items():
                inside = np.isfinite(self._lists[name][:, place])
                self._lists[name][inside, place] = values[:count][inside]
            self._rank_all()
        self._settle()

    def _read(self, progress: Progress | None) -> None:
        """Ask every question, and keep what its passes say of all tools."""
        encode_ahead(self.curator, self.cases)
        parts: list[Floats] = []
        for row, case in enumerate(self.cases):
            trace = self.curator.curate(case.query, role=case.role)
            if trace.passes:
                at = trace.searched.positions
                self._keep_whole(row, trace.passes[0], at)
                for one in trace.passes[1:] if is_soft(self._settings) else ():
                    parts.append(np.full(len(self._base.keys), -np.inf))
                    parts[-1][at] = one.combined.scores.scores
                    self._texts.append(one.query)
                    self._owners.append(row)
            if progress and not row % _BLOCK:
                progress(row, len(self.cases))
        self._parts = np.array(parts) if parts else self._parts
        if not self._settings.add_scores:
            self._rank_all()

    def _keep_whole(self, row: int, one: PassRecord, at: Ints) -> None:
        if self._settings.add_scores:
            found = one.combined.scores
            self._whole[row, at] = found.scores - found.parts.get("split", np.zeros(len(at)))
            return
        self._forced[row, at] = one.combined.forced
        for name, record in (("dense", one.dense), ("sparse", one.sparse)):
            if record is not None:
                self._lists[name][row, at] = record.ranking.values

    def _rank_all(self) -> None:
        """Work the combined rank out for the whole table."""
        rrf_k, (dense, sparse) = self._settings.rrf_k, self._lists.values()
        total = _FIRST * self._forced
        if np.isfinite(dense).any():
            total = total + 1 / (rrf_k + ranked(np.where(np.isfinite(dense), dense, -2.0), 10.0**-self._settings.similarity_decimals))
        words = ranked_above(np.where(np.isfinite(sparse), sparse, 0.0), self._settings.sparse_floor)
        self._whole = np.where(self._inside, total + np.where(words > 0, 1 / (rrf_k + np.maximum(words, 1)), 0.0), -np.inf)

    @property
    def _inside(self) -> Floats:
        """Which tools the question's role may see."""
        inside: Floats = np.isfinite(self._lists["dense"]) | np.isfinite(self._lists["sparse"])
        return inside

    def _ranked_column(self, place: int, new: dict[str, Floats]) -> Floats:
        """Return a tool's combined rank with other values in the lists."""
        total = _FIRST * self._forced[:, place]
        for name, values in new.items():
            table, own = self._lists[name], values[: len(self.cases), None]
            if not np.isfinite(table).any():
                continue
            before = (table[:, :place] >= own).sum(axis=1) + (table[:, place + 1 :] > own).sum(axis=1)
            counts = own[:, 0] > self._settings.sparse_floor if name == "sparse" else np.ones(len(own), dtype=bool)
            total = total + np.where(counts, 1 / (self._settings.rrf_k + 1 + before), 0.0)
        return np.where(self._inside[:, place], total, -np.inf)

    def _settle(self) -> None:
        """Work out who leads each question, and by how much."""
        self._best: Floats = self._parts.max(axis=1, initial=-np.inf)
        self._scores: Floats = self._whole + self._lifts(self._parts, self._best)
        self._right: Floats = np.where(self._expected, self._scores, -np.inf).max(axis=1, initial=-np.inf)
        self._other: Floats = np.where(self._expected, -np.inf, self._scores).max(axis=1, initial=-1.0)
        self.lead: Floats = np.maximum(self._right, -1.0) - np.maximum(self._other, -1.0)

    def _right_without(self, place: int) -> Floats:
        others = self._expected.copy()
        others[:, place] = False
        best: Floats = np.where(others, self._scores, -1.0).max(axis=1, initial=-1.0)
        return best

    def _lifts(self, parts: Floats, best: Floats) -> Floats:
        """Return what the parts of questions add to the scores of some tools. best: the highest score for each part."""
        lifts = np.zeros((len(self.cases), parts.shape[1]))
        if len(parts):
            reach = np.maximum(parts - best[:, None] + self._settings.part_reach, 0.0)
            np.maximum.at(lifts, self._owners[len(self.cases) :], reach)
        lifted: Floats = self._settings.part_weight * lifts
        return lifted

    def _pieces(self, index: ToolIndex, key: str) -> dict[str, Floats]:
        """Return how alike a tool and each text are in meaning, and what the words that they share are worth."""
        place, settings = index.positions[key], self._settings
        meaning, words = np.zeros(len(self._texts)), np.zeros(len(self._texts))
        vectors = index.dense(settings) if settings.dense else None
        if self._texts and vectors is not None and index.store is not None:
            row = vectors.row(place).astype(np.float64)
            meaning = np.round(self._query_rows @ row, settings.similarity_decimals)
        if settings.sparse:
            for form, worth in self._worths(index, place):
                for text in self._rows_of[form]:
                    words[text] += worth * self._forms[text][form]
        return {"dense": meaning, "sparse": words}

    def _worths(self, index: ToolIndex, place: int) -> Iterator[tuple[str, float]]:
        """Yield the words of a tool's text that some question has, and what a mention is worth."""
        kinds = (*segment_kinds(self._settings), *(FURTHER if self._settings.fields else ()))
        scores = index.sparse(self._settings)
        tokens = index.texts[place].tokens(kinds, self._settings.token_min_length, self._settings.stems)
        for form in dict.fromkeys(token for token in tokens if token in self._rows_of):
            tools, values = scores.postings(form)
            at = int(np.searchsorted(tools, place))
            if at < len(tools) and tools[at] == place:
                yield form, float(values[at])

    @cached_property
    def _query_rows(self) -> Floats:
        """The vectors of all questions and parts."""
        store = self._base.store
        assert store is not None
        rows: Floats = np.stack([store.queries.of(text) for text in self._texts]).astype(np.float64)
        return rows

    def _forms_of(self, text: str) -> Counter[str]:
        """Return the words that are looked up for a text, and how often each counts."""
        forms = Counter(form for _, form in question_forms(text, self._settings.token_min_length, self._settings.stems))
        return Counter(dict.fromkeys(forms, 1)) if self._settings.fields else forms
