"""Clusters: groups of tools with like meaning, each named by the words that tell it from the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from curator_core.index import ToolIndex
from curator_core.nearest import Rows, blocks, distinct_rows, most_alike
from curator_core.overlap import content_words, rows_of, text_digests
from curator_core.records import Ints, frozen
from curator_core.settings import Settings
from curator_core.text import singular

MOST_CLUSTERS = 40
NAME_WORDS = 3
_SEED = 20
_DIMENSIONS = 50
_STARTS = 4
_SAME_STEM = 5  # "ethics" and "ethical" say one thing: of words that begin alike a name has one


@dataclass(frozen=True, slots=True)
class Cluster:
    """A group of like tools. number: its place, the largest first, counted from 0. name: its words joined by " · ", or where its tools
    have no words the first key; no two clusters have one name. words: what distinguishes it, the strongest first. keys: its tools.
    """

    number: int
    name: str
    words: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """All clusters of a registry. fingerprint: of the index they were made from; numbers: the cluster of each tool (n,), in order of
    keys; clusters: by number.
    """

    fingerprint: str
    numbers: Ints
    clusters: tuple[Cluster, ...]

    def names(self) -> tuple[str, ...]:
        """Return the cluster name of each tool, in order of keys."""
        return tuple(self.clusters[number].name for number in self.numbers)


def usual_count(tools: int) -> int:
    """Return how many clusters a registry gets: the root of half its tools, at least 1 and at most MOST_CLUSTERS."""
    return max(1, min(MOST_CLUSTERS, round(math.sqrt(tools / 2))))


def cluster_tools(index: ToolIndex, count: int | None = None, previous: Mapping[str, int] | None = None) -> Clusters:
    """Group the tools by meaning: k-means on the vectors' first 50 principal components, four starts, fixed seed, one thread.

    count: clusters asked for, default `usual_count`; never more than there are different vectors, since tools with one vector stay
    together and count once. The same registry gives the same clusters in whatever order its file is. previous: the numbers of an earlier
    state's clusters by text digest, made with the same model: who is among them stays there, and any other tool joins the cluster of
    the tool nearest to it. Raises ModelUnavailable.
    """
    rows = rows_of(index, Settings())
    numbers = _joining(rows, text_digests(index), previous) if previous else None
    return named_clusters(index, grouped(rows, count) if numbers is None else numbers)


def grouped(rows: Rows, count: int | None = None) -> Ints:
    """Return the number of each vector's cluster, (n,), as `cluster_tools` groups them: the largest cluster is 0."""
    first, number_of = distinct_rows(rows)
    wanted = min(len(first), max(1, usual_count(len(first)) if count is None else count))
    return _by_size(_labels(rows[first], wanted)[number_of])


def named_clusters(index: ToolIndex, numbers: Ints) -> Clusters:
    """Name the clusters of tools that have these numbers, (n,), in order of keys. Raises ValueError where a number is left out."""
    found = np.unique(numbers)
    if len(numbers) != len(index.keys) or not np.array_equal(found, np.arange(len(found))):
        raise ValueError(f"{len(index.keys)} tools need as many cluster numbers, counted from 0 without a gap")
    members = [tuple(index.keys[i] for i in np.flatnonzero(numbers == number)) for number in found]
    words = _distinguishing([_words_of(index, keys) for keys in members], [len(keys) for keys in members])
    names = _unique_names(words, members)
    surface = [tuple(some[:NAME_WORDS]) for some in words]
    clusters = [Cluster(number, names[number], surface[number], keys) for number, keys in enumerate(members)]
    return Clusters(index.fingerprint, frozen(numbers), tuple(clusters))


def _joining(rows: Rows, digests: tuple[str, ...], previous: Mapping[str, int]) -> Ints | None:
    """Return the numbers of the tools that were there and of those that join them, None where nobody was there."""
    numbers = np.array([previous.get(digest, -1) for digest in digests], dtype=np.int64)
    there, new = np.flatnonzero(numbers >= 0), np.flatnonzero(numbers < 0)
    if not len(there):
        return None
    for start, stop in blocks(len(new), len(there)):
        nearest = most_alike(rows[new[start:stop]] @ rows[there].T, 1)[:, 0]
        numbers[new[start:stop]] = numbers[there[nearest]]
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)  # a cluster that all have left leaves no gap


def _labels(rows: Rows, count: int) -> NDArray[np.int64]:
    if count <= 1:
        return np.zeros(len(rows), np.int64)
    from sklearn.cluster import KMeans
    from sklearn.decomposition import PCA

    with threadpool_limits(1):  # sums of several threads differ in the last bits from run to run
        points = PCA(min(_DIMENSIONS, len(rows) - 1, rows.shape[1]), random_state=_SEED).fit_transform(rows.astype(np.float64))
        labels = KMeans(count, n_init=_STARTS, random_state=_SEED, max_iter=100).fit(points).labels_
    return np.asarray(labels, dtype=np.int64)


def _by_size(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the clusters anew: the largest first, equal ones in order of their first tool."""
    found, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    new = {int(found[old]): number for number, old in enumerate(order)}
    return np.array([new[int(label)] for label in labels], dtype=np.int64)


def _words_of(index: ToolIndex, keys: Sequence[str]) -> Counter[str]:
    """Count in how many of the tools each word of name and description stands."""
    texts = (index.texts[index.positions[key]] for key in keys)
    return Counter(word for text in texts for word in content_words(text.tokens(("name", "description"), min_length=3)))


def _distinguishing(counts: Sequence[Counter[str]], sizes: Sequence[int]) -> list[list[str]]:
    """Return each cluster's words, the most distinguishing first: tf-idf with the cluster as the document.

    A word's weight: how many of the cluster's tools have it, times log(1 + tools / tools that have it), times the root of how much of
    its use is in this cluster. Words of less than a tenth of the tools come after all others. Singular and plural count as one and
    show as the form that is used more.
    """
    shown, folded = _forms(counts), [_folded(count) for count in counts]
    everywhere: Counter[str] = Counter()
    for count in folded:
        everywhere.update(count)
    ordered = []
    for count, size in zip(folded, sizes, strict=True):
        weights = {word: n * math.log1p(sum(sizes) / everywhere[word]) * math.sqrt(n / everywhere[word]) for word, n in count.items()}
        enough = max(min(2, size), size / 10)
        ranked = sorted((count[word] < enough, -weight, word) for word, weight in weights.items())
        ordered.append([shown[word] for word in _apart([word for _, _, word in ranked])])
    return ordered


def _folded(count: Counter[str]) -> Counter[str]:
    folded: Counter[str] = Counter()
    for word, n in count.items():
        folded[singular(word)] += n
    return folded


def _forms(counts: Sequence[Counter[str]]) -> dict[str, str]:
    """Return for each folded word the form that is used most."""
    forms: dict[str, Counter[str]] = {}
    for count in counts:
        for word, n in count.items():
            forms.setdefault(singular(word), Counter())[word] += n
    return {folded: min(words, key=lambda word: (-words[word], word)) for folded, words in forms.items()}


def _apart(words: Sequence[str], limit: int = 10) -> list[str]:
    """Return the first words of which no two begin alike."""
    kept: dict[str, str] = {}
    for word in words:
        kept.setdefault(word[:_SAME_STEM], word)
        if len(kept) == limit:
            break
    return list(kept.values())


def _unique_names(words: Sequence[Sequence[str]], members: Sequence[tuple[str, ...]]) -> list[str]:
    """Join each cluster's first words; where the name is taken, take more words, and at last the number."""
    taken: dict[str, None] = {}
    for number, (some, keys) in enumerate(zip(words, members, strict=True)):
        names = [" · ".join(some[:length]) for length in range(NAME_WORDS, max(NAME_WORDS, len(some)) + 1)] if some else [keys[0]]
        free = next((name for name in names if name not in taken), f"{names[0]} ({number + 1})")
        taken[free] = None
    return list(taken)
