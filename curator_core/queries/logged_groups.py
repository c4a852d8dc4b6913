"""Logged questions grouped by meaning, so that forty ways to ask for one missing thing are one line to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curator_core.index import ToolIndex
from curator_core.overlap import content_words
from curator_core.queries.logged import LoggedAnswer
from curator_core.settings import Settings
from curator_core.text import singular, tokenize

MOST_GROUPED = 3000  # questions; their distances take 70 MB
_APART = 0.55  # mean cosine distance within a group, the tools' mean taken off; chosen where known intents come out best
_NAME_WORDS = 3
_ENOUGH = 20  # tools whose mean says what texts have in common, rather than what these tools are about

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Questions that mean about the same. words: what most of them say; answers: the most frequent first; asked: how often in all."""

    words: tuple[str, ...]
    answers: tuple[LoggedAnswer, ...]
    asked: int


def group_questions(index: ToolIndex, answers: Sequence[LoggedAnswer]) -> tuple[QuestionGroup, ...]:
    """Return the groups of these questions, the most asked first: by the model's vectors, without one by their words.

    Average linkage on cosine distances; the same questions give the same groups. Of more than MOST_GROUPED the most frequent count.
    """
    some = sorted(answers, key=lambda one: (-one.question.count, one.question.text))[:MOST_GROUPED]
    texts = [one.question.text for one in some]
    labels = _labels(_meanings(index, texts)) if len(texts) > 1 else [0] * len(texts)
    groups: dict[int, list[LoggedAnswer]] = {}
    for label, one in zip(labels, some, strict=True):
        groups.setdefault(int(label), []).append(one)
    found = [QuestionGroup(_words(group), tuple(group), sum(one.question.count for one in group)) for group in groups.values()]
    return tuple(sorted(found, key=lambda group: (-group.asked, group.answers[0].question.text)))


def _labels(points: Points) -> NDArray[np.int64]:
    from sklearn.cluster import AgglomerativeClustering

    made = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=_APART)
    return np.asarray(made.fit_predict(points), dtype=np.int64)


def _meanings(index: ToolIndex, texts: Sequence[str]) -> Points:
    """Return the questions' vectors without what all tools' texts have in common, which is much with some models; else their words."""
    if index.store is None:
        return _word_weights(texts)
    rows = np.array([index.store.queries.of(text) for text in texts], dtype=np.float64)
    dense = index.dense(Settings())
    if dense is not None and dense.size >= _ENOUGH:
        rows -= dense.rows.mean(axis=0, dtype=np.float64)
    return _directions(rows)


def _word_weights(texts: Sequence[str]) -> Points:
    """Return tf-idf weights of the words; a question without any stands alone."""
    words = [[singular(word) for word in sorted(content_words(tokenize(text)))] for text in texts]
    spread = Counter(word for some in words for word in some)
    places = {word: place for place, word in enumerate(sorted(spread))}
    rows = np.zeros((len(texts), len(places) + len(texts)))
    for number, some in enumerate(words):
        for word in some:
            rows[number, places[word]] = np.log1p(len(texts) / spread[word])
        if not some:
            rows[number, len(places) + number] = 1.0
    return _directions(rows)


def _directions(rows: Points) -> Points:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.where(lengths > 0, rows, 1.0)  # the mean itself: any fixed direction will do, but none of length 0
    normal: Points = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normal


def _words(group: Sequence[LoggedAnswer]) -> tuple[str, ...]:
    """Return the content words that most questions of a group say, each counted as often as it was asked."""
    counts: Counter[str] = Counter()
    for one in group:
        for word in content_words(tokenize(one.question.text, min_length=3)):
            counts[word] += one.question.count
    return tuple(sorted(counts, key=lambda word: (-counts[word], word))[:_NAME_WORDS])
