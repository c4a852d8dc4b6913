"""The curator: runs the stages in order on one question and leaves a trace. This is what agents call and what the screen explains."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from curator_core.anchor import anchor
from curator_core.cache import default_cache_dir
from curator_core.confidence import judge_confidence
from curator_core.dense import rank_dense, rank_dense_together
from curator_core.encoder import encoded_text_of, load_encoder, tokens_past_limit
from curator_core.errors import InvalidQuery, UnknownName
from curator_core.files.config import load_config
from curator_core.files.folder import load_registry
from curator_core.fusion import CombinedRank, RankFusion
from curator_core.index import Progress, ToolIndex, build_index
from curator_core.name_share import name_share
from curator_core.no_tool import NoToolLine, answerable, no_tool_line
from curator_core.passes import PassRecord, Stages
from curator_core.pools import Pool, pool_of
from curator_core.records import AnchorRecord, ConfidenceRecord, DenseRecord, Ints, SparseRecord, SplitRecord
from curator_core.score_fusion import ScoreFusion, lifted_by_parts, score_weights
from curator_core.settings import Settings
from curator_core.sparse import rank_sparse
from curator_core.splitting import is_soft, pick_split, pick_whole, split_query
from curator_core.stems import question_forms
from curator_core.synonyms import FiredSynonym
from curator_core.text import has_word_character, plural
from curator_core.tool import TestQuery
from curator_core.trace import Trace

if TYPE_CHECKING:
    from curator_core.declarations import DeclarationFormat, Declarations

_BLOCK = 64  # texts that are read before progress is told
_PARTS_KEPT = 32  # parts of a question whose whole rankings stay in the trace


class Curator:
    """Picks the tools of a registry that fit a question.

    settings: used where a query brings none of its own. questions: the test queries that the line of `no_tool` is drawn through, None =
    those of the index's registry.
    """

    def __init__(self, index: ToolIndex, settings: Settings | None = None, questions: tuple[TestQuery, ...] | None = None) -> None:
        self.index, self.settings = index, settings or Settings()
        self.questions = index.registry.test_queries if questions is None else questions
        self._line: tuple[Settings, tuple[TestQuery, ...], NoToolLine] | None = None

    @classmethod
    def from_folder(cls, folder: str | Path, cache_dir: str | Path | None = None, *, progress: Progress | None = None) -> Self:
        """Load a registry folder with the profile, model and settings of its curator.toml.

        What is usable of the registry is loaded; `index.registry.problems` lists the rest. cache_dir: None = the platform's cache folder.
        progress: called with (texts read, texts to read) where the model has to read some.
        """
        config = load_config(folder)
        encoder = load_encoder(config.model, config.query_prefix)
        registry = load_registry(folder, strict=False)
        return cls(build_index(registry, encoder, cache_dir or default_cache_dir(), progress=progress), config.settings)

    def curate(
        self,
        query: str,
        top_k: int | None = None,
        role: str | None = None,
        pool: Iterable[str] | None = None,
        settings: Settings | None = None,
    ) -> Trace:
        """Pick the tools for a question.

        top_k: tools asked for, default from the settings; clamped to 1 and the pool's size, with a note. role, pool: search only what a
        role may see, and only these keys. Raises InvalidQuery, or UnknownName for a role or key that does not exist.
        """
        settings = settings or self.settings
        if not isinstance(query, str):
            raise InvalidQuery(f"the query is {type(query).__name__}, not text; pass a str")
        searched = self._pool(role, pool)
        clamped, notes = _clamp(settings.top_k if top_k is None else top_k, len(searched.keys))
        index, model = self.index, self.index.encoder.model_id if self.index.encoder else None
        asked = (query, role, settings, model, index.fingerprint, searched, index.positions, clamped)
        if reason := self._reason_for_nothing(query, role, searched):
            return Trace(
                *asked, confidence=ConfidenceRecord(None, False, clamped, settings.low_confidence_similarity), reason=reason, notes=notes
            )
        return Trace(*asked, **self._answer(query, clamped, searched, settings, notes))

    def no_tool_line(self, settings: Settings | None = None) -> NoToolLine:
        """Return below which best meaning match probably no tool applies; the first call asks the test queries."""
        asked, known = settings or self.settings, self._line
        if known is None or known[0] is not asked or known[1] is not self.questions:  # every question asks, mostly with these very ones
            self._line = known = asked, self.questions, no_tool_line(self.index, asked, self.questions)
        return known[2]

    def prepare(self, progress: Progress | None = None) -> None:
        """Read all that a first question would wait for: the texts that the settings look at, and the test queries.

        progress: called with (texts read, texts to read).
        """
        store, settings = self.index.store, self.settings
        if store is None or not settings.dense:
            return
        texts, questions = self.index.further_texts(settings), [case.query for case in answerable(self.index, self.questions)]
        total = len(texts) + len(questions)
        for start in range(0, len(texts), _BLOCK):
            store.rows(texts[start : start + _BLOCK])
            if progress:
                progress(min(start + _BLOCK, len(texts)), total)
        for start in range(0, len(questions), _BLOCK):
            store.queries.ahead(questions[start : start + _BLOCK])
            if progress:
                progress(len(texts) + min(start + _BLOCK, len(questions)), total)
        self.index.dense(settings)
        _ = self.index.meaning_scale  # reads a few texts with a model other than the bundled one
        self.no_tool_line()

    def declarations(self, trace: Trace, format: DeclarationFormat = "openai") -> Declarations:
        """Return the tools of an answer as an agent's API takes them, one declaration each, in the answer's order.

        The list's `no_tool` says whether probably none of them applies, and its `note` why.

        Names are as `legal_names` makes them: 64 characters at most, and equal names told apart. For Gemini they go into one tool's
        function_declarations. Raises CuratorError for a format that does not exist.
        """
        from curator_core.declarations import Declarations, declarations_of  # what a question does not need is not waited for

        return Declarations(declarations_of(self.index.registry, trace.tools, format), trace.no_tool, trace.no_tool_reason)

    def _answer(self, query: str, top_k: int, searched: Pool, settings: Settings, notes: tuple[str, ...]) -> dict[str, Any]:
        """Run the stages on a question that can be searched for: what the trace says of them."""
        positions = searched.positions
        split, soft = split_query(query, top_k, settings) if settings.split else SplitRecord(), is_soft(settings)
        meanings = self._meanings((query, *(part.query for part in split.parts[:_PARTS_KEPT])), positions, settings)
        parts = [
            PassRecord("part", part.query, part.budget, partial(self._run, part.query, positions, settings, meanings), number > _PARTS_KEPT)
            for number, part in enumerate(split.parts, 1)
        ]
        stages = self._run(query, positions, settings, meanings, parts if soft else ())
        for part in parts:
            part.settle()
        line = self.no_tool_line(settings).value if settings.own_line and settings.low_confidence else None
        best = [stages.dense.best if stages.dense else None, *(part.best for part in parts)]
        confidence = judge_confidence(best, top_k, len(positions), settings, line)
        few = confidence.effective_k
        whole = PassRecord("whole", query, few, lambda: stages)
        if parts and not soft:
            picks = pick_split(whole, parts, top_k, few, settings)
            places, picked = tuple(pick.position for pick in picks), lambda: picks
        else:
            places = tuple(whole.first().tolist())
            picked = partial(pick_whole, places)
        return {
            "confidence": confidence,
            "split": split,
            "passes": (whole, *parts),
            "places": places,
            "picked": picked,
            "line_of": partial(self.no_tool_line, settings),
            "fired": partial(self._synonyms, query, searched, settings),
            "reason": "" if places else "no tool shares a word with the question, and meaning match is off",
            "notes": (*notes, *self._remarks(query, confidence, settings), *(_split_remark(searched, whole, places) if parts else ())),
        }

    def _meanings(self, texts: Sequence[str], pool: Ints, settings: Settings) -> Mapping[str, DenseRecord]:
        """Rank the pool by the meaning of several texts at once; nothing of a single one, or where meaning match is off."""
        store, vectors = self.index.store, self.index.dense(settings) if settings.dense and len(texts) > 1 else None
        if store is None or vectors is None:
            return {}
        asked = [(encoded_text_of(store.encoder, text), store.queries.of(text)) for text in texts]
        return dict(zip(texts, rank_dense_together(vectors, asked, pool, settings), strict=True))

    def _run(
        self, query: str, pool: Ints, settings: Settings, meanings: Mapping[str, DenseRecord], parts: Sequence[PassRecord] = ()
    ) -> Stages:
        """Rank the pool for one text: meaning, words, name rule, fusion.

        meanings: those that are known. parts: what adds to the score, where the split is soft.
        """
        store, vectors = self.index.store, self.index.dense(settings) if settings.dense else None
        sparse = named = None
        dense = meanings.get(query)
        if dense is None and store is not None and vectors is not None:
            dense = rank_dense(vectors, store.queries.of(query), encoded_text_of(store.encoder, query), pool, settings)
        forms = question_forms(query, settings.token_min_length, settings.stems)
        if settings.sparse:
            tokens = [form for _, form in forms]
            shown = {form: word for word, form in reversed(forms)} if settings.stems else None
            sparse = rank_sparse(
                self.index.sparse(settings), [*dict.fromkeys(tokens)] if settings.fields else tokens, pool, settings, shown
            )
        if settings.anchor:
            named = self._named(query, forms, pool, settings)
        return Stages(dense, sparse, named, self._combined(dense, sparse, named, parts, len(pool), settings))

    def _named(self, query: str, forms: Sequence[tuple[str, str]], pool: Ints, settings: Settings) -> AnchorRecord:
        if settings.soft_anchor:
            return name_share(self.index.name_words(settings), (form for _, form in forms), pool, settings)
        return anchor(self.index.anchor_names(settings), query, pool, settings)

    def _combined(
        self,
        dense: DenseRecord | None,
        sparse: SparseRecord | None,
        named: AnchorRecord | None,
        parts: Sequence[PassRecord],
        size: int,
        settings: Settings,
    ) -> CombinedRank:
        """Bring the lists together: by their ranks, or by what they measure."""
        found = {"dense": dense, "sparse": sparse, "anchor": named}
        lists = {name: one.ranking for name, one in found.items() if one is not None and one.ranking is not None}
        forced = np.zeros(size, bool) if named is None else named.forced
        if not settings.add_scores:
            return CombinedRank(RankFusion(lists, size, settings), forced)
        if scored := [part.combined.fusion for part in parts if isinstance(part.combined.fusion, ScoreFusion)]:
            lists["split"] = lifted_by_parts(scored, settings.part_reach)
        weights = score_weights(settings, self.index.meaning_scale)
        return CombinedRank(ScoreFusion(lists, weights, size, 0.0 if dense is None else -np.inf), forced)

    def _pool(self, role: str | None, pool: Iterable[str] | None) -> Pool:
        """Return the tools to search: what the role may see, and of that what the pool names."""
        allowed = self.index.pool(role)
        if pool is None:
            return allowed
        known, wanted = self.index.positions, {pool} if isinstance(pool, str) else set(pool)
        if unknown := sorted(map(str, wanted - known.keys())):
            close = difflib.get_close_matches(unknown[0], known, 3) or list(known)[:3]
            raise UnknownName(
                f"pool: no tool {', '.join(map(repr, unknown))} in this registry; it has, for example: {', '.join(close) or 'none'}"
            )
        return pool_of([key for key in wanted if key in allowed.places], known)

    def _reason_for_nothing(self, query: str, role: str | None, searched: Pool) -> str:
        if not has_word_character(query):
            return "empty query: type at least one letter or digit"
        if not self.index.keys:
            return "the registry has no tools: add or load one"
        if not searched.keys:
            return f"no tool to search: role {role} and the pool have none in common" if role else "no tool to search: the pool is empty"
        return ""

    def _remarks(self, query: str, confidence: ConfidenceRecord, settings: Settings) -> tuple[str, ...]:
        """Say what was adjusted, beside a clamped top_k."""
        remarks, encoder = [], self.index.encoder
        if confidence.low_confidence:
            extra, line = plural(confidence.effective_k, "tool"), confidence.unsure_below
            remarks.append(
                f"unsure: the best meaning match is {confidence.max_similarity:z.2f}, below {line:g}, so up to {extra} are given"
            )
        if encoder is None:
            remarks.append("words only: no model is loaded")
        elif settings.dense and (tokens := tokens_past_limit(encoder, query)):
            remarks.append(f"the question has {tokens} tokens; the model reads the first {encoder.max_tokens}, word match reads all")
        return tuple(remarks)

    def _synonyms(self, query: str, searched: Pool, settings: Settings) -> tuple[FiredSynonym, ...]:
        """Return the synonym phrases that the question says and that stand in the text of a tool of the pool."""
        fired = self.index.fired_synonyms(query) if settings.synonyms else ()
        return tuple(synonym for synonym in fired if any(tool in searched.places for tool in synonym.tools))


def _split_remark(searched: Pool, whole: PassRecord, places: tuple[int, ...]) -> tuple[str, ...]:
    """Say when splitting the question changed which tool comes first."""
    first = whole.combined.first(1).tolist()
    if not places or not first or places[0] == first[0]:
        return ()
    with_split, without = (searched.keys[position] for position in (places[0], first[0]))
    return (f"splitting the question changed its first tool: {with_split}; without the split it is {without}",)


def _clamp(top_k: int, pool_size: int) -> tuple[int, tuple[str, ...]]:
    """Bring top_k into 1 … pool size; say so where it was outside."""
    if isinstance(top_k, bool) or not isinstance(top_k, int):
        raise InvalidQuery(f"top_k is {top_k!r}; pass a whole number, such as 20")
    clamped = min(max(top_k, 1), pool_size)
    if clamped == top_k or not pool_size:
        return clamped, ()
    limit = "the least is 1" if top_k < 1 else f"the pool has {plural(pool_size, 'tool')}"
    return clamped, (f"top_k {top_k} was taken as {clamped}: {limit}",)
