"""Clashes: pairs of tools that take each other's questions, worst first.

Three kinds of evidence make the harm of a pair, and add up: swaps, which are test queries of one tool that bring the other first; what
the tools' own texts say of where their questions go (curator_core.collisions.strays); and how close the two are, as this registry goes.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curator_core.authoring.dismissals import Dismissal, Mark
from curator_core.collisions.clash_evidence import DECIMALS, PairEvidence, counted_results, gather_evidence, nearest_similarities_of
from curator_core.collisions.families import Family, families_of, mean_similarity
from curator_core.collisions.strays import Strays, estimate_strays
from curator_core.curator import Curator
from curator_core.evaluation import Evaluation, evaluate
from curator_core.index import ToolIndex
from curator_core.overlap import identical_tools, pair_of
from curator_core.settings import Settings
from curator_core.text import fold

NEAR_DUPLICATE = 0.97  # similarity from which two texts say the same in other words
SIBLINGS_ALIKE = 0.4  # how far siblings' similarity lies from that of any two tools to that of a tool and its nearest one
LISTED = 200
SPARES = 20  # of a family's pairs, which take the place of those that are dismissed

StageProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Clash:
    """Two tools that take each other's questions; the first stands before the second in order of keys.

    harm: what the list is ordered by: swaps, plus STRAY_WEIGHT times both shares, plus closeness; a swap of a question that expects
    several tools counts as a part of one. swaps: test queries of one whose first tool is the other; lost: those of the first tool, and
    those of the second. steals: of the questions that the two ask about themselves (asked), how many the other answers first; shares:
    where they go, the first's to the second and back, 1 = all of them come first there. similarity: of meanings, None without a model;
    closeness: the share of tools that have no nearer neighbour than this pair is near, 1 = nothing is closer. roles: who sees both, empty
    = everybody; together: whether any role does. duplicate: they say the same.
    family: the siblings for whose pairs this one, the worst, stands; family_swaps: the swaps of all those pairs.
    """

    tools: tuple[str, str]
    harm: float
    swaps: int
    lost: tuple[int, int]
    steals: int
    asked: int
    shares: tuple[float, float]
    similarity: float | None
    closeness: float
    shared_words: tuple[str, ...]
    same_group: bool
    roles: tuple[str, ...]
    together: bool
    duplicate: bool
    family: tuple[str, ...] = ()
    family_swaps: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the clash as JSON-serialisable values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(self).items()}


@dataclass(frozen=True)
class Clashes:
    """The clashes of a registry, as a role sees it (None: all tools).

    clashes: worst first; of the pairs of a family only the worst. duplicates: groups of tools with one and the same text, which no
    question can tell apart; none of their pairs is listed. queries: test queries that were counted; tools: how many were looked at.
    dismissed: pairs that somebody put away, as long as both texts stay as they are; none of them is listed. spares: the next pairs of each
    family, one of which stands for it where its worst is dismissed.
    """

    registry: str
    role: str | None
    settings: Settings
    model: str | None
    fingerprint: str
    tools: int
    queries: int
    clashes: tuple[Clash, ...]
    families: tuple[Family, ...]
    duplicates: tuple[tuple[str, ...], ...]
    strays: Strays
    dismissed: tuple[Dismissal, ...] = ()
    spares: tuple[Clash, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the clashes as JSON-serialisable values."""
        return {
            "registry": self.registry,
            "role": self.role,
            "profile": self.settings.profile,
            "settings": self.settings.changed(),
            "model": self.model,
            "fingerprint": self.fingerprint,
            "tools": self.tools,
            "queries": self.queries,
            "clashes": [clash.to_dict() for clash in self.clashes],
            "families": [{"tools": list(family.keys), "pattern": family.pattern} for family in self.families],
            "duplicates": [list(keys) for keys in self.duplicates],
            "dismissed": [
                {"tools": list(one.tools), "reason": one.reason, "author": one.author, "at": one.at.isoformat()} for one in self.dismissed
            ],
        }


def find_clashes(
    curator: Curator,
    evaluation: Evaluation | None = None,
    role: str | None = None,
    limit: int = LISTED,
    strays: Strays | None = None,
    progress: StageProgress | None = None,
) -> Clashes:
    """Return the registry's clashes, worst first, at most `limit`.

    evaluation: of the test queries with the curator's settings, made here when there is none; held-out ones are left out. role: only
    tools that it sees, and what they do to each other. strays: of this index, role and settings, where they are known. progress: called
    with what is done ("test queries" or "own questions"), how much of it and of how much.
    """
    index, settings = curator.index, curator.settings
    if evaluation is None:
        evaluation = evaluate(curator, index.registry.test_queries, settings, _stage(progress, "test queries"))
    strays = strays or estimate_strays(index, role, settings, _stage(progress, "own questions"))
    results = counted_results(evaluation)
    pairs = gather_evidence(index, settings, strays, results)
    families = _families(index, settings, strays)
    duplicates = _duplicates(index, settings, strays)
    clashes, spares = _first(_listed(index, settings, pairs, families, duplicates), limit)
    model = index.encoder.model_id if index.encoder else None
    found = (clashes, families, duplicates, strays)
    return Clashes(index.registry.name, role, settings, model, index.fingerprint, len(strays.keys), len(results), *found, spares=spares)


def put_away(found: Clashes, index: ToolIndex, dismissals: Mapping[Mark, Dismissal], limit: int = LISTED) -> Clashes:
    """Return the list, at most `limit`, without the pairs that are dismissed with their texts as they are; these stand apart.

    A family whose worst pair is dismissed is listed with the next one.
    """
    seen = set(found.strays.keys)
    held = tuple(one for mark, one in dismissals.items() if seen.issuperset(one.tools) and mark_of(index, one.tools) == mark)
    gone, told, left = {one.tools for one in held}, set[tuple[str, ...]](), list[Clash]()
    pairs = sorted((*found.clashes, *found.spares), key=lambda one: (-one.harm, one.tools))
    less = Counter[tuple[str, ...]]()
    for clash in pairs:
        less[clash.family] += clash.swaps if clash.tools in gone else 0
    for clash in pairs:
        if clash.tools in gone or clash.family in told:
            continue
        told.update([clash.family] if clash.family else [])
        left.append(dataclasses.replace(clash, family_swaps=clash.family_swaps - less[clash.family]) if clash.family else clash)
    return dataclasses.replace(found, clashes=tuple(left[:limit]), spares=(), dismissed=held)


def mark_of(index: ToolIndex, tools: tuple[str, str]) -> Mark:
    """Return what a dismissal of a pair holds for: both keys, and a digest of each tool's indexed text."""
    a, b = (_digest(index.texts[index.positions[key]].text()) for key in tools)
    return (*tools, a, b)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _stage(progress: StageProgress | None, name: str) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, total: progress(name, done, total)


def _families(index: ToolIndex, settings: Settings, strays: Strays) -> tuple[Family, ...]:
    tools = {key: index.registry.by_key[key] for key in strays.keys}
    vectors = index.dense(settings.plain()) if settings.dense else None
    if vectors is None or len(tools) < 2:
        return families_of(tools)
    rows = {key: vectors.row(index.positions[key]).astype(np.float64) for key in strays.keys}
    usual, nearest = mean_similarity(rows.values()), float(np.median(nearest_similarities_of(strays)))
    return families_of(tools, rows, usual + SIBLINGS_ALIKE * (nearest - usual))


def _duplicates(index: ToolIndex, settings: Settings, strays: Strays) -> tuple[tuple[str, ...], ...]:
    seen = set(strays.keys)
    groups = (tuple(key for key in keys if key in seen) for keys in identical_tools(index, settings))
    return tuple(keys for keys in groups if len(keys) > 1)


def _listed(
    index: ToolIndex, settings: Settings, pairs: PairEvidence, families: Sequence[Family], duplicates: Sequence[tuple[str, ...]]
) -> Iterator[Clash]:
    """Give the clashes, worst first, equal ones in order of keys: of each family the worst few, none of duplicates but their first."""
    family_of = np.full(len(index.keys), -1)
    for number, family in enumerate(families):
        family_of[[index.positions[key] for key in family.keys]] = number
    hidden = np.zeros(len(index.keys), dtype=bool)
    hidden[[index.positions[key] for keys in duplicates for key in keys[1:]]] = True
    ends = pairs.pool[pairs.positions]
    siblings = (family_of[ends[:, 0]] == family_of[ends[:, 1]]) & (family_of[ends[:, 0]] >= 0)
    within = np.where(siblings, family_of[ends[:, 0]], -1)
    swaps = np.bincount(within + 1, pairs.lost.sum(axis=1), minlength=len(families) + 1)[1:]
    told = Counter[int]()
    for row in np.lexsort((pairs.positions[:, 1], pairs.positions[:, 0], -pairs.harm)).tolist():
        number = int(within[row])
        if hidden[ends[row]].any() or told[number] > SPARES:
            continue
        clash = _clash(index, settings, pairs, row)
        if number >= 0:
            told[number] += 1
            clash = dataclasses.replace(clash, family=families[number].keys, family_swaps=int(swaps[number]))
        yield clash


def _first(listed: Iterator[Clash], limit: int) -> tuple[tuple[Clash, ...], tuple[Clash, ...]]:
    """Return the first clashes, one for each family, and the further pairs of families among them."""
    clashes, spares, told = list[Clash](), list[Clash](), set[tuple[str, ...]]()
    while len(clashes) < limit and (clash := next(listed, None)):
        (spares if clash.family and clash.family in told else clashes).append(clash)
        told.add(clash.family)
    return tuple(clashes), tuple(spares)


def _clash(index: ToolIndex, settings: Settings, pairs: PairEvidence, row: int) -> Clash:
    a, b = pairs.pool[pairs.positions[row]].tolist()
    similarity = float(pairs.similarities[row])
    pair = pair_of(index, settings, a, b, similarity, 100 * float(pairs.closeness[row]))
    roles, together = _roles(index, pair.a, pair.b)
    shares = tuple(round(float(share), DECIMALS) for share in pairs.shares[row])
    return Clash(
        tools=(pair.a, pair.b),
        harm=float(pairs.harm[row]),
        swaps=int(pairs.lost[row].sum()),
        lost=(int(pairs.lost[row, 0]), int(pairs.lost[row, 1])),
        steals=int(pairs.firsts[row].sum()),
        asked=int(pairs.asked[row]),
        shares=(shares[0], shares[1]),
        similarity=None if np.isnan(similarity) else similarity,
        closeness=round(float(pairs.closeness[row]), DECIMALS),
        shared_words=pair.shared_words,
        same_group=pair.same_group,
        roles=roles,
        together=together,
        duplicate=_say_the_same(index, pair.a, pair.b, similarity),
    )


def _roles(index: ToolIndex, a: str, b: str) -> tuple[tuple[str, ...], bool]:
    """Return the roles that see both tools, empty for everybody, and whether anybody does."""
    one, other = (set(index.registry.by_key[key].roles) for key in (a, b))
    both = one & other if one and other else one | other
    return tuple(sorted(both)), bool(both) or not (one and other)


def _say_the_same(index: ToolIndex, a: str, b: str, similarity: float) -> bool:
    one, other = (" ".join(fold(index.registry.by_key[key].description).split()) for key in (a, b))
    return similarity >= NEAR_DUPLICATE or (one == other != "")
